// Crossword construction in plain C++: the baseline that benchmarks/crossword.py compares Rookery with.
//
//   crossword FILE LEVEL N FIRST_SEED RUNS
//
// FILE: width, height and the words, between blanks. Each run prints "seed score playouts seconds". The same
// algorithm, data structures and random stream as the library, fused and specialised by hand for this one problem:
// a grid of up to 30 x 30 cells, lines as 32-bit words, legal moves in one array of records.
// Build: g++ -O3 -march=native -ffp-contract=off -std=c++17 crossword.cpp -o crossword

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "stream.hpp"

namespace {

using u8 = uint8_t;
using u32 = uint32_t;
using u64 = uint64_t;

constexpr int LARGEST = 30, LINES = 64, MOST_LEGAL = 4096, MOST_WORDS = 256;

// ---- the words: for each letter, those that have it, and where ----

struct Having {
    u8 word, at, length;
};

int width, height, cells, codes_all;
std::vector<std::string> words;
std::vector<Having> having[26];

struct Legal {
    u32 code, mask;
    int line;
};

struct State {
    u32 occupied[LINES], barred[LINES];
    u8 letter[LARGEST * LARGEST];
    bool used[MOST_WORDS];
    int n, placed, letters;
    Legal legal[MOST_LEGAL];

    void start() {
        *this = State{};
        for (size_t w = 0; w < words.size(); ++w) {
            if (static_cast<int>(words[w].size()) > height) continue;
            for (int c = 0; c < width; ++c) legal[n++].code = static_cast<u32>((2 * static_cast<int>(w) + 1) * cells + c);
        }
    }

    // The used part of the list alone is copied.
    void copy(const State& other) {
        std::memcpy(this, &other, offsetof(State, legal) + sizeof(Legal) * static_cast<size_t>(other.n));
    }

    void play(u32 code) {
        const int place = static_cast<int>(code) / cells, cell = static_cast<int>(code) % cells;
        const int word = place / 2, row = cell / width, column = cell % width;
        const bool down = place & 1;
        const std::string& spelt = words[static_cast<size_t>(word)];
        const int length = static_cast<int>(spelt.size());
        const int along = down ? height + 3 + column : 1 + row, across = down ? 1 : height + 3;
        const int first = down ? row : column, at = down ? column : row, side = down ? width : 1;
        const u32 bit = 1u << (at + 1), span = ((1u << length) - 1) << (first + 1);
        const u32 around = span | span << 1 | span >> 1, fresh = span & ~occupied[along];
        u32 takes[LINES] = {};
        takes[along] = around;
        takes[along - 1] = takes[along + 1] = fresh;
        barred[along] |= around;
        barred[along - 1] |= fresh;
        barred[along + 1] |= fresh;
        occupied[along] |= span;
        for (int k = 0; k < length; ++k) {
            if (!(fresh >> (first + 1 + k) & 1)) continue;
            const int line = across + first + k;
            takes[line] = bit | bit << 1 | bit >> 1;
            occupied[line] |= bit;
            barred[line] &= ~bit;
            letter[cell + k * side] = static_cast<u8>(spelt[static_cast<size_t>(k)]);
        }
        for (const int line : {across + first - 1, across + first + length}) {
            takes[line] = bit;
            barred[line] |= bit;
        }
        int kept = 0;
        if (placed > 0) {
            const u32 low = static_cast<u32>(2 * word * cells), range = static_cast<u32>(2 * cells);
            for (int i = 0; i < n; ++i) {
                const Legal move = legal[i];
                legal[kept] = move;
                kept += !(move.mask & takes[move.line]) & (move.code - low >= range);
            }
        }
        n = kept;
        used[word] = true;
        ++placed;
        letters += length;
        for (int k = 0; k < length; ++k) {
            if (fresh >> (first + 1 + k) & 1) cross(spelt[static_cast<size_t>(k)], across + first + k, at, down);
        }
    }

    void cross(char with, int line, int at, bool down) {
        const u32 here = occupied[line], closed = barred[line];
        const int room = down ? width : height, side = down ? 1 : width;
        const int begin = down ? (line - 1) * width : line - height - 3, turned = !down;
        for (const Having& h : having[with - 'A']) {
            const int start = at - h.at;
            if (start < 0 || start + h.length > room || used[h.word]) continue;
            const u32 mask = ((1u << h.length) - 1) << (start + 1), ends = (mask << 1 | mask >> 1) & ~mask;
            if ((mask & closed) | (ends & here)) continue;
            const std::string& spelt = words[h.word];
            bool agrees = true;
            for (u32 crossed = mask & here; crossed && agrees; crossed &= crossed - 1) {
                const int k = __builtin_ctz(crossed) - 1 - start;
                agrees = letter[begin + (start + k) * side] == static_cast<u8>(spelt[static_cast<size_t>(k)]);
            }
            if (agrees) legal[n++] = {static_cast<u32>((2 * h.word + turned) * cells + begin + start * side), mask, line};
        }
    }
};

State root;

// ---- NRPA (Rosin 2011, Figure 2): one policy, changes logged per level and undone ----

struct Trace {
    std::vector<u32> codes, touched;
    std::vector<int> ends = std::vector<int>(MOST_WORDS), chosen = ends;
    std::vector<double> totals = std::vector<double>(MOST_WORDS);
    int plies = 0, distinct = 0, score = 0;

    Trace() : codes(1 << 18), touched(codes.size()) {}
};

struct Log {
    std::vector<u32> code = std::vector<u32>(static_cast<size_t>(codes_all) + 1);
    std::vector<double> weight = std::vector<double>(code.size()), factor = weight;
    int size = 0;
};

class Nrpa {
  public:
    Nrpa(int level, int iterations)
        : level_(level), iterations_(iterations), trace_(level + 1), log_(level + 1), weight_(codes_all),
          factor_(codes_all, 1.0), arguments_(codes_all + 8), results_(codes_all + 8), stamp_(codes_all),
          levels_(codes_all) {
        for (int i = 0; i <= level; ++i) row_.push_back(i);
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
        s.copy(root);
        int end = 0;
        for (int n; (n = s.n) > 0; s.play(trace.codes[trace.chosen[s.placed]])) {
            u32* const codes = trace.codes.data() + end;
            double total = 0.0;
            for (int k = 0; k < n; ++k) {
                codes[k] = s.legal[k].code;
                total += factor_[codes[k]];
                sums_[k] = total;
            }
            const double limit = stream_.uniform() * total;
            int index = 0;
            for (int k = 0; k < n; ++k) index += sums_[k] <= limit;
            trace.chosen[s.placed] = end + std::min(index, n - 1);
            trace.totals[s.placed] = total;
            end += n;
            trace.ends[s.placed] = end;
        }
        trace.plies = s.placed;
        ++playouts;
        return 1000 * s.placed + s.letters;
    }

    // fresh: the trace was played by the current policy, so its sums still hold.
    void adapt(Trace& trace, int level, bool changed, bool fresh) {
        const int plies = trace.plies, size = plies ? trace.ends[plies - 1] : 0;
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
        if (changed) {
            for (int i = 0; i < trace.distinct; ++i) {
                const u32 c = trace.touched[i];
                log.code[log.size] = c;
                log.weight[log.size] = weight_[c];
                log.factor[log.size] = factor_[c];
                log.size += !(levels_[c] >> level & 1);
                levels_[c] |= 1u << level;
            }
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

    int level_, iterations_;
    std::vector<Trace> trace_;
    std::vector<Log> log_;
    std::vector<int> row_;
    Stream stream_{0};
    State state_;
    std::vector<double> weight_, factor_, arguments_, results_;
    std::vector<u32> stamp_, levels_;
    u32 now_ = 0;
    double sums_[MOST_LEGAL];
};

}  // namespace

int main(int argc, char** argv) {
    if (argc != 6) return 2;
    std::ifstream file(argv[1]);
    if (!(file >> width >> height) || std::max(width, height) > LARGEST) return 2;
    for (std::string word; file >> word;) words.push_back(word);
    if (words.size() > MOST_WORDS || words.size() * static_cast<size_t>(width) > MOST_LEGAL) return 2;
    cells = width * height;
    codes_all = 2 * cells * static_cast<int>(words.size());
    for (size_t w = 0; w < words.size(); ++w) {
        for (size_t k = 0; k < words[w].size(); ++k) {
            const Having h{static_cast<u8>(w), static_cast<u8>(k), static_cast<u8>(words[w].size())};
            having[words[w][k] - 'A'].push_back(h);
        }
    }
    root.start();
    static Nrpa search(std::atoi(argv[2]), std::atoi(argv[3]));
    const u64 first = static_cast<u64>(std::atoi(argv[4]));
    for (u64 seed = first; seed < first + static_cast<u64>(std::atoi(argv[5])); ++seed) {
        const auto began = std::chrono::steady_clock::now();
        const int score = search.run(search_key(seed));
        const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - began;
        std::printf("%llu %d %ld %.6f\n", static_cast<unsigned long long>(seed), score, search.playouts, seconds.count());
    }
    return 0;
}
