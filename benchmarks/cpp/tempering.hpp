// Tempering for the twins of puzzles: lines that are changed again and again under replica exchange, as rookery's
// search/tempering.py with moves as keys, no restarts, and its other parameters as they are by default. The answers are
// the same, bit for bit. How lines are changed is in edits.hpp, and in loose.hpp for moves that can be taken back.
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

constexpr int REPLICAS = 10, PROPOSALS = 200, NOWHERE = -1;
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
struct Line {
    uint16_t moves[State::LENGTH];
    int length;
    double score;
};

// What a proposal was: its kind of edit, whether it draws common codes, and whether it drew any move.
struct Proposal {
    int kind;
    bool common, drew;
};

// The index of the first of n sums that is more than the limit.
inline int first_above(const double* sums, int n, double limit) {
    int chosen = 0;
    for (int i = 0; i < n; ++i) chosen += sums[i] <= limit;
    return std::min(chosen, n - 1);
}

// Changes has stream_, shares_, score_ of the last proposal, best_ and playouts, and says how lines are changed.
template <class Changes>
class Tempering : public Changes {
  public:
    using State = typename Changes::State;

    // The best score of this many rounds from a position.
    double run(const State& root, u64 key, int rounds) {
        *this = Tempering();
        this->root_ = root;
        for (int number = 0; number < rounds; ++number) {
            this->stream_ = Stream(mix(key, static_cast<u64>(number)));
            set_shares();
            if (number == 0) begin_lines();
            for (int i = 0; i < REPLICAS; ++i) {
                turn(*lines_[i], temperature(i));
                if (i == 0) move_end(0);
                if (i == REPLICAS - 1) move_end(1);
            }
            this->forget();
            for (Count& count : kinds_) count.fade();
            for (Count& count : draws_) count.fade();
            exchange(number % 2);
        }
        return this->best_;
    }

  private:
    // ---- the ladder: it sets itself (exchange: Hukushima and Nemoto 1996) ----

    void begin_lines() {
        double mean = 0.0, squares = 0.0;
        for (int i = 0; i < REPLICAS; ++i) {
            lines_[i] = &room_[i];
            this->begin(room_[i]);
            mean += (room_[i].score - mean) / (i + 1);
        }
        for (const Line<State>* line : lines_) squares += (line->score - mean) * (line->score - mean) / REPLICAS;
        const double loss = 0.02 * std::max(std::sqrt(squares), 1e-6 * (1.0 + std::abs(mean)));
        ends_[0] = log_of(loss);
        ends_[1] = log_of(5.0 * loss);
    }

    double temperature(int i) const {
        return exp_of(ends_[0] + (ends_[1] - ends_[0]) * (static_cast<double>(i) / (REPLICAS - 1)));
    }

    // Move the coldest or the hottest temperature towards where it accepts its share of worse proposals.
    void move_end(int end) {
        const double wanted = Changes::WANTED[end];
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
            if (x >= 0.0 || this->stream_.uniform() < exp_of(x)) std::swap(lines_[i], lines_[i + 1]);
        }
    }

    void turn(Line<State>& line, double temperature) {
        worse_ = taken_ = 0;
        this->load(line);
        for (int i = 0; i < PROPOSALS; ++i) {
            const Proposal made = this->propose(line);
            double change = this->score_ - line.score;
            if (std::abs(change) < 1e-9 * (1.0 + std::abs(line.score))) change = 0.0;
            bool accepted = change >= 0.0;
            if (!accepted) {
                ++worse_;
                accepted = this->stream_.uniform() < exp_of(change / temperature);
                taken_ += accepted;
            }
            const bool won = accepted && change != 0.0;
            kinds_[made.kind].note(won);
            if (made.drew) draws_[made.common].note(won);
            if (accepted) {
                this->keep(line);
            } else {
                this->leave(line);
            }
        }
        this->learn(line);
    }

    void set_shares() {
        constexpr int KINDS = Changes::KINDS;
        double total = 0.0, kept = 0.0, *shares = this->shares_;
        for (const Count& count : kinds_) total += count.rate();
        for (int kind = 0; kind < KINDS; ++kind) kept += shares[kind] = std::max(0.04, kinds_[kind].rate() / total);
        for (int kind = 0; kind < KINDS; ++kind) shares[kind] /= kept;
        shares[KINDS] = std::clamp(draws_[1].rate() / (draws_[0].rate() + draws_[1].rate()), 0.04, 1.0 - 0.04);
    }

    Line<State> room_[REPLICAS], *lines_[REPLICAS];
    double ends_[2] = {}, moved_[2] = {}, worse_at_[2] = {}, taken_at_[2] = {};
    int worse_ = 0, taken_ = 0;  // of a turn: the proposals that were worse, and those of them that were accepted
    Count kinds_[Changes::KINDS], draws_[2];  // by kind of edit; without and with common codes
};

// Each run prints "seed score proposals seconds".
template <class Changes>
void report(const typename Changes::State& root, int rounds, u64 first, int runs, double sign) {
    const auto search = std::make_unique<Tempering<Changes>>();
    for (u64 seed = first; seed < first + static_cast<u64>(runs); ++seed) {
        const double began = seconds_used();
        const double score = sign * search->run(root, mix(search_key(seed), 0), rounds);
        const double seconds = seconds_used() - began;
        std::printf("%llu %.17g %ld %.6f\n", static_cast<unsigned long long>(seed), score, search->playouts, seconds);
    }
}

}  // namespace twin
