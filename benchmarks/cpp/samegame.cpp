// SameGame in plain C++: the baseline that benchmarks/samegame.py compares Rookery with.
//
//   samegame nrpa BOARD RULE LEVEL N FIRST_SEED RUNS
//   samegame sampling BOARD RULE PLAYOUTS FIRST_SEED RUNS
//
// BOARD is a file with one board of at most 16 columns, 15 rows and 7 colours, RULE none, tabu or selective. Each
// run prints "seed score playouts seconds". The same algorithm, data structures and random stream as the library,
// fused and specialised by hand for this one puzzle: a policy in an open-addressed table, changes logged per level.
// Build: g++ -O3 -march=native -ffp-contract=off -std=c++17 samegame.cpp -o samegame

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "stream.hpp"

namespace {

using u8 = uint8_t;
using u16 = uint16_t;
using u32 = uint32_t;
using u64 = uint64_t;

// ---- the board: columns of 16 bits, four to a word; the colour of a cell in three planes ----

constexpr int WORDS = 4, PLANES = 3, LANE = 16, ROOM = 128, MOST_PLIES = 128, BONUS = 1000;
constexpr int FREE_SIZE = 2, FREE_AFTER = 10, NO_COLOUR = 255;
constexpr u64 FOOT = 0x0001000100010001u, GUARD = FOOT << (LANE - 1);
constexpr u64 MIX_1 = 0xBF58476D1CE4E5B9u, MIX_2 = 0x94D049BB133111EBu;
constexpr int OVER = 64 - LANE;
bool holds, selective;

inline int lowest(u64 x) { return __builtin_ctzll(x); }

struct Words {
    u64 w[WORDS];
};

struct Group {
    Words mask;
    u64 code;
    u16 head, size;
    u8 colour;
};

struct State {
    u64 plane[PLANES][WORDS];
    u64 feet[WORDS], heads[WORDS];
    Group group[ROOM];
    u8 place[64 * WORDS];
    int cells[16];
    int n, held, tabu, columns, left, played, points;

    int count() const { return n > 0 ? n : held; }
    const Group& nth(int i) const { return group[n > 0 ? i : ROOM - 1 - i]; }
    int score() const { return left ? points : points + BONUS; }

    u64 filled(int w) const { return plane[0][w] | plane[1][w] | plane[2][w]; }
    bool is_free(int size) const { return selective && size == FREE_SIZE && played >= FREE_AFTER; }

    void copy(int source, int target) {
        group[target] = group[source];
        place[group[target].head] = static_cast<u8>(target);
    }

    void unlist(int at) {
        const int head = group[at].head;
        heads[head / 64] &= ~(u64{1} << (head % 64));
        copy(at < n ? --n : ROOM - held--, at);
    }

    void enlist(const Words& flood) {
        int first = 0;
        while (flood.w[first] == 0) ++first;
        const int bit = lowest(flood.w[first]);
        int colour = -1;
        for (int p = 0; p < PLANES; ++p) colour += static_cast<int>(plane[p][first] >> bit & 1) << p;
        u64 code = static_cast<u64>(colour + 1) * MIX_2;
        int size = 0;
        for (u64 word : flood.w) {
            code = (code ^ word) * MIX_1;
            code ^= code >> 29;
            size += __builtin_popcountll(word);
        }
        const int at = colour == tabu && !is_free(size) ? ROOM - ++held : n++;
        const int head = 64 * first + bit;
        group[at] = {flood, code, static_cast<u16>(head), static_cast<u16>(size), static_cast<u8>(colour)};
        place[head] = static_cast<u8>(at);
        heads[first] |= u64{1} << bit;
    }

    // Take a group away, let cells fall, close up columns: where anything changed.
    Words take_away(const Words& taken) {
        Words area{};
        bool emptied = false;
        for (int w = 0; w < WORDS; ++w) {
            u64 m = taken.w[w];
            if (m == 0) continue;
            area.w[w] = ~(((m | GUARD) - FOOT) & ~m) & ~GUARD;
            while (m) {
                const u64 below = (m | GUARD) - FOOT, falling = ~(below & ~m) & ~GUARD;
                for (auto& words : plane) words[w] = (words[w] & ~falling) | ((words[w] >> 1) & falling);
                m = (m & below) >> 1;
            }
            emptied |= (filled(w) & FOOT) != feet[w];
        }
        if (emptied) close_up(area);
        return area;
    }

    void close_up(Words& area) {
        for (int column = columns - 1; column >= 0; --column) {
            const int first = column / 4, shift = column % 4 * LANE;
            if (filled(first) >> shift & 1) continue;
            u64 kept = (u64{1} << shift) - 1;
            for (int w = first; w < WORDS; ++w, kept = 0) {
                area.w[w] |= ~kept;
                for (auto& words : plane) {
                    const u64 after = w + 1 < WORDS ? words[w + 1] << OVER : 0;
                    words[w] = (words[w] & kept) | ((words[w] >> LANE) & ~kept) | after;
                }
            }
            --columns;
        }
        for (int w = 0; w < WORDS; ++w) feet[w] = filled(w) & FOOT;
    }

    bool touches(int at, const Words& area) const {
        u64 common = 0;
        for (int w = 0; w < WORDS; ++w) common |= group[at].mask.w[w] & area.w[w];
        return common != 0;
    }

    // Groups with cells in the area leave their lists: first all are looked at, without a branch that cannot be
    // foreseen. What may be left of them joins the area.
    Words drop_touched(const Words& area) {
        u8 touched[ROOM + 1];
        int found = 0;
        for (int i = 0; i < n; ++i) {
            touched[found] = static_cast<u8>(i);
            found += touches(i, area);
        }
        for (int i = ROOM - 1; i >= ROOM - held; --i) {
            touched[found] = static_cast<u8>(i);
            found += touches(i, area);
        }
        Words around = area;
        while (found > 0) {
            const int at = touched[--found];
            for (int w = 0; w < WORDS; ++w) around.w[w] |= group[at].mask.w[w];
            unlist(at);
        }
        return around;
    }

    void find_groups(Words area) {
        u64 up[WORDS], right[WORDS], carried = 0;
        for (int w = 0; w < WORDS; ++w) {
            u64 not_up = 0, not_right = 0;
            for (const auto& words : plane) {
                const u64 x = words[w], after = w + 1 < WORDS ? words[w + 1] << OVER : 0;
                not_up |= x ^ (x >> 1);
                not_right |= x ^ ((x >> LANE) | after);
            }
            up[w] = filled(w) & ~not_up;
            right[w] = filled(w) & ~not_right;
            area.w[w] &= up[w] | (up[w] << 1) | right[w] | (right[w] << LANE) | carried;
            carried = right[w] >> OVER;
        }
        for (int seed = 0; seed < WORDS; ++seed) {
            while (area.w[seed]) {
                const auto spread = [&](int w, u64 f) {
                    for (u64 before = 0; f != before;) {
                        before = f;
                        f |= ((f & up[w]) << 1) | ((f >> 1) & up[w]);
                        f |= ((f & right[w]) << LANE) | ((f >> LANE) & right[w]);
                    }
                    return f;
                };
                Words flood{};
                const u64 begin = spread(seed, area.w[seed] & -area.w[seed]);
                flood.w[seed] = begin;
                u64 leading = (begin & right[seed]) >> OVER;
                if (seed > 0) leading |= begin & (right[seed - 1] >> OVER);
                for (bool grown = leading != 0; grown;) {  // most groups lie within a word
                    grown = false;
                    for (int w = 0; w < WORDS; ++w) {
                        u64 f = flood.w[w];
                        if (w > 0) f |= (flood.w[w - 1] & right[w - 1]) >> OVER;
                        if (w + 1 < WORDS) f |= (flood.w[w + 1] << OVER) & right[w];
                        if (f != flood.w[w]) {
                            flood.w[w] = spread(w, f);
                            grown = true;
                        }
                    }
                }
                for (int w = 0; w < WORDS; ++w) {
                    area.w[w] &= ~flood.w[w];
                    for (u64 swallowed = flood.w[w] & heads[w]; swallowed; swallowed &= swallowed - 1) {
                        unlist(place[64 * w + lowest(swallowed)]);
                    }
                }
                enlist(flood);
            }
        }
    }

    void play(const Group& chosen) {
        const int size = chosen.size;
        points += (size - 2) * (size - 2);
        left -= size;
        cells[chosen.colour] -= size;
        ++played;
        const Words area = take_away(chosen.mask), around = drop_touched(area);
        if (selective && played == FREE_AFTER) release();
        find_groups(around);
    }

    void begin_playout() {
        if (!holds) return;
        tabu = static_cast<int>(std::max_element(cells, cells + 16) - cells);
        for (int i = n - 1; i >= 0; --i) {
            if (group[i].colour != tabu || is_free(group[i].size)) continue;
            copy(i, ROOM - ++held);
            if (i < --n) copy(n, i);
        }
    }

    void release() {
        for (int i = ROOM - held; i < ROOM; ++i) {
            if (!is_free(group[i].size)) continue;
            copy(i, n++);
            const int last = ROOM - held--;
            if (i > last) copy(last, i);
        }
    }

    bool start(const std::string& file) {
        std::ifstream in(file);
        std::vector<std::vector<int>> rows;
        for (std::string line; std::getline(in, line);) {
            std::istringstream numbers(line);
            std::vector<int> row;
            for (int colour; numbers >> colour;) row.push_back(colour);
            if (!row.empty()) rows.push_back(row);
        }
        if (rows.empty() || rows.size() > 15 || rows[0].size() > 16) return false;
        *this = State{};
        tabu = NO_COLOUR;
        columns = static_cast<int>(rows[0].size());
        for (size_t y = 0; y < rows.size(); ++y) {
            for (size_t x = 0; x < rows[y].size(); ++x) {
                const int colour = rows[rows.size() - 1 - y][x];
                if (colour < 0 || colour > 6) return false;
                const size_t bit = x * LANE + y;
                for (int p = 0; p < PLANES; ++p) plane[p][bit / 64] |= u64((colour + 1) >> p & 1) << (bit % 64);
                ++cells[colour];
                ++left;
            }
        }
        Words area;
        for (int w = 0; w < WORDS; ++w) {
            area.w[w] = filled(w);
            feet[w] = filled(w) & FOOT;
        }
        find_groups(area);
        return true;
    }
};

State root;

// ---- NRPA (Rosin 2011, Figure 2): one policy in a hash table, changes logged per level and undone ----

constexpr u32 SLOTS = 1 << 14, MASK = SLOTS - 1;
constexpr int MOST_CODES = MOST_PLIES * ROOM;

struct Trace {
    std::vector<u64> codes = std::vector<u64>(MOST_CODES);
    std::vector<u32> ids = std::vector<u32>(MOST_CODES), touched = std::vector<u32>(MOST_CODES);
    int ends[MOST_PLIES], chosen[MOST_PLIES];
    double totals[MOST_PLIES];
    int plies = 0, distinct = 0, named = 0;
};

struct Log {
    std::vector<u32> id = std::vector<u32>(SLOTS + 1);
    std::vector<double> weight = std::vector<double>(SLOTS + 1), factor = std::vector<double>(SLOTS + 1);
    int size = 0;
};

class Nrpa {
  public:
    Nrpa(int level, int iterations) : level_(level), iterations_(iterations), trace_(level + 1), log_(level + 1) {
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
        const size_t in_use = inserted_.size();
        int best = -1;
        for (int i = 0; i < iterations_; ++i) {
            const int result = search(level - 1, mix(key, static_cast<u64>(i)));
            const bool taken = result >= best;
            if (taken) {
                best = result;
                std::swap(row_[level], row_[level - 1]);
            }
            if (i + 1 < iterations_) adapt(trace_[row_[level]], level, taken && level == 1);
        }
        undo(level, in_use);
        return best;
    }

    u32 locate(u64 code) const {
        u32 slot = static_cast<u32>((code * GOLDEN) >> 32) & MASK;
        while (slot_code_[slot] != code && slot_code_[slot] != 0) slot = (slot + 1) & MASK;
        return slot;
    }

    u32 intern(u64 code) {
        const u32 slot = locate(code);
        if (slot_code_[slot] != code) {
            if (inserted_.size() >= SLOTS / 2) std::abort();
            slot_code_[slot] = code;
            inserted_.push_back(slot);
        }
        return slot;
    }

    int playout(Trace& trace) {
        State& s = state_;
        s = root;
        s.begin_playout();
        double sums[ROOM];
        int end = 0, ply = 0;
        for (int n; (n = s.count()) > 0; ++ply) {
            const int step = s.n > 0 ? 1 : -1;
            const Group* const list = &s.nth(0);
            double total = 0.0;
            for (int k = 0; k < n; ++k) {
                const u64 code = list[k * step].code;
                const u32 id = locate(code);
                trace.codes[end + k] = code;
                trace.ids[end + k] = id;
                total += factor_[id];
                sums[k] = total;
            }
            const double limit = stream_.uniform() * total;
            int index = 0;
            for (int k = 0; k < n; ++k) index += sums[k] <= limit;
            index = std::min(index, n - 1);
            trace.chosen[ply] = end + index;
            trace.totals[ply] = total;
            end += n;
            trace.ends[ply] = end;
            s.play(Group(list[index * step]));
        }
        trace.plies = ply;
        trace.named = 0;
        ++playouts;
        return s.score();
    }

    // fresh: the trace was played by the current policy, so its sums still hold.
    void adapt(Trace& trace, int level, bool fresh) {
        const int plies = trace.plies, size = plies ? trace.ends[plies - 1] : 0;
        u32* const ids = trace.ids.data();
        Log& log = log_[level];
        if (trace.named != level) {
            ++now_;
            int n = 0;
            for (int k = 0; k < size; ++k) {
                if (slot_code_[ids[k]] != trace.codes[k]) ids[k] = intern(trace.codes[k]);
                trace.touched[n] = ids[k];
                n += stamp_[ids[k]] != now_;
                stamp_[ids[k]] = now_;
            }
            trace.distinct = n;
            for (int i = 0; i < n; ++i) {
                const u32 id = trace.touched[i];
                log.id[log.size] = id;
                log.weight[log.size] = weight_[id];
                log.factor[log.size] = factor_[id];
                log.size += !(levels_[id] >> level & 1);
                levels_[id] |= 1u << level;
            }
            trace.named = level;
        }
        if (!fresh) {
            for (int ply = 0, k = 0; ply < plies; ++ply) {
                double z = 0.0;
                for (; k < trace.ends[ply]; ++k) z += factor_[ids[k]];
                trace.totals[ply] = z;
            }
        }
        for (int ply = 0, k = 0; ply < plies; ++ply) {
            weight_[ids[trace.chosen[ply]]] += 1.0;
            const double step = 1.0 / trace.totals[ply];
            for (; k < trace.ends[ply]; ++k) weight_[ids[k]] -= step * factor_[ids[k]];
        }
        for (int i = 0; i < trace.distinct; ++i) arguments_[i] = weight_[trace.touched[i]];
        exponentials(arguments_.data(), results_.data(), trace.distinct);
        for (int i = 0; i < trace.distinct; ++i) factor_[trace.touched[i]] = results_[i];
    }

    void undo(int level, size_t in_use) {
        Log& log = log_[level];
        for (int i = 0; i < log.size; ++i) {
            weight_[log.id[i]] = log.weight[i];
            factor_[log.id[i]] = log.factor[i];
            levels_[log.id[i]] &= ~(1u << level);
        }
        log.size = 0;
        for (; inserted_.size() > in_use; inserted_.pop_back()) slot_code_[inserted_.back()] = 0;
    }

    int level_, iterations_;
    std::vector<Trace> trace_;
    std::vector<Log> log_;
    std::vector<int> row_;
    Stream stream_{0};
    State state_;
    std::vector<u64> slot_code_ = std::vector<u64>(SLOTS);
    std::vector<u32> inserted_;
    std::vector<double> weight_ = std::vector<double>(SLOTS), factor_ = std::vector<double>(SLOTS, 1.0);
    std::vector<double> arguments_ = std::vector<double>(MOST_CODES + 8), results_ = std::vector<double>(MOST_CODES + 8);
    std::vector<u32> stamp_ = std::vector<u32>(SLOTS), levels_ = std::vector<u32>(SLOTS);
    u32 now_ = 0;
};

// ---- independent playouts ----

class Sampling {
  public:
    explicit Sampling(int playouts) : playouts(playouts) {}
    int run(u64 key) {
        int best = -1;
        for (long i = 0; i < playouts; ++i) {
            Stream stream(mix(key, static_cast<u64>(i)));
            state_ = root;
            state_.begin_playout();
            while (const int n = state_.count()) state_.play(Group(state_.nth(stream.below(n))));
            best = std::max(best, state_.score());
        }
        return best;
    }
    long playouts;

  private:
    State state_;
};

template <class Search>
void report(Search& search, u64 first, int runs) {
    for (u64 seed = first; seed < first + static_cast<u64>(runs); ++seed) {
        const auto began = std::chrono::steady_clock::now();
        const int score = search.run(search_key(seed));
        const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - began;
        std::printf("%llu %d %ld %.6f\n", static_cast<unsigned long long>(seed), score, search.playouts, seconds.count());
    }
}

}  // namespace

int main(int argc, char** argv) {
    const std::vector<std::string> words(argv + 1, argv + argc);
    const auto number = [&](size_t i) { return std::atoi(words[i].c_str()); };
    if (words.size() < 6) return 2;
    holds = words[2] != "none";
    selective = words[2] == "selective";
    if (!root.start(words[1])) return 2;
    if (words[0] == "nrpa" && words.size() == 7) {
        Nrpa search(number(3), number(4));
        report(search, static_cast<u64>(number(5)), number(6));
    } else if (words[0] == "sampling") {
        Sampling search(number(3));
        report(search, static_cast<u64>(number(4)), number(5));
    } else {
        return 2;
    }
    return 0;
}
