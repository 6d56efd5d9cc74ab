/* What a counter knows before the first text: items, negation, phrases, patterns and literals. */
#ifndef PROBLEX_PLAN_H
#define PROBLEX_PLAN_H

#include "matching.h"

/* Number words, from 0 on: how many are new, which is all unless one is there twice. */
static uint32_t px_plan_words(px_counter *c, const char *data, const int32_t *offset, uint32_t n) {
    enum { AHEAD = 16 };
    px_token ahead[AHEAD];  /* the next words, whose slots are prefetched: a large table is not in the cache */
    for (uint32_t at = 0; at < n + AHEAD; at++) {
        px_token token = ahead[at % AHEAD];
        if (at < n) {
            px_hash_exactly(&ahead[at % AHEAD], data + offset[at], (uint32_t)(offset[at + 1] - offset[at]));
            PX_PREFETCH(&c->words.slots[ahead[at % AHEAD].hash & c->words.mask]);
        }
        if (at >= AHEAD && (px_word_id(c, &token) != at - AHEAD || c->failed)) return at - AHEAD;
    }
    return n;
}

/* Give the first words their items (-1: none), and items their lists. */
static int px_plan_items(px_counter *c, const int64_t *item, const int64_t *list, size_t words) {
    int64_t last = -1;
    for (size_t id = 0; id < words; id++) if (item[id] > last) last = item[id];
    c->items.size = c->items.known = (int32_t)(last + 1);
    c->items.capacity = (size_t)(last + 2);
    c->items.list = (uint16_t *)calloc(c->items.capacity, sizeof *c->items.list);
    if (!c->items.list) return px_fail(c);
    for (size_t id = 0; id < words; id++) {
        c->words.word[id].item = (int32_t)item[id];
        c->words.word[id].list = (uint8_t)list[id];
        if (item[id] >= 0) c->items.list[item[id]] = (uint16_t)list[id];
    }
    return 0;
}

/* Number the negated forms of items: there are `items` in all, and form[i] is as in px_items. -1 without memory, 1 if
 * two items do not name each other. To be called when the opposite lists are known. */
static int px_plan_forms(px_counter *c, const int64_t *form, size_t items) {
    size_t written = (size_t)c->items.size;
    if (items < written) return 1;
    if (PX_RESERVE(c->items.list, c->items.capacity, items + 1)) return px_fail(c);
    memset(c->items.list + written, 0, (items - written) * sizeof *c->items.list);
    c->items.form = (int32_t *)malloc((items + 1) * sizeof *c->items.form);
    if (!c->items.form) return px_fail(c);
    for (size_t i = 0; i < items; i++) {
        if (form[i] < -1 || form[i] >= (int64_t)items || (form[i] >= 0 && form[form[i]] != (int64_t)i)) return 1;
        c->items.form[i] = (int32_t)form[i];
    }
    c->items.size = c->items.known = c->items.forms = (int32_t)items;
    for (uint32_t id = 0; id < c->words.size; id++) {
        const px_word *word = &c->words.word[id];
        if (word->item >= 0 && form[word->item] >= 0) c->items.list[form[word->item]] = c->plan.opposite[word->list];
    }
    return 0;
}

/* The items of a counter without words: the columns of a matrix, each of a list. */
static int px_plan_columns(px_counter *c, const int64_t *list, size_t columns) {
    c->items.size = c->items.known = (int32_t)columns;
    if (PX_RESERVE(c->items.list, c->items.capacity, columns)) return px_fail(c);
    for (size_t i = 0; i < columns; i++) c->items.list[i] = (uint16_t)list[i];
    return 0;
}

static void px_plan_negator(px_counter *c, uint32_t word) {
    c->words.word[word].flags |= PX_NEGATES;
    c->words.word[word].followers = PX_ANY;
}

static void px_plan_scope_end(px_counter *c, uint32_t word) { c->words.word[word].flags |= PX_ENDS; }

/* Memory for phrases of so many words in all. */
static int px_plan_phrases(px_counter *c, size_t words) {
    uint64_t slots = 16;
    while (slots < 3 * (uint64_t)words) slots *= 2;
    c->phrases.step = (px_pair *)calloc(slots, sizeof *c->phrases.step);
    c->phrases.word = (uint32_t *)malloc((words + 1) * sizeof *c->phrases.word);
    if (!c->phrases.step || !c->phrases.word) return px_fail(c);
    c->phrases.mask = slots - 1;
    c->phrases.word[0] = PX_NONE;
    c->phrases.nodes = 1;
    return 0;
}

/* A phrase of two words or more. Where a word of a phrase may be a pattern, any word may follow its first. */
static void px_plan_phrase(px_counter *c, const uint32_t *word, size_t n, uint32_t phrase, int patterns) {
    uint32_t node = 0;
    px_may_follow(c, word[0], word[1]);
    if (patterns) c->words.word[word[0]].followers = PX_ANY;
    for (size_t i = 0; i < n; i++) {
        uint32_t next = px_step_on(&c->phrases, node, word[i]);
        if (next == PX_NONE) {
            uint64_t key = px_trie_key(node, word[i]), at = px_mix(key, 7) & c->phrases.mask;
            while (c->phrases.step[at].key) at = (at + 1) & c->phrases.mask;
            next = c->phrases.nodes++;
            c->phrases.step[at].key = key;
            c->phrases.step[at].value = next;
            c->phrases.word[next] = PX_NONE;
        }
        node = next;
    }
    c->phrases.word[node] = phrase;
}

/* Memory for so many patterns. */
static int px_plan_patterns(px_patterns *patterns, size_t n) {
    patterns->value = (int32_t *)malloc(n * sizeof *patterns->value);
    patterns->glob = (px_glob *)malloc(n * sizeof *patterns->glob);
    if (!patterns->value || !patterns->glob) return -1;
    for (int kind = 0; kind < 3; kind++) {
        patterns->length[kind] = (uint32_t *)malloc(n * sizeof *patterns->length[kind]);
        if (!patterns->length[kind] || px_words_init(&patterns->letters[kind], 64)) return -1;
    }
    return 0;
}

/* A glob pattern, behind those with the same first byte. */
static void px_plan_glob(px_patterns *patterns, const char *text, uint32_t len, uint32_t number) {
    int chain = text[0] == '*' || text[0] == '?' ? 0 : (unsigned char)text[0];
    int32_t place = patterns->globs++;
    px_glob glob = {text, len, number, -1};
    patterns->glob[place] = glob;
    if (patterns->last_glob[chain]) patterns->glob[patterns->last_glob[chain] - 1].next = place;
    else patterns->first_glob[chain] = place + 1;
    patterns->last_glob[chain] = place + 1;
}

/* A pattern, in the order in which they win, those with the most letters first: a list or a word is its value. The
 * bytes of a glob pattern must stay where they are. */
static int px_plan_pattern(px_patterns *patterns, const char *letters, uint32_t len, int kind, int32_t value) {
    if (kind == PX_GLOB) {
        patterns->value[patterns->size] = value;
        px_plan_glob(patterns, letters, len, patterns->size++);
        return 0;
    }
    px_words *words = &patterns->letters[kind];
    size_t lengths = patterns->lengths[kind];
    px_token token;
    px_hash_exactly(&token, letters, len);
    uint32_t number = patterns->size++, word = px_add(words, &token);
    if (word == PX_NONE) return -1;
    patterns->value[number] = value;
    words->word[word].item = (int32_t)number;
    if (!lengths || patterns->length[kind][lengths - 1] != len) patterns->length[kind][patterns->lengths[kind]++] = len;
    return 0;
}

static int px_plan_literals(px_counter *c, size_t n) {
    c->literals.literal = (px_literal *)calloc(n + 1, sizeof *c->literals.literal);
    return c->literals.literal ? 0 : px_fail(c);
}

/* The set of anchors for AVX2 and AVX-512: exact, since each half of the byte values has eight high nibbles. */
static void px_plan_anchor(px_counter *c, unsigned char byte) {
    int high = byte >> 7;
    c->literals.high_anchors |= high;
    c->literals.nibble[2 * high][byte & 15] |= (uint8_t)(1u << (byte >> 4 & 7));
    c->literals.nibble[2 * high + 1][byte >> 4] |= (uint8_t)(1u << (byte >> 4 & 7));
}

/* A string to find as it is, by the byte at `anchor`: those with the same byte come one after the other. The bytes must
 * stay where they are. */
static void px_plan_literal(px_counter *c, const unsigned char *text, uint32_t len, uint32_t anchor, uint32_t word) {
    px_literal literal = {text, len, anchor, word};
    unsigned char byte = text[anchor];
    c->literals.literal[c->literals.size++] = literal;
    if (!c->literals.anchor[byte]) c->literals.anchor[byte] = (uint32_t)c->literals.size;
    px_plan_anchor(c, byte);
    if (byte >= 'a' && byte <= 'z') px_plan_anchor(c, byte & 0xDF);
}

#endif
