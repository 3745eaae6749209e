// Morpion Solitaire 5T and 5D by tempering in plain C++: the baseline that benchmarks/tempering.py compares Rookery with.
//
//   morpion_tempering 5T ROUNDS FIRST_SEED RUNS
//
// A round is 2,000 proposals. Each run prints "seed score proposals seconds", the seconds of this process alone. The
// same algorithm and random stream as the library, specialised by hand for this one puzzle, without intrinsics.
// Build: g++ -O3 -march=native -ffp-contract=off -std=c++17 morpion_tempering.cpp -o morpion_tempering

#include <cstdlib>
#include <string>

#include "morpion_board.hpp"
#include "tempering.hpp"

namespace {

struct Puzzle : morpion::State {
    static constexpr int MOVES = morpion::CODES, CODES = morpion::CODES, LENGTH = morpion::MOST_PLIES;
    static constexpr int MOST_LEGAL = morpion::MOST_LEGAL, STRIDE = 16;
    static constexpr bool BIASED = false, LINKED = true;

    int count() const { return n; }
    int move(int i) const { return legal_moves()[i]; }
    bool legal(int move) const { return line[move] >= morpion::LEGAL; }
    int index(int move) const { return line[move] - morpion::LEGAL; }
    double score() const { return played; }
    double factor(int) const { return 1.0; }
    int makes(int move) const {
        int cell = move >> 2;
        while (dot(cell)) cell += morpion::STEP[move & 3];
        return cell;
    }
    int needs(int move, int i) const { return i < morpion::LENGTH ? (move >> 2) + i * morpion::STEP[move & 3] : -1; }
    int last() const { return 0; }
    static int code(int, int move) { return move; }

  private:
    const morpion::u16* legal_moves() const { return morpion::State::legal; }
};

}  // namespace

int main(int argc, char** argv) {
    if (argc != 5) return 2;
    morpion::reach = std::string(argv[1]) == "5T" ? morpion::LENGTH - 2 : morpion::LENGTH - 1;
    Puzzle root;
    root.start();
    twin::report(root, std::atoi(argv[2]), std::strtoull(argv[3], nullptr, 10), std::atoi(argv[4]), 1.0);
    return 0;
}
