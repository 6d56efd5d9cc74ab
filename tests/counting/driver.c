/* The kernel without Python: a counter for a small plan counts texts by every path of the processor, is merged with
 * another, pruned, and prints all that it has counted. The tests compile this for all platforms, and compare what it
 * prints where it was compiled in different ways. */
#include "_kernel/kernel.h"

#include <stdio.h>

enum { LISTS = 2, WORDS = 12, DOCUMENTS = 600 };

static const char *const WORD[WORDS] = {"good", "bad", "fine", "no good", "NOT good", "NOT bad", "not", "but",
                                        ":)", "no", "well made", "made"};
static const int64_t ITEM[WORDS] = {0, 1, 2, 3, 4, 5, -1, -1, 6, -1, 7, -1};
static const int64_t LIST[WORDS] = {0, 1, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0};
static const int64_t FORM[] = {-1, -1, 8, 9, -1, -1, -1, -1, 2, 3};  /* of "fine" and "no good", without words */
static const char *const TEXT[] = {
    "good", "bad", "not", "very", "a", "well", "made,", "film", "no", "fine.", "filmed", "but", ":)",
    "d\xc3\xa9j\xc3\xa0", "\xc3\xa9t\xc3\xa9", "\xc3\x89t\xc3\xa9", "\xc3\xa9te\xcc\x81", "\xc3\xa9tonnamment",
    "\xe2\x80\x9cgood\xe2\x80\x9d", "\xf0\x9f\x98\x80",
    "extraordinarily", "incomprehensibilities", "GOOD",
    "don't", "hopeless", "\xe6\x97\xa5\xe6\x9c\xac", "\xff", "(bad)"};

static uint32_t characters[0x110000];
static uint64_t state = 1;

static uint32_t draw(uint32_t below) {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return (uint32_t)(state >> 33) % below;
}

static void check(int wrong, const char *what) {
    if (!wrong) return;
    fprintf(stderr, "failed: %s\n", what);
    exit(1);
}

/* In place of Python: Latin letters beyond ASCII, a mark, Chinese characters; what else there is ends a clause. */
static int load(px_counter *c, uint32_t block) {
    static const uint32_t point[] = {0xE9}, end[] = {2}, part[] = {'e', 0x301}, composed[] = {0xE9};
    static const uint64_t pair[] = {(uint64_t)'e' << 32 | 0x301};
    px_normalization tables = {point, end, part, 1, pair, composed, 1};
    if (block == PX_NORMALIZATION) { c->plan.normalization = tables; return 0; }
    for (uint32_t i = block << 8; i < (block + 1) << 8; i++)
        characters[i] = i >= 0xC0 && i < 0x250 ? (i < 0xE0 ? i + 32 : i) : i >= 0x4E00 && i < 0xA000 ? i : PX_CLAUSE;
    if (block == 3) characters[0x301] = 0x301 | PX_MARK | PX_SLOW | 230u << 24;
    return 0;
}

static void fill(void) {
    load(NULL, 0);
    for (uint32_t i = 0; i < 128; i++)
        characters[i] = i >= 'a' && i <= 'z' ? i : i >= 'A' && i <= 'Z' ? i + 32 : PX_BREAK;
    characters['\''] = PX_APOSTROPHE;
    characters[','] = characters['.'] = PX_CLAUSE;
}

static void plan(px_counter *c, int closed) {
    static const uint32_t no_good[] = {9, 0}, well_made[] = {12, 11};
    check(px_init(c, LISTS, 1, 1 << 12, 1 << 10), "px_init");
    c->load = load;
    c->plan.characters = characters;
    c->plan.want_sums = !closed; c->plan.want_rows = closed; c->plan.want_associations = !closed;
    c->sample.max = closed ? 0 : 64;
    char words[256];
    int32_t offset[WORDS + 2] = {0};
    for (uint32_t i = 0; i <= WORDS; i++) {
        const char *word = i < WORDS ? WORD[i] : "well";
        memcpy(words + offset[i], word, strlen(word));
        offset[i + 1] = offset[i] + (int32_t)strlen(word);
    }
    check(px_plan_words(c, words, offset, WORDS + 1) != WORDS + 1, "px_plan_words");
    c->plan.reserved = c->words.size;
    c->plan.closed = closed;
    check(px_plan_items(c, ITEM, LIST, WORDS), "px_plan_items");
    c->plan.scope = 4;
    memcpy(c->plan.negation_prefix, "NOT ", 4); c->plan.negation_prefix_len = 4;
    c->plan.opposite[0] = 1; c->plan.opposite[1] = 0;
    if (!closed) check(px_plan_forms(c, FORM, sizeof FORM / sizeof *FORM), "px_plan_forms");
    c->words.word[0].negated = 4; c->words.word[1].negated = 5;
    px_plan_negator(c, 6);
    px_plan_scope_end(c, 7);
    check(px_plan_phrases(c, 4), "px_plan_phrases");
    px_plan_phrase(c, no_good, 2, 3, 0);
    px_plan_phrase(c, well_made, 2, 10, 0);
    check(px_plan_patterns(&c->plan.wildcards, 4), "px_plan_patterns");
    check(px_plan_pattern(&c->plan.wildcards, "film", 4, PX_PREFIX, 0), "px_plan_pattern");
    check(px_plan_pattern(&c->plan.wildcards, "less", 4, PX_SUFFIX, 1), "px_plan_pattern");
    check(px_plan_pattern(&c->plan.wildcards, "f*i?e", 5, PX_GLOB, 0), "px_plan_pattern");
    check(px_plan_pattern(&c->plan.wildcards, "?*d", 3, PX_GLOB, 1), "px_plan_pattern");
    check(px_plan_literals(c, 1), "px_plan_literals");
    px_plan_literal(c, (const unsigned char *)":)", 2, 0, 8);
    for (uint32_t i = 0; i <= WORDS; i++)
        if (!strchr(WORD[i % WORDS], ' ')) check(px_classify_word(c, i, 1), "px_classify_word");
}

static void count(px_counter *c, uint64_t seed, int fast) {
    state = seed;
    for (int i = 0; i < DOCUMENTS; i++) {
        char text[4096] = "";
        size_t size = 0;
        for (uint32_t n = draw(i % 50 ? 40 : 300); n; n--)
            size += (size_t)sprintf(text + size, "%s ", TEXT[draw(sizeof TEXT / sizeof *TEXT)]);
        char *exact = (char *)malloc(size ? size : 1);  /* so that a sanitizer sees every byte read behind it */
        check(!exact, "malloc");
        memcpy(exact, text, size);
        px_count_document(c, (const unsigned char *)exact, size, fast);
        check(c->failed, "px_count_document");
        free(exact);
    }
}

static void print(px_counter *c) {
    const px_totals *totals = &c->totals;
    printf("%lld documents, %lld tokens, %lld, %lld empty, %lld pruned\n", (long long)totals->documents,
           (long long)totals->tokens, (long long)totals->squared_lengths, (long long)totals->empty,
           (long long)totals->pruned);
    for (uint32_t id = 0; id < c->words.size; id++) {
        const px_word *word = &c->words.word[id];
        printf("%.*s %lld %lld %d", (int)word->len, c->words.arena + word->offset, (long long)word->n,
               (long long)word->q, (int)word->item);
        for (int y = 0; c->plan.want_associations && y < 2 * LISTS; y++)
            printf(" %lld", (long long)c->associations.sum[id * 2 * LISTS + (uint32_t)y]);
        printf("\n");
    }
    check(px_flush_log(c), "px_flush_log");
    for (size_t i = 0; i < c->pairs.sums.rows; i++) {
        const unsigned char *at = px_row_start(&c->pairs.sums, i);
        uint32_t column = 0;
        int64_t value;
        for (uint32_t n = c->pairs.sums.row[i].count; n; n--) {
            at = px_get_pair(at, &column, &value);
            printf("pair %08lx%08lx %lld\n", (unsigned long)c->pairs.sums.row[i].half, (unsigned long)column,
                   (long long)value);
        }
    }
    check(px_sample_trim(&c->sample), "px_sample_trim");
    for (size_t i = 0; i < c->sample.size; i++) {
        px_sampled row = c->sample.row[i];
        px_sort_entries(c->sample.entry + row.first, row.count);
        printf("key %016llx %016llx %lld", (unsigned long long)row.key, (unsigned long long)row.word_key,
               (long long)row.length);
        for (uint32_t k = 0; k < row.count; k++) printf(" %llx", (unsigned long long)c->sample.entry[row.first + k]);
        printf("\n");
    }
    for (size_t i = 0; i < c->keys.size; i++) printf("%016llx ", (unsigned long long)c->keys.at[i]);
    for (size_t i = 0; i < c->rows.used; i++) printf("%d:%d ", (int)c->rows.column[i], (int)c->rows.count[i]);
    printf("\n");
}

/* Pairs of documents given as rows, in two parts that become one matrix. */
static void print_parts(void) {
    static const int64_t place[] = {0, 1, 2, 3, 4, 5, 6, 7}, missing[] = {0, -1, 2, 3, 4, 5, 6, 7};
    static const int32_t item[] = {0, 1, 2, 4, 5}, times[] = {1, 2, 3, 1, 1};
    static const int64_t list[] = {0, 0, 1, 1, 1, 1, 1, 1};
    int32_t columns[64];
    int64_t starts[9], values[64];
    px_counter c, *all = &c;
    check(px_init(&c, LISTS, 0, 64, 64), "px_init");
    check(px_plan_columns(&c, list, 8), "px_plan_columns");
    for (size_t i = 0; i < 3; i++) px_log_row(&c, item + i, times, 5 - i);
    px_pairs *part = (px_pairs *)calloc(2, sizeof *part);
    check(c.failed || px_order_log(&c) || !part, "px_order_log");
    for (size_t i = 0; i < 2; i++) check(px_pairs_part(&all, 1, i, 2, &part[i]), "px_pairs_part");
    px_pairs_join(&all, 1, part, 2);
    check(px_pairs_matrix(&c.pairs, missing, 8, starts, columns, values) != -1, "px_pairs_matrix without a place");
    check(px_pairs_matrix(&c.pairs, place, 8, starts, columns, values), "px_pairs_matrix");
    for (int64_t row = 0, at = 0; row < 8; row++)
        for (; at < starts[row + 1]; at++)
            printf("%d,%d: %lld\n", (int)row, (int)columns[at], (long long)values[at]);
    check(px_pairs_whole(&c.pairs), "px_pairs_whole");
    check(px_pairs_count(&c.pairs) != (size_t)starts[8], "px_pairs_count");
    check(px_pairs_bytes(&c.pairs) < 2 * (size_t)starts[8], "px_pairs_bytes");
    c.log.size = PX_LOG_ENTRIES;
    check(px_order_log(&c) != -1 || c.failed != PX_LOG_FULL, "a log that is too long");
    c.log.size = 0;
    px_free(&c);
}

int main(int arguments, char **argument) {
    int fast = arguments > 1 ? atoi(argument[1]) : px_fastest();
    px_counter one, other, rows;
    fill();
    plan(&one, 0); plan(&other, 0); plan(&rows, 1);
    count(&one, 1, fast); count(&other, 2, fast); count(&rows, 3, fast);
    check(px_merge(&one, &other, 1), "px_merge");
    check(px_prune(&one, 1), "px_prune");
    print(&one); print(&rows); print_parts();
    px_free(&one); px_free(&other); px_free(&rows);
    px_empty_store();
    return 0;
}
