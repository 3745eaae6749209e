// The travelling salesman problem in plain C++: the baseline that benchmarks/speed.py compares Rookery with.
//
//   tsp FILE LEVEL N FIRST_SEED RUNS
//
// FILE: int64 n, then n * n float64 distances. Each run prints "seed score playouts seconds". The same
// algorithm, data structures and random stream as the library, fused and specialised by hand for this one
// problem, without intrinsics. (tsp_simd.cpp shows how far hand-written vector code goes.)
// Build: g++ -O3 -march=native -ffp-contract=off -std=c++17 tsp.cpp -o tsp

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <utility>
#include <vector>

#include "stream.hpp"

namespace {

using u32 = uint32_t;
using u64 = uint64_t;

int cities;
std::vector<double> distance;

struct Trace {
    std::vector<u32> codes, touched;
    std::vector<int> ends, chosen;
    std::vector<double> totals;
    double score = 0.0;
    int distinct = 0;

    Trace() : codes(cities * cities / 2 + cities), touched(codes.size()), ends(cities), chosen(cities), totals(cities) {}
};

struct Log {
    std::vector<u32> code = std::vector<u32>(cities * cities + 1);
    std::vector<double> weight = std::vector<double>(code.size()), factor = std::vector<double>(code.size());
    int size = 0;
};

// NRPA (Rosin 2011, Figure 2): one policy, changes logged per level and undone.
class Nrpa {
  public:
    Nrpa(int level, int iterations)
        : level_(level), iterations_(iterations), codes_(cities * cities), trace_(level + 1), log_(level + 1),
          weight_(codes_), factor_(codes_, 1.0), arguments_(codes_ + 8), results_(codes_ + 8), stamp_(codes_),
          levels_(codes_), todo_(cities), sums_(cities) {
        for (int i = 0; i <= level; ++i) row_.push_back(i);
    }
    double run(u64 key) {
        playouts = 0;
        return search(level_, key);
    }
    long playouts = 0;

  private:
    double search(int level, u64 key) {
        if (level == 0) return playout(trace_[row_[0]]);
        if (level == 1) stream_ = Stream(key);
        double best = -std::numeric_limits<double>::infinity();
        for (int i = 0; i < iterations_; ++i) {
            const double result = search(level - 1, mix(key, static_cast<u64>(i)));
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

    double playout(Trace& trace) {
        int left = cities - 1, here = 0, end = 0;
        for (int i = 0; i < left; ++i) todo_[i] = static_cast<int16_t>(i + 1);
        double length = 0.0;
        for (int ply = 0; left > 0; ++ply) {
            u32* const codes = trace.codes.data() + end;
            double total = 0.0;
            for (int k = 0; k < left; ++k) {
                codes[k] = static_cast<u32>(here * cities + todo_[k]);
                total += factor_[codes[k]];
                sums_[k] = total;
            }
            const double limit = stream_.uniform() * total;
            int index = 0;
            for (int k = 0; k < left; ++k) index += sums_[k] <= limit;
            index = std::min(index, left - 1);
            trace.chosen[ply] = end + index;
            trace.totals[ply] = total;
            end += left;
            trace.ends[ply] = end;
            const int city = todo_[index];
            length += distance[here * cities + city];
            here = city;
            todo_[index] = todo_[--left];
        }
        ++playouts;
        return trace.score = -(length + distance[here * cities]);
    }

    // fresh: the trace was played by the current policy, so its sums still hold.
    void adapt(Trace& trace, int level, bool changed, bool fresh) {
        const int plies = cities - 1, size = trace.ends[plies - 1];
        const u32* const codes = trace.codes.data();
        if (changed) {
            ++now_;
            int n = 0;
            for (int k = 0; k < size; ++k) {
                const u32 c = codes[k];
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
            const u32 c = trace.touched[i];
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
        exponentials(arguments_.data(), results_.data(), trace.distinct);
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

    int level_, iterations_, codes_;
    std::vector<Trace> trace_;
    std::vector<Log> log_;
    std::vector<int> row_;
    Stream stream_{0};
    std::vector<double> weight_, factor_, arguments_, results_;
    std::vector<u32> stamp_, levels_;
    u32 now_ = 0;
    std::vector<int16_t> todo_;
    std::vector<double> sums_;
};

}  // namespace

int main(int argc, char** argv) {
    if (argc != 6) return 2;
    std::FILE* const file = std::fopen(argv[1], "rb");
    int64_t n = 0;
    if (!file || std::fread(&n, 8, 1, file) != 1) return 2;
    cities = static_cast<int>(n);
    distance.resize(static_cast<size_t>(n * n));
    if (std::fread(distance.data(), 8, distance.size(), file) != distance.size()) return 2;
    Nrpa search(std::atoi(argv[2]), std::atoi(argv[3]));
    const u64 first = static_cast<u64>(std::atoi(argv[4]));
    for (u64 seed = first; seed < first + static_cast<u64>(std::atoi(argv[5])); ++seed) {
        const auto began = std::chrono::steady_clock::now();
        const double score = search.run(search_key(seed));
        const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - began;
        const auto number = static_cast<unsigned long long>(seed);
        std::printf("%llu %.17g %ld %.6f\n", number, score, search.playouts, seconds.count());
    }
    return 0;
}
