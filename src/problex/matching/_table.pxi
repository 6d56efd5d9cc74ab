"""Making the table of a dictionary (`_dictionary.pxi`) of the steps of its trie."""

cdef enum:
    TRIES = 100  # a part of the table where a node does not fit so often is left


cdef inline uint32_t code_of(uint64_t step_) noexcept nogil:
    return <uint32_t>(step_ >> KEY_AT & ((1 << CHARACTER_BITS) - 1))


cdef int64_t fit(const Table *table, const uint8_t *is_base, const uint64_t *steps, int64_t count, int64_t at,
                 int64_t end) noexcept nogil:
    """The first base from a place on where the slots of some steps are free, and that is no base yet."""
    cdef int64_t i
    while at < end:
        if not is_base[at]:
            for i in range(count):
                if table.slots[at + code_of(steps[i])]:
                    break
            else:
                return at
        at += 1
    return end


cdef int64_t place_nodes(Table *table, const uint64_t *steps, const int64_t[::1] starts, const int64_t[::1] counts,
                         uint8_t *is_base, int64_t[::1] bases, int64_t end) noexcept nogil:
    """Put the characters of nodes into the slots and note their bases; return the last base, or `end` without room."""
    cdef int64_t i, k, base, last = 0, from_ = 1, before = 0
    cdef uint32_t code
    for i in range(starts.shape[0]):
        if counts[i] != before and counts[i] < FEW:
            from_ = 1  # small nodes fit between others
        before = counts[i]
        base = fit(table, is_base, steps + starts[i], counts[i], from_, end)
        if base == end:
            return end
        if base - from_ > TRIES:
            from_ = base - TRIES // 2
        is_base[base] = 1
        bases[steps[starts[i]] >> (KEY_AT + CHARACTER_BITS)] = base
        last = base if base > last else last
        for k in range(starts[i], starts[i] + counts[i]):
            code = code_of(steps[k])
            table.slots[base + code] = (
                <uint64_t>code << CODE_AT | (steps[k] >> NODE_COST_AT & ((1 << COST_BITS) - 1)) << COST_AT
                | steps[k] & ((1 << NODE_BITS) - 1)
            )
    return last


cdef make_codes(Table *table, Array *steps_):
    """The steps with codes for the characters of the area, frequent ones first; those of other characters are left out.

    Codes keep the slots of a node close to its base, which takes less memory.
    """
    cdef int64_t width = table.high - table.low, i
    steps = np.array(<uint64_t[:steps_.used]><uint64_t *>steps_.at)
    characters = (steps >> KEY_AT & 0xFFFF).astype(np.int64) - table.low
    is_inside = (characters >= 0) & (characters < width)
    steps, characters = steps[is_inside], characters[is_inside]
    codes = np.empty(width, dtype=np.uint16)
    codes[np.argsort(-np.bincount(characters, minlength=width), kind="stable")] = np.arange(width)
    cdef const uint16_t[::1] codes_ = codes
    for i in range(width):
        table.codes[i] = codes_[i]
    key = np.uint64(0xFFFF) << np.uint64(KEY_AT)
    return steps & ~key | codes[characters].astype(np.uint64) << KEY_AT


cdef int make_table(Table *table, Array *steps_, uint32_t nodes) except -1:
    """Put the steps into the table, those of nodes with many first, and the steps from the root by character."""
    steps = make_codes(table, steps_)
    if not len(steps):
        raise ValueError("a dictionary has no words of its characters")
    cdef int64_t count = len(steps), width = table.high - table.low, i, last, end = 4 * count + width
    parents = steps >> (KEY_AT + CHARACTER_BITS)
    starts = np.flatnonzero(np.append(True, parents[1:] != parents[:count - 1]))
    counts = np.diff(np.append(starts, count))
    order = np.argsort(-counts, kind="stable")
    order = order[parents[starts[order]] > 0]  # the root is apart
    bases, is_base = np.zeros(nodes + 1, dtype=np.int64), np.zeros(end + 1, dtype=np.uint8)
    cdef uint64_t *smaller
    cdef const uint64_t[::1] steps_v = steps
    cdef int64_t[::1] bases_ = bases, starts_ = starts[order], counts_ = counts[order]
    cdef uint8_t[::1] is_base_ = is_base
    table.slots = <uint64_t *>calloc(<size_t>(end + width), 8)
    if table.slots == NULL:
        raise MemoryError(FULL)
    with nogil:
        last = place_nodes(table, &steps_v[0], starts_, counts_, &is_base_[0], bases_, end)
        table.count = last + width
        for i in range(table.count):  # a slot has the base of its node instead of the number
            table.slots[i] += <uint64_t>bases_[base_of(table.slots[i])] - base_of(table.slots[i])
        for i in range(count):
            if steps_v[i] >> (KEY_AT + CHARACTER_BITS) == 0:
                table.first[code_of(steps_v[i])] |= (
                    (steps_v[i] >> NODE_COST_AT & ((1 << COST_BITS) - 1)) << COST_AT
                    | <uint64_t>bases_[steps_v[i] & ((1 << NODE_BITS) - 1)]
                )
    if last == end or end >> BASE_BITS:
        raise ValueError(f"a dictionary of {count} steps does not fit into its table")
    smaller = <uint64_t *>runs_large(<size_t>table.count * 8)
    if smaller != NULL:
        memcpy(smaller, table.slots, <size_t>table.count * 8)
        free(table.slots)
        table.slots = smaller
    return 0
