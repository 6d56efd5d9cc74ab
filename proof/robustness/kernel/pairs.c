/* Documents given as rows of items and their counts: the sums of pairs of all of them, of three logs that are joined in
 * parts, of sums that are added, and the sparse matrix are those of plain loops. */
#include "characters.h"

enum { MOST_ITEMS = 48, MOST_ROWS = 64, LOGS = 3, MOST_LISTS = 4 };

typedef struct { int32_t item[MOST_ITEMS], count[MOST_ITEMS]; size_t n; } document;
typedef struct { int lists; size_t items, rows; int64_t list[MOST_ITEMS]; document row[MOST_ROWS]; } documents;

/* Two bytes: lists and items; then pairs of a step to the next item, 0 for the next row, and a count, some of them large. */
static void read_documents(documents *all, const uint8_t *data, size_t size) {
    all->lists = 1 + (size > 0 ? data[0] & 3 : 0);
    all->items = 1 + (size > 1 ? data[1] % MOST_ITEMS : 0);
    all->rows = 1;
    all->row[0].n = 0;
    for (size_t i = 0; i < all->items; i++) all->list[i] = (int64_t)(i * (size_t)all->lists / all->items);
    int64_t item = -1;
    for (size_t at = 2; at + 1 < size; at += 2) {
        document *row = &all->row[all->rows - 1];
        item += data[at] & 15;
        if (!(data[at] & 15) || item >= (int64_t)all->items) {
            if (all->rows == MOST_ROWS) return;
            all->row[all->rows++].n = 0;
            item = -1;
            continue;
        }
        row->item[row->n] = (int32_t)item;
        row->count[row->n++] = (int32_t)((1u + data[at + 1]) << (data[at] >> 6) * 6);
    }
}

static void start_log(px_counter *c, const documents *all) {
    REQUIRE(!px_init(c, all->lists, 0, 64, 64) && !px_plan_columns(c, all->list, all->items));
    c->log.capacity = 8;  /* a counter reserves a megabyte by itself */
    c->log.entry = (uint64_t *)px_large(8 * sizeof *c->log.entry);
    REQUIRE(c->log.entry);
}

static void log_rows(px_counter *c, const documents *all, size_t from, size_t step, int often) {
    for (size_t i = from; i < all->rows; i += step) {
        if (all->row[i].n) px_log_row(c, all->row[i].item, all->row[i].count, all->row[i].n);
        REQUIRE(!c->failed && (!often || i % 3 || !px_flush_log(c)));
    }
}

static void expect_pairs(const documents *all, int64_t *matrix) {
    memset(matrix, 0, MOST_ITEMS * MOST_ITEMS * 8);
    for (size_t i = 0; i < all->rows; i++)
        for (size_t a = 0; a < all->row[i].n; a++)
            for (size_t b = a + 1; b < all->row[i].n; b++) {
                const document *row = &all->row[i];
                if (all->list[row->item[a]] == all->list[row->item[b]]) continue;
                matrix[row->item[a] * MOST_ITEMS + row->item[b]] += (int64_t)row->count[a] * row->count[b];
            }
}

static void require_pairs(const documents *all, const px_counter *c, const int64_t *expected) {
    static int64_t found[MOST_ITEMS * MOST_ITEMS], place[MOST_ITEMS], starts[MOST_ITEMS + 1];
    size_t n = px_pairs_count(&c->pairs);
    int32_t *columns = (int32_t *)malloc(n * 4 + 1);
    int64_t *values = (int64_t *)malloc(n * 8 + 1);
    memset(found, 0, sizeof found);
    for (size_t i = 0; i < all->items; i++) place[i] = (int64_t)i;
    REQUIRE(columns && values);
    REQUIRE(!px_pairs_matrix(&c->pairs, place, (int64_t)all->items, starts, columns, values));
    REQUIRE(starts[all->items] == (int64_t)n && px_pairs_bytes(&c->pairs) >= 2 * n);
    for (size_t row = 0; row < all->items; row++)
        for (int64_t at = starts[row]; at < starts[row + 1]; at++) found[row * MOST_ITEMS + (size_t)columns[at]] = values[at];
    REQUIRE(!memcmp(found, expected, sizeof found));
    free(columns); free(values);
}

/* Three logs, of which some became sums before: joined in parts, or added one after the other. */
static void require_joined(const documents *all, const int64_t *expected, int in_parts) {
    px_counter log[LOGS], *each[LOGS];
    int32_t number[MOST_ITEMS];
    for (int32_t i = 0; i < MOST_ITEMS; i++) number[i] = i;
    for (size_t i = 0; i < LOGS; i++) {
        start_log(&log[i], all);
        log_rows(&log[i], all, i, LOGS, i == 1);
        each[i] = &log[i];
        REQUIRE(in_parts ? !px_pairs_whole(&log[i].pairs) && !px_order_log(&log[i]) : !px_flush_log(&log[i]));
    }
    if (in_parts) {
        px_pairs *part = (px_pairs *)calloc(LOGS, sizeof *part);
        for (size_t i = 0; i < LOGS; i++) REQUIRE(!px_pairs_part(each, LOGS, i, LOGS, &part[i]));
        px_pairs_join(each, LOGS, part, LOGS);
    } else for (size_t i = 1; i < LOGS; i++) REQUIRE(!px_pairs_renumbered(&log[0], &log[i], number));
    require_pairs(all, &log[0], expected);
    REQUIRE(!px_pairs_whole(&log[0].pairs));
    require_pairs(all, &log[0], expected);
    for (size_t i = 0; i < LOGS; i++) px_free(&log[i]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static documents all;
    static int64_t expected[MOST_ITEMS * MOST_ITEMS];
    px_counter whole;
    read_documents(&all, data, size);
    expect_pairs(&all, expected);
    start_log(&whole, &all);
    log_rows(&whole, &all, 0, 1, size > 0 && data[0] & 4);
    REQUIRE(!px_flush_log(&whole));
    require_pairs(&all, &whole, expected);
    px_free(&whole);
    require_joined(&all, expected, size > 0 && data[0] & 8);
    return 0;
}
