"""What a counter knows before the first text: a plan (`problex.counting.kernel.Plan`) put into the struct."""


cdef add_words(px_counter *c, words):
    """Number the words of an Arrow array of strings, from 0 on."""
    cdef uintptr_t address, data
    cdef uint32_t i, n = <uint32_t>len(words), found = 0
    cdef const int32_t *offsets
    if n == 0:
        return
    address, data, _, kept = text_buffers(words)
    offsets = <const int32_t *>address
    with nogil:
        for i in range(n):
            found = px_word_of(c, <const char *>data + offsets[i], <uint32_t>(offsets[i + 1] - offsets[i]))
            if c.failed or found != i:
                break
    if c.failed:
        raise MemoryError(FULL)
    if found != i:
        raise ValueError(f"the word {words[i].as_py()!r} was given twice")


cdef introduce(px_counter *c, int64_t[::1] words):
    """Let patterns catch words that were given."""
    cdef Py_ssize_t i
    cdef int failed = 0
    with nogil:
        for i in range(words.shape[0]):
            failed |= px_introduce(c, <uint32_t>words[i], 1)
    if failed:
        raise MemoryError(FULL)


cdef number_items(px_counter *c, int64_t[::1] items, int64_t[::1] lists):
    """Give words their items, and items their lists."""
    cdef Py_ssize_t at
    cdef int64_t most = -1
    for at in range(len(items)):
        most = max(most, items[at])
    if most >= PX_ITEMS:
        raise LexiconError(f"the lexicon has {most + 1} entries, expected at most {PX_ITEMS}: leave some out")
    c.items = c.known_items = <int32_t>(most + 1)
    c.item_room = <size_t>(most + 2)
    c.item_list = <uint16_t *>calloc(c.item_room, sizeof(uint16_t))
    if c.item_list == NULL:
        raise MemoryError(FULL)
    for at in range(len(items)):
        c.words.word[at].item = <int32_t>items[at]
        c.words.word[at].list = <uint8_t>lists[at]
        if items[at] >= 0:
            c.item_list[items[at]] = <uint16_t>lists[at]


cdef plan_negation(px_counter *c, plan):
    cdef bytes prefix = plan.negation_prefix
    cdef int64_t[:, ::1] negated = plan.negated
    cdef size_t at
    c.scope = plan.scope
    c.negation_prefix_len = <uint32_t>len(prefix)
    memcpy(c.negation_prefix, <const char *>prefix, len(prefix))
    for at, of in enumerate(plan.opposite):
        c.opposite[at] = <uint16_t>of
    for at in range(<size_t>negated.shape[0]):
        c.words.word[negated[at, 0]].negated = <uint32_t>negated[at, 1]
    for at in plan.negators:
        c.words.word[at].flags |= PX_NEGATES
        c.words.word[at].followers = PX_ANY
    for at in plan.ends:
        c.words.word[at].flags |= PX_ENDS


cdef add_phrases(px_counter *c, list phrases, bint patterns):
    """A trie over word ids: (ids of the words, id of the phrase) each; with patterns any word may follow."""
    cdef dict steps = {}
    cdef list accepts = [PX_NONE]
    cdef uint64_t slots = 16, at, key
    for path, phrase in phrases:
        node = 0
        px_may_follow(c, path[0], path[1])
        if patterns:
            c.words.word[<size_t>path[0]].followers = PX_ANY
        for word in path:
            node = steps.setdefault((node, word), len(accepts))
            if node == len(accepts):
                accepts.append(PX_NONE)
        accepts[node] = phrase
    if not phrases:
        return
    while slots < 3 * <uint64_t>len(steps):
        slots *= 2
    c.trie = <px_pair *>calloc(slots, sizeof(px_pair))
    c.node_word = <uint32_t *>malloc(len(accepts) * sizeof(uint32_t))
    if c.trie == NULL or c.node_word == NULL:
        raise MemoryError(FULL)
    c.trie_mask = slots - 1
    for node, phrase in enumerate(accepts):
        c.node_word[<size_t>node] = phrase
    for (node, word), target in steps.items():
        key = (<uint64_t>node << 32 | <uint64_t>word) + 1
        at = px_mix(key, 7) & c.trie_mask
        while c.trie[at].key:
            at = (at + 1) & c.trie_mask
        c.trie[at].key = key
        c.trie[at].value = target


cdef add_patterns(px_patterns *patterns, list found):
    """Patterns in the order in which they win: (letters, kind, value) each."""
    cdef size_t n = len(found), number
    cdef uint32_t word
    cdef px_token token
    cdef const char *letters
    if not n:
        return
    patterns.value = <int32_t *>malloc(n * sizeof(int32_t))
    patterns.within = <const char **>malloc(n * sizeof(char *))
    patterns.within_len = <uint32_t *>malloc(n * sizeof(uint32_t))
    patterns.within_number = <uint32_t *>malloc(n * sizeof(uint32_t))
    if not (patterns.value and patterns.within and patterns.within_len and patterns.within_number):
        raise MemoryError(FULL)
    if px_words_init(&patterns.edge[0], 64) or px_words_init(&patterns.edge[1], 64):
        raise MemoryError(FULL)
    for number in range(n):
        text, kind, value = found[number]
        letters = text
        patterns.value[number] = value
        if kind == 2:
            patterns.within[patterns.withins] = letters
            patterns.within_len[patterns.withins] = <uint32_t>len(text)
            patterns.within_number[patterns.withins] = <uint32_t>number
            patterns.withins += 1
            continue
        px_print_safe(&token, letters, <uint32_t>len(text))
        word = px_add(&patterns.edge[<int>kind], &token)
        if word == PX_NONE:
            raise MemoryError(FULL)
        patterns.edge[<int>kind].word[word].item = <int32_t>number
        patterns.longest[<int>kind] = max(patterns.longest[<int>kind], <uint32_t>len(text))
    patterns.size = <uint32_t>n


cdef add_literals(px_counter *c, list literals):
    """Strings to find as they are: (bytes, place of the byte to look for, word) each, sorted by that byte."""
    cdef size_t at
    cdef uint8_t byte
    cdef const unsigned char *letters
    if not literals:
        return
    c.literal = <px_literal *>calloc(len(literals) + 1, sizeof(px_literal))
    if c.literal == NULL:
        raise MemoryError(FULL)
    for at, (text, anchor, word) in enumerate(literals):
        letters = text
        c.literal[at].text = letters
        c.literal[at].len = <uint32_t>len(text)
        c.literal[at].anchor = anchor
        c.literal[at].word = word
        if not c.anchor[<uint8_t>text[anchor]]:
            c.anchor[<uint8_t>text[anchor]] = <uint32_t>at + 1
        for byte in {text[anchor], text[anchor : anchor + 1].upper()[0]}:
            add_anchor(c, byte, <int>(byte >= 128))
    c.literals = len(literals)


cdef add_anchor(px_counter *c, uint8_t byte, int above):
    """The set of bytes for AVX2 and AVX-512: exact, since each half of the byte values has eight high nibbles."""
    c.high_anchors |= above
    c.nibble[2 * above][byte & 15] |= 1 << (byte >> 4 & 7)
    c.nibble[2 * above + 1][byte >> 4] |= 1 << (byte >> 4 & 7)
