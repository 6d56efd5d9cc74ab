"""Memory that grows, memory in large pages, and bytes as hashes and as characters."""

cdef extern from *:
    """
    #include <stdlib.h>
    #if defined(__linux__)
    #include <sys/mman.h>
    #endif
    #if defined(__GNUC__) || defined(__clang__)
    #define runs_prefetch(p) __builtin_prefetch(p)
    #else
    #define runs_prefetch(p) ((void)(p))
    #endif
    #define RUNS_PAGE ((size_t)1 << 21)

    /* Memory in large pages, where the system has them: without them, most looks into a table wait for its address. */
    static void *runs_large(size_t size) {
    #if defined(__linux__)
        size_t whole = (size + RUNS_PAGE - 1) / RUNS_PAGE * RUNS_PAGE;
        void *at = size < RUNS_PAGE ? NULL : aligned_alloc(RUNS_PAGE, whole);
        if (at) madvise(at, whole, MADV_HUGEPAGE);  /* which may fail: then pages are small */
        if (at) return at;
    #endif
        return malloc(size);
    }
    """
    void runs_prefetch(const void *at) noexcept nogil
    void *runs_large(size_t size) noexcept nogil

cdef struct Array:  # memory that grows
    char *at
    int64_t used, capacity


cdef inline char *reserve(Array *array, int64_t more, int64_t size) except NULL nogil:
    """The place behind the last element of an array, with memory for some more of them."""
    cdef void *larger
    if array.used + more > array.capacity:
        larger = realloc(array.at, <size_t>(2 * (array.used + more) * size))
        if larger == NULL:
            with gil:
                raise MemoryError(FULL)
        array.at = <char *>larger
        array.capacity = 2 * (array.used + more)
    return array.at + array.used * size


cdef int add_bytes(Array *arena, const char *p, int64_t size) except -1 nogil:
    memcpy(reserve(arena, size, 1), p, <size_t>size)
    arena.used += size
    return 0


cdef inline uint64_t hash_of(const char *p, int64_t size) noexcept nogil:
    """A hash of some bytes, eight of them at a time."""
    cdef uint64_t value = <uint64_t>size * FACTOR, part
    while size > 0:
        part = 0
        memcpy(&part, p, <size_t>(size if size < 8 else 8))
        value = (value ^ part) * FACTOR
        value ^= value >> 29
        p += 8
        size -= 8
    return value


cdef inline uint32_t decode(const char *bytes_, int64_t left, int64_t *size) noexcept nogil:
    """The character at the start of some bytes, and its length; a byte that is not UTF-8 is replaced."""
    cdef const unsigned char *p = <const unsigned char *>bytes_
    cdef uint32_t point, first = p[0]
    cdef int64_t i, n = 2 if first < 0xE0 else 3 if first < 0xF0 else 4
    size[0] = 1
    if first < 0x80:
        return first
    if first & 0xF0 == 0xE0 and left >= 3 and p[1] & 0xC0 == 0x80 and p[2] & 0xC0 == 0x80:  # most of these texts
        point = (first & 0x0F) << 12 | <uint32_t>(p[1] & 0x3F) << 6 | (p[2] & 0x3F)
        size[0] = 3 if point >= 0x800 else 1
        return point if point >= 0x800 else 0xFFFD
    if first < 0xC2 or first > 0xF4 or n > left:
        return 0xFFFD
    point = first & (0xFF >> (n + 1))
    for i in range(1, n):
        if p[i] & 0xC0 != 0x80:
            return 0xFFFD
        point = point << 6 | (p[i] & 0x3F)
    if point > 0x10FFFF or point < (0x800 if n == 3 else 0x10000 if n == 4 else 0x80):  # or longer than it need be
        return 0xFFFD
    size[0] = n
    return point


cdef int64_t put(char *out, int64_t to, const char *p, int64_t size) noexcept nogil:
    """Write some bytes, and return where they end."""
    memcpy(out + to, p, <size_t>size)
    return to + size
