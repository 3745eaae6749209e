// Sudoku of 16 x 16 cells in plain C++: the baseline that benchmarks/sudoku.py compares Rookery with.
//
//   sudoku FILE LEVEL FIRST_SEED RUNS
//
// FILE: 256 values between blanks, 0 for an empty cell. Each run is one NMCS from the givens and prints "seed score
// playouts seconds". The same algorithm, data structures and random stream as the library, fused and specialised by
// hand for this one puzzle, without intrinsics: the loops over a row and over all ranks are left to the compiler.
// Build: g++ -O3 -march=native -ffp-contract=off -std=c++17 sudoku.cpp -o sudoku

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <vector>

#include "stream.hpp"

namespace {

using u16 = uint16_t;
using u32 = uint32_t;
using u64 = uint64_t;

constexpr int BOX = 4, SIZE = BOX * BOX, CELLS = SIZE * SIZE, CELL_BITS = 10;
constexpr u16 DONE = 0xFFFF;

struct State {
    u16 rank[CELLS];    // values left, then the number of the cell; DONE: it has its value
    u16 domain[CELLS];  // values left, as bits
    int cell, n, assigned;
    u32 left;

    void strike(int c, int value) {
        rank[c] = static_cast<u16>(rank[c] - ((domain[c] >> value & 1) << CELL_BITS));
        domain[c] = static_cast<u16>(domain[c] & ~(1u << value));
    }
    void assign(int c, int value) {
        const int row = c / SIZE, column = c % SIZE;
        domain[c] = 0;
        rank[c] = DONE;
        for (int k = 0; k < SIZE; ++k) strike(row * SIZE + k, value);
        for (int k = 0; k < SIZE; ++k) strike(k * SIZE + column, value);
        const int corner = (row - row % BOX) * SIZE + column - column % BOX;
        for (int j = 0; j < BOX; ++j) {
            for (int k = 0; k < BOX; ++k) strike(corner + j * SIZE + k, value);
        }
        ++assigned;
    }
    void next() {
        u16 least = DONE;
        for (int c = 0; c < CELLS; ++c) least = std::min(least, rank[c]);
        n = 0;
        if (least == DONE) return;
        n = least >> CELL_BITS;
        cell = least & ((1 << CELL_BITS) - 1);
        left = domain[cell];
    }
    int nth(int i) const {
        u32 bits = left;
        for (; i > 0; --i) bits &= bits - 1;
        return cell * SIZE + __builtin_ctz(bits);
    }
    void play(int move) {
        assign(move / SIZE, move % SIZE);
        next();
    }
    void start(const std::vector<int>& givens) {
        *this = State{};
        for (int c = 0; c < CELLS; ++c) {
            domain[c] = 0xFFFF;
            rank[c] = static_cast<u16>((SIZE << CELL_BITS) + c);
        }
        for (int c = 0; c < CELLS; ++c) {
            if (givens[c]) assign(c, givens[c] - 1);
        }
        next();
    }
};

State root;

// ---- NMCS (Cazenave 2009, section 3): the best sequence is kept, the first of equal moves wins ----

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
        u16 moves[CELLS];
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
                const int move = s.nth(i);
                states_[level - 1] = s;
                states_[level - 1].play(move);
                const int result = search(level - 1, mix(key, calls++), ply + 1);
                if (result > best) {
                    best = result;
                    const Line& found = lines_[level - 1];
                    best_line.moves[ply] = static_cast<u16>(move);
                    std::copy(found.moves + ply + 1, found.moves + found.length, best_line.moves + ply + 1);
                    best_line.length = found.length;
                }
            }
            if (ply >= best_line.length) break;
            s.play(best_line.moves[ply]);
        }
        best_line.length = ply;
        return s.assigned;
    }

    int playout(State& s, int ply) {
        Line& line = lines_[0];
        while (s.n > 0) {
            const int move = s.nth(stream_.below(s.n));
            line.moves[ply++] = static_cast<u16>(move);
            s.play(move);
        }
        line.length = ply;
        ++playouts;
        return s.assigned;
    }

    int level_;
    std::vector<State> states_;
    std::vector<Line> lines_;
    Stream stream_{0};
};

}  // namespace

int main(int argc, char** argv) {
    if (argc != 5) return 2;
    std::ifstream file(argv[1]);
    std::vector<int> givens(CELLS);
    for (int& value : givens) {
        if (!(file >> value)) return 2;
    }
    root.start(givens);
    static Nmcs search(std::atoi(argv[2]));
    const u64 first = static_cast<u64>(std::atoi(argv[3]));
    for (u64 seed = first; seed < first + static_cast<u64>(std::atoi(argv[4])); ++seed) {
        const auto began = std::chrono::steady_clock::now();
        const int score = search.run(search_key(seed));
        const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - began;
        std::printf("%llu %d %ld %.6f\n", static_cast<unsigned long long>(seed), score, search.playouts, seconds.count());
    }
    return 0;
}
