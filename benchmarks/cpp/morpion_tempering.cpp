// Morpion Solitaire 5T and 5D by tempering in plain C++: the baseline that benchmarks/tempering.py compares Rookery with.
//
//   morpion_tempering 5T ROUNDS FIRST_SEED RUNS
//
// A round is 2,000 proposals. Each run prints "seed score proposals seconds", the seconds of this process alone. The
// same algorithm and random stream as the library, specialised by hand for this one puzzle, without intrinsics.
// Build: g++ -O3 -march=native -ffp-contract=off -std=c++17 morpion_tempering.cpp -o morpion_tempering

#include <cstdlib>
#include <string>

#include "loose.hpp"
#include "morpion_board.hpp"

namespace {

struct Puzzle : morpion::State {
    static constexpr int MOVES = morpion::CODES, LENGTH = morpion::MOST_PLIES, MOST_LEGAL = morpion::MOST_LEGAL;

    int count() const { return n; }
    int move(int i) const { return legal[i]; }
    double score() const { return played; }
    int makes(int move) const {
        int cell = move >> 2;
        while (dot(cell)) cell += morpion::STEP[move & 3];
        return cell;
    }
    int needs(int move, int i) const { return i < morpion::LENGTH ? (move >> 2) + i * morpion::STEP[move & 3] : -1; }
    int makers(int thing, int* out) const {
        int found = 0;
        for (int d = 0; d < 4; ++d) {
            for (int k = 0; k < morpion::LENGTH; ++k) {
                const int l = 4 * (thing - k * morpion::STEP[d]) + d;
                if ((line[l] & 7) == morpion::LENGTH) out[found++] = l;
            }
        }
        return found;
    }
    bool clash(int a, int b) const {
        const int step = 4 * morpion::STEP[a & 3];
        if (std::abs(b - a) > morpion::reach * std::abs(step)) return false;
        for (int j = -morpion::reach; j <= morpion::reach; ++j) {
            if (b - a == j * step) return true;
        }
        return false;
    }
};

}  // namespace

int main(int argc, char** argv) {
    if (argc != 5) return 2;
    morpion::reach = std::string(argv[1]) == "5T" ? morpion::LENGTH - 2 : morpion::LENGTH - 1;
    Puzzle root;
    root.start();
    twin::report<twin::Loose<Puzzle>>(root, std::atoi(argv[2]), std::strtoull(argv[3], nullptr, 10), std::atoi(argv[4]), 1.0);
    return 0;
}
