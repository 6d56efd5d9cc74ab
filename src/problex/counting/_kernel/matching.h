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

#endif
