/* From single tokens to items: phrases (the longest wins) and negation. */
#ifndef PROBLEX_MATCHING_H
#define PROBLEX_MATCHING_H

#include "counter.h"

/* The key of the step from a node of the trie by a word; 0 is an empty slot. */
static inline uint64_t px_trie_key(uint32_t node, uint32_t id) { return ((uint64_t)node << 32 | id) + 1; }

static uint32_t px_step_on(const px_phrases *phrases, uint32_t node, uint32_t id) {
    uint64_t key = px_trie_key(node, id), at = px_mix(key, 7) & phrases->mask;
    while (phrases->step[at].key) {
        if (phrases->step[at].key == key) return (uint32_t)phrases->step[at].value;
        at = (at + 1) & phrases->mask;
    }
    return PX_NONE;
}

/* One word further in the trie: as itself, else as the pattern that it matches. */
static inline uint32_t px_step(const px_counter *c, uint32_t node, uint32_t id) {
    uint32_t next = px_step_on(&c->phrases, node, id);
    if (next != PX_NONE || !(c->words.word[id].flags & PX_CLASSED)) return next;
    return px_step_on(&c->phrases, node, c->phrases.class_of[id]);
}

/* Count a word or phrase; inside the scope of a negation an item becomes its opposite. */
static void px_count_match(px_counter *c, uint32_t id, int ended, int ended_inside) {
    uint8_t flags = id == PX_NONE ? 0 : c->words.word[id].flags;
    if (ended || (flags & PX_ENDS)) c->doc.scope_left = 0;
    if (c->doc.scope_left) {
        c->doc.scope_left = ended_inside ? 0 : c->doc.scope_left - 1;
        const px_word *word = id == PX_NONE ? NULL : &c->words.word[id];
        if (word && (c->plan.closed ? word->negated != PX_NONE : word->item >= 0)) {
            id = px_negated(c, id);
            if (c->failed) return;
        }
    }
    if (flags & PX_NEGATES) c->doc.scope_left = c->plan.scope;
    px_count(c, id);
}

/* Match the words that wait from the left, the longest phrase first. Unless the document ends here, words that the next
 * one could still make a phrase, or a longer one, keep waiting. */
static void px_match(px_counter *c, int final) {
    size_t at = 0, n = c->doc.in_waiting;
    if (px_reserve_tokens(c, 1)) return;
    while (at < n && !c->failed) {
        uint32_t id = c->doc.waiting[at].id, best = PX_NONE, node = 0;
        size_t next = at + 1, end = at;
        if (id != PX_NONE && c->words.word[id].flags & PX_STARTS) {
            for (; end < n && node != PX_NONE; end++) {
                node = c->doc.waiting[end].id == PX_NONE ? PX_NONE : px_step(c, node, c->doc.waiting[end].id);
                uint32_t phrase = node == PX_NONE ? PX_NONE : c->phrases.word[node];
                if (phrase != PX_NONE) { best = phrase; next = end + 1; }
            }
            if (node != PX_NONE && !final) break;
        }
        int ended_inside = 0;
        for (size_t i = at + 1; i < next; i++) ended_inside |= (int)c->doc.waiting[i].ended;
        px_count_match(c, best != PX_NONE ? best : id, (int)c->doc.waiting[at].ended, ended_inside);
        at = next;
    }
    memmove(c->doc.waiting, c->doc.waiting + at, (n - at) * sizeof *c->doc.waiting);
    c->doc.in_waiting = n - at;
}

/* The next token. Words wait only from one that may start a phrase until it is clear which phrase it is. */
static inline void px_take(px_counter *c, uint32_t id) {
    int ended = c->doc.ended;
    c->doc.ended = 0;
    if (!c->doc.in_waiting && (id == PX_NONE || !(c->words.word[id].flags & PX_STARTS))) {
        px_count_match(c, id, ended, 0);
        return;
    }
    if (PX_RESERVE(c->doc.waiting, c->doc.waiting_capacity, c->doc.in_waiting + 1)) { px_fail(c); return; }
    px_waiting waiting = {id, (uint32_t)ended};
    c->doc.waiting[c->doc.in_waiting++] = waiting;
    if (c->doc.in_waiting > 1) px_match(c, 0);
}

/* Whether words that are not known may match a pattern. */
static inline int px_has_patterns(const px_counter *c) { return c->plan.classes.size || c->plan.wildcards.size; }

/* Whether something waits or is in scope, so that the next token is not a plain one. */
static inline int px_pending(const px_counter *c) { return (c->doc.in_waiting != 0) | (c->doc.scope_left != 0); }

/* ---- chunks with bytes above 127 ---- */

/* Decode a chunk; how many code points, or -1 if one of them is hard or the bytes are not UTF-8. */
static int64_t px_decode(px_counter *c, const unsigned char *p, size_t len) {
    if (PX_RESERVE(c->doc.points, c->doc.point_capacity, len + 1)) return px_fail(c);
    if (PX_RESERVE(c->doc.scratch, c->doc.scratch_capacity, 3 * len + PX_SLACK)) return px_fail(c);
    size_t at = 0;
    int64_t n = 0;
    while (at < len) {
        uint32_t point = p[at];
        size_t more = point < 0x80 ? 0 : point < 0xE0 ? 1 : 2;
        if ((point >= 0x80 && point < 0xC2) || point >= 0xF0 || at + more >= len) return -1;
        if (more && (p[at + 1] & 0xC0) != 0x80) return -1;
        if (more == 1) point = (point & 0x1F) << 6 | (p[at + 1] & 0x3F);
        else if (more == 2) {
            point = (point & 0x0F) << 12 | (uint32_t)(p[at + 1] & 0x3F) << 6 | (p[at + 2] & 0x3F);
            if ((p[at + 2] & 0xC0) != 0x80 || point < 0x800) return -1;
        }
        if (point >= c->plan.known || c->plan.lower[point] == PX_HARD) return -1;
        c->doc.points[n++] = c->plan.lower[point];
        at += more + 1;
    }
    return n;
}

static char *px_encode(char *to, uint32_t point) {
    if (point < 0x80) *to++ = (char)point;
    else if (point < 0x800) { *to++ = (char)(0xC0 | point >> 6); *to++ = (char)(0x80 | (point & 0x3F)); }
    else {
        *to++ = (char)(0xE0 | point >> 12);
        *to++ = (char)(0x80 | (point >> 6 & 0x3F));
        *to++ = (char)(0x80 | (point & 0x3F));
    }
    return to;
}

/* The tokens of decoded characters: letters, and apostrophes between two of them. */
static void px_take_points(px_counter *c, int64_t n) {
    int64_t i = 0;
    if (px_reserve_tokens(c, (size_t)n + 1)) return;
    while (i < n && !c->failed) {
        if (c->doc.points[i] <= PX_CLAUSE) { c->doc.ended |= c->doc.points[i++] == PX_CLAUSE; continue; }
        char *to = c->doc.scratch;
        for (;;) {
            while (i < n && c->doc.points[i] > PX_CLAUSE) to = px_encode(to, c->doc.points[i++]);
            if (!c->plan.joins || i + 1 >= n) break;
            if (c->doc.points[i] != PX_APOSTROPHE || c->doc.points[i + 1] <= PX_CLAUSE) break;
            *to++ = '\'';
            i++;
        }
        px_take(c, px_word_of(c, c->doc.scratch, (uint32_t)(to - c->doc.scratch)));
    }
}

static void px_take_chunk(px_counter *c, const px_token *token) {
    int64_t n = px_decode(c, (const unsigned char *)token->at, token->len);
    if (n >= 0) { px_take_points(c, n); return; }
    if (c->failed) return;
    uint32_t memo = px_find(&c->memo.chunks, token);
    if (memo == PX_NONE) {
        if (c->resolve(c, token->at, token->len)) { px_fail(c); return; }
        memo = c->memo.chunks.size - 1;
    }
    if (px_reserve_tokens(c, c->memo.count[memo] + 1)) return;
    for (uint32_t i = 0; i < c->memo.count[memo] && !c->failed; i++) {
        uint32_t id = c->memo.id[c->memo.first[memo] + i];
        if (id == PX_CLAUSE_END) c->doc.ended = 1;
        else px_take(c, id);
    }
}

/* Add a token of the chunk that is being split to the memo; the end of a clause is empty. */
static int px_remember_token(px_counter *c, const char *p, uint32_t len) {
    uint32_t id = len ? px_word_of(c, p, len) : PX_CLAUSE_END;
    if (c->failed || PX_RESERVE(c->memo.id, c->memo.id_capacity, c->memo.used + 1)) return px_fail(c);
    c->memo.id[c->memo.used++] = id;
    return 0;
}

/* Add a chunk to the memo, whose tokens are those from `first` on. */
static int px_remember(px_counter *c, const char *p, uint32_t len, uint64_t first) {
    px_token token;
    px_hash_exactly(&token, p, len);
    uint32_t memo = px_add(&c->memo.chunks, &token);
    if (memo == PX_NONE) return -1;
    if (PX_RESERVE_BOTH(c->memo.first, c->memo.count, c->memo.capacity, c->memo.chunks.size)) return -1;
    c->memo.first[memo] = first;
    c->memo.count[memo] = (uint32_t)(c->memo.used - first);
    return 0;
}

static int px_clear_memo(px_counter *c) {
    px_words_free(&c->memo.chunks);
    c->memo.used = 0;
    return px_words_init(&c->memo.chunks, 1024) ? px_fail(c) : 0;
}

#endif
