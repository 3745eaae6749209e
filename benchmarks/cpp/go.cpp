// Go on 8 x 8 points in plain C++: a baseline that benchmarks/games.py compares Rookery with.
//
//   go flat|uct|ppa N FIRST_SEED RUNS
//
// Area scoring, komi 7.5, simple ko, no suicide; playouts do not fill own eyes and pass when there is nothing else. The
// same moves in the same order and the same random stream as the library: see game_uct.hpp for what is printed.
// Build: g++ -O3 -march=native -ffp-contract=off -std=c++17 go.cpp -o go

#include "stones.hpp"

namespace {

using namespace twin;

struct Go : Stones {
    static constexpr int MOVES = POINTS + 1, LENGTH = 3 * POINTS, CODES = POINTS + 1, PASS = POINTS;
    static constexpr double KOMI = 7.5;
    static constexpr u64 RIM = FIRST_COLUMN | LAST_COLUMN | 0xFF | u64{0xFF} << 56;

    u64 ko = 0;  // the point that may not be played
    int passes = 0, played = 0;

    static Go start() { return {}; }

    int player() const { return turn; }
    bool over() const { return passes >= 2 || played >= LENGTH; }
    int code(int move) const { return move; }
    u64 key() const { return mixed(hash() ^ ko, static_cast<u64>(passes), 0); }

    int winner() const {
        const double score = area(0) - area(1) - KOMI;
        return score == 0.0 ? -1 : score < 0.0;
    }

    // The empty points that stones of a colour lead to.
    u64 reach(int colour) const {
        const u64 open = empty();
        u64 found = beside(stones[colour]) & open;
        for (u64 before = 0; found != before;) {
            before = found;
            found |= beside(found) & open;
        }
        return found;
    }

    int area(int colour) const { return ones(stones[colour] | (reach(colour) & ~reach(1 - colour))); }

    u64 legal() const {
        const u64 own = stones[turn] & atari, enemy = stones[1 - turn] & ~atari;
        return beside(~(own | enemy)) & empty() & ~ko;
    }

    // Empty points with own stones beside them and not more than one enemy diagonally, none at the edge.
    u64 eyes_among(u64 points) const {
        const u64 eyes = points & ~beside(~stones[turn]);
        if (eyes == 0) return 0;
        const u64 x = stones[1 - turn];
        const u64 a = (x << 9) & ~FIRST_COLUMN, b = (x << 7) & ~LAST_COLUMN;
        const u64 c = (x >> 7) & ~FIRST_COLUMN, d = (x >> 9) & ~LAST_COLUMN;
        const u64 two = (a & b) | (c & d) | ((a | b) & (c | d));
        return eyes & ~(two | ((a | b | c | d) & RIM));
    }

    u64 playout_points() const {
        const u64 points = legal();
        return points & ~eyes_among(points);
    }

    int moves(u16* out) const {
        if (over()) return 0;
        int n = 0;
        for (u64 m = legal(); m; m &= m - 1) out[n++] = static_cast<u16>(lowest(m));
        out[n++] = PASS;
        return n;
    }

    template <class Visit>
    int each_code(Visit&& visit) const {
        if (over()) return 0;
        int n = 0;
        for (u64 m = playout_points(); m; m &= m - 1) visit(n++, lowest(m));
        if (n == 0) visit(n++, PASS);
        return n;
    }

    void play(int move) {
        ++played;
        ko = 0;
        if (move == PASS) {
            ++passes;
        } else {
            passes = 0;
            const u64 taken = put(move);
            if (taken) {
                take_off(taken, 1 - turn);
                if ((taken & (taken - 1)) == 0) note_ko(move, taken);
            }
        }
        turn = 1 - turn;
    }

    // A single stone has captured a single one: it may not be taken back if it has no other liberty.
    void note_ko(int move, u64 taken) {
        const Chain& own = chain[head[move]];
        if (own.stones == u64{1} << move && own.liberties == taken) ko = taken;
    }

    void play_code(int code) { play(code); }

    int playout(Stream& stream) {
        while (!over()) {
            const u64 m = playout_points();
            play(m ? lowest(nth_bit(m, stream.below(ones(m)))) : PASS);
        }
        return winner();
    }
};

}  // namespace

int main(int argc, char** argv) { return twin::main<Go>(argc, argv); }
