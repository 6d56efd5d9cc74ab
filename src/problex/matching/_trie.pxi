"""Reading the tries of ICU's dictionaries as steps from node to node; their formats are ICU's, version 1.

A node has a value, if a word ends there, and then either some characters in a row or a branch: a search tree whose
leaves are pairs of a character and the way to its node. Nodes are shared, so that a place in the trie is a node.
"""

cdef struct Trie:
    const uint8_t *at
    int64_t size  # in units
    bint wide  # whether a unit has 16 bits
    bint is_bad  # something is outside the trie, or too large for the table
    uint32_t offset  # of the characters that bytes stand for
    uint32_t *nodes  # the number of the node at each place, if it was met
    uint32_t count
    Array waiting  # places of nodes that were met
    Array steps  # from node to node; those from a node are next to each other


cdef enum:
    NODE_BITS = 18  # of a step: the node it starts from, its character, its cost and the node it leads to
    NODE_COST_AT = NODE_BITS, KEY_AT = NODE_BITS + COST_BITS


cdef inline uint32_t unit(Trie *trie, int64_t *at) noexcept nogil:
    """A unit; the place moves behind it."""
    cdef uint16_t wide
    cdef int64_t i = at[0]
    at[0] += 1
    if not 0 <= i < trie.size:
        trie.is_bad = 1
        return 0
    if not trie.wide:
        return trie.at[i]
    memcpy(&wide, trie.at + 2 * i, 2)
    return wide


cdef uint32_t number(Trie *trie, int64_t *at, uint32_t first, int units) noexcept nogil:
    """A number of a first part and some units behind it."""
    cdef int i
    for i in range(units):
        first = first << (16 if trie.wide else 8) | unit(trie, at)
    return first


cdef uint32_t final_value(Trie *trie, int64_t *at, uint32_t lead) noexcept nogil:
    """The value behind a first unit, without the bit that says whether it is final."""
    if trie.wide:
        lead &= 0x7FFF
        return (lead if lead < 0x4000 else number(trie, at, lead - 0x4000, 1) if lead < 0x7FFF
                else number(trie, at, 0, 2))
    lead >>= 1
    return (lead - 0x10 if lead < 0x51 else number(trie, at, lead - 0x51, 1) if lead < 0x6C
            else number(trie, at, lead - 0x6C, 2) if lead < 0x7E else number(trie, at, 0, <int>lead - 0x7B))


cdef uint32_t node_value(Trie *trie, int64_t *at, uint32_t lead) noexcept nogil:
    """The value of a node that words go on from."""
    if not trie.wide:
        return final_value(trie, at, lead)
    return ((lead >> 6) - 1 if lead < 0x4040 else number(trie, at, ((lead & 0x7FC0) - 0x4040) >> 6, 1) if lead < 0x7FC0
            else number(trie, at, 0, 2))


cdef int64_t jump(Trie *trie, int64_t *at) noexcept nogil:
    """Where the lower half of a branch is."""
    cdef uint32_t lead = unit(trie, at)
    if trie.wide:
        lead = (lead if lead < 0xFC00 else number(trie, at, lead - 0xFC00, 1) if lead < 0xFFFF
                else number(trie, at, 0, 2))
    else:
        lead = (lead if lead < 0xC0 else number(trie, at, lead - 0xC0, 1) if lead < 0xF0
                else number(trie, at, lead - 0xF0, 2) if lead < 0xFE else number(trie, at, 0, <int>lead - 0xFB))
    return at[0] + lead


cdef inline bint is_value(Trie *trie, uint32_t lead) noexcept nogil:
    return lead >= (0x40 if trie.wide else 0x20)


cdef inline bint is_final(Trie *trie, uint32_t lead) noexcept nogil:
    return lead & (0x8000 if trie.wide else 1)


cdef int add_step(Trie *trie, uint64_t parent, uint32_t character, uint64_t child, uint64_t cost) except -1 nogil:
    """Note a step; the cost is that of a word plus one, or 0."""
    if not trie.wide:
        if character >= 0xFE:  # joiners, which no run has
            return 0
        character += trie.offset
    if character >> CHARACTER_BITS or (parent | child) >> NODE_BITS or cost >> COST_BITS:
        trie.is_bad = 1
        return 0
    (<uint64_t *>reserve(&trie.steps, 1, 8))[0] = (
        (parent << CHARACTER_BITS | character) << KEY_AT | cost << NODE_COST_AT | child
    )
    trie.steps.used += 1
    return 0


cdef int add_step_to(Trie *trie, uint64_t parent, uint32_t character, int64_t place) except -1 nogil:
    """Note a step to the node at a place."""
    cdef int64_t at = place
    cdef uint32_t lead = unit(trie, &at)
    cdef uint64_t cost = 0
    if trie.is_bad:
        return 0
    if is_value(trie, lead):
        if is_final(trie, lead):
            return add_step(trie, parent, character, 0, <uint64_t>final_value(trie, &at, lead) + 1)
        cost = <uint64_t>node_value(trie, &at, lead) + 1
    if not trie.nodes[place]:
        trie.count += 1
        trie.nodes[place] = trie.count
        (<int64_t *>reserve(&trie.waiting, 1, 8))[0] = place
        trie.waiting.used += 1
    return add_step(trie, parent, character, trie.nodes[place], cost)


cdef int add_branch(Trie *trie, uint64_t parent, int64_t at, int64_t length) except -1 nogil:
    """Note the steps of a branch, or of a part of it."""
    cdef uint32_t character, lead, value
    while length > 5 and not trie.is_bad:
        unit(trie, &at)
        add_branch(trie, parent, jump(trie, &at), length >> 1)
        length -= length >> 1
    while length > 1 and not trie.is_bad:
        character = unit(trie, &at)
        lead = unit(trie, &at)
        value = final_value(trie, &at, lead)
        if is_final(trie, lead):
            add_step(trie, parent, character, 0, <uint64_t>value + 1)
        else:
            add_step_to(trie, parent, character, at + value)
        length -= 1
    character = unit(trie, &at)
    return add_step_to(trie, parent, character, at)


cdef int add_node(Trie *trie, uint64_t parent, int64_t at) except -1 nogil:
    """Note the steps from the node at a place."""
    cdef uint32_t lead = unit(trie, &at), linear = 0x30 if trie.wide else 0x10, character
    if is_value(trie, lead):
        node_value(trie, &at, lead)
        lead = lead & 0x3F if trie.wide else unit(trie, &at)
    if lead < linear:
        return add_branch(trie, parent, at, <int64_t>(lead or unit(trie, &at)) + 1)
    while lead > linear and not trie.is_bad:  # each but the last of some characters in a row leads to a node of its own
        character = unit(trie, &at)
        trie.count += 1
        add_step(trie, parent, character, trie.count, 0)
        parent = trie.count
        lead -= 1
    character = unit(trie, &at)
    return add_step_to(trie, parent, character, at)


cdef int read_trie(Trie *trie) except -1 nogil:
    """Note the steps of all nodes."""
    cdef int64_t place
    add_node(trie, 0, 0)
    while trie.waiting.used and not trie.is_bad:
        trie.waiting.used -= 1
        place = (<int64_t *>trie.waiting.at)[trie.waiting.used]
        add_node(trie, trie.nodes[place], place)
    return 0


cdef class Dictionary:
    """A dictionary of ICU in memory, `size` bytes at an address, for characters from `low` on, by their classes.

    Its units have 16 bits unless bytes stand for characters from an `offset` on. A run of fewer than `least`
    characters is one word. The table has its own memory.
    """

    cdef Table table

    def __cinit__(self, uintptr_t address, int64_t size, uint32_t low, bytes classes, uint32_t offset=0,
                  int64_t least=0):
        cdef Trie trie
        cdef int64_t i, count = len(classes)
        memset(&trie, 0, sizeof(Trie))
        trie.at, trie.wide, trie.offset = <const uint8_t *>address, offset == 0, offset
        trie.size = size // 2 if trie.wide else size
        self.table.low, self.table.high, self.table.least = low, low + <uint32_t>count, least
        self.table.has_costs = trie.wide
        try:
            self.table.first = <uint64_t *>calloc(<size_t>count + 1, 8)
            self.table.codes = <uint16_t *>calloc(<size_t>count + 1, 2)
            trie.nodes = <uint32_t *>calloc(<size_t>trie.size + 1, 4)
            if self.table.first == NULL or self.table.codes == NULL or trie.nodes == NULL:
                raise MemoryError(FULL)
            with nogil:
                read_trie(&trie)
            if trie.is_bad:
                raise ValueError(f"a dictionary of {size} bytes is in no known format")
            make_table(&self.table, &trie.steps, trie.count)
            for i in range(count):
                self.table.first[self.table.codes[i]] |= <uint64_t><uint8_t>classes[i] << CLASS_AT
                if self.table.has_costs and not cost_of(self.table.first[i]):
                    self.table.first[i] |= <uint64_t>(UNKNOWN + 1) << COST_AT
        finally:
            free(trie.nodes)
            free(trie.waiting.at)
            free(trie.steps.at)

    def __dealloc__(self):
        free(self.table.slots)
        free(self.table.first)
        free(self.table.codes)

    @property
    def memory(self):
        """How many bytes of the table are used; on Linux its slots lie in whole pages of 2 MB, if there are as many."""
        return 8 * self.table.count + 10 * (self.table.high - self.table.low)

    def ends(self, str text):
        """Where the words of a run end, or None if the dictionary is not for it."""
        cdef bytes units = text.encode(UTF16)
        cdef Array codes = Array(NULL, 0, 0), memory = Array(NULL, 0, 0)
        cdef int64_t n = len(units) // 2, i
        try:
            memcpy(reserve(&codes, n + 1, 2), <const char *>units, <size_t>(2 * n))
            reserve(&memory, NUMBERS * n + MORE_NUMBERS, 4)
            if not n or not encode(&self.table, <uint16_t *>codes.at, n):
                return None
            n = cut(&self.table, <uint16_t *>codes.at, n, <uint32_t *>memory.at)
            return [(<uint32_t *>memory.at)[i] for i in range(n)]
        finally:
            free(codes.at)
            free(memory.at)


cdef bint encode(const Table *table, uint16_t *text, int64_t n) noexcept nogil:
    """Change the characters of a run to codes; return whether the dictionary is for it.

    It is for runs of its characters alone, and the first must not be a combining mark.
    """
    cdef int64_t i
    cdef bint is_for = n <= MOST_CHARACTERS
    for i in range(n if is_for else 0):
        if not table.low <= text[i] < table.high:
            return 0
        text[i] = table.codes[text[i] - table.low]
        is_for &= class_of(table, text[i]) & MEMBER
    return is_for and not class_of(table, text[0]) & COMBINING


cdef int64_t cut(const Table *table, const uint16_t *codes, int64_t n, uint32_t *memory) noexcept nogil:
    """Put where the words of a run end at the start of some memory (`NUMBERS`); return how many they are."""
    if table.has_costs:
        return cheapest(table, codes, n, <uint64_t *>(memory + n + 1 + (n + 1 & 1)), memory)
    return furthest(table, codes, n, memory)
