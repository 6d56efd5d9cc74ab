/* A sample of documents that does not depend on their order: those whose text has the smallest hashes.
 *
 * Samples of parts merge into the sample of the whole, exactly, because a document that is not among the smallest of
 * its part cannot be among the smallest of all. Texts that occur twice are kept once, with how often they occurred. */
#ifndef PROBLEX_SAMPLE_H
#define PROBLEX_SAMPLE_H

#include "counter.h"

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

static void px_sample_free(px_sample *sample) {
    free(sample->row); free(sample->entry);
    memset(sample, 0, sizeof *sample);
}

/* Keep the smallest keys, each once, in order. */
static int px_sample_trim(px_sample *sample) {
    size_t size = 0, used = 0;
    if (sample->size == sample->trimmed) return 0;  /* none has come since */
    uint64_t *entry = (uint64_t *)malloc((sample->used + 1) * sizeof *entry);
    if (!entry) return -1;
    qsort(sample->row, sample->size, sizeof *sample->row, px_by_first);
    for (size_t i = 0; i < sample->size; i++) {
        px_sampled row = sample->row[i];
        if (size && sample->row[size - 1].key == row.key) { sample->row[size - 1].repeats += row.repeats; continue; }
        if (size == sample->max) break;
        if (row.count) memcpy(entry + used, sample->entry + row.first, row.count * sizeof *entry);
        row.first = used;
        used += row.count;
        sample->row[size++] = row;
    }
    sample->limit = size && size == sample->max ? sample->row[size - 1].key : UINT64_MAX;
    free(sample->entry);
    sample->entry = entry;
    sample->entry_capacity = sample->used + 1;
    sample->size = sample->trimmed = size; sample->used = used;
    return 0;
}

/* A new row; its entries are to be written behind those of the others. */
static int px_sample_push(px_sample *sample, px_sampled row) {
    if (PX_RESERVE(sample->row, sample->capacity, sample->size + 1)) return -1;
    if (PX_RESERVE(sample->entry, sample->entry_capacity, sample->used + row.count)) return -1;
    row.first = sample->used;
    sample->row[sample->size++] = row;
    return 0;
}

/* The document at hand, if its key is small enough. */
static void px_sample_document(px_counter *c, uint64_t key, uint64_t word_key) {
    px_sample *sample = &c->sample;
    if (key > sample->limit || !sample->max) return;
    px_sampled row = {key, word_key, 1, c->doc.length, 0, (uint32_t)c->doc.in_lexical};
    if (px_sample_push(sample, row)) { px_fail(c); return; }
    for (size_t i = 0; i < c->doc.in_lexical; i++) {
        const px_word *word = &c->words.word[c->doc.lexical[i]];
        sample->entry[sample->used++] = (uint64_t)(uint32_t)word->item << 32 | px_occurrences(word);
    }
    if (sample->size >= 2 * sample->max && px_sample_trim(sample)) px_fail(c);
}

/* The sample of another counter, whose item i is item number[i] here. */
static int px_sample_add(px_sample *sample, const px_sample *other, const int32_t *number) {
    for (size_t i = 0; i < other->size; i++) {
        px_sampled row = other->row[i];
        if (row.key > sample->limit) continue;
        if (px_sample_push(sample, row)) return -1;
        for (uint32_t k = 0; k < row.count; k++) {
            uint64_t entry = other->entry[row.first + k];
            sample->entry[sample->used++] = (uint64_t)(uint32_t)number[entry >> 32] << 32 | (uint32_t)entry;
        }
    }
    return px_sample_trim(sample);
}

#endif
