"""What _counter.pyx uses of the kernel, as C declares it in _kernel/."""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t


cdef extern from "_kernel/kernel.h" nogil:
    const uint32_t PX_MAX_WORDS, PX_LENGTH, PX_NORMALIZATION
    const int PX_ITEMS, PX_LISTS, PX_LOG_FULL
    ctypedef struct px_word:
        int64_t n, q
        uint64_t offset
        uint32_t len, negated
        int32_t item
        uint8_t list
    ctypedef struct px_words:
        uint32_t size
        px_word *word
        char *arena
        uint64_t used
    ctypedef struct px_patterns:
        pass
    ctypedef struct px_normalization:
        const uint32_t *point
        const uint32_t *end
        const uint32_t *part
        const uint64_t *pair
        const uint32_t *composed
        size_t size, pairs
    ctypedef struct px_plan:
        int lists, closed, scope
        int want_sums, want_rows, want_ids, want_associations, keep_links
        uint32_t reserved
        px_patterns classes, wildcards
        char negation_prefix[8]
        uint32_t negation_prefix_len
        uint16_t *opposite
        const uint32_t *characters
        int folds
        px_normalization normalization
    ctypedef struct px_items:
        int32_t size, known
        uint16_t *list
    ctypedef struct px_totals:
        int64_t documents, tokens, squared_lengths, empty, pruned
        int64_t *imputed_documents
    ctypedef struct px_associations:
        int64_t *sum
    ctypedef struct px_log:
        size_t size
    ctypedef struct px_pairs:
        size_t size
    ctypedef struct px_order:
        uint32_t *first
    ctypedef struct px_cooccurrence:
        px_pairs sums
        px_order order
        size_t parts
    ctypedef struct px_sampled:
        uint64_t key, word_key
        int64_t repeats, length
        size_t first
        uint32_t count
    ctypedef struct px_sample:
        size_t max, size, used
        px_sampled *row
        uint64_t *entry
    ctypedef struct px_keys:
        uint64_t *at
        size_t size
        uint64_t limit
    ctypedef struct px_rows:
        int32_t *column
        int32_t *count
        int64_t *end
        int64_t *length
        int32_t *id
        size_t used, size, ids
    ctypedef struct px_counter:
        px_plan plan
        px_words words
        px_items items
        px_totals totals
        px_associations associations
        px_log log
        px_cooccurrence pairs
        px_sample sample
        px_keys keys
        px_rows rows
        int failed
        int (*load)(px_counter *, uint32_t) noexcept
        void *owner
    int px_init(px_counter *, int, int, uint64_t, uint32_t)
    void px_free(px_counter *)
    uint32_t px_plan_words(px_counter *, const char *, const int32_t *, uint32_t)
    int px_classify_word(px_counter *, uint32_t, int)
    int px_plan_items(px_counter *, const int64_t *, const int64_t *, size_t)
    int px_plan_forms(px_counter *, const int64_t *, size_t)
    int px_plan_columns(px_counter *, const int64_t *, size_t)
    void px_plan_negator(px_counter *, uint32_t)
    void px_plan_scope_end(px_counter *, uint32_t)
    int px_plan_phrases(px_counter *, size_t)
    void px_plan_phrase(px_counter *, const uint32_t *, size_t, uint32_t, int)
    int px_plan_patterns(px_patterns *, size_t)
    int px_plan_pattern(px_patterns *, const char *, uint32_t, int, int32_t)
    int px_plan_literals(px_counter *, size_t)
    void px_plan_literal(px_counter *, const unsigned char *, uint32_t, uint32_t, uint32_t)
    uint64_t px_text_hash(const unsigned char *, size_t)
    void px_count_document(px_counter *, const unsigned char *, size_t, int)
    int px_merge(px_counter *, px_counter *, int)
    int px_prune(px_counter *, int64_t)
    void px_log_row(px_counter *, const int32_t *, const int32_t *, size_t)
    int px_flush_log(px_counter *)
    int px_order_log(px_counter *)
    int px_pairs_part(px_counter **, size_t, size_t, size_t, px_pairs *)
    void px_pairs_join(px_counter **, size_t, px_pairs *, size_t)
    int px_pairs_whole(px_cooccurrence *)
    void px_pairs_free(px_pairs *)
    size_t px_pairs_count(const px_cooccurrence *)
    size_t px_pairs_bytes(const px_cooccurrence *)
    const px_pairs *px_part_of(const px_cooccurrence *, size_t)
    int px_pairs_starts(const px_cooccurrence *, const int64_t *, int64_t, int64_t *)
    int px_pairs_values(const px_pairs *, const int64_t *, const int64_t *, int32_t *, int64_t *)
    int px_sample_trim(px_sample *)
    void px_sort_entries(uint64_t *, size_t)
    size_t px_empty_store()
    int px_fastest()
