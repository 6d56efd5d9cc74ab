"""A dictionary of ICU's word breaker as a table, and the words of a run by it, as ICU's own engines find them.

ICU stores a dictionary as a trie of 16-bit units (Chinese and Japanese, with costs) or of bytes (the other scripts). A
step in such a trie is a search among the branches of a node; here it is one look into a table (a double array): the
step of a character from a node is at the base of the node plus the code of the character, if there is one.
"""

cdef enum:
    # A slot of the table: the base of the node that a step leads to (0 if no word goes on), its cost plus one (0 if it
    # ends no word), and the code of its character. Those of the first characters have classes instead of codes, and if
    # the dictionary has costs, `UNKNOWN` for a character that is no word.
    BASE_BITS = 24, COST_BITS = 12, CHARACTER_BITS = 16
    COST_AT = BASE_BITS, CODE_AT = BASE_BITS + COST_BITS, CLASS_AT = 56
    MEMBER = 1, COMBINING = 2, ENDS = 4, BEGINS = 8, ELISION = 16, REPEAT = 32, KATAKANA = 64
    LONGEST = 20  # a word has at most so many characters, and a run of katakana fewer
    UNKNOWN = 255  # the cost of a character that is no word
    MOST_CANDIDATES = 20, FEW = 3
    AHEAD = 32  # so many characters before they are needed, slots are fetched
    NUMBERS = 5, MORE_NUMBERS = 10  # of 32 bits that `cut` needs memory for: so many per character, and more
    MOST_CHARACTERS = 1 << 20  # of a run; the sum of costs stays below 2**32
CLASSES = {
    "member": MEMBER, "combining": COMBINING, "ends": ENDS, "begins": BEGINS, "elision": ELISION, "repeat": REPEAT,
    "katakana": KATAKANA,
}
cdef uint32_t[9] KATAKANA_COSTS = [8192, 984, 408, 240, 204, 252, 300, 372, 480]  # the costs of runs of 0 to 8


cdef struct Table:
    uint64_t *slots
    int64_t count
    uint64_t *first  # the steps from the root, and classes, by code
    uint16_t *codes  # by character, from `low` to before `high`
    uint32_t low, high
    int64_t least  # a run of fewer characters is one word
    bint has_costs


cdef inline uint64_t base_of(uint64_t slot) noexcept nogil:
    return slot & ((1 << BASE_BITS) - 1)


cdef inline uint64_t cost_of(uint64_t slot) noexcept nogil:
    """The cost of a word plus one, or 0 if none ends here; a first character that is no word may have one, too."""
    return slot >> COST_AT & ((1 << COST_BITS) - 1)


cdef inline uint64_t step(const Table *table, uint64_t base, uint16_t code) noexcept nogil:
    """The slot of a step, or 0 if no word has it."""
    cdef uint64_t slot = table.slots[base + code]
    return slot & (0 - <uint64_t>(slot >> CODE_AT == code))  # without a branch that is hard to predict


cdef inline uint8_t class_of(const Table *table, uint16_t code) noexcept nogil:
    return <uint8_t>(table.first[code] >> CLASS_AT)


cdef inline uint64_t path_of(uint64_t so_far, uint64_t cost, int64_t start) noexcept nogil:
    """A path whose last word begins at `start`: its cost, and in the lower half the start; the largest number if none.

    `cost` is that of the word plus one. Of two paths the smaller number is the better: of equal costs, the first start.
    """
    return (so_far + cost - 1) << 32 | <uint64_t>start if cost else <uint64_t>-1


cdef inline void offer(uint64_t *best, uint64_t path) noexcept nogil:
    best[0] = path if path < best[0] else best[0]


cdef void look_up_pairs(const Table *table, const uint16_t *text, int64_t n, uint64_t *pairs) noexcept nogil:
    """The step of each character and the next one, before they are needed: the processor looks up many at a time."""
    cdef int64_t i
    for i in range(n - 1):
        pairs[i] = step(table, base_of(table.first[text[i]]), text[i + 1])
    pairs[n - 1] = 0
    for i in range(n - 2 if n - 2 < AHEAD else AHEAD):
        fetch_third(table, text, pairs, i)


cdef inline void fetch_third(const Table *table, const uint16_t *text, const uint64_t *pairs, int64_t i) noexcept nogil:
    """Fetch the slot of the step behind a pair, which is used soon if the pair goes on."""
    runs_prefetch(table.slots + base_of(pairs[i]) + text[i + 2])


cdef int64_t cheapest(const Table *table, const uint16_t *text, int64_t n, uint64_t *best,
                      uint32_t *ends) noexcept nogil:
    """Where the words of the path of the least cost end, and how many they are: for Chinese and Japanese.

    `best` has memory for 2 n + 3 numbers. The paths to the next two places are kept apart: most words are short.
    """
    cdef int64_t i, k, end, to = n
    cdef uint64_t slot, so_far, path, next_ = <uint64_t>-1, second = <uint64_t>-1
    cdef bint is_katakana, was_katakana = 0
    cdef uint64_t *pairs = best + n + 3
    look_up_pairs(table, text, n, pairs)
    memset(best, 0xFF, <size_t>(n + 3) * 8)
    best[0] = 0
    for i in range(n):
        so_far, slot = best[i] >> 32, table.first[text[i]]
        is_katakana = slot >> CLASS_AT & KATAKANA
        offer(&next_, path_of(so_far, cost_of(slot), i))
        if i + AHEAD < n - 2:
            fetch_third(table, text, pairs, i + AHEAD)
        slot = pairs[i]
        offer(&second, path_of(so_far, cost_of(slot), i))
        if base_of(slot):
            k, end = i + 2, n if n < i + LONGEST else i + LONGEST
            while base_of(slot) and k < end:
                slot = step(table, base_of(slot), text[k])
                k += 1
                offer(&best[k], path_of(so_far, cost_of(slot), i))
        if is_katakana and not was_katakana:
            k, end = i + 1, n if n < i + LONGEST else i + LONGEST
            while k < end and class_of(table, text[k]) & KATAKANA:
                k += 1
            if k < i + LONGEST:
                path = path_of(so_far, KATAKANA_COSTS[k - i if k - i <= 8 else 0] + 1, i)
                if k == i + 1:
                    offer(&next_, path)
                elif k == i + 2:
                    offer(&second, path)
                else:
                    offer(&best[k], path)
        was_katakana = is_katakana
        best[i + 1] = next_
        next_, second = second, best[i + 3]
    i = n
    while i:
        to -= 1
        ends[to] = <uint32_t>i
        i = <uint32_t>best[i]
    memmove(ends, ends + to, <size_t>(n - to) * 4)
    return n - to


cdef struct Candidates:  # the words that begin somewhere, from short to long, and which of them is chosen
    int64_t at, count, chosen, tried
    int64_t seen  # how many characters were looked at
    int64_t[20] lengths


cdef int64_t candidates(const Table *table, const uint16_t *text, int64_t at, int64_t n,
                        Candidates *found) noexcept nogil:
    """Look up the words that begin at a place, unless they are known; choose the longest and return their number."""
    cdef uint64_t slot
    cdef int64_t k = at
    if found.at != at:
        found.at, found.count = at, 0
        slot = table.first[text[at]]
        while True:
            k += 1
            if cost_of(slot) and found.count < MOST_CANDIDATES:
                found.lengths[found.count] = k - at
                found.count += 1
            if not base_of(slot) or k >= n:
                break
            slot = step(table, base_of(slot), text[k])
        found.seen = k - at
    found.chosen = found.tried = found.count - 1
    return found.count


cdef int64_t choose(const Table *table, const uint16_t *text, int64_t at, int64_t n, Candidates *a, Candidates *b,
                    Candidates *c) noexcept nogil:
    """The length of the word at a place: the longest that two others follow, or one, or the longest; 0 if none."""
    cdef int64_t next_, third
    if candidates(table, text, at, n, a) == 0:
        return 0
    if a.count == 1 or at + a.lengths[a.chosen] >= n:
        return a.lengths[a.chosen]
    while True:
        next_ = at + a.lengths[a.tried]
        if candidates(table, text, next_, n, b):
            a.chosen = a.tried
            if next_ + b.lengths[b.tried] >= n:
                return a.lengths[a.chosen]
            while True:
                third = next_ + b.lengths[b.tried]
                if candidates(table, text, third, n, c):
                    return a.lengths[a.chosen]
                if b.tried == 0:
                    break
                b.tried -= 1
        if a.tried == 0:
            return a.lengths[a.chosen]
        a.tried -= 1


cdef int64_t resume(const Table *table, const uint16_t *text, int64_t at, int64_t n, Candidates *found) noexcept nogil:
    """Where the next word may begin behind characters that are in none: where a known one does, or at the end."""
    while True:
        at += 1
        if at >= n:
            return n
        if (class_of(table, text[at - 1]) & ENDS and class_of(table, text[at]) & BEGINS
                and candidates(table, text, at, n, found)):
            return at


cdef int64_t furthest(const Table *table, const uint16_t *text, int64_t n, uint32_t *ends) noexcept nogil:
    """Where the words end that lead on by two others, and how many they are: for Thai, Lao, Khmer and Burmese."""
    cdef Candidates[3] found
    cdef int64_t at = 0, end, size, count = 0, i
    if n < table.least:
        ends[0] = <uint32_t>n
        return 1
    for i in range(3):
        found[i].at = -1
    while at < n:
        size = choose(table, text, at, n, &found[count % 3], &found[(count + 1) % 3], &found[(count + 2) % 3])
        end = at + size
        if end < n and size < FEW:  # a short word takes up characters that are in no word, if they look like none
            i = (count + 1) % 3
            if candidates(table, text, end, n, &found[i]) == 0 and (size == 0 or found[i].seen < FEW):
                end = resume(table, text, end, n, &found[(i + 1) % 3])
        while end < n and class_of(table, text[end]) & COMBINING:
            end += 1
        end += suffix(table, text, end, n, &found[(count + 1) % 3])
        ends[count] = <uint32_t>end
        count += 1
        at = end
    return count


cdef int64_t suffix(const Table *table, const uint16_t *text, int64_t end, int64_t n,
                    Candidates *found) noexcept nogil:
    """How many signs of elision and repetition belong to the word that ends at a place."""
    cdef int64_t at = end
    if end >= n or not class_of(table, text[end]) & (ELISION | REPEAT) or candidates(table, text, end, n, found):
        return 0
    if class_of(table, text[at]) & ELISION:
        if class_of(table, text[at - 1]) & (ELISION | REPEAT):
            return 0
        at += 1
    if at < n and class_of(table, text[at]) & REPEAT and not class_of(table, text[at - 1]) & REPEAT:
        at += 1
    return at - end
