"""Texts as Arrow holds them: where their bytes are, and what is asked of them before they are counted."""


cdef int64_t too_long(const int64_t *offsets, int64_t n) noexcept nogil:
    """The first text of more bytes than places can be told apart, or -1."""
    cdef int64_t i
    for i in range(n):
        if not 0 <= offsets[i + 1] - offsets[i] <= <int64_t>PX_LENGTH:
            return i
    return -1


cdef text_buffers(texts):
    """Where the offsets and the bytes of an Arrow array of strings are, how wide offsets are, what keeps them there."""
    wide = texts.type != pa.string()
    if wide:
        texts = texts.cast(pa.large_string())
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
        offsets, data, _, kept = text_buffers(texts.cast(pa.large_string()))
        at = <const int64_t *>offsets
        for i in range(n):
            keys_[i] = px_text_hash(<const unsigned char *>data + at[i], <size_t>(at[i + 1] - at[i]))
    return keys
