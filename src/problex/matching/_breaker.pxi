"""ICU's word breaker by its C functions: for runs that no dictionary here is for, without a Python object per word."""

ctypedef void *(*Open)(int, const char *, const uint16_t *, int32_t, int *) noexcept nogil
ctypedef void (*SetText)(void *, const uint16_t *, int32_t, int *) noexcept nogil
ctypedef int32_t (*Next)(void *) noexcept nogil
ctypedef void (*Close)(void *) noexcept nogil
LOCALE = b"en"
FUNCTIONS = ("ubrk_open", "ubrk_setText", "ubrk_next", "ubrk_close")


cdef class Breaker:
    """A word breaker, by the addresses of `FUNCTIONS`; used by one thread at a time."""

    cdef void *breaker
    cdef SetText set_text
    cdef Next next_
    cdef Close close

    def __cinit__(self, uintptr_t open_, uintptr_t set_text, uintptr_t next_, uintptr_t close):
        cdef int status = 0
        self.set_text, self.next_, self.close = <SetText>set_text, <Next>next_, <Close>close
        self.breaker = (<Open>open_)(1, LOCALE, NULL, 0, &status)  # 1 is the kind of breaks: of words
        if status > 0 or self.breaker == NULL:
            raise ValueError(f"ICU's word breaker cannot be opened: its error {status}")

    def __dealloc__(self):
        if self.breaker != NULL:
            self.close(self.breaker)

    cdef int find(self, const uint16_t *text, int64_t n, Array *ends) except -1 nogil:
        """Where the words of a text end, as elements of an array."""
        cdef int status = 0
        cdef int32_t end = 0
        if n > 0x7FFFFFFF:
            with gil:
                raise ValueError(f"a run of {n} letters without spaces, expected at most {0x7FFFFFFF}: split the text")
        self.set_text(self.breaker, text, <int32_t>n, &status)
        while status <= 0:
            end = self.next_(self.breaker)
            if end < 0:
                return 0
            (<int32_t *>reserve(ends, 1, 4))[0] = end
            ends.used += 1
        with gil:
            raise ValueError(f"ICU's word breaker cannot read a text of {n} characters: its error {status}")

    def ends(self, str text):
        """Where the words of a text end, and what is between them."""
        cdef Array ends = Array(NULL, 0, 0)
        cdef bytes units = text.encode(UTF16)
        cdef int64_t i
        try:
            self.find(<const uint16_t *><const char *>units, len(units) // 2, &ends)
            return [(<int32_t *>ends.at)[i] for i in range(ends.used)]
        finally:
            free(ends.at)
