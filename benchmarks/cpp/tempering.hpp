// Tempering for the twins of puzzles: edits of good lines under replica exchange, as rookery's search/tempering.py with
// moves as keys, no restarts, and its other parameters as they are by default. The answers are the same, bit for bit.
//
// Written for puzzles in which no move occurs twice in a line, and codes are few: then a plain array says where in the
// line a move is, and another how common a code is. A State is a small value that is copied, with
//   MOVES, CODES, LENGTH     how many moves and codes there are, most moves of a line
//   MOST_LEGAL               most legal moves
//   STRIDE                   states are kept after this many moves of a line
//   BIASED                   whether factor(move), exp of a bias, is not always 1
//   count() move(i)          the legal moves
//   legal(move) index(move)  whether a move is legal, and where in the list
//   play(move) score()       the score is to be maximised
//   LINKED                   whether makes(move), below MOVES, and needs(move, i) are there
//   last() code(last, move)  the last move, and the code of one after it; 0 where there is none
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <memory>
#include <vector>

#include "stream.hpp"

namespace twin {

using u64 = uint64_t;

constexpr int REPLICAS = 10, PROPOSALS = 200;
constexpr int NOWHERE = -1, ORDER = 16, MOST_EDITS = 3, LONGEST_BLOCK = 8, MOST_DELAYED = MOST_EDITS * LONGEST_BLOCK;
constexpr double INFINITE = std::numeric_limits<double>::infinity();

inline double exp_of(double x) { return exponential(x, -600.0, 600.0); }
inline double log_of(double x) { return x >= 1.0 ? logarithm(x) : -logarithm(1.0 / x); }

// How often something was tried, and how often that succeeded.
struct Count {
    double tried = 0.0, won = 0.0;
    double rate() const { return (won + 1.0) / (tried + 20.0); }
    void note(bool success) {
        tried += 1.0;
        won += success;
    }
    void fade() {
        tried *= 0.98;
        won *= 0.98;
    }
};

template <class State>
class Tempering {
  public:
    // The best score of this many rounds from a position.
    double run(const State& root, u64 key, int rounds) {
        *this = Tempering();
        root_ = root;
        for (int number = 0; number < rounds; ++number) {
            stream_ = Stream(mix(key, static_cast<u64>(number)));
            set_shares();
            if (number == 0) begin_lines();
            for (int i = 0; i < REPLICAS; ++i) {
                turn(*lines_[i], temperature(i));
                if (i == 0) move_end(0);
                if (i == REPLICAS - 1) move_end(1);
            }
            forget();
            for (Count& count : kinds_) count.fade();
            for (Count& count : draws_) count.fade();
            exchange(number % 2);
        }
        return best_;
    }
    long playouts = 0;

  private:
    using Move = uint16_t;
    enum Kind { DROP, DEVIATE, DELAY, REMOVE, SWAP, ALL_KINDS };
    static constexpr int KINDS = State::LINKED ? ALL_KINDS : REMOVE, WORDS = State::LENGTH / 64 + 1;

    struct Line {
        Move moves[State::LENGTH];
        int length;
        double score;
    };

    // ---- the ladder: it sets itself (exchange: Hukushima and Nemoto 1996) ----

    void begin_lines() {
        double mean = 0.0, squares = 0.0;
        std::fill(place_, place_ + State::MOVES, static_cast<int16_t>(NOWHERE));
        for (int i = 0; i < REPLICAS; ++i) {
            lines_[i] = &room_[i];
            new_ = &room_[REPLICAS];
            *lines_[i] = Line{};
            ++stamp_;
            delayed_ = 0;
            state_ = root_;
            play_on(*lines_[i], 0, false);
            *lines_[i] = *new_;
            mean += (lines_[i]->score - mean) / (i + 1);
        }
        for (const Line* line : lines_) squares += (line->score - mean) * (line->score - mean) / REPLICAS;
        const double loss = 0.02 * std::max(std::sqrt(squares), 1e-6 * (1.0 + std::abs(mean)));
        ends_[0] = log_of(loss);
        ends_[1] = log_of(5.0 * loss);
    }

    double temperature(int i) const {
        return exp_of(ends_[0] + (ends_[1] - ends_[0]) * (static_cast<double>(i) / (REPLICAS - 1)));
    }

    // Move the coldest or the hottest temperature towards where it accepts its share of worse proposals.
    void move_end(int end) {
        const double wanted = end == 1 ? 0.02 : 0.001;
        worse_at_[end] += worse_;
        taken_at_[end] += taken_;
        if (worse_at_[end] * wanted < 3.0) return;
        const double missed = log_of(wanted * worse_at_[end] / (taken_at_[end] + 0.3));
        const double gain = 0.35 / (1.0 + moved_[end] / 30.0);
        ends_[end] = std::clamp(ends_[end] + gain * std::clamp(missed, -1.5, 1.5), -460.0, 460.0);
        ends_[0] = std::min(ends_[0], ends_[1] - 0.7);
        moved_[end] += 1.0;
        worse_at_[end] = taken_at_[end] = 0.0;
    }

    void exchange(int parity) {
        for (int i = parity; i < REPLICAS - 1; i += 2) {
            const double inverse = 1.0 / temperature(i) - 1.0 / temperature(i + 1);
            const double x = inverse * (lines_[i + 1]->score - lines_[i]->score);
            if (x >= 0.0 || stream_.uniform() < exp_of(x)) std::swap(lines_[i], lines_[i + 1]);
        }
    }

    // ---- proposals for one line at one temperature ----

    void turn(Line& line, double temperature) {
        worse_ = taken_ = 0;
        load(line);
        for (int i = 0; i < PROPOSALS; ++i) {
            const bool common = stream_.uniform() < shares_[ALL_KINDS];
            Kind kind = DROP;
            first_ = delayed_ = 0;
            ++stamp_;
            if (State::LINKED && line.length > 0) {
                const double x = stream_.uniform();
                if (x < shares_[REMOVE] + shares_[SWAP]) kind = x < shares_[REMOVE] ? REMOVE : SWAP;
            }
            const bool plays_on = kind == DROP;
            bool drew = false;
            if (plays_on) {
                if (line.length > 0) kind = edit(line.length);
                go_to(line);
                drew = play_on(line, first_, common);
            }
            if constexpr (State::LINKED) {
                if (!plays_on) {
                    remove(kind, line.length);
                    go_to(line);
                    rebuild(line, kind);
                }
            }
            double change = new_->score - line.score;
            if (std::abs(change) < 1e-9 * (1.0 + std::abs(line.score))) change = 0.0;
            bool accepted = change >= 0.0;
            if (!accepted) {
                ++worse_;
                accepted = stream_.uniform() < exp_of(change / temperature);
                taken_ += accepted;
            }
            const bool won = accepted && change != 0.0;
            kinds_[kind].note(won);
            if (drew) draws_[common].note(won);
            if (accepted) keep(line);
        }
        learn(line);
    }

    void set_shares() {
        double total = 0.0, kept = 0.0;
        for (int kind = 0; kind < KINDS; ++kind) total += kinds_[kind].rate();
        for (int kind = 0; kind < KINDS; ++kind) kept += shares_[kind] = std::max(0.04, kinds_[kind].rate() / total);
        for (int kind = 0; kind < KINDS; ++kind) shares_[kind] /= kept;
        shares_[ALL_KINDS] = std::clamp(draws_[1].rate() / (draws_[0].rate() + draws_[1].rate()), 0.04, 1.0 - 0.04);
    }

    // Make a line the one that is edited.
    void load(const Line& line) {
        std::fill(place_, place_ + State::MOVES, static_cast<int16_t>(NOWHERE));
        State& s = state_;
        s = root_;
        for (int place = 0; place < line.length; ++place) {
            if (place % State::STRIDE == 0) states_[place / State::STRIDE] = s;
            place_[line.moves[place]] = static_cast<int16_t>(place);
            s.play(line.moves[place]);
        }
        if (line.length % State::STRIDE == 0) states_[line.length / State::STRIDE] = s;
        kept_ = line.length / State::STRIDE + 1;
        if constexpr (State::LINKED) {
            std::fill(maker_, maker_ + State::MOVES, static_cast<int16_t>(NOWHERE));
            link(line, 0, 0);
        }
    }

    // Mark a few places; returns the kind of the first edit.
    Kind edit(int length) {
        int edits = 1;
        while (edits < MOST_EDITS && stream_.uniform() < 0.15) ++edits;
        Kind kind = DROP;
        first_ = length;
        for (int i = 0; i < edits; ++i) {
            const int q = stream_.below(length);
            double x = stream_.uniform();
            if (State::LINKED) x *= shares_[DROP] + shares_[DEVIATE] + shares_[DELAY];
            const Kind which = x < shares_[DROP] ? DROP : x < shares_[DROP] + shares_[DEVIATE] ? DEVIATE : DELAY;
            if (i == 0) kind = which;
            if (which == DROP) used_[q] = stamp_;
            if (which == DEVIATE) deviates_[q] = stamp_;
            if (which == DELAY) delay(q, length);
            first_ = std::min(first_, q);
        }
        return kind;
    }

    // Delay a block of moves. Those that are delayed are kept in the order of their turns.
    void delay(int q, int length) {
        int block = 1;
        while (block < LONGEST_BLOCK && stream_.uniform() < 0.4) ++block;
        const double a = stream_.uniform(), b = stream_.uniform();
        const int later = 1 + static_cast<int>(a * b * (length - q));
        const int turn = ORDER * (q + block + later) - ORDER / 2;
        for (int j = 0; j < std::min(block, length - q); ++j) {
            int i = delayed_;
            if (waits_[q + j] == stamp_) {  // it was delayed already
                for (i = 0; delay_[i].place != q + j;) ++i;
                for (; i + 1 < delayed_; ++i) delay_[i] = delay_[i + 1];
                --delayed_;
            }
            for (i = delayed_++; i > 0 && delay_[i - 1].turn > turn + j; --i) delay_[i] = delay_[i - 1];
            delay_[i] = {turn + j, q + j};
            waits_[q + j] = stamp_;
        }
    }

    // The state at the first edit, from the last one that is kept before it.
    void go_to(const Line& line) {
        const int grid = std::min(first_ / State::STRIDE, kept_ - 1);
        State& s = state_;
        s = states_[grid];
        for (int place = grid * State::STRIDE; place < first_; ++place) {
            s.play(line.moves[place]);
            if ((place + 1) % State::STRIDE == 0) {
                states_[(place + 1) / State::STRIDE] = s;
                kept_ = (place + 1) / State::STRIDE + 1;
            }
        }
    }

    // Play on from a place to the end; returns whether a move was drawn.
    bool play_on(const Line& line, int first, bool common) {
        State& s = state_;
        Line& found = *new_;
        low_ = first;
        skipped_ = passed_ = 0;
        bool drew = false;
        int place = first;
        for (;; ++place) {
            int at = next(line, s), move;
            if (at != NOWHERE && deviates_[at] != stamp_) {
                move = line.moves[at];
                used_[at] = stamp_;
            } else {
                if (s.count() == 0) break;
                int skip = NOWHERE;
                if (at != NOWHERE) {
                    deviates_[at] = 0;
                    skip = s.index(line.moves[at]);
                }
                move = s.move(drawn(s, skip, common));
                drew = true;
                at = place_[move];
                if (at >= first) used_[at] = stamp_;
            }
            found.moves[place] = static_cast<Move>(move);
            s.play(move);
        }
        end_proposal(place);
        return drew;
    }

    void end_proposal(int length) {
        new_->length = length;
        new_->score = state_.score();
        best_ = std::max(best_, new_->score);
        ++playouts;
    }

    // ---- moves that make and need something ----

    // Find what the places from ``first`` on depend on; the line had the length ``before`` until now.
    void link(const Line& line, int first, int before) {
        for (int place = before - 1; place >= first; --place) maker_[made_[place]] = maker_before_[place];
        int grid = std::min(first / State::STRIDE, kept_ - 1);
        State& s = state_;
        s = states_[grid];
        for (int place = grid * State::STRIDE; place < line.length; ++place) {
            if (place >= first) note(s, line.moves[place], place);
            s.play(line.moves[place]);
            if ((place + 1) % State::STRIDE == 0) {
                states_[++grid] = s;
                kept_ = std::max(kept_, grid + 1);
            }
        }
    }

    void note(const State& s, int move, int place) {
        for (int w = 0; w <= place / 64; ++w) ancestors_[w][place] = 0;
        for (int i = 0, thing; (thing = s.needs(move, i)) >= 0; ++i) {
            for (int by = maker_[thing]; by != NOWHERE; by = maker_before_[by]) {
                for (int w = 0; w <= by / 64; ++w) ancestors_[w][place] |= ancestors_[w][by];
                ancestors_[by / 64][place] |= u64{1} << by % 64;
            }
        }
        const int thing = s.makes(move);
        made_[place] = static_cast<int16_t>(thing);
        maker_before_[place] = maker_[thing];
        maker_[thing] = static_cast<int16_t>(place);
        others_[place] = 0;
        for (int i = 0; i < s.count(); ++i) others_[place] += s.move(i) != move && s.makes(s.move(i)) == thing;
    }

    // How many moves are removed with one, itself included.
    int size_at(int q, int length) const {
        u64 n = 1;
        for (int place = q + 1; place < length; ++place) n += ancestors_[q / 64][place] >> q % 64 & 1;
        return static_cast<int>(n);
    }

    // Drop one or two places, preferably with few that depend on them; or one that is to be swapped.
    void remove(Kind kind, int length) {
        first_ = stream_.below(length);
        int tries = 1;
        if (kind == SWAP) {
            for (; others_[first_] == 0 && tries < 10; ++tries) first_ = stream_.below(length);
        } else {
            const int limit = static_cast<int>(3.0 * exp_of(stream_.uniform() * log_of(std::max(1.0, length / 3.0))));
            int size = size_at(first_, length);
            for (; size > limit && tries < 10; ++tries) size = size_at(first_ = stream_.below(length), length);
            if (stream_.uniform() < 0.5) {
                const int other = stream_.below(length);
                if (size + size_at(other, length) <= limit) {
                    used_[std::max(first_, other)] = stamp_;
                    first_ = std::min(first_, other);
                }
            }
        }
        used_[first_] = stamp_;
    }

    // Play the line without what was dropped, as far as it is legal, and fill it up.
    void rebuild(const Line& line, Kind kind) {
        State& s = state_;
        int place = first_;
        const auto play = [&](int move) {
            if (place_[move] >= first_) used_[place_[move]] = stamp_;
            new_->moves[place++] = static_cast<Move>(move);
            s.play(move);
        };
        if (kind == SWAP && others_[first_] > 0) {
            int left = stream_.below(others_[first_]), i = 0;
            for (;; ++i) {
                const int other = s.move(i);
                if (other != line.moves[first_] && s.makes(other) == made_[first_] && left-- == 0) break;
            }
            play(s.move(i));
        }
        for (int at = first_; at < line.length; ++at) {
            if (used_[at] != stamp_ && s.legal(line.moves[at])) play(line.moves[at]);
        }
        while (s.count() > 0) play(s.move(fill_in(s)));
        end_proposal(place);
    }

    int fill_in(const State& s) {
        const int n = s.count();
        if (n == 1) return 0;
        double total = 0.0;
        for (int i = 0; i < n; ++i) {
            const int at = place_[s.move(i)];
            double weight = State::BIASED ? s.factor(s.move(i)) : 1.0;
            if (at >= first_ && used_[at] != stamp_) weight *= 148.4131591025766;
            sums_[i] = total += weight;
        }
        const double limit = stream_.uniform() * total;
        int chosen = 0;
        for (int i = 0; i < n; ++i) chosen += sums_[i] <= limit;
        return std::min(chosen, n - 1);
    }

    // The place in the line of the legal move whose turn comes first.
    int next(const Line& line, const State& s) {
        int left = 0;
        for (int i = 0; i < skipped_; ++i) {
            const Turn& t = skip_[i];
            if (used_[t.place] == stamp_) continue;
            if (s.legal(line.moves[t.place])) {
                const int place = first_of(line, s, skip_ + i, skip_ + skipped_);
                for (; i < skipped_; ++i) skip_[left++] = skip_[i];
                skipped_ = left;
                return place;
            }
            skip_[left++] = t;
        }
        skipped_ = left;
        for (;;) {
            while (low_ < line.length && (used_[low_] == stamp_ || waits_[low_] == stamp_)) ++low_;
            while (passed_ < delayed_ && used_[delay_[passed_].place] == stamp_) ++passed_;
            if (passed_ < delayed_ && (low_ == line.length || delay_[passed_].turn < ORDER * low_)) {
                const Turn& t = delay_[passed_];
                if (s.legal(line.moves[t.place])) return first_of(line, s, &t, delay_ + delayed_);
                skip_[skipped_++] = t;
                ++passed_;
            } else if (low_ < line.length) {
                if (s.legal(line.moves[low_])) return low_;
                skip_[skipped_++] = {ORDER * low_, low_};
                ++low_;
            } else {
                return NOWHERE;
            }
        }
    }

    struct Turn {
        int turn, place;
    };

    // Of those that have the same turn as the first, which is legal, the first in the list of legal moves.
    int first_of(const Line& line, const State& s, const Turn* t, const Turn* end) const {
        int place = t->place;
        for (const Turn* other = t + 1; other < end && other->turn == t->turn; ++other) {
            const int move = line.moves[other->place];
            const bool legal = used_[other->place] != stamp_ && s.legal(move);
            if (legal && s.index(move) < s.index(line.moves[place])) place = other->place;
        }
        return place;
    }

    // The index of a legal move that is not ``skip``, if there is another: by bias, and by how common its code is.
    int drawn(const State& s, int skip, bool common) {
        const int n = s.count();
        if (n == 1) return 0;
        if (!State::BIASED && !common) {
            if (skip == NOWHERE) return stream_.below(n);
            const int chosen = stream_.below(n - 1);
            return chosen + (chosen >= skip);
        }
        double total = 0.0;
        for (int i = 0; i < n; ++i) {
            if (i != skip) {
                const int move = s.move(i);
                double weight = State::BIASED ? s.factor(move) : 1.0;
                if (common) weight *= 0.02 + common_[State::code(s.last(), move)];
                total += weight;
            }
            sums_[i] = total;
        }
        const double limit = stream_.uniform() * total;
        int chosen = 0;
        for (int i = 0; i < n; ++i) chosen += sums_[i] <= limit;
        chosen = std::min(chosen, n - 1);
        return chosen != skip ? chosen : (chosen + 1) % n;
    }

    // Make the proposal the line.
    void keep(Line& line) {
        int first = first_;
        const int length = line.length, longer = new_->length, both = std::min(length, longer);
        line.score = new_->score;
        while (first < both && line.moves[first] == new_->moves[first]) ++first;
        if (first == length && length == longer) return;
        for (int place = first; place < length; ++place) place_[line.moves[place]] = NOWHERE;
        for (int place = first; place < longer; ++place) {
            line.moves[place] = new_->moves[place];
            place_[line.moves[place]] = static_cast<int16_t>(place);
        }
        line.length = longer;
        kept_ = std::min(kept_, first / State::STRIDE + 1);
        if constexpr (State::LINKED) link(line, first, length);
    }

    // ---- how common codes are in good lines ----

    void learn(const Line& line) {
        for (int place = 0, last = 0; place < line.length; last = line.moves[place++]) {
            const int code = State::code(last, line.moves[place]);
            if (common_[code] == 0.0) codes_.push_back(code);
            common_[code] += (1.0 - common_[code]) * 0.02;
        }
    }

    void forget() {
        size_t left = 0;
        for (const int code : codes_) {
            common_[code] *= 1.0 - 0.002 * REPLICAS;
            if (common_[code] >= 0.001) {
                codes_[left++] = code;
            } else {
                common_[code] = 0.0;
            }
        }
        codes_.resize(left);
    }

    State root_, state_, states_[State::LENGTH / State::STRIDE + 2];
    Line room_[REPLICAS + 1], *lines_[REPLICAS], *new_ = nullptr;
    Stream stream_{0};
    double best_ = -INFINITE, ends_[2] = {}, moved_[2] = {}, worse_at_[2] = {}, taken_at_[2] = {};
    int worse_ = 0, taken_ = 0;  // of a turn: the proposals that were worse, and those of them that were accepted
    Count kinds_[ALL_KINDS], draws_[2];  // by kind of edit; without and with common codes
    double shares_[ALL_KINDS + 1] = {};
    int first_ = 0, kept_ = 0, low_ = 0, delayed_ = 0, passed_ = 0, skipped_ = 0;
    uint32_t stamp_ = 0, used_[State::LENGTH] = {}, deviates_[State::LENGTH] = {}, waits_[State::LENGTH] = {};
    Turn delay_[MOST_DELAYED], skip_[State::LENGTH + MOST_DELAYED];
    int16_t place_[State::MOVES];
    u64 ancestors_[State::LINKED ? WORDS : 1][State::LENGTH];  // bit by bit, the places that a place depends on
    int others_[State::LENGTH];                                // how many other legal moves make the same
    int16_t maker_[State::MOVES], made_[State::LENGTH], maker_before_[State::LENGTH];
    double common_[State::CODES] = {}, sums_[State::MOST_LEGAL + 8] = {};
    std::vector<int> codes_;
};

// Each run prints "seed score proposals seconds".
template <class State>
void report(const State& root, int rounds, u64 first, int runs, double sign) {
    const auto search = std::make_unique<Tempering<State>>();
    for (u64 seed = first; seed < first + static_cast<u64>(runs); ++seed) {
        const double began = seconds_used();
        const double score = sign * search->run(root, mix(search_key(seed), 0), rounds);
        const double seconds = seconds_used() - began;
        std::printf("%llu %.17g %ld %.6f\n", static_cast<unsigned long long>(seed), score, search->playouts, seconds);
    }
}

}  // namespace twin
