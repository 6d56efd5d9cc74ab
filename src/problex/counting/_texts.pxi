# Texts as Arrow holds them. Part of _counter.pyx.

cdef int64_t first_too_long(const int64_t *offsets, int64_t n) noexcept nogil:
    """The first text with more bytes than the counter can address, or -1."""
    cdef int64_t i
    for i in range(n):
        if not 0 <= offsets[i + 1] - offsets[i] <= <int64_t>PX_LENGTH:
            return i
    return -1


cdef text_buffers(texts):
    """The addresses of offsets and bytes of an Arrow array of strings, whether offsets have 64 bits, and the array."""
    wide = texts.type != STRING
    if wide and texts.type != LARGE_STRING:
        texts = texts.cast(LARGE_STRING)
    _, offsets, data = texts.buffers()
    start = offsets.address + (8 if wide else 4) * texts.offset
    return start, data.address if data is not None else 0, wide, texts


def document_keys(texts):
    """The hash of each text of an Arrow array, by which a sample is drawn."""
    cdef uintptr_t offsets, data
    cdef Py_ssize_t i, n = len(texts)
    keys = np.empty(n, dtype=np.uint64)
    cdef uint64_t[::1] keys_ = keys
    cdef const int64_t *at
    if n:
        offsets, data, _, owner = text_buffers(texts.cast(pa.large_string()))
        at = <const int64_t *>offsets
        for i in range(n):
            keys_[i] = px_text_hash(<const unsigned char *>data + at[i], <size_t>(at[i + 1] - at[i]))
    return keys
