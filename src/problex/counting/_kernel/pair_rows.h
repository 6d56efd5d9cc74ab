/* Sums of pairs in memory: of each row the columns, in ascending order, and their sums, both as bytes.
 *
 * A column is the difference to the one before, since most are near each other, and both numbers have seven bits to a
 * byte: a pair takes two to three bytes where an array of keys and one of sums would take sixteen. A large lexicon has
 * tens of millions of pairs. Rows and columns are (list, item), 8 and 24 bits: what ascends goes on ascending when new
 * items appear. */
#ifndef PROBLEX_PAIR_ROWS_H
#define PROBLEX_PAIR_ROWS_H

#include "counter.h"

#define PX_ITEM_BITS 24
#define PX_ITEMS (1 << PX_ITEM_BITS)
#define PX_LISTS (1 << (32 - PX_ITEM_BITS))  /* a list and an item have 32 bits */
#define PX_PAIR_BYTES 15  /* at most: five for a column, ten for a sum */

static inline uint32_t px_half(const px_counter *c, uint32_t item) {
    return (uint32_t)c->items.list[item] << PX_ITEM_BITS | item;
}

static void px_pairs_free(px_pairs *pairs) {
    free(pairs->row); px_large_free(pairs->byte);
    memset(pairs, 0, sizeof *pairs);
}

static inline size_t px_pairs_used(const px_pairs *pairs) { return pairs->rows ? pairs->row[pairs->rows - 1].end : 0; }

/* Where the bytes of a row begin. */
static inline const unsigned char *px_row_start(const px_pairs *pairs, size_t row) {
    return pairs->byte + (row ? pairs->row[row - 1].end : 0);
}

/* Memory for one more row and so many more bytes. */
static int px_pairs_reserve(px_pairs *pairs, size_t bytes) {
    size_t used = px_pairs_used(pairs);
    if (PX_RESERVE(pairs->row, pairs->row_capacity, pairs->rows + 1)) return -1;
    if (used + bytes <= pairs->capacity) return 0;
    size_t capacity = used + used / 2 + bytes;
    unsigned char *larger = (unsigned char *)px_large(capacity);
    if (!larger) return -1;
    if (used) memcpy(larger, pairs->byte, used);
    px_large_free(pairs->byte);
    pairs->byte = larger; pairs->capacity = capacity;
    return 0;
}

/* The next row, whose bytes, up to `end`, are there. */
static inline void px_end_pairs(px_pairs *pairs, uint32_t half, uint32_t count, const unsigned char *end) {
    pairs->row[pairs->rows++] = (px_pair_row){(uint64_t)(end - pairs->byte), half, count};
    pairs->size += count;
}

/* ---- numbers as bytes ---- */

PX_INLINE unsigned char *px_put_number(unsigned char *to, uint64_t number) {
    for (; number > 127; number >>= 7) *to++ = (unsigned char)(number | 128);
    *to++ = (unsigned char)number;
    return to;
}

PX_INLINE const unsigned char *px_get_number(const unsigned char *from, uint64_t *number) {
    uint64_t all = *from & 127u;
    for (int bits = 7; *from++ & 128; bits += 7) all |= (uint64_t)(*from & 127u) << bits;
    *number = all;
    return from;
}

/* The next pair of a row: `column` is the one before, or 0 at the start. */
PX_INLINE const unsigned char *px_get_pair(const unsigned char *from, uint32_t *column, int64_t *value) {
    if (PX_LIKELY(!((from[0] | from[1]) & 128))) {  /* a byte each, as nearly all */
        *column += from[0];
        *value = from[1];
        return from + 2;
    }
    uint64_t number;
    from = px_get_number(from, &number);
    *column += (uint32_t)number;
    from = px_get_number(from, &number);
    *value = (int64_t)number;
    return from;
}

/* One more pair of a row, behind the column `last`. */
PX_INLINE unsigned char *px_put_pair(unsigned char *to, uint32_t column, uint32_t last, int64_t value) {
    return px_put_number(px_put_number(to, column - last), (uint64_t)value);
}

/* The same unless the value is 0. Whether it is cannot be predicted, so that the usual case has no branch for it. */
PX_INLINE unsigned char *px_put_if(unsigned char *to, uint32_t column, uint32_t *last, int64_t value) {
    uint64_t step = column - *last;
    if (PX_LIKELY((step | (uint64_t)value) < 128)) {
        to[0] = (unsigned char)step;
        to[1] = (unsigned char)value;
        *last = value ? column : *last;
        return to + 2 * (value != 0);
    }
    if (!value) return to;
    to = px_put_pair(to, column, *last, value);
    *last = column;
    return to;
}

/* ---- rows of several ---- */

/* Append a row that is ready. */
static int px_copy_row(px_pairs *pairs, const px_pairs *from, size_t row) {
    const unsigned char *start = px_row_start(from, row);
    size_t bytes = (size_t)(from->byte + from->row[row].end - start);
    if (px_pairs_reserve(pairs, bytes)) return -1;
    unsigned char *to = pairs->byte + px_pairs_used(pairs);
    memcpy(to, start, bytes);
    px_end_pairs(pairs, from->row[row].half, from->row[row].count, to + bytes);
    return 0;
}

/* Append the sum of two rows of the same item. */
static int px_add_rows(px_pairs *pairs, const px_pairs *a, size_t i, const px_pairs *b, size_t j) {
    uint32_t n = a->row[i].count, m = b->row[j].count, count = 0, last = 0, left = 0, right = 0;
    int64_t x = 0, y = 0;
    if (px_pairs_reserve(pairs, ((size_t)n + m) * PX_PAIR_BYTES)) return -1;
    unsigned char *to = pairs->byte + px_pairs_used(pairs);
    const unsigned char *p = px_row_start(a, i), *q = px_row_start(b, j);
    if (n) p = px_get_pair(p, &left, &x);
    if (m) q = px_get_pair(q, &right, &y);
    for (; n || m; count++) {
        int first = n && (!m || left <= right), second = m && (!n || right <= left);
        uint32_t column = first ? left : right;
        to = px_put_pair(to, column, last, (first ? x : 0) + (second ? y : 0));
        last = column;
        if (first && --n) p = px_get_pair(p, &left, &x);
        if (second && --m) q = px_get_pair(q, &right, &y);
    }
    px_end_pairs(pairs, a->row[i].half, count, to);
    return 0;
}

/* Add pairs to others. */
static int px_pairs_add(px_pairs *pairs, const px_pairs *more) {
    px_pairs sum = {0};
    size_t i = 0, j = 0;
    int failed = px_pairs_reserve(&sum, px_pairs_used(pairs) + px_pairs_used(more));
    while (!failed && (i < pairs->rows || j < more->rows)) {
        int first = i < pairs->rows && (j == more->rows || pairs->row[i].half <= more->row[j].half);
        int second = j < more->rows && (i == pairs->rows || more->row[j].half <= pairs->row[i].half);
        if (first && second) failed = px_add_rows(&sum, pairs, i, more, j);
        else failed = first ? px_copy_row(&sum, pairs, i) : px_copy_row(&sum, more, j);
        i += (size_t)first; j += (size_t)second;
    }
    px_pairs_free(failed ? &sum : pairs);
    if (!failed) *pairs = sum;
    return failed ? -1 : 0;
}

/* The first row at or behind a list and item. */
static size_t px_first_row(const px_pairs *pairs, uint32_t half) {
    size_t low = 0, high = pairs->rows;
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        if (pairs->row[mid].half < half) low = mid + 1; else high = mid;
    }
    return low;
}

/* ---- rows as a matrix ---- */

/* How many pairs there are, whether in parts or not. */
static size_t px_pairs_count(const px_cooccurrence *all) {
    size_t n = all->sums.size;
    for (size_t i = 0; i < all->parts; i++) n += all->part[i].size;
    return n;
}

/* How many bytes they take. */
static size_t px_pairs_bytes(const px_cooccurrence *all) {
    size_t bytes = px_pairs_used(&all->sums) + all->sums.rows * sizeof(px_pair_row);
    for (size_t i = 0; i < all->parts; i++)
        bytes += px_pairs_used(&all->part[i]) + all->part[i].rows * sizeof(px_pair_row);
    return bytes;
}

static const px_pairs *px_part_of(const px_cooccurrence *all, size_t part) {
    return part ? &all->part[part - 1] : &all->sums;
}

/* Where each row of the matrix of pairs begins, of `size` rows: item i has row place[i]. -1 if one has no place. */
static int px_pairs_starts(const px_cooccurrence *all, const int64_t *place, int64_t size, int64_t *starts) {
    memset(starts, 0, ((size_t)size + 1) * 8);
    for (size_t i = 0; i <= all->parts; i++) {
        const px_pairs *pairs = px_part_of(all, i);
        for (size_t row = 0; row < pairs->rows; row++) {
            int64_t at = place[pairs->row[row].half & (PX_ITEMS - 1)];
            if (at < 0) return -1;
            starts[at + 1] = pairs->row[row].count;
        }
    }
    for (int64_t row = 0; row < size; row++) starts[row + 1] += starts[row];
    return 0;
}

/* The columns and values of a part of the pairs. Parts have no row in common, so that each may have its thread. */
static int px_pairs_values(const px_pairs *pairs, const int64_t *place, const int64_t *starts, int32_t *columns,
                           int64_t *values) {
    int64_t missing = 0;
    for (size_t row = 0; row < pairs->rows; row++) {
        const unsigned char *p = px_row_start(pairs, row);
        uint32_t half = 0;
        int64_t to = starts[place[pairs->row[row].half & (PX_ITEMS - 1)]];
        for (uint32_t n = pairs->row[row].count; n; n--, to++) {
            p = px_get_pair(p, &half, &values[to]);
            int64_t column = place[half & (PX_ITEMS - 1)];
            missing |= column;  /* negative if one of them is */
            columns[to] = (int32_t)column;
        }
    }
    return missing < 0 ? -1 : 0;
}

/* Pairs as a sparse matrix with item i in row and column place[i]: where each row begins, of `size` rows, then columns
 * and values. -1 if an item has pairs but no place. */
static inline int px_pairs_matrix(const px_cooccurrence *all, const int64_t *place, int64_t size, int64_t *starts,
                                  int32_t *columns, int64_t *values) {
    int failed = px_pairs_starts(all, place, size, starts);
    for (size_t i = 0; i <= all->parts && !failed; i++)
        failed = px_pairs_values(px_part_of(all, i), place, starts, columns, values);
    return failed;
}

#endif
