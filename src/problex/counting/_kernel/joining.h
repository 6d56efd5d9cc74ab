/* Joining the pairs of several counters: those that number their items alike share the work by items, so that each
 * thread makes a part of the whole; others are renumbered. */
#ifndef PROBLEX_JOINING_H
#define PROBLEX_JOINING_H

#include "pairs.h"

/* The first rank of a part: parts have about as many occurrences each. */
static size_t px_part_start(px_counter *const *all, size_t counters, size_t part, size_t parts) {
    size_t items = (size_t)all[0]->items.size, total = 0, before = 0, rank = 0;
    for (size_t k = 0; k < counters; k++) total += all[k]->pairs.order.first[items];
    if (part == parts) return items;
    if (!total) return items * part / parts;  /* all logs were turned into sums before */
    for (; rank < items && before * parts < total * part; rank++)
        for (size_t k = 0; k < counters; k++) before += px_occurrences_at(&all[k]->pairs.order, rank, rank + 1);
    return rank;
}

/* All pairs of counters that number their items alike and have ordered their logs, for one part of the items. */
static int px_pairs_part(px_counter *const *all, size_t counters, size_t part, size_t parts, px_pairs *found) {
    size_t from = px_part_start(all, counters, part, parts), to = px_part_start(all, counters, part + 1, parts);
    return px_sum_rows(all, counters, from, to, found);
}

/* The parts become the pairs of the first counter, which owns them from now on. */
static void px_pairs_join(px_counter *const *all, size_t counters, px_pairs *part, size_t parts) {
    for (size_t k = 0; k < counters; k++) {
        px_pairs_free(&all[k]->pairs.sums);
        px_order_free(&all[k]->pairs.order);
        px_large_free(all[k]->log.entry);  /* the pairs will soon need the memory */
        all[k]->log.entry = NULL; all[k]->log.size = all[k]->log.capacity = 0;
    }
    all[0]->pairs.sums = part[0];
    all[0]->pairs.part = part;
    all[0]->pairs.parts = parts;
    memset(&part[0], 0, sizeof part[0]);
}

/* ---- where items are numbered otherwise ---- */

/* A row whose columns are renumbered, in ascending order again. */
static int px_renumber_row(px_pairs *pairs, uint32_t half, const px_pairs *from, size_t row, const int32_t *number,
                           px_pair *column) {
    const unsigned char *p = px_row_start(from, row);
    uint32_t n = from->row[row].count, old = 0, last = 0, low = PX_ITEMS - 1;
    int ascending = 1;
    for (uint32_t i = 0; i < n; i++) {
        p = px_get_pair(p, &old, &column[i].value);
        column[i].key = (old & ~low) | (uint32_t)number[old & low];
        ascending &= !i || column[i - 1].key < column[i].key;
    }
    if (!ascending) qsort(column, n, sizeof *column, px_by_first);
    if (px_pairs_reserve(pairs, (size_t)n * PX_PAIR_BYTES)) return -1;
    unsigned char *to = pairs->byte + px_pairs_used(pairs);
    for (uint32_t i = 0; i < n; i++, last = (uint32_t)column[i - 1].key)
        to = px_put_pair(to, (uint32_t)column[i].key, last, column[i].value);
    px_end_pairs(pairs, half, n, to);
    return 0;
}

/* Add the pairs of another counter, whose item i is item number[i] here. */
static int px_pairs_renumbered(px_counter *c, const px_counter *other, const int32_t *number) {
    const px_pairs *from = &other->pairs.sums;
    uint32_t widest = 0, low = PX_ITEMS - 1;
    px_pairs moved = {0};
    px_pair *row = (px_pair *)malloc((from->rows + 1) * sizeof *row);  /* the new (list, item) of each, and its place */
    for (size_t i = 0; row && i < from->rows; i++) {
        uint32_t half = from->row[i].half;
        row[i] = (px_pair){(half & ~low) | (uint32_t)number[half & low], (int64_t)i};
        if (from->row[i].count > widest) widest = from->row[i].count;
    }
    px_pair *column = (px_pair *)malloc(((size_t)widest + 1) * sizeof *column);
    int failed = !row || !column;
    if (!failed) qsort(row, from->rows, sizeof *row, px_by_first);
    for (size_t i = 0; i < from->rows && !failed; i++)
        failed = px_renumber_row(&moved, (uint32_t)row[i].key, from, (size_t)row[i].value, number, column);
    failed = failed || px_pairs_add(&c->pairs.sums, &moved);
    free(row); free(column);
    px_pairs_free(&moved);
    return failed ? -1 : 0;
}

#endif
