/* Text to tokens: 64 bytes at a time become bit masks, tokens are handled a block at a time.
 *
 * A document is cut into chunks: maximal runs of ASCII letters, inner apostrophes and bytes above 127. A chunk of
 * letters is a token, also with small letters of Latin-1; one with other bytes above 127 is cut again, character by
 * character, unless it is known. */
#ifndef PROBLEX_CUTTING_H
#define PROBLEX_CUTTING_H

#include "block.h"

typedef struct { uint64_t letter, apostrophe, high; } px_masks;

static inline px_masks px_classify_plain(const unsigned char *p, char *low) {
    px_masks m = {0, 0, 0};
    for (int i = 0; i < 64; i++) {
        unsigned char lowered = p[i] | 0x20;
        low[i] = (char)(p[i] < 128 ? lowered : p[i]);
        m.letter |= (uint64_t)((unsigned char)(lowered - 'a') < 26) << i;
        m.apostrophe |= (uint64_t)(p[i] == '\'') << i;
        m.high |= (uint64_t)(p[i] >> 7) << i;
    }
    return m;
}

/* Small letters of Latin-1 beyond ASCII, from U+00DF on, have two bytes in UTF-8: the lead 0xC3, and one that only they
 * have behind it. */
typedef struct { uint64_t lead, letter; } px_latin;

static inline int px_is_latin(unsigned char b) { return (b >= 0xA0 && b < 0xC0 && b != 0xB7) || b == 0x9F; }

static inline px_latin px_latin_plain(const unsigned char *p) {
    px_latin m = {0, 0};
    for (int i = 0; i < 64; i++) {
        m.lead |= (uint64_t)(p[i] == 0xC3) << i;
        m.letter |= (uint64_t)px_is_latin(p[i]) << i;
    }
    return m;
}

/* Whether these letters stay as they are in every token, as in most languages where accents are not removed. */
static int px_keeps_latin(px_counter *c) {
    int keeps = !c->plan.folds;
    if (c->plan.latin) return c->plan.latin > 0;
    for (uint32_t point = 0xDF; point <= 0xFF; point++)
        keeps = keeps && (point == 0xF7 || (px_value(c, point) & (PX_POINT | PX_MARK | PX_SLOW)) == point);
    c->plan.latin = keeps ? 1 : -1;
    return keeps;
}

/* The bytes above 127 that are not part of such a letter. `open` is whether the byte before was a lead. */
PX_INLINE uint64_t px_beyond_latin(uint64_t high, px_latin m, uint64_t next_is_letter, uint64_t *open) {
    uint64_t letters = m.letter & (m.lead << 1 | *open), leads = m.lead & (m.letter >> 1 | next_is_letter << 63);
    *open = m.lead >> 63;
    return high & ~(letters | leads);
}

#ifdef PX_X86
PX_AVX2 static inline px_latin px_latin_avx2(const unsigned char *p) {
    px_latin m = {0, 0};
    for (int half = 0; half < 2; half++) {
        __m256i v = _mm256_loadu_si256((const __m256i *)(p + 32 * half));
        __m256i range = _mm256_sub_epi8(v, _mm256_set1_epi8((char)0xA0));
        __m256i within = _mm256_cmpeq_epi8(_mm256_min_epu8(range, _mm256_set1_epi8(0x1F)), range);
        __m256i letter = _mm256_andnot_si256(_mm256_cmpeq_epi8(v, _mm256_set1_epi8((char)0xB7)), within);
        letter = _mm256_or_si256(letter, _mm256_cmpeq_epi8(v, _mm256_set1_epi8((char)0x9F)));
        __m256i lead = _mm256_cmpeq_epi8(v, _mm256_set1_epi8((char)0xC3));
        m.lead |= (uint64_t)(uint32_t)_mm256_movemask_epi8(lead) << (32 * half);
        m.letter |= (uint64_t)(uint32_t)_mm256_movemask_epi8(letter) << (32 * half);
    }
    return m;
}

PX_AVX2 static inline px_masks px_classify_avx2(const unsigned char *p, char *low) {
    px_masks m = {0, 0, 0};
    const __m256i bit = _mm256_set1_epi8(0x20), a = _mm256_set1_epi8('a'), z = _mm256_set1_epi8(25);
    const __m256i quote = _mm256_set1_epi8('\'');
    for (int half = 0; half < 2; half++) {
        __m256i v = _mm256_loadu_si256((const __m256i *)(p + 32 * half));
        __m256i lowered = _mm256_or_si256(v, bit);
        __m256i distance = _mm256_sub_epi8(lowered, a);
        _mm256_storeu_si256((__m256i *)(low + 32 * half), _mm256_blendv_epi8(lowered, v, v));  /* others stay */
        uint64_t letter = (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(_mm256_min_epu8(distance, z), distance));
        m.letter |= letter << (32 * half);
        m.apostrophe |= (uint64_t)(uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(v, quote)) << (32 * half);
        m.high |= (uint64_t)(uint32_t)_mm256_movemask_epi8(v) << (32 * half);
    }
    return m;
}
#endif

static inline int px_in_word(unsigned char b) { return b >= 128 || (unsigned char)((b | 0x20) - 'a') < 26; }

#define PX_WINDOW 2048

/* The places of the set bits of a mask. Eight at a time: the end of a loop over single bits would be mispredicted each
 * time, which costs more than a few places too many. */
PX_INLINE uint32_t *px_places(uint32_t *to, uint64_t bits, uint32_t base) {
    uint32_t *end = to + PX_POPCOUNT(bits);
    do {
        for (int i = 0; i < 8; i++) {
            to[i] = base + (uint32_t)PX_CTZ(bits | 1ull << 63);
            bits &= bits - 1;
        }
        to += 8;
    } while (bits);
    return end;
}

#ifdef PX_X86
PX_AVX512 static inline px_masks px_classify_avx512(const unsigned char *p, char *low) {
    __m512i v = _mm512_loadu_si512((const void *)p), lowered = _mm512_or_si512(v, _mm512_set1_epi8(0x20));
    __m512i distance = _mm512_sub_epi8(lowered, _mm512_set1_epi8('a'));
    px_masks m = {_mm512_cmple_epu8_mask(distance, _mm512_set1_epi8(25)),
                  _mm512_cmpeq_epi8_mask(v, _mm512_set1_epi8('\'')), _mm512_movepi8_mask(v)};
    _mm512_storeu_si512((void *)low, _mm512_mask_mov_epi8(lowered, m.high, v));
    return m;
}

PX_AVX512 static inline px_latin px_latin_avx512(const unsigned char *p) {
    __m512i v = _mm512_loadu_si512((const void *)p), range = _mm512_sub_epi8(v, _mm512_set1_epi8((char)0xA0));
    uint64_t within = _mm512_cmple_epu8_mask(range, _mm512_set1_epi8(0x1F));
    uint64_t without = _mm512_cmpeq_epi8_mask(v, _mm512_set1_epi8((char)0xB7));
    px_latin m = {_mm512_cmpeq_epi8_mask(v, _mm512_set1_epi8((char)0xC3)),
                  (within & ~without) | _mm512_cmpeq_epi8_mask(v, _mm512_set1_epi8((char)0x9F))};
    return m;
}

/* The same at once: the numbers 0 to 63 without those whose bit is not set. */
PX_AVX512 static inline uint32_t *px_places_avx512(uint32_t *to, uint64_t bits, uint32_t base) {
    static const uint8_t numbers[64] = {
        0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
        16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31,
        32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47,
        48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63};
    __m512i kept = _mm512_maskz_compress_epi8(bits, _mm512_loadu_si512((const void *)numbers));
    __m512i from = _mm512_set1_epi32((int)base);
    int n = PX_POPCOUNT(bits);
    _mm512_storeu_si512((void *)to, _mm512_add_epi32(from, _mm512_cvtepu8_epi32(_mm512_castsi512_si128(kept))));
    if (!PX_LIKELY(n <= 16))
        _mm512_storeu_si512((void *)(to + 16),
                            _mm512_add_epi32(from, _mm512_cvtepu8_epi32(_mm512_extracti32x4_epi32(kept, 1))));
    return to + n;
}
#endif

/* What is known of a window of text: where chunks start and end, and which bytes are above 127 and to be looked at. */
typedef struct {
    uint32_t start[PX_WINDOW / 2 + 80], end[PX_WINDOW / 2 + 80];
    uint64_t high[PX_WINDOW / 64];
    size_t starts, ends;
    uint64_t any_high;
} px_window;

/* Whether a chunk has such bytes within the window that begins at `from`. */
PX_INLINE int px_chunk_is_high(const px_window *w, size_t from, size_t start, size_t end) {
    size_t at = start > from ? start - from : 0, last = end - from - 1;
    if (end == from) return 0;  /* it ended with the window before */
    uint64_t bits = w->high[at / 64] >> (at & 63);
    if (PX_LIKELY(at / 64 == last / 64)) return (bits & ((2ull << (last - at)) - 1)) != 0;
    for (size_t i = at / 64 + 1; !bits && i < last / 64; i++) bits = w->high[i];
    return bits || (w->high[last / 64] & ((2ull << (last & 63)) - 1)) != 0;
}

/* Hash the tokens of the block from one on, fetch their slots, and mix them into the key of the document: from the
 * first with PX_HIGH on, which may be several words, they are mixed in again when they are taken. */
PX_INLINE void px_hash_tokens(px_counter *c, int from) {
    const px_slot *slots = c->words.slots;
    const uint64_t mask = c->words.mask;
    const char *low = c->doc.low;
    px_key key = c->doc.key;
    for (px_chunk *chunk = c->doc.block + from, *end = c->doc.block + c->doc.in_block; chunk < end; chunk++) {
        uint32_t len = chunk->len;
        const char *p = low + chunk->start;
        if (PX_LIKELY(len < 16)) {
            chunk->first = px_load(p) & px_mask[len][0];
            chunk->second = px_load(p + 8) & px_mask[len][1];
            chunk->hash = px_mix(chunk->first, chunk->second);
        } else {
            px_token token;
            px_hash(&token, p, len & PX_LENGTH);
            if (len & PX_HIGH && !c->doc.any_high) { c->doc.any_high = 1; c->doc.plain_key = key; }
            if (len & PX_HIGH) { chunk->second = chunk->second ? token.hash : 0; token.hash &= UINT64_MAX >> 8; }
            else chunk->second = UINT64_MAX;
            chunk->first = UINT64_MAX;
            chunk->hash = token.hash;
        }
        PX_PREFETCH(&slots[chunk->hash & mask]);
        key = px_mix_word(key, chunk->hash);
    }
    c->doc.key = key;
}

/* Count a full block, of which tokens from `*hashed` on are not hashed yet: at once would be too soon, for what was
 * just written byte by byte cannot be read as a whole. */
static void px_flush_hashed(px_counter *c, int *hashed) {
    px_hash_tokens(c, *hashed);
    px_flush_block(c);
    *hashed = 0;
}

/* Add a token to the block. */
PX_INLINE void px_put_token(px_counter *c, size_t start, uint32_t len, int as_written, int *hashed) {
    px_chunk *chunk = c->doc.block + c->doc.in_block++;
    chunk->start = (uint32_t)start; chunk->len = len; chunk->second = (uint64_t)as_written;
    if (c->doc.in_block == PX_BLOCK) px_flush_hashed(c, hashed);
}

#define PX_WRITTEN 48  /* more bytes are hardly one word: text without spaces is one chunk, with all its punctuation */

/* Whether a chunk with bytes above 127 is likely to be one token as it is: if its first character is. Where that is
 * ASCII or Chinese, of whose letters a word has few, the chunk is cut as fast as it is looked up. */
static inline int px_may_be_written(px_counter *c, size_t start, size_t end) {
    uint32_t len, point = px_decode(c->doc.text + start, end - start, &len);
    if (end - start > PX_WRITTEN || point - 0x2E80u < 0xA000u - 0x2E80u) return 0;
    return !c->plan.folds && point > 127 && (px_value(c, point) & (PX_POINT | PX_MARK | PX_SLOW)) == point;
}

/* Add the tokens of a chunk with bytes above 127. */
static void px_cut_high(px_counter *c, size_t start, size_t end, int *hashed) {
    size_t from = start, at = start;
    if (px_may_be_written(c, start, end)) {
        px_put_token(c, start, (uint32_t)(end - start) | PX_HIGH, 1, hashed);
        return;
    }
    for (uint32_t len; !c->failed && (len = px_next_token(c, &from, &at, end, c->doc.low)) != 0;)
        px_put_token(c, from, len, 0, hashed);
}

/* Hash the chunks of a window, and count them a block at a time. */
PX_INLINE void px_emit(px_counter *c, const px_window *w, size_t from, size_t n, int open_high) {
    int hashed = c->doc.in_block;
    for (size_t i = 0; PX_LIKELY(!w->any_high) && i < n;) {
        size_t left = (size_t)(PX_BLOCK - c->doc.in_block), stop = n - i < left ? n : i + left;
        px_chunk *chunk = c->doc.block + c->doc.in_block;
        c->doc.in_block += (int)(stop - i);
        for (; i < stop; i++, chunk++) { chunk->start = w->start[i]; chunk->len = w->end[i] - w->start[i]; }
        px_hash_tokens(c, hashed);
        if (c->doc.in_block == PX_BLOCK) px_flush_block(c);
        hashed = c->doc.in_block;
    }
    for (size_t i = 0; w->any_high && i < n && !c->failed; i++) {
        px_chunk *const first = c->doc.block + c->doc.in_block, *const full = c->doc.block + PX_BLOCK, *chunk = first;
        int high = 0;
        for (; i < n && chunk < full; i++, chunk++) {
            uint32_t start = w->start[i], end = w->end[i];
            high = (i == 0 && open_high) || px_chunk_is_high(w, from, start, end);
            if (high) break;
            chunk->start = start; chunk->len = end - start;
        }
        c->doc.in_block += (int)(chunk - first);
        if (chunk == full) { px_flush_hashed(c, &hashed); i--; }
        else if (high) px_cut_high(c, w->start[i], w->end[i], &hashed);
    }
    px_hash_tokens(c, hashed);
}

#define PX_NAME px_cut_plain
#define PX_TARGET
#define PX_CLASSIFY px_classify_plain
#define PX_LATIN px_latin_plain
#define PX_PLACES px_places
#include "cut.inc"

#ifdef PX_X86
#define PX_NAME px_cut_avx2
#define PX_TARGET PX_AVX2
#define PX_CLASSIFY px_classify_avx2
#define PX_LATIN px_latin_avx2
#define PX_PLACES px_places
#include "cut.inc"

#define PX_NAME px_cut_avx512
#define PX_TARGET PX_AVX512
#define PX_CLASSIFY px_classify_avx512
#define PX_LATIN px_latin_avx512
#define PX_PLACES px_places_avx512
#include "cut.inc"
#endif

#endif
