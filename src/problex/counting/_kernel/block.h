/* Tokens of a block to words. Time goes into waiting for memory, so a block goes through three steps: hash and prefetch
 * the slot (cutting.h); find the word and prefetch it; update it. */
#ifndef PROBLEX_BLOCK_H
#define PROBLEX_BLOCK_H

#include "letters.h"

/* Whether a phrase that starts with a word may continue with the next chunk; `next` is the word it probably is. */
static int px_may_continue(const px_counter *c, uint32_t id, uint32_t next, const px_chunk *chunk) {
    if (c->plan.classes.size || chunk->len >= 16) return 1;
    if (next == PX_NONE) return 0;
    const px_word *word = &c->words.word[next];
    if (word->first != chunk->first || word->second != chunk->second) return 1;
    return word->flags & PX_FOLLOWS && px_step(c, px_step(c, 0, id), next) != PX_NONE;
}

/* Whether a word that negates or may start a phrase is a single token here. The next chunk does not matter for a
 * negator, unless it may start a phrase; inside the scope of another negator px_take_slowly decides. */
static int px_is_single(const px_counter *c, uint32_t id, const px_chunk *next, uint32_t next_id, int pending) {
    uint8_t flags = c->words.word[id].flags;
    if (flags & PX_NEGATES) return !pending && !(flags & PX_STARTS);
    return next && !px_may_continue(c, id, next_id, next);
}

/* Mix the words of chunks into the key of the document, up to the first that may be several words. */
static void px_mix_chunks(px_counter *c, const px_chunk *chunk, const px_chunk *end) {
    for (; chunk < end && chunk->len < PX_HIGH; chunk++) c->doc.key = px_mix_word(c->doc.key, chunk->hash);
}

/* The same with a chunk that is a word as it is written, and those behind it. */
static void px_mix_written(px_counter *c, const px_chunk *chunk, const px_chunk *end) {
    c->doc.key = px_mix_word(c->doc.key, chunk->second);
    px_mix_chunks(c, chunk + 1, end);
}

/* A token that is not plain: new, long, beyond ASCII, a negator, part of a phrase. Its block goes up to `end`. */
static void px_take_slowly(px_counter *c, const px_chunk *chunk, const px_chunk *end, size_t last_end) {
    px_token token;
    if (px_pending(c) && px_clause_between(c, last_end, chunk->start)) c->doc.ended = 1;
    if (chunk->len & PX_HIGH) {
        px_take_high(c, chunk);
        px_mix_chunks(c, chunk + 1, end);
        return;
    }
    px_hash(&token, c->doc.low + chunk->start, chunk->len);
    px_take(c, px_word_id(c, &token));
}

/* Whether a token of sixteen bytes or more, or with PX_HIGH, is a word. */
static int px_same_bytes(const px_counter *c, const px_word *word, const px_chunk *chunk) {
    if (chunk->len & PX_HIGH && !(chunk->second && word->flags & PX_AS_WRITTEN)) return 0;
    return chunk->len >= 16 && word->len == (chunk->len & PX_LENGTH) &&
           memcmp(c->words.arena + word->offset, c->doc.low + chunk->start, word->len) == 0;
}

/* The hash by which the word of a token is found: `hash` of one with PX_HIGH has zeros for the bits by which phrases
 * are continued, for it may be any word. */
static inline uint64_t px_hash_of(const px_chunk *chunk) { return chunk->len & PX_HIGH ? chunk->second : chunk->hash; }

/* The hot loop. Fields of the counter are kept in local variables, because the compiler must assume that writing
 * through a pointer changes them; rare cases store them, do their work, and load them again. */
PX_INLINE void px_flush_as(px_counter *c, int closed, int want_distinct, int want_ids) {
    uint32_t ids[PX_BLOCK + 1];
    const px_chunk *block = c->doc.block;
    int n = c->doc.in_block, pending = px_pending(c);
    c->doc.in_block = 0;
    if (!n || c->failed || px_reserve_tokens(c, PX_BLOCK)) return;
    c->doc.block[n].hash = 0;  /* behind the last is one that may be any word */
    if (c->doc.any_high) { c->doc.key = c->doc.plain_key; c->doc.any_high = 0; }
    ids[n] = PX_NONE;
    {
        const px_slot *slots = c->words.slots;
        uint64_t mask = c->words.mask;
        const px_word *words = c->words.word;
        for (int i = 0; i < n; i++) {
            uint64_t hash = block[i].hash, at = hash & mask;
            px_slot slot = slots[at];
            uint32_t id = px_slot_id(slot);
            if (!PX_LIKELY(slot >> PX_ID_BITS == px_tag(hash)))
                id = px_candidate(&c->words, px_hash_of(&block[i]), &at);
            ids[i] = id;
            PX_PREFETCH(&words[id == PX_NONE ? 0 : id]);
        }
    }
    for (int i = 0; i < n;) {
        px_word *words = c->words.word;
        uint32_t *distinct = c->doc.distinct + c->doc.in_distinct, *lexical = c->doc.lexical + c->doc.in_lexical;
        int32_t *order = want_ids ? c->rows.id + c->rows.ids : NULL;
        const uint64_t stamp = c->doc.stamp;
        int first = i, common = 1;
        for (; i < n; i++) {  /* tokens that are one word each, known, and not part of a phrase */
            const px_chunk *chunk = &block[i];
            uint32_t id = ids[i];
            if (!PX_LIKELY(!pending) && c->doc.in_waiting) { common = 0; break; }
            if (id == PX_NONE) {
                if (!(closed && chunk->len < PX_HIGH && !px_has_patterns(c) && !pending)) { common = 0; break; }
                if (want_ids) *order++ = -1;
                continue;
            }
            px_word *word = &words[id];
            if (!PX_LIKELY(((word->first ^ chunk->first) | (word->second ^ chunk->second)) == 0) &&
                !px_same_bytes(c, word, chunk)) { common = 0; break; }
            int negates = 0;
            if (!PX_LIKELY(!(word->followers >> px_follower_bit(chunk[1].hash) & 1))) {
                negates = word->flags & PX_NEGATES;
                if (!px_is_single(c, id, i + 1 < n ? chunk + 1 : NULL, ids[i + 1], pending)) { common = 0; break; }
            }
            if (!PX_LIKELY(!negates)) { c->doc.scope_left = c->plan.scope; c->doc.ended = 0; pending = 1; }
            else if (!PX_LIKELY(!pending)) {  /* in the scope of a negation */
                size_t last_end = i ? px_end_of(chunk - 1) : c->doc.last_end;
                int ended = word->flags & PX_ENDS || c->doc.ended || px_clause_between(c, last_end, chunk->start);
                if (ended) c->doc.scope_left = 0;
                else {
                    c->doc.scope_left--;
                    if (closed ? word->negated != PX_NONE : word->item >= 0) {
                        if (word->negated == PX_NONE) { c->doc.scope_left++; common = 0; break; }  /* not made yet */
                        id = word->negated;
                        word = &words[id];
                    }
                }
                c->doc.ended = 0;
                pending = c->doc.scope_left != 0;
            }
            if (!PX_LIKELY(chunk->len < PX_HIGH)) px_mix_written(c, chunk, block + n);
            uint32_t item = (uint32_t)~word->item >> 31;
            if (want_ids) *order++ = !closed ? (int32_t)id : word->item < 0 ? -1 : word->item;
            if (closed) {
                *distinct = id; distinct += px_occur(word, stamp) & item;
                continue;
            }
            uint32_t fresh = px_occur(word, stamp);
            if (want_distinct) { *distinct = id; distinct += fresh; }
            *lexical = id; lexical += fresh & item;
        }
        c->doc.length += i - first;
        c->doc.in_distinct = (size_t)(distinct - c->doc.distinct);
        c->doc.in_lexical = (size_t)(lexical - c->doc.lexical);
        if (want_ids) c->rows.ids = (size_t)(order - c->rows.id);
        if (common) break;
        px_take_slowly(c, &block[i], block + n, i ? px_end_of(&block[i - 1]) : c->doc.last_end);
        i++;
        pending = px_pending(c);
        if (c->failed || px_reserve_tokens(c, PX_BLOCK)) return;
    }
    c->doc.last_end = px_end_of(&block[n - 1]);
}

/* The next chunk of a block while a word waits or is in scope. `id` is the word it probably is, or PX_NONE. */
static void px_known_in_scope(px_counter *c, const px_chunk *chunk, const px_chunk *end, uint32_t id, size_t last_end) {
    const px_word *word = id == PX_NONE ? NULL : &c->words.word[id];
    int plain = !c->doc.in_waiting && chunk->len < 16;
    if (plain && word)
        plain = word->first == chunk->first && word->second == chunk->second &&
                !(word->flags & (PX_NEGATES | PX_STARTS));
    if (!plain) { px_take_slowly(c, chunk, end, last_end); return; }
    if (c->doc.ended || (word && word->flags & PX_ENDS) || px_clause_between(c, last_end, chunk->start))
        c->doc.scope_left = 0;
    else {
        c->doc.scope_left--;
        if (word && word->negated != PX_NONE) id = word->negated;
    }
    c->doc.ended = 0;
    px_count(c, id);
}

/* The same as px_flush_as for rows over known columns, where most tokens have no column: these are skipped together,
 * without a branch that is hard to predict. */
static void px_flush_known(px_counter *c) {
    uint32_t ids[PX_BLOCK], found[PX_BLOCK];
    const px_chunk *block = c->doc.block;
    const uint64_t stamp = c->doc.stamp;
    int n = c->doc.in_block, k = 0, done = 0, o = 0;
    c->doc.in_block = 0;
    if (!n || c->failed || px_reserve_tokens(c, PX_BLOCK)) return;
    c->doc.block[n].hash = 0;  /* behind the last is one that may be any word */
    if (c->doc.any_high) { c->doc.key = c->doc.plain_key; c->doc.any_high = 0; }
    for (int i = 0; i < n; i++) {
        uint64_t hash = block[i].hash, at = hash & c->words.mask;
        px_slot slot = c->words.slots[at];
        uint32_t id = px_slot_id(slot);
        if (!PX_LIKELY(!slot || slot >> PX_ID_BITS == px_tag(hash)))
            id = px_candidate(&c->words, px_hash_of(&block[i]), &at);
        ids[k] = id; found[k] = (uint32_t)i;
        k += (id != PX_NONE) | (block[i].len >= PX_HIGH);
    }
    while (done < n && !c->failed) {
        size_t last_end = done ? px_end_of(&block[done - 1]) : c->doc.last_end;
        if (!PX_LIKELY(!px_pending(c))) {
            int candidate = o < k && found[o] == (uint32_t)done;
            px_known_in_scope(c, &block[done], block + n, candidate ? ids[o] : PX_NONE, last_end);
            o += candidate; done++;
            if (px_reserve_tokens(c, PX_BLOCK)) return;
            continue;
        }
        int next = o < k ? (int)found[o] : n;
        c->doc.length += next - done;
        done = next;
        if (next == n) break;
        const px_chunk *chunk = &block[next];
        uint32_t id = ids[o++];
        px_word *word = &c->words.word[id == PX_NONE ? 0 : id];
        int plain = id != PX_NONE && word->first == chunk->first && word->second == chunk->second, negates = 0;
        plain = plain || (id != PX_NONE && px_same_bytes(c, word, chunk));
        if (plain && word->followers >> px_follower_bit(chunk[1].hash) & 1) {
            uint32_t follower = o < k && found[o] == (uint32_t)next + 1 ? ids[o] : PX_NONE;
            negates = word->flags & PX_NEGATES;
            plain = px_is_single(c, id, next + 1 < n ? chunk + 1 : NULL, follower, 0);
        }
        done++;
        if (PX_LIKELY(plain)) {
            c->doc.length++;
            if (chunk->len >= PX_HIGH) px_mix_written(c, chunk, block + n);
            c->doc.distinct[c->doc.in_distinct] = id;
            c->doc.in_distinct += px_occur(word, stamp) & ((uint32_t)~word->item >> 31);
            if (negates) { c->doc.scope_left = c->plan.scope; c->doc.ended = 0; }
        } else {
            px_take_slowly(c, chunk, block + n, next ? px_end_of(&block[next - 1]) : c->doc.last_end);
            if (px_reserve_tokens(c, PX_BLOCK)) return;
        }
    }
    c->doc.last_end = px_end_of(&block[n - 1]);
}

static void px_flush_block(px_counter *c) {
    if (c->plan.want_ids) { if (c->plan.closed) px_flush_as(c, 1, 1, 1); else px_flush_as(c, 0, 1, 1); }
    else if (c->plan.closed && !px_has_patterns(c)) px_flush_known(c);
    else if (c->plan.closed) px_flush_as(c, 1, 1, 0);
    else if (c->plan.want_rows || c->plan.want_associations) px_flush_as(c, 0, 1, 0);
    else px_flush_as(c, 0, 0, 0);
}

#endif
