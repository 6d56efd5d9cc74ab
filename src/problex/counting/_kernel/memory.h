/* Memory: arrays that grow, and large blocks that are used again. */
#ifndef PROBLEX_MEMORY_H
#define PROBLEX_MEMORY_H

#include "platform.h"
#if defined(__linux__)
#include <sys/mman.h>
#endif

/* Make an array large enough for n elements; 0 when it is. `array` is the address of a pointer of any type, which C
 * allows to be read and written as bytes only. */
static int px_reserve(void *array, size_t *capacity, size_t n, size_t size) {
    if (n <= *capacity) return 0;
    size_t larger = n < 128 ? 256 : n + n / 2;
    void *grown;
    memcpy(&grown, array, sizeof grown);
    grown = realloc(grown, larger * size);
    if (!grown) return -1;
    memcpy(array, &grown, sizeof grown);
    *capacity = larger;
    return 0;
}

/* The same for two arrays that are always of the same length. */
static int px_reserve_both(void *a, size_t size_a, void *b, size_t size_b, size_t *capacity, size_t n) {
    size_t before = *capacity;
    return px_reserve(a, &before, n, size_a) || px_reserve(b, capacity, n, size_b) ? -1 : 0;
}

#define PX_RESERVE(array, capacity, n) px_reserve(&(array), &(capacity), (n), sizeof *(array))
#define PX_RESERVE_BOTH(a, b, capacity, n) px_reserve_both(&(a), sizeof *(a), &(b), sizeof *(b), &(capacity), (n))

/* Large blocks begin with a head. Some that were freed are kept for the next request: the system clears a page before
 * it gives it out, which with two threads took a fifth of the time of counting. */
#define PX_HEAD 64                      /* bytes before the block, so that it begins on a cache line */
#define PX_HUGE ((size_t)1 << 21)       /* the size of a large page */
#define PX_KEPT 64                      /* how many blocks are kept at most, */
#define PX_KEPT_BYTES ((size_t)64 << 20)  /* and how many bytes in all */

/* How many bytes there are from the head on, and what malloc returned: the head is aligned, which malloc's memory need
 * not be, and there is no aligned allocation that all systems have. */
typedef struct { size_t bytes; void *start; } px_head;
_Static_assert(sizeof(px_head) <= PX_HEAD, "the head is before the block");

/* A thread that finds the store locked does without it: nobody waits. In a process forked while it was locked it stays
 * locked, which only costs time. */
static struct { px_lock lock; size_t bytes; px_head *block[PX_KEPT]; } px_kept = {PX_UNLOCKED, 0, {NULL}};

/* The smallest block in the store of at least so many bytes, unless most of it would be unused; else NULL. */
static px_head *px_from_store(size_t bytes) {
    px_head *head = NULL;
    if (bytes < PX_HUGE / 2 || !px_try_lock(&px_kept.lock)) return NULL;
    int best = -1;
    for (int i = 0; i < PX_KEPT; i++) {
        if (!px_kept.block[i]) continue;
        size_t size = px_kept.block[i]->bytes;
        if (size < bytes || size > 2 * bytes + PX_HUGE) continue;
        if (best < 0 || size < px_kept.block[best]->bytes) best = i;
    }
    if (best >= 0) {
        head = px_kept.block[best];
        px_kept.block[best] = NULL;
        px_kept.bytes -= head->bytes;
    }
    px_unlock(&px_kept.lock);
    return head;
}

/* Keep a block, unless it is small or the store is full; whether it was kept. */
static int px_to_store(px_head *head) {
    size_t bytes = head->bytes;
    int stored = 0;
    if (bytes < PX_HUGE / 2 || bytes > PX_KEPT_BYTES / 4 || !px_try_lock(&px_kept.lock)) return 0;
    for (int i = 0; i < PX_KEPT && !stored && px_kept.bytes + bytes <= PX_KEPT_BYTES; i++) {
        if (px_kept.block[i]) continue;
        px_kept.block[i] = head;
        px_kept.bytes += bytes;
        stored = 1;
    }
    px_unlock(&px_kept.lock);
    return stored;
}

/* Memory for a large table, not cleared, on large pages where the system has them: looking up pages costs more than
 * looking up words. */
static void *px_large(size_t bytes) {
    if (bytes > SIZE_MAX - PX_HEAD - 2 * PX_HUGE) return NULL;
    bytes += PX_HEAD;
    px_head *head = px_from_store(bytes);
    if (!head) {
        size_t alignment = PX_HEAD;
#ifdef MADV_HUGEPAGE
        if (bytes >= PX_HUGE) alignment = PX_HUGE;
#endif
        char *start = (char *)malloc(bytes + alignment);
        if (!start) return NULL;
        head = (px_head *)(void *)(start + (alignment - (uintptr_t)start % alignment) % alignment);
#ifdef MADV_HUGEPAGE
        if (bytes >= PX_HUGE) madvise(head, bytes, MADV_HUGEPAGE);
#endif
        head->bytes = bytes;
        head->start = start;
    }
    return (char *)head + PX_HEAD;
}

static void px_large_free(void *large) {
    if (!large) return;
    px_head *head = (px_head *)(void *)((char *)large - PX_HEAD);
    if (!px_to_store(head)) free(head->start);
}

/* Free the blocks in the store; how many bytes they had. */
static size_t px_empty_store(void) {
    if (!px_try_lock(&px_kept.lock)) return 0;
    size_t bytes = px_kept.bytes;
    for (int i = 0; i < PX_KEPT; i++) {
        if (px_kept.block[i]) free(px_kept.block[i]->start);
        px_kept.block[i] = NULL;
    }
    px_kept.bytes = 0;
    px_unlock(&px_kept.lock);
    return bytes;
}

/* The order of structs that begin with a number, for qsort. */
static int px_by_first(const void *a, const void *b) {
    uint64_t x, y;
    memcpy(&x, a, sizeof x); memcpy(&y, b, sizeof y);
    return x < y ? -1 : x > y;
}

#endif
