/* Pairs: how often items of different lists occur together in documents.
 *
 * Documents are logged as their items with their counts, list by list. From time to time the log is turned into sums,
 * item by item, which stays in the cache where document by document would not. The row of a pair is its item of the
 * earlier list. */
#ifndef PROBLEX_PAIRS_H
#define PROBLEX_PAIRS_H

#include "pair_rows.h"

#define PX_STOP UINT64_MAX
#define PX_FREQUENT 512
#define PX_LOG_ENTRIES UINT32_MAX  /* places in the log have 32 bits */
#define PX_LOG_LEAST (1u << 20)    /* so many entries are logged at least before they are summed, */
#define PX_LOG_MOST (1u << 22)     /* and at most: they take eight bytes each, and as much again while being summed */

/* Memory for so many entries of the log: at first for as many as it may have before it is turned into sums. */
static int px_reserve_log(px_log *log, size_t n) {
    if (n <= log->capacity) return 0;
    size_t capacity = log->entry ? 2 * n : log->limit + (1u << 16) + n;
    uint64_t *larger = (uint64_t *)px_large(capacity * 8);
    if (!larger) return -1;
    if (log->size) memcpy(larger, log->entry, log->size * 8);
    px_large_free(log->entry);
    log->entry = larger; log->capacity = capacity;
    return 0;
}

/* Log the document at hand, if it has items of two lists: how many there are of all lists but its last, and of all;
 * the items, each with its count; an end mark. */
static void px_log_document(px_counter *c) {
    size_t n = c->doc.in_lexical, at = 0, last = 0;
    if (n < 2) return;
    if (px_reserve_log(&c->log, c->log.size + n + 2)) { px_fail(c); return; }
    uint64_t *to = c->log.entry + c->log.size;
    int64_t *place = c->doc.list_counts;
    memset(place, 0, (size_t)c->plan.lists * 8);
    for (size_t i = 0; i < n; i++) place[c->words.word[c->doc.lexical[i]].list]++;
    for (int y = 0; y < c->plan.lists; y++) {
        size_t here = (size_t)place[y];
        if (here) last = at;
        place[y] = (int64_t)at;
        at += here;
    }
    if (!last) return;
    *to++ = (uint64_t)last << 32 | n;
    for (size_t i = 0; i < n; i++) {
        const px_word *word = &c->words.word[c->doc.lexical[i]];
        to[place[word->list]++] = (uint64_t)(uint32_t)word->item << 32 | px_occurrences(word);
    }
    to[n] = PX_STOP;
    c->log.size += n + 2;
}

/* The same for a document that is given as its items, in the order of their lists, and their counts. */
static void px_log_row(px_counter *c, const int32_t *item, const int32_t *count, size_t n) {
    size_t last = n;
    while (last && c->items.list[item[last - 1]] == c->items.list[item[n - 1]]) last--;
    if (!last) return;
    if (px_reserve_log(&c->log, c->log.size + n + 2)) { px_fail(c); return; }
    uint64_t *to = c->log.entry + c->log.size;
    *to++ = (uint64_t)last << 32 | n;
    for (size_t i = 0; i < n; i++) to[i] = (uint64_t)(uint32_t)item[i] << 32 | (uint32_t)count[i];
    to[n] = PX_STOP;
    c->log.size += n + 2;
}

/* ---- from the log to sums ---- */

static void px_order_free(px_order *order) {
    free(order->item); free(order->rank); free(order->end); free(order->first); px_large_free(order->occurrence);
    memset(order, 0, sizeof *order);
}

/* Those known from the start are numbered in the order of pairs, by list and then by number: so are all of them, unless
 * a wildcard has matched a word of an earlier list. */
static inline uint32_t px_item_at(const px_order *order, size_t rank) {
    return order->item ? order->item[rank] : (uint32_t)rank;
}

/* The items in the order of pairs: where each list ends and, unless they are numbered in this order, which item is at
 * each rank; then the log is rewritten to ranks. */
static int px_rank(px_counter *c) {
    size_t items = (size_t)c->items.size, lists = (size_t)c->plan.lists;
    const uint16_t *list = c->items.list;
    px_order *order = &c->pairs.order;
    int moved = 0;
    order->end = (uint32_t *)calloc(lists + 1, 4);
    if (!order->end) return -1;
    for (size_t i = 0; i < items; i++) order->end[list[i] + 1u]++;
    for (size_t y = 0; y < lists; y++) order->end[y + 1] += order->end[y];
    for (size_t i = 1; i < items; i++) moved |= list[i] < list[i - 1];
    if (!moved) {
        memmove(order->end, order->end + 1, lists * 4);
        return 0;
    }
    uint32_t *rank = order->rank = (uint32_t *)malloc((items + 1) * 4);
    order->item = (uint32_t *)malloc((items + 1) * 4);
    if (!rank || !order->item) return -1;
    for (size_t i = 0; i < items; i++) {  /* the place of the next item of a list; in the end, where the list ends */
        rank[i] = order->end[list[i]]++;
        order->item[rank[i]] = (uint32_t)i;
    }
    for (size_t p = 0; p < c->log.size;) {
        size_t n = (uint32_t)c->log.entry[p++];
        for (size_t stop = p + n; p < stop; p++)
            c->log.entry[p] = (uint64_t)rank[c->log.entry[p] >> 32] << 32 | (uint32_t)c->log.entry[p];
        p++;
    }
    return 0;
}

/* Find where the items of the log occur: occurrence[first[r]] to occurrence[first[r + 1]] have, for the item at rank r,
 * the place of the first item of a later list in the same document, and the count. */
static int px_order_log(px_counter *c) {
    size_t items = (size_t)c->items.size, total = 0;
    px_order *order = &c->pairs.order;
    px_order_free(order);
    if (c->log.size >= PX_LOG_ENTRIES) { c->failed = PX_LOG_FULL; return -1; }
    if (px_rank(c)) return -1;
    uint32_t *first = order->first = (uint32_t *)calloc(items + 2, 4);
    if (!first) return -1;
    for (size_t p = 0; p < c->log.size; p += (uint32_t)c->log.entry[p] + 2ull) {
        size_t rows = c->log.entry[p] >> 32;
        for (size_t i = 1; i <= rows; i++) first[(c->log.entry[p + i] >> 32) + 2]++;
        total += rows;
    }
    for (size_t i = 2; i < items + 2; i++) first[i] += first[i - 1];
    order->occurrence = (uint64_t *)px_large((total + 1) * 8);
    if (!order->occurrence) return -1;
    for (size_t p = 0; p < c->log.size; p += (uint32_t)c->log.entry[p] + 2ull) {
        size_t later = p + (c->log.entry[p] >> 32) + 1, end = p + (uint32_t)c->log.entry[p] + 1ull;
        uint32_t list = 0, last = 0;  /* going backwards: the list of the items before `later` */
        for (size_t i = later - 1; i > p; i--) {
            uint32_t rank = (uint32_t)(c->log.entry[i] >> 32);
            if (c->plan.lists > 2) {
                list = c->items.list[px_item_at(order, rank)];
                if (i + 1 < later && list != last) later = i + 1;
                last = list;
            }
            order->occurrence[first[rank + 1]++] = (uint64_t)later << 32 | (uint32_t)c->log.entry[i];
            order->pairs += end - later;
        }
    }
    return 0;
}

#define PX_MANY_ITEMS (1 << 15)  /* from so many on, marks have two levels */

/* Some items, as a bit for each and, where there are many items (else NULL), which of the numbers that hold 64 of these
 * bits are not zero: of a million items, those that a row has are found without looking at the others. */
typedef struct { uint64_t *item, *any; } px_marks;

static inline void px_mark(const px_marks *marks, uint32_t j) {
    marks->item[j >> 6] |= 1ull << (j & 63);
    if (marks->any) marks->any[j >> 12] |= 1ull << (j >> 6 & 63);
}

/* Sum what the item at a rank occurs with in the documents of a log; with `touched`, note which items these are. */
static void px_sum_row(const px_counter *c, size_t rank, int64_t *sum, const px_marks *touched) {
    const uint64_t *log = c->log.entry, *end = c->pairs.order.occurrence + c->pairs.order.first[rank + 1];
    for (const uint64_t *o = c->pairs.order.occurrence + c->pairs.order.first[rank]; o < end; o++) {
        const uint64_t *p = log + (*o >> 32);
        int64_t x = (uint32_t)*o;
        if (o + 8 < end) PX_PREFETCH(log + (o[8] >> 32));
        if (!touched) for (uint64_t entry; (entry = *p) != PX_STOP; p++) sum[entry >> 32] += x * (uint32_t)entry;
        else if (touched->any) for (uint64_t entry; (entry = *p) != PX_STOP; p++) {
            sum[entry >> 32] += x * (uint32_t)entry;
            px_mark(touched, (uint32_t)(entry >> 32));
        } else for (uint64_t entry, *item = touched->item; (entry = *p) != PX_STOP; p++) {
            uint32_t j = (uint32_t)(entry >> 32);
            sum[j] += x * (uint32_t)entry;
            item[j >> 6] |= 1ull << (j & 63);
        }
    }
}

/* Add a row of earlier sums in the same way. */
static void px_sum_earlier(const px_order *order, const px_pairs *pairs, size_t row, int64_t *sum,
                           const px_marks *touched) {
    const unsigned char *p = px_row_start(pairs, row);
    uint32_t column = 0;
    int64_t value;
    for (uint32_t n = pairs->row[row].count; n; n--) {
        p = px_get_pair(p, &column, &value);
        uint32_t item = column & (PX_ITEMS - 1), j = order->rank ? order->rank[item] : item;
        sum[j] += value;
        if (touched) px_mark(touched, j);
    }
}

/* How often the items from one rank to another occur in the log. */
static inline size_t px_occurrences_at(const px_order *order, size_t from, size_t to) {
    return order->first[to] - order->first[from];
}

/* How many different pairs there are at most: as many as the documents have, or as the items that occur can make.
 * Memory that is not used costs nothing, but growing means to have the system clear it again. */
static size_t px_most_pairs(px_counter *const *all, size_t counters, size_t from, size_t to) {
    const px_counter *c = all[0];
    uint64_t items = (uint64_t)c->items.size, some = 0, most = 0;
    for (size_t k = 0; k < counters; k++) some += all[k]->pairs.order.pairs;
    for (size_t i = from; i < to && most < some; i++) {
        size_t times = 0;
        for (size_t k = 0; k < counters; k++) times += px_occurrences_at(&all[k]->pairs.order, i, i + 1);
        if (times) most += items - c->pairs.order.end[c->items.list[px_item_at(&c->pairs.order, i)]];
    }
    return (size_t)((some < most ? some : most) + items);
}

/* Write down the sums of 64 items, those that are marked, and clear both; where the bytes end. */
PX_INLINE unsigned char *px_write_mark(const px_counter *c, size_t m, int64_t *sum, uint64_t *marks, unsigned char *to,
                                       uint32_t *last, uint32_t *count) {
    for (uint64_t bits = marks[m]; bits; bits &= bits - 1) {
        size_t j = m * 64 + (size_t)PX_CTZ(bits);
        uint32_t column = px_half(c, px_item_at(&c->pairs.order, j));
        to = px_put_pair(to, column, *last, sum[j]);
        *last = column; ++*count;
        sum[j] = 0;
    }
    marks[m] = 0;
    return to;
}

/* The same for all items from a rank on. */
static unsigned char *px_write_marked(const px_counter *c, size_t from, int64_t *sum, const px_marks *touched,
                                      unsigned char *to, uint32_t *counted) {
    uint32_t last = 0, count = 0;
    size_t marks = ((size_t)c->items.size + 63) / 64, groups = (marks + 63) / 64;
    for (size_t m = from / 64; !touched->any && m < marks; m++)
        to = px_write_mark(c, m, sum, touched->item, to, &last, &count);
    for (size_t k = from / 4096; touched->any && k < groups; k++) {
        for (uint64_t some = touched->any[k]; some; some &= some - 1)
            to = px_write_mark(c, k * 64 + (size_t)PX_CTZ(some), sum, touched->item, to, &last, &count);
        touched->any[k] = 0;
    }
    *counted = count;
    return to;
}

/* Write down the sums of a row from a rank on, and clear them; with `touched`, those of the items that it notes. */
static int px_write_row(const px_counter *c, uint32_t half, size_t from, int64_t *sum, const px_marks *touched,
                        px_pairs *found) {
    size_t items = (size_t)c->items.size;
    uint32_t last = 0, count = 0;
    if (px_pairs_reserve(found, (items - from) * PX_PAIR_BYTES + 2)) return -1;
    unsigned char *to = found->byte + px_pairs_used(found);
    if (touched) to = px_write_marked(c, from, sum, touched, to, &count);
    for (size_t j = from; !touched && j < items; j++) {
        count += sum[j] != 0;
        to = px_put_if(to, px_half(c, px_item_at(&c->pairs.order, j)), &last, sum[j]);
        sum[j] = 0;
    }
    px_end_pairs(found, half, count, to);
    return 0;
}

/* The sums of a row: of the logs of all counters, and those that they have already, each at the row at[k]. */
static int px_sum_item(px_counter *const *all, size_t counters, size_t rank, size_t *at, int64_t *sum,
                       const px_marks *touched, px_pairs *found) {
    const px_counter *c = all[0];
    const px_order *order = &c->pairs.order;
    uint32_t half = px_half(c, px_item_at(order, rank));
    size_t times = 0, rows = 0, earlier = 0, which = 0, from = order->end[half >> PX_ITEM_BITS];
    for (size_t k = 0; k < counters; k++) {
        const px_pairs *sums = &all[k]->pairs.sums;
        times += px_occurrences_at(&all[k]->pairs.order, rank, rank + 1);
        if (at[k] == sums->rows || sums->row[at[k]].half != half) continue;
        rows++; which = k;
        earlier += sums->row[at[k]].count;
    }
    if (!times && !rows) return 0;
    if (!times && rows == 1) return px_copy_row(found, &all[which]->pairs.sums, at[which]++);
    /* it occurs with many others, which need not be noted */
    if (times > PX_FREQUENT || earlier > ((size_t)c->items.size - from) / 8) touched = NULL;
    for (size_t k = 0; k < counters; k++) {
        const px_pairs *sums = &all[k]->pairs.sums;
        px_sum_row(all[k], rank, sum, touched);
        if (at[k] < sums->rows && sums->row[at[k]].half == half) px_sum_earlier(order, sums, at[k]++, sum, touched);
    }
    return px_write_row(c, half, from, sum, touched, found);
}

/* The sums of counters that number their items alike, for the items from one rank to another. */
static int px_sum_rows(px_counter *const *all, size_t counters, size_t from, size_t to, px_pairs *found) {
    const px_counter *c = all[0];
    size_t items = (size_t)c->items.size;
    int64_t *sum = (int64_t *)calloc(items + 1, 8);
    int many = items >= PX_MANY_ITEMS;
    px_marks touched = {(uint64_t *)calloc(items / 64 + 2, 8), many ? (uint64_t *)calloc(items / 4096 + 2, 8) : NULL};
    size_t *at = (size_t *)calloc(counters + 1, sizeof *at), earlier = 0;
    int failed = !sum || !touched.item || (many && !touched.any) || !at;
    for (size_t k = 0; k < counters && !failed && from < to; k++) {
        at[k] = px_first_row(&all[k]->pairs.sums, px_half(c, px_item_at(&c->pairs.order, from)));
        earlier += px_pairs_used(&all[k]->pairs.sums);
    }
    failed = failed || px_pairs_reserve(found, 2 * px_most_pairs(all, counters, from, to) + earlier);
    for (size_t i = from; i < to && !failed; i++) failed = px_sum_item(all, counters, i, at, sum, &touched, found);
    free(sum); free(touched.item); free(touched.any); free(at);
    return failed ? -1 : 0;
}

static void px_parts_free(px_cooccurrence *pairs) {
    for (size_t i = 0; i < pairs->parts; i++) px_pairs_free(&pairs->part[i]);
    free(pairs->part);
    pairs->part = NULL; pairs->parts = 0;
}

/* Pairs that came in parts become one. */
static int px_pairs_whole(px_cooccurrence *pairs) {
    px_pairs *sums = &pairs->sums;
    int failed = 0;
    for (size_t i = 0; i < pairs->parts; i++)
        for (size_t row = 0; row < pairs->part[i].rows && !failed; row++)
            failed = px_copy_row(sums, &pairs->part[i], row);
    if (!failed) px_parts_free(pairs);
    return failed ? -1 : 0;
}

/* Turn the log into sums of pairs. */
static int px_flush_log(px_counter *c) {
    px_pairs found = {0};
    if (c->pairs.parts && px_pairs_whole(&c->pairs)) return -1;
    if (!c->log.size) return 0;
    int failed = px_order_log(c) || px_sum_rows(&c, 1, 0, (size_t)c->items.size, &found);
    px_pairs_free(failed ? &found : &c->pairs.sums);
    if (!failed) c->pairs.sums = found;
    px_order_free(&c->pairs.order);
    size_t half = c->pairs.sums.size / 2;
    c->log.size = 0;
    c->log.limit = half < PX_LOG_LEAST ? PX_LOG_LEAST : half > PX_LOG_MOST ? PX_LOG_MOST : half;
    return failed ? px_fail(c) : 0;  /* what was in the log is lost */
}

#endif
