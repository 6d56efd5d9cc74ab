/* Texts of any bytes to tokens: plain C, AVX2 and AVX-512 have those that a loop over characters has. */
#include "counters.h"

typedef struct { size_t start, end; int slow; } expected_token;

static uint32_t value_at(const input *in, const unsigned char *text, size_t at, size_t size, uint32_t *len) {
    return all_characters[in->folds][px_decode(text + at, size - at, len)];
}

/* The next token from a place on: a letter and the letters and marks behind it, with apostrophes before letters. */
static int next_token(const input *in, const unsigned char *text, size_t size, size_t at, expected_token *token) {
    uint32_t len, more, last = 0;
    while (at < size && !px_is_letter(value_at(in, text, at, size, &len))) at += len;
    if (at >= size) return 0;
    *token = (expected_token){at, at, 0};
    while (at < size) {
        uint32_t value = value_at(in, text, at, size, &len), class = px_class(value);
        int joins = value == PX_APOSTROPHE && in->joins && at + len < size &&
                    px_is_letter(value_at(in, text, at + len, size, &more));
        if (value <= PX_CLAUSE && !joins) break;
        if (!joins) {
            token->slow |= (value & PX_SLOW) != 0 || (class && class < last);
            last = class;
        } else last = 0;
        at += len;
    }
    token->end = at;
    return 1;
}

/* The letters of a token that needs no normalisation. */
static size_t letters_of(const input *in, const unsigned char *text, size_t size, expected_token token, char *letters) {
    char *to = letters;
    uint32_t len;
    for (size_t at = token.start; at < token.end; at += len) {
        uint32_t value = value_at(in, text, at, size, &len);
        if (value == PX_APOSTROPHE) *to++ = '\'';
        else if (value & PX_POINT) to = px_encode(to, value & PX_POINT);
    }
    return (size_t)(to - letters);
}

static void require_tokens(const input *in, const px_counter *c) {
    size_t at = 0;
    for (size_t i = 0; i < in->texts; i++) {
        expected_token token = {0};
        char *letters = (char *)malloc(2 * in->size[i] + 8);
        while (next_token(in, in->text[i], in->size[i], token.end, &token)) {
            REQUIRE(at < c->rows.ids && token.end <= in->size[i]);
            const px_word *word = &c->words.word[c->rows.id[at++]];
            if (token.slow) continue;
            size_t len = letters_of(in, in->text[i], in->size[i], token, letters);
            REQUIRE(word->len == len && !memcmp(c->words.arena + word->offset, letters, len));
        }
        REQUIRE(c->rows.end[i] == (int64_t)at);
        free(letters);
    }
}

/* The bytes behind so many others that they are on both sides of the end of a window. */
static void add_behind_window(input *in, const uint8_t *data, size_t size) {
    static uint8_t text[PX_WINDOW + 4096];
    size_t before = PX_WINDOW - size / 2 % PX_WINDOW;
    for (size_t i = 0; i < before; i++) text[i] = i % 64 ? 'a' : ' ';
    if (size > 4096) size = 4096;
    memcpy(text + before, data, size);
    add_text(in, text, before + size);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static input in;
    px_counter plain;
    make_input(&in, data, size < 1 ? size : 1);  /* options, and no entries */
    if (size) add_text(&in, data + 1, size - 1);
    if (size && data[0] & 64) add_behind_window(&in, data, size);
    make_counter(&plain, &in, IDS);
    plain.plan.keep_links = 1;  /* next_token knows none */
    count_texts(&plain, &in, 0, in.texts, 0);
    require_tokens(&in, &plain);
    for (int fast = 1; fast <= px_fastest(); fast++) {
        px_counter other;
        make_counter(&other, &in, IDS);
        other.plan.keep_links = 1;
        count_texts(&other, &in, 0, in.texts, fast);
        REQUIRE(other.rows.ids == plain.rows.ids);
        REQUIRE(!plain.rows.ids || !memcmp(other.rows.id, plain.rows.id, plain.rows.ids * 4));
        require_same_words(&plain, &other);
        px_free(&other);
    }
    px_free(&plain);
    free_input(&in);
    return 0;
}
