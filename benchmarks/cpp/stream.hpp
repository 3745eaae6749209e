// Random streams, keys, the exponential and the logarithm: the same bits as rookery's rng.py. And the clock.
#pragma once

#include <cstdint>
#include <cstring>
#include <ctime>

constexpr uint64_t GOLDEN = 0x9E3779B97F4A7C15u;

inline uint64_t finalise(uint64_t z) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

// Key of the index-th child of a nested call.
inline uint64_t mix(uint64_t key, uint64_t index) { return finalise(key ^ (GOLDEN * (index + 1))); }

// Key of the search of one run; the inner mix carries the version of the stream.
inline uint64_t search_key(uint64_t seed) { return mix(mix(finalise(seed + GOLDEN), 1), 0); }

// xoshiro256**, filled from a key by splitmix64.
struct Stream {
    uint64_t s[4];

    explicit Stream(uint64_t key) {
        for (uint64_t& word : s) word = finalise(key += GOLDEN);
    }
    uint64_t next() {
        const uint64_t s1 = s[1], product = s1 * 5;
        const uint64_t result = ((product << 7) | (product >> 57)) * 9;
        s[2] ^= s[0];
        s[3] ^= s1;
        s[1] ^= s[2];
        s[0] ^= s[3];
        s[2] ^= s1 << 17;
        s[3] = (s[3] << 45) | (s[3] >> 19);
        return result;
    }
    double uniform() { return static_cast<double>(static_cast<int64_t>(next() >> 11)) * 0x1p-53; }
    int below(int n) { return static_cast<int>(((next() >> 32) * static_cast<uint64_t>(n)) >> 32); }
};

// exp(x) = 2^k exp(r) with a twelve-term polynomial. No branch and no table, so that a loop over it
// vectorises. 2^k is built in the exponent field; k is read from the low bits of the shifted sum.
inline double exponential(double x, double low, double high) {
    constexpr double SHIFT = 6755399441055744.0;  // 1.5 * 2^52
    constexpr double F[13] = {1, 1, 2, 6, 24, 120, 720, 5040, 40320, 362880, 3628800, 39916800, 479001600};
    x = x < low ? low : x;
    x = x > high ? high : x;
    const double shifted = x * 1.4426950408889634 + SHIFT;
    const double k = shifted - SHIFT;
    const double r = (x - k * 0.6931471803691238) - k * 1.9082149292705877e-10;
    double p = 1 / F[12];
    for (int i = 11; i >= 0; --i) p = 1 / F[i] + r * p;
    uint64_t bits;
    std::memcpy(&bits, &shifted, 8);
    bits = (bits + 1023) << 52;
    double scale;
    std::memcpy(&scale, &bits, 8);
    return p * scale;
}

// Works on whole vectors: both arrays have room for n rounded up to a multiple of eight.
inline void exponentials(const double* __restrict x, double* __restrict result, int n) {
    // The compiler must not see the limits: it would carry constant results through the loop for the
    // arguments beyond them, which costs a fifth of the speed of a plain minimum and maximum.
    double low = -600.0, high = 600.0;
    asm("" : "+x"(low), "+x"(high));
    const int end = (n + 7) / 8 * 8;
    for (int i = 0; i < end; ++i) result[i] = exponential(x[i], low, high);
}

// The library's logarithm, of a number of at least 1.
inline double logarithm(double x) {
    double k = 0.0;
    for (; x > 1.5; x *= 0.5) k += 1.0;
    const double z = (x - 1.0) / (x + 1.0);
    double p = 0.0;
    for (int i = 23; i > 0; i -= 2) p = 1.0 / i + z * z * p;
    return k * 0.6931471805599453 + 2.0 * z * p;
}

// Seconds of this process alone: what else the machine does has no part in them.
inline double seconds_used() {
    timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}
