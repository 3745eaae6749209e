// Edits of lines as sequences of moves, as rookery's kernels/edits.py with moves as keys.
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
//   last() code(last, move)  the last move, and the code of one after it; 0 where there is none
#pragma once

#include "tempering.hpp"

namespace twin {

constexpr int ORDER = 16, MOST_EDITS = 3, LONGEST_BLOCK = 8, MOST_DELAYED = MOST_EDITS * LONGEST_BLOCK;

template <class Puzzle>
class Edits {
  public:
    using State = Puzzle;
    long playouts = 0;

  protected:
    static constexpr int KINDS = 3;
    static constexpr double WANTED[2] = {0.001, 0.02};

    // The playout that a line begins with.
    void begin(Line<State>& line) {
        std::fill(place_, place_ + State::MOVES, static_cast<int16_t>(NOWHERE));
        line = Line<State>{};
        ++stamp_;
        delayed_ = 0;
        state_ = root_;
        play_on(line, 0, false);
        line = new_;
    }

    Proposal propose(const Line<State>& line) {
        const bool common = stream_.uniform() < shares_[KINDS];
        Kind kind = DROP;
        first_ = delayed_ = 0;
        ++stamp_;
        if (line.length > 0) kind = edit(line.length);
        go_to(line);
        const bool drew = play_on(line, first_, common);
        return {kind, common, drew};
    }

    void leave(const Line<State>&) {}

    // Make a line the one that is edited.
    void load(const Line<State>& line) {
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
    }

    // Make the proposal the line.
    void keep(Line<State>& line) {
        int first = first_;
        const int length = line.length, longer = new_.length, both = std::min(length, longer);
        line.score = new_.score;
        while (first < both && line.moves[first] == new_.moves[first]) ++first;
        if (first == length && length == longer) return;
        for (int place = first; place < length; ++place) place_[line.moves[place]] = NOWHERE;
        for (int place = first; place < longer; ++place) {
            line.moves[place] = new_.moves[place];
            place_[line.moves[place]] = static_cast<int16_t>(place);
        }
        line.length = longer;
        kept_ = std::min(kept_, first / State::STRIDE + 1);
    }

    // ---- how common codes are in good lines ----

    void learn(const Line<State>& line) {
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

    State root_;
    Stream stream_{0};
    double shares_[KINDS + 1] = {}, score_ = 0.0, best_ = -INFINITE;

  private:
    enum Kind { DROP, DEVIATE, DELAY };

    // Mark a few places; returns the kind of the first edit.
    Kind edit(int length) {
        int edits = 1;
        while (edits < MOST_EDITS && stream_.uniform() < 0.15) ++edits;
        Kind kind = DROP;
        first_ = length;
        for (int i = 0; i < edits; ++i) {
            const int q = stream_.below(length);
            const double x = stream_.uniform();
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
    void go_to(const Line<State>& line) {
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
    bool play_on(const Line<State>& line, int first, bool common) {
        State& s = state_;
        Line<State>& found = new_;
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
            found.moves[place] = static_cast<uint16_t>(move);
            s.play(move);
        }
        found.length = place;
        found.score = s.score();
        score_ = found.score;
        best_ = std::max(best_, score_);
        ++playouts;
        return drew;
    }

    // The place in the line of the legal move whose turn comes first.
    int next(const Line<State>& line, const State& s) {
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
    int first_of(const Line<State>& line, const State& s, const Turn* t, const Turn* end) const {
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
        const int chosen = first_above(sums_, n, limit);
        return chosen != skip ? chosen : (chosen + 1) % n;
    }

    State state_, states_[State::LENGTH / State::STRIDE + 2];
    Line<State> new_;
    int first_ = 0, kept_ = 0, low_ = 0, delayed_ = 0, passed_ = 0, skipped_ = 0;
    uint32_t stamp_ = 0, used_[State::LENGTH] = {}, deviates_[State::LENGTH] = {}, waits_[State::LENGTH] = {};
    Turn delay_[MOST_DELAYED], skip_[State::LENGTH + MOST_DELAYED];
    int16_t place_[State::MOVES];
    double common_[State::CODES] = {}, sums_[State::MOST_LEGAL + 8] = {};
    std::vector<int> codes_;
};

}  // namespace twin
