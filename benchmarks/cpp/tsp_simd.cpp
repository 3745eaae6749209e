// Travelling salesman: NRPA (Rosin 2011) on a distance matrix.
//
//   tsp FILE LEVEL N FIRST_SEED RUNS
//
// FILE holds int64 n, then n * n float64 distances, row by row. Each run prints
// "seed score playouts seconds"; the score is minus the length of the best tour.
// Build (x86-64 with AVX2): g++ -O3 -march=native -ffp-contract=off -std=c++17 tsp_simd.cpp -o tsp_simd

#include <immintrin.h>
#include <sys/mman.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "stream.hpp"

namespace {

using u16 = uint16_t;

// Sums run over groups of four cities; lists end with as many pads.
constexpr int GROUP = 4;

struct Trace {
    double score;
    std::vector<u16> chosen;   // the cities in the order of the tour, without the first
    std::vector<u16> index;    // of each in the list of cities to visit
    std::vector<double> step;  // 1 / sum of the weights, under the policy of the playout
};

class Nrpa {
  public:
    Nrpa(int cities, std::vector<double> distance, int levels, int iterations)
        : n_(cities), columns_((cities + 7) / 8 * 8), stride_(columns_ + 8), pad_(columns_),
          iterations_(iterations), distance_(std::move(distance)), policy_(levels + 1), trace_(levels + 1),
          todo_(GROUP), sums_(stride_),
          touched_(GROUP * stride_), result_(GROUP * stride_) {
        for (Policy& policy : policy_) {
            policy.weight = allocate(size());
            policy.exp = allocate(size());
            reset(policy);
        }
        for (Trace& trace : trace_) {
            trace.chosen.resize(n_ - 1);
            trace.index.resize(n_ - 1);
            trace.step.resize(n_ - 1);
        }
        for (std::vector<u16>& todo : todo_) todo.resize(stride_);
    }

    double run(uint64_t key) {
        const int top = static_cast<int>(policy_.size()) - 1;
        reset(policy_[top]);
        playouts = 0;
        search(top, key);
        return trace_[top].score;
    }

    long playouts = 0;

  private:
    // On large pages when there are some: tables of megabytes are read in no order.
    struct Free {
        void operator()(double* p) const { std::free(p); }
    };
    using Table = std::unique_ptr<double[], Free>;
    static Table allocate(size_t n) {
        constexpr size_t PAGE = size_t{1} << 21;
        const size_t bytes = (n * sizeof(double) + PAGE - 1) / PAGE * PAGE;
        void* const memory = std::aligned_alloc(PAGE, bytes);
        if (!memory) std::abort();
        madvise(memory, bytes, MADV_HUGEPAGE);
        return Table(static_cast<double*>(memory));
    }

    // One row a city: weights of the moves from it, then a column of pads that weigh nothing.
    struct Policy {
        Table weight, exp;
    };

    size_t size() const { return static_cast<size_t>(n_) * stride_; }
    size_t row(int city) const { return static_cast<size_t>(city) * stride_; }

    void reset(Policy& policy) {
        std::fill_n(policy.weight.get(), size(), 0.0);
        std::fill_n(policy.exp.get(), size(), 1.0);
        for (int city = 0; city < n_; ++city) policy.exp[row(city) + pad_] = 0.0;
    }

    // All cities but the first, followed by pads.
    void list_cities(std::vector<u16>& todo) const {
        std::iota(todo.begin(), todo.begin() + n_ - 1, u16{1});
        std::fill(todo.begin() + n_ - 1, todo.end(), static_cast<u16>(pad_));
    }

    void playout(const Policy& policy, Trace& trace, Stream& outer) {
        Stream stream = outer;
        list_cities(todo_[0]);
        u16* const todo = todo_[0].data();
        double* const sums = sums_.data();
        double length = 0.0;
        int here = 0;
        for (int m = n_ - 1, ply = 0; m > 0; --m, ++ply) {
            const double* const weight = policy.exp.get() + row(here);
            double total = 0.0;
            for (int k = 0; k < m; k += GROUP) {
                const double a = total + weight[todo[k]], b = a + weight[todo[k + 1]];
                const double c = b + weight[todo[k + 2]], d = c + weight[todo[k + 3]];
                _mm256_storeu_pd(sums + k, _mm256_setr_pd(a, b, c, d));
                total = d;
            }
            const __m256d r = _mm256_set1_pd(stream.uniform() * total);
            int count = 0;
            for (int k = 0; k < m; k += GROUP) {
                const __m256d passed = _mm256_cmp_pd(_mm256_loadu_pd(sums + k), r, _CMP_LE_OQ);
                count += __builtin_popcount(static_cast<unsigned>(_mm256_movemask_pd(passed)));
            }
            const int index = std::min(count, m - 1), city = todo[index];
            trace.index[ply] = static_cast<u16>(index);
            trace.chosen[ply] = static_cast<u16>(city);
            trace.step[ply] = 1.0 / total;
            length += distance_[static_cast<size_t>(here) * n_ + city];
            todo[index] = todo[m - 1];
            todo[m - 1] = static_cast<u16>(pad_);
            here = city;
        }
        trace.score = -(length + distance_[static_cast<size_t>(here) * n_]);
        ++playouts;
        outer = stream;
    }

    // Four plies at a time, so that their chains of additions run side by side and the exponentials
    // come in long batches. A row is left once in a tour: each weight changes at most once, and the
    // plies do not depend on each other.
    // fresh: the trace was played with this very policy, so its sums still hold.
    void adapt(Policy& policy, Trace& trace, bool fresh) {
        list_cities(todo_[0]);
        for (int first = 0; first < n_ - 1; first += GROUP) {
            const int m = n_ - 1 - first, plies = std::min(GROUP, m);
            double *weight[GROUP], *exp[GROUP];
            for (int j = 0; j < GROUP; ++j) {
                if (j > 0) next_todo(trace, first + j, todo_[j - 1], todo_[j]);
                const int ply = first + std::min(j, plies - 1), here = ply == 0 ? 0 : trace.chosen[ply - 1];
                weight[j] = policy.weight.get() + row(here);
                exp[j] = policy.exp.get() + row(here);
            }
            double* const step = trace.step.data() + first;
            if (!fresh) {
                const u16 *t0 = todo_[0].data(), *t1 = todo_[1].data(), *t2 = todo_[2].data(), *t3 = todo_[3].data();
                double z0 = 0.0, z1 = 0.0, z2 = 0.0, z3 = 0.0;
                for (int k = 0; k < m; ++k) {
                    z0 += exp[0][t0[k]];
                    z1 += exp[1][t1[k]];
                    z2 += exp[2][t2[k]];
                    z3 += exp[3][t3[k]];
                }
                const double z[GROUP] = {z0, z1, z2, z3};
                for (int j = 0; j < plies; ++j) step[j] = 1.0 / z[j];
            }
            int touched = 0;
            for (int j = 0; j < plies; ++j) {
                weight[j][trace.chosen[first + j]] += 1.0;
                update(weight[j], exp[j], step[j], todo_[j].data(), m - j, touched_.data() + touched);
                touched += m - j;
            }
            exponentials(touched_.data(), result_.data(), touched);
            touched = 0;
            for (int j = 0; j < plies; ++j) {
                for (int k = 0; k < m - j; ++k) exp[j][todo_[j][k]] = result_[touched + k];
                touched += m - j;
            }
            next_todo(trace, first + GROUP, todo_[GROUP - 1], todo_[0]);
        }
    }

    static void update(double* __restrict weight, const double* __restrict exp, double step,
                       const u16* __restrict todo, int m, double* __restrict touched) {
        for (int k = 0; k < m; ++k) {
            const int city = todo[k];
            const double w = weight[city] - step * exp[city];
            weight[city] = w;
            touched[k] = w;
        }
    }

    // The list at a ply from that at the ply before.
    void next_todo(const Trace& trace, int ply, const std::vector<u16>& from, std::vector<u16>& to) const {
        const int m = n_ - 1 - ply;  // its length
        if (m < 0) return;
        std::copy_n(from.begin(), m + 1 + GROUP, to.begin());
        to[trace.index[ply - 1]] = to[m];
        to[m] = static_cast<u16>(pad_);
    }

    void search(int level, uint64_t key) {
        Policy& policy = policy_[level];
        Trace &best = trace_[level], &trace = trace_[level - 1];
        Stream stream(key);
        best.score = -std::numeric_limits<double>::infinity();
        for (int i = 0; i < iterations_; ++i) {
            if (level == 1) {
                playout(policy, trace, stream);
            } else {
                Policy& inner = policy_[level - 1];
                std::copy_n(policy.weight.get(), size(), inner.weight.get());
                std::copy_n(policy.exp.get(), size(), inner.exp.get());
                search(level - 1, mix(key, static_cast<uint64_t>(i)));
            }
            const bool better = trace.score >= best.score;
            if (better) std::swap(best, trace);
            if (i + 1 < iterations_) adapt(policy, best, better && level == 1);
        }
    }

    int n_, columns_, stride_, pad_, iterations_;
    std::vector<double> distance_;
    std::vector<Policy> policy_;  // by level
    std::vector<Trace> trace_;    // the best of each level; [0] is the playout
    std::vector<std::vector<u16>> todo_;
    std::vector<double> sums_, touched_, result_;
};

}  // namespace

int main(int argc, char** argv) {
    const auto number = [&](int i) { return std::strtoull(argv[i], nullptr, 10); };
    if (argc != 6 || number(2) == 0) {
        std::fprintf(stderr, "usage: tsp FILE LEVEL N FIRST_SEED RUNS\n");
        return 2;
    }
    std::ifstream file(argv[1], std::ios::binary);
    int64_t n = 0;
    file.read(reinterpret_cast<char*>(&n), sizeof n);
    if (!file || n < 2 || n > 60000) {
        std::fprintf(stderr, "tsp: cannot read %s\n", argv[1]);
        return 1;
    }
    std::vector<double> distance(static_cast<size_t>(n) * static_cast<size_t>(n));
    file.read(reinterpret_cast<char*>(distance.data()), static_cast<std::streamsize>(distance.size() * sizeof(double)));
    if (!file) {
        std::fprintf(stderr, "tsp: %s is too short\n", argv[1]);
        return 1;
    }
    Nrpa search(static_cast<int>(n), std::move(distance), static_cast<int>(number(2)), static_cast<int>(number(3)));
    for (uint64_t seed = number(4), end = seed + number(5); seed < end; ++seed) {
        const auto start = std::chrono::steady_clock::now();
        const double score = search.run(search_key(seed));
        const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
        std::printf("%llu %.17g %ld %.6f\n", static_cast<unsigned long long>(seed), score, search.playouts, time.count());
        std::fflush(stdout);
    }
    return 0;
}
