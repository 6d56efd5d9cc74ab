# Logs of documents, and how they become pairs: of one counter, or of several in parts. Part of _counter.pyx.


NO_PLACE = "an item with pairs has place -1, expected a row and column of the matrix"

cdef enum:
    FREE, WORDS, ALL  # what a thread uses of a counter: nothing, all but the log and its pairs, all


cdef class Log:
    """Documents as items with their counts, which become sums of pairs of items of different lists."""

    cdef px_counter c
    cdef object plan
    cdef int use  # by the thread that changes it: FREE, WORDS or ALL; set only with the GIL, as the next
    cdef int readers  # how many threads sum its log

    def __dealloc__(self):
        px_free(&self.c)

    @property
    def numbered_alike(self):
        """Whether its items are those known from the start, which all counters of a plan number alike."""
        return self.c.items.size == self.c.items.known

    def flush_log(self):
        """Turn the log of documents into sums of pairs."""
        with InUse(self, ALL):
            self.sum_log()

    cdef sum_log(self):
        cdef int failed
        with nogil:
            failed = px_flush_log(&self.c)
        if failed:
            raise memory_error(&self.c)

    def order_log(self):
        """Find where each item occurs in the log of documents: `PairsPart` needs that of every counter beforehand."""
        cdef int failed
        if not self.numbered_alike:
            raise ValueError("this counter has matched items of its own, expected those of its plan: use merge")
        with InUse(self, ALL):
            with nogil:
                failed = px_pairs_whole(&self.c.pairs) or px_order_log(&self.c)
            if failed:
                raise memory_error(&self.c)

    def pairs(self, int64_t[::1] place, int64_t size, int threads=1):
        """Co-occurrence of items of different lists as a sparse matrix (ends, columns, values), item i at place[i].

        Rows are in the order of the items; where the places are in another order, the columns of a row are not sorted.
        A place is -1 for an item without pairs.
        """
        if len(place) < self.c.items.size or (len(place) and not -1 <= np.min(place) <= np.max(place) < size):
            expected = f"expected a place below {size} for each of {self.c.items.size} items"
            raise ValueError(f"{expected}, got {len(place)} places")
        with InUse(self, ALL):
            return self.placed_pairs(place, size, threads)

    def count_pairs(self):
        """How many pairs there are, and how many bytes they take here."""
        with InUse(self, ALL):
            if self.c.log.size:
                self.sum_log()
            return px_pairs_count(&self.c.pairs), px_pairs_bytes(&self.c.pairs)

    cdef placed_pairs(self, int64_t[::1] place, int64_t size, int threads):
        cdef size_t n
        if self.c.failed:
            raise memory_error(&self.c)
        if self.c.log.size:
            self.sum_log()
        n = px_pairs_count(&self.c.pairs)
        starts = np.zeros(size + 1, dtype=np.int64)
        columns, values = np.empty(n, dtype=np.int32), np.empty(n, dtype=np.int64)
        cdef int64_t[::1] starts_ = starts
        cdef int failed = 0
        with nogil:
            if n:
                failed = px_pairs_starts(&self.c.pairs, &place[0], size, &starts_[0])
        if failed:
            raise ValueError(NO_PLACE)
        jobs = [partial(place_part, self, part, place, starts_, columns, values)
                for part in range(self.c.pairs.parts + 1 if n else 0)]
        if len(jobs) == 1:
            jobs[0]()
        else:
            call_all(jobs, threads)
        return starts.astype(index_type(n)), columns, values


def place_part(Log log, size_t part, int64_t[::1] place, int64_t[::1] starts, int32_t[::1] columns,
               int64_t[::1] values):
    """Write the columns and values of a part of the pairs, which begin at the `starts` of their rows."""
    cdef int failed
    with nogil:
        failed = px_pairs_values(px_part_of(&log.c.pairs, part), &place[0], &starts[0], &columns[0], &values[0])
    if failed:
        raise ValueError(NO_PLACE)


cdef class InUse:
    """Holds a counter for one thread, for the length of a with block. With WORDS others may sum its log meanwhile."""

    cdef Log log

    def __cinit__(self, Log log, int use):
        if log.use != FREE or (use == ALL and log.readers):
            raise RuntimeError("this counter is in use, expected one thread at a time: make a counter for each thread")
        log.use = use
        self.log = log

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.log.use = FREE


cdef class RowLog(Log):
    """A log of documents that are the rows of a sparse matrix, with a column for each item, list by list."""

    def __cinit__(self, int lists, int64_t[::1] list_index, int64_t[::1] ends, int32_t[::1] columns,
                  int32_t[::1] counts):
        cdef Py_ssize_t i
        check_rows(lists, np.asarray(list_index), np.asarray(ends), np.asarray(columns), np.asarray(counts))
        if px_init(&self.c, lists, 0, 64, 64) or px_plan_columns(&self.c, &list_index[0], <size_t>len(list_index)):
            raise MemoryError(FULL)
        with nogil:
            for i in range(ends.shape[0] - 1):
                if ends[i + 1] > ends[i]:
                    px_log_row(&self.c, &columns[ends[i]], &counts[ends[i]], <size_t>(ends[i + 1] - ends[i]))
        if self.c.failed:
            raise memory_error(&self.c)


cdef check_rows(int lists, list_index, ends, columns, counts):
    """Raise unless these are a sparse matrix of counts whose columns are in the order of their lists."""
    size = len(list_index)
    if not (1 <= lists <= PX_LISTS and 1 <= size < PX_ITEMS):
        raise ValueError(f"{size} columns of {lists} lists, expected 1 to {PX_ITEMS - 1} of 1 to {PX_LISTS}")
    if not (0 <= list_index[0] and np.all(np.diff(list_index) >= 0) and list_index[size - 1] < lists):
        raise ValueError(f"the lists of the columns are not in ascending order, from 0 to {lists - 1}")
    if not (len(ends) and ends[0] == 0 and np.all(np.diff(ends) >= 0) and ends[len(ends) - 1] == len(columns)):
        raise ValueError(f"the ends of the rows do not ascend from 0 to {len(columns)}, the number of entries")
    if len(counts) != len(columns):
        raise ValueError(f"the rows have {len(columns)} columns and {len(counts)} counts, expected as many")
    if len(columns) and not (0 <= columns.min() and columns.max() < size and counts.min() >= 0):
        raise ValueError(f"the rows have columns beyond 0 to {size - 1}, or negative counts")
    within = np.ones(max(len(columns) - 1, 0), dtype=bool)
    starts = ends[(ends > 0) & (ends < len(columns))]
    within[starts - 1] = False
    if np.any(within & (np.diff(columns) <= 0)):
        raise ValueError("the columns of a row are not in ascending order: sort the indices of the matrix")


cdef class PairsPart:
    """The pairs of several counters that number their items alike: the part for some of the items.

    Each part can be made by a thread of its own, after all counters have ordered their logs and while nothing is
    counted. `join` then makes all parts the pairs of the first counter.
    """

    cdef px_pairs pairs

    def __cinit__(self, list counters, size_t part, size_t parts):
        cdef int failed
        cdef size_t n = len(counters)
        cdef px_counter **all = NULL
        if part >= parts or not all_ordered(counters):
            raise ValueError("expected a part and counters of one plan, after order_log")
        all = pointers(counters)
        for counter in counters:
            (<Log>counter).readers += 1
        with nogil:
            failed = px_pairs_part(all, n, part, parts, &self.pairs)
            free(all)
        for counter in counters:
            (<Log>counter).readers -= 1
        if failed:
            raise MemoryError(FULL)

    def __dealloc__(self):
        px_pairs_free(&self.pairs)

    @staticmethod
    def join(list counters, list parts):
        """Make the parts, in order, the pairs of the first counter."""
        cdef size_t i, n = len(counters), size = len(parts)
        cdef px_counter **all = NULL
        cdef px_pairs *part
        if not parts or not all_ordered(counters) or any(not isinstance(one, PairsPart) for one in parts):
            raise ValueError("expected counters and all the parts that were made of them")
        all = pointers(counters)
        part = <px_pairs *>calloc(size, sizeof(px_pairs))
        if part == NULL:
            free(all)
            raise MemoryError(FULL)
        for i in range(size):
            part[i] = (<PairsPart>parts[i]).pairs
            memset(&(<PairsPart>parts[i]).pairs, 0, sizeof(px_pairs))  # now they belong to the first counter
        px_pairs_join(all, n, part, size)
        free(all)


cdef bint all_ordered(list counters) except -1:
    """Whether these are counters of equal plans that have ordered their logs, at least one, and all unchanged since."""
    plans = list({id((<Log?>counter).plan): (<Log>counter).plan for counter in counters}.values())
    if any([(<Log>counter).use == ALL for counter in counters]):
        raise RuntimeError("a counter is in use by another thread: sum the pairs when all texts are counted")
    return (
        len(plans) > 0
        and all([one.numbers_like(plans[0]) for one in plans[1:]])
        and all([(<Log>counter).c.pairs.order.first != NULL for counter in counters])
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
    """The type of the row ends of a sparse matrix: 32 bits where they suffice."""
    return np.int32 if n <= INT32_MAX else np.int64


cdef copied(const void *numbers, size_t size, dtype, size_t zeros=0):
    """An array of C as one of numpy, after some zeros."""
    cdef Py_buffer bytes_
    cdef size_t before
    array = np.empty(zeros + size, dtype)
    if zeros + size:
        PyObject_GetBuffer(array, &bytes_, PyBUF_SIMPLE)
        before = zeros * <size_t>bytes_.len // (zeros + size)
        memset(bytes_.buf, 0, before)
        if size:
            memcpy(<char *>bytes_.buf + before, numbers, <size_t>bytes_.len - before)
        PyBuffer_Release(&bytes_)
    return array
