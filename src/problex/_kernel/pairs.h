/* Pairs: how often items of different lists meet in documents.
 *
 * Documents are logged as their items with their counts, list by list, followed by an end mark. From time to time the
 * log is turned into sums, item by item, which stays in the cache where document by document would not. A pair's key is
 * (list, item) of the earlier list, then of the later: ascending keys stay ascending when new items appear. */
#ifndef PROBLEX_PAIRS_H
#define PROBLEX_PAIRS_H

#include "counter.h"

#define PX_STOP UINT64_MAX
#define PX_ITEM_BITS 24
#define PX_OFTEN 512
#define PX_ITEMS (1 << PX_ITEM_BITS)
#define PX_LISTS (1 << (32 - PX_ITEM_BITS))  /* a list and an item are half a key */

static void px_log_document(px_counter *c) {
    size_t n = c->in_lexical, at = 0;
    if (n < 2) return;
    if (PX_ROOM(c->log, c->log_room, c->in_log + n + 1)) { px_fail(c); return; }
    uint64_t *to = c->log + c->in_log;
    int64_t *place = c->m;
    memset(place, 0, (size_t)c->lists * 8);
    for (size_t i = 0; i < n; i++) place[c->words.word[c->lexical[i]].list]++;
    for (int y = 0; y < c->lists; y++) { size_t here = (size_t)place[y]; place[y] = (int64_t)at; at += here; }
    for (size_t i = 0; i < n; i++) {
        const px_word *word = &c->words.word[c->lexical[i]];
        to[place[word->list]++] = (uint64_t)(uint32_t)word->item << 32 | px_seen(word);
    }
    to[n] = PX_STOP;
    c->in_log += n + 1;
}

/* Merge an ascending list of pairs into the counter's own; takes no ownership. */
static int px_pairs_add(px_counter *c, const uint64_t *key, const int64_t *value, size_t n) {
    if (!n) return 0;
    size_t old = c->pair_size;
    uint64_t *keys = (uint64_t *)px_large((n + old) * 8);
    int64_t *values = (int64_t *)px_large((n + old) * 8);
    if (!keys || !values) { free(keys); free(values); return -1; }
    size_t i = 0, j = 0, k = 0;
    const uint64_t *mine = c->pair_key;
    while (i < n && j < old) {  /* which is smaller is anybody's guess, so nothing branches on it */
        uint64_t a = key[i], b = mine[j];
        int64_t x = value[i], y = c->pair_value[j];
        keys[k] = a < b ? a : b;
        values[k++] = (a <= b ? x : 0) + (b <= a ? y : 0);
        i += a <= b;
        j += b <= a;
    }
    for (; i < n; i++, k++) { keys[k] = key[i]; values[k] = value[i]; }
    for (; j < old; j++, k++) { keys[k] = mine[j]; values[k] = c->pair_value[j]; }
    free(c->pair_key); free(c->pair_value);
    c->pair_key = keys; c->pair_value = values; c->pair_size = k;
    return 0;
}

/* Rank of each item by list, then number, and the (list, item) of each rank. */
static int px_rank_items(const px_counter *c, uint32_t *rank, uint32_t *item, uint32_t *list_end) {
    size_t *start = (size_t *)calloc((size_t)c->lists + 1, sizeof(size_t));
    if (!start) return -1;
    for (int32_t i = 0; i < c->items; i++) start[c->item_list[i] + 1]++;
    for (int y = 0; y < c->lists; y++) start[y + 1] += start[y];
    for (int y = 0; y < c->lists; y++) list_end[y] = (uint32_t)start[y + 1];
    for (int32_t i = 0; i < c->items; i++) {
        uint32_t at = (uint32_t)start[c->item_list[i]]++;
        rank[i] = at; item[at] = (uint32_t)i;
    }
    free(start);
    return 0;
}

/* Items become ranks. How often each rank occurs. */
static void px_rank_log(px_counter *c, const uint32_t *rank, uint32_t *times) {
    for (size_t p = 0; p < c->in_log; p++) {
        if (c->log[p] == PX_STOP) continue;
        uint32_t r = rank[c->log[p] >> 32];
        c->log[p] = (uint64_t)r << 32 | (uint32_t)c->log[p];
        times[r]++;
    }
}

/* Turn the log into sums of pairs. */
static int px_settle(px_counter *c) {
    size_t items = (size_t)c->items, marks = (items + 63) / 64, n = c->in_log, found = 0, room = 2 * c->in_log + 1024;
    if (!n) return 0;
    uint32_t *rank = (uint32_t *)malloc(items * 4), *item = (uint32_t *)malloc(items * 4);
    uint32_t *list_end = (uint32_t *)malloc((size_t)c->lists * 4), *start = (uint32_t *)calloc(items + 2, 4);
    uint32_t *place = (uint32_t *)malloc(n * 4);
    int64_t *sum = (int64_t *)calloc(items, 8);
    uint64_t *touched = (uint64_t *)calloc(marks, 8), *key = (uint64_t *)px_large(room * 8);
    int64_t *value = (int64_t *)px_large(room * 8);
    int failed = !rank || !item || !list_end || !start || !place || !sum || !touched || !key || !value;
    failed = failed || n >= UINT32_MAX || items >= PX_ITEMS || px_rank_items(c, rank, item, list_end);
    if (!failed) {
        px_rank_log(c, rank, start + 2);
        for (size_t i = 2; i < items + 2; i++) start[i] += start[i - 1];
        for (size_t p = 0; p < n; p++) if (c->log[p] != PX_STOP) place[start[(c->log[p] >> 32) + 1]++] = (uint32_t)p;
    }
    for (size_t i = 0; i < items && !failed; i++) {
        if (start[i] == start[i + 1]) continue;
        uint16_t list = c->item_list[item[i]];
        uint64_t later = (uint64_t)list_end[list] << 32;
        int often = start[i + 1] - start[i] > PX_OFTEN;  /* meets nearly all others: what it met need not be noted */
        for (size_t o = start[i]; o < start[i + 1]; o++) {
            const uint64_t *p = c->log + place[o];
            int64_t x = (uint32_t)*p;
            if (o + 8 < start[i + 1]) PX_PREFETCH(&c->log[place[o + 8]]);
            while (*++p < later) {}
            if (often) for (uint64_t entry; (entry = *p) != PX_STOP; p++) sum[entry >> 32] += x * (uint32_t)entry;
            else for (uint64_t entry; (entry = *p) != PX_STOP; p++) {
                uint32_t j = (uint32_t)(entry >> 32);
                sum[j] += x * (uint32_t)entry;
                touched[j >> 6] |= 1ull << (j & 63);
            }
        }
        uint64_t row = ((uint64_t)list << PX_ITEM_BITS | item[i]) << 32;
        if (found + items + 1 > room) {
            room = 2 * room + items;
            uint64_t *k = (uint64_t *)realloc(key, room * 8); if (!k) { failed = 1; break; } key = k;
            int64_t *v = (int64_t *)realloc(value, room * 8); if (!v) { failed = 1; break; } value = v;
        }
        for (size_t j = list_end[list]; often && j < items; j++) {
            key[found] = row | (uint64_t)c->item_list[item[j]] << PX_ITEM_BITS | item[j];
            value[found] = sum[j];
            found += sum[j] != 0;
            sum[j] = 0;
        }
        for (size_t m = list_end[list] / 64; !often && m < marks; m++) {
            for (uint64_t bits = touched[m]; bits; bits &= bits - 1) {
                size_t j = m * 64 + (size_t)PX_CTZ(bits);
                key[found] = row | (uint64_t)c->item_list[item[j]] << PX_ITEM_BITS | item[j];
                value[found++] = sum[j];
                sum[j] = 0;
            }
            touched[m] = 0;
        }
    }
    if (!failed && !c->pair_size) {  /* the first time there is nothing to merge with */
        free(c->pair_key); free(c->pair_value);
        c->pair_key = key; c->pair_value = value; c->pair_size = found;
        key = NULL; value = NULL;
    } else if (!failed) failed = px_pairs_add(c, key, value, found);
    free(rank); free(item); free(list_end); free(start); free(place); free(sum); free(touched); free(key); free(value);
    c->in_log = 0;
    c->log_limit = c->pair_size > (1u << 21) ? c->pair_size / 2 : 1u << 20;
    return failed ? -1 : 0;
}

static int px_by_key(const void *a, const void *b) {
    uint64_t x = ((const px_pair *)a)->key, y = ((const px_pair *)b)->key;
    return x < y ? -1 : x > y;
}

/* The pairs of another counter, whose item i is item number[i] here, in ascending order again. */
static int px_pairs_renumbered(px_counter *c, const px_counter *other, const int32_t *number) {
    size_t n = other->pair_size;
    px_pair *pair = (px_pair *)malloc((n + 1) * sizeof *pair);
    uint64_t *key = (uint64_t *)malloc((n + 1) * 8);
    int64_t *value = (int64_t *)malloc((n + 1) * 8);
    int failed = !pair || !key || !value;
    const uint64_t low = PX_ITEMS - 1;
    for (size_t i = 0; i < n && !failed; i++) {
        uint64_t k = other->pair_key[i];
        uint64_t row = (uint64_t)number[k >> 32 & low], column = (uint64_t)number[k & low];
        pair[i].key = (k & ~(low << 32 | low)) | row << 32 | column;
        pair[i].value = other->pair_value[i];
    }
    if (!failed) {
        qsort(pair, n, sizeof *pair, px_by_key);
        for (size_t i = 0; i < n; i++) { key[i] = pair[i].key; value[i] = pair[i].value; }
        failed = px_pairs_add(c, key, value, n);
    }
    free(pair); free(key); free(value);
    return failed ? -1 : 0;
}

#endif
