// UCT, PPA and flat Monte Carlo for two players, for the twins of games: the same results as rookery's search/.
//
// A Game is a small value that is copied for each playout, with
//   MOVES, LENGTH, CODES     most moves of a position, plies of a game, codes of a player
//   start()                  the first position
//   over() player() winner() key()
//   moves(out)               fills the list of legal moves, returns how many
//   each_code(visit)         visit(k, code) for the k-th move that playouts choose from; returns how many
//   code(move)
//   play(move), play_code(code)
//   playout(stream)          plays to the end at random, returns the winner
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <string>
#include <vector>

#include "stream.hpp"

namespace twin {

using u8 = uint8_t;
using u16 = uint16_t;
using u32 = uint32_t;
using u64 = uint64_t;

constexpr int LANES = 8;
constexpr double INFINITE = std::numeric_limits<double>::infinity();

inline int ones(u64 x) { return __builtin_popcountll(x); }
inline int lowest(u64 x) { return __builtin_ctzll(x); }

#ifdef __BMI2__
inline u64 nth_bit(u64 x, int n) { return __builtin_ia32_pdep_di(u64{1} << n, x); }
#else
inline u64 nth_bit(u64 x, int n) {
    while (n-- > 0) x &= x - 1;
    return x & -x;
}
#endif

// A key of the two boards and who is to move. The boards need all of this mixing, and who is to move comes last: with
// less, or with it first, positions that differ in a corner only have been seen to collide.
inline u64 mixed(u64 a, u64 b, int turn) {
    u64 z = 0;
    for (const u64 word : {a, b}) {
        z = (z ^ word) * 0xBF58476D1CE4E5B9u;
        z = (z ^ (z >> 29)) * 0x94D049BB133111EBu;
        z ^= z >> 32;
    }
    return z ^ static_cast<u64>(turn);
}

// ---- playouts that learn nothing ----

template <class Game>
struct Uniform {
    static constexpr bool LEARNS = false;
    void clear() {}
    void note(int, int, const u16*, int, int) {}
    int playout(Game& s, int, Stream& stream) { return s.playout(stream); }
    void adapt(int) {}
};

// ---- playouts by a policy that adapts to the winner ----

template <class Game>
class Policy {
  public:
    static constexpr bool LEARNS = true;
    static constexpr double ALPHA = 1.0;

    void clear() {
        for (auto& w : weight_) std::fill(w.begin(), w.end(), 0.0);
        for (auto& f : factor_) std::fill(f.begin(), f.end(), 1.0);
    }

    // A step within the tree, chosen by UCT.
    void note(int ply, int mover, const u16* codes, int n, int chosen) {
        const double* const factor = factor_[mover].data();
        u16* const to = codes_.data() + end(ply);
        double total = 0.0;
        for (int k = 0; k < n; ++k) {
            to[k] = codes[k];
            total += factor[codes[k]];
        }
        close(ply, mover, n, chosen, total);
    }

    int playout(Game& s, int ply, Stream& stream) {
        alignas(64) double sums[Game::MOVES + LANES];
        for (;; ++ply) {
            u16* const codes = codes_.data() + end(ply);
            const int mover = s.player();
            const double* const factor = factor_[mover].data();
            double total = 0.0;
            const int n = s.each_code([&](int k, int code) {
                codes[k] = static_cast<u16>(code);
                total += factor[code];
                sums[k] = total;
            });
            if (n == 0) break;
            const double limit = stream.uniform() * total;
            for (int j = 0; j < LANES; ++j) sums[n + j] = INFINITE;
            int chosen = 0;
            for (int k = 0; k < n; k += LANES) {
                for (int j = 0; j < LANES; ++j) chosen += sums[k + j] <= limit;
            }
            chosen = std::min(chosen, n - 1);
            close(ply, mover, n, chosen, total);
            s.play_code(codes[chosen]);
        }
        plies_ = ply;
        return s.winner();
    }

    void end_at(int ply) { plies_ = ply; }

    void adapt(int won) {
        if (won < 0) return;
        double* const weight = weight_[won].data();
        double* const factor = factor_[won].data();
        for (int ply = 0; ply < plies_; ++ply) {
            if (step_[ply].mover != won) continue;
            const int first = end(ply), last = step_[ply].end;
            weight[step_[ply].chosen] += ALPHA;
            const double share = ALPHA / step_[ply].total;
            for (int k = first; k < last; ++k) weight[codes_[k]] -= share * factor[codes_[k]];
        }
        exponentials(weight, factor, Game::CODES);
    }

  private:
    struct Step {
        double total;
        int end, chosen, mover;
    };

    int end(int ply) const { return ply > 0 ? step_[ply - 1].end : 0; }

    void close(int ply, int mover, int n, int chosen, double total) {
        const int begin = end(ply);
        step_[ply] = {total, begin + n, codes_[begin + chosen], mover};
    }

    static constexpr size_t ROOM = (Game::CODES + LANES - 1) / LANES * LANES;
    std::vector<double> weight_[2] = {std::vector<double>(ROOM), std::vector<double>(ROOM)};
    std::vector<double> factor_[2] = {std::vector<double>(ROOM), std::vector<double>(ROOM)};
    std::vector<Step> step_ = std::vector<Step>(Game::LENGTH + 1);
    std::vector<u16> codes_ = std::vector<u16>((Game::LENGTH + 2) * Game::MOVES);
    int plies_ = 0;
};

// ---- the tree ----

template <class Game, template <class> class Playouts>
class Search {
  public:
    explicit Search(int playouts, double c = 0.4) : playouts_(playouts), c_(c) {
        u32 slots = 16;
        while (slots < 2u * static_cast<u32>(playouts)) slots *= 2;
        slots_.resize(slots);
        nodes_.resize(playouts);
        const size_t room = static_cast<size_t>(playouts) * std::min(Game::MOVES, 64) + Game::MOVES + LANES;
        edges_.resize(room);
        mean_.resize(room);
        shrink_.resize(room);
        codes_.resize(room);
        for (int t = 0; t <= playouts; ++t) {
            explore_.push_back(t > 0 ? std::sqrt(logarithm(t)) : 0.0);
            roots_.push_back(t > 0 ? 1.0 / std::sqrt(static_cast<double>(t)) : 0.0);
        }
    }

    void run(const Game& root, u64 key) {
        ++search_;
        nodes_used_ = edges_used_ = 0;
        stream_ = Stream(key);
        policy_.clear();
        for (int i = 0; i < playouts_; ++i) simulate(root);
        if (nodes_[0].count == 0) list(root, nodes_[0]);
    }

    int moves() const { return nodes_[0].count; }
    double figure(int i) const { return edges_[i].tries; }

  private:
    struct Slot {
        u64 key = 0;
        u32 search = 0, node = 0;
    };
    struct Node {
        int first, count, visits, mover;  // count 0: moves not listed yet
    };
    struct Edge {
        double wins;
        int tries;
        u16 move;
    };
    struct Step {
        u32 node;
        int edge;
    };

    Slot& find(u64 key) {
        const u64 mask = slots_.size() - 1;
        u64 at = ((key * GOLDEN) >> 32) & mask;
        while (slots_[at].search == search_ && slots_[at].key != key) at = (at + 1) & mask;
        return slots_[at];
    }

    void simulate(const Game& root) {
        Game s = root;
        int ply = 0, won;
        while (true) {
            if (ply >= Game::LENGTH) {
                won = s.winner();
                if constexpr (Playouts<Game>::LEARNS) policy_.end_at(ply);
                break;
            }
            const u64 key = s.key();
            Slot& slot = find(key);
            if (slot.search != search_) {
                if (s.over()) {
                    won = s.winner();
                    if constexpr (Playouts<Game>::LEARNS) policy_.end_at(ply);
                } else {
                    slot = {key, search_, nodes_used_};
                    nodes_[nodes_used_++] = {0, 0, 0, s.player()};
                    won = policy_.playout(s, ply, stream_);
                }
                break;
            }
            Node& node = nodes_[slot.node];
            if (node.count == 0) list(s, node);
            const int chosen = select(node);
            path_[ply] = {slot.node, chosen};
            if constexpr (Playouts<Game>::LEARNS) {
                policy_.note(ply, node.mover, codes_.data() + node.first, node.count, chosen - node.first);
            }
            s.play(edges_[chosen].move);
            ++ply;
        }
        while (ply-- > 0) count(path_[ply], won);
        policy_.adapt(won);
    }

    // Most positions are never chosen from: their moves are listed when they are first needed.
    void list(const Game& s, Node& node) {
        u16 out[Game::MOVES];
        node.first = edges_used_;
        node.count = s.moves(out);
        for (int k = 0; k < node.count; ++k) edges_[node.first + k] = {0.0, 0, out[k]};
        if constexpr (Playouts<Game>::LEARNS) {
            for (int k = 0; k < node.count; ++k) codes_[node.first + k] = static_cast<u16>(s.code(out[k]));
        }
        edges_used_ += (node.count + LANES - 1) / LANES * LANES;
        for (int k = node.first + node.count; k < edges_used_; ++k) mean_[k] = -INFINITE, shrink_[k] = 0.0;
    }

    // The highest mean + c * sqrt(log(t) / p), the first of equals; moves never tried come first, in their order.
    int select(const Node& node) const {
        if (node.visits < node.count) return node.first + node.visits;
        const double width = c_ * explore_[node.visits];
        const double* const mean = mean_.data() + node.first;
        const double* const shrink = shrink_.data() + node.first;
        alignas(64) double value[Game::MOVES + LANES];
        alignas(64) double best[LANES];
        for (double& b : best) b = -INFINITE;
        for (int i = 0; i < node.count; i += LANES) {
            for (int j = 0; j < LANES; ++j) {
                const double v = mean[i + j] + width * shrink[i + j];
                value[i + j] = v;
                best[j] = v > best[j] ? v : best[j];
            }
        }
        double most = best[0];
        for (int j = 1; j < LANES; ++j) most = best[j] > most ? best[j] : most;
        int i = 0;
        while (value[i] != most) ++i;
        return node.first + i;
    }

    void count(const Step& step, int won) {
        Node& node = nodes_[step.node];
        Edge& edge = edges_[step.edge];
        ++node.visits;
        const int tries = ++edge.tries;
        edge.wins += won < 0 ? 0.5 : won == node.mover ? 1.0 : 0.0;
        mean_[step.edge] = edge.wins / tries;
        shrink_[step.edge] = roots_[tries];
    }

    int playouts_;
    double c_;
    u32 search_ = 0, nodes_used_ = 0;
    int edges_used_ = 0;
    Stream stream_{0};
    Playouts<Game> policy_;
    std::vector<Slot> slots_;
    std::vector<Node> nodes_;
    std::vector<Edge> edges_;
    std::vector<double> mean_, shrink_;
    std::vector<u16> codes_;
    std::vector<Step> path_ = std::vector<Step>(Game::LENGTH + 1);
    std::vector<double> explore_, roots_;
};

// ---- flat Monte Carlo ----

template <class Game>
class Flat {
  public:
    explicit Flat(int playouts) : playouts_(playouts) {}

    void run(const Game& root, u64 key) {
        Stream stream(key);
        count_ = root.moves(move_);
        std::fill(wins_, wins_ + count_, 0.0);
        const int mover = root.player();
        for (int i = 0, k = 0; i < playouts_; ++i, k = k + 1 < count_ ? k + 1 : 0) {
            Game s = root;
            s.play(move_[k]);
            const int won = s.playout(stream);
            wins_[k] += won < 0 ? 0.5 : won == mover ? 1.0 : 0.0;
        }
    }

    int moves() const { return count_; }
    double figure(int i) const { return wins_[i]; }

  private:
    int playouts_, count_ = 0;
    u16 move_[Game::MOVES];
    double wins_[Game::MOVES];
};

// ---- the program of a twin ----

// Each run prints "seed seconds" and, for the legal moves in the order of the list, visits (uct, ppa) or wins (flat).
template <class Game>
int main(int argc, char** argv) {
    if (argc != 5) return 2;
    const std::string mode = argv[1];
    const int n = std::atoi(argv[2]), runs = std::atoi(argv[4]);
    const u64 first = std::strtoull(argv[3], nullptr, 10);
    if (n < 1 || runs < 1) return 2;
    const Game root = Game::start();
    const auto report = [&](auto&& search) {
        for (u64 seed = first; seed < first + static_cast<u64>(runs); ++seed) {
            const double began = seconds_used();
            search.run(root, search_key(seed));
            std::printf("%llu %.9f", static_cast<unsigned long long>(seed), seconds_used() - began);
            for (int i = 0; i < search.moves(); ++i) std::printf(" %g", search.figure(i));
            std::printf("\n");
        }
        return 0;
    };
    if (mode == "flat") return report(Flat<Game>(n));
    if (mode == "uct") return report(Search<Game, Uniform>(n));
    if (mode == "ppa") return report(Search<Game, Policy>(n));
    return 2;
}

}  // namespace twin
