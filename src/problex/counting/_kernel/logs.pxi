"""Logs of documents, and how they become pairs: of one, or of several in parts."""


cdef class Log:
    """Documents as items with their counts, which become sums of pairs of items of different lists."""

    cdef px_counter c
    cdef object plan

    def __dealloc__(self):
        px_free(&self.c)

    @property
    def numbered_alike(self):
        """Whether its items are those known from the start, which all counters of a plan number alike."""
        return self.c.items == self.c.known_items

    def settle(self):
        """Turn the log of documents into sums of pairs."""
        cdef int failed
        with nogil:
            failed = px_settle(&self.c)
        if failed:
            raise MemoryError(FULL)

    def order_log(self):
        """Find where each item occurs in the log of documents: what `PairsPart` needs of every counter beforehand."""
        cdef int failed
        if not self.numbered_alike:
            raise ValueError("this counter has met items of its own, expected those of its plan: use merge")
        with nogil:
            failed = px_pairs_whole(&self.c) or px_order_log(&self.c)
        if failed:
            raise MemoryError(FULL)

    def pairs(self, int64_t[::1] place, int64_t size):
        """Co-occurrence of items of different lists as a sparse matrix (ends, columns, values), item i at place[i].

        Pairs come in the order of the items; where the places are in another order, the columns of a row are not.
        """
        cdef size_t i, n
        cdef uint64_t low = PX_ITEMS - 1, key
        cdef int64_t at
        cdef int ordered
        if self.c.failed:
            raise MemoryError(FULL)
        if self.c.in_log:
            self.settle()
        n = self.c.pairs.size
        for i in range(self.c.parts):
            n += self.c.part[i].size
        lengths = np.zeros(size + 1, dtype=np.int32)
        columns = np.empty(n, dtype=np.int32)
        values = np.empty(n, dtype=np.int64)
        cdef int64_t[::1] values_ = values
        cdef int32_t[::1] columns_ = columns, lengths_ = lengths
        with nogil:
            ordered = n == 0 or px_pairs_rows(&self.c, &place[0], &lengths_[0], &columns_[0], &values_[0])
        if ordered:
            return np.cumsum(lengths, dtype=index_type(n)), columns, values
        self.settle()  # in one part
        lengths[:] = 0
        with nogil:
            for i in range(n):
                lengths_[place[self.c.pairs.key[i] >> 32 & low] + 1] += 1
        ends = np.cumsum(lengths, dtype=np.int64)
        starts = ends[:size].copy()
        cdef int64_t[::1] starts_ = starts
        with nogil:
            for i in range(n):
                key = self.c.pairs.key[i]
                at = starts_[place[key >> 32 & low]]
                starts_[place[key >> 32 & low]] = at + 1
                columns_[at] = <int32_t>place[key & low]
                values_[at] = self.c.pairs.value[i]
        return ends.astype(index_type(n)), columns, values


cdef class RowLog(Log):
    """A log of documents that are the rows of a sparse matrix, with a column for each item, list by list."""

    def __cinit__(self, int lists, int64_t[::1] list_index, int64_t[::1] ends, int32_t[::1] columns,
                  int32_t[::1] counts):
        cdef Py_ssize_t i
        if px_init(&self.c, lists, 0, 64, 64):
            raise MemoryError(FULL)
        self.c.items = self.c.known_items = <int32_t>len(list_index)
        self.c.item_room = len(list_index) + 1
        self.c.item_list = <uint16_t *>calloc(self.c.item_room, sizeof(uint16_t))
        if self.c.item_list == NULL:
            raise MemoryError(FULL)
        with nogil:
            for i in range(list_index.shape[0]):
                self.c.item_list[i] = <uint16_t>list_index[i]
            for i in range(ends.shape[0] - 1):
                if ends[i + 1] > ends[i]:
                    px_log_row(&self.c, &columns[ends[i]], &counts[ends[i]], <size_t>(ends[i + 1] - ends[i]))
        if self.c.failed:
            raise MemoryError(FULL)


cdef class PairsPart:
    """The pairs of several counters that number their items alike: the part for some of the items.

    Each part can be made by a thread of its own, after all counters have ordered their logs and while nothing is
    counted. `join` then makes all parts the pairs of the first counter.
    """

    cdef px_pairs found

    def __cinit__(self, list counters, size_t part, size_t parts):
        cdef int failed
        cdef size_t n = len(counters)
        cdef px_counter **all = NULL
        if part >= parts or not all_ordered(counters):
            raise ValueError("a part and counters of one plan were expected, after order_log")
        all = pointers(counters)
        with nogil:
            failed = px_pairs_part(all, n, part, parts, &self.found)
            free(all)
        if failed:
            raise MemoryError(FULL)

    def __dealloc__(self):
        px_pairs_free(&self.found)

    @staticmethod
    def join(list counters, list parts):
        """Make the parts, in order, the pairs of the first counter."""
        cdef size_t i, n = len(counters), size = len(parts)
        cdef px_counter **all = NULL
        cdef px_pairs *part
        if not parts or not all_ordered(counters) or any(not isinstance(one, PairsPart) for one in parts):
            raise ValueError("counters and all the parts that were made of them were expected")
        all = pointers(counters)
        part = <px_pairs *>calloc(size, sizeof(px_pairs))
        if part == NULL:
            free(all)
            raise MemoryError(FULL)
        for i in range(size):
            part[i] = (<PairsPart>parts[i]).found
            memset(&(<PairsPart>parts[i]).found, 0, sizeof(px_pairs))  # they are the first counter's now
        px_pairs_join(all, n, part, size)
        free(all)


cdef bint all_ordered(list counters):
    """Whether these are counters of equal plans that have ordered their logs, at least one."""
    plans = list({id((<Log?>counter).plan): (<Log>counter).plan for counter in counters}.values())
    return (
        len(plans) > 0
        and all(one.numbers_like(plans[0]) for one in plans[1:])
        and all((<Log>counter).c.order.first != NULL for counter in counters)
    )


cdef px_counter **pointers(list counters) except NULL:
    """The structs of counters; to be freed by the caller."""
    cdef px_counter **all = <px_counter **>malloc(max(len(counters), 1) * sizeof(px_counter *))
    if all == NULL:
        raise MemoryError(FULL)
    for at, counter in enumerate(counters):
        all[<size_t>at] = &(<Log>counter).c
    return all


cdef index_type(size_t n):
    """The type of the row ends of a sparse matrix: the smaller one, where it will do."""
    return np.int32 if n <= INT32_MAX else np.int64
