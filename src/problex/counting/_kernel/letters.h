/* Chunks with bytes above 127: what of them is a token. One that is known to be a token as it is, is looked up like any
 * other; the rest is cut character by character. */
#ifndef PROBLEX_LETTERS_H
#define PROBLEX_LETTERS_H

#include "characters.h"
#include "matching.h"

static inline size_t px_end_of(const px_chunk *chunk) { return (size_t)chunk->start + (chunk->len & PX_LENGTH); }

/* Whether a clause ends between two places of the text: the end of a token, or inside it if the token has become
 * shorter, and the start of the next. */
static int px_clause_between(px_counter *c, size_t from, size_t to) {
    for (uint32_t len; from < to; from += len)
        if (px_value(c, px_decode(c->doc.text + from, to - from, &len)) == PX_CLAUSE) return 1;
    return 0;
}

/* The value of a character of two or three bytes that becomes as many in lower case, as nearly all do, or an ASCII
 * letter: these bytes are in *code, and how many of them in *size; else 0. `refused` has the flags that a character may
 * not have. Reads three bytes. */
PX_INLINE uint32_t px_simple_character(const px_counter *c, const unsigned char *p, uint32_t refused, uint32_t *code,
                                       uint32_t *len, uint32_t *size) {
    uint16_t two;
    memcpy(&two, p, 2);
    if ((two & 0xC0E0) == 0x80C0 && two & 0x1E) {  /* otherwise it would be ASCII */
        uint32_t value = c->plan.characters[(two & 0x1Fu) << 6 | (two >> 8 & 0x3F)];
        uint32_t point = value & (refused | PX_POINT);
        *len = 2;
        *size = 2;
        *code = 0x80C0 | point >> 6 | (point & 0x3F) << 8;
        if (point < 0x80) { *code = point; *size = 1; }
        return point - 4 < 0x7FC ? value : 0;
    }
    if ((two & 0xC0F0) == 0x80E0 && (p[2] & 0xC0) == 0x80) {
        uint32_t value = c->plan.characters[(two & 0x0Fu) << 12 | (two >> 2 & 0xFC0) | (p[2] & 0x3F)];
        uint32_t point = value & (refused | PX_POINT);
        *len = *size = 3;
        *code = 0x8080E0 | point >> 12 | (point << 2 & 0x3F00) | (point & 0x3F) << 16;
        return point - 0x800 < 0xF800 ? value : 0;
    }
    return 0;
}

/* The next token of some bytes of the text: a letter, and the letters, marks, and apostrophes before a letter, that
 * follow. It is written in lower case, which never takes more bytes, except where that depends on more than one
 * character at a time: then its length has PX_HIGH, and px_slow_token writes it. 0 if there is none. */
PX_INLINE uint32_t px_next_token(px_counter *c, size_t *from, size_t *next, size_t end, char *low) {
    const unsigned char *const text = c->doc.text;
    for (size_t at = *next; at < end;) {
        uint32_t value, len = 1, code, size, slow = 0, last = 0;
        uint32_t refused = PX_SLOW | PX_MARK;  /* it begins with a letter */
        size_t start = at;
        char *to = low + at;
        while (at < end) {
            if ((text[at] & 0xDFu) - 'A' < 26) {
                do *to++ = (char)(text[at++] | 0x20); while (at < end && (text[at] & 0xDFu) - 'A' < 26);
                last = 0;
                refused = PX_SLOW;
                continue;
            }
            if (end - at >= 3 &&
                PX_LIKELY((value = px_simple_character(c, text + at, refused, &code, &len, &size)) != 0)) {
                memcpy(to, &code, 2);  /* the next character is written over bytes too many */
                to[2] = (char)(code >> 16);
                to += size;
            } else {
                value = px_value(c, px_decode(text + at, end - at, &len));
                if (value == PX_APOSTROPHE && at > start && c->plan.joins && at + len < end) {
                    uint32_t more, after = px_value(c, px_decode(text + at + len, end - at - len, &more));
                    if (!px_is_letter(after)) break;
                    if (!(slow & PX_SLOW)) *to++ = '\'';
                    at += len; last = 0;
                    continue;
                }
                if (value <= PX_CLAUSE || (refused & PX_MARK && value & PX_MARK)) break;
                slow |= value;
                if (!(slow & PX_SLOW) && value & PX_POINT) to = px_encode(to, value & PX_POINT);
            }
            uint32_t class = px_class(value);
            slow |= (uint32_t)((class != 0) & (class < last)) << 22;  /* marks out of order */
            last = class;
            refused = PX_SLOW;
            at += len;
        }
        if (at == start) { at += len; continue; }
        *from = start; *next = at;
        return slow & PX_SLOW ? (uint32_t)(at - start) | PX_HIGH : (uint32_t)((size_t)(to - low) - start);
    }
    return 0;
}

#define PX_CLOSED_WORDS (1u << 16)  /* so many tokens without a column are known to a closed counter */

/* The word of a token whose bytes the text has as they are; remembered, so that the next time these are not cut. */
static uint32_t px_word_as_written(px_counter *c, const px_token *token) {
    uint32_t id = px_word_id(c, token);
    if (id == PX_NONE && !c->failed && c->words.size < c->plan.reserved + PX_CLOSED_WORDS)
        id = px_new_word(c, token, 1);
    if (id != PX_NONE) c->words.word[id].flags |= PX_AS_WRITTEN;
    return id;
}

/* The tokens of bytes of the text of which some are above 127. They are written to memory of their own: in `low` is
 * what is compared with words. */
static void px_take_high(px_counter *c, const px_chunk *chunk) {
    size_t start = chunk->start, end = start + (chunk->len & PX_LENGTH), at = start, from = start, before = start;
    if (PX_RESERVE(c->doc.cut, c->doc.cut_capacity, end - start + PX_SLACK)) { px_fail(c); return; }
    char *low = c->doc.cut - start;
    while (!c->failed) {
        px_token token;
        uint32_t len = px_next_token(c, &from, &at, end, low);
        if (!len || px_reserve_tokens(c, 2)) return;
        if (from > before && px_pending(c) && px_clause_between(c, before, from)) c->doc.ended = 1;
        const char *letters = low + from;
        int whole = chunk->second && from == start && at == end;
        if (len & PX_HIGH) {
            for (size_t i = from; i < at; i++) whole &= c->doc.text[i] > 127;  /* else case may matter */
            letters = px_slow_token(c, c->doc.text + from, at - from, &len);
        }
        if (!letters) return;
        px_hash(&token, letters, len);
        c->doc.key = px_mix_word(c->doc.key, token.hash);
        if (whole && len == end - start && memcmp(letters, c->doc.low + start, len) == 0)
            px_take(c, px_word_as_written(c, &token));
        else px_take(c, px_word_id(c, &token));
        before = at;
    }
}

#endif
