/* The hash of words and texts, the same on every platform: samples of counts made on different machines add up, because
 * a text has the same key everywhere. tests/counting/test_hash.py has the same functions in Python. */
#ifndef PROBLEX_HASH_H
#define PROBLEX_HASH_H

#include "platform.h"

/* Eight bytes as a little-endian number. */
static inline uint64_t px_load(const char *p) { uint64_t v; memcpy(&v, p, 8); return v; }

/* mix(a, b) = high ^ low of the 128-bit product (a ^ 0x9E3779B97F4A7C15) * (b ^ 0xD1B54A32D192ED03). */
PX_INLINE uint64_t px_mix(uint64_t a, uint64_t b) {
    uint64_t high, low = px_multiply(a ^ 0x9E3779B97F4A7C15ull, b ^ 0xD1B54A32D192ED03ull, &high);
    return high ^ low;
}

/* The key of a text of n bytes. Four lanes, so that it runs at the speed of memory, take turns with words of eight
 * bytes: little-endian and multiplied by `a` in blocks of 32 bytes; then big-endian and mixed with `a`, the last one as
 * long as it is. In the end the lanes are mixed. */
static uint64_t px_text_hash(const unsigned char *p, size_t n) {
    const uint64_t a = 0x452821E638D01377ull;  /* not one of the constants of px_mix, which would make a product zero */
    uint64_t lane[4] = {0x243F6A8885A308D3ull, 0x13198A2E03707344ull, 0xA4093822299F31D0ull ^ n,
                        0x082EFA98EC4E6C89ull + n};
    uint64_t word = 0;
    size_t at = 0;
    for (; at + 32 <= n; at += 32)
        for (int i = 0; i < 4; i++) {
            lane[i] = (lane[i] ^ px_load((const char *)p + at + 8 * (size_t)i)) * a;
            lane[i] ^= lane[i] >> 29;
        }
    for (; at < n; at++) {
        word = word << 8 | p[at];
        if ((at & 7) == 7 || at + 1 == n) { lane[at >> 3 & 3] = px_mix(lane[at >> 3 & 3] ^ word, a); word = 0; }
    }
    return px_mix(px_mix(lane[0], lane[1]), px_mix(lane[2], lane[3]));
}

/* A string with its first sixteen bytes, zeros behind a shorter one, and its hash. */
typedef struct { uint64_t first, second, hash; const char *at; uint32_t len; } px_token;

#define PX_SLACK 64             /* bytes that may be read behind a string in the buffers of the kernel */

/* Which bytes of the first sixteen belong to a string of some length. */
static const uint64_t px_mask[17][2] = {
#define PX_LOW(n) ((n) >= 8 ? UINT64_MAX : (1ull << (8 * (n) % 64)) - 1)
#define PX_BOTH(n) {PX_LOW(n), (n) <= 8 ? 0 : PX_LOW((n) - 8)}
    PX_BOTH(0), PX_BOTH(1), PX_BOTH(2),  PX_BOTH(3),  PX_BOTH(4),  PX_BOTH(5),  PX_BOTH(6),  PX_BOTH(7),  PX_BOTH(8),
    PX_BOTH(9), PX_BOTH(10), PX_BOTH(11), PX_BOTH(12), PX_BOTH(13), PX_BOTH(14), PX_BOTH(15), PX_BOTH(16)};

/* Hash a string: mix of its first two words of eight bytes; of a string of sixteen bytes or more the other words are
 * mixed in, then its length and its last eight bytes. Reads up to sixteen bytes behind a short string. */
PX_INLINE void px_hash(px_token *token, const char *p, uint32_t len) {
    const uint64_t *mask = px_mask[len < 16 ? len : 16];
    token->at = p; token->len = len;
    token->first = px_load(p) & mask[0];
    token->second = px_load(p + 8) & mask[1];
    uint64_t hash = px_mix(token->first, token->second);
    if (!PX_LIKELY(len < 16)) {
        for (uint32_t at = 16; at + 8 < len; at += 8) hash = px_mix(hash, px_load(p + at));
        hash = px_mix(hash + len, px_load(p + len - 8));
    }
    token->hash = hash;
}

/* The same without reading behind the string. */
static inline void px_hash_exactly(px_token *token, const char *p, uint32_t len) {
    char small[16] = {0};
    if (len >= 16) { px_hash(token, p, len); return; }
    memcpy(small, p, len);
    px_hash(token, small, len);
    token->at = p;
}

#endif
