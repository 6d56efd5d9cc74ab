/* From single tokens to items: phrases (the longest wins) and negation. */
#ifndef PROBLEX_MATCHING_H
#define PROBLEX_MATCHING_H

#include "counter.h"

/* The key of the step from a node of the trie by a word; 0 is an empty slot. */
static inline uint64_t px_trie_key(uint32_t node, uint32_t id) { return ((uint64_t)node << 32 | id) + 1; }

static uint32_t px_step_on(const px_counter *c, uint32_t node, uint32_t id) {
    uint64_t key = px_trie_key(node, id), at = px_mix(key, 7) & c->trie_mask;
    while (c->trie[at].key) {
        if (c->trie[at].key == key) return (uint32_t)c->trie[at].value;
        at = (at + 1) & c->trie_mask;
    }
    return PX_NONE;
}

/* One word further in the trie: as itself, else as the pattern that it matches. */
static inline uint32_t px_step(const px_counter *c, uint32_t node, uint32_t id) {
    uint32_t next = px_step_on(c, node, id);
    if (next != PX_NONE || !(c->words.word[id].flags & PX_CLASSED)) return next;
    return px_step_on(c, node, c->class_of[id]);
}

/* Count a word or phrase; inside the scope of a negation an item becomes its opposite. */
static void px_count_match(px_counter *c, uint32_t id, int broke, int broke_inside) {
    uint8_t flags = id == PX_NONE ? 0 : c->words.word[id].flags;
    if (broke || (flags & PX_ENDS)) c->scope_left = 0;
    if (c->scope_left) {
        c->scope_left = broke_inside ? 0 : c->scope_left - 1;
        const px_word *word = id == PX_NONE ? NULL : &c->words.word[id];
        if (word && (c->closed ? word->negated != PX_NONE : word->item >= 0)) {
            id = px_negated(c, id);
            if (c->failed) return;
        }
    }
    if (flags & PX_NEGATES) c->scope_left = c->scope;
    px_count(c, id);
}

/* Match what waits from the left, the longest phrase first. Unless the document ends here, words that the next one
 * could still make a phrase, or a longer one, go on waiting. */
static void px_match(px_counter *c, int final) {
    size_t at = 0, n = c->in_sequence;
    if (px_document_room(c, 1)) return;
    while (at < n && !c->failed) {
        uint32_t id = c->sequence[at].id, best = PX_NONE, node = 0;
        size_t next = at + 1, end = at;
        if (id != PX_NONE && c->words.word[id].flags & PX_STARTS) {
            for (; end < n && node != PX_NONE; end++) {
                node = c->sequence[end].id == PX_NONE ? PX_NONE : px_step(c, node, c->sequence[end].id);
                if (node != PX_NONE && c->node_word[node] != PX_NONE) { best = c->node_word[node]; next = end + 1; }
            }
            if (node != PX_NONE && !final) break;
        }
        int broke_inside = 0;
        for (size_t i = at + 1; i < next; i++) broke_inside |= (int)c->sequence[i].broke;
        px_count_match(c, best != PX_NONE ? best : id, (int)c->sequence[at].broke, broke_inside);
        at = next;
    }
    memmove(c->sequence, c->sequence + at, (n - at) * sizeof *c->sequence);
    c->in_sequence = n - at;
}

/* The next token. Words wait only from one that may start a phrase until it is clear which phrase it is. */
static inline void px_take(px_counter *c, uint32_t id) {
    int broke = c->broke;
    c->broke = 0;
    if (!c->in_sequence && (id == PX_NONE || !(c->words.word[id].flags & PX_STARTS))) {
        px_count_match(c, id, broke, 0);
        return;
    }
    if (PX_RESERVE(c->sequence, c->sequence_room, c->in_sequence + 1)) { px_fail(c); return; }
    px_waiting waiting = {id, (uint32_t)broke};
    c->sequence[c->in_sequence++] = waiting;
    if (c->in_sequence > 1) px_match(c, 0);
}

/* Whether something waits or is in scope, so that the next token is not a plain one. */
static inline int px_pending(const px_counter *c) { return (c->in_sequence != 0) | (c->scope_left != 0); }

/* ---- chunks with bytes above 127 ---- */

/* Decode a chunk; how many code points, or -1 if one of them is hard or the bytes are not UTF-8. */
static int64_t px_decode(px_counter *c, const unsigned char *p, size_t len) {
    if (len + 1 > c->point_room) {
        size_t room = 2 * len + 256;
        uint32_t *a = (uint32_t *)realloc(c->points, room * 4); if (!a) return px_fail(c); c->points = a;
        char *b = (char *)realloc(c->scratch, 3 * room + PX_SLACK); if (!b) return px_fail(c); c->scratch = b;
        c->point_room = room;
    }
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
        if (point >= c->known || c->lower[point] == PX_HARD) return -1;
        c->points[n++] = c->lower[point];
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

/* The tokens of decoded characters: letters, with apostrophes that stand between two of them. */
static void px_take_points(px_counter *c, int64_t n) {
    int64_t i = 0;
    if (px_document_room(c, (size_t)n + 1)) return;
    while (i < n && !c->failed) {
        if (c->points[i] <= PX_CLAUSE) { c->broke |= c->points[i++] == PX_CLAUSE; continue; }
        char *to = c->scratch;
        for (;;) {
            while (i < n && c->points[i] > PX_CLAUSE) to = px_encode(to, c->points[i++]);
            if (!(c->joins && i + 1 < n && c->points[i] == PX_APOSTROPHE && c->points[i + 1] > PX_CLAUSE)) break;
            *to++ = '\'';
            i++;
        }
        px_take(c, px_word_of(c, c->scratch, (uint32_t)(to - c->scratch)));
    }
}

static void px_take_chunk(px_counter *c, const px_token *token) {
    int64_t n = px_decode(c, (const unsigned char *)token->at, token->len);
    if (n >= 0) { px_take_points(c, n); return; }
    if (c->failed) return;
    uint32_t memo = px_find(&c->memo, token);
    if (memo == PX_NONE) {
        if (c->resolve(c, token->at, token->len)) { px_fail(c); return; }
        memo = c->memo.size - 1;
    }
    if (px_document_room(c, c->memo_n[memo] + 1)) return;
    for (uint32_t i = 0; i < c->memo_n[memo] && !c->failed; i++) {
        uint32_t id = c->memo_ids[c->memo_at[memo] + i];
        if (id == PX_MARK) c->broke = 1;
        else px_take(c, id);
    }
}

/* Add a token of the chunk that is being split to the memo; the end of a clause is empty. */
static int px_remember_token(px_counter *c, const char *p, uint32_t len) {
    uint32_t id = len ? px_word_of(c, p, len) : PX_MARK;
    if (c->failed || PX_RESERVE(c->memo_ids, c->memo_size, c->memo_used + 1)) return px_fail(c);
    c->memo_ids[c->memo_used++] = id;
    return 0;
}

/* Add a chunk to the memo, whose tokens are those from `first` on. */
static int px_remember(px_counter *c, const char *p, uint32_t len, uint64_t first) {
    px_token token;
    px_hash_exactly(&token, p, len);
    uint32_t memo = px_add(&c->memo, &token);
    if (memo == PX_NONE) return -1;
    if (c->memo.size > c->memo_room) {
        uint64_t room = c->memo_room ? c->memo_room * 2 : 1024;
        void *a = realloc(c->memo_at, room * 8); if (!a) return -1; c->memo_at = (uint64_t *)a;
        void *n = realloc(c->memo_n, room * 4); if (!n) return -1; c->memo_n = (uint32_t *)n;
        c->memo_room = room;
    }
    c->memo_at[memo] = first;
    c->memo_n[memo] = (uint32_t)(c->memo_used - first);
    return 0;
}

static int px_forget(px_counter *c) {
    px_words_free(&c->memo);
    c->memo_used = 0;
    return px_words_init(&c->memo, 1024) ? px_fail(c) : 0;
}

#endif
