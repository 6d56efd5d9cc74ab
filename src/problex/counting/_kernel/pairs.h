/* Pairs: how often items of different lists occur together in documents.
 *
 * Documents are logged as their items with their counts, list by list. From time to time the log is turned into sums,
 * item by item, which stays in the cache where document by document would not. A pair's key is (list, item) of the
 * earlier list, then of the later: ascending keys stay ascending when new items appear. */
#ifndef PROBLEX_PAIRS_H
#define PROBLEX_PAIRS_H

#include "counter.h"

#define PX_STOP UINT64_MAX
#define PX_ITEM_BITS 24
#define PX_FREQUENT 512
#define PX_LOG_ENTRIES UINT32_MAX  /* places in the log have 32 bits */
#define PX_ITEMS (1 << PX_ITEM_BITS)
#define PX_LISTS (1 << (32 - PX_ITEM_BITS))  /* a list and an item are half a key */

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

static void px_pairs_free(px_pairs *pairs) {
    px_large_free(pairs->key); px_large_free(pairs->value);
    memset(pairs, 0, sizeof *pairs);
}

/* Memory for so many pairs in all. */
static int px_pairs_reserve(px_pairs *pairs, size_t capacity) {
    if (capacity <= pairs->capacity) return 0;
    px_pairs larger = {(uint64_t *)px_large(capacity * 8), (int64_t *)px_large(capacity * 8), pairs->size, capacity};
    if (!larger.key || !larger.value) { px_pairs_free(&larger); return -1; }
    if (pairs->size) {
        memcpy(larger.key, pairs->key, pairs->size * 8);
        memcpy(larger.value, pairs->value, pairs->size * 8);
    }
    px_pairs_free(pairs);
    *pairs = larger;
    return 0;
}

/* Add pairs, which are in ascending order too. */
static int px_pairs_add(px_pairs *pairs, const uint64_t *key, const int64_t *value, size_t n) {
    if (!n) return 0;
    px_pairs sum = {0};
    if (px_pairs_reserve(&sum, n + pairs->size)) return -1;
    size_t i = 0, j = 0, k = 0, old = pairs->size;
    while (i < n && j < old) {  /* without a branch: which key is smaller cannot be predicted */
        uint64_t a = key[i], b = pairs->key[j];
        int64_t x = value[i], y = pairs->value[j];
        sum.key[k] = a < b ? a : b;
        sum.value[k++] = (a <= b ? x : 0) + (b <= a ? y : 0);
        i += a <= b;
        j += b <= a;
    }
    for (; i < n; i++, k++) { sum.key[k] = key[i]; sum.value[k] = value[i]; }
    for (; j < old; j++, k++) { sum.key[k] = pairs->key[j]; sum.value[k] = pairs->value[j]; }
    sum.size = k;
    px_pairs_free(pairs);
    *pairs = sum;
    return 0;
}

/* ---- from the log to sums ---- */

static void px_order_free(px_order *order) {
    free(order->item); free(order->end); free(order->first); px_large_free(order->occurrence);
    memset(order, 0, sizeof *order);
}

/* The items in the order of pairs, by list and then by number: which item is at each rank, and where each list ends.
 * Those known from the start are numbered in this order; if there are others, the log is rewritten to ranks. */
static int px_rank(px_counter *c) {
    size_t items = (size_t)c->items.size, lists = (size_t)c->plan.lists;
    px_order *order = &c->pairs.order;
    uint32_t *rank = (uint32_t *)malloc((items + 1) * 4);
    order->item = (uint32_t *)malloc((items + 1) * 4);
    order->end = (uint32_t *)calloc(lists + 1, 4);
    int moved = 0;
    if (!rank || !order->item || !order->end) { free(rank); return -1; }
    for (size_t i = 0; i < items; i++) order->end[c->items.list[i] + 1u]++;
    for (size_t y = 0; y < lists; y++) order->end[y + 1] += order->end[y];
    for (size_t i = 0; i < items; i++) {  /* the place of the next item of a list; in the end, where the list ends */
        rank[i] = order->end[c->items.list[i]]++;
        order->item[rank[i]] = (uint32_t)i;
        moved |= rank[i] != i;
    }
    for (size_t p = 0; moved && p < c->log.size;) {
        size_t n = (uint32_t)c->log.entry[p++];
        for (size_t stop = p + n; p < stop; p++)
            c->log.entry[p] = (uint64_t)rank[c->log.entry[p] >> 32] << 32 | (uint32_t)c->log.entry[p];
        p++;
    }
    free(rank);
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
                list = c->items.list[order->item[rank]];
                if (i + 1 < later && list != last) later = i + 1;
                last = list;
            }
            order->occurrence[first[rank + 1]++] = (uint64_t)later << 32 | (uint32_t)c->log.entry[i];
            order->pairs += end - later;
        }
    }
    return 0;
}

/* Sum what the item at a rank occurs with in the documents of a log; with `touched`, note which items these are. */
static void px_sum_row(const px_counter *c, size_t rank, int64_t *sum, uint64_t *touched) {
    const uint64_t *log = c->log.entry, *end = c->pairs.order.occurrence + c->pairs.order.first[rank + 1];
    for (const uint64_t *o = c->pairs.order.occurrence + c->pairs.order.first[rank]; o < end; o++) {
        const uint64_t *p = log + (*o >> 32);
        int64_t x = (uint32_t)*o;
        if (o + 8 < end) PX_PREFETCH(log + (o[8] >> 32));
        if (!touched) for (uint64_t entry; (entry = *p) != PX_STOP; p++) sum[entry >> 32] += x * (uint32_t)entry;
        else for (uint64_t entry; (entry = *p) != PX_STOP; p++) {
            uint32_t j = (uint32_t)(entry >> 32);
            sum[j] += x * (uint32_t)entry;
            touched[j >> 6] |= 1ull << (j & 63);
        }
    }
}

static inline uint64_t px_half_key(const px_counter *c, uint32_t item) {
    return (uint64_t)c->items.list[item] << PX_ITEM_BITS | item;
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
        if (times) most += items - c->pairs.order.end[c->items.list[c->pairs.order.item[i]]];
    }
    return (size_t)((some < most ? some : most) + items);
}

/* The sums of the logs of counters that number their items alike, for the items from one rank to another. */
static int px_sum_rows(px_counter *const *all, size_t counters, size_t from, size_t to, px_pairs *found) {
    const px_counter *c = all[0];
    const px_order *order = &c->pairs.order;
    size_t items = (size_t)c->items.size, marks = (items + 63) / 64;
    int64_t *sum = (int64_t *)calloc(items + 1, 8);
    uint64_t *touched = (uint64_t *)calloc(marks + 1, 8);
    int failed = !sum || !touched || px_pairs_reserve(found, px_most_pairs(all, counters, from, to));
    for (size_t i = from; i < to && !failed; i++) {
        size_t times = 0, end = order->end[c->items.list[order->item[i]]];
        for (size_t k = 0; k < counters; k++) times += px_occurrences_at(&all[k]->pairs.order, i, i + 1);
        if (!times) continue;
        int often = times > PX_FREQUENT;  /* it occurs with nearly all others, which need not be noted */
        for (size_t k = 0; k < counters; k++) px_sum_row(all[k], i, sum, often ? NULL : touched);
        failed = found->size + items > found->capacity && px_pairs_reserve(found, 2 * found->capacity + items);
        if (failed) break;
        uint64_t row = px_half_key(c, order->item[i]) << 32, *key = found->key + found->size;
        int64_t *value = found->value + found->size;
        for (size_t j = end; often && j < items; j++) {
            *key = row | px_half_key(c, order->item[j]);
            *value = sum[j];
            key += sum[j] != 0; value += sum[j] != 0;
            sum[j] = 0;
        }
        for (size_t m = end / 64; !often && m < marks; m++) {
            for (uint64_t bits = touched[m]; bits; bits &= bits - 1) {
                size_t j = m * 64 + (size_t)PX_CTZ(bits);
                *key++ = row | px_half_key(c, order->item[j]);
                *value++ = sum[j];
                sum[j] = 0;
            }
            touched[m] = 0;
        }
        found->size = (size_t)(key - found->key);
    }
    free(sum); free(touched);
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
    size_t size = sums->size;
    for (size_t i = 0; i < pairs->parts; i++) size += pairs->part[i].size;
    if (px_pairs_reserve(sums, size)) return -1;
    for (size_t i = 0; i < pairs->parts; i++) {
        const px_pairs *part = &pairs->part[i];
        if (part->size) {
            memcpy(sums->key + sums->size, part->key, part->size * 8);
            memcpy(sums->value + sums->size, part->value, part->size * 8);
        }
        sums->size += part->size;
    }
    px_parts_free(pairs);
    return 0;
}

/* Turn the log into sums of pairs. */
static int px_flush_log(px_counter *c) {
    px_pairs found = {0};
    if (c->pairs.parts && px_pairs_whole(&c->pairs)) return -1;
    if (!c->log.size) return 0;
    int failed = px_order_log(c) || px_sum_rows(&c, 1, 0, (size_t)c->items.size, &found);
    if (!failed && !c->pairs.sums.size) {  /* the first time there is nothing to merge with */
        px_pairs_free(&c->pairs.sums);
        c->pairs.sums = found;
    } else {
        failed = failed || px_pairs_add(&c->pairs.sums, found.key, found.value, found.size);
        px_pairs_free(&found);
    }
    px_order_free(&c->pairs.order);
    c->log.size = 0;
    c->log.limit = c->pairs.sums.size > (1u << 21) ? c->pairs.sums.size / 2 : 1u << 20;
    return failed ? px_fail(c) : 0;  /* what was in the log is lost */
}

/* Pairs as a sparse matrix with item i in row and column place[i]: the length of each row behind its place, columns
 * and values. 1 when done; 0 if places are in another order than items, so that rows would have to move; -1 if an item
 * has pairs but no place. */
static int px_pairs_rows(const px_cooccurrence *all, const int64_t *place, int64_t *lengths, int32_t *columns,
                         int64_t *values) {
    const uint64_t low = PX_ITEMS - 1;
    int64_t last = -1, missing = 0;
    for (size_t part = 0; part <= all->parts; part++) {
        const px_pairs *pairs = part ? &all->part[part - 1] : &all->sums;
        for (size_t i = 0; i < pairs->size;) {
            uint64_t half = pairs->key[i] >> 32;
            size_t first = i;
            int64_t row = place[half & low];
            if (row < 0) return -1;
            if (row <= last) return 0;
            for (; i < pairs->size && pairs->key[i] >> 32 == half; i++) {
                int64_t column = place[pairs->key[i] & low];
                missing |= column;  /* negative if one of them is */
                columns[i] = (int32_t)column;
            }
            lengths[row + 1] = (int64_t)(i - first);
            last = row;
        }
        if (pairs->size) memcpy(values, pairs->value, pairs->size * 8);
        columns += pairs->size; values += pairs->size;
    }
    return missing < 0 ? -1 : 1;
}

/* The same for places in any order. */
static int px_pairs_placed(const px_pairs *pairs, const int64_t *place, int64_t size, int64_t *lengths,
                           int32_t *columns, int64_t *values) {
    const uint64_t low = PX_ITEMS - 1;
    int64_t *start = (int64_t *)calloc((size_t)size + 1, sizeof *start);
    if (!start) return -2;
    for (size_t i = 0; i < pairs->size; i++) {
        int64_t row = place[pairs->key[i] >> 32 & low], column = place[pairs->key[i] & low];
        if (row < 0 || column < 0) { free(start); return -1; }
        lengths[row + 1]++;
    }
    for (int64_t row = 0; row < size; row++) start[row + 1] = start[row] + lengths[row + 1];
    for (size_t i = 0; i < pairs->size; i++) {
        int64_t at = start[place[pairs->key[i] >> 32 & low]]++;
        columns[at] = (int32_t)place[pairs->key[i] & low];
        values[at] = pairs->value[i];
    }
    free(start);
    return 1;
}

#endif
