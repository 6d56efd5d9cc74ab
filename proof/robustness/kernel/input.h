/* Bytes to a lexicon and texts.
 *
 * Two bytes are options. Lines up to an empty one are entries: `!` a negator, `#` the end of a scope, `=` a string to be
 * found as it is, any other first byte the list of a word, a phrase or a pattern. What follows are texts, each up to a
 * byte 0. */
#ifndef CAMPAIGN_INPUT_H
#define CAMPAIGN_INPUT_H

#include "characters.h"

enum { MOST_TEXTS = 10, MOST_WORDS = 120, MOST_ENTRIES = 24, LONGEST = 40, MOST_PARTS = 4, NEITHER = -1 };

typedef struct { char letters[LONGEST + 16]; uint32_t len; int entry, plain; int64_t list; } planned_word;
typedef struct { char letters[LONGEST + 16]; uint32_t len; int kind; uint32_t word; } planned_pattern;
typedef struct { uint32_t path[MOST_PARTS]; size_t n; uint32_t word; } planned_phrase;

typedef struct {
    int folds, joins, small, associations, often, forms, lists, scope;
    planned_word word[MOST_WORDS]; uint32_t words;
    planned_phrase phrase[MOST_ENTRIES]; size_t phrases;
    planned_pattern wildcard[MOST_ENTRIES], class[MOST_ENTRIES * MOST_PARTS]; size_t wildcards, classes;
    uint32_t literal[MOST_ENTRIES], negator[MOST_ENTRIES], end[MOST_ENTRIES];
    size_t literals, negators, ends;
    unsigned char *text[MOST_TEXTS]; size_t size[MOST_TEXTS], texts;
} input;

/* ---- words ---- */

static uint32_t find_word(const input *in, const char *letters, uint32_t len) {
    for (uint32_t i = 0; i < in->words; i++)
        if (in->word[i].len == len && !memcmp(in->word[i].letters, letters, len)) return i;
    return PX_NONE;
}

/* The number of a word, which becomes an entry of a list unless that is NEITHER; PX_NONE if there are too many, or if
 * it is an entry already. */
static uint32_t add_word(input *in, const char *letters, uint32_t len, int plain, int64_t list) {
    uint32_t id = find_word(in, letters, len);
    if (!len || len > LONGEST + 8) return PX_NONE;
    if (id != PX_NONE && list != NEITHER && (in->word[id].entry || in->word[id].plain != plain)) return PX_NONE;
    if (id == PX_NONE) {
        if (in->words == MOST_WORDS) return PX_NONE;
        id = in->words++;
        in->word[id] = (planned_word){.len = len, .plain = plain};
        memcpy(in->word[id].letters, letters, len);
    }
    if (list != NEITHER) { in->word[id].entry = 1; in->word[id].list = list; }
    return id;
}

/* The one token of some letters, of at most LONGEST bytes; its length, or 0. */
static uint32_t one_token(px_counter *cutter, const char *letters, size_t len, char *token) {
    cutter->rows.ids = cutter->rows.size = 0;
    px_count_document(cutter, (const unsigned char *)letters, len, 0);
    REQUIRE(!cutter->failed);
    if (cutter->rows.ids != 1) return 0;
    const px_word *word = &cutter->words.word[cutter->rows.id[0]];
    if (word->len > LONGEST) return 0;
    memcpy(token, cutter->words.arena + word->offset, word->len);
    return word->len;
}

/* A pattern, its letters in lower case: 0 unless it is one with a letter at least. Its word has the name of the pattern. */
static int make_pattern(input *in, px_counter *cutter, const char *part, size_t len, planned_pattern *pattern) {
    int first = part[0] == '*', last = part[len - 1] == '*', glob = 0;
    for (size_t i = 0; i < len; i++) glob |= part[i] == '?' || (part[i] == '*' && i && i + 1 < len);
    memset(pattern, 0, sizeof *pattern);
    if (len <= (size_t)first + (size_t)last) return 0;
    if (glob) {
        for (size_t i = 0; i < len; i++) {
            unsigned char byte = (unsigned char)part[i];
            if (byte >= 'A' && byte <= 'Z') byte |= 0x20;
            if (byte != '*' && byte != '?' && byte < 128 && (unsigned)(byte - 'a') > 25) return 0;
            pattern->letters[pattern->len++] = (char)byte;
        }
        pattern->kind = PX_GLOB;
    } else {
        pattern->len = one_token(cutter, part + first, len - (size_t)first - (size_t)last, pattern->letters);
        pattern->kind = first && last ? PX_WITHIN : first ? PX_SUFFIX : PX_PREFIX;
    }
    if (!pattern->len) return 0;
    char name[LONGEST + 16];
    uint32_t size = 0;
    if (!glob && first) name[size++] = '*';
    memcpy(name + size, pattern->letters, pattern->len); size += pattern->len;
    if (!glob && last) name[size++] = '*';
    pattern->word = add_word(in, name, size, 0, NEITHER);
    return pattern->word != PX_NONE;
}

static int has_sign(const char *part, size_t len) { return memchr(part, '*', len) || memchr(part, '?', len); }

/* ---- entries ---- */

static void add_phrase(input *in, px_counter *cutter, const char *line, size_t len, int64_t list) {
    planned_phrase phrase = {.n = 0};
    char name[MOST_PARTS * (LONGEST + 4)], token[LONGEST + 16];
    uint32_t used = 0;
    for (size_t at = 0; at < len;) {
        const char *blank = (const char *)memchr(line + at, ' ', len - at);
        size_t part = blank ? (size_t)(blank - line) - at : len - at;
        uint32_t id = PX_NONE, size = 0;
        if (!part || phrase.n == MOST_PARTS) return;
        planned_pattern *class = &in->class[in->classes];
        if (has_sign(line + at, part)) {
            if (in->classes == MOST_ENTRIES || !make_pattern(in, cutter, line + at, part, class)) return;
            id = class->word;
            in->classes++;
        } else if ((size = one_token(cutter, line + at, part, token)) != 0) id = add_word(in, token, size, 1, NEITHER);
        if (id == PX_NONE) return;
        phrase.path[phrase.n++] = id;
        if (used) name[used++] = ' ';
        memcpy(name + used, in->word[id].letters, in->word[id].len);
        used += in->word[id].len;
        at += part + 1;
    }
    if (phrase.n < 2) return;
    phrase.word = add_word(in, name, used, 0, list);
    if (phrase.word != PX_NONE) in->phrase[in->phrases++] = phrase;
}

/* A string that is found as it is: it has an ASCII sign, so that no token is equal to it. */
static void add_literal(input *in, const char *line, size_t len, int64_t list) {
    char letters[LONGEST];
    int sign = 0;
    for (size_t i = 0; i < len; i++) {
        unsigned char byte = px_lowered((unsigned char)line[i]);
        if (byte <= ' ') return;
        sign |= byte < 128 && (unsigned)(byte - 'a') > 25 && byte != '\'';
        letters[i] = (char)byte;
    }
    if (!sign || find_word(in, letters, (uint32_t)len) != PX_NONE) return;
    uint32_t id = add_word(in, letters, (uint32_t)len, 0, list);
    if (id != PX_NONE) in->literal[in->literals++] = id;
}

static void add_entry(input *in, px_counter *cutter, const char *line, size_t len) {
    char token[LONGEST + 16], sign = line[0];
    int64_t list = (unsigned char)sign % in->lists;
    line++; len--;
    if (!len || len > LONGEST) return;
    if (sign == '=') { add_literal(in, line, len, (unsigned char)line[0] % in->lists); return; }
    if (memchr(line, ' ', len)) { add_phrase(in, cutter, line, len, list); return; }
    if (sign != '!' && sign != '#' && has_sign(line, len)) {
        planned_pattern *wildcard = &in->wildcard[in->wildcards];
        if (!make_pattern(in, cutter, line, len, wildcard)) return;
        if (in->word[wildcard->word].entry) return;
        in->word[wildcard->word].entry = 2;
        in->word[wildcard->word].list = list;
        in->wildcards++;
        return;
    }
    uint32_t size = one_token(cutter, line, len, token);
    uint32_t id = size ? add_word(in, token, size, 1, sign == '!' || sign == '#' ? NEITHER : list) : PX_NONE;
    if (id == PX_NONE) return;
    if (sign == '!') in->negator[in->negators++] = id;
    if (sign == '#') in->end[in->ends++] = id;
}

/* ---- the whole ---- */

/* Exactly as many bytes as a text has, so that a sanitizer sees each that is read behind it. */
static void add_text(input *in, const uint8_t *data, size_t size) {
    if (in->texts == MOST_TEXTS) return;
    unsigned char *text = (unsigned char *)malloc(size ? size : 1);
    REQUIRE(text);
    memcpy(text, data, size);
    in->text[in->texts] = text;
    in->size[in->texts++] = size;
}

static void start_counter(px_counter *c, const input *in) {
    REQUIRE(!px_init(c, in->lists, in->joins, in->small ? 64 : 1024, in->small ? 16 : 128));
    c->load = load_characters;
    c->plan.characters = known_characters[in->folds];
    c->plan.folds = in->folds;
}

static int by_letters(const void *a, const void *b) {
    const planned_pattern *x = (const planned_pattern *)a, *y = (const planned_pattern *)b;
    return x->len != y->len ? (x->len > y->len ? -1 : 1) : memcmp(x->letters, y->letters, x->len);
}

/* The same pattern once, those with the most letters first. */
static size_t sort_patterns(planned_pattern *pattern, size_t n) {
    size_t kept = 0;
    qsort(pattern, n, sizeof *pattern, by_letters);
    for (size_t i = 0; i < n; i++) {
        int twice = 0;
        for (size_t k = 0; k < kept; k++) twice |= pattern[k].word == pattern[i].word;
        if (!twice) pattern[kept++] = pattern[i];
    }
    return kept;
}

static void make_input(input *in, const uint8_t *data, size_t size) {
    memset(in, 0, offsetof(input, word));
    in->words = 0; in->phrases = in->wildcards = in->classes = in->literals = in->negators = in->ends = in->texts = 0;
    uint8_t options = size > 0 ? data[0] : 0, more = size > 1 ? data[1] : 0;
    in->folds = options & 1; in->joins = !(options & 2); in->small = !(options & 4);
    in->associations = !(options & 8); in->often = !(options & 16); in->forms = !(options & 32);
    in->lists = 1 + (more & 3); in->scope = more >> 2 & 7;
    px_counter cutter;
    start_counter(&cutter, in);
    cutter.plan.want_ids = 1;
    size_t at = size < 2 ? size : 2, entries = 0;
    while (at < size) {
        const uint8_t *end = (const uint8_t *)memchr(data + at, '\n', size - at);
        size_t len = end ? (size_t)(end - data) - at : size - at;
        if (len && entries++ < MOST_ENTRIES) add_entry(in, &cutter, (const char *)data + at, len);
        at += len + 1;
        if (!len) break;
    }
    px_free(&cutter);
    in->wildcards = sort_patterns(in->wildcard, in->wildcards);
    in->classes = sort_patterns(in->class, in->classes);
    while (at < size) {
        const uint8_t *end = (const uint8_t *)memchr(data + at, 0, size - at);
        size_t len = end ? (size_t)(end - data) - at : size - at;
        add_text(in, data + at, len);
        at += len + 1;
    }
}

static void free_input(input *in) { for (size_t i = 0; i < in->texts; i++) free(in->text[i]); }

#endif
