# What a counter knows before the first text: a `Plan` becomes part of the struct. Part of _counter.pyx.


cdef add_words(px_counter *c, words):
    """Number the words of an Arrow array of strings, from 0 on."""
    cdef uintptr_t address, data
    cdef uint32_t new, n = <uint32_t>len(words)
    if n == 0:
        return
    address, data, _, owner = text_buffers(words)
    with nogil:
        new = px_plan_words(c, <const char *>data, <const int32_t *>address, n)
    if c.failed:
        raise MemoryError(FULL)
    if new < n:
        raise ValueError(f"the plan has the word {words[new].as_py()!r} twice, expected each once")


cdef match_patterns(px_counter *c, int64_t[::1] words):
    """Find the patterns that words of the plan match."""
    cdef Py_ssize_t i
    for i in range(words.shape[0]):
        if px_classify_word(c, word_number(c, words[i]), 1):
            raise MemoryError(FULL)


cdef add_items(px_counter *c, int64_t[::1] items, int64_t[::1] lists):
    """Give words their items, and items their lists."""
    cdef Py_ssize_t i
    if items.shape[0] != lists.shape[0] or items.shape[0] != c.words.size:
        raise ValueError(f"the plan has {len(items)} items and {len(lists)} lists for {c.words.size} words")
    for i in range(items.shape[0]):
        if items[i] >= PX_ITEMS:
            raise LexiconError(f"the lexicon has {items[i] + 1} entries, expected at most {PX_ITEMS}: leave some out")
        if items[i] < -1 or not 0 <= lists[i] < c.plan.lists:
            raise ValueError(f"word {i} of the plan has item {items[i]} of list {lists[i]}, expected one of its lists")
    if items.shape[0] and px_plan_items(c, &items[0], &lists[0], <size_t>items.shape[0]):
        raise MemoryError(FULL)


cdef add_negation(px_counter *c, plan):
    cdef bytes prefix = plan.negation_prefix
    cdef int64_t[:, ::1] negated = plan.negated
    cdef int64_t[::1] forms = plan.forms
    cdef Py_ssize_t at
    cdef int failed
    if len(prefix) > <Py_ssize_t>sizeof(c.plan.negation_prefix):
        raise ValueError(f"the prefix of negated items is {prefix!r}, expected at most 8 bytes")
    if len(plan.opposite) > c.plan.lists:
        raise ValueError(f"the plan has {len(plan.opposite)} opposite lists, expected at most {c.plan.lists}")
    c.plan.scope = plan.scope
    c.plan.negation_prefix_len = <uint32_t>len(prefix)
    memcpy(c.plan.negation_prefix, <const char *>prefix, len(prefix))
    for at, of in enumerate(plan.opposite):
        c.plan.opposite[at] = <uint16_t>of
    if forms.shape[0] > PX_ITEMS:
        size = f"{len(forms)} entries and negated forms"
        raise LexiconError(f"the lexicon has {size}, expected at most {PX_ITEMS}: leave some out")
    if forms.shape[0]:
        failed = px_plan_forms(c, &forms[0], <size_t>forms.shape[0])
        if failed:
            raise MemoryError(FULL) if failed < 0 else ValueError("an item and its negated form must name each other")
    for at in range(negated.shape[0]):
        c.words.word[word_number(c, negated[at, 0])].negated = word_number(c, negated[at, 1])
    for word in plan.negators:
        px_plan_negator(c, word_number(c, word))
    for word in plan.ends:
        px_plan_scope_end(c, word_number(c, word))


cdef uint32_t word_number(px_counter *c, int64_t word) except? 0:
    """The number of a word of the plan; an error if there is no such word."""
    if not 0 <= word < c.words.size:
        raise ValueError(f"the plan names word {word}, expected one of its {c.words.size} words")
    return <uint32_t>word


cdef add_phrases(px_counter *c, list phrases, bint patterns):
    """Phrases as (numbers of their words, number of the phrase)."""
    cdef uint32_t[::1] words
    if not phrases:
        return
    if px_plan_phrases(c, sum([len(path) for path, _ in phrases])):
        raise MemoryError(FULL)
    for path, phrase in phrases:
        words = np.array([word_number(c, word) for word in path], dtype=np.uint32)
        if words.shape[0] < 2:
            raise ValueError(f"the plan has a phrase of {words.shape[0]} words, expected at least 2")
        px_plan_phrase(c, &words[0], <size_t>words.shape[0], word_number(c, phrase), patterns)


cdef add_patterns(px_patterns *patterns, list rules):
    """Patterns as (letters, kind, value), in the order in which they win; the bytes must stay where they are."""
    cdef const char *letters
    if not rules:
        return
    if px_plan_patterns(patterns, len(rules)):
        raise MemoryError(FULL)
    for text, kind, value in rules:
        letters = text
        if not 0 <= kind <= 3 or not len(text):
            raise ValueError(f"the pattern {text!r} is of kind {kind}, expected letters and a kind from 0 to 3")
        if px_plan_pattern(patterns, letters, <uint32_t>len(text), kind, value):
            raise MemoryError(FULL)


cdef add_literals(px_counter *c, list literals):
    """Strings to find as they are: (bytes, place of the byte to look for, word) each, sorted by that byte."""
    cdef const unsigned char *letters
    if not literals:
        return
    if px_plan_literals(c, len(literals)):
        raise MemoryError(FULL)
    for text, anchor, word in literals:
        letters = text
        if not 0 <= anchor < len(text):
            raise ValueError(f"the anchor of the literal {text!r} is byte {anchor}, expected one of its bytes")
        px_plan_literal(c, letters, <uint32_t>len(text), anchor, word_number(c, word))
