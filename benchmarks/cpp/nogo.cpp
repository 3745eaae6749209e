// NoGo on 8 x 8 points in plain C++: a baseline that benchmarks/games.py compares Rookery with.
//
//   nogo flat|uct|ppa N FIRST_SEED RUNS
//
// The same moves in the same order and the same random stream as the library: see game_uct.hpp for what is printed.
// Build: g++ -O3 -march=native -ffp-contract=off -std=c++17 nogo.cpp -o nogo

#include "stones.hpp"

namespace {

using namespace twin;

struct NoGo : Stones {
    static constexpr int MOVES = POINTS, LENGTH = POINTS, CODES = POINTS;

    static NoGo start() { return {}; }

    int player() const { return turn; }
    int winner() const { return 1 - turn; }
    bool over() const { return legal() == 0; }
    u64 key() const { return hash(); }
    int code(int move) const { return move; }

    // No suicide, and beside no enemy chain with one liberty.
    u64 legal() const {
        const u64 own = stones[turn], enemy = stones[1 - turn];
        return empty() & beside(~((own & atari) | enemy)) & ~beside(enemy & atari);
    }

    template <class Visit>
    int each_code(Visit&& visit) const {
        int n = 0;
        for (u64 m = legal(); m; m &= m - 1) visit(n++, lowest(m));
        return n;
    }

    int moves(u16* out) const {
        return each_code([&](int k, int code) { out[k] = static_cast<u16>(code); });
    }

    void play(int move) {
        put(move);
        turn = 1 - turn;
    }

    void play_code(int code) { play(code); }

    int playout(Stream& stream) {
        while (const u64 m = legal()) play(lowest(nth_bit(m, stream.below(ones(m)))));
        return winner();
    }
};

}  // namespace

int main(int argc, char** argv) { return twin::main<NoGo>(argc, argv); }
