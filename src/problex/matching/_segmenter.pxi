"""The words of runs: by a dictionary that is for all characters of a run, or else by ICU, many runs at a time."""

cdef class Segmenter:
    """Cuts runs into words; used by one thread at a time.

    Characters belong to areas, whose ends `areas` has in order; `dictionary_of` gives the dictionary of an area by its
    number, or None, and is asked when one is met. `breaker_of` makes a `Breaker`, or None; without one, `words_of`
    gives the start and end of each word of a text.
    """

    cdef Array units, ends, scratch
    cdef object dictionary_of, breaker_of, words_of
    cdef Breaker breaker
    cdef list dictionaries
    cdef (const Table *)[MOST_AREAS] tables
    cdef uint32_t[MOST_AREAS] area_ends
    cdef int area_count
    cdef bint[MOST_AREAS] is_asked
    cdef bint is_breaker_asked

    def __cinit__(self, areas, dictionary_of, breaker_of, words_of):
        self.dictionary_of, self.breaker_of, self.words_of, self.dictionaries = dictionary_of, breaker_of, words_of, []
        if len(areas) > MOST_AREAS:
            raise ValueError(f"{len(areas)} areas of characters, expected at most {MOST_AREAS}")
        self.area_count = len(areas)
        for i, end in enumerate(areas):
            self.area_ends[i] = end

    def __dealloc__(self):
        free(self.units.at)
        free(self.ends.at)
        free(self.scratch.at)

    cdef const Table *table_of(self, uint32_t point) except? NULL nogil:
        """The dictionary for runs that begin with a character, or NULL."""
        cdef int area = 0
        while area < self.area_count and point >= self.area_ends[area]:
            area += 1
        if area == self.area_count:
            return NULL
        if not self.is_asked[area]:
            self.load(area)
        return self.tables[area]

    cdef int load(self, int area) except -1 with gil:
        """Ask for the dictionary of an area."""
        cdef Dictionary dictionary = self.dictionary_of(area)
        self.dictionaries.append(dictionary)
        self.tables[area] = NULL if dictionary is None else &dictionary.table
        self.is_asked[area] = 1
        return 0

    cdef int64_t cut(self, const char *run, int64_t size, uint32_t **ends) except -1 nogil:
        """Where the words of a run end, in characters of three bytes, and how many they are; 0 if ICU must be asked."""
        cdef int64_t n = size // 3, i, length = 0
        cdef const uint8_t *p = <const uint8_t *>run
        cdef const Table *table = self.table_of(decode(run, size, &length))
        cdef uint16_t *text
        if table == NULL or 3 * n != size or n > MOST_CHARACTERS:
            return 0
        ends[0] = <uint32_t *>reserve(&self.scratch, (NUMBERS + 1) * n + MORE_NUMBERS, 4)  # for `cut`, and the text
        text = <uint16_t *>(ends[0] + NUMBERS * n + MORE_NUMBERS)
        for i in range(n):
            if p[3 * i] & 0xF0 != 0xE0:  # another character than one of three bytes
                return 0
            text[i] = <uint16_t>((p[3 * i] & 0x0F) << 12 | (p[3 * i + 1] & 0x3F) << 6 | (p[3 * i + 2] & 0x3F))
        if not encode(table, text, n):
            return 0
        return cut(table, text, n, ends[0])

    cdef int add(self, const char *run, int64_t size) except -1 nogil:
        """Add a run to those that ICU is asked about next, with a line break behind it."""
        cdef uint16_t *to = <uint16_t *>reserve(&self.units, size + 1, 2)
        cdef int64_t at = 0, length = 0
        cdef uint32_t point
        while at < size:
            point = decode(run + at, size - at, &length)
            to[0] = <uint16_t>(point if point < 0x10000 else STAND_IN)
            to += 1
            self.units.used += 1
            at += length
        to[0] = c"\n"
        self.units.used += 1
        return 0

    cdef int find(self) except -1 nogil:
        """Where the words of the added runs end, and the line breaks."""
        self.ends.used = 0
        if not self.is_breaker_asked:
            with gil:
                self.breaker = self.breaker_of()
                self.is_breaker_asked = 1
        if <void *>self.breaker == <void *>None:
            self.find_slowly()
        else:
            self.breaker.find(<const uint16_t *>self.units.at, self.units.used, &self.ends)
        return 0

    cdef int find_slowly(self) except -1 with gil:
        """The same in Python."""
        cdef bytes units = self.units.at[:2 * self.units.used]
        for _, end in self.words_of(units.decode(UTF16)):
            (<int32_t *>reserve(&self.ends, 1, 4))[0] = end
            self.ends.used += 1
        return 0
