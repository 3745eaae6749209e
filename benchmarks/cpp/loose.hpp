// Changes of lines whose moves can be taken back, as rookery's kernels/loose.py.
//
// Each move of the line has a slot, and the bits of all slots that it depends on. Written for puzzles with few moves and
// things: plain arrays say what makes a thing and what was taken back. A State has
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
        high_ = 0;
        free_.clear();
        ++epoch_;
        for (int place = 0; place < line.length; ++place) {
            slot_[place] = take_slot(line.moves[place], state_.makes(line.moves[place]));
            state_.play(line.moves[place]);
        }
        whole_ = state_;
    }

    Proposal propose(const Line<State>& line) {
        tail_ = 0;
        stamp_ += 2;
        const bool swap = line.length > 0 && stream_.uniform() < shares_[SWAP] && swapped(line);
        if (!swap && line.length > 0) {
            removed(line);
            take_back(line);
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
            if (marked_[slot_[place]] < stamp_) {
                line.moves[n] = line.moves[place];
                slot_[n++] = slot_[place];
            } else {
                give_back(slot_[place]);
            }
        }
        for (int i = 0; i < tail_; ++i) {
            line.moves[n] = moves_[i];
            slot_[n++] = take_slot(moves_[i], tail_made_[i]);
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

    static u64 bit_of(int slot) { return u64{1} << (slot & 63); }
    int words() const { return (high_ + 63) >> 6; }

    // ---- what the moves of the line depend on ----

    // Add to a column all that a move depends on, other than for the thing `but`.
    void stand_on(int move, int but, int column) {
        for (int i = 0, thing; (thing = state_.needs(move, i)) != NOWHERE; ++i) {
            if (thing == but || entered_[thing] != epoch_) continue;
            for (int maker = maker_[thing]; maker != NOWHERE; maker = same_[maker]) {
                for (int w = 0; w < words(); ++w) above_[w][column] |= above_[w][maker];
            }
        }
    }

    void link(int slot) {
        const int thing = made_[slot];
        same_[slot] = entered_[thing] == epoch_ ? maker_[thing] : int16_t{NOWHERE};
        maker_[thing] = static_cast<int16_t>(slot);
        entered_[thing] = epoch_;
    }

    void unlink(int slot) {
        int16_t* at = &maker_[made_[slot]];
        while (*at != slot) at = &same_[*at];
        *at = same_[slot];
    }

    // A slot for a move that comes behind all others of the line.
    int16_t take_slot(int move, int thing) {
        int slot = high_;
        if (free_.empty()) {
            if ((high_++ & 63) == 0) std::fill_n(above_[slot >> 6], slot, u64{0});
        } else {
            slot = free_.back();
            free_.pop_back();
        }
        for (int w = 0; w < words(); ++w) above_[w][slot] = 0;
        stand_on(move, NOWHERE, slot);
        above_[slot >> 6][slot] |= bit_of(slot);
        made_[slot] = static_cast<int16_t>(thing);
        link(slot);
        return static_cast<int16_t>(slot);
    }

    void give_back(int slot) {
        unlink(slot);
        for (int w = 0; w < words(); ++w) above_[w][slot] = 0;
        free_.push_back(static_cast<int16_t>(slot));
    }

    // ---- what is taken back ----

    void no_roots() { std::fill_n(roots_, words(), u64{0}); }
    void add_root(int slot) { roots_[slot >> 6] |= bit_of(slot); }
    bool is_root(int slot) const { return (roots_[slot >> 6] & bit_of(slot)) != 0; }
    bool stands_on_root(int column) const {
        u64 found = 0;
        for (int w = 0; w < words(); ++w) found |= above_[w][column] & roots_[w];
        return found != 0;
    }

    // Note what is a root or depends on one; returns how many there are.
    int find_lost() {
        int n = 0;
        for (int slot = 0; slot < high_; ++slot) lost_[slot] = above_[0][slot] & roots_[0];
        for (int w = 1; w < words(); ++w) {
            if (roots_[w] == 0) continue;
            for (int slot = 0; slot < high_; ++slot) lost_[slot] |= above_[w][slot] & roots_[w];
        }
        for (int slot = 0; slot < high_; ++slot) n += lost_[slot] != 0;
        return n;
    }

    // Mark what is lost, if its mark is below `free`.
    void mark(uint32_t stamp, uint32_t free) {
        for (int slot = 0; slot < high_; ++slot) {
            marked_[slot] = lost_[slot] != 0 && marked_[slot] < free ? stamp : marked_[slot];
        }
    }

    int draw_limit(int length) {
        return static_cast<int>(3.0 * exp_of(stream_.uniform() * log_of(std::max(1.0, std::min(length, 200) / 3.0))));
    }

    // Mark one or two moves with all that depends on them.
    void removed(const Line<State>& line) {
        for (int tries = 0; tries < TRIES; ++tries) {
            const int limit = draw_limit(line.length);
            no_roots();
            add_root(slot_[stream_.below(line.length)]);
            if (find_lost() > limit) continue;
            mark(stamp_, stamp_);
            if (stream_.uniform() < 0.5) {
                const int other = slot_[stream_.below(line.length)];
                if (marked_[other] != stamp_) {
                    add_root(other);
                    if (find_lost() <= limit) mark(stamp_, stamp_);
                }
            }
            return;
        }
        no_roots();
        add_root(slot_[line.length - 1]);
        find_lost();
        mark(stamp_, stamp_);
    }

    // Put another move that makes the same in the place of one; returns false if none was found.
    bool swapped(const Line<State>& line) {
        for (int tries = 0, fitted = 0; tries < TRIES && fitted < MOST_FITTED; ++tries) {
            const int y = stream_.below(line.length), n = state_.makers(made_[slot_[y]], out_);
            if (n == 0) continue;
            const int x = out_[stream_.below(n)];
            int known = 0;
            for (int place = 0; place < line.length; ++place) known += line.moves[place] == x;
            if (known > 0) continue;
            ++fitted;
            if (!fits(line, y, x, draw_limit(line.length))) continue;
            take_back(line);
            state_.undo(line.moves[y], made_[slot_[y]]);
            play_next(x);
            for (int place = y + 1; place < line.length; ++place) {
                if (marked_[slot_[place]] != stamp_ + 1) continue;
                moves_[tail_] = line.moves[place];
                tail_made_[tail_++] = made_[slot_[place]];
            }
            return true;
        }
        return false;
    }

    // Mark what forbids x in the place y with all that depends on that, and what is to come after x.
    bool fits(const Line<State>& line, int y, int x, int limit) {
        const int old = slot_[y], added = State::LENGTH - 1;
        for (int w = 0; w < words(); ++w) above_[w][added] = 0;
        stand_on(x, made_[old], added);
        if ((above_[old >> 6][added] & bit_of(old)) != 0) return false;
        no_roots();
        for (int place = 0; place < line.length; ++place) {
            if (place != y && state_.clash(x, line.moves[place])) add_root(slot_[place]);
        }
        if (stands_on_root(old) || stands_on_root(added) || find_lost() > limit) return false;
        mark(stamp_, stamp_);
        for (int slot = 0; slot < high_; ++slot) lost_[slot] = above_[old >> 6][slot] & bit_of(old);
        mark(stamp_ + 1, stamp_);
        return true;
    }

    // Undo what is marked; what depended on another is preferred from now on.
    void take_back(const Line<State>& line) {
        for (int place = line.length - 1; place >= 0; --place) {
            const int slot = slot_[place];
            if (marked_[slot] != stamp_) continue;
            state_.undo(line.moves[place], made_[slot]);
            if (!is_root(slot)) preferred_[line.moves[place]] = stamp_;
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
    uint32_t stamp_ = 0, epoch_ = 0, marked_[State::LENGTH] = {}, entered_[State::MOVES] = {}, preferred_[State::MOVES] = {};
    int16_t slot_[State::LENGTH], made_[State::LENGTH], same_[State::LENGTH], maker_[State::MOVES];
    u64 above_[State::LENGTH / 64][State::LENGTH], roots_[State::LENGTH / 64], lost_[State::LENGTH];
    std::vector<int16_t> free_;
    int high_ = 0;                   // slots that have been used
    uint16_t moves_[State::LENGTH];  // the tail of a proposal, behind the moves of the line that stay
    int16_t tail_made_[State::LENGTH];
    int tail_ = 0, out_[State::MOST_LEGAL];
    double sums_[State::MOST_LEGAL + 8] = {};
};

}  // namespace twin
