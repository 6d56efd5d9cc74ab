/* UTF-8 text to word counts, without Python: the inner loops of _counting.pyx.
 *
 * A document is cut into chunks: maximal runs of ASCII letters, inner apostrophes and bytes above 127. A chunk of
 * letters is a token. A chunk with higher bytes is taken character by character, with a table that was made from the
 * one definition of tokens (problex/tokens.py). Where a table cannot tell (combining marks, letters that lower-case by
 * context), Python splits the chunk, once: a memo keeps the answer.
 *
 * Time goes into waiting for memory, so tokens are handled a block at a time in three passes: hash and prefetch the
 * slot; find the word and prefetch its record; update the record.
 */
#ifndef PROBLEX_KERNEL_H
#define PROBLEX_KERNEL_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#if defined(__linux__)
#include <sys/mman.h>
#endif

#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__))
#include <immintrin.h>
#define PX_X86 1
#endif

#if defined(__GNUC__) || defined(__clang__)
#define PX_PREFETCH(p) __builtin_prefetch(p)
#define PX_CTZ(x) __builtin_ctzll(x)
#define PX_LIKELY(x) __builtin_expect(!!(x), 1)
#define PX_INLINE static inline __attribute__((always_inline))
#else
#define PX_INLINE static inline
#define PX_PREFETCH(p) ((void)0)
static inline int PX_CTZ(uint64_t x) { int n = 0; while (!(x & 1)) { x >>= 1; n++; } return n; }
#define PX_LIKELY(x) (x)
#endif

#define PX_NONE UINT32_MAX
#define PX_BLOCK 128
#define PX_SLACK 64

/* Memory for a large table, on large pages where the system has them: looking up pages costs more than the words. */
static void *px_large(size_t bytes) {
    void *found = NULL;
    if (posix_memalign(&found, bytes >= (1u << 21) ? 1u << 21 : 64, bytes)) return NULL;
#ifdef MADV_HUGEPAGE
    if (bytes >= (1u << 21)) madvise(found, bytes, MADV_HUGEPAGE);
#endif
    return found;
}

/* ---- a table of byte strings: open addressing, short strings are compared inside the slot ---- */

typedef struct { uint32_t tag, id; } px_slot;

/* What is looked at for every token: the fingerprint of a word (its first and last eight bytes, which are all of it up
 * to sixteen), its count in the document at hand, its list, whether phrases start with it, and its item (-1: neither in
 * the lexicon nor a column). Half a cache line, in the order in which words were first met: frequent ones stand
 * together. */
typedef struct { uint64_t prefix, suffix; uint32_t len, seen; uint16_t list, starts; int32_t item; } px_hot;

typedef struct {
    px_slot *slots;
    uint64_t mask;
    uint32_t size, capacity;      /* strings held, room in the arrays below */
    px_hot *hot;
    uint64_t *offset;
    char *arena;
    uint64_t used, arena_size;
} px_strings;

/* A string and its fingerprint: the first and the last eight bytes, which are all of it up to sixteen, and a hash. */
typedef struct { uint64_t prefix, suffix, hash; const char *at; uint32_t len; int32_t high; } px_token;

typedef struct { uint64_t key; int64_t value; } px_pair;

/* The sums of a word: n, q, then per list the products with it, then per label the occurrences. */
typedef struct { int64_t n, q, sums[]; } px_record;

typedef struct px_counter px_counter;
typedef int (*px_resolve)(px_counter *, const char *, size_t);

struct px_counter {
    px_strings words;
    int lists, stride, closed, joins, failed;
    char *records;                /* px_record of each word, `stride` bytes apart */
    uint64_t record_room;
    uint32_t reserved;            /* the first so many words belong to the lexicon and are never pruned */
    /* memo of chunks with bytes above 127: where their word ids begin, and how many */
    px_strings memo;
    uint64_t *memo_at; uint32_t *memo_n; uint64_t memo_room;
    uint32_t *memo_ids; uint64_t memo_used, memo_size;
    /* phrases: a trie over word ids */
    int phrases;                  /* whether there are any */
    px_pair *trie; uint64_t trie_mask;
    uint32_t *node_word;
    /* the document at hand */
    char *low; size_t low_room;
    px_token block[PX_BLOCK]; int in_block;
    uint32_t *sequence; size_t in_sequence, sequence_room;
    uint32_t *distinct; size_t in_distinct, distinct_room;
    uint32_t *lexical; size_t in_lexical;
    int64_t length;
    int64_t *m;
    /* sums */
    int64_t documents, tokens, squared_lengths, empty, pruned;
    int64_t *imputed_documents;
    /* Pairs of items of different lists. Documents are logged as their items, ascending, followed by an end mark: an
     * item and its count in one word, a count too large for its bits in several. From time to time the log is turned into sums, item by item, which stays in the cache where
     * document by document would not. `pair_key` is row * items + column, ascending. */
    uint32_t *list_end;           /* items are numbered list by list: where the list of an item ends */
    uint32_t *log; size_t in_log, log_room, log_limit;
    uint64_t *pair_key; int64_t *pair_value; size_t pair_size;
    uint64_t items;
    /* rows, when asked for */
    int want_sums, want_rows;
    int32_t *row_index, *row_count; size_t row_used, row_room;
    int64_t *row_end, *row_length; size_t rows, rows_room;
    /* Characters: what each code point below `known` is lower-cased to, or one of the marks below. */
    const uint32_t *lower; uint32_t known;
    uint32_t *points; char *scratch; size_t point_room;
    px_resolve resolve; void *owner;
};

static inline uint64_t px_mix(uint64_t a, uint64_t b) {
#if defined(__SIZEOF_INT128__)
    __uint128_t r = (__uint128_t)(a ^ 0x9E3779B97F4A7C15ull) * (b ^ 0xD1B54A32D192ED03ull);
    return (uint64_t)r ^ (uint64_t)(r >> 64);
#else
    a ^= b * 0x9E3779B97F4A7C15ull; a ^= a >> 32; a *= 0xD6E8FEB86659FD93ull; a ^= a >> 32;
    return a;
#endif
}

static inline uint64_t px_load(const char *p) { uint64_t v; memcpy(&v, p, 8); return v; }

/* Fill in the fingerprint. Reads eight bytes wherever it reads: callers keep slack behind their buffers. */
static inline void px_print(px_token *t, const char *p, uint32_t len) {
    uint64_t mask = len >= 8 ? UINT64_MAX : (1ull << (8 * len)) - 1;
    uint32_t last = len > 8 ? len - 8 : 0;
    t->at = p; t->len = len;
    t->prefix = px_load(p) & mask;
    t->suffix = px_load(p + last) & mask;
    t->hash = px_mix(t->prefix + len, t->suffix);
    for (uint32_t at = 8; at + 8 < len; at += 8) t->hash = px_mix(t->hash, px_load(p + at));
}

/* The same without reading behind the string. */
static inline void px_print_safe(px_token *t, const char *p, uint32_t len) {
    char small[16] = {0};
    if (len >= 8) { px_print(t, p, len); return; }
    memcpy(small, p, len);
    px_print(t, small, len);
    t->at = p;
}

static int px_strings_init(px_strings *t, uint64_t slots) {
    memset(t, 0, sizeof *t);
    t->mask = slots - 1;
    t->slots = (px_slot *)px_large(slots * sizeof(px_slot));
    if (!t->slots) return -1;
    memset(t->slots, 0xFF, slots * sizeof(px_slot));
    return 0;
}

static void px_strings_free(px_strings *t) {
    free(t->slots); free(t->hot); free(t->offset); free(t->arena);
    memset(t, 0, sizeof *t);
}

static inline void px_put(px_slot *slots, uint64_t mask, uint64_t hash, uint32_t id) {
    uint64_t at = hash & mask;
    while (slots[at].id != PX_NONE) at = (at + 1) & mask;
    slots[at].tag = (uint32_t)(hash >> 32); slots[at].id = id;
}

/* Twice the slots. Words go back in the order in which they were met: the frequent ones get the first place. */
static int px_strings_grow(px_strings *t) {
    uint64_t slots = (t->mask + 1) * 2, mask = slots - 1;
    px_slot *fresh = (px_slot *)px_large(slots * sizeof(px_slot));
    if (!fresh) return -1;
    memset(fresh, 0xFF, slots * sizeof(px_slot));
    for (uint32_t id = 0; id < t->size; id++) {
        px_token token;
        px_print(&token, t->arena + t->offset[id], t->hot[id].len);
        px_put(fresh, mask, token.hash, id);
    }
    free(t->slots);
    t->slots = fresh; t->mask = mask;
    return 0;
}

static inline int px_same(const px_strings *t, uint32_t id, const px_token *token) {
    const px_hot *hot = &t->hot[id];
    if (((hot->prefix ^ token->prefix) | (hot->suffix ^ token->suffix) | (hot->len ^ token->len)) != 0) return 0;
    return PX_LIKELY(token->len <= 16) || memcmp(t->arena + t->offset[id], token->at, token->len) == 0;
}

/* The first word from a slot on whose tag is that of the hash: almost always the word itself. */
static inline uint32_t px_candidate(const px_strings *t, uint64_t hash, uint64_t *at) {
    uint32_t tag = (uint32_t)(hash >> 32);
    while (t->slots[*at].id != PX_NONE && t->slots[*at].tag != tag) *at = (*at + 1) & t->mask;
    return t->slots[*at].id;
}

static inline uint32_t px_find(const px_strings *t, const px_token *token) {
    uint64_t at = token->hash & t->mask;
    for (;;) {
        uint32_t id = px_candidate(t, token->hash, &at);
        if (id == PX_NONE || px_same(t, id, token)) return id;
        at = (at + 1) & t->mask;
    }
}

/* Adds a string that is not there yet; PX_NONE when memory is used up. */
static uint32_t px_add(px_strings *t, const px_token *token) {
    uint32_t len = token->len;
    if (t->size == PX_NONE - 1) return PX_NONE;
    if (10 * ((uint64_t)t->size + 1) > 6 * (t->mask + 1) && px_strings_grow(t)) return PX_NONE;
    if (t->size == t->capacity) {
        uint32_t room = t->capacity ? t->capacity * 2 : 1024;
        void *o = realloc(t->offset, room * 8ull); if (!o) return PX_NONE; t->offset = (uint64_t *)o;
        px_hot *h = (px_hot *)px_large(room * sizeof(px_hot)); if (!h) return PX_NONE;
        if (t->hot) memcpy(h, t->hot, t->size * sizeof(px_hot));
        free(t->hot);
        t->hot = h; t->capacity = room;
    }
    if (t->used + len + PX_SLACK > t->arena_size) {
        uint64_t room = (t->used + len + PX_SLACK) * 2;
        char *a = (char *)realloc(t->arena, room); if (!a) return PX_NONE;
        t->arena = a; t->arena_size = room;
    }
    uint32_t id = t->size++;
    px_hot fresh = {token->prefix, token->suffix, len, 0, 0, 0, -1};
    t->hot[id] = fresh;
    memcpy(t->arena + t->used, token->at, len);
    t->offset[id] = t->used;
    t->used += len;
    px_put(t->slots, t->mask, token->hash, id);
    return id;
}

/* ---- records of words ---- */

/* Whole cache lines, so that none is shared by two words. */
PX_INLINE size_t px_stride(int lists) { return (sizeof(px_record) + 16 * (size_t)lists + 63) / 64 * 64; }

static inline px_record *px_of(const px_counter *c, uint32_t id) {
    return (px_record *)(c->records + (uint64_t)id * (uint64_t)c->stride);
}

/* Room for records. */
static int px_record_room(px_counter *c, uint64_t words) {
    if (words <= c->record_room) return 0;
    uint64_t room = c->record_room ? c->record_room : 4096;
    while (room < words) room *= 2;
    void *fresh = px_large(room * (uint64_t)c->stride);
    if (!fresh) return -1;
    if (c->records) memcpy(fresh, c->records, c->record_room * (uint64_t)c->stride);
    free(c->records);
    c->records = (char *)fresh; c->record_room = room;
    return 0;
}

/* Find or add a word, with an empty record of its own when it is new. */
static uint32_t px_word(px_counter *c, const px_token *token) {
    uint32_t id = px_find(&c->words, token);
    if (id != PX_NONE || c->closed) return id;
    id = px_add(&c->words, token);
    if (id == PX_NONE) { c->failed = 1; return PX_NONE; }
    if (px_record_room(c, c->words.size)) { c->failed = 1; return PX_NONE; }
    memset(px_of(c, id), 0, (size_t)c->stride);
    return id;
}

/* The same for bytes without slack behind them. */
static uint32_t px_word_of(px_counter *c, const char *p, uint32_t len) {
    px_token token;
    px_print_safe(&token, p, len);
    return px_word(c, &token);
}

#define PX_PUSH(c, array, used, room, type, value)                                                       \
    do {                                                                                                 \
        if ((c)->used == (c)->room) {                                                                    \
            size_t more = (c)->room ? (c)->room * 2 : 256;                                               \
            type *grown = (type *)realloc((c)->array, more * sizeof(type));                              \
            if (!grown) { (c)->failed = 1; break; }                                                      \
            (c)->array = grown; (c)->room = more;                                                        \
        }                                                                                                \
        (c)->array[(c)->used++] = (value);                                                               \
    } while (0)

/* Room for n more words in the lists of the document. */
static int px_document_room(px_counter *c, size_t n) {
    if (c->in_distinct + n <= c->distinct_room) return 0;
    size_t room = 2 * (c->in_distinct + n);
    uint32_t *a = (uint32_t *)realloc(c->distinct, room * 4); if (!a) { c->failed = 1; return -1; } c->distinct = a;
    uint32_t *b = (uint32_t *)realloc(c->lexical, room * 4); if (!b) { c->failed = 1; return -1; } c->lexical = b;
    c->distinct_room = room;
    return 0;
}

/* One more token of the document. Whether a word is new in it is anybody's guess, so nothing branches on that. */
static inline void px_count(px_counter *c, uint32_t id) {
    c->length++;
    if (!PX_LIKELY(id != PX_NONE)) return;
    px_hot *record = &c->words.hot[id];
    int item = record->item >= 0, counts = item | !c->closed;  /* closed: words of phrases have no column */
    int fresh = (record->seen == 0) & counts;
    record->seen += (uint32_t)counts;
    c->distinct[c->in_distinct] = id;
    c->in_distinct += (size_t)fresh;
    c->lexical[c->in_lexical] = id;
    c->in_lexical += (size_t)(fresh & item);
}

static void px_match(px_counter *c, int final);
static uint32_t px_step(const px_counter *c, uint32_t node, uint32_t id);

/* The next token. Words wait in `sequence` only from one that starts a phrase until it is clear which phrase it is. */
static inline void px_take(px_counter *c, uint32_t id) {
    if (PX_LIKELY(!c->in_sequence)) {
        if (PX_LIKELY(!c->phrases || id == PX_NONE || !c->words.hot[id].starts)) { px_count(c, id); return; }
    }
    PX_PUSH(c, sequence, in_sequence, sequence_room, uint32_t, id);
    if (c->in_sequence > 1) px_match(c, 0);
}

#define PX_BREAK 0u             /* not part of a token */
#define PX_APOSTROPHE 1u
#define PX_HARD 2u              /* only Python can tell: marks, letters that lower-case to several, by context, ... */

/* Decode a chunk; how many code points, or -1 if one of them is hard or the bytes are not UTF-8. */
static int64_t px_decode(px_counter *c, const unsigned char *p, size_t len) {
    if (len + 1 > c->point_room) {
        size_t room = 2 * len + 256;
        uint32_t *a = (uint32_t *)realloc(c->points, room * 4); if (!a) { c->failed = 1; return -1; } c->points = a;
        char *b = (char *)realloc(c->scratch, 3 * room + PX_SLACK); if (!b) { c->failed = 1; return -1; } c->scratch = b;
        c->point_room = room;
    }
    size_t at = 0;
    int64_t n = 0;
    while (at < len) {
        uint32_t point = p[at];
        size_t more = point < 0x80 ? 0 : point < 0xE0 ? 1 : 2;
        if ((point & 0xC0) == 0x80 || point >= 0xF0 || at + more >= len) return -1;
        if (more == 1) point = (point & 0x1F) << 6 | (p[at + 1] & 0x3F);
        else if (more == 2) point = (point & 0x0F) << 12 | (uint32_t)(p[at + 1] & 0x3F) << 6 | (p[at + 2] & 0x3F);
        if (point >= c->known || c->lower[point] == PX_HARD) return -1;
        c->points[n++] = c->lower[point];
        at += more + 1;
    }
    return n;
}

static char *px_encode(char *to, uint32_t point) {
    if (point < 0x80) *to++ = (char)point;
    else if (point < 0x800) { *to++ = (char)(0xC0 | point >> 6); *to++ = (char)(0x80 | (point & 0x3F)); }
    else { *to++ = (char)(0xE0 | point >> 12); *to++ = (char)(0x80 | (point >> 6 & 0x3F)); *to++ = (char)(0x80 | (point & 0x3F)); }
    return to;
}

/* The tokens of decoded characters: letters, with apostrophes that stand between two of them. */
static void px_take_points(px_counter *c, int64_t n) {
    int64_t i = 0;
    if (px_document_room(c, (size_t)n + 1)) return;
    while (i < n) {
        if (c->points[i] <= PX_HARD) { i++; continue; }
        char *to = c->scratch;
        for (;;) {
            while (i < n && c->points[i] > PX_HARD) to = px_encode(to, c->points[i++]);
            if (!(c->joins && i + 1 < n && c->points[i] == PX_APOSTROPHE && c->points[i + 1] > PX_HARD)) break;
            *to++ = '\'';
            i++;
        }
        px_take(c, px_word_of(c, c->scratch, (uint32_t)(to - c->scratch)));
    }
}

static void px_take_chunk(px_counter *c, const px_token *token) {
    int64_t n = px_decode(c, (const unsigned char *)token->at, token->len);
    if (n >= 0) { px_take_points(c, n); return; }
    if (c->failed) return;
    uint32_t memo = px_find(&c->memo, token);
    if (memo == PX_NONE) {
        if (c->resolve(c, token->at, token->len)) { c->failed = 1; return; }
        memo = c->memo.size - 1;
    }
    if (px_document_room(c, c->memo_n[memo] + 1)) return;
    for (uint32_t i = 0; i < c->memo_n[memo]; i++) px_take(c, c->memo_ids[c->memo_at[memo] + i]);
}

/* Called by Python for a chunk that was met for the first time: the ids of its tokens are the last n of memo_ids. */
static int px_remember(px_counter *c, const char *p, uint32_t len, uint64_t first) {
    px_token token;
    px_print_safe(&token, p, len);
    uint32_t memo = px_add(&c->memo, &token);
    if (memo == PX_NONE) return -1;
    if (c->memo.size > c->memo_room) {
        uint64_t room = c->memo_room ? c->memo_room * 2 : 1024;
        void *a = realloc(c->memo_at, room * 8); if (!a) return -1; c->memo_at = (uint64_t *)a;
        void *n = realloc(c->memo_n, room * 4); if (!n) return -1; c->memo_n = (uint32_t *)n;
        c->memo_room = room;
    }
    c->memo_at[memo] = first;
    c->memo_n[memo] = (uint32_t)(c->memo_used - first);
    return 0;
}

static int px_forget(px_counter *c) {
    px_strings_free(&c->memo);
    c->memo_used = 0;
    return px_strings_init(&c->memo, 1024);
}

/* Whether a phrase that starts with a word may go on with the next token, for which a candidate is known. */
static int px_may_go_on(const px_counter *c, uint32_t id, uint32_t next, const px_token *token) {
    if (token->high) return 1;
    if (next != PX_NONE && !px_same(&c->words, next, token)) return 1;
    return next != PX_NONE && px_step(c, px_step(c, 0, id), next) != PX_NONE;
}

/* The hot loop. Everything of the counter's that it needs is in locals, because whatever is written through a pointer
 * could else be the counter itself; what is rare puts them back, does its work and takes them out again. */
PX_INLINE void px_flush_as(px_counter *c, int closed) {
    uint32_t ids[PX_BLOCK];
    const px_token *block = c->block;
    int n = c->in_block, phrases = c->phrases;
    c->in_block = 0;
    if (px_document_room(c, PX_BLOCK)) return;
    {
        const px_slot *slots = c->words.slots;
        uint64_t mask = c->words.mask;
        const px_hot *hot = c->words.hot;
        for (int i = 0; i < n; i++) {
            uint64_t hash = block[i].hash, at = hash & mask;
            px_slot slot = slots[at];
            if (!PX_LIKELY(slot.tag == (uint32_t)(hash >> 32))) slot.id = px_candidate(&c->words, hash, &at);
            ids[i] = slot.id;
            PX_PREFETCH(&hot[slot.id == PX_NONE ? 0 : slot.id]);
        }
    }
    for (int i = 0; i < n;) {
        px_hot *hot = c->words.hot;
        uint32_t *distinct = c->distinct + c->in_distinct, *lexical = c->lexical + c->in_lexical;
        int first = i, common = 1;
        for (; i < n; i++) {  /* tokens that are one word each, known, and not part of a phrase */
            const px_token *token = &block[i];
            uint32_t id = ids[i];
            if (id == PX_NONE) { if (closed && !token->high && !c->in_sequence) continue; common = 0; break; }
            px_hot *word = &hot[id];
            uint64_t differs = (word->prefix ^ token->prefix) | (word->suffix ^ token->suffix) |
                               (uint64_t)(word->len ^ token->len) | (uint64_t)(uint32_t)token->high;
            if (!PX_LIKELY(differs == 0 && token->len <= 16)) { common = 0; break; }
            if (phrases && (word->starts | (c->in_sequence != 0)) &&
                (c->in_sequence || i + 1 == n || px_may_go_on(c, id, ids[i + 1], token + 1))) { common = 0; break; }
            uint32_t item = (uint32_t)~word->item >> 31, counts = closed ? item : 1;
            uint32_t fresh = (uint32_t)(word->seen == 0) & counts;
            word->seen += counts;
            *distinct = id; distinct += fresh;
            *lexical = id; lexical += fresh & item;
        }
        c->length += i - first;
        c->in_distinct = (size_t)(distinct - c->distinct);
        c->in_lexical = (size_t)(lexical - c->lexical);
        if (common) break;
        const px_token *token = &block[i++];
        if (token->high) px_take_chunk(c, token);
        else px_take(c, px_word(c, token));
        if (px_document_room(c, PX_BLOCK)) return;
    }
}

static void px_flush(px_counter *c) {
    if (c->closed) px_flush_as(c, 1);
    else px_flush_as(c, 0);
}

/* Where the next token goes. Kept in locals while a document is cut: what is written through a pointer could else be
 * anything of the counter's, and everything would be read again for each token. */
typedef struct { px_token *next; const px_token *end; const px_slot *slots; uint64_t mask; } px_cursor;

static inline px_cursor px_begin(px_counter *c) {
    px_cursor cursor = {c->block, c->block + PX_BLOCK, c->words.slots, c->words.mask};
    return cursor;
}

static inline px_cursor px_finish(px_counter *c, px_cursor cursor) {
    c->in_block = (int)(cursor.next - c->block);
    px_flush(c);
    return px_begin(c);
}

static inline px_cursor px_emit(px_counter *c, px_cursor cursor, const char *p, size_t len, int high) {
    px_token *token = cursor.next++;
    if (PX_LIKELY(!high)) {
        px_print(token, p, (uint32_t)len);
        PX_PREFETCH(&cursor.slots[token->hash & cursor.mask]);
    } else px_print_safe(token, p, (uint32_t)len);
    token->high = high;
    return PX_LIKELY(cursor.next != cursor.end) ? cursor : px_finish(c, cursor);
}

/* ---- the end of a document ---- */

static uint32_t px_step(const px_counter *c, uint32_t node, uint32_t id) {
    uint64_t key = ((uint64_t)node << 32 | id) + 1, at = px_mix(key, 7) & c->trie_mask;
    while (c->trie[at].key) {
        if (c->trie[at].key == key) return (uint32_t)c->trie[at].value;
        at = (at + 1) & c->trie_mask;
    }
    return PX_NONE;
}

/* Match from the left, the longest phrase first. Unless the document ends here, words that the next one could still
 * make a phrase, or a longer one, wait. */
static void px_match(px_counter *c, int final) {
    size_t at = 0, n = c->in_sequence;
    if (px_document_room(c, n + 1)) return;
    while (at < n) {
        uint32_t id = c->sequence[at], best = PX_NONE, node = 0;
        size_t next = at + 1, end = at;
        if (id != PX_NONE && c->words.hot[id].starts) {
            for (; end < n && node != PX_NONE; end++) {
                node = c->sequence[end] == PX_NONE ? PX_NONE : px_step(c, node, c->sequence[end]);
                if (node != PX_NONE && c->node_word[node] != PX_NONE) { best = c->node_word[node]; next = end + 1; }
            }
            if (node != PX_NONE && !final) break;
        }
        px_count(c, best != PX_NONE ? best : id);
        at = next;
    }
    memmove(c->sequence, c->sequence + at, (n - at) * sizeof *c->sequence);
    c->in_sequence = n - at;
}

#define PX_BITS 12              /* of a count in the log; the rest is for the item */
#define PX_MOST ((1u << PX_BITS) - 1)
#define PX_ITEMS (1u << (32 - PX_BITS))
#define PX_STOP UINT32_MAX

/* Log the items of the document, sorted: insertion, because there are few. */
static void px_log_document(px_counter *c) {
    size_t n = c->in_lexical, first = c->in_log, words = 1;
    if (n < 2) return;
    for (size_t i = 0; i < n; i++) words += 1 + c->words.hot[c->lexical[i]].seen / PX_MOST;
    if (first + words > c->log_room) {
        size_t room = 2 * c->log_room + words + 4096;
        uint32_t *grown = (uint32_t *)realloc(c->log, room * 4);
        if (!grown) { c->failed = 1; return; }
        c->log = grown; c->log_room = room;
    }
    for (size_t i = 0; i < n; i++) {
        const px_hot *record = &c->words.hot[c->lexical[i]];
        for (uint32_t left = record->seen; left;) {
            uint32_t part = left < PX_MOST ? left : PX_MOST, word = (uint32_t)record->item << PX_BITS | part;
            size_t at = c->in_log++;
            for (; at > first && c->log[at - 1] > word; at--) c->log[at] = c->log[at - 1];
            c->log[at] = word;
            left -= part;
        }
    }
    c->log[c->in_log++] = PX_STOP;
}

/* Merge two ascending lists of pairs into the counter's own; takes no ownership. */
static int px_pairs_add(px_counter *c, const uint64_t *key, const int64_t *value, size_t n) {
    if (!n) return 0;
    uint64_t *keys = (uint64_t *)malloc((n + c->pair_size) * 8);
    int64_t *values = (int64_t *)malloc((n + c->pair_size) * 8);
    if (!keys || !values) { free(keys); free(values); return -1; }
    size_t i = 0, j = 0, k = 0;
    while (i < n || j < c->pair_size) {
        uint64_t a = i < n ? key[i] : UINT64_MAX, b = j < c->pair_size ? c->pair_key[j] : UINT64_MAX;
        keys[k] = a < b ? a : b;
        values[k] = 0;
        if (a <= b) values[k] += value[i++];
        if (b <= a) values[k] += c->pair_value[j++];
        k++;
    }
    free(c->pair_key); free(c->pair_value);
    c->pair_key = keys; c->pair_value = values; c->pair_size = k;
    return 0;
}

/* Turn the log into sums of pairs. */
static int px_settle(px_counter *c) {
    size_t items = c->items, marks = (items + 63) / 64, n = c->in_log, found = 0, room = 2 * c->in_log + 1024;
    if (!n) return 0;
    size_t *start = (size_t *)calloc(items + 2, sizeof(size_t));
    uint32_t *place = (uint32_t *)malloc(n * 4);
    int64_t *sum = (int64_t *)calloc(items, 8);
    uint64_t *touched = (uint64_t *)calloc(marks, 8), *key = (uint64_t *)px_large(room * 8);
    int64_t *value = (int64_t *)px_large(room * 8);
    int failed = !start || !place || !sum || !touched || !key || !value;
    if (!failed) {
        for (size_t p = 0; p < n; p++) if (c->log[p] != PX_STOP) start[(c->log[p] >> PX_BITS) + 2]++;
        for (size_t i = 2; i < items + 2; i++) start[i] += start[i - 1];
        for (size_t p = 0; p < n; p++) if (c->log[p] != PX_STOP) place[start[(c->log[p] >> PX_BITS) + 1]++] = (uint32_t)p;
    }
    for (size_t i = 0; i < items && !failed; i++) {
        uint32_t later = c->list_end[i] << PX_BITS;
        for (size_t o = start[i]; o < start[i + 1]; o++) {
            const uint32_t *p = c->log + place[o];
            int64_t x = *p & PX_MOST;
            if (o + 8 < start[i + 1]) PX_PREFETCH(&c->log[place[o + 8]]);
            while (*++p < later) {}
            for (uint32_t word; (word = *p) != PX_STOP; p++) {
                uint32_t j = word >> PX_BITS;
                sum[j] += x * (word & PX_MOST);
                touched[j >> 6] |= 1ull << (j & 63);
            }
        }
        for (size_t m = 0; m < marks; m++) {
            for (uint64_t bits = touched[m]; bits; bits &= bits - 1) {
                size_t j = m * 64 + (size_t)PX_CTZ(bits);
                if (found == room) {
                    room *= 2;
                    uint64_t *k = (uint64_t *)realloc(key, room * 8); if (!k) { failed = 1; break; } key = k;
                    int64_t *v = (int64_t *)realloc(value, room * 8); if (!v) { failed = 1; break; } value = v;
                }
                key[found] = (uint64_t)i * items + j; value[found++] = sum[j];
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
    free(start); free(place); free(sum); free(touched); free(key); free(value);
    c->in_log = 0;
    c->log_limit = c->pair_size > (1u << 21) ? c->pair_size / 2 : 1u << 20;
    return failed ? -1 : 0;
}

/* Add the document to the records of its words, and make them ready for the next. */
PX_INLINE void px_add_sums(px_counter *c, int K, int label) {
    const uint32_t *distinct = c->distinct;
    const int64_t *m = c->m;
    size_t n = c->in_distinct, stride = px_stride(K);
    char *records = c->records;
    px_hot *hot = c->words.hot;
    int64_t labelled = label >= 0 ? -1 : 0;  /* a mask: without a label nothing is added */
    int place = K + (label >= 0 ? label : 0);
    for (size_t i = 0; i < n; i++) {
        if (i + 8 < n) PX_PREFETCH(records + distinct[i + 8] * stride);
        px_record *record = (px_record *)(records + distinct[i] * stride);
        int64_t x = hot[distinct[i]].seen;
        hot[distinct[i]].seen = 0;
        record->n += x;
        record->q += x * x;
        for (int y = 0; y < K; y++) record->sums[y] += x * m[y];
        record->sums[place] += x & labelled;
    }
}

static void px_sum_document(px_counter *c) {
    int K = c->lists, label = -1;
    int64_t best = -1;
    memset(c->m, 0, (size_t)K * 8);
    for (size_t i = 0; i < c->in_lexical; i++) {
        const px_hot *hot = &c->words.hot[c->lexical[i]];
        c->m[hot->list] += hot->seen;
    }
    for (int y = 0; y < K; y++) {
        if (c->m[y] > best) { best = c->m[y]; label = y; }
        else if (c->m[y] == best) label = -1;
    }
    if (label >= 0) c->imputed_documents[label]++;
    px_log_document(c);
    if (c->in_log > c->log_limit && px_settle(c)) c->failed = 1;
    if (K == 2) px_add_sums(c, 2, label);
    else px_add_sums(c, K, label);
    c->documents++;
    c->tokens += c->length;
    c->squared_lengths += c->length * c->length;
    c->empty += c->length == 0;
}

static void px_row_of_document(px_counter *c) {
    for (size_t i = 0; i < c->in_distinct; i++) {
        const px_hot *record = &c->words.hot[c->distinct[i]];
        if (c->row_used == c->row_room) {
            size_t room = c->row_room ? c->row_room * 2 : 4096;
            int32_t *a = (int32_t *)realloc(c->row_index, room * 4); if (!a) { c->failed = 1; return; } c->row_index = a;
            int32_t *b = (int32_t *)realloc(c->row_count, room * 4); if (!b) { c->failed = 1; return; } c->row_count = b;
            c->row_room = room;
        }
        c->row_index[c->row_used] = c->closed ? (int32_t)record->item : (int32_t)c->distinct[i];
        c->row_count[c->row_used++] = (int32_t)record->seen;
    }
    if (c->rows == c->rows_room) {
        size_t room = c->rows_room ? c->rows_room * 2 : 1024;
        int64_t *a = (int64_t *)realloc(c->row_end, room * 8); if (!a) { c->failed = 1; return; } c->row_end = a;
        int64_t *b = (int64_t *)realloc(c->row_length, room * 8); if (!b) { c->failed = 1; return; } c->row_length = b;
        c->rows_room = room;
    }
    c->row_end[c->rows] = (int64_t)c->row_used;
    c->row_length[c->rows++] = c->length;
}

static void px_end(px_counter *c) {
    if (c->in_sequence) px_match(c, 1);
    if (!c->failed) {
        if (c->want_rows) px_row_of_document(c);
        if (c->want_sums) px_sum_document(c);
    }
    for (size_t i = 0; (c->failed || !c->want_sums) && i < c->in_distinct; i++) c->words.hot[c->distinct[i]].seen = 0;
    c->in_distinct = c->in_lexical = 0;
    c->length = 0;
    if (c->memo.size > (1u << 20) && px_forget(c)) c->failed = 1;
}

/* ---- cutting: 64 bytes at a time become bit masks ---- */

typedef struct { uint64_t letter, apostrophe, high; } px_masks;

static inline px_masks px_classify_plain(const unsigned char *p, char *low) {
    px_masks m = {0, 0, 0};
    for (int i = 0; i < 64; i++) {
        unsigned char lowered = p[i] | 0x20;
        low[i] = (char)lowered;
        m.letter |= (uint64_t)((unsigned char)(lowered - 'a') < 26) << i;
        m.apostrophe |= (uint64_t)(p[i] == '\'') << i;
        m.high |= (uint64_t)(p[i] >> 7) << i;
    }
    return m;
}

#ifdef PX_X86
__attribute__((target("avx2,bmi,bmi2"))) static inline px_masks px_classify_avx2(const unsigned char *p, char *low) {
    px_masks m = {0, 0, 0};
    const __m256i bit = _mm256_set1_epi8(0x20), a = _mm256_set1_epi8('a'), z = _mm256_set1_epi8(25);
    const __m256i quote = _mm256_set1_epi8('\'');
    for (int half = 0; half < 2; half++) {
        __m256i v = _mm256_loadu_si256((const __m256i *)(p + 32 * half));
        __m256i lowered = _mm256_or_si256(v, bit);
        __m256i distance = _mm256_sub_epi8(lowered, a);
        _mm256_storeu_si256((__m256i *)(low + 32 * half), lowered);
        uint64_t letter = (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(_mm256_min_epu8(distance, z), distance));
        m.letter |= letter << (32 * half);
        m.apostrophe |= (uint64_t)(uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(v, quote)) << (32 * half);
        m.high |= (uint64_t)(uint32_t)_mm256_movemask_epi8(v) << (32 * half);
    }
    return m;
}
#endif

static inline int px_wordly(unsigned char b) { return b >= 128 || (unsigned char)((b | 0x20) - 'a') < 26; }

#define PX_CUT(NAME, CLASSIFY, TARGET)                                                                              \
    TARGET static void NAME(px_counter *c, const unsigned char *text, size_t size) {                                \
        size_t open = 0; int is_open = 0, open_high = 0, before = 0, joins = c->joins;                              \
        char *const lowered = c->low;                                                                               \
        px_cursor cursor = px_begin(c);                                                                             \
        for (size_t at = 0; at < size; at += 64) {                                                                  \
            unsigned char tail[64];                                                                                 \
            const unsigned char *p = text + at;                                                                     \
            if (size - at < 64) { memset(tail, 0, 64); memcpy(tail, p, size - at); p = tail; }                      \
            px_masks m = CLASSIFY(p, lowered + at);                                                                 \
            uint64_t wordly = m.letter | m.high, word = wordly;                                                     \
            if (joins && m.apostrophe) {                                                                            \
                uint64_t after = at + 64 < size && px_wordly(text[at + 64]);                                        \
                word |= m.apostrophe & (wordly << 1 | (uint64_t)before) & (wordly >> 1 | after << 63);              \
            }                                                                                                       \
            before = (int)(wordly >> 63);                                                                           \
            uint64_t shifted = word << 1 | (uint64_t)is_open, starts = word & ~shifted, ends = shifted & ~word;     \
            while (ends) {                                                                                          \
                int end = PX_CTZ(ends);                                                                             \
                ends &= ends - 1;                                                                                   \
                int start = 0, high = open_high;                                                                    \
                if (is_open) { is_open = open_high = 0; }                                                           \
                else { start = PX_CTZ(starts); starts &= starts - 1; open = at + (size_t)start; }                   \
                if (m.high) high |= (m.high >> start & ((1ull << (end - start)) - 1)) != 0;                         \
                const char *word_at = high ? (const char *)text + open : lowered + open;                            \
                cursor = px_emit(c, cursor, word_at, at + (size_t)end - open, high);                                \
            }                                                                                                       \
            if (starts) { open = at + (size_t)PX_CTZ(starts); is_open = 1; open_high = 0; }                         \
            if (is_open && m.high) open_high |= (open >= at ? m.high >> (open - at) : m.high) != 0;                 \
        }                                                                                                           \
        if (is_open)                                                                                                \
            cursor = px_emit(c, cursor, open_high ? (const char *)text + open : lowered + open, size - open, open_high); \
        px_finish(c, cursor);                                                                                       \
    }

PX_CUT(px_cut_plain, px_classify_plain, )
#ifdef PX_X86
PX_CUT(px_cut_avx2, px_classify_avx2, __attribute__((target("avx2,bmi,bmi2"))))
#endif

static int px_has_avx2(void) {
#ifdef PX_X86
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2");
#else
    return 0;
#endif
}

/* One document. */
static void px_document(px_counter *c, const unsigned char *text, size_t size, int fast) {
    if (size + 2 * PX_SLACK > c->low_room) {
        size_t room = (size + 2 * PX_SLACK) * 5 / 4;
        char *low = (char *)realloc(c->low, room);
        if (!low) { c->failed = 1; return; }
        c->low = low; c->low_room = room;
    }
#ifdef PX_X86
    if (fast) { px_cut_avx2(c, text, size); px_end(c); return; }
#endif
    (void)fast;
    px_cut_plain(c, text, size);
    px_end(c);
}

/* ---- life and merging ---- */

static void px_free(px_counter *c) {
    px_strings_free(&c->words); px_strings_free(&c->memo);
    free(c->records); free(c->memo_at); free(c->memo_n); free(c->memo_ids);
    free(c->trie); free(c->node_word);
    free(c->low); free(c->sequence); free(c->distinct); free(c->lexical); free(c->m);
    free(c->imputed_documents); free(c->list_end); free(c->log);
    free(c->pair_key); free(c->pair_value); free(c->points); free(c->scratch);
    free(c->row_index); free(c->row_count); free(c->row_end); free(c->row_length);
    memset(c, 0, sizeof *c);
}

static int px_init(px_counter *c, int lists, uint64_t items, int joins, uint64_t slots) {
    memset(c, 0, sizeof *c);
    c->lists = lists; c->items = items; c->joins = joins;
    c->stride = (int)px_stride(lists);
    c->m = (int64_t *)calloc(lists + 1, 8);
    c->imputed_documents = (int64_t *)calloc(lists + 1, 8);
    c->list_end = (uint32_t *)calloc(items + 1, sizeof(uint32_t));
    c->log_limit = 1u << 20;
    if (!c->m || !c->imputed_documents || !c->list_end) return -1;
    return px_strings_init(&c->words, slots) || px_strings_init(&c->memo, 1024);
}

/* Drop the words outside the lexicon that were seen at most `least` times; their tokens stay in all other sums. */
static int px_prune(px_counter *c, int64_t least) {
    px_strings kept;
    uint64_t room = 1024;
    uint32_t to = 0;
    while (room < 2ull * c->words.size) room *= 2;
    if (px_strings_init(&kept, room)) return -1;
    for (uint32_t id = 0; id < c->words.size; id++) {
        const px_record *record = px_of(c, id);
        if (id >= c->reserved && record->n <= least) { c->pruned += record->n; continue; }
        const char *p = c->words.arena + c->words.offset[id];
        uint32_t len = c->words.hot[id].len;
        px_token token;
        px_print(&token, p, len);
        if (px_add(&kept, &token) == PX_NONE) { px_strings_free(&kept); return -1; }
        kept.hot[to] = c->words.hot[id];
        if (to != id) memcpy(px_of(c, to), record, (size_t)c->stride);
        to++;
    }
    px_strings_free(&c->words);
    c->words = kept;
    return px_forget(c);  /* the memo holds the old ids */
}

/* ---- words in the order of their bytes ---- */

typedef struct { uint64_t key; uint32_t id; } px_sortable;

static int px_after(const px_strings *t, uint32_t a, uint32_t b) {
    uint32_t least = t->hot[a].len < t->hot[b].len ? t->hot[a].len : t->hot[b].len;
    int order = memcmp(t->arena + t->offset[a], t->arena + t->offset[b], least);
    return order ? order > 0 : t->hot[a].len > t->hot[b].len;
}

static void px_merge_sort(const px_strings *t, px_sortable *v, px_sortable *spare, size_t n) {
    for (size_t width = 1; width < n; width *= 2) {
        for (size_t left = 0; left < n; left += 2 * width) {
            size_t mid = left + width < n ? left + width : n, end = left + 2 * width < n ? left + 2 * width : n;
            size_t i = left, j = mid, k = left;
            while (i < mid && j < end) spare[k++] = px_after(t, v[i].id, v[j].id) ? v[j++] : v[i++];
            while (i < mid) spare[k++] = v[i++];
            while (j < end) spare[k++] = v[j++];
        }
        memcpy(v, spare, n * sizeof *v);
    }
}

/* Radix sort by the first eight bytes, then the words that share them by the rest. */
static int px_sorted(const px_strings *t, uint32_t *order) {
    size_t n = t->size;
    px_sortable *v = (px_sortable *)malloc((n + 1) * sizeof *v), *spare = (px_sortable *)malloc((n + 1) * sizeof *v);
    if (!v || !spare) { free(v); free(spare); return -1; }
    for (size_t i = 0; i < n; i++) {
        uint64_t key = 0;
        const unsigned char *p = (const unsigned char *)t->arena + t->offset[i];
        for (uint32_t b = 0; b < 8; b++) key = key << 8 | (b < t->hot[i].len ? p[b] : 0);
        v[i].key = key; v[i].id = (uint32_t)i;
    }
    for (int shift = 0; shift < 64; shift += 8) {
        size_t at[257] = {0};
        for (size_t i = 0; i < n; i++) at[(v[i].key >> shift & 255) + 1]++;
        for (int b = 0; b < 256; b++) at[b + 1] += at[b];
        for (size_t i = 0; i < n; i++) spare[at[v[i].key >> shift & 255]++] = v[i];
        px_sortable *swap = v; v = spare; spare = swap;
    }
    for (size_t i = 0; i < n;) {
        size_t end = i + 1;
        while (end < n && v[end].key == v[i].key) end++;
        if (end - i > 1) px_merge_sort(t, v + i, spare, end - i);
        i = end;
    }
    for (size_t i = 0; i < n; i++) order[i] = v[i].id;
    free(v); free(spare);
    return 0;
}

/* Add everything that b has counted to a. */
static int px_merge(px_counter *a, px_counter *b) {
    if (px_settle(a) || px_settle(b)) return -1;
    for (uint32_t id = 0; id < b->words.size; id++) {
        const char *p = b->words.arena + b->words.offset[id];
        uint32_t len = b->words.hot[id].len;
        const px_record *from = px_of(b, id);
        px_token token;
        px_print(&token, p, len);
        uint32_t mine = px_word(a, &token);
        if (mine == PX_NONE) return -1;
        px_record *to = px_of(a, mine);
        to->n += from->n; to->q += from->q;
        for (int y = 0; y < 2 * a->lists; y++) to->sums[y] += from->sums[y];
    }
    if (px_pairs_add(a, b->pair_key, b->pair_value, b->pair_size)) return -1;
    a->documents += b->documents; a->tokens += b->tokens; a->squared_lengths += b->squared_lengths;
    a->empty += b->empty; a->pruned += b->pruned;
    for (int y = 0; y < a->lists; y++) a->imputed_documents[y] += b->imputed_documents[y];
    return a->failed ? -1 : 0;
}

#endif
