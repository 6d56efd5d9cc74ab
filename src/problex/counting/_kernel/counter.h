/* The counter: words, what the document at hand has, and sums over documents. One thread at a time uses it. */
#ifndef PROBLEX_COUNTER_H
#define PROBLEX_COUNTER_H

#include "words.h"

#define PX_BLOCK 64
#define PX_REMEMBERED (1u << 20)  /* up to so many words a closed counter remembers those that match no wildcard */

typedef struct px_counter px_counter;
typedef int (*px_load_block)(px_counter *, uint32_t);

/* ---- what is known before the first text (plan.h) ---- */

/* Which characters are taken apart into which, and which pairs are composed, in ascending order (characters.h). */
typedef struct {
    const uint32_t *point, *end, *part; size_t size;
    const uint64_t *pair; const uint32_t *composed; size_t pairs;
} px_normalization;

typedef struct {
    int lists, closed, joins;     /* closed: only items have columns; joins: an apostrophe joins two letters */
    int keep_links;               /* whether links, addresses and handles are words (links.h) */
    int want_sums, want_rows, want_ids, want_associations;
    uint32_t reserved;            /* the first so many words are known from the start and never pruned */
    px_patterns classes;          /* patterns inside phrases */
    px_patterns wildcards;        /* patterns that are entries */
    int scope;                    /* how many tokens behind a negator are negated */
    char negation_prefix[8]; uint32_t negation_prefix_len;
    uint16_t *opposite;           /* the list of a negated item; none: it is only dropped */
    const uint32_t *characters;   /* what each code point is: a value below; 0 if it was not looked up yet */
    int folds;                    /* whether accents are removed */
    int latin;                    /* 1 if small letters of Latin-1 stay as they are, -1 if not, 0 if not known yet */
    px_normalization normalization;
} px_plan;

typedef struct { uint64_t key; int64_t value; } px_pair;

/* Phrases: a hash table of the steps of a trie, the phrase that ends at each node, and for each word the pattern that
 * it matches inside phrases. */
typedef struct {
    px_pair *step; uint64_t mask;
    uint32_t *word, nodes;
    uint32_t *class_of; size_t class_capacity;
} px_phrases;

/* A string that is matched in the text as it is, and the place of the byte to look for. */
typedef struct { const unsigned char *text; uint32_t len, anchor, word; } px_literal;

/* Where a literal is in the text. */
typedef struct { size_t start; uint32_t len, word; } px_hit;

typedef struct {
    px_literal *literal; size_t size;
    int high_anchors;             /* whether a byte to look for is above 127 */
    uint32_t anchor[256];         /* the first literal with this anchor, plus one */
    uint8_t nibble[4][16];        /* the same set for vectors: low and high halves, of ASCII and of higher bytes */
    px_hit *hit; size_t hits, hit_capacity;  /* in the document at hand */
} px_literals;

/* Items have numbers, from the start or when a wildcard matches a new word. Those of negated forms may be known, too,
 * before there is a word for them: `form` is, of each of the first `forms` items, that of its negated form, and of a
 * form the item that it negates (-1: none). Most forms never occur. */
typedef struct { int32_t size, known; uint16_t *list; size_t capacity; int32_t *form, forms; } px_items;

/* ---- the document at hand ---- */

/* A word that waits for its phrase, and whether a clause ended before it. */
typedef struct { uint32_t id, ended; } px_waiting;

typedef struct { uint32_t *at; size_t size, capacity; } px_points;

/* A token of the text in the block: its first bytes and hash, where it starts, and its length in lower case. For one of
 * sixteen bytes or more the first bytes are none that any word has. So they are with PX_HIGH, where it is not known
 * whether the bytes are one token: `second` is their hash, or 0 if they are no word as they are. */
typedef struct { uint64_t first, second, hash; uint32_t start, len; } px_chunk;
_Static_assert(sizeof(px_chunk) == 32, "two chunks are a cache line");
#define PX_HIGH (1u << 31)      /* of a length: there are bytes above 127, to be cut if they are not known */
#define PX_LENGTH (PX_HIGH - 1)

/* The key of a text: a polynomial of the hashes of its words, in order, and how many they are. */
typedef struct { uint64_t hash; uint32_t words; } px_key;

typedef struct {
    const unsigned char *text;
    char *low; size_t low_capacity, last_end;  /* the text in lower case; where the last chunk ended */
    px_chunk block[PX_BLOCK + 1]; int in_block;
    px_waiting *waiting; size_t in_waiting, waiting_capacity;
    int scope_left, ended;        /* tokens left in a negator's scope; whether a clause ended since the last token */
    uint32_t *distinct; size_t in_distinct, distinct_capacity;  /* its words, each once */
    uint32_t *lexical; size_t in_lexical, lexical_capacity;     /* its items, each once */
    uint64_t stamp;               /* the number of the document, in the upper half */
    int64_t length;               /* tokens */
    px_key key, plain_key;        /* of its words, and of those before the first chunk with PX_HIGH in the block */
    int any_high;                 /* whether the block has such a chunk */
    int64_t *list_counts;         /* per list: matches, or the place of the next item */
    px_points points[3];          /* the characters of a token, */
    char *scratch; size_t scratch_capacity;     /* and its bytes */
    char *cut; size_t cut_capacity;             /* tokens that are not written over the text */
    unsigned char *unlinked; size_t unlinked_capacity;  /* the text without links, if it has any */
} px_document;

/* ---- results ---- */

typedef struct { int64_t documents, tokens, squared_lengths, empty, pruned, *imputed_documents; } px_totals;

/* Per word: for each list the products of counts with it, then for each label the occurrences. */
typedef struct { int64_t *sum; size_t capacity; } px_associations;

/* Documents as numbers of items with their counts, before they become sums of pairs (pairs.h). */
typedef struct { uint64_t *entry; size_t size, capacity, limit; } px_log;

/* Pairs of items with their sums, as rows of bytes (pair_rows.h): the list and item of a row, how many pairs it has,
 * and where its bytes end. Rows are in ascending order; `size` pairs in all. */
typedef struct { uint64_t end; uint32_t half, count; } px_pair_row;
typedef struct { px_pair_row *row; size_t rows, row_capacity; unsigned char *byte; size_t capacity, size; } px_pairs;

/* The items in the order of pairs and the rank of each in it (both NULL if they are numbered in this order), where each
 * list ends, where each item occurs in the log, and how many pairs all documents have. */
typedef struct { uint32_t *item, *rank, *end, *first; uint64_t *occurrence, pairs; } px_order;

/* After `sums` come parts with larger keys, until all are made one. */
typedef struct { px_pairs sums, *part; size_t parts; px_order order; } px_cooccurrence;

/* A document of the sample (sample.h), the key of its words, and which entries it has. */
typedef struct { uint64_t key, word_key; int64_t repeats, length; size_t first; uint32_t count; } px_sampled;

/* Entries have the item in their upper half, the count in the lower. */
typedef struct {
    size_t max, size, capacity, trimmed;
    uint64_t limit;               /* a larger key cannot be in the sample */
    px_sampled *row;
    uint64_t *entry; size_t used, entry_capacity;
} px_sample;

/* The keys of texts, which copies have in common: of each row, or of all texts those up to a limit. */
typedef struct { uint64_t *at; size_t size, capacity; uint64_t limit; } px_keys;

/* Sparse rows, or the words of each text in order: what was counted since it was last asked for. */
typedef struct {
    int32_t *column, *count; size_t used, capacity;
    int64_t *end, *length; size_t size, end_capacity;
    int32_t *id; size_t ids, id_capacity;
} px_rows;

struct px_counter {
    px_plan plan;
    px_phrases phrases;
    px_literals literals;
    px_words words;
    px_items items;
    px_document doc;
    px_totals totals;
    px_associations associations;
    px_log log;
    px_cooccurrence pairs;
    px_sample sample;
    px_keys keys;
    px_rows rows;
    int failed;                   /* why it cannot go on, or 0 */
    px_load_block load; void *owner;  /* lets Python look up characters */
};

/* What the table of characters has besides letters and marks in lower case: */
#define PX_BREAK 1u             /* not part of a token */
#define PX_APOSTROPHE 2u
#define PX_CLAUSE 3u            /* not part of a token, and the end of a clause */
/* and what it has besides the code point (matching/characters.py): */
#define PX_MARK (1u << 21)
#define PX_SLOW (1u << 22)
#define PX_IGNORABLE (1u << 23)
#define PX_CASED (1u << 24)

enum { PX_NO_MEMORY = 1, PX_LOG_FULL = 2 };  /* why a counter failed */

static inline int px_fail(px_counter *c) {
    if (!c->failed) c->failed = PX_NO_MEMORY;
    return -1;
}

/* A number for a new item of a list. */
static int32_t px_new_item(px_counter *c, uint16_t list) {
    if (PX_RESERVE(c->items.list, c->items.capacity, (size_t)c->items.size + 1)) { px_fail(c); return -1; }
    c->items.list[c->items.size] = list;
    return c->items.size++;
}

/* Find the patterns that a word matches: its class inside phrases, and its item if it matches a wildcard. Only plain
 * words, those that are tokens of texts, match patterns; all words have memory for associations. */
static int px_classify_word(px_counter *c, uint32_t id, int plain) {
    px_word *word = &c->words.word[id];
    const char *letters = c->words.arena + word->offset;
    if (c->plan.classes.size) {
        if (PX_RESERVE(c->phrases.class_of, c->phrases.class_capacity, c->words.size)) return px_fail(c);
        uint32_t pattern = plain ? px_pattern_of(&c->plan.classes, letters, word->len) : PX_NONE;
        c->phrases.class_of[id] = pattern == PX_NONE ? PX_NONE : (uint32_t)c->plan.classes.value[pattern];
        if (pattern != PX_NONE) {
            word->flags |= PX_CLASSED;
            word->flags |= c->words.word[c->phrases.class_of[id]].flags & PX_STARTS;
            if (word->flags & PX_STARTS) word->followers = PX_ANY;
        }
    }
    if (c->plan.wildcards.size && plain && word->item < 0) {
        uint32_t pattern = px_pattern_of(&c->plan.wildcards, letters, word->len);
        if (pattern != PX_NONE && c->plan.closed) {  /* the column of the wildcard, and that of its negated form */
            const px_word *column = &c->words.word[c->plan.wildcards.value[pattern]];
            word->item = column->item; word->list = column->list;
            if (word->negated == PX_NONE) word->negated = column->negated;
        } else if (pattern != PX_NONE) {
            uint16_t list = (uint16_t)c->plan.wildcards.value[pattern];
            int32_t item = px_new_item(c, list);
            if (item < 0) return -1;
            word->item = item; word->list = (uint8_t)list;
        }
    }
    if (c->plan.want_associations) {
        px_associations *associations = &c->associations;
        size_t width = 2 * (size_t)c->plan.lists;
        if (c->words.size > associations->capacity) {
            size_t capacity = 2 * (size_t)c->words.size + 4096;
            int64_t *grown = (int64_t *)realloc(associations->sum, capacity * width * 8);
            if (!grown) return px_fail(c);
            memset(grown + associations->capacity * width, 0, (capacity - associations->capacity) * width * 8);
            associations->sum = grown; associations->capacity = capacity;
        }
    }
    return 0;
}

/* Add a word that is not there yet. */
static uint32_t px_new_word(px_counter *c, const px_token *token, int plain) {
    uint32_t id = px_add(&c->words, token);
    if (id == PX_NONE) { px_fail(c); return PX_NONE; }
    if (!plain) c->words.word[id].flags |= PX_NEGATED_FORM;
    return px_classify_word(c, id, plain) ? PX_NONE : id;
}

/* Find or add a word. A closed counter adds what a pattern needs and, if it has wildcards, other words, too, as long as
 * there is room: those that it knows need not be compared with the patterns again. */
static uint32_t px_word_id(px_counter *c, const px_token *token) {
    uint32_t id = px_find(&c->words, token);
    if (id != PX_NONE) return id;
    if (c->plan.closed && !(c->plan.wildcards.size && c->words.size < PX_REMEMBERED) &&
        px_pattern_of(&c->plan.classes, token->at, token->len) == PX_NONE &&
        px_pattern_of(&c->plan.wildcards, token->at, token->len) == PX_NONE) return PX_NONE;
    return px_new_word(c, token, 1);
}

/* The item of the negated form of an item of a list: known from the start, or a new one. */
static int32_t px_form_item(px_counter *c, int32_t item, uint16_t list) {
    return item >= 0 && item < c->items.forms && c->items.form[item] >= 0 ? c->items.form[item] : px_new_item(c, list);
}

/* The negated form of an item; unless a closed counter has a column for it, it is made when first needed. */
static uint32_t px_negated(px_counter *c, uint32_t id) {
    if (c->words.word[id].negated != PX_NONE) return c->words.word[id].negated;
    uint32_t len = c->words.word[id].len, prefix = c->plan.negation_prefix_len;
    char *name = (char *)malloc(prefix + len + PX_SLACK);
    if (!name) { px_fail(c); return PX_NONE; }
    memcpy(name, c->plan.negation_prefix, prefix);
    memcpy(name + prefix, c->words.arena + c->words.word[id].offset, len);
    px_token token;
    memset(name + prefix + len, 0, PX_SLACK);
    px_hash(&token, name, prefix + len);
    uint32_t found = px_find(&c->words, &token);
    if (found == PX_NONE) {
        uint16_t list = c->plan.opposite[c->words.word[id].list];
        found = px_new_word(c, &token, 0);
        if (found == PX_NONE) { free(name); return PX_NONE; }
        if (list < c->plan.lists && !c->plan.closed) {
            int32_t item = px_form_item(c, c->words.word[id].item, list);
            if (item < 0) { free(name); return PX_NONE; }
            c->words.word[found].item = item; c->words.word[found].list = (uint8_t)list;
        }
    }
    free(name);
    c->words.word[id].negated = found;
    return found;
}

PX_INLINE uint32_t px_follower_bit(uint64_t hash) { return (uint32_t)(hash >> 60); }

/* Two words may start a phrase. Bit 0 is also set for chunks that are not plain, and for the end of a block. */
static void px_may_follow(px_counter *c, uint32_t first, uint32_t second) {
    px_token token;
    px_hash_word(&token, &c->words, second);
    c->words.word[first].flags |= PX_STARTS;
    c->words.word[first].followers |= (uint16_t)(1u << px_follower_bit(token.hash) | 1u);
    c->words.word[second].flags |= PX_FOLLOWS;
}

/* Memory for n more tokens in the lists of the document, and for those that wait: any of the n may end their wait. */
static int px_reserve_tokens(px_counter *c, size_t n) {
    n += c->doc.in_waiting;
    if (PX_RESERVE(c->doc.distinct, c->doc.distinct_capacity, c->doc.in_distinct + n)) return px_fail(c);
    if (PX_RESERVE(c->doc.lexical, c->doc.lexical_capacity, c->doc.in_lexical + n)) return px_fail(c);
    if (c->plan.want_ids && PX_RESERVE(c->rows.id, c->rows.id_capacity, c->rows.ids + n)) return px_fail(c);
    return 0;
}

/* The key with one more word; "rt", which marks what is passed on, is left out. */
PX_INLINE px_key px_mix_word(px_key key, uint64_t hash) {
    if (!PX_LIKELY(hash != px_mix('r' | 't' << 8, 0))) return key;
    key.hash = key.hash * 0x452821E638D01377ull + hash;
    key.words++;
    return key;
}

/* One more token of the document. */
static inline void px_count(px_counter *c, uint32_t id) {
    c->doc.length++;
    if (id == PX_NONE) {
        if (c->plan.want_ids) c->rows.id[c->rows.ids++] = -1;
        return;
    }
    px_word *word = &c->words.word[id];
    if (c->plan.want_ids)
        c->rows.id[c->rows.ids++] = !c->plan.closed ? (int32_t)id : word->item < 0 ? -1 : word->item;
    if (c->plan.closed && word->item < 0) return;  /* no column: it only helps to match phrases */
    uint32_t fresh = px_occur(word, c->doc.stamp);
    c->doc.distinct[c->doc.in_distinct] = id;
    c->doc.in_distinct += fresh;
    c->doc.lexical[c->doc.in_lexical] = id;
    c->doc.in_lexical += fresh & (uint32_t)(word->item >= 0);
}

#endif
