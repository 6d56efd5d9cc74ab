/* The counter: words, what the document at hand has, and sums over documents. One thread at a time uses it. */
#ifndef PROBLEX_COUNTER_H
#define PROBLEX_COUNTER_H

#include "words.h"

#define PX_BLOCK 64
#define PX_MARK (PX_NONE - 1)   /* among the words of a chunk: a clause ends here */

typedef struct { uint64_t key; int64_t value; } px_pair;

/* Pairs of items with their sums, in ascending order of the keys (pairs.h). */
typedef struct { uint64_t *key; int64_t *value; size_t size, room; } px_pairs;

/* The items in the order of pairs, and where each of them occurs in the log (pairs.h). */
typedef struct { uint32_t *item, *end, *first; uint64_t *occurrence; } px_order;

typedef struct px_counter px_counter;
typedef int (*px_resolve)(px_counter *, const char *, size_t);

/* A word that waits for its phrase, and whether a clause ended before it. */
typedef struct { uint32_t id, broke; } px_waiting;

/* A string that is matched in the text as it is, and the byte to look for. */
typedef struct { const unsigned char *text; uint32_t len, anchor, word; } px_literal;

typedef struct { size_t start; uint32_t len, word; } px_hit;

/* A chunk of text in the block: its first bytes and hash, where it starts, and its length. For one that is not plain
 * (long, or with bytes above 127) the bytes are none that any word has. */
typedef struct { uint64_t first, second, hash; uint32_t start, len; } px_chunk;
#define PX_HIGH (1u << 31)      /* of a chunk's length: it holds bytes above 127 */
#define PX_LENGTH (PX_HIGH - 1)

struct px_counter {
    px_words words;
    int lists, closed, joins, failed;
    int want_sums, want_rows, want_ids, want_associations;
    int32_t items, known_items;   /* numbers given to items so far, and from the start */
    uint32_t reserved;            /* the first so many words are known from the start and never pruned */
    /* associations: per word and list the products with it, then per label the occurrences */
    int64_t *associations; uint64_t association_room;
    /* memo of chunks that only Python can split: where their word ids begin, and how many */
    px_words memo;
    uint64_t *memo_at; uint32_t *memo_n; uint64_t memo_room;
    uint32_t *memo_ids; size_t memo_used, memo_size;
    /* phrases: a trie over word ids; `class_of` is the pattern that a word stands for inside phrases */
    px_pair *trie; uint64_t trie_mask;
    uint32_t *node_word, nodes;
    px_patterns classes; uint32_t *class_of; size_t class_room;
    px_patterns wildcards;
    /* negation: how many more tokens are in scope, and whether a clause has ended since the last token */
    int scope, scope_left, broke;
    char negation_prefix[8]; uint32_t negation_prefix_len;
    uint16_t *opposite;           /* the list of a negated item; none: it is only dropped */
    /* strings matched as they are */
    px_literal *literal; size_t literals; int high_anchors;
    uint32_t anchor[256];         /* the first literal with this anchor, plus one */
    uint8_t nibble[4][16];        /* the same set for vectors: low and high halves, of ASCII and of higher bytes */
    px_hit *hit; size_t hits, hit_room;
    /* the document at hand */
    const unsigned char *text;
    char *low; size_t low_room, last_end;
    px_chunk block[PX_BLOCK + 1]; int in_block;
    px_waiting *sequence; size_t in_sequence, sequence_room;
    uint32_t *distinct; size_t in_distinct, distinct_room;
    uint32_t *lexical; size_t in_lexical, lexical_room;
    uint64_t stamp;               /* the number of the document, in the upper half */
    int64_t length;
    int64_t *m;
    /* sums */
    int64_t documents, tokens, squared_lengths, empty, pruned;
    int64_t *imputed_documents;
    /* Pairs of items of different lists (pairs.h). */
    uint64_t *log; size_t in_log, log_room, log_limit;
    uint16_t *item_list; size_t item_room;
    px_pairs pairs, *part; size_t parts;  /* after `pairs` come parts with larger keys, until all are made one */
    px_order order;
    /* A sample of documents (sample.h): rows of (key, repeats, length, entries), and their items and counts. */
    size_t sample_most, samples, sample_room, sample_trimmed;
    uint64_t sample_limit;
    uint64_t *sample_key; int64_t *sample_repeats, *sample_length; uint64_t *sample_at; uint32_t *sample_n;
    uint64_t *sample_entry; size_t sample_used, entry_room;
    /* rows, or token ids in order, when asked for */
    int32_t *row_index, *row_count; size_t row_used, row_room;
    int64_t *row_end, *row_length; size_t rows, rows_room;
    int32_t *ids; size_t in_ids, ids_room;
    /* Characters: what each code point below `known` is lower-cased to, or one of the marks below. */
    const uint32_t *lower; uint32_t known;
    uint32_t *points; char *scratch; size_t point_room;
    px_resolve resolve; void *owner;
};

#define PX_BREAK 0u             /* not part of a token */
#define PX_APOSTROPHE 1u
#define PX_HARD 2u              /* only Python can tell: marks, letters that lower-case to several, by context, ... */
#define PX_CLAUSE 3u            /* not part of a token, and the end of a clause */

enum { PX_NO_MEMORY = 1, PX_LOG_FULL = 2 };  /* why a counter failed */

static inline int px_fail(px_counter *c) {
    if (!c->failed) c->failed = PX_NO_MEMORY;
    return -1;
}

/* A number for a new item of a list. */
static int32_t px_new_item(px_counter *c, uint16_t list) {
    if (PX_RESERVE(c->item_list, c->item_room, (size_t)c->items + 1)) { px_fail(c); return -1; }
    c->item_list[c->items] = list;
    return c->items++;
}

/* Make ready what belongs to a word that was just added: its class, and its item if a wildcard catches it. Only plain
 * words, those that are tokens of texts, have such; all have room. */
static int px_introduce(px_counter *c, uint32_t id, int plain) {
    px_word *word = &c->words.word[id];
    const char *letters = c->words.arena + word->offset;
    if (c->classes.size) {
        if (PX_RESERVE(c->class_of, c->class_room, c->words.size)) return px_fail(c);
        uint32_t pattern = plain ? px_pattern_of(&c->classes, letters, word->len) : PX_NONE;
        c->class_of[id] = pattern == PX_NONE ? PX_NONE : (uint32_t)c->classes.value[pattern];
        if (pattern != PX_NONE) {
            word->flags |= PX_CLASSED;
            word->flags |= c->words.word[c->class_of[id]].flags & PX_STARTS;
            if (word->flags & PX_STARTS) word->followers = PX_ANY;
        }
    }
    if (c->wildcards.size && plain && word->item < 0 && !c->closed) {
        uint32_t pattern = px_pattern_of(&c->wildcards, letters, word->len);
        if (pattern != PX_NONE) {
            uint16_t list = (uint16_t)c->wildcards.value[pattern];
            int32_t item = px_new_item(c, list);
            if (item < 0) return -1;
            word->item = item; word->list = (uint8_t)list;
        }
    }
    if (c->want_associations) {
        uint64_t width = 2 * (uint64_t)c->lists;
        if (c->words.size > c->association_room) {
            uint64_t room = 2 * (uint64_t)c->words.size + 4096;
            int64_t *grown = (int64_t *)realloc(c->associations, room * width * 8);
            if (!grown) return px_fail(c);
            memset(grown + c->association_room * width, 0, (room - c->association_room) * width * 8);
            c->associations = grown; c->association_room = room;
        }
    }
    return 0;
}

/* Add a word that is not there yet. */
static uint32_t px_new_word(px_counter *c, const px_token *token, int plain) {
    uint32_t id = px_add(&c->words, token);
    if (id == PX_NONE) { px_fail(c); return PX_NONE; }
    if (!plain) c->words.word[id].flags |= PX_MADE;
    return px_introduce(c, id, plain) ? PX_NONE : id;
}

/* Find or add a word. A closed counter adds only what a pattern inside a phrase may need. */
static uint32_t px_word_id(px_counter *c, const px_token *token) {
    uint32_t id = px_find(&c->words, token);
    if (id != PX_NONE) return id;
    if (c->closed && (!c->classes.size || px_pattern_of(&c->classes, token->at, token->len) == PX_NONE)) return PX_NONE;
    return px_new_word(c, token, 1);
}

/* The same for bytes without slack behind them. */
static uint32_t px_word_of(px_counter *c, const char *p, uint32_t len) {
    px_token token;
    px_hash_exactly(&token, p, len);
    return px_word_id(c, &token);
}

/* What a word of the lexicon becomes under negation: for a word that a wildcard caught it is made when first needed. */
static uint32_t px_negated(px_counter *c, uint32_t id) {
    if (c->words.word[id].negated != PX_NONE) return c->words.word[id].negated;
    uint32_t len = c->words.word[id].len, prefix = c->negation_prefix_len;
    char *name = (char *)malloc(prefix + len + PX_SLACK);
    if (!name) { px_fail(c); return PX_NONE; }
    memcpy(name, c->negation_prefix, prefix);
    memcpy(name + prefix, c->words.arena + c->words.word[id].offset, len);
    px_token token;
    memset(name + prefix + len, 0, PX_SLACK);
    px_hash(&token, name, prefix + len);
    uint32_t found = px_find(&c->words, &token);
    if (found == PX_NONE) {
        uint16_t list = c->opposite[c->words.word[id].list];
        found = px_new_word(c, &token, 0);
        if (found == PX_NONE) { free(name); return PX_NONE; }
        if (list < c->lists && !c->closed) {
            int32_t item = px_new_item(c, list);
            if (item < 0) { free(name); return PX_NONE; }
            c->words.word[found].item = item; c->words.word[found].list = (uint8_t)list;
        }
    }
    free(name);
    c->words.word[id].negated = found;
    return found;
}

PX_INLINE uint32_t px_follower_bit(uint64_t hash) { return (uint32_t)(hash >> 60); }

/* Two words may start a phrase. Bit 0 also stands for chunks that are not plain, and for the end of a block. */
static void px_may_follow(px_counter *c, uint32_t first, uint32_t second) {
    px_token token;
    px_hash_word(&token, &c->words, second);
    c->words.word[first].flags |= PX_STARTS;
    c->words.word[first].followers |= (uint16_t)(1u << px_follower_bit(token.hash) | 1u);
    c->words.word[second].flags |= PX_FOLLOWS;
}

/* Room for n more words in the lists of the document, and for those that wait: any of the n may set them free. */
static int px_document_room(px_counter *c, size_t n) {
    n += c->in_sequence;
    if (PX_RESERVE(c->distinct, c->distinct_room, c->in_distinct + n)) return px_fail(c);
    if (PX_RESERVE(c->lexical, c->lexical_room, c->in_lexical + n)) return px_fail(c);
    if (c->want_ids && PX_RESERVE(c->ids, c->ids_room, c->in_ids + n)) return px_fail(c);
    return 0;
}

/* One more token of the document. */
static inline void px_count(px_counter *c, uint32_t id) {
    c->length++;
    if (c->want_ids) c->ids[c->in_ids++] = id == PX_NONE || (c->closed && c->words.word[id].item < 0) ? -1
                                           : c->closed ? c->words.word[id].item : (int32_t)id;
    if (id == PX_NONE) return;
    px_word *word = &c->words.word[id];
    if (c->closed && word->item < 0) return;  /* no column: it only helps to match phrases */
    uint32_t fresh = px_occur(word, c->stamp);
    c->distinct[c->in_distinct] = id;
    c->in_distinct += fresh;
    c->lexical[c->in_lexical] = id;
    c->in_lexical += fresh & (uint32_t)(word->item >= 0);
}

#endif
