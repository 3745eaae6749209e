// Breakthrough on 8 x 8 squares in plain C++: a baseline that benchmarks/games.py compares Rookery with.
//
//   breakthrough flat|uct|ppa N FIRST_SEED RUNS
//
// The same moves in the same order and the same random stream as the library: see game_uct.hpp for what is printed.
// Build: g++ -O3 -march=native -ffp-contract=off -std=c++17 breakthrough.cpp -o breakthrough

#include "game_uct.hpp"

namespace {

using namespace twin;

constexpr u64 WEST = 0x0101010101010101u, EAST = WEST << 7, TOP = u64{0xFF} << 56, BOTTOM = 0xFF;
constexpr u64 START = 0xFFFF;

// Squares of the pieces that can move left, straight and right; player 0 moves up.
struct Ways {
    u64 way[3];
};

template <int PLAYER>
inline Ways ways(u64 own, u64 other) {
    const u64 free = ~own, empty = ~(own | other);
    if constexpr (PLAYER == 0) {
        return {{own & ~WEST & (free >> 7), own & (empty >> 8), own & ~EAST & (free >> 9)}};
    } else {
        return {{own & ~WEST & (free << 9), own & (empty << 8), own & ~EAST & (free << 7)}};
    }
}

struct Breakthrough {
    static constexpr int CELLS = 64, MOVES = 48, LENGTH = 177, CODES = CELLS * 3;

    u64 side[2];
    int turn, won;

    static Breakthrough start() { return {{START, START << 48}, 0, -1}; }

    int player() const { return turn; }
    int winner() const { return won; }
    bool over() const { return won >= 0; }
    int code(int move) const { return move - turn * CODES; }

    u64 key() const { return mixed(side[0], side[1], turn); }

    Ways own_ways() const { return turn == 0 ? ways<0>(side[0], side[1]) : ways<1>(side[1], side[0]); }

    template <class Visit>
    int each_code(Visit&& visit) const {
        if (over()) return 0;
        const Ways w = own_ways();
        int n = 0;
        for (int d = 0; d < 3; ++d) {
            for (u64 m = w.way[d]; m; m &= m - 1) visit(n++, lowest(m) * 3 + d);
        }
        return n;
    }

    int moves(u16* out) const {
        return each_code([&](int k, int code) { out[k] = static_cast<u16>(turn * CODES + code); });
    }

    void play(int move) { play_code(code(move)); }

    void play_code(int code) {
        const int d = code % 3, from = code / 3;
        const int to = turn == 0 ? from + 7 + d : from - 9 + d;
        const u64 target = u64{1} << to;
        side[turn] ^= (u64{1} << from) | target;
        side[1 - turn] &= ~target;
        if ((target & (turn == 0 ? TOP : BOTTOM)) || side[1 - turn] == 0) won = turn;
        turn = 1 - turn;
    }

    static u64 count(u64 x) { return static_cast<u32>(ones(x)); }

    // One move at random; whether it wins.
    template <int PLAYER>
    static bool step(u64& own, u64& other, Stream& stream) {
        const Ways w = ways<PLAYER>(own, other);
        const u64 a = count(w.way[0]), b = a + count(w.way[1]), all = b + count(w.way[2]);
        const u64 r = ((stream.next() >> 32) * all) >> 32;
        // Written so that no branch depends on what was drawn: none could be foreseen.
        u64 m = w.way[0], before = 0, d = 0;
        if (r >= a) m = w.way[1], before = a, d = 1;
        if (r >= b) m = w.way[2], before = b, d = 2;
        const u64 from = nth_bit(m, static_cast<int>(r - before));
        const u64 target = PLAYER == 0 ? from << (7 + d) : from >> (9 - d);
        own ^= from | target;
        other &= ~target;
        return ((target & (PLAYER == 0 ? TOP : BOTTOM)) != 0) | (other == 0);
    }

    int playout(Stream& stream) {
        if (over()) return won;
        u64 a = side[0], b = side[1];
        int winner = 1;
        if (turn == 0 || !step<1>(b, a, stream)) {
            while (true) {
                if (step<0>(a, b, stream)) {
                    winner = 0;
                    break;
                }
                if (step<1>(b, a, stream)) break;
            }
        }
        return winner;
    }
};

}  // namespace

int main(int argc, char** argv) { return twin::main<Breakthrough>(argc, argv); }
