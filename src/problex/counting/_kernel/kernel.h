/* UTF-8 text to counts, without Python: what _counter.pyx calls.
 *
 * memory.h: where arrays come from. words.h: the table of words. counter.h: the state. matching.h: phrases, negation.
 * cutting.h: text to tokens. pairs.h: co-occurrence. joining.h: that of several counters. sample.h: some documents.
 * Here: the end of a document, life, merging, pruning. */
#ifndef PROBLEX_KERNEL_H
#define PROBLEX_KERNEL_H

#include "cutting.h"
#include "joining.h"
#include "plan.h"
#include "sample.h"

/* Per word of the document: how often it meets each list, and each label that counting would give. */
static void px_associate(px_counter *c) {
    int K = c->lists, label = -1;
    int64_t best = -1;
    memset(c->m, 0, (size_t)K * 8);
    for (size_t i = 0; i < c->in_lexical; i++) {
        const px_word *word = &c->words.word[c->lexical[i]];
        c->m[word->list] += px_seen(word);
    }
    for (int y = 0; y < K; y++) {
        if (c->m[y] > best) { best = c->m[y]; label = y; }
        else if (c->m[y] == best) label = -1;
    }
    if (label >= 0) c->imputed_documents[label]++;
    for (size_t i = 0; i < c->in_distinct; i++) {
        uint32_t id = c->distinct[i];
        int64_t *sums = c->associations + (uint64_t)id * 2 * (uint64_t)K, x = px_seen(&c->words.word[id]);
        for (int y = 0; y < K; y++) sums[y] += x * c->m[y];
        if (label >= 0) sums[K + label] += x;
    }
}

static void px_row_of_document(px_counter *c) {
    size_t n = c->in_distinct;
    if (c->row_used + n > c->row_room) {
        size_t room = 2 * (c->row_used + n) + 4096;
        int32_t *a = (int32_t *)realloc(c->row_index, room * 4); if (!a) { px_fail(c); return; } c->row_index = a;
        int32_t *b = (int32_t *)realloc(c->row_count, room * 4); if (!b) { px_fail(c); return; } c->row_count = b;
        c->row_room = room;
    }
    for (size_t i = 0; i < n; i++) {
        const px_word *word = &c->words.word[c->distinct[i]];
        c->row_index[c->row_used] = c->closed ? word->item : (int32_t)c->distinct[i];
        c->row_count[c->row_used++] = (int32_t)px_seen(word);
    }
}

static void px_end_row(px_counter *c) {
    if (c->rows == c->rows_room) {
        size_t room = c->rows_room ? c->rows_room * 2 : 1024;
        int64_t *a = (int64_t *)realloc(c->row_end, room * 8); if (!a) { px_fail(c); return; } c->row_end = a;
        int64_t *b = (int64_t *)realloc(c->row_length, room * 8); if (!b) { px_fail(c); return; } c->row_length = b;
        c->rows_room = room;
    }
    c->row_end[c->rows] = (int64_t)(c->want_ids ? c->in_ids : c->row_used);
    c->row_length[c->rows++] = c->length;
}

static void px_sum_document(px_counter *c, size_t size) {
    px_log_document(c);
    if (c->in_log > c->log_limit && px_flush_log(c)) px_fail(c);
    if (c->want_associations) px_associate(c);
    px_sample_document(c, px_text_hash(c->text, size));
    c->documents++;
    c->tokens += c->length;
    c->squared_lengths += c->length * c->length;
    c->empty += c->length == 0;
}

static void px_end(px_counter *c, size_t size) {
    if (c->in_sequence) px_match(c, 1);
    if (!c->failed && c->want_rows) px_row_of_document(c);
    if (!c->failed && (c->want_rows || c->want_ids)) px_end_row(c);
    if (!c->failed && c->want_sums) px_sum_document(c, size);
    c->in_distinct = c->in_lexical = c->in_sequence = 0;
    c->length = 0;
    c->stamp += 1ull << 32;
    if (!c->stamp) {  /* after four thousand million documents the numbers begin again */
        for (uint32_t id = 0; id < c->words.size; id++) c->words.word[id].state = 0;
        c->stamp = 1ull << 32;
    }
    if (c->memo.size > (1u << 20) || c->memo.used > (1u << 26)) px_forget(c);  /* chunks may be as long as texts */
}

static inline void px_cut(px_counter *c, size_t from, size_t to, int fast) {
#ifdef PX_X86
    if (fast == 2) { px_cut_avx512(c, from, to); return; }
    if (fast) { px_cut_avx2(c, from, to); return; }
#endif
    (void)fast;
    px_cut_plain(c, from, to);
}

/* A document with literals: they are cut out first, from the left, the longest first; what is between is text. */
static void px_cut_around_literals(px_counter *c, size_t size, int fast) {
    size_t from = 0;
    qsort(c->hit, c->hits, sizeof *c->hit, px_by_place);
    for (size_t i = 0; i < c->hits && !c->failed; i++) {
        px_hit hit = c->hit[i];
        if (hit.start < from) continue;
        px_cut(c, from, hit.start, fast);
        c->broke = 1;  /* a literal is a clause of its own */
        if (px_document_room(c, 2)) return;
        px_take(c, hit.word);
        c->broke = 1;
        c->last_end = from = hit.start + hit.len;
    }
    px_cut(c, from, size, fast);
}

/* One document. */
static void px_document(px_counter *c, const unsigned char *text, size_t size, int fast) {
    if (PX_RESERVE(c->low, c->low_room, size + 2 * PX_SLACK)) { px_fail(c); return; }
    c->text = text;
    c->last_end = c->hits = 0;
    c->scope_left = c->broke = 0;
    if (c->literals) {
#ifdef PX_X86
        if (fast == 2) px_find_anchors_avx512(c, size);
        else if (fast) px_find_anchors_avx2(c, size); else
#endif
        px_find_anchors_from(c, 0, size);
    }
    if (c->hits) px_cut_around_literals(c, size, fast);
    else px_cut(c, 0, size, fast);
    px_end(c, size);
}

/* ---- life, merging, pruning ---- */

static void px_free(px_counter *c) {
    px_words_free(&c->words); px_words_free(&c->memo);
    px_patterns_free(&c->classes); px_patterns_free(&c->wildcards);
    free(c->associations); free(c->memo_at); free(c->memo_n); free(c->memo_ids);
    free(c->trie); free(c->node_word); free(c->class_of); free(c->opposite); free(c->literal); free(c->hit);
    free(c->low); free(c->sequence); free(c->distinct); free(c->lexical); free(c->m);
    free(c->imputed_documents); px_large_free(c->log); free(c->item_list);
    px_pairs_free(&c->pairs); px_parts_free(c); px_order_free(&c->order);
    free(c->points); free(c->scratch);
    free(c->sample_key); free(c->sample_at); free(c->sample_repeats); free(c->sample_length); free(c->sample_n);
    free(c->sample_entry);
    free(c->row_index); free(c->row_count); free(c->row_end); free(c->row_length); free(c->ids);
    memset(c, 0, sizeof *c);
}

static int px_init(px_counter *c, int lists, int joins, uint64_t slots, uint32_t words) {
    memset(c, 0, sizeof *c);
    c->lists = lists; c->joins = joins;
    c->stamp = 1ull << 32;
    c->m = (int64_t *)calloc((size_t)lists + 1, 8);
    c->imputed_documents = (int64_t *)calloc((size_t)lists + 1, 8);
    c->opposite = (uint16_t *)malloc(((size_t)lists + 1) * 2);
    c->log_limit = 1u << 20;
    c->sample_limit = UINT64_MAX;
    if (!c->m || !c->imputed_documents || !c->opposite) return -1;
    return px_words_init(&c->words, slots) || px_words_reserve(&c->words, words) || px_words_init(&c->memo, 1024);
}

/* Drop the words outside the lexicon that were seen at most `least` times; their tokens stay in all other sums. */
static int px_prune(px_counter *c, int64_t least) {
    px_words kept;
    uint64_t room = 1024;
    uint32_t *moved = (uint32_t *)malloc(((size_t)c->words.size + 1) * 4);
    while (room < 2ull * c->words.size) room *= 2;
    if (!moved || px_words_init(&kept, room)) { free(moved); return -1; }
    for (uint32_t id = 0; id < c->words.size; id++) {
        const px_word *word = &c->words.word[id];
        moved[id] = PX_NONE;
        if (id >= c->reserved && word->item < 0 && word->n <= least) { c->pruned += word->n; continue; }
        px_token token;
        px_hash_word(&token, &c->words, id);
        uint32_t to = px_add(&kept, &token);
        if (to == PX_NONE) { px_words_free(&kept); free(moved); return px_fail(c); }  /* some have moved already */
        uint64_t offset = kept.word[to].offset;
        kept.word[to] = *word;
        kept.word[to].offset = offset;
        moved[id] = to;
        if (to == id) continue;
        if (c->class_room) c->class_of[to] = c->class_of[id];
        uint64_t width = 2 * (uint64_t)c->lists;
        if (c->want_associations) memcpy(c->associations + to * width, c->associations + id * width, width * 8);
    }
    if (c->want_associations)  /* those beyond belong to words to come */
        memset(c->associations + kept.size * 2 * (size_t)c->lists, 0,
               (c->association_room - kept.size) * 16 * (uint64_t)c->lists);
    for (uint32_t id = 0; id < kept.size; id++)
        if (kept.word[id].negated != PX_NONE) kept.word[id].negated = moved[kept.word[id].negated];
    free(moved);
    px_words_free(&c->words);
    c->words = kept;
    return px_forget(c);  /* the memo holds the old ids */
}

/* Add the words of b to a; number[i] becomes the item here of item i there. */
static int px_merge_words(px_counter *a, const px_counter *b, int32_t *number) {
    uint32_t width = 2 * (uint32_t)a->lists;
    px_token ahead[16];  /* words to come, so that their slots and then their records are fetched in time */
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
        uint32_t mine = px_find(&a->words, &token);
        if (mine == PX_NONE) mine = px_new_word(a, &token, !(from->flags & PX_MADE));
        if (mine == PX_NONE) return -1;
        px_word *to = &a->words.word[mine];
        if (from->item >= 0 && to->item < 0) {
            to->list = from->list;
            to->item = px_new_item(a, from->list);
            if (to->item < 0) return -1;
        }
        if (from->item >= 0) number[from->item] = to->item;
        to->n += from->n; to->q += from->q;
        if (!a->want_associations) continue;
        int64_t *sums = a->associations + (uint64_t)mine * width;
        for (uint32_t y = 0; y < width; y++) sums[y] += b->associations[(uint64_t)id * width + y];
    }
    return 0;
}

/* Add everything that b has counted to a, or all but the pairs: these are joined by themselves where items are numbered
 * alike (joining.h), at the same time. */
static int px_merge(px_counter *a, px_counter *b, int pairs) {
    int32_t *number = (int32_t *)calloc((size_t)b->items + 1, 4);
    if (!number) return -1;
    int failed = pairs && (px_flush_log(a) || px_flush_log(b));
    failed = failed || px_merge_words(a, b, number);
    failed = failed || (pairs && px_pairs_renumbered(a, b, number));
    failed = failed || px_sample_add(a, b, number);
    free(number);
    a->documents += b->documents; a->tokens += b->tokens; a->squared_lengths += b->squared_lengths;
    a->empty += b->empty; a->pruned += b->pruned;
    for (int y = 0; y < a->lists; y++) a->imputed_documents[y] += b->imputed_documents[y];
    return failed || a->failed ? -1 : 0;
}

#endif
