// The TSP with time windows by tempering in plain C++: the baseline that benchmarks/tempering.py compares Rookery with.
//
//   tsptw_tempering FILE ROUNDS FIRST_SEED RUNS
//
// FILE: n, n rows of distances, n lines with a time window. A round is 2,000 proposals. Each run prints "seed score
// proposals seconds", the seconds of this process alone. The same algorithm and random stream as the library,
// specialised by hand for this one problem, without intrinsics.
// Build: g++ -O3 -march=native -ffp-contract=off -std=c++17 tsptw_tempering.cpp -o tsptw_tempering

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <fstream>

#include "edits.hpp"

namespace {

constexpr int MOST_CITIES = 64, VISITED = -1;
constexpr double PENALTY = 1e6, PULL = 10.0, SLACK = 1e-9;

int cities;
double distance[MOST_CITIES * MOST_CITIES], factors[MOST_CITIES * MOST_CITIES], ready[MOST_CITIES], due[MOST_CITIES];

struct Tour {
    static constexpr int MOVES = MOST_CITIES, CODES = MOST_CITIES * MOST_CITIES, LENGTH = MOST_CITIES;
    static constexpr int MOST_LEGAL = MOST_CITIES, STRIDE = 1;
    static constexpr bool BIASED = true;

    int here, left, late;
    double time, length;
    int16_t todo[MOST_CITIES], place[MOST_CITIES];

    void start() {
        *this = Tour{};
        left = cities - 1;
        place[0] = VISITED;
        for (int i = 0; i < left; ++i) {
            todo[i] = static_cast<int16_t>(i + 1);
            place[i + 1] = static_cast<int16_t>(i);
        }
    }
    int count() const { return left; }
    int move(int i) const { return todo[i]; }
    bool legal(int city) const { return place[city] != VISITED; }
    int index(int city) const { return place[city]; }
    int last() const { return here; }
    static int code(int last, int city) { return MOST_CITIES * last + city; }
    double factor(int city) const { return factors[code(here, city)]; }

    void play(int city) {
        const double way = distance[code(here, city)];
        time = std::max(time + way, ready[city]);
        late += time > due[city] + SLACK;
        length += way;
        here = city;
        const int16_t last = todo[--left];
        todo[place[city]] = last;
        place[last] = place[city];
        place[city] = VISITED;
    }
    double score() const {
        const double home = distance[code(here, 0)];
        return -(PENALTY * (late + (time + home > due[0] + SLACK)) + length + home);
    }
};

bool read(const char* name) {
    std::ifstream file(name);
    if (!(file >> cities) || cities < 2 || cities > MOST_CITIES) return false;
    double farthest = 1e-300;
    for (int a = 0; a < cities; ++a) {
        for (int b = 0; b < cities; ++b) {
            double& way = distance[Tour::code(a, b)];
            file >> way;
            farthest = std::max(farthest, way);
        }
    }
    for (int city = 0; city < cities; ++city) file >> ready[city] >> due[city];
    for (int i = 0; i < MOST_CITIES * MOST_CITIES; ++i) factors[i] = twin::exp_of(-PULL / farthest * distance[i]);
    return !file.fail();
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 5 || !read(argv[1])) return 2;
    Tour root;
    root.start();
    twin::report<twin::Edits<Tour>>(root, std::atoi(argv[2]), std::strtoull(argv[3], nullptr, 10), std::atoi(argv[4]), -1.0);
    return 0;
}
