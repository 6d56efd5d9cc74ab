/* A lexicon and texts made from the bytes, counted as sums, rows, numbers of words and rows over known columns, with
 * each set of instructions: they agree with each other. */
#include "counters.h"

static const px_counter *of_word(const px_counter *c, uint32_t id, int *list) {
    const px_word *word = &c->words.word[id];
    *list = word->item >= 0 && !is_form(c, id) ? word->list : NEITHER;
    return c;
}

/* Matches of each list in a text, without negated ones, by a counter of numbers of words. */
static void lists_of_ids(const px_counter *ids, size_t text, int64_t *matches) {
    for (int64_t at = text ? ids->rows.end[text - 1] : 0; at < ids->rows.end[text]; at++) {
        int list;
        of_word(ids, (uint32_t)ids->rows.id[at], &list);
        if (list != NEITHER) matches[list]++;
    }
}

/* The same by a counter of rows: over all words, or over the items of the lexicon. */
static void lists_of_rows(const px_counter *rows, const int *list_of, size_t text, int64_t *matches) {
    for (int64_t at = text ? rows->rows.end[text - 1] : 0; at < rows->rows.end[text]; at++) {
        int list = NEITHER;
        if (list_of) list = list_of[rows->rows.column[at]];
        else of_word(rows, (uint32_t)rows->rows.column[at], &list);
        if (list != NEITHER) matches[list] += rows->rows.count[at];
    }
}

static void require_same_rows(const input *in, const px_counter *ids, const px_counter *rows, const px_counter *closed) {
    int list_of[2 * MOST_WORDS];
    for (uint32_t id = 0; id < closed->plan.reserved; id++)
        if (closed->words.word[id].item >= 0) of_word(closed, id, &list_of[closed->words.word[id].item]);
    for (size_t i = 0; i < in->texts; i++) {
        int64_t matches[3][4] = {{0}};
        int64_t length = ids->rows.end[i] - (i ? ids->rows.end[i - 1] : 0);
        REQUIRE(ids->rows.length[i] == length && rows->rows.length[i] == length && closed->rows.length[i] == length);
        REQUIRE(length <= (int64_t)in->size[i]);
        lists_of_ids(ids, i, matches[0]);
        lists_of_rows(rows, NULL, i, matches[1]);
        lists_of_rows(closed, list_of, i, matches[2]);
        REQUIRE(!memcmp(matches[0], matches[1], sizeof matches[0]));
        REQUIRE(!memcmp(matches[0], matches[2], sizeof matches[0]));
    }
}

/* Each token is counted once, and each place of a word in the texts is one occurrence. */
static void require_sums(const px_counter *sums, const px_counter *ids) {
    int64_t total = 0;
    for (uint32_t id = 0; id < sums->words.size; id++) total += sums->words.word[id].n;
    REQUIRE(total == sums->totals.tokens && (size_t)total == ids->rows.ids);
    for (size_t i = 0; i < ids->rows.ids; i++) {
        uint32_t id = word_in(sums, ids, (uint32_t)ids->rows.id[i]);
        REQUIRE(id != PX_NONE && sums->words.word[id].n > 0);
    }
}

static void require_same_numbers(const px_counter *a, const px_counter *b) {
    REQUIRE(a->rows.size == b->rows.size && a->rows.used == b->rows.used && a->rows.ids == b->rows.ids);
    REQUIRE(!a->rows.used || !memcmp(a->rows.column, b->rows.column, a->rows.used * 4));
    REQUIRE(!a->rows.used || !memcmp(a->rows.count, b->rows.count, a->rows.used * 4));
    REQUIRE(!a->rows.ids || !memcmp(a->rows.id, b->rows.id, a->rows.ids * 4));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static input in;
    px_counter counter[COLUMNS + 1];
    make_input(&in, data, size);
    for (kind of = SUMS; of <= COLUMNS; of++) {
        make_counter(&counter[of], &in, of);
        count_texts(&counter[of], &in, 0, in.texts, 0);
    }
    require_same_rows(&in, &counter[IDS], &counter[ROWS], &counter[COLUMNS]);
    require_sums(&counter[SUMS], &counter[IDS]);
    for (kind of = SUMS; of <= COLUMNS; of++) {
        px_counter other;
        make_counter(&other, &in, of);
        count_texts(&other, &in, 0, in.texts, px_fastest());
        require_same_words(&counter[of], &other);
        require_same_totals(&counter[of], &other);
        require_same_numbers(&counter[of], &other);
        px_free(&other);
    }
    for (kind of = SUMS; of <= COLUMNS; of++) px_free(&counter[of]);
    free_input(&in);
    return 0;
}
