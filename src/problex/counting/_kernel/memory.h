/* Memory: arrays that grow, and large blocks that are used again. */
#ifndef PROBLEX_MEMORY_H
#define PROBLEX_MEMORY_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#if defined(__linux__)
#include <sys/mman.h>
#endif

/* Room for n elements in an array that grows; 0 when there is. `array` is the address of a pointer of any type, which
 * C lets one read and write as bytes only. */
static int px_room(void *array, size_t *room, size_t n, size_t size) {
    if (n <= *room) return 0;
    size_t more = n < 128 ? 256 : n + n / 2;
    void *grown;
    memcpy(&grown, array, sizeof grown);
    grown = realloc(grown, more * size);
    if (!grown) return -1;
    memcpy(array, &grown, sizeof grown);
    *room = more;
    return 0;
}
#define PX_ROOM(array, room, n) px_room(&(array), &(room), (n), sizeof *(array))

/* Large blocks begin with their size. A few that were freed are kept for the next one who asks: the system clears a
 * page before it gives it out, which with two threads took a fifth of the time of counting. */
#define PX_HEAD 64                      /* before the block: its size, and room so that it begins on a cache line */
#define PX_HUGE ((size_t)1 << 21)       /* the size of a large page */
#define PX_KEPT 64                      /* how many blocks are kept, */
#define PX_KEPT_BYTES ((size_t)64 << 20)  /* and of how many bytes in all */

#if defined(__GNUC__) || defined(__clang__)
static struct { char busy; size_t bytes; char *block[PX_KEPT]; } px_kept;

/* Whoever finds the store busy goes without: nobody waits. In a process forked while it was it stays so, which only
 * costs time. */
static int px_open_store(void) { return !__atomic_test_and_set(&px_kept.busy, __ATOMIC_ACQUIRE); }
static void px_close_store(void) { __atomic_clear(&px_kept.busy, __ATOMIC_RELEASE); }
#else
static struct { size_t bytes; char *block[PX_KEPT]; } px_kept;
static int px_open_store(void) { return 0; }
static void px_close_store(void) {}
#endif

static size_t px_size(const char *block) { size_t bytes; memcpy(&bytes, block, sizeof bytes); return bytes; }

/* A kept block of at least so many bytes, the smallest there is, unless most of it would lie idle. */
static char *px_from_store(size_t bytes) {
    char *found = NULL;
    if (bytes < PX_HUGE / 2 || !px_open_store()) return NULL;
    int best = -1;
    for (int i = 0; i < PX_KEPT; i++) {
        if (!px_kept.block[i]) continue;
        size_t size = px_size(px_kept.block[i]);
        if (size < bytes || size > 2 * bytes + PX_HUGE) continue;
        if (best < 0 || size < px_size(px_kept.block[best])) best = i;
    }
    if (best >= 0) {
        found = px_kept.block[best];
        px_kept.block[best] = NULL;
        px_kept.bytes -= px_size(found);
    }
    px_close_store();
    return found;
}

static int px_to_store(char *block) {
    size_t bytes = px_size(block);
    int stored = 0;
    if (bytes < PX_HUGE / 2 || bytes > PX_KEPT_BYTES / 4 || !px_open_store()) return 0;
    for (int i = 0; i < PX_KEPT && !stored && px_kept.bytes + bytes <= PX_KEPT_BYTES; i++) {
        if (px_kept.block[i]) continue;
        px_kept.block[i] = block;
        px_kept.bytes += bytes;
        stored = 1;
    }
    px_close_store();
    return stored;
}

/* Memory for a large table, on large pages where the system has them: looking up pages costs more than the words. What
 * is in it is anything. */
static void *px_large(size_t bytes) {
    if (bytes > SIZE_MAX - PX_HEAD - PX_HUGE) return NULL;
    bytes += PX_HEAD;
    void *block = px_from_store(bytes);
    if (!block) {
        if (posix_memalign(&block, bytes >= PX_HUGE ? PX_HUGE : 64, bytes)) return NULL;
#ifdef MADV_HUGEPAGE
        if (bytes >= PX_HUGE) madvise(block, bytes, MADV_HUGEPAGE);
#endif
        memcpy(block, &bytes, sizeof bytes);
    }
    return (char *)block + PX_HEAD;
}

static void px_large_free(void *large) {
    if (!large) return;
    char *block = (char *)large - PX_HEAD;
    if (!px_to_store(block)) free(block);
}

/* Give back what is kept; how many bytes. */
static size_t px_empty_store(void) {
    if (!px_open_store()) return 0;
    size_t bytes = px_kept.bytes;
    for (int i = 0; i < PX_KEPT; i++) {
        free(px_kept.block[i]);
        px_kept.block[i] = NULL;
    }
    px_kept.bytes = 0;
    px_close_store();
    return bytes;
}

/* The order of structs that begin with a number, for qsort. */
static int px_by_first(const void *a, const void *b) {
    uint64_t x, y;
    memcpy(&x, a, sizeof x); memcpy(&y, b, sizeof y);
    return x < y ? -1 : x > y;
}

#endif
