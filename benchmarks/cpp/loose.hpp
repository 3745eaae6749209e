// Changes of lines whose moves can be taken back, as rookery's kernels/loose.py.
//
// Written for puzzles with few moves and things: plain arrays say which were taken back or lost. A State has
//   MOVES, LENGTH, MOST_LEGAL  how many moves and things there are, most moves of a line, most legal moves
//   count() move(i)            the legal moves
//   play(move) score()         the score is to be maximised
//   undo(move, made)           takes a move back
//   makes(move) needs(move, i) what a move makes, and the i-th thing that it needs or NOWHERE
//   makers(thing, out)         the moves that make a thing and whose other needs are there; returns how many
//   clash(a, b)                whether b forbids a
#pragma once

#include "tempering.hpp"

namespace twin {

template <class Puzzle>
class Loose {
  public:
    using State = Puzzle;
    long playouts = 0;

  protected:
    static constexpr int KINDS = 2;
    static constexpr double WANTED[2] = {0.002, 0.15};

    // The playout that a line begins with.
    void begin(Line<State>& line) {
        line = Line<State>{};
        load(line);
        propose(line);
        keep(line);
    }

    void load(const Line<State>& line) {
        state_ = root_;
        for (int place = 0; place < line.length; ++place) {
            made_[place] = static_cast<int16_t>(state_.makes(line.moves[place]));
            hints_[place] = hint_of(line.moves[place]);
            state_.play(line.moves[place]);
        }
        whole_ = state_;
    }

    Proposal propose(const Line<State>& line) {
        tail_ = 0;
        const bool swap = line.length > 0 && stream_.uniform() < shares_[SWAP] && swapped(line);
        if (!swap && line.length > 0) {
            removed(line);
            take_back(line);
        } else if (!swap) {
            stamp_ += 2;
        }
        while (state_.count() > 0) play_next(state_.move(fill_in()));
        score_ = state_.score();
        best_ = std::max(best_, score_);
        ++playouts;
        return {swap ? SWAP : REMOVE, false, false};
    }

    // Make the proposal the line.
    void keep(Line<State>& line) {
        int n = 0;
        for (int place = 0; place < line.length; ++place) {
            if (marked_[place] >= stamp_) continue;
            line.moves[n] = line.moves[place];
            made_[n] = made_[place];
            hints_[n++] = hints_[place];
        }
        for (int i = 0; i < tail_; ++i) {
            line.moves[n] = moves_[i];
            made_[n] = tail_made_[i];
            hints_[n++] = hint_of(moves_[i]);
        }
        line.length = n;
        line.score = score_;
        whole_ = state_;
    }

    // Go back to the state of the line.
    void leave(const Line<State>&) { state_ = whole_; }

    void learn(const Line<State>&) {}
    void forget() {}

    State root_;
    Stream stream_{0};
    double shares_[KINDS + 1] = {}, score_ = 0.0, best_ = -INFINITE;

  private:
    enum Kind { REMOVE, SWAP };
    static constexpr int TRIES = 60, MOST_FITTED = 4;

    static u64 bit_of(int thing) { return u64{1} << (static_cast<u64>(thing) * 0x9E3779B97F4A7C15 >> 58); }

    // A bit for each thing that a move needs.
    u64 hint_of(int move) const {
        u64 hint = 0;
        for (int i = 0, thing; (thing = state_.needs(move, i)) != NOWHERE; ++i) hint |= bit_of(thing);
        return hint;
    }

    bool lacks(int move, int but, uint32_t stamp) const {
        for (int i = 0, thing; (thing = state_.needs(move, i)) != NOWHERE; ++i) {
            if (thing != but && lost_[thing] == stamp) return true;
        }
        return false;
    }

    void mark_root(int place, uint32_t stamp) {
        marked_[place] = stamp;
        roots_[place] = true;
    }

    // Mark what depends on the roots that are marked, from the first on; returns how many, at most room + 1.
    int mark_dependents(const Line<State>& line, int first, int room, uint32_t stamp) {
        int taken = 0;
        u64 lost = 0;
        for (int place = first; place < line.length; ++place) {
            if (marked_[place] != stamp) {
                if ((hints_[place] & lost) == 0 || marked_[place] >= stamp_) continue;
                if (!lacks(line.moves[place], NOWHERE, stamp)) continue;
                marked_[place] = stamp;
                roots_[place] = false;
            }
            if (++taken > room) return taken;
            lost_[made_[place]] = stamp;
            lost |= bit_of(made_[place]);
        }
        return taken;
    }

    int draw_limit(int length) {
        return static_cast<int>(3.0 * exp_of(stream_.uniform() * log_of(std::max(1.0, std::min(length, 200) / 3.0))));
    }

    // Mark one or two moves with all that depends on them.
    void removed(const Line<State>& line) {
        for (int tries = 0; tries < TRIES; ++tries) {
            stamp_ += 2;
            const int limit = draw_limit(line.length), root = stream_.below(line.length);
            mark_root(root, stamp_);
            const int taken = mark_dependents(line, root, limit, stamp_);
            if (taken > limit) continue;
            if (stream_.uniform() < 0.5) {
                const int other = stream_.below(line.length);
                if (marked_[other] < stamp_) {
                    mark_root(other, stamp_ + 1);
                    const bool fits = mark_dependents(line, other, limit - taken, stamp_ + 1) <= limit - taken;
                    for (int place = other; place < line.length; ++place) {
                        if (marked_[place] == stamp_ + 1) marked_[place] = fits ? stamp_ : 0;
                    }
                }
            }
            return;
        }
        stamp_ += 2;
        mark_root(line.length - 1, stamp_);
    }

    // Put another move that makes the same in the place of one; returns false if none was found.
    bool swapped(const Line<State>& line) {
        for (int tries = 0, fitted = 0; tries < TRIES && fitted < MOST_FITTED; ++tries) {
            const int y = stream_.below(line.length), n = state_.makers(made_[y], out_);
            if (n == 0) continue;
            const int x = out_[stream_.below(n)];
            int known = 0;
            for (int place = 0; place < line.length; ++place) known += line.moves[place] == x;
            if (known > 0) continue;
            stamp_ += 2;
            ++fitted;
            if (!fits(line, y, x, draw_limit(line.length))) continue;
            take_back(line);
            state_.undo(line.moves[y], made_[y]);
            play_next(x);
            for (int place = y + 1; place < line.length; ++place) {
                if (marked_[place] != stamp_ + 1) continue;
                moves_[tail_] = line.moves[place];
                tail_made_[tail_++] = made_[place];
            }
            return true;
        }
        return false;
    }

    // Mark what forbids x in the place y with all that depends on that, and what is to come after x.
    bool fits(const Line<State>& line, int y, int x, int limit) {
        int first = line.length;
        for (int place = line.length - 1; place >= 0; --place) {
            if (place != y && state_.clash(x, line.moves[place])) mark_root(first = place, stamp_);
        }
        const int taken = mark_dependents(line, first, limit, stamp_);
        if (taken > limit || marked_[y] == stamp_ || lacks(x, made_[y], stamp_)) return false;
        mark_root(y, stamp_ + 1);
        mark_dependents(line, y, line.length, stamp_ + 1);
        return !lacks(x, made_[y], stamp_ + 1);
    }

    // Undo what is marked; what depended on another is preferred from now on.
    void take_back(const Line<State>& line) {
        for (int place = line.length - 1; place >= 0; --place) {
            if (marked_[place] != stamp_) continue;
            state_.undo(line.moves[place], made_[place]);
            if (!roots_[place]) preferred_[line.moves[place]] = stamp_;
        }
    }

    void play_next(int move) {
        moves_[tail_] = static_cast<uint16_t>(move);
        tail_made_[tail_++] = static_cast<int16_t>(state_.makes(move));
        state_.play(move);
    }

    int fill_in() {
        const int n = state_.count();
        if (n == 1) return 0;
        double total = 0.0;
        for (int i = 0; i < n; ++i) {
            sums_[i] = total += preferred_[state_.move(i)] == stamp_ ? 148.4131591025766 : 1.0;
        }
        return first_above(sums_, n, stream_.uniform() * total);
    }

    State state_, whole_;
    uint32_t stamp_ = 0, marked_[State::LENGTH] = {}, lost_[State::MOVES] = {}, preferred_[State::MOVES] = {};
    bool roots_[State::LENGTH] = {};
    u64 hints_[State::LENGTH];
    uint16_t moves_[State::LENGTH];  // the tail of a proposal, behind the moves of the line that stay
    int16_t made_[State::LENGTH], tail_made_[State::LENGTH];
    int tail_ = 0, out_[State::MOST_LEGAL];
    double sums_[State::MOST_LEGAL + 8] = {};
};

}  // namespace twin
