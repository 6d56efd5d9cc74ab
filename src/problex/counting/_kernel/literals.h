/* Strings that are matched as they are: `:)`, `a+`, `f**k`. */
#ifndef PROBLEX_LITERALS_H
#define PROBLEX_LITERALS_H

#include "counter.h"

static inline unsigned char px_lowered(unsigned char b) { return b >= 'A' && b <= 'Z' ? b | 0x20 : b; }

static inline int px_alnum(unsigned char b) {
    return (unsigned char)((b | 0x20) - 'a') < 26 || (unsigned char)(b - '0') < 10;
}

/* Whether a literal is at a place of the text: an edge that is a letter or digit must be the edge of a word, too. */
static int px_literal_matches(const px_counter *c, const px_literal *literal, size_t start, size_t size) {
    const unsigned char *p = c->doc.text + start;
    uint32_t len = literal->len;
    if (start + len > size) return 0;
    for (uint32_t i = 0; i < len; i++) if (px_lowered(p[i]) != literal->text[i]) return 0;
    if (px_alnum(p[0]) && start && (px_alnum(p[-1]) || p[-1] >= 128)) return 0;
    return !(px_alnum(p[len - 1]) && start + len < size && (px_alnum(p[len]) || p[len] >= 128));
}

/* Note the literals whose anchor is the byte at a place. */
static void px_try_literals(px_counter *c, size_t at, size_t size) {
    unsigned char byte = px_lowered(c->doc.text[at]);
    for (size_t i = c->literals.anchor[byte] - 1u; i < c->literals.size; i++) {
        const px_literal *literal = &c->literals.literal[i];
        if (literal->text[literal->anchor] != byte) break;  /* those with the same anchor come one after the other */
        if (at < literal->anchor || !px_literal_matches(c, literal, at - literal->anchor, size)) continue;
        if (PX_RESERVE(c->literals.hit, c->literals.hit_capacity, c->literals.hits + 1)) { px_fail(c); return; }
        px_hit hit = {at - literal->anchor, literal->len, literal->word};
        c->literals.hit[c->literals.hits++] = hit;
    }
}

static void px_find_anchors_from(px_counter *c, size_t at, size_t size) {
    for (; at < size; at++) if (c->literals.anchor[px_lowered(c->doc.text[at])]) px_try_literals(c, at, size);
}

#ifdef PX_X86
PX_AVX2 static void px_find_anchors_avx2(px_counter *c, size_t size) {
    const __m256i fifteen = _mm256_set1_epi8(15);
    __m256i table[4];
    for (int i = 0; i < 4; i++)
        table[i] = _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)c->literals.nibble[i]));
    size_t at = 0;
    for (; at + 32 <= size; at += 32) {
        __m256i v = _mm256_loadu_si256((const __m256i *)(c->doc.text + at));
        __m256i low = _mm256_and_si256(v, fifteen), high = _mm256_and_si256(_mm256_srli_epi16(v, 4), fifteen);
        __m256i ascii = _mm256_and_si256(_mm256_shuffle_epi8(table[0], low), _mm256_shuffle_epi8(table[1], high));
        __m256i above = _mm256_and_si256(_mm256_shuffle_epi8(table[2], low), _mm256_shuffle_epi8(table[3], high));
        __m256i none = _mm256_cmpeq_epi8(_mm256_or_si256(ascii, above), _mm256_setzero_si256());
        for (uint32_t found = ~(uint32_t)_mm256_movemask_epi8(none); found; found &= found - 1)
            px_try_literals(c, at + (size_t)PX_CTZ(found), size);
    }
    px_find_anchors_from(c, at, size);
}

PX_AVX512 static void px_find_anchors_avx512(px_counter *c, size_t size) {
    const __m512i fifteen = _mm512_set1_epi8(15);
    __m512i table[4];
    for (int i = 0; i < 4; i++)
        table[i] = _mm512_broadcast_i32x4(_mm_loadu_si128((const __m128i *)c->literals.nibble[i]));
    size_t at = 0;
    for (; at + 64 <= size; at += 64) {
        __m512i v = _mm512_loadu_si512((const void *)(c->doc.text + at));
        __m512i low = _mm512_and_si512(v, fifteen), high = _mm512_and_si512(_mm512_srli_epi16(v, 4), fifteen);
        uint64_t found = _mm512_test_epi8_mask(_mm512_shuffle_epi8(table[0], low), _mm512_shuffle_epi8(table[1], high));
        if (c->literals.high_anchors)
            found |= _mm512_test_epi8_mask(_mm512_shuffle_epi8(table[2], low), _mm512_shuffle_epi8(table[3], high));
        for (; found; found &= found - 1) px_try_literals(c, at + (size_t)PX_CTZ(found), size);
    }
    px_find_anchors_from(c, at, size);
}
#endif

static int px_by_place(const void *a, const void *b) {
    const px_hit *x = (const px_hit *)a, *y = (const px_hit *)b;
    if (x->start != y->start) return x->start < y->start ? -1 : 1;
    return x->len > y->len ? -1 : x->len < y->len;
}

#endif
