/* Letters of Chinese, Japanese and Thai, 64 bytes at a time: texts in these languages come with a mark between words
 * (matching/segmentation.py), and nearly all of their letters, of three bytes each, stay as they are in every token. */
#ifndef PROBLEX_UNSPACED_H
#define PROBLEX_UNSPACED_H

#include "letters.h"

/* Where characters of some kinds begin: letters and Thai marks that stay as they are, those of the marks that belong
 * behind a letter, those below a letter and those above it that have an order, and what separates words. */
typedef struct { uint64_t letter, mark, below, above, stop; } px_unspaced;

#define PX_UNSPACED_BYTES 66  /* a character that begins at the last of 64 bytes has two more */

static inline int px_within(uint32_t x, uint32_t first, uint32_t last) { return x - first <= last - first; }

/* The mark between words, ideographic space, comma and full stop, and full-width signs and digits: not apostrophe. */
static inline int px_is_stop(uint32_t point) {
    return point == 0xFDD0 || px_within(point, 0x3000, 0x3002) || (px_within(point, 0xFF00, 0xFF20) && point != 0xFF07);
}

static inline int px_is_kana(uint32_t point) {
    return px_within(point, 0x3041, 0x3096) || px_within(point, 0x30A1, 0x30FA) || point == 0x30FC;
}

static inline int px_is_thai(uint32_t point) {
    return px_within(point, 0xE01, 0xE3A) || px_within(point, 0xE40, 0xE4E);
}

static inline int px_is_thai_mark(uint32_t point) {
    return point == 0xE31 || px_within(point, 0xE34, 0xE3A) || px_within(point, 0xE47, 0xE4E);
}

static inline int px_is_below(uint32_t point) { return px_within(point, 0xE38, 0xE3A); }
static inline int px_is_above(uint32_t point) { return px_within(point, 0xE48, 0xE4B); }

/* Whether all these characters are what they are taken for, as in most languages where accents are not removed. Chinese
 * ones, from U+4E00 to U+9FBF, are letters in all versions of Unicode. */
static int px_keeps_unspaced(px_counter *c) {
    int keeps = !c->plan.folds;
    if (c->plan.unspaced) return c->plan.unspaced > 0;
    for (uint32_t point = 0xE01; point <= 0xE4E && keeps; point++) {
        uint32_t value = px_value(c, point), mark = px_is_thai_mark(point) ? PX_MARK : 0;
        if (!px_is_thai(point)) continue;
        keeps = (value & (PX_POINT | PX_MARK | PX_SLOW)) == (point | mark);
        keeps = keeps && (px_is_below(point) || px_is_above(point) || !px_class(value));
    }
    for (uint32_t point = 0x3041; point <= 0x30FC && keeps; point++)
        keeps = !px_is_kana(point) || (px_value(c, point) & (PX_POINT | PX_MARK | PX_SLOW)) == point;
    for (uint32_t point = 0x3000; point <= 0xFF20 && keeps; point++) {
        if (!px_is_stop(point)) continue;
        uint32_t value = px_value(c, point);
        keeps = value == PX_BREAK || value == PX_CLAUSE;
    }
    c->plan.unspaced = keeps ? 1 : -1;
    return keeps;
}

static inline px_unspaced px_unspaced_plain(const unsigned char *p) {
    px_unspaced m = {0, 0, 0, 0, 0};
    for (int i = 0; i < 64; i++) {
        if (p[i] < 0xE0 || p[i] > 0xEF || (p[i + 1] & 0xC0) != 0x80 || (p[i + 2] & 0xC0) != 0x80) continue;
        uint32_t point = (p[i] & 0x0Fu) << 12 | (p[i + 1] & 0x3Fu) << 6 | (p[i + 2] & 0x3Fu);
        m.letter |= (uint64_t)(px_within(point, 0x4E00, 0x9FBF) || px_is_kana(point) || px_is_thai(point)) << i;
        m.mark |= (uint64_t)px_is_thai_mark(point) << i;
        m.below |= (uint64_t)px_is_below(point) << i;
        m.above |= (uint64_t)px_is_above(point) << i;
        m.stop |= (uint64_t)px_is_stop(point) << i;
    }
    return m;
}

#ifdef PX_X86
#define PX_IS(v, byte) _mm256_cmpeq_epi8(v, _mm256_set1_epi8((char)(byte)))
#define PX_AND _mm256_and_si256
#define PX_OR _mm256_or_si256

/* Which bytes are from one to another. */
PX_AVX2 PX_INLINE __m256i px_bytes_within(__m256i v, int first, int last) {
    __m256i range = _mm256_sub_epi8(v, _mm256_set1_epi8((char)first));
    return _mm256_cmpeq_epi8(_mm256_min_epu8(range, _mm256_set1_epi8((char)(last - first))), range);
}

PX_AVX2 PX_INLINE uint64_t px_bits(__m256i v, int half) {
    return (uint64_t)(uint32_t)_mm256_movemask_epi8(v) << (32 * half);
}

PX_AVX2 static inline px_unspaced px_unspaced_avx2(const unsigned char *p) {
    px_unspaced m = {0, 0, 0, 0, 0};
    for (int half = 0; half < 2; half++) {
        __m256i a = _mm256_loadu_si256((const __m256i *)(p + 32 * half));
        if (!_mm256_movemask_epi8(px_bytes_within(a, 0xE0, 0xEF))) continue;
        __m256i b = _mm256_loadu_si256((const __m256i *)(p + 32 * half + 1));
        __m256i c = _mm256_loadu_si256((const __m256i *)(p + 32 * half + 2)), most = _mm256_set1_epi8(-64);
        __m256i valid = PX_AND(_mm256_cmpgt_epi8(most, b), _mm256_cmpgt_epi8(most, c));  /* 0x80 to 0xBF */
        __m256i letter = PX_OR(px_bytes_within(a, 0xE5, 0xE8), PX_AND(PX_IS(a, 0xE4), px_bytes_within(b, 0xB8, 0xBF)));
        letter = PX_OR(letter, PX_AND(PX_IS(a, 0xE9), px_bytes_within(b, 0x80, 0xBE)));
        __m256i kana = PX_AND(PX_IS(b, 0x81), px_bytes_within(c, 0x81, 0xBF));
        __m256i middle = PX_OR(px_bytes_within(c, 0x80, 0x96), px_bytes_within(c, 0xA1, 0xBF));
        kana = PX_OR(kana, PX_AND(PX_IS(b, 0x82), middle));
        kana = PX_OR(kana, PX_AND(PX_IS(b, 0x83), PX_OR(px_bytes_within(c, 0x80, 0xBA), PX_IS(c, 0xBC))));
        letter = PX_OR(letter, PX_AND(PX_IS(a, 0xE3), kana));
        __m256i sign = _mm256_andnot_si256(PX_IS(c, 0x87), PX_AND(PX_IS(b, 0xBC), px_bytes_within(c, 0x80, 0xA0)));
        __m256i stop = PX_AND(PX_IS(a, 0xEF), PX_OR(sign, PX_AND(PX_IS(b, 0xB7), PX_IS(c, 0x90))));
        stop = PX_OR(stop, PX_AND(PX_IS(a, 0xE3), PX_AND(PX_IS(b, 0x80), px_bytes_within(c, 0x80, 0x82))));
        __m256i thai = PX_AND(PX_IS(a, 0xE0), valid), early = PX_AND(thai, PX_IS(b, 0xB8));
        __m256i late = PX_AND(thai, PX_IS(b, 0xB9));
        if (_mm256_movemask_epi8(thai)) {
            letter = PX_OR(letter, PX_AND(early, px_bytes_within(c, 0x81, 0xBA)));
            letter = PX_OR(letter, PX_AND(late, px_bytes_within(c, 0x80, 0x8E)));
            __m256i mark = PX_AND(early, PX_OR(PX_IS(c, 0xB1), px_bytes_within(c, 0xB4, 0xBA)));
            m.mark |= px_bits(PX_OR(mark, PX_AND(late, px_bytes_within(c, 0x87, 0x8E))), half);
            m.below |= px_bits(PX_AND(early, px_bytes_within(c, 0xB8, 0xBA)), half);
            m.above |= px_bits(PX_AND(late, px_bytes_within(c, 0x88, 0x8B)), half);
        }
        m.letter |= px_bits(PX_AND(letter, valid), half);
        m.stop |= px_bits(PX_AND(stop, valid), half);
    }
    return m;
}
#undef PX_IS
#undef PX_AND
#undef PX_OR
#endif

/* What goes on from 64 bytes to the next: characters of three bytes, and marks with an order. */
typedef struct { uint64_t letter, stop, ordered; } px_open;

/* The bytes of characters of three bytes. */
PX_INLINE uint64_t px_three_bytes(uint64_t first, uint64_t *open) {
    uint64_t bytes = first | first << 1 | first << 2 | *open;
    *open = first >> 63 | first >> 62;
    return bytes;
}

/* The bytes of letters that stay as they are; `apostrophe` is where one is just before: no mark belongs to it. Marks
 * below a letter stay before those above it only. */
PX_INLINE uint64_t px_kept_bytes(const px_unspaced *m, uint64_t apostrophe, px_open *open) {
    uint64_t ordered = m->below | m->above;
    uint64_t changed = (m->below & (ordered << 3 | open->ordered)) | (m->mark & apostrophe);
    open->ordered = ordered >> 61;
    return px_three_bytes(m->letter & ~changed, &open->letter);
}

#endif
