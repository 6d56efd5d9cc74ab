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

/* The first of a counter's pairs whose row is at a rank or behind it. */
static size_t px_pairs_from(const px_counter *c, const px_counter *order, size_t rank) {
    size_t low = 0, high = c->pairs.sums.size;
    if (rank == (size_t)order->items.size) return high;
    uint64_t least = px_half_key(order, order->pairs.order.item[rank]) << 32;
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        if (c->pairs.sums.key[mid] < least) low = mid + 1; else high = mid;
    }
    return low;
}

/* All pairs of counters that number their items alike and have ordered their logs, for one part of the items. */
static int px_pairs_part(px_counter *const *all, size_t counters, size_t part, size_t parts, px_pairs *found) {
    size_t from = px_part_start(all, counters, part, parts), to = px_part_start(all, counters, part + 1, parts);
    int failed = px_sum_rows(all, counters, from, to, found);
    for (size_t k = 0; k < counters && !failed; k++) {
        const px_pairs *pairs = &all[k]->pairs.sums;
        size_t start = px_pairs_from(all[k], all[0], from), end = px_pairs_from(all[k], all[0], to);
        failed = px_pairs_add(found, pairs->key + start, pairs->value + start, end - start);
    }
    return failed ? -1 : 0;
}

/* The parts become the pairs of the first counter, which owns them from now on. */
static void px_pairs_join(px_counter *const *all, size_t counters, px_pairs *part, size_t parts) {
    for (size_t k = 0; k < counters; k++) {
        px_pairs_free(&all[k]->pairs.sums);
        px_order_free(&all[k]->pairs.order);
        all[k]->log.size = 0;
    }
    all[0]->pairs.sums = part[0];
    all[0]->pairs.part = part;
    all[0]->pairs.parts = parts;
    memset(&part[0], 0, sizeof part[0]);
}

/* ---- where items are numbered otherwise ---- */

/* The pairs of another counter, whose item i is item number[i] here, in ascending order again. */
static int px_pairs_renumbered(px_counter *c, const px_counter *other, const int32_t *number) {
    size_t n = other->pairs.sums.size;
    px_pair *pair = (px_pair *)malloc((n + 1) * sizeof *pair);
    uint64_t *key = (uint64_t *)malloc((n + 1) * 8);
    int64_t *value = (int64_t *)malloc((n + 1) * 8);
    int failed = !pair || !key || !value;
    const uint64_t low = PX_ITEMS - 1;
    for (size_t i = 0; i < n && !failed; i++) {
        uint64_t k = other->pairs.sums.key[i];
        uint64_t row = (uint64_t)number[k >> 32 & low], column = (uint64_t)number[k & low];
        pair[i].key = (k & ~(low << 32 | low)) | row << 32 | column;
        pair[i].value = other->pairs.sums.value[i];
    }
    if (!failed) {
        qsort(pair, n, sizeof *pair, px_by_first);
        for (size_t i = 0; i < n; i++) { key[i] = pair[i].key; value[i] = pair[i].value; }
        failed = px_pairs_add(&c->pairs.sums, key, value, n);
    }
    free(pair); free(key); free(value);
    return failed ? -1 : 0;
}

#endif
