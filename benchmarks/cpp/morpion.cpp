// Morpion Solitaire 5T and 5D in plain C++: the baseline that benchmarks/speed.py compares Rookery with.
//
//   morpion nrpa 5T LEVEL N FIRST_SEED RUNS
//   morpion nmcs 5D LEVEL FIRST_SEED RUNS
//
// Each run prints "seed score playouts seconds". The same algorithm, data structures and random stream as
// the library, fused and specialised by hand for this one puzzle, without intrinsics. (morpion_simd.cpp
// shows how far hand-written vector code goes.)
// Build: g++ -O3 -march=native -ffp-contract=off -std=c++17 morpion.cpp -o morpion

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "morpion_board.hpp"
#include "stream.hpp"

namespace {

using namespace morpion;

State root;

// ---- NRPA (Rosin 2011, Figure 2): one policy, changes logged per level and undone ----

struct Trace {
    std::vector<u16> codes = std::vector<u16>(MOST_PLIES * MOST_LEGAL);
    std::vector<u16> touched = std::vector<u16>(MOST_PLIES * MOST_LEGAL);
    int ends[MOST_PLIES], chosen[MOST_PLIES];
    double totals[MOST_PLIES];
    int plies = 0, distinct = 0;
    bool named = false;
};

struct Log {
    std::vector<u16> code = std::vector<u16>(CODES + 1);
    std::vector<double> weight = std::vector<double>(CODES + 1), factor = std::vector<double>(CODES + 1);
    int size = 0;
};

class Nrpa {
  public:
    Nrpa(int level, int iterations) : level_(level), iterations_(iterations), trace_(level + 1), log_(level + 1) {
        for (int i = 0; i <= level; ++i) row_.push_back(i);
        std::fill(factor_, factor_ + CODES, 1.0);
    }
    int run(u64 key) {
        playouts = 0;
        return search(level_, key);
    }
    long playouts = 0;

  private:
    int search(int level, u64 key) {
        if (level == 0) return playout(trace_[row_[0]]);
        if (level == 1) stream_ = Stream(key);
        int best = -1;
        for (int i = 0; i < iterations_; ++i) {
            const int result = search(level - 1, mix(key, static_cast<u64>(i)));
            const bool taken = result >= best;
            if (taken) {
                best = result;
                std::swap(row_[level], row_[level - 1]);
            }
            if (i + 1 < iterations_) adapt(trace_[row_[level]], level, taken, taken && level == 1);
        }
        undo(level);
        return best;
    }

    int playout(Trace& trace) {
        State& s = state_;
        s = root;
        double sums[MOST_LEGAL];
        int end = 0;
        for (int n; (n = s.n) > 0; s.play(trace.codes[trace.chosen[s.played]])) {
            u16* const codes = trace.codes.data() + end;
            double total = 0.0;
            for (int k = 0; k < n; ++k) {
                codes[k] = s.legal[k];
                total += factor_[codes[k]];
                sums[k] = total;
            }
            const double limit = stream_.uniform() * total;
            int index = 0;
            for (int k = 0; k < n; ++k) index += sums[k] <= limit;
            trace.chosen[s.played] = end + std::min(index, n - 1);
            trace.totals[s.played] = total;
            end += n;
            trace.ends[s.played] = end;
        }
        trace.plies = s.played;
        ++playouts;
        return trace.plies;
    }

    // fresh: the trace was played by the current policy, so its sums still hold.
    void adapt(Trace& trace, int level, bool changed, bool fresh) {
        const int plies = trace.plies, size = plies ? trace.ends[plies - 1] : 0;
        const u16* const codes = trace.codes.data();
        if (changed) {
            ++now_;
            int n = 0;
            for (int k = 0; k < size; ++k) {
                const u16 c = codes[k];
                trace.touched[n] = c;
                n += stamp_[c] != now_;
                stamp_[c] = now_;
            }
            trace.distinct = n;
        }
        if (!fresh) {
            for (int ply = 0, k = 0; ply < plies; ++ply) {
                double z = 0.0;
                for (; k < trace.ends[ply]; ++k) z += factor_[codes[k]];
                trace.totals[ply] = z;
            }
        }
        Log& log = log_[level];
        for (int i = 0; i < trace.distinct; ++i) {
            const u16 c = trace.touched[i];
            log.code[log.size] = c;
            log.weight[log.size] = weight_[c];
            log.factor[log.size] = factor_[c];
            log.size += !(levels_[c] >> level & 1);
            levels_[c] |= 1u << level;
        }
        for (int ply = 0, k = 0; ply < plies; ++ply) {
            weight_[codes[trace.chosen[ply]]] += 1.0;
            const double step = 1.0 / trace.totals[ply];
            for (; k < trace.ends[ply]; ++k) weight_[codes[k]] -= step * factor_[codes[k]];
        }
        for (int i = 0; i < trace.distinct; ++i) arguments_[i] = weight_[trace.touched[i]];
        exponentials(arguments_, results_, trace.distinct);
        for (int i = 0; i < trace.distinct; ++i) factor_[trace.touched[i]] = results_[i];
    }

    void undo(int level) {
        Log& log = log_[level];
        for (int i = 0; i < log.size; ++i) {
            weight_[log.code[i]] = log.weight[i];
            factor_[log.code[i]] = log.factor[i];
            levels_[log.code[i]] &= ~(1u << level);
        }
        log.size = 0;
    }

    int level_, iterations_;
    std::vector<Trace> trace_;
    std::vector<Log> log_;
    std::vector<int> row_;
    Stream stream_{0};
    State state_;
    double weight_[CODES] = {}, factor_[CODES], arguments_[CODES + 8] = {}, results_[CODES + 8];
    u32 stamp_[CODES] = {}, now_ = 0;
    u32 levels_[CODES] = {};
};

// ---- NMCS (Rosin 2011, Figure 1) ----

class Nmcs {
  public:
    explicit Nmcs(int level) : level_(level), states_(level + 1), lines_(level + 1) {}
    int run(u64 key) {
        playouts = 0;
        states_[level_] = root;
        return search(level_, key, 0);
    }
    long playouts = 0;

  private:
    struct Line {
        u16 moves[MOST_PLIES];
        int length;
    };

    int search(int level, u64 key, int ply) {
        if (level == 0) return playout(states_[0], ply);
        if (level == 1) stream_ = Stream(key);
        State& s = states_[level];
        Line& best_line = lines_[level];
        int best = -1;
        for (u64 calls = 0; s.n > 0; ++ply) {
            const int n = s.n;
            for (int i = 0; i < n; ++i) {
                const u16 move = s.legal[i];
                states_[level - 1] = s;
                states_[level - 1].play(move);
                const int result = search(level - 1, mix(key, calls++), ply + 1);
                if (result > best) {
                    best = result;
                    const Line& found = lines_[level - 1];
                    best_line.moves[ply] = move;
                    std::copy(found.moves + ply + 1, found.moves + found.length, best_line.moves + ply + 1);
                    best_line.length = found.length;
                }
            }
            s.play(best_line.moves[ply]);
        }
        best_line.length = s.played;
        return s.played;
    }

    int playout(State& s, int ply) {
        Line& line = lines_[0];
        while (s.n > 0) {
            const u16 move = s.legal[stream_.below(s.n)];
            line.moves[ply++] = move;
            s.play(move);
        }
        line.length = ply;
        ++playouts;
        return s.played;
    }

    int level_;
    std::vector<State> states_;
    std::vector<Line> lines_;
    Stream stream_{0};
};

template <class Search>
void report(Search& search, u64 first, int runs) {
    for (u64 seed = first; seed < first + static_cast<u64>(runs); ++seed) {
        const auto began = std::chrono::steady_clock::now();
        const int score = search.run(search_key(seed));
        const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - began;
        std::printf("%llu %d %ld %.6f\n", static_cast<unsigned long long>(seed), score, search.playouts, seconds.count());
    }
}

}  // namespace

int main(int argc, char** argv) {
    const std::vector<std::string> words(argv + 1, argv + argc);
    const auto number = [&](size_t i) { return std::atoi(words[i].c_str()); };
    if (words.size() < 5) return 2;
    reach = words[1] == "5T" ? LENGTH - 2 : LENGTH - 1;
    root.start();
    if (words[0] == "nrpa" && words.size() == 6) {
        static Nrpa search(number(2), number(3));
        report(search, static_cast<u64>(number(4)), number(5));
    } else if (words[0] == "nmcs") {
        static Nmcs search(number(2));
        report(search, static_cast<u64>(number(3)), number(4));
    } else {
        return 2;
    }
    return 0;
}
