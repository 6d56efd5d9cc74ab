/* UTF-8 text to counts, without Python: what _counter.pyx calls.
 *
 * platform.h: compilers and processors. hash.h: the hash of words and texts. memory.h: arrays. words.h: the table of
 * words. counter.h: the struct and its parts. plan.h: what is known before the first text. matching.h: phrases,
 * negation. characters.h, letters.h: text beyond ASCII. cutting.h, cut.inc: text to tokens. block.h: tokens to words.
 * links.h: what is no text. literals.h: strings as they are. pairs.h, pair_rows.h: co-occurrence. joining.h: that of
 * several counters. sample.h: some documents. Here: the end of a document, creation, merging, pruning. */
#ifndef PROBLEX_KERNEL_H
#define PROBLEX_KERNEL_H

#include "cutting.h"
#include "joining.h"
#include "links.h"
#include "literals.h"
#include "plan.h"
#include "sample.h"

/* For each word: products with the counts of each list, and occurrences by the list with most matches. */
static void px_associate(px_counter *c) {
    int K = c->plan.lists, label = -1;
    int64_t best = -1;
    memset(c->doc.list_counts, 0, (size_t)K * 8);
    for (size_t i = 0; i < c->doc.in_lexical; i++) {
        const px_word *word = &c->words.word[c->doc.lexical[i]];
        c->doc.list_counts[word->list] += px_occurrences(word);
    }
    for (int y = 0; y < K; y++) {
        if (c->doc.list_counts[y] > best) { best = c->doc.list_counts[y]; label = y; }
        else if (c->doc.list_counts[y] == best) label = -1;
    }
    if (label >= 0) c->totals.imputed_documents[label]++;
    for (size_t i = 0; i < c->doc.in_distinct; i++) {
        uint32_t id = c->doc.distinct[i];
        int64_t *sums = c->associations.sum + (uint64_t)id * 2 * (uint64_t)K, x = px_occurrences(&c->words.word[id]);
        for (int y = 0; y < K; y++) sums[y] += x * c->doc.list_counts[y];
        if (label >= 0) sums[K + label] += x;
    }
}

static void px_row_of_document(px_counter *c) {
    size_t n = c->doc.in_distinct;
    if (PX_RESERVE_BOTH(c->rows.column, c->rows.count, c->rows.capacity, c->rows.used + n)) { px_fail(c); return; }
    for (size_t i = 0; i < n; i++) {
        const px_word *word = &c->words.word[c->doc.distinct[i]];
        c->rows.column[c->rows.used] = c->plan.closed ? word->item : (int32_t)c->doc.distinct[i];
        c->rows.count[c->rows.used++] = (int32_t)px_occurrences(word);
    }
}

static void px_end_row(px_counter *c) {
    if (PX_RESERVE_BOTH(c->rows.end, c->rows.length, c->rows.end_capacity, c->rows.size + 1)) { px_fail(c); return; }
    c->rows.end[c->rows.size] = (int64_t)(c->plan.want_ids ? c->rows.ids : c->rows.used);
    c->rows.length[c->rows.size++] = c->doc.length;
}

#define PX_KEYED 3              /* so many words at least make the key of a text; else it is that of all its bytes */

static inline uint64_t px_key_of_document(const px_counter *c, size_t size) {
    px_key key = c->doc.key;
    return key.words < PX_KEYED ? px_text_hash(c->doc.text, size) : px_mix(key.hash, key.words);
}

static int px_keep_key(px_keys *keys, uint64_t key) {
    if (key > keys->limit) return 0;
    if (PX_RESERVE(keys->at, keys->capacity, keys->size + 1)) return -1;
    keys->at[keys->size++] = key;
    return 0;
}

static void px_sum_document(px_counter *c, size_t size, uint64_t key) {
    px_log_document(c);
    if (c->log.size > c->log.limit && px_flush_log(c)) px_fail(c);
    if (c->plan.want_associations) px_associate(c);
    px_sample_document(c, px_text_hash(c->doc.text, size), key);
    c->totals.documents++;
    c->totals.tokens += c->doc.length;
    c->totals.squared_lengths += c->doc.length * c->doc.length;
    c->totals.empty += c->doc.length == 0;
}

static void px_end(px_counter *c, size_t size) {
    if (c->doc.in_waiting) px_match(c, 1);
    if (!c->failed && c->plan.want_rows) px_row_of_document(c);
    if (!c->failed && (c->plan.want_rows || c->plan.want_ids)) px_end_row(c);
    uint64_t key = px_key_of_document(c, size);
    int has_key = c->plan.want_rows || c->doc.length;  /* sums leave out the keys of empty texts */
    if (!c->failed && !c->plan.want_ids && has_key && px_keep_key(&c->keys, key)) px_fail(c);
    if (!c->failed && c->plan.want_sums) px_sum_document(c, size, key);
    c->doc.in_distinct = c->doc.in_lexical = c->doc.in_waiting = 0;
    c->doc.length = 0;
    c->doc.key = (px_key){0, 0};
    c->doc.stamp += 1ull << 32;
    if (!c->doc.stamp) {  /* after four thousand million documents the numbers begin again */
        for (uint32_t id = 0; id < c->words.size; id++) c->words.word[id].state = 0;
        c->doc.stamp = 1ull << 32;
    }
}

static inline void px_cut(px_counter *c, size_t from, size_t to, int fast) {
#ifdef PX_X86
    if (fast == 2) { px_cut_avx512(c, from, to); return; }
    if (fast) { px_cut_avx2(c, from, to); return; }
#endif
    (void)fast;
    px_cut_plain(c, from, to);
}

/* A document with literals: the leftmost is cut out first, at one place the longest; what is between them is text. */
static void px_cut_around_literals(px_counter *c, size_t size, int fast) {
    size_t from = 0;
    qsort(c->literals.hit, c->literals.hits, sizeof *c->literals.hit, px_by_place);
    for (size_t i = 0; i < c->literals.hits && !c->failed; i++) {
        px_hit hit = c->literals.hit[i];
        if (hit.start < from) continue;
        px_cut(c, from, hit.start, fast);
        c->doc.ended = 1;  /* a literal is a clause of its own */
        if (px_reserve_tokens(c, 2)) return;
        px_take(c, hit.word);
        c->doc.ended = 1;
        c->doc.last_end = from = hit.start + hit.len;
    }
    px_cut(c, from, size, fast);
}

/* One document. */
static void px_count_document(px_counter *c, const unsigned char *text, size_t size, int fast) {
    if (PX_RESERVE(c->doc.low, c->doc.low_capacity, size + 2 * PX_SLACK)) { px_fail(c); return; }
    c->doc.text = c->plan.keep_links ? text : px_without_links(c, text, size, fast);
    c->doc.last_end = c->literals.hits = 0;
    c->doc.scope_left = c->doc.ended = 0;
    if (c->literals.size) {
#ifdef PX_X86
        if (fast == 2) px_find_anchors_avx512(c, size);
        else if (fast) px_find_anchors_avx2(c, size); else
#endif
        px_find_anchors_from(c, 0, size);
    }
    if (c->literals.hits) px_cut_around_literals(c, size, fast);
    else px_cut(c, 0, size, fast);
    c->doc.text = text;
    px_end(c, size);
}

/* ---- creation, merging, pruning ---- */

static void px_document_free(px_document *doc) {
    free(doc->low); free(doc->waiting); free(doc->distinct); free(doc->lexical); free(doc->list_counts);
    for (int i = 0; i < 3; i++) free(doc->points[i].at);
    free(doc->scratch); free(doc->cut); free(doc->unlinked);
}

static void px_free(px_counter *c) {
    px_patterns_free(&c->plan.classes); px_patterns_free(&c->plan.wildcards); free(c->plan.opposite);
    free(c->phrases.step); free(c->phrases.word); free(c->phrases.class_of);
    free(c->literals.literal); free(c->literals.hit);
    px_words_free(&c->words);
    free(c->items.list); free(c->items.form);
    px_document_free(&c->doc);
    free(c->totals.imputed_documents);
    free(c->associations.sum);
    px_large_free(c->log.entry);
    px_pairs_free(&c->pairs.sums); px_parts_free(&c->pairs); px_order_free(&c->pairs.order);
    px_sample_free(&c->sample);
    free(c->keys.at);
    free(c->rows.column); free(c->rows.count); free(c->rows.end); free(c->rows.length); free(c->rows.id);
    memset(c, 0, sizeof *c);
}

static int px_init(px_counter *c, int lists, int joins, uint64_t slots, uint32_t words) {
    memset(c, 0, sizeof *c);
    c->plan.lists = lists; c->plan.joins = joins;
    c->doc.stamp = 1ull << 32;
    c->doc.list_counts = (int64_t *)calloc((size_t)lists + 1, 8);
    c->totals.imputed_documents = (int64_t *)calloc((size_t)lists + 1, 8);
    c->plan.opposite = (uint16_t *)malloc(((size_t)lists + 1) * 2);
    c->log.limit = PX_LOG_LEAST;
    c->sample.limit = c->keys.limit = UINT64_MAX;
    if (!c->doc.list_counts || !c->totals.imputed_documents || !c->plan.opposite) return -1;
    return px_words_init(&c->words, slots) || px_words_reserve(&c->words, words) ? -1 : 0;
}

/* Drop the words outside the lexicon that were seen at most `least` times; their tokens stay in all other sums. */
static int px_prune(px_counter *c, int64_t least) {
    px_words kept;
    uint64_t capacity = 1024, dropped = 0;
    for (uint32_t id = c->plan.reserved; id < c->words.size; id++)
        dropped += c->words.word[id].item < 0 && c->words.word[id].n <= least;
    if (!dropped) return 0;  /* as with a lexicon that fills the memory by itself */
    uint32_t *moved = (uint32_t *)malloc(((size_t)c->words.size + 1) * 4);
    while (capacity < 2ull * c->words.size) capacity *= 2;
    if (!moved || px_words_init(&kept, capacity)) { free(moved); return -1; }
    if (px_words_reserve(&kept, 1024)) { px_words_free(&kept); free(moved); return -1; }  /* also where none is left */
    for (uint32_t id = 0; id < c->words.size; id++) {
        const px_word *word = &c->words.word[id];
        moved[id] = PX_NONE;
        if (id >= c->plan.reserved && word->item < 0 && word->n <= least) { c->totals.pruned += word->n; continue; }
        px_token token;
        px_hash_word(&token, &c->words, id);
        uint32_t to = px_add(&kept, &token);
        if (to == PX_NONE) { px_words_free(&kept); free(moved); return px_fail(c); }  /* some have moved already */
        uint64_t offset = kept.word[to].offset;
        kept.word[to] = *word;
        kept.word[to].offset = offset;
        moved[id] = to;
        if (to == id) continue;
        if (c->phrases.class_capacity) c->phrases.class_of[to] = c->phrases.class_of[id];
        uint64_t width = 2 * (uint64_t)c->plan.lists;
        int64_t *sum = c->associations.sum;
        if (c->plan.want_associations) memcpy(sum + to * width, sum + id * width, width * 8);
    }
    if (c->plan.want_associations)  /* the rest is for words to come */
        memset(c->associations.sum + kept.size * 2 * (size_t)c->plan.lists, 0,
               (c->associations.capacity - kept.size) * 16 * (uint64_t)c->plan.lists);
    for (uint32_t id = 0; id < kept.size; id++)
        if (kept.word[id].negated != PX_NONE) kept.word[id].negated = moved[kept.word[id].negated];
    free(moved);
    px_words_free(&c->words);
    c->words = kept;
    return 0;
}

/* The word of a counter that another one has: a negated form gets its item by that of its word, if that is known. */
static uint32_t px_word_of_other(px_counter *c, const px_token *token, int is_form) {
    uint32_t id = px_find(&c->words, token), prefix = c->plan.negation_prefix_len, word = PX_NONE;
    if (id != PX_NONE) return id;
    if (is_form && c->items.forms && token->len > prefix) {
        px_token own;
        px_hash_exactly(&own, token->at + prefix, token->len - prefix);
        word = px_find(&c->words, &own);
    }
    return word != PX_NONE && c->words.word[word].item >= 0 ? px_negated(c, word) : px_new_word(c, token, !is_form);
}

/* Add the words of b to a; number[i] becomes the item here of item i there. */
static int px_merge_words(px_counter *a, const px_counter *b, int32_t *number) {
    uint32_t width = 2 * (uint32_t)a->plan.lists;
    px_token ahead[16];  /* the next words: their slots and then their records are prefetched */
    for (uint32_t at = 0; at < b->words.size + 16; at++) {
        px_token token = ahead[at & 15];
        if (at < b->words.size) {
            px_hash_word(&ahead[at & 15], &b->words, at);
            PX_PREFETCH(&a->words.slots[ahead[at & 15].hash & a->words.mask]);
        }
        if (at >= 8 && at < b->words.size + 8) {
            px_slot slot = a->words.slots[ahead[(at - 8) & 15].hash & a->words.mask];
            if (slot) PX_PREFETCH(&a->words.word[px_slot_id(slot)]);
        }
        if (at < 16) continue;
        uint32_t id = at - 16;
        const px_word *from = &b->words.word[id];
        if (!from->n && from->item < 0) continue;
        uint32_t mine = px_word_of_other(a, &token, from->flags & PX_NEGATED_FORM);
        if (mine == PX_NONE) return -1;
        px_word *to = &a->words.word[mine];
        if (from->item >= 0 && to->item < 0) {
            to->list = from->list;
            to->item = px_new_item(a, from->list);
            if (to->item < 0) return -1;
        }
        if (from->item >= 0) number[from->item] = to->item;
        to->n += from->n; to->q += from->q;
        if (!a->plan.want_associations) continue;
        int64_t *sums = a->associations.sum + (uint64_t)mine * width;
        for (uint32_t y = 0; y < width; y++) sums[y] += b->associations.sum[(uint64_t)id * width + y];
    }
    return 0;
}

/* Add everything that b has counted to a, or all but the pairs: these are joined by themselves where items are numbered
 * alike (joining.h), at the same time. */
static int px_merge(px_counter *a, px_counter *b, int pairs) {
    int32_t *number = (int32_t *)calloc((size_t)b->items.size + 1, 4);
    if (!number) return -1;
    int failed = pairs && (px_flush_log(a) || px_flush_log(b));
    failed = failed || px_merge_words(a, b, number);
    failed = failed || (pairs && px_pairs_renumbered(a, b, number));
    failed = failed || px_sample_add(&a->sample, &b->sample, number);
    for (size_t i = 0; i < b->keys.size && !failed; i++) failed = px_keep_key(&a->keys, b->keys.at[i]);
    free(number);
    px_totals *to = &a->totals;
    const px_totals *from = &b->totals;
    to->documents += from->documents; to->tokens += from->tokens; to->squared_lengths += from->squared_lengths;
    to->empty += from->empty; to->pruned += from->pruned;
    for (int y = 0; y < a->plan.lists; y++) to->imputed_documents[y] += from->imputed_documents[y];
    return failed || a->failed ? -1 : 0;
}

#endif
