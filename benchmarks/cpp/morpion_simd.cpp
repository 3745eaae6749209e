// Morpion Solitaire 5T and 5D: NRPA (Rosin 2011), nested Monte-Carlo search and uniform sampling.
//
//   morpion_simd nrpa   5T LEVEL N FIRST_SEED RUNS
//   morpion_simd nmcs   5D LEVEL FIRST_SEED RUNS
//   morpion_simd sample 5T PLAYOUTS SEED
//
// Each run prints "seed score playouts seconds"; sample prints the mean length.
// Build (x86-64 with AVX2): g++ -O3 -march=native -ffp-contract=off -std=c++17 morpion_simd.cpp -o morpion_simd

#include <immintrin.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "stream.hpp"

namespace {

using u8 = uint8_t;
using u16 = uint16_t;
using u32 = uint32_t;
using u64 = uint64_t;

// ---- the board --------------------------------------------------------------------------------------
//
// A cell is y * 64 + x. A line of five cells runs from its origin in one of four directions; a move is
// the line it draws, and its code is (y * WIDTH + x) * 4 + direction of the origin. WIDTH is not 64, so
// that the rows of a table over codes do not all fall into the same sets of the first-level cache. The
// order of codes is that of (y, x, direction).

constexpr int WIDTH = 66;
constexpr int CODES = WIDTH * 64 * 4;
constexpr int CELL_STEP[4] = {1, 64, -63, 65};
constexpr int CODE_STEP[4] = {4, 4 * WIDTH, 4 - 4 * WIDTH, 4 + 4 * WIDTH};

// Codes 0 to 3 (lines off the board) never become legal: they pad lists to a multiple of four entries.
constexpr u64 PADDING = 0x0003000200010000u;
constexpr int PADS = 4;

// At most 705 moves (proven for 5T) make 741 dots, each on 20 lines: under 4096 lines have four dots.
constexpr int MAX_PLIES = 1024;
constexpr int MAX_MOVES = 4096;
constexpr int MAX_TRACE = 1 << 22;
constexpr int MAX_BORN = 32;  // by one move

// One byte a line: number of dots on it, plus 8 * the sum of their places (0..4) on the line, plus 128
// when it is blocked. With four dots the sum tells which place is free. The bytes of each direction are
// laid out along that direction, so that the five lines through a cell, and the lines blocked by a
// move, are neighbours: eight bytes, or sixteen, that one vector instruction updates.
constexpr int BYTES = 384 * 64;
constexpr u8 BLOCKED = 128;
constexpr u8 COUNT_MASK = 0x87;

inline u32 byte_index(int direction, u32 cell) {
    const u32 x = cell & 63;
    switch (direction) {
        case 0: return cell;                                 // axis y, position x
        case 1: return 64 * 64 + 64 * x + (cell >> 6);       // axis x, position y
        case 2: return 128 * 64 + 64 * x + cell;             // axis x + y, position x
        default: return 319 * 64 + 64 * x + 2 * x - cell;    // axis x - y + 63, position x
    }
}

struct State {
    alignas(64) u8 lines[BYTES];
    u32 moves;                        // length of the list
    alignas(64) u16 list[MAX_MOVES];  // legal moves, followed by PADDING

    void copy_list(const State& other) {
        moves = other.moves;
        std::memcpy(list, other.list, (moves + PADS) * sizeof(u16));
    }
};

// What is known of a line while it is legal. A line becomes legal at most once in a game and keeps its
// free place until it is played or dies, so nested searches share the table.
struct Line {
    u16 cell;   // the cell of the dot a move on this line sets
    u16 place;  // its place on the line, 0..4
    u16 index;  // of the byte of this line
    u16 unused;
};

// In one object, so that the compiler addresses everything from one register.
struct Tables {
    Line line[CODES];
    u16 position[CODES];           // of a legal line in the list of the state being played
    int16_t code_offset[4][48];    // [direction played][event]: code of the line, relative to the cell
    u32 gap[512];                  // [4 * byte + event]: cell and place of the new legal line, minus the cell
    alignas(16) u8 block[5][16];   // [place]: BLOCKED where a move blocks
    u32 block_mask[5];             // the same as a bit mask
    u32 passing[4][5];             // [direction][place]: events whose new line the same move blocks
} T;

State root;

// Plays a move. Lines that become legal, and stay so, are appended to born; returns its new end.
// (Not inlined: the callers keep their registers.)
__attribute__((noinline)) u16* play(State& state, u32 move, u16* born) {
    const Line line = T.line[move];
    const u32 cell = line.cell, place = line.place, direction = move & 3;

    // Byte i of the eight is the line through the cell that has it at place 4 - i.
    u8* const b0 = state.lines + byte_index(0, cell) - 4;
    u8* const b1 = state.lines + byte_index(1, cell) - 4;
    u8* const b2 = state.lines + byte_index(2, cell) - 4;
    u8* const b3 = state.lines + byte_index(3, cell) - 4;
    const auto load = [](const u8* p) { long long v; std::memcpy(&v, p, 8); return v; };
    const auto store = [](u8* p, __m128i v) {
        _mm_storel_epi64(reinterpret_cast<__m128i*>(p), v);
    };
    // The sixteen bytes around those of the direction played are read before the others are written:
    // a load that overlaps a store in flight would wait for it.
    __m128i* const along = reinterpret_cast<__m128i*>(state.lines + line.index + place - 8);
    __m128i same = _mm_loadu_si128(along);
    const __m256i four = _mm256_set1_epi8(4), five = _mm256_set1_epi8(5);
    const __m256i count_mask = _mm256_set1_epi8(static_cast<char>(COUNT_MASK));

    __m256i v = _mm256_set_epi64x(load(b3), load(b2), load(b1), load(b0));
    v = _mm256_add_epi8(v, _mm256_set1_epi64x(0x0109111921));  // 1 + 8 * place
    const __m128i low = _mm256_castsi256_si128(v), high = _mm256_extracti128_si256(v, 1);
    store(b0, low);
    store(b1, _mm_unpackhi_epi64(low, low));
    store(b2, high);
    store(b3, _mm_unpackhi_epi64(high, high));

    // Events in the order of the list's updates: bit 8 * direction + place for the lines through the
    // cell, bits 32.. for the lines the move blocks.
    const __m128i reverse8 = _mm_setr_epi8(4, 3, 2, 1, 0, -1, -1, -1, 12, 11, 10, 9, 8, -1, -1, -1);
    v = _mm256_shuffle_epi8(v, _mm256_broadcastsi128_si256(reverse8));
    alignas(32) u8 bytes[32];
    _mm256_store_si256(reinterpret_cast<__m256i*>(bytes), v);
    v = _mm256_and_si256(v, count_mask);
    const u32 appear = static_cast<u32>(_mm256_movemask_epi8(_mm256_cmpeq_epi8(v, four)));
    const u32 full = static_cast<u32>(_mm256_movemask_epi8(_mm256_cmpeq_epi8(v, five)));
    same = _mm_add_epi8(same, _mm_set_epi64x(0x01, 0x0911192100000000));
    const __m128i legal = _mm_cmpeq_epi8(_mm_and_si128(same, _mm256_castsi256_si128(count_mask)),
                                         _mm256_castsi256_si128(four));
    const u32 blocked = static_cast<u32>(_mm_movemask_epi8(legal)) & T.block_mask[place];
    const __m128i block = _mm_load_si128(reinterpret_cast<const __m128i*>(T.block[place]));
    _mm_storeu_si128(along, _mm_or_si128(same, block));

    const u64 removals = full | static_cast<u64>(blocked) << 32;
    const u64 passing = T.passing[direction][place];
    const int16_t* const offset = T.code_offset[direction];
    const u32 base = 4 * cell + 4 * (WIDTH - 64) * (cell >> 6);
    u64 n = state.moves;
    for (u64 events = appear | removals; events; events &= events - 1) {
        const u64 event = static_cast<u64>(__builtin_ctzll(events));
        const u64 code = base + offset[event];
        if (removals >> event & 1) {
            const u64 hole = T.position[code], last = state.list[--n];
            state.list[hole] = static_cast<u16>(last);
            T.position[last] = static_cast<u16>(hole);
        } else {
            T.position[code] = static_cast<u16>(n);
            state.list[n++] = static_cast<u16>(code);
            *born = static_cast<u16>(code);
            born += ~(passing >> event) & 1;
            const u32 cell_and_place = cell + T.gap[4 * bytes[event] + event];
            std::memcpy(&T.line[code], &cell_and_place, 4);
        }
    }
    std::memcpy(state.list + n, &PADDING, sizeof PADDING);
    state.moves = static_cast<u32>(n);
    return born;
}

// Before playing on a state that was not the last one played on.
void locate(const State& state) {
    for (u32 k = 0; k < state.moves; ++k) T.position[state.list[k]] = static_cast<u16>(k);
}

// Makes the lines of a state equal to those of another, given the moves played on either since they
// were equal. Cheaper than a copy of 24 kB.
void repair(State& state, const State& other, const u16* moves, int n) {
    for (int i = 0; i < n; ++i) {
        for (int direction = 0; direction < 4; ++direction) {
            const u32 at = byte_index(direction, T.line[moves[i]].cell) - 8;
            std::memcpy(state.lines + at, other.lines + at, 16);
        }
    }
}

void build(bool touching) {
    static const char* const CROSS[10] = {"...####...", "...#..#...", "...#..#...", "####..####", "#........#",
                                          "#........#", "####..####", "...#..#...", "...#..#...", "...####..."};
    const int reach = touching ? 3 : 4;
    const auto dot = [](int cell) {
        const int x = (cell & 63) - 27, y = (cell >> 6) - 27;
        return 0 <= x && x < 10 && 0 <= y && y < 10 && CROSS[y][x] == '#';
    };
    const auto inside = [](int cell) {
        const int x = cell & 63, y = cell >> 6;
        return 4 <= x && x <= 59 && 4 <= y && y <= 59;
    };
    std::memset(root.lines, BLOCKED, sizeof root.lines);
    root.moves = 0;
    for (int cell = 0; cell < 4096; ++cell) {
        for (int d = 0; d < 4; ++d) {
            if (!inside(cell) || !inside(cell + 4 * CELL_STEP[d])) continue;
            int count = 0, places = 0;
            for (int k = 0; k < 5; ++k) {
                if (dot(cell + k * CELL_STEP[d])) ++count, places += k;
            }
            const int code = ((cell >> 6) * WIDTH + (cell & 63)) * 4 + d, place = 10 - places;
            T.line[code].index = static_cast<u16>(byte_index(d, static_cast<u32>(cell)));
            root.lines[T.line[code].index] = static_cast<u8>(count + 8 * places);
            if (count != 4) continue;
            T.line[code].cell = static_cast<u16>(cell + place * CELL_STEP[d]);
            T.line[code].place = static_cast<u16>(place);
            root.list[root.moves++] = static_cast<u16>(code);
        }
    }
    std::memcpy(root.list + root.moves, &PADDING, sizeof PADDING);

    for (int played = 0; played < 4; ++played) {
        for (int d = 0; d < 4; ++d) {
            for (int k = 0; k < 5; ++k) T.code_offset[played][8 * d + k] = static_cast<int16_t>(d - k * CODE_STEP[d]);
        }
        for (int i = 0; i < 16; ++i) {
            T.code_offset[played][32 + i] = static_cast<int16_t>(played + (i - 8) * CODE_STEP[played]);
        }
    }
    for (int d = 0; d < 4; ++d) {
        for (int k = 0; k < 5; ++k) {
            for (int free = 0; free < 5; ++free) {
                T.gap[4 * (4 + 8 * (10 - free)) + 8 * d + k] = static_cast<u32>(CELL_STEP[d] * (free - k) + (free << 16));
                if (std::abs(free - k) <= reach) T.passing[d][free] |= 1u << (8 * d + k);
            }
        }
    }
    for (int place = 0; place < 5; ++place) {
        for (int i = 8 - place - reach; i <= 8 - place + reach; ++i) {
            T.block[place][i] = BLOCKED;
            T.block_mask[place] |= 1u << i;
        }
    }
}

// ---- nested rollout policy adaptation ---------------------------------------------------------------

struct Policy {
    double weight[CODES];
    double exp[CODES];  // of the weights; zero for the padding

    void reset() {
        std::fill(weight, weight + CODES, 0.0);
        std::fill(exp, exp + CODES, 1.0);
        std::fill(exp, exp + PADS, 0.0);
    }
};

// A playout, with all that adapt needs: it never replays a game.
template <class Item>
using Buffer = std::unique_ptr<Item[]>;
struct Trace {
    int plies = 0;
    int lines = 0;
    Buffer<u16> chosen{new u16[MAX_PLIES]};
    Buffer<double> step{new double[MAX_PLIES]};   // 1 / sum of the weights, under the policy of the playout
    Buffer<u16> groups{new u16[MAX_PLIES]};       // the legal moves of a ply are 4 * groups codes,
    Buffer<u16> legal{new u16[MAX_TRACE]};        // padded, one ply after the other
    Buffer<u16> born{new u16[CODES]};             // each line that was ever legal, once
};

class Nrpa {
  public:
    Nrpa(int levels, int iterations) : iterations_(iterations), policy_(levels + 1), trace_(levels + 1) {
        for (Policy& policy : policy_) policy.reset();
        board_ = std::make_unique<State>(root);
        widen(root.list, root.list + root.moves);
    }

    int run(u64 key) {
        const int top = static_cast<int>(policy_.size()) - 1;
        policy_[top].reset();
        playouts = 0;
        search(top, key);
        return trace_[top].plies;
    }

    long playouts = 0;

  private:
    struct Choice {
        u32 index;
        double total;
    };

    // The running sums stay in registers; the list is padded, so only whole groups of four occur.
    template <int GROUPS>
    static Choice pick(const u16* list, const double* weight, double u) {
        __m256d sums[GROUPS];
        double total = 0.0;
#pragma GCC unroll 8
        for (int g = 0; g < GROUPS; ++g) {
            const double a = total + weight[list[4 * g]], b = a + weight[list[4 * g + 1]];
            const double c = b + weight[list[4 * g + 2]], d = c + weight[list[4 * g + 3]];
            sums[g] = _mm256_setr_pd(a, b, c, d);
            total = d;
        }
        const __m256d r = _mm256_set1_pd(u * total);
        int index = 0;
#pragma GCC unroll 8
        for (int g = 0; g < GROUPS; ++g) {
            index += __builtin_popcount(_mm256_movemask_pd(_mm256_cmp_pd(sums[g], r, _CMP_LE_OQ)));
        }
        return {static_cast<u32>(index), total};
    }

    __attribute__((noinline)) static Choice pick_long(const u16* list, u32 n, const double* weight, double u) {
        static double sums[MAX_MOVES];
        double total = 0.0;
        for (u32 k = 0; k < n; ++k) sums[k] = total += weight[list[k]];
        const double r = u * total;
        u32 index = 0;
        for (u32 k = 0; k < n; ++k) index += sums[k] <= r;
        return {index, total};
    }

    static Choice choose(const u16* list, u32 n, const double* weight, double u) {
        switch ((n + 3) / 4) {
            case 1: return pick<1>(list, weight, u);
            case 2: return pick<2>(list, weight, u);
            case 3: return pick<3>(list, weight, u);
            case 4: return pick<4>(list, weight, u);
            case 5: return pick<5>(list, weight, u);
            case 6: return pick<6>(list, weight, u);
            case 7: return pick<7>(list, weight, u);
            default: return pick_long(list, n, weight, u);
        }
    }

    void playout(const Policy& policy, Trace& trace, Stream& outer) {
        Stream stream = outer;
        State& board = *board_;
        board.copy_list(root);
        locate(board);
        std::copy(root.list, root.list + root.moves, trace.born.get());
        u16* born = trace.born.get() + root.moves;
        u16 *legal = trace.legal.get(), *const chosen = trace.chosen.get(), *const groups = trace.groups.get();
        double* const step = trace.step.get();
        int ply = 0;
        for (u32 n; (n = board.moves) > 0; ++ply) {
            const Choice choice = choose(board.list, n, policy.exp, stream.uniform());
            std::memcpy(legal, board.list, 64);
            for (u32 k = 32; __builtin_expect(k < n, 0); k += 32) std::memcpy(legal + k, board.list + k, 64);
            groups[ply] = static_cast<u16>((n + 3) / 4);
            legal += 4 * groups[ply];
            step[ply] = 1.0 / choice.total;
            chosen[ply] = board.list[std::min(choice.index, n - 1)];
            born = play(board, chosen[ply], born);
        }
        trace.plies = ply;
        trace.lines = static_cast<int>(born - trace.born.get());
        widen(trace.born.get(), born);
        repair(board, root, chosen, ply);
        ++playouts;
        outer = stream;
    }

    // fresh: the trace was played with this very policy, so its sums still hold.
    static void adapt(Policy& policy, Trace& trace, bool fresh) {
        double* const __restrict weight = policy.weight;
        double* const __restrict exp = policy.exp;
        const int plies = trace.plies;
        const u16* row = trace.legal.get();
        if (!fresh) {
            for (int ply = 0; ply < plies; ++ply) {
                double z = 0.0;
                for (int g = trace.groups[ply]; g > 0; --g, row += 4) {
                    z += exp[row[0]];
                    z += exp[row[1]];
                    z += exp[row[2]];
                    z += exp[row[3]];
                }
                trace.step[ply] = 1.0 / z;
            }
        }
        // exp keeps the old policy until all weights are updated.
        row = trace.legal.get();
        for (int ply = 0; ply < plies; ++ply) {
            const double step = trace.step[ply];
            weight[trace.chosen[ply]] += 1.0;
            for (int g = trace.groups[ply]; g > 0; --g, row += 4) {
                const u32 a = row[0], b = row[1], c = row[2], d = row[3];
                weight[a] -= step * exp[a];
                weight[b] -= step * exp[b];
                weight[c] -= step * exp[c];
                weight[d] -= step * exp[d];
            }
        }
        static double touched[CODES], result[CODES];
        const u16* const born = trace.born.get();
        const int lines = trace.lines;
        for (int i = 0; i < lines; ++i) touched[i] = weight[born[i]];
        exponentials(touched, result, lines);
        for (int i = 0; i < lines; ++i) exp[born[i]] = result[i];
    }

    // Only codes between first_ and last_ were ever legal; elsewhere all policies are still as reset.
    void widen(const u16* begin, const u16* end) {
        u16 first = first_, last = last_;
        for (; begin != end; ++begin) {
            first = std::min(first, *begin);
            last = std::max(last, *begin);
        }
        first_ = first;
        last_ = last;
    }

    void search(int level, u64 key) {
        Policy& policy = policy_[level];
        Trace &best = trace_[level], &trace = trace_[level - 1];
        Stream stream(key);
        best.plies = -1;
        for (int i = 0; i < iterations_; ++i) {
            if (level == 1) {
                playout(policy, trace, stream);
            } else {
                Policy& inner = policy_[level - 1];
                std::copy(policy.weight + first_, policy.weight + last_ + 1, inner.weight + first_);
                std::copy(policy.exp + first_, policy.exp + last_ + 1, inner.exp + first_);
                search(level - 1, mix(key, static_cast<u64>(i)));
            }
            const bool better = trace.plies >= best.plies;
            if (better) std::swap(best, trace);
            if (i + 1 < iterations_) adapt(policy, best, better && level == 1);
        }
    }

    int iterations_;
    std::vector<Policy> policy_;  // by level
    std::vector<Trace> trace_;    // the best of each level; [0] is the playout
    std::unique_ptr<State> board_;
    u16 first_ = UINT16_MAX, last_ = 0;
};

// ---- nested Monte-Carlo search and sampling -----------------------------------------------------------

// Plays at random to the end; returns the number of moves, which it appends to moves.
int random_playout(State& state, Stream& stream, u16* moves) {
    u16 born[MAX_BORN];  // of no use here
    int n = 0;
    while (state.moves > 0) {
        const u16 move = state.list[stream.below(static_cast<int>(state.moves))];
        moves[n++] = move;
        play(state, move, born);
    }
    return n;
}

class Nmcs {
  public:
    explicit Nmcs(int levels) : frame_(levels) {}

    int run(u64 key) {
        const int top = static_cast<int>(frame_.size()) - 1;
        playouts = 0;
        frame_[top].state = root;
        return search(top + 1, key);
    }

    long playouts = 0;

  private:
    struct Frame {
        State state;
        u16 best[MAX_PLIES];
    };

    // Searches from the state of its frame, which it plays to the end; the moves are left in best.
    int search(int level, u64 key) {
        State& state = frame_[level - 1].state;
        u16* const best = frame_[level - 1].best;
        u16 born[MAX_BORN];
        Stream stream(key);
        u64 calls = 0;
        int best_length = -1, ply = 0;
        if (level == 1) trial_ = state;
        for (; state.moves > 0; ++ply) {
            for (u32 k = 0; k < state.moves; ++k) {
                int length;
                const u16* line;
                if (level == 1) {
                    trial_.copy_list(state);
                    locate(trial_);
                    moves_[0] = state.list[k];
                    play(trial_, moves_[0], born);
                    const int tail = 1 + random_playout(trial_, stream, moves_ + 1);
                    repair(trial_, state, moves_, tail);
                    ++playouts;
                    line = moves_;
                    length = ply + tail;
                } else {
                    Frame& inner = frame_[level - 2];
                    std::memcpy(inner.state.lines, state.lines, sizeof state.lines);
                    inner.state.copy_list(state);
                    locate(inner.state);
                    play(inner.state, state.list[k], born);
                    length = ply + 1 + search(level - 1, mix(key, calls++));
                    line = nullptr;
                }
                if (length > best_length) {
                    best_length = length;
                    if (line) {
                        std::copy(line, line + length - ply, best + ply);
                    } else {
                        best[ply] = state.list[k];
                        std::copy(frame_[level - 2].best, frame_[level - 2].best + length - ply - 1, best + ply + 1);
                    }
                }
            }
            locate(state);
            play(state, best[ply], born);
            if (level == 1) repair(trial_, state, best + ply, 1);
        }
        return ply;
    }

    std::vector<Frame> frame_;  // by level - 1
    State trial_;
    u16 moves_[MAX_PLIES];
};

double sample(long playouts, u64 key) {
    State state = root;
    u16 moves[MAX_PLIES];
    long total = 0;
    for (long i = 0; i < playouts; ++i) {
        Stream stream(mix(key, static_cast<u64>(i)));
        state.copy_list(root);
        locate(state);
        const int n = random_playout(state, stream, moves);
        repair(state, root, moves, n);
        total += n;
    }
    return static_cast<double>(total) / static_cast<double>(playouts);
}

template <class Search>
void report(Search& search, u64 first, u64 runs) {
    for (u64 seed = first; seed < first + runs; ++seed) {
        const auto start = std::chrono::steady_clock::now();
        const int score = search.run(search_key(seed));
        const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
        std::printf("%llu %.17g %ld %.6f\n", static_cast<unsigned long long>(seed), static_cast<double>(score),
                    search.playouts, time.count());
        std::fflush(stdout);
    }
}

}  // namespace

int main(int argc, char** argv) {
    const std::string mode = argc > 1 ? argv[1] : "", variant = argc > 2 ? argv[2] : "";
    const auto number = [&](int i) { return std::strtoull(argv[i], nullptr, 10); };
    if (variant == "5T" || variant == "5D") {
        build(variant == "5T");
        if (mode == "nrpa" && argc == 7 && number(3) > 0) {
            const auto search = std::make_unique<Nrpa>(static_cast<int>(number(3)), static_cast<int>(number(4)));
            report(*search, number(5), number(6));
            return 0;
        }
        if (mode == "nmcs" && argc == 6 && number(3) > 0) {
            const auto search = std::make_unique<Nmcs>(static_cast<int>(number(3)));
            report(*search, number(4), number(5));
            return 0;
        }
        if (mode == "sample" && argc == 5) {
            std::printf("%.17g\n", sample(static_cast<long>(number(3)), search_key(number(4))));
            return 0;
        }
    }
    std::fprintf(stderr,
                 "usage: morpion nrpa 5T|5D LEVEL N FIRST_SEED RUNS\n"
                 "       morpion nmcs 5T|5D LEVEL FIRST_SEED RUNS\n"
                 "       morpion sample 5T|5D PLAYOUTS SEED\n");
    return 2;
}
