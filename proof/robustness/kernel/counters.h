/* Counters for the lexicon of an input, as _plan.pxi makes them, and whether two of them have counted the same. */
#ifndef CAMPAIGN_COUNTERS_H
#define CAMPAIGN_COUNTERS_H

#include "input.h"

typedef enum { SUMS, ROWS, IDS, COLUMNS } kind;  /* COLUMNS: rows over the items of the lexicon only */

static const char NEGATED[] = "NOT ";
enum { PREFIX_LENGTH = 4 };

/* ---- plans ---- */

static void plan_words(px_counter *c, const input *in, int forms) {
    char letters[2 * MOST_WORDS * (LONGEST + 16)];
    int32_t offset[2 * MOST_WORDS + 1] = {0};
    uint32_t n = 0;
    for (uint32_t form = 0; form < 1 + (uint32_t)forms; form++)
        for (uint32_t i = 0; i < in->words; i++) {
            int32_t at = offset[n];
            if (form && !in->word[i].entry) continue;
            if (form) { memcpy(letters + at, NEGATED, PREFIX_LENGTH); at += PREFIX_LENGTH; }
            memcpy(letters + at, in->word[i].letters, in->word[i].len);
            offset[++n] = at + (int32_t)in->word[i].len;
        }
    REQUIRE(px_plan_words(c, letters, offset, n) == n);
    c->plan.reserved = c->words.size;
}

/* Items are numbered as the input has them, not list by list; negated forms, in the other list of two, behind them. */
static void plan_items(px_counter *c, const input *in, int closed, int forms) {
    int64_t item[2 * MOST_WORDS], list[2 * MOST_WORDS] = {0}, number = 0;
    uint32_t form = in->words;
    for (uint32_t i = 0; i < in->words; i++) {
        int column = in->word[i].entry == 1 || (closed && in->word[i].entry);
        item[i] = column ? number++ : -1;
        list[i] = in->word[i].list;
    }
    for (uint32_t i = 0; i < in->words && forms; i++) {
        if (!in->word[i].entry) continue;
        c->words.word[i].negated = form;
        c->words.word[form].flags |= PX_NEGATED_FORM;
        item[form] = in->forms && in->lists == 2 ? number++ : -1;
        list[form++] = in->lists == 2 ? 1 - in->word[i].list : 0;
    }
    REQUIRE(!form || !px_plan_items(c, item, list, form));
}

static void plan_patterns(px_patterns *patterns, const input *in, const planned_pattern *pattern, size_t n, int lists) {
    REQUIRE(!n || !px_plan_patterns(patterns, n));
    for (size_t i = 0; i < n; i++) {
        int32_t value = lists ? (int32_t)in->word[pattern[i].word].list : (int32_t)pattern[i].word;
        REQUIRE(!px_plan_pattern(patterns, pattern[i].letters, pattern[i].len, pattern[i].kind, value));
    }
}

static int sign_at(const planned_word *word, uint32_t at) {
    unsigned char byte = (unsigned char)word->letters[at];
    return byte < 128 && (unsigned)(byte - 'a') > 25;
}

/* Literals by the byte to look for: those with the same one have to be adjacent. */
static void plan_literals(px_counter *c, const input *in) {
    REQUIRE(!in->literals || !px_plan_literals(c, in->literals));
    for (int byte = 0; byte < 256; byte++)
        for (size_t i = 0; i < in->literals; i++) {
            const planned_word *word = &in->word[in->literal[i]];
            uint32_t anchor = 0;
            while (!sign_at(word, anchor)) anchor++;
            if ((unsigned char)word->letters[anchor] == byte)
                px_plan_literal(c, (const unsigned char *)word->letters, word->len, anchor, in->literal[i]);
        }
}

static void plan_phrases(px_counter *c, const input *in) {
    size_t words = 0;
    for (size_t i = 0; i < in->phrases; i++) words += in->phrase[i].n;
    REQUIRE(!words || !px_plan_phrases(c, words));
    for (size_t i = 0; i < in->phrases; i++)
        px_plan_phrase(c, in->phrase[i].path, in->phrase[i].n, in->phrase[i].word, in->classes > 0);
}

/* Memory to begin with: what a counter takes by itself would take most of the time here. */
static void reserve_little(px_counter *c) {
    c->log.capacity = 8;
    c->log.entry = (uint64_t *)px_large(c->log.capacity * sizeof *c->log.entry);
    if (!c->plan.want_associations) return;
    c->associations.capacity = 300;
    c->associations.sum = (int64_t *)calloc(c->associations.capacity * 2 * (size_t)c->plan.lists, 8);
}

/* Numbers for the negated forms of all items, as a counter of sums has them before there are words for them. */
static void plan_forms(px_counter *c) {
    int64_t form[2 * MOST_WORDS];
    int32_t items = c->items.size;
    for (int32_t i = 0; i < items; i++) { form[i] = items + i; form[items + i] = i; }
    REQUIRE(!px_plan_forms(c, form, 2 * (size_t)items));
}

static void make_counter(px_counter *c, const input *in, kind of) {
    int closed = of == COLUMNS, forms = (in->forms && of != SUMS) || closed;
    start_counter(c, in);
    c->plan.want_sums = of == SUMS; c->plan.want_rows = of == ROWS || closed; c->plan.want_ids = of == IDS;
    c->plan.want_associations = of == SUMS && in->associations;
    c->sample.max = of == SUMS ? 4 : 0;
    reserve_little(c);
    plan_words(c, in, forms);
    c->plan.closed = closed;
    plan_items(c, in, closed, forms);
    c->plan.scope = in->scope;
    memcpy(c->plan.negation_prefix, NEGATED, PREFIX_LENGTH);
    c->plan.negation_prefix_len = PREFIX_LENGTH;
    for (int y = 0; y < in->lists; y++) c->plan.opposite[y] = (uint16_t)(in->lists == 2 ? 1 - y : in->lists);
    if (of == SUMS && in->forms && in->lists == 2) plan_forms(c);
    for (size_t i = 0; i < in->negators && in->scope; i++) px_plan_negator(c, in->negator[i]);
    for (size_t i = 0; i < in->ends && in->scope; i++) px_plan_scope_end(c, in->end[i]);
    plan_phrases(c, in);
    plan_patterns(&c->plan.classes, in, in->class, in->classes, 0);
    plan_patterns(&c->plan.wildcards, in, in->wildcard, in->wildcards, !closed);
    plan_literals(c, in);
    for (uint32_t i = 0; i < in->words; i++) REQUIRE(!in->word[i].plain || !px_classify_word(c, i, 1));
    for (uint32_t i = 0; i < c->words.size; i++)
        REQUIRE((i < in->words && in->word[i].plain) || !px_classify_word(c, i, 0));
}

static void count_texts(px_counter *c, const input *in, size_t from, size_t to, int fast) {
    for (size_t i = from; i < to; i++) {
        if (in->often) c->log.limit = 4;  /* so that the log becomes sums again and again */
        px_count_document(c, in->text[i], in->size[i], fast);
        REQUIRE(!c->failed && !c->doc.in_waiting && !c->doc.in_block);
    }
}

/* ---- the same? ---- */

static uint32_t word_in(const px_counter *c, const px_counter *other, uint32_t id) {
    px_token token;
    px_hash_word(&token, &other->words, id);
    return px_find(&c->words, &token);
}

static int is_form(const px_counter *c, uint32_t id) {
    const px_word *word = &c->words.word[id];
    return word->len > PREFIX_LENGTH && !memcmp(c->words.arena + word->offset, NEGATED, PREFIX_LENGTH);
}

static size_t words_seen(const px_counter *c) {
    size_t n = 0;
    for (uint32_t id = 0; id < c->words.size; id++) n += c->words.word[id].n > 0;
    return n;
}

/* The words of two counters with their sums, whatever numbers they have. */
static void require_same_words(const px_counter *a, const px_counter *b) {
    size_t width = 2 * (size_t)a->plan.lists;
    REQUIRE(words_seen(a) == words_seen(b));
    for (uint32_t id = 0; id < a->words.size; id++) {
        const px_word *mine = &a->words.word[id];
        if (!mine->n) continue;
        uint32_t other = word_in(b, a, id);
        REQUIRE(other != PX_NONE);
        const px_word *its = &b->words.word[other];
        REQUIRE(mine->n == its->n && mine->q == its->q);
        REQUIRE((mine->item >= 0) == (its->item >= 0) && (mine->item < 0 || mine->list == its->list));
        if (a->plan.want_associations)
            REQUIRE(!memcmp(a->associations.sum + id * width, b->associations.sum + other * width, width * 8));
    }
}

static void require_same_totals(const px_counter *a, const px_counter *b) {
    REQUIRE(a->totals.documents == b->totals.documents && a->totals.tokens == b->totals.tokens);
    REQUIRE(a->totals.squared_lengths == b->totals.squared_lengths && a->totals.empty == b->totals.empty);
    for (int y = 0; y < a->plan.lists; y++)
        REQUIRE(a->totals.imputed_documents[y] == b->totals.imputed_documents[y]);
}

#endif
