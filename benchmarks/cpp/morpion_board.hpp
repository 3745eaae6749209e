// The board of Morpion Solitaire 5T and 5D, for the twins: one byte per line, as in the library.
#pragma once

#include <cstdint>

namespace morpion {

using u8 = uint8_t;
using u16 = uint16_t;
using u32 = uint32_t;
using u64 = uint64_t;

constexpr int WIDTH = 64, CELLS = WIDTH * WIDTH, CODES = 4 * CELLS, OFFSET = 27, MARGIN = 4, LENGTH = 5;
constexpr int BLOCKED = 16, LEGAL = 128, MOST_LEGAL = 128, MOST_PLIES = 512;
constexpr int STEP[4] = {1, WIDTH, 1 - WIDTH, 1 + WIDTH};
inline int reach;  // how far a line blocks others of its direction: 3 for 5T, 4 for 5D

struct State {
    u8 line[CODES];  // number of dots; LEGAL + place in the list; plus BLOCKED for each line that forbids it
    u64 dots[WIDTH];
    u16 legal[MOST_LEGAL];
    int n, played;

    void add(u32 l) {
        legal[n] = static_cast<u16>(l);
        line[l] = static_cast<u8>(LEGAL + n++);
    }
    void remove(u32 l) {
        const u16 last = legal[--n];
        legal[line[l] - LEGAL] = last;
        line[last] = line[l];
    }
    bool dot(int cell) const { return dots[cell >> 6] >> (cell & 63) & 1; }
    void set(int cell) { dots[cell >> 6] |= u64{1} << (cell & 63); }

    void play(int move) {
        const int step = STEP[move & 3];
        int cell = move >> 2;
        while (dot(cell)) cell += step;
        set(cell);
        for (int d = 0; d < 4; ++d) {
            for (int k = 0; k < LENGTH; ++k) {
                const u32 l = static_cast<u32>(4 * (cell - k * STEP[d]) + d);
                const u8 count = line[l];
                if (count >= LEGAL) {
                    remove(l);
                    line[l] = LENGTH;
                } else if (count == LENGTH - 2) {
                    add(l);
                } else {
                    line[l] = static_cast<u8>(count + 1);
                }
            }
        }
        for (int j = -reach; j <= reach; ++j) {
            const u32 l = static_cast<u32>(move + 4 * j * step);
            if (line[l] >= LEGAL) {
                remove(l);
                line[l] = LENGTH - 1;
            }
            line[l] = static_cast<u8>(line[l] + BLOCKED);
        }
        ++played;
    }

    void undo(int move, int cell) {
        dots[cell >> 6] &= ~(u64{1} << (cell & 63));
        for (int d = 0; d < 4; ++d) {
            for (int k = 0; k < LENGTH; ++k) {
                const u32 l = static_cast<u32>(4 * (cell - k * STEP[d]) + d);
                const u8 count = line[l];
                if (count >= LEGAL) {
                    remove(l);
                    line[l] = LENGTH - 2;
                } else if (count == LENGTH) {
                    add(l);
                } else {
                    line[l] = static_cast<u8>(count - 1);
                }
            }
        }
        for (int j = -reach; j <= reach; ++j) {
            const u32 l = static_cast<u32>(move + 4 * j * STEP[move & 3]);
            line[l] = static_cast<u8>(line[l] - BLOCKED);
            if (line[l] == LENGTH - 1) add(l);
        }
        --played;
    }

    void start() {
        static const char* const CROSS[10] = {"...####...", "...#..#...", "...#..#...", "####..####", "#........#",
                                              "#........#", "####..####", "...#..#...", "...#..#...", "...####..."};
        const auto inside = [](int x, int y) {
            const int high = WIDTH - 1 - MARGIN;
            return MARGIN <= x && x <= high && MARGIN <= y && y <= high;
        };
        *this = State{};
        for (int cell = 0; cell < CELLS; ++cell) {
            const int x = cell % WIDTH, y = cell / WIDTH;
            constexpr int DX[4] = {1, 0, 1, 1}, DY[4] = {0, 1, -1, 1};
            for (int d = 0; d < 4; ++d) {
                const int span = LENGTH - 1;
                if (!inside(x, y) || !inside(x + span * DX[d], y + span * DY[d])) line[4 * cell + d] = BLOCKED;
            }
        }
        for (int y = 0; y < 10; ++y) {
            for (int x = 0; x < 10; ++x) {
                if (CROSS[y][x] != '#') continue;
                const int cell = (y + OFFSET) * WIDTH + x + OFFSET;
                set(cell);
                for (int d = 0; d < 4; ++d) {
                    for (int k = 0; k < LENGTH; ++k) ++line[4 * (cell - k * STEP[d]) + d];
                }
            }
        }
        for (u32 l = 0; l < CODES; ++l) {
            if (line[l] == LENGTH - 1) add(l);
        }
    }
};

}  // namespace morpion
