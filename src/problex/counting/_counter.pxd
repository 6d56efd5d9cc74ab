"""What _counter.pyx uses of the kernel, as C declares it in _kernel/."""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t


cdef extern from "_kernel/kernel.h" nogil:
    const uint32_t PX_NONE, PX_MARK, PX_MOST_WORDS
    const uint32_t PX_LENGTH
    const int PX_LOG_FULL
    const int PX_ITEMS, PX_LISTS
    ctypedef struct px_word:
        int64_t n, q
        uint64_t offset
        uint32_t len, negated
        int32_t item
        uint16_t followers
        uint8_t list, flags
    ctypedef struct px_words:
        uint32_t size
        px_word *word
        char *arena
        uint64_t used
    ctypedef struct px_pairs:
        uint64_t *key
        int64_t *value
        size_t size
    ctypedef struct px_order:
        uint32_t *first
    ctypedef struct px_patterns:
        pass
    ctypedef struct px_counter:
        px_words words
        int lists, closed, failed
        int want_sums, want_rows, want_ids, want_associations
        int32_t items, known_items
        uint32_t reserved
        int64_t *associations
        size_t memo_used
        px_patterns classes, wildcards
        int scope
        char negation_prefix[8]
        uint32_t negation_prefix_len
        uint16_t *opposite
        int64_t documents, tokens, squared_lengths, empty, pruned
        int64_t *imputed_documents
        uint16_t *item_list
        size_t item_room
        px_pairs pairs
        px_pairs *part
        size_t parts
        px_order order
        size_t sample_most, samples, sample_used
        uint64_t *sample_key
        int64_t *sample_repeats
        int64_t *sample_length
        uint64_t *sample_at
        uint32_t *sample_n
        uint64_t *sample_entry
        const uint32_t *lower
        uint32_t known
        int32_t *row_index
        int32_t *row_count
        size_t row_used, rows, in_ids, in_log
        int32_t *ids
        int64_t *row_end
        int64_t *row_length
        int (*resolve)(px_counter *, const char *, size_t) noexcept
        void *owner
    int px_init(px_counter *, int, int, uint64_t, uint32_t)
    void px_free(px_counter *)
    uint32_t px_word_of(px_counter *, const char *, uint32_t)
    int px_introduce(px_counter *, uint32_t, int)
    int px_plan_items(px_counter *, const int64_t *, const int64_t *, size_t)
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
    int px_remember_token(px_counter *, const char *, uint32_t)
    int px_remember(px_counter *, const char *, uint32_t, uint64_t)
    void px_document(px_counter *, const unsigned char *, size_t, int)
    int px_merge(px_counter *, px_counter *, int)
    int px_flush_log(px_counter *)
    void px_log_row(px_counter *, const int32_t *, const int32_t *, size_t)
    int px_order_log(px_counter *)
    int px_pairs_part(px_counter **, size_t, size_t, size_t, px_pairs *)
    void px_pairs_join(px_counter **, size_t, px_pairs *, size_t)
    int px_pairs_whole(px_counter *)
    size_t px_empty_store()
    void px_pairs_free(px_pairs *)
    int px_pairs_rows(const px_counter *, const int64_t *, int64_t *, int32_t *, int64_t *)
    int px_pairs_placed(const px_pairs *, const int64_t *, int64_t, int64_t *, int32_t *, int64_t *)
    int px_sample_trim(px_counter *)
    void px_sort_entries(uint64_t *, size_t)
    int px_prune(px_counter *, int64_t)
    int px_fastest()
