// Stones on 8 x 8 points, for the twins of Go and NoGo: chains and their liberties, as in rookery's games/stones.py.
#pragma once

#include "game_uct.hpp"

namespace twin {

constexpr u64 FIRST_COLUMN = 0x0101010101010101u, LAST_COLUMN = FIRST_COLUMN << 7;

inline u64 beside(u64 x) {
    return ((x << 1) & ~FIRST_COLUMN) | ((x >> 1) & ~LAST_COLUMN) | (x << 8) | (x >> 8);
}

struct Stones {
    static constexpr int POINTS = 64;

    struct Chain {
        u64 stones, liberties;
    };

    u64 stones[2] = {0, 0};
    u64 atari = 0;  // stones of all chains with one liberty
    int turn = 0;
    u8 head[POINTS];
    Chain chain[POINTS];  // by head

    u64 empty() const { return ~(stones[0] | stones[1]); }

    u64 hash() const { return mixed(stones[0], stones[1], turn); }

    // Puts a stone of the player to move and returns the enemy stones that have no liberty left.
    u64 put(int p) {
        const u64 bit = u64{1} << p, near = beside(bit);
        u64 taken = 0;
        for (u64 m = near & stones[1 - turn]; m;) {
            Chain& enemy = chain[head[lowest(m)]];
            m &= ~enemy.stones;
            enemy.liberties &= ~bit;
            if ((enemy.liberties & (enemy.liberties - 1)) == 0) {
                if (enemy.liberties) {
                    atari |= enemy.stones;
                } else {
                    taken |= enemy.stones;
                }
            }
        }
        Chain joined{bit, near & empty()};
        int name = p;
        u64 unnamed = bit;
        for (u64 m = near & stones[turn]; m;) {
            const int h = head[lowest(m)];
            const Chain& own = chain[h];
            m &= ~own.stones;
            if (ones(own.stones) >= ones(joined.stones)) {  // the larger one keeps its name
                name = h;
                unnamed = joined.stones;
            } else {
                unnamed |= own.stones;
            }
            joined.stones |= own.stones;
            joined.liberties |= own.liberties;
            if (name == h) unnamed = joined.stones & ~own.stones;
        }
        stones[turn] |= bit;
        joined.liberties &= ~bit;
        for (u64 m = unnamed; m; m &= m - 1) head[lowest(m)] = static_cast<u8>(name);
        chain[name] = joined;
        note_atari(joined);
        return taken;
    }

    void note_atari(const Chain& c) {
        const bool one = (c.liberties & (c.liberties - 1)) == 0;
        atari = one ? atari | c.stones : atari & ~c.stones;
    }

    void take_off(u64 taken, int colour) {
        stones[colour] &= ~taken;
        atari &= ~taken;
        for (u64 left = taken; left; left &= left - 1) {
            const u64 bit = left & -left;
            for (u64 m = beside(bit) & stones[1 - colour]; m;) {
                Chain& c = chain[head[lowest(m)]];
                m &= ~c.stones;
                c.liberties |= bit;
                note_atari(c);
            }
        }
    }
};

}  // namespace twin
