/* A sample of documents that does not depend on their order: those whose text has the smallest hashes.
 *
 * Samples of parts merge into the sample of the whole, exactly, because a document that is not among the smallest of
 * its part cannot be among the smallest of all. Texts that occur twice are kept once, with how often they occurred. */
#ifndef PROBLEX_SAMPLE_H
#define PROBLEX_SAMPLE_H

#include "counter.h"

typedef struct { uint64_t key; size_t at; } px_drawn;

/* Items of a document in ascending order. They are few, but for books. */
static void px_sort_entries(uint64_t *entry, size_t n) {
    if (n > 64) { qsort(entry, n, sizeof *entry, px_by_first); return; }
    for (size_t i = 1; i < n; i++) {
        uint64_t one = entry[i];
        size_t at = i;
        for (; at && entry[at - 1] > one; at--) entry[at] = entry[at - 1];
        entry[at] = one;
    }
}

/* Keep the smallest keys, each once, in order. */
static int px_sample_trim(px_counter *c) {
    size_t n = c->samples, kept = 0, used = 0;
    if (n == c->sample_trimmed) return 0;  /* none has come since */
    px_drawn *drawn = (px_drawn *)malloc((n + 1) * sizeof *drawn);
    uint64_t *key = (uint64_t *)malloc((n + 1) * 8), *at = (uint64_t *)malloc((n + 1) * 8);
    int64_t *repeats = (int64_t *)malloc((n + 1) * 8), *length = (int64_t *)malloc((n + 1) * 8);
    uint32_t *count = (uint32_t *)malloc((n + 1) * 4);
    uint64_t *entry = (uint64_t *)malloc((c->sample_used + 1) * 8);
    if (!drawn || !key || !at || !repeats || !length || !count || !entry) {
        free(drawn); free(key); free(at); free(repeats); free(length); free(count); free(entry);
        return px_fail(c);
    }
    for (size_t i = 0; i < n; i++) { drawn[i].key = c->sample_key[i]; drawn[i].at = i; }
    qsort(drawn, n, sizeof *drawn, px_by_first);
    for (size_t i = 0; i < n; i++) {
        size_t from = drawn[i].at;
        if (kept && key[kept - 1] == drawn[i].key) { repeats[kept - 1] += c->sample_repeats[from]; continue; }
        if (kept == c->sample_most) break;
        key[kept] = drawn[i].key; at[kept] = used; repeats[kept] = c->sample_repeats[from];
        length[kept] = c->sample_length[from]; count[kept] = c->sample_n[from];
        if (count[kept]) memcpy(entry + used, c->sample_entry + c->sample_at[from], count[kept] * 8ull);
        used += count[kept++];
    }
    c->sample_limit = kept && kept == c->sample_most ? key[kept - 1] : UINT64_MAX;
    free(c->sample_key); free(c->sample_at); free(c->sample_repeats); free(c->sample_length); free(c->sample_n);
    free(c->sample_entry); free(drawn);
    c->sample_key = key; c->sample_at = at; c->sample_repeats = repeats; c->sample_length = length; c->sample_n = count;
    c->sample_entry = entry;
    c->samples = c->sample_trimmed = kept; c->sample_used = used;
    c->sample_room = n + 1; c->entry_room = used ? used : 1;
    return 0;
}

static int px_sample_push(px_counter *c, uint64_t key, int64_t repeats, int64_t length, size_t n) {
    if (c->samples == c->sample_room) {
        size_t room = 2 * c->samples + 256;
        void *a = realloc(c->sample_key, room * 8); if (!a) return px_fail(c); c->sample_key = (uint64_t *)a;
        a = realloc(c->sample_at, room * 8); if (!a) return px_fail(c); c->sample_at = (uint64_t *)a;
        a = realloc(c->sample_repeats, room * 8); if (!a) return px_fail(c); c->sample_repeats = (int64_t *)a;
        a = realloc(c->sample_length, room * 8); if (!a) return px_fail(c); c->sample_length = (int64_t *)a;
        a = realloc(c->sample_n, room * 4); if (!a) return px_fail(c); c->sample_n = (uint32_t *)a;
        c->sample_room = room;
    }
    if (PX_RESERVE(c->sample_entry, c->entry_room, c->sample_used + n)) return px_fail(c);
    size_t i = c->samples++;
    c->sample_key[i] = key; c->sample_repeats[i] = repeats; c->sample_length[i] = length;
    c->sample_at[i] = c->sample_used; c->sample_n[i] = (uint32_t)n;
    return 0;
}

/* The document at hand, if its hash is small enough. */
static void px_sample_document(px_counter *c, uint64_t key) {
    if (key > c->sample_limit || !c->sample_most) return;
    if (px_sample_push(c, key, 1, c->length, c->in_lexical)) return;
    for (size_t i = 0; i < c->in_lexical; i++) {
        const px_word *word = &c->words.word[c->lexical[i]];
        c->sample_entry[c->sample_used++] = (uint64_t)(uint32_t)word->item << 32 | px_seen(word);
    }
    if (c->samples >= 2 * c->sample_most) px_sample_trim(c);
}

/* The sample of another counter, whose item i is item number[i] here. */
static int px_sample_add(px_counter *c, const px_counter *other, const int32_t *number) {
    for (size_t i = 0; i < other->samples; i++) {
        if (other->sample_key[i] > c->sample_limit) continue;
        uint32_t entries = other->sample_n[i];
        int64_t repeats = other->sample_repeats[i], length = other->sample_length[i];
        if (px_sample_push(c, other->sample_key[i], repeats, length, entries)) return -1;
        for (uint32_t k = 0; k < other->sample_n[i]; k++) {
            uint64_t entry = other->sample_entry[other->sample_at[i] + k];
            c->sample_entry[c->sample_used++] = (uint64_t)(uint32_t)number[entry >> 32] << 32 | (uint32_t)entry;
        }
    }
    return px_sample_trim(c);
}

#endif
