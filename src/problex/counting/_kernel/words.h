/* Words: byte strings that have a number each, found by open addressing, and what is counted for each of them. */
#ifndef PROBLEX_WORDS_H
#define PROBLEX_WORDS_H

#include "hash.h"
#include "memory.h"

#define PX_NONE UINT32_MAX

/* What a word is besides a word. */
enum {
    PX_STARTS = 1,       /* a phrase may begin with it */
    PX_NEGATES = 2,      /* it negates what follows */
    PX_ENDS = 4,         /* it ends the scope of a negation */
    PX_CLASSED = 8,      /* it matches a pattern inside a phrase */
    PX_FOLLOWS = 16,     /* it is the second word of a phrase */
    PX_NEGATED_FORM = 32, /* it is the name of a negated item: no text has it, no pattern matches it */
    PX_AS_WRITTEN = 64   /* texts have it with bytes above 127, as it is: a chunk of these bytes is this one token */
};

/* All that is read for a token, in one cache line: its first sixteen bytes, which most words do not exceed (zeros
 * behind a shorter one: no word has them), n and q (the sums of its counts and of their squares over documents), the
 * document where it last occurred and how often, its item and list (item -1: not in the lexicon), its negated form, the
 * words before which it may start a phrase, and where its letters are. Words are in the order in which they first
 * occurred, so frequent ones are close to each other. */
typedef struct {
    uint64_t first, second;
    int64_t n, q;
    uint64_t offset;
    uint64_t state;      /* the document it was last seen in, and how often there (the lower half) */
    uint32_t len;
    int32_t item;
    uint32_t negated;
    uint16_t followers;  /* bit h: it negates, or may start a phrase before words whose hash begins with h */
    uint8_t list, flags;
} px_word;
_Static_assert(sizeof(px_word) == 64, "a word is a cache line");
#define PX_ANY UINT16_MAX

/* One more occurrence in a document; whether it is the first, which cannot be predicted: hence without a branch. */
PX_INLINE uint32_t px_occur(px_word *word, uint64_t stamp) {
    uint64_t state = word->state, same = 0 - (uint64_t)((state ^ stamp) >> 32 == 0), x = state & same & UINT32_MAX;
    word->state = (stamp | x) + 1;
    word->n++; word->q += (int64_t)(2 * x + 1);
    return (uint32_t)(same + 1);
}

static inline uint32_t px_occurrences(const px_word *word) { return (uint32_t)word->state; }

/* A slot holds the number of a word plus one, and eight bits of its hash above; zero is an empty one. */
typedef uint32_t px_slot;
#define PX_ID_BITS 24
#define PX_MAX_WORDS ((1u << PX_ID_BITS) - 2)

PX_INLINE uint32_t px_tag(uint64_t hash) { return (uint32_t)(hash >> 56); }
PX_INLINE uint32_t px_slot_id(px_slot slot) { return (slot & ((1u << PX_ID_BITS) - 1)) - 1; }

typedef struct {
    px_slot *slots;
    uint64_t mask;
    uint32_t size, capacity;
    px_word *word;
    char *arena;
    uint64_t used, arena_size;
} px_words;

static int px_words_init(px_words *t, uint64_t slots) {
    memset(t, 0, sizeof *t);
    t->mask = slots - 1;
    t->slots = (px_slot *)px_large(slots * sizeof(px_slot));
    if (!t->slots) return -1;
    memset(t->slots, 0, slots * sizeof(px_slot));
    return 0;
}

static void px_words_free(px_words *t) {
    px_large_free(t->slots); px_large_free(t->word); free(t->arena);
    memset(t, 0, sizeof *t);
}

static inline void px_put(px_slot *slots, uint64_t mask, uint64_t hash, uint32_t id) {
    uint64_t at = hash & mask;
    while (slots[at]) at = (at + 1) & mask;
    slots[at] = px_tag(hash) << PX_ID_BITS | (id + 1);
}

static inline void px_hash_word(px_token *token, const px_words *t, uint32_t id) {
    px_hash(token, t->arena + t->word[id].offset, t->word[id].len);
}

/* Four times the slots. Words go back in the order in which they were met: the frequent ones get the first place. */
static int px_words_grow(px_words *t) {
    uint64_t slots = (t->mask + 1) * 4, mask = slots - 1;
    px_slot *fresh = (px_slot *)px_large(slots * sizeof(px_slot));
    if (!fresh) return -1;
    memset(fresh, 0, slots * sizeof(px_slot));
    for (uint32_t id = 0; id < t->size; id++) {
        px_token token;
        px_hash_word(&token, t, id);
        px_put(fresh, mask, token.hash, id);
    }
    px_large_free(t->slots);
    t->slots = fresh; t->mask = mask;
    return 0;
}

static inline int px_same(const px_words *t, uint32_t id, const px_token *token) {
    const px_word *word = &t->word[id];
    if (((word->first ^ token->first) | (word->second ^ token->second) | (word->len ^ token->len)) != 0) return 0;
    return PX_LIKELY(token->len <= 16) || memcmp(t->arena + word->offset, token->at, token->len) == 0;
}

/* The first word from a slot on whose tag is that of the hash: almost always the word itself. */
static inline uint32_t px_candidate(const px_words *t, uint64_t hash, uint64_t *at) {
    uint32_t tag = px_tag(hash);
    while (t->slots[*at] && t->slots[*at] >> PX_ID_BITS != tag) *at = (*at + 1) & t->mask;
    return px_slot_id(t->slots[*at]);
}

static inline uint32_t px_find(const px_words *t, const px_token *token) {
    uint64_t at = token->hash & t->mask;
    for (;;) {
        uint32_t id = px_candidate(t, token->hash, &at);
        if (id == PX_NONE || px_same(t, id, token)) return id;
        at = (at + 1) & t->mask;
    }
}

/* Memory for so many words. It costs little until it is used: the system provides a page when it is first touched. */
static int px_words_reserve(px_words *t, uint32_t capacity) {
    px_word *w = (px_word *)px_large(capacity * sizeof(px_word)); if (!w) return -1;
    if (t->word) memcpy(w, t->word, t->size * sizeof(px_word));
    px_large_free(t->word);
    t->word = w; t->capacity = capacity;
    return 0;
}

/* Adds a string that is not there yet; PX_NONE when memory is used up. */
static uint32_t px_add(px_words *t, const px_token *token) {
    uint32_t len = token->len;
    if (t->size >= PX_MAX_WORDS) return PX_NONE;
    if (10 * ((uint64_t)t->size + 1) > 6 * (t->mask + 1) && px_words_grow(t)) return PX_NONE;
    if (t->size == t->capacity && px_words_reserve(t, t->capacity ? t->capacity * 2 : 1024)) return PX_NONE;
    if (t->used + len + PX_SLACK > t->arena_size) {
        uint64_t capacity = (t->used + len + PX_SLACK) * 2;
        char *a = (char *)realloc(t->arena, capacity); if (!a) return PX_NONE;
        t->arena = a; t->arena_size = capacity;
    }
    uint32_t id = t->size++;
    px_word fresh = {token->first, token->second, 0, 0, t->used, 0, len, -1, PX_NONE, 0, 0, 0};
    t->word[id] = fresh;
    memcpy(t->arena + t->used, token->at, len);
    t->used += len;
    px_put(t->slots, t->mask, token->hash, id);
    return id;
}

/* ---- patterns: `happ*`, `*less`, `*friend*`, and glob patterns: `colo?r`, `gre*t` ---- */

enum { PX_PREFIX = 0, PX_SUFFIX = 1, PX_WITHIN = 2, PX_GLOB = 3 };

/* A glob pattern: its bytes, its number among all patterns, and the next one with the same first byte (-1: none). */
typedef struct { const char *text; uint32_t len, number; int32_t next; } px_glob;

/* Patterns by kind and letters: the item of a word in `letters[kind]` is the number of the pattern, the first is the
 * most specific. `length[kind]` has the lengths of these words, the longest first, so that the time to find the pattern
 * of a word does not depend on how many there are. Glob patterns are in chains by their first byte, from `first_glob`
 * to `last_glob` (1 + place, 0: none), the most specific first; those that begin with a sign are in chain 0. */
typedef struct {
    px_words letters[3];
    uint32_t *length[3]; size_t lengths[3];
    uint32_t size;
    int32_t *value;  /* per pattern: a list, or the word of the plan for it */
    px_glob *glob; int32_t globs;
    int32_t first_glob[256], last_glob[256];
} px_patterns;

static void px_patterns_free(px_patterns *p) {
    for (int kind = 0; kind < 3; kind++) { px_words_free(&p->letters[kind]); free(p->length[kind]); }
    free(p->value); free(p->glob);
    memset(p, 0, sizeof *p);
}

/* The first pattern of a kind whose letters are n of a word, from one of the bytes from `first` to `last` on. */
static uint32_t px_pattern_at(const px_words *letters, const char *p, uint32_t first, uint32_t last, uint32_t n) {
    uint32_t best = PX_NONE;
    for (uint32_t at = first; at <= last; at++) {
        px_token token;
        px_hash_exactly(&token, p + at, n);
        uint32_t id = px_find(letters, &token);
        if (id != PX_NONE && (uint32_t)letters->word[id].item < best) best = (uint32_t)letters->word[id].item;
    }
    return best;
}

/* Whether a word in UTF-8 matches a glob pattern: `?` is one character, `*` any number of them. */
static int px_glob_matches(const px_glob *glob, const char *p, uint32_t len) {
    const char *text = glob->text;
    uint32_t at = 0, in = 0, star = PX_NONE, back = 0;  /* after the last star: where to go on, if the rest differs */
    while (in < len) {
        if (at < glob->len && text[at] == '*') { star = ++at; back = in; continue; }
        if (at < glob->len && text[at] == '?') {
            at++; in++;
            while (in < len && ((unsigned char)p[in] & 0xC0) == 0x80) in++;
            continue;
        }
        if (at < glob->len && text[at] == p[in]) { at++; in++; continue; }
        if (star == PX_NONE) return 0;
        at = star; back++;
        while (back < len && ((unsigned char)p[back] & 0xC0) == 0x80) back++;
        in = back;
    }
    while (at < glob->len && text[at] == '*') at++;
    return at == glob->len;
}

/* The first glob pattern of a chain that a word matches and whose number is below `best`; else `best`. */
static uint32_t px_glob_of(const px_patterns *patterns, int chain, const char *p, uint32_t len, uint32_t best) {
    for (int32_t i = patterns->first_glob[chain] - 1; i >= 0; i = patterns->glob[i].next) {
        const px_glob *glob = &patterns->glob[i];
        if (glob->number >= best) return best;
        if (px_glob_matches(glob, p, len)) return glob->number;
    }
    return best;
}

/* The first pattern that a word matches, or PX_NONE. */
static uint32_t px_pattern_of(const px_patterns *patterns, const char *p, uint32_t len) {
    uint32_t best = PX_NONE;
    if (!patterns->size) return PX_NONE;
    for (int kind = 0; kind < 3; kind++) {
        uint32_t found = PX_NONE;
        for (size_t i = 0; i < patterns->lengths[kind] && found == PX_NONE; i++) {
            uint32_t n = patterns->length[kind][i];
            if (n > len) continue;
            uint32_t first = kind == PX_SUFFIX ? len - n : 0, last = kind == PX_PREFIX ? 0 : len - n;
            found = px_pattern_at(&patterns->letters[kind], p, first, last, n);
        }
        if (found < best) best = found;
    }
    if (patterns->globs && len) {
        best = px_glob_of(patterns, (unsigned char)p[0], p, len, best);
        best = px_glob_of(patterns, 0, p, len, best);
    }
    return best;
}

#endif
