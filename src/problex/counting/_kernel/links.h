/* Links, addresses and handles, which are no words: they are blanked before a text is cut. The rules are those of
 * matching/links.py. */
#ifndef PROBLEX_LINKS_H
#define PROBLEX_LINKS_H

#include "characters.h"
#include "literals.h"

/* The bytes of the word character at a place, or 0. */
static uint32_t px_word_character(px_counter *c, const unsigned char *text, size_t at, size_t size) {
    uint32_t len;
    if (at >= size || text[at] >= 0xE0) return 0;
    if (text[at] < 128) return px_alnum(text[at]) || text[at] == '_';
    return px_value(c, px_decode(text + at, size - at, &len)) > PX_CLAUSE ? len : 0;
}

/* Where the character begins that ends at a place, which is not the start of the text. */
static size_t px_character_before(const unsigned char *text, size_t at) {
    size_t start = at - 1;
    while (start && at - start < 3 && (text[start] & 0xC0) == 0x80) start--;
    return start;
}

/* The bytes of the word character that ends at a place and does not begin before another, or 0. */
static uint32_t px_word_character_before(px_counter *c, const unsigned char *text, size_t at, size_t from) {
    size_t start = at > from ? px_character_before(text, at) : at;
    uint32_t len = start < from ? 0 : px_word_character(c, text, start, at);
    return len == at - start ? len : 0;
}

/* The bytes of what joins word characters, an apostrophe or in an address also another sign, or 0. */
static uint32_t px_joining_sign(px_counter *c, const unsigned char *text, size_t at, size_t size, int address) {
    uint32_t len = 0;
    if (at < size && address && (text[at] == '.' || text[at] == '-' || text[at] == '+')) return 1;
    return at < size && px_value(c, px_decode(text + at, size - at, &len)) == PX_APOSTROPHE ? len : 0;
}

/* Where word characters and what joins them end; an address needs a dot among them. */
static size_t px_name_end(px_counter *c, const unsigned char *text, size_t start, size_t size, int address) {
    size_t end = start, at = start;
    int dots = !address;
    for (uint32_t len = 0;;) {
        while ((len = px_word_character(c, text, at, size)) != 0) end = at += len;
        len = end > start ? px_joining_sign(c, text, at, size, address) : 0;
        if (!len || !px_word_character(c, text, at + len, size)) return dots ? end : start;
        dots |= text[at] == '.';
        at += len;
    }
}

/* Where the part of an address begins that ends at a place. */
static size_t px_address_start(px_counter *c, const unsigned char *text, size_t at, size_t from) {
    for (uint32_t len = 0;;) {
        while ((len = px_word_character_before(c, text, at, from)) != 0) at -= len;
        size_t sign = at > from ? px_character_before(text, at) : at;
        len = sign < from ? 0 : px_joining_sign(c, text, sign, at, 1);
        if (!len || !px_word_character_before(c, text, at - len, from)) return at;
        at -= len;
    }
}

/* Where a link ends. */
static size_t px_link_end(px_counter *c, const unsigned char *text, size_t at, size_t size) {
    size_t end = at;
    for (uint32_t len; at < size && !c->failed;) {
        unsigned char b = text[at];
        len = b > ' ' && b < 127 ? b != '"' && b != '<' && b != '>' : px_word_character(c, text, at, size);
        if (!len) break;
        at += len;
        if (b >= 128 || !strchr(".,:;!?'()[]{}", b)) end = at;
    }
    return end;
}

static int px_is_text(const unsigned char *p, const char *text, size_t len) {
    for (size_t i = 0; i < len; i++) if (px_lowered(p[i]) != (unsigned char)text[i]) return 0;
    return 1;
}

/* Whether a byte is the sign of a link, an address or a handle: `@`, the colon of `http://`, or the dot of `www.`. */
static int px_is_sign(const unsigned char *text, size_t at, size_t size) {
    if (text[at] == '@') return 1;
    if (text[at] == '.') return at >= 3 && px_is_text(text + at - 3, "www", 3);
    return text[at] == ':' && size - at >= 3 && text[at + 1] == '/' && text[at + 2] == '/' &&
           ((at >= 4 && px_is_text(text + at - 4, "http", 4)) || (at >= 5 && px_is_text(text + at - 5, "https", 5)));
}

/* Where what a sign is part of ends, and in *start where it begins, not before `done`; *start if it is nothing. */
static size_t px_link_at(px_counter *c, const unsigned char *text, size_t at, size_t size, size_t done, size_t *start) {
    size_t end;
    *start = at;
    if (text[at] == '@') {
        int address = px_word_character_before(c, text, at, 0) != 0;
        end = px_name_end(c, text, at + 1, size, address);
        if (end == at + 1) return at;
        if (address) *start = px_address_start(c, text, at, done);
        return end;
    }
    if (text[at] == '.') {
        if (px_word_character_before(c, text, at - 3, 0) || !px_word_character(c, text, at + 1, size)) return at;
        *start = at - 3;
        end = px_link_end(c, text, at + 1, size);
    } else {
        *start = at - (px_lowered(text[at - 1]) == 's' ? 5 : 4);
        end = px_link_end(c, text, at + 3, size);
    }
    if (*start < done) *start = done;
    return end;
}

#define PX_SIGN_BYTES 65  /* the one behind 64 is read, too */

/* Whether one of 64 bytes may be such a sign, or the second `w` before one: `w.` ends many sentences. */
static inline int px_may_have_sign_plain(const unsigned char *p) {
    int found = 0;
    for (int i = 0; i < 64; i++)
        found |= (p[i] == '@') | ((p[i] == ':') & (p[i + 1] == '/'))
            | (((p[i] | 0x20) == 'w') & ((p[i + 1] | 0x20) == 'w'));
    return found;
}

#ifdef PX_X86
PX_AVX2 PX_INLINE int px_may_have_sign_avx2(const unsigned char *p) {
    __m256i found = _mm256_setzero_si256();
    for (int half = 0; half < 2; half++) {
        __m256i v = _mm256_loadu_si256((const __m256i *)(p + 32 * half));
        __m256i next = _mm256_loadu_si256((const __m256i *)(p + 32 * half + 1));
        __m256i colon = _mm256_cmpeq_epi8(v, _mm256_set1_epi8(':'));
        __m256i letter = _mm256_cmpeq_epi8(_mm256_or_si256(v, _mm256_set1_epi8(0x20)), _mm256_set1_epi8('w'));
        __m256i second = _mm256_cmpeq_epi8(_mm256_or_si256(next, _mm256_set1_epi8(0x20)), _mm256_set1_epi8('w'));
        colon = _mm256_and_si256(colon, _mm256_cmpeq_epi8(next, _mm256_set1_epi8('/')));
        found = _mm256_or_si256(found, _mm256_cmpeq_epi8(v, _mm256_set1_epi8('@')));
        found = _mm256_or_si256(found, _mm256_or_si256(colon, _mm256_and_si256(letter, second)));
    }
    return !_mm256_testz_si256(found, found);
}
#endif

/* The next sign of a text from a place on, or its size. Most texts have none, so 64 bytes are looked at together. */
#define PX_NEXT_SIGN(name, target, may_have_sign) \
    target static size_t name(const unsigned char *text, size_t from, size_t size) { \
        for (size_t at = from < 2 ? 0 : from - 2; at < size; at += 64) { \
            unsigned char tail[PX_SIGN_BYTES]; \
            const unsigned char *p = text + at; \
            if (size < sizeof tail) { memset(tail, 0, sizeof tail); memcpy(tail, text, size); p = tail; } \
            else if (size - at < sizeof tail) p = text + size - sizeof tail; \
            if (PX_LIKELY(!may_have_sign(p))) continue; \
            for (size_t i = at < from ? from : at; i < size && i <= at + 65; i++) \
                if (px_is_sign(text, i, size)) return i; \
        } \
        return size; \
    }

PX_NEXT_SIGN(px_next_sign_plain, , px_may_have_sign_plain)
#ifdef PX_X86
PX_NEXT_SIGN(px_next_sign_avx2, PX_AVX2, px_may_have_sign_avx2)
#endif

/* A text as it is cut: the same, or without its links. */
static const unsigned char *px_without_links(px_counter *c, const unsigned char *text, size_t size, int fast) {
    size_t (*next_sign)(const unsigned char *, size_t, size_t) = px_next_sign_plain;
    size_t done = 0;
#ifdef PX_X86
    if (fast) next_sign = px_next_sign_avx2;
#endif
    (void)fast;
    for (size_t at = next_sign(text, 0, size), start; at < size && !c->failed;) {
        size_t end = px_link_at(c, text, at, size, done, &start);
        if (end > start) {
            if (!done) {
                if (PX_RESERVE(c->doc.unlinked, c->doc.unlinked_capacity, size)) { px_fail(c); return text; }
                memcpy(c->doc.unlinked, text, size);
            }
            memset(c->doc.unlinked + start, 0, end - start);
            done = end;
        }
        at = next_sign(text, end > at ? end : at + 1, size);
    }
    return done ? c->doc.unlinked : text;
}

#endif
