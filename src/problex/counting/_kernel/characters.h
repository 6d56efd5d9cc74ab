/* Characters beyond ASCII: decoding, lower case and normalisation (NFC), by tables that Python fills a block at a time
 * (matching/characters.py, which says what the values mean). */
#ifndef PROBLEX_CHARACTERS_H
#define PROBLEX_CHARACTERS_H

#include "counter.h"

#define PX_POINT ((1u << 21) - 1)  /* the bits of a value that are a character */
#define PX_REPLACEMENT 0xFFFDu
#define PX_NORMALIZATION 0x1100u   /* behind the number of the last block: what px_load is asked for */

/* The character at the start of some bytes, and its length. What is not UTF-8 is read as Python replaces it, but byte
 * by byte, which separates tokens in the same way. */
PX_INLINE uint32_t px_decode(const unsigned char *p, size_t left, uint32_t *len) {
    uint32_t first = p[0], point;
    *len = 1;
    if (first < 0x80) return first;
    if (first < 0xC2 || first > 0xF4 || left < 2 || (p[1] & 0xC0) != 0x80) return PX_REPLACEMENT;
    if (first < 0xE0) { *len = 2; return (first & 0x1F) << 6 | (p[1] & 0x3F); }
    if (left < 3 || (p[2] & 0xC0) != 0x80) return PX_REPLACEMENT;
    point = (uint32_t)(p[1] & 0x3F) << 6 | (p[2] & 0x3F);
    if (first < 0xF0) {
        point |= (first & 0x0F) << 12;
        if (point < 0x800 || point - 0xD800 < 0x800) return PX_REPLACEMENT;
        *len = 3;
        return point;
    }
    if (left < 4 || (p[3] & 0xC0) != 0x80) return PX_REPLACEMENT;
    point = (first & 0x07) << 18 | point << 6 | (p[3] & 0x3F);
    if (point - 0x10000 >= 0x100000) return PX_REPLACEMENT;
    *len = 4;
    return point;
}

static inline char *px_encode(char *to, uint32_t point) {
    if (point < 0x80) { *to++ = (char)point; return to; }
    if (point < 0x800) *to++ = (char)(0xC0 | point >> 6);
    else {
        if (point < 0x10000) *to++ = (char)(0xE0 | point >> 12);
        else { *to++ = (char)(0xF0 | point >> 18); *to++ = (char)(0x80 | (point >> 12 & 0x3F)); }
        *to++ = (char)(0x80 | (point >> 6 & 0x3F));
    }
    *to++ = (char)(0x80 | (point & 0x3F));
    return to;
}

/* The value of a character of a block that was not looked up yet. */
static uint32_t px_look_up(px_counter *c, uint32_t point) {
    if (c->failed || c->load(c, point >> 8)) { px_fail(c); return PX_BREAK; }
    return c->plan.characters[point];
}

PX_INLINE uint32_t px_value(px_counter *c, uint32_t point) {
    uint32_t value = c->plan.characters[point];
    return PX_LIKELY(value) ? value : px_look_up(c, point);
}

/* Whether a value is that of a letter. */
PX_INLINE int px_is_letter(uint32_t value) { return value > PX_CLAUSE && !(value & PX_MARK); }

/* The combining class of a character by its value. */
PX_INLINE uint32_t px_class(uint32_t value) { return value >> 24 & (0u - (value >> 21 & 1)); }

/* ---- normalisation ---- */

/* Parts of Hangul syllables: the first of the leading consonants, vowels, final consonants and syllables. */
enum { PX_L = 0x1100, PX_V = 0x1161, PX_T = 0x11A7, PX_S = 0xAC00, PX_VT = 21 * 28, PX_SYLLABLES = 19 * PX_VT };

static int px_push(px_counter *c, px_points *points, uint32_t point) {
    if (PX_RESERVE(points->at, points->capacity, points->size + 1)) return px_fail(c);
    points->at[points->size++] = point;
    return 0;
}

/* Add a character taken apart. */
static int px_take_apart(px_counter *c, px_points *to, uint32_t point) {
    const px_normalization *tables = &c->plan.normalization;
    size_t low = 0, high = tables->size;
    if (point - PX_S < PX_SYLLABLES) {
        uint32_t s = point - PX_S;
        if (px_push(c, to, PX_L + s / PX_VT) || px_push(c, to, PX_V + s % PX_VT / 28)) return -1;
        return s % 28 ? px_push(c, to, PX_T + s % 28) : 0;
    }
    while (low < high) {
        size_t mid = (low + high) / 2;
        if (tables->point[mid] < point) low = mid + 1; else high = mid;
    }
    if (low == tables->size || tables->point[low] != point) return px_push(c, to, point);
    for (uint32_t i = low ? tables->end[low - 1] : 0; i < tables->end[low]; i++)
        if (px_push(c, to, tables->part[i])) return -1;
    return 0;
}

/* The character that two become, or 0. */
static uint32_t px_composed(const px_counter *c, uint32_t a, uint32_t b) {
    const px_normalization *tables = &c->plan.normalization;
    uint64_t pair = (uint64_t)a << 32 | b;
    size_t low = 0, high = tables->pairs;
    if (a - PX_L < 19 && b - PX_V < 21) return PX_S + ((a - PX_L) * 21 + (b - PX_V)) * 28;
    if (a - PX_S < PX_SYLLABLES && (a - PX_S) % 28 == 0 && b - PX_T - 1 < 27) return a + (b - PX_T);
    while (low < high) {
        size_t mid = (low + high) / 2;
        if (tables->pair[mid] < pair) low = mid + 1; else high = mid;
    }
    return low < tables->pairs && tables->pair[low] == pair ? tables->composed[low] : 0;
}

/* Marks in the order of their classes; those of one class keep theirs. A run is counted by class: sorting by exchange
 * would take a text of a million marks hours. */
static int px_order_marks(px_counter *c, px_points *points) {
    px_points *sorted = &c->doc.points[2];
    for (size_t i = 0, end; i < points->size; i = end + (end == i)) {
        size_t place[257] = {0};
        int ordered = 1;
        uint32_t last = 0, class;
        for (end = i; end < points->size && (class = px_class(px_value(c, points->at[end]))) != 0; end++) {
            ordered &= class >= last;
            place[class + 1]++;
            last = class;
        }
        if (ordered) continue;
        if (PX_RESERVE(sorted->at, sorted->capacity, end - i)) return px_fail(c);
        for (int k = 1; k < 257; k++) place[k] += place[k - 1];
        for (size_t k = i; k < end; k++) sorted->at[place[px_class(px_value(c, points->at[k]))]++] = points->at[k];
        memcpy(points->at + i, sorted->at, (end - i) * sizeof *sorted->at);
    }
    return 0;
}

/* Compose each character with those behind it: all up to the next that has no class and is not composed, except where
 * one between them has the same class or a higher one. */
static void px_compose(px_counter *c, px_points *points) {
    size_t size = 0, starter = SIZE_MAX;
    uint32_t last = 0;  /* the class of the character before */
    for (size_t i = 0; i < points->size; i++) {
        uint32_t point = points->at[i], class = px_class(px_value(c, point));
        uint32_t composed = 0;
        if (starter != SIZE_MAX && (starter + 1 == size || last < class))
            composed = px_composed(c, points->at[starter], point);
        if (composed) { points->at[starter] = composed; continue; }
        if (!class) starter = size;
        last = class;
        points->at[size++] = point;
    }
    points->size = size;
}

/* NFC of some characters; the tables are asked for when they are first needed. */
static int px_normalize(px_counter *c, const px_points *from, px_points *to) {
    to->size = 0;
    if (!c->plan.normalization.size && c->load(c, PX_NORMALIZATION)) return px_fail(c);
    for (size_t i = 0; i < from->size; i++) if (px_take_apart(c, to, from->at[i])) return -1;
    if (px_order_marks(c, to)) return -1;
    px_compose(c, to);
    return c->failed ? -1 : 0;
}

/* ---- tokens that depend on more than one character at a time ---- */

#define PX_CAPITAL_SIGMA 0x3A3u
#define PX_DOTTED_I 0x130u

/* Whether the nearest character that is not ignored, in one direction, has a case. */
static int px_case_beside(px_counter *c, const px_points *points, size_t at, int step) {
    for (at += (size_t)step; at < points->size; at += (size_t)step) {
        uint32_t value = px_value(c, points->at[at]);
        if (value == PX_APOSTROPHE || value & PX_IGNORABLE) continue;
        return px_is_letter(value) && value & PX_CASED;
    }
    return 0;
}

/* The characters of a token, which are in NFC, in lower case and without accents if these are removed. */
static int px_lower(px_counter *c, const px_points *from, px_points *to) {
    to->size = 0;
    for (size_t i = 0; i < from->size; i++) {
        uint32_t point = from->at[i], value = px_value(c, point), lower = value & PX_POINT;
        if (value == PX_APOSTROPHE) lower = '\'';
        if (point == PX_CAPITAL_SIGMA)  /* another one where a word ends */
            lower = px_case_beside(c, from, i, -1) && !px_case_beside(c, from, i, 1) ? 0x3C2 : 0x3C3;
        if (value & PX_MARK && value & PX_SLOW && c->plan.folds) {  /* some of its parts may stay */
            size_t first = to->size, kept = first;
            if (px_take_apart(c, to, point)) return -1;
            for (size_t k = first; k < to->size; k++)
                if (px_value(c, to->at[k]) & PX_POINT) to->at[kept++] = to->at[k];
            to->size = kept;
        } else if (lower && px_push(c, to, lower)) return -1;
        if (point == PX_DOTTED_I && !c->plan.folds && px_push(c, to, 0x307)) return -1;
    }
    return 0;
}

/* The token that some bytes become, all of them; NULL when memory is used up. */
static const char *px_slow_token(px_counter *c, const unsigned char *p, size_t len, uint32_t *size) {
    px_points *a = &c->doc.points[0], *b = &c->doc.points[1];
    uint32_t n;
    a->size = 0;
    for (size_t at = 0; at < len; at += n) if (px_push(c, a, px_decode(p + at, len - at, &n))) return NULL;
    if (px_normalize(c, a, b) || px_lower(c, b, a)) return NULL;
    if (c->plan.folds) {
        if (px_normalize(c, a, b)) return NULL;
        a = b;
    }
    if (PX_RESERVE(c->doc.scratch, c->doc.scratch_capacity, 4 * a->size + PX_SLACK)) { px_fail(c); return NULL; }
    char *to = c->doc.scratch;
    for (size_t i = 0; i < a->size; i++) to = px_encode(to, a->at[i]);
    *size = (uint32_t)(to - c->doc.scratch);
    return c->doc.scratch;
}

#endif
