/* Texts counted at once and in parts, merged in both orders, with their pairs and samples, then pruned. With THREADS,
 * each part is counted by a thread of its own. */
#include "counters.h"

enum { PARTS = 3 };
typedef struct { const input *in; px_counter *c; size_t from, to; } job;
typedef struct { px_counter **all; size_t part; px_pairs *pairs; } sum_job;

static void *count_part(void *given) {
    job *one = (job *)given;
    count_texts(one->c, one->in, one->from, one->to, px_fastest());
    return NULL;
}

static void *order_part(void *given) {
    job *one = (job *)given;
    REQUIRE(!px_pairs_whole(&one->c->pairs) && !px_order_log(one->c));
    return NULL;
}

static void *sum_part(void *given) {
    sum_job *one = (sum_job *)given;
    REQUIRE(!px_pairs_part(one->all, PARTS, one->part, PARTS, one->pairs));
    return NULL;
}

/* Run a function for each part: at the same time, if there are threads. */
static void run_parts(void *(*function)(void *), void *first, size_t size) {
#ifdef THREADS
    pthread_t thread[PARTS];
    for (size_t i = 0; i < PARTS; i++) REQUIRE(!pthread_create(&thread[i], NULL, function, (char *)first + i * size));
    for (size_t i = 0; i < PARTS; i++) pthread_join(thread[i], NULL);
#else
    for (size_t i = 0; i < PARTS; i++) function((char *)first + i * size);
#endif
}

static void count_parts(const input *in, px_counter *part) {
    job jobs[PARTS];
    size_t cut = in->texts / 3;
    for (size_t i = 0; i < PARTS; i++) {
        make_counter(&part[i], in, SUMS);
        jobs[i] = (job){in, &part[i], i * cut, i + 1 < PARTS ? (i + 1) * cut : in->texts};
    }
    run_parts(count_part, jobs, sizeof *jobs);
}

/* ---- pairs ---- */

/* Which item of `whole` each item of a counter is. */
static void number_items(const px_counter *whole, const px_counter *c, int64_t *number) {
    memset(number, 0, (size_t)c->items.size * 8);
    for (uint32_t id = 0; id < c->words.size; id++) {
        if (c->words.word[id].item < 0) continue;
        uint32_t mine = word_in(whole, c, id);
        number[c->words.word[id].item] = mine == PX_NONE ? -1 : whole->words.word[mine].item;
    }
}

/* The pairs of a counter, as a matrix over the items of `whole`. */
static int64_t *pairs_of(const px_counter *whole, px_counter *c) {
    size_t items = (size_t)whole->items.size, used = 0;
    int64_t *matrix = (int64_t *)calloc(items * items + 1, 8), *number = (int64_t *)malloc(((size_t)c->items.size + 1) * 8);
    REQUIRE(matrix && number && !px_flush_log(c));
    number_items(whole, c, number);
    for (size_t row = 0; row < c->pairs.sums.rows; row++) {
        const unsigned char *at = px_row_start(&c->pairs.sums, row);
        uint32_t half = 0, low = PX_ITEMS - 1;
        int64_t value, i = number[c->pairs.sums.row[row].half & low];
        for (uint32_t n = c->pairs.sums.row[row].count; n; n--, used++) {
            at = px_get_pair(at, &half, &value);
            int64_t j = number[half & low];
            REQUIRE(i >= 0 && j >= 0 && value > 0 && half >> PX_ITEM_BITS > c->pairs.sums.row[row].half >> PX_ITEM_BITS);
            matrix[(size_t)i * items + (size_t)j] += value;
        }
    }
    REQUIRE(used == px_pairs_count(&c->pairs));
    free(number);
    return matrix;
}

/* The same by loops over the rows of the texts. */
static int64_t *expected_pairs(const input *in, const px_counter *whole) {
    size_t items = (size_t)whole->items.size;
    int64_t *matrix = (int64_t *)calloc(items * items + 1, 8);
    px_counter rows;
    make_counter(&rows, in, ROWS);
    count_texts(&rows, in, 0, in->texts, 0);
    for (size_t i = 0; i < in->texts; i++)
        for (int64_t a = i ? rows.rows.end[i - 1] : 0; a < rows.rows.end[i]; a++)
            for (int64_t b = i ? rows.rows.end[i - 1] : 0; b < rows.rows.end[i]; b++) {
                uint32_t first = word_in(whole, &rows, (uint32_t)rows.rows.column[a]);
                uint32_t second = word_in(whole, &rows, (uint32_t)rows.rows.column[b]);
                REQUIRE(first != PX_NONE && second != PX_NONE);
                const px_word *x = &whole->words.word[first], *y = &whole->words.word[second];
                if (x->item < 0 || y->item < 0 || x->list >= y->list) continue;
                matrix[(size_t)x->item * items + (size_t)y->item] += (int64_t)rows.rows.count[a] * rows.rows.count[b];
            }
    px_free(&rows);
    return matrix;
}

static void require_same_pairs(const px_counter *whole, px_counter *c, const int64_t *expected) {
    int64_t *found = pairs_of(whole, c);
    REQUIRE(!memcmp(found, expected, (size_t)whole->items.size * (size_t)whole->items.size * 8));
    free(found);
}

/* ---- samples ---- */

static void require_same_samples(px_counter *a, px_counter *b) {
    int64_t repeats = 0;
    REQUIRE(!px_sample_trim(&a->sample) && !px_sample_trim(&b->sample) && a->sample.size == b->sample.size);
    for (size_t i = 0; i < a->sample.size; i++) {
        const px_sampled *x = &a->sample.row[i], *y = &b->sample.row[i];
        REQUIRE(x->key == y->key && x->repeats == y->repeats && x->length == y->length && x->count == y->count);
        REQUIRE(!i || a->sample.row[i - 1].key < x->key);
        repeats += x->repeats;
    }
    REQUIRE(a->sample.size == a->sample.max ? repeats <= a->totals.documents : repeats == a->totals.documents);
}

/* ---- merging ---- */

/* Join the pairs in parts, as several threads do, where all items are those of the lexicon. */
static void join_parts(px_counter *part) {
    px_counter *all[PARTS] = {&part[0], &part[1], &part[2]};
    job jobs[PARTS];
    sum_job sums[PARTS];
    px_pairs *pairs = (px_pairs *)calloc(PARTS, sizeof *pairs);
    for (size_t i = 0; i < PARTS; i++) { jobs[i] = (job){NULL, &part[i], 0, 0}; sums[i] = (sum_job){all, i, &pairs[i]}; }
    run_parts(order_part, jobs, sizeof *jobs);
    run_parts(sum_part, sums, sizeof *sums);
    for (size_t i = 1; i < PARTS; i++) REQUIRE(!px_merge(&part[0], &part[i], 0));
    px_pairs_join(all, PARTS, pairs, PARTS);
}

static void merge_parts(const input *in, px_counter *whole, const int64_t *expected, int order) {
    px_counter part[PARTS];
    int alike = 1;
    count_parts(in, part);
    for (size_t i = 0; i < PARTS; i++) alike &= part[i].items.size == part[i].items.known;
    px_counter *to = order == 1 ? &part[PARTS - 1] : &part[0];
    if (order == 2 && alike) join_parts(part);
    else if (order == 1) for (size_t i = PARTS - 1; i-- > 0;) REQUIRE(!px_merge(to, &part[i], 1));
    else for (size_t i = 1; i < PARTS; i++) REQUIRE(!px_merge(to, &part[i], 1));
    require_same_words(whole, to);
    require_same_totals(whole, to);
    require_same_pairs(whole, to, expected);
    require_same_samples(whole, to);
    for (size_t i = 0; i < PARTS; i++) px_free(&part[i]);
}

/* Words that are seldom go, and their number is known; those of the lexicon stay. */
static void require_pruned(px_counter *c) {
    int64_t left = 0;
    uint32_t items = 0, still = 0;
    for (uint32_t id = 0; id < c->words.size; id++) items += c->words.word[id].item >= 0;
    REQUIRE(!px_prune(c, 1));
    for (uint32_t id = 0; id < c->words.size; id++) {
        const px_word *word = &c->words.word[id];
        left += word->n;
        still += word->item >= 0;
        REQUIRE(id < c->plan.reserved || word->item >= 0 || word->n > 1);
        REQUIRE(word_in(c, c, id) == id);
    }
    REQUIRE(items == still && left + c->totals.pruned == c->totals.tokens);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static input in;
    px_counter whole;
    make_input(&in, data, size);
    make_counter(&whole, &in, SUMS);
    count_texts(&whole, &in, 0, in.texts, 0);
    int64_t *expected = expected_pairs(&in, &whole);
    require_same_pairs(&whole, &whole, expected);
    for (int order = 0; order < 3; order++) merge_parts(&in, &whole, expected, order);
    require_pruned(&whole);
    count_texts(&whole, &in, 0, in.texts, 0);
    REQUIRE((size_t)whole.totals.documents == 2 * in.texts);
    free(expected);
    px_free(&whole);
    free_input(&in);
    return 0;
}
