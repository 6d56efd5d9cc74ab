# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""The cells of a table in one pass over its bytes, without the GIL, if its rows are as `csv` modules write them."""

from libc.stdint cimport int32_t
from libc.stdlib cimport free, realloc
from libc.string cimport memchr, memcmp, memcpy

import numpy as np

cdef enum:
    MAX_DOUBTFUL = 1 << 12
    MORE_ROWS = 1 << 10
cdef enum: MAX_BYTES = 4 << 20  # for the memory that the places of many short cells take: 12 bytes each
cdef enum: IRREGULAR = -1, NO_MEMORY = -2


cdef struct Span:
    int32_t start, stop
    int32_t doubled  # quotes in the cell that are written twice


cdef struct Scan:
    # What is known of the rows, and what is found.
    const char *begin
    const char *end
    const char *header
    Py_ssize_t header_size
    int width, wanted, quote  # the quote is -1 if there is none
    char delimiter
    const int32_t *places  # the place of each column among those that are wanted, or -1
    Span *spans
    Py_ssize_t rows, room, doubtful
    const char *after  # the end of the last whole row
    int32_t *doubts  # a row, and the cell in it that may have rows


cdef const char *find_end(const char *p, const char *end, char likely, char other) noexcept nogil:
    """Where a cell without quotes ends: at one of two bytes or at a carriage return, or nowhere.

    The byte that is likely comes first, so that the others are sought in the cell alone.
    """
    cdef const char *found = <const char *>memchr(p, likely, end - p)
    end = found if found != NULL else end
    found = <const char *>memchr(p, other, end - p)
    end = found if found != NULL else end
    found = <const char *>memchr(p, c"\r", end - p)
    return found if found != NULL else end


cdef int is_numbered(const char *p, const char *end, char delimiter) noexcept nogil:
    """Whether a line begins with a number, in quotes or not, and a delimiter."""
    cdef const char *digits
    while p < end and p[0] == c'"':
        p += 1
    digits = p
    while p < end and c"0" <= p[0] <= c"9":
        p += 1
    if p == digits:
        return 0
    while p < end and p[0] == c'"':
        p += 1
    return p < end and p[0] == delimiter


cdef int may_have_rows(const char *row, const char *start, const char *stop, char delimiter) noexcept nogil:
    """Whether a quoted cell has several lines, the last of which begins with a number as the row does."""
    cdef const char *line = stop
    if memchr(start, c"\n", stop - start) == NULL or not is_numbered(row, start, delimiter):
        return 0
    while (line - 1)[0] != c"\n" and (line - 1)[0] != c"\r":
        line -= 1
    return is_numbered(line, stop, delimiter)


cdef int is_special(const Scan *scan, const char *row) noexcept nogil:
    """Whether a row begins with a byte order mark or is the header again."""
    cdef Py_ssize_t size = scan.header_size, left = scan.end - row
    if left >= 3 and memcmp(row, b"\xef\xbb\xbf", 3) == 0:
        return 1
    if not size or left < size or row[0] != scan.header[0] or memcmp(row, scan.header, size) != 0:
        return 0
    return left == size or row[size] == c"\n" or row[size] == c"\r"


cdef const char *scan_quoted(Scan *scan, const char *row, const char *p, int column, Span *span) noexcept nogil:
    """Where a quoted cell ends, behind its quote, or NULL if it does not end."""
    cdef const char *start = p
    span.doubled = 0
    while True:
        p = <const char *>memchr(p, scan.quote, scan.end - p)
        if p == NULL or p + 1 == scan.end:
            return NULL
        if p[1] != <char>scan.quote:
            break
        span.doubled += 1
        p += 2
    span.start, span.stop = <int32_t>(start - scan.begin), <int32_t>(p - scan.begin)
    if column and may_have_rows(row, start, p, scan.delimiter):
        if scan.doubtful < MAX_DOUBTFUL:
            scan.doubts[3 * scan.doubtful] = <int32_t>(row - scan.begin)
            scan.doubts[3 * scan.doubtful + 1] = span.start - 1
            scan.doubts[3 * scan.doubtful + 2] = span.stop + 1
        scan.doubtful += 1
    return p + 1


cdef const char *scan_row(Scan *scan, const char *row, int *problem) noexcept nogil:
    """Where a row ends, behind its line end; NULL if it is not whole, or if there is a problem."""
    cdef const char *p = row
    cdef int column, place, is_last
    cdef Span span
    for column in range(scan.width):
        if p < scan.end and <unsigned char>p[0] == scan.quote:
            p = scan_quoted(scan, row, p + 1, column, &span)
            if p == NULL:
                return NULL
        else:
            span.start, span.doubled = <int32_t>(p - scan.begin), 0
            is_last = column == scan.width - 1
            p = find_end(
                p, scan.end, c"\n" if is_last else scan.delimiter, scan.delimiter if is_last else c"\n"
            )
            span.stop = <int32_t>(p - scan.begin)
            if p == scan.end:
                return NULL
        place = scan.places[column]
        if place >= 0:
            scan.spans[scan.rows * scan.wanted + place] = span
        if column < scan.width - 1:
            problem[0] = p[0] != scan.delimiter
            if problem[0]:
                return NULL
            p += 1
    if p[0] == c"\n":
        problem[0] = p - row == scan.width - 1 and scan.width > 1
        return p + 1
    problem[0] = p[0] != c"\r" or (p + 1 < scan.end and p[1] != c"\n") or (p - row == scan.width - 1 and scan.width > 1)
    return p + 2 if p + 1 < scan.end else NULL


cdef int scan_rows(Scan *scan) noexcept nogil:
    """Find the cells of all whole rows; 0, or what is wrong."""
    cdef const char *p = scan.begin
    cdef Span *spans
    cdef int problem = 0
    while p < scan.end:
        if p[0] == c"\n" or (p[0] == c"\r" and p + 1 < scan.end and p[1] == c"\n"):  # a line without anything
            p += 1 + (p[0] == c"\r")
            scan.after = p
            continue
        if is_special(scan, p):
            return IRREGULAR
        if scan.rows == scan.room:
            scan.room = 2 * scan.room + MORE_ROWS
            spans = <Span *>realloc(scan.spans, scan.room * scan.wanted * sizeof(Span))
            if spans == NULL:
                return NO_MEMORY
            scan.spans = spans
        p = scan_row(scan, p, &problem)
        if problem:
            return IRREGULAR
        if p == NULL:
            break
        scan.rows += 1
        scan.after = p
    return 0


cdef void copy_column(const Scan *scan, int place, int32_t *ends, char *cells) noexcept nogil:
    """Copy the cells of a column, one after the other; of two quotes within a cell, one."""
    cdef Py_ssize_t row
    cdef Span span
    cdef const char *p
    cdef const char *stop
    cdef const char *quote
    cdef char *to = cells
    ends[0] = 0
    for row in range(scan.rows):
        span = scan.spans[row * scan.wanted + place]
        p, stop = scan.begin + span.start, scan.begin + span.stop
        while span.doubled:
            quote = <const char *>memchr(p, scan.quote, stop - p) + 1
            memcpy(to, p, quote - p)
            to += quote - p
            p = quote + 1
            span.doubled -= 1
        memcpy(to, p, stop - p)
        to += stop - p
        ends[row + 1] = <int32_t>(to - cells)


def split_cells(
    const unsigned char[::1] rows, int width, columns, bytes delimiter, bytes quote, bytes header, allocate
):
    """The cells of some columns of a table, or None if not every row is as usual.

    Usual rows have `width` cells and end with a line feed, after a carriage return or not. A cell is in quotes, which
    are doubled within it, or begins with none. None of the rows is the `header`, nor nothing but delimiters; lines
    without anything are passed over. What comes after the last whole row is left.
    The result is the end of that row, how many there are, for each column the ends of its cells and their bytes, and
    for each cell that may contain rows because a quote was left open, the start of its row, its own start and its end.
    `allocate` returns a buffer of so many bytes.
    """
    cdef Scan scan
    cdef int problem
    cdef Py_ssize_t row, size
    cdef int32_t place
    cdef int32_t[::1] places = np.full(width, -1, np.int32)
    cdef int32_t[:, ::1] doubts = np.empty((MAX_DOUBTFUL, 3), np.int32)
    cdef const char *delimiter_ = delimiter
    cdef const unsigned char *quote_ = quote
    cdef signed char[::1] ends, cells
    if not 0 < len(rows) <= MAX_BYTES:
        return None
    if not columns or len(set(columns)) != len(columns) or not 0 <= min(columns) <= max(columns) < width:
        raise ValueError(f"columns {list(columns)} were given, expected distinct column numbers from 0 to {width - 1}")
    for place, column in enumerate(columns):
        places[column] = place
    scan.begin, scan.end, scan.after = <const char *>&rows[0], <const char *>&rows[0] + rows.shape[0], NULL
    scan.header, scan.header_size = header, len(header)
    scan.width, scan.wanted, scan.delimiter = width, len(columns), delimiter_[0]
    scan.quote = quote_[0] if quote else -1
    scan.places, scan.doubts = &places[0], &doubts[0, 0]
    scan.spans, scan.rows, scan.room, scan.doubtful = NULL, 0, 0, 0
    try:
        with nogil:
            problem = scan_rows(&scan)
        if problem == NO_MEMORY:
            raise MemoryError
        if problem or not scan.rows or scan.doubtful > MAX_DOUBTFUL:
            return None
        found = []
        for place in range(scan.wanted):
            size = 0
            for row in range(scan.rows):
                size += scan.spans[row * scan.wanted + place].stop - scan.spans[row * scan.wanted + place].start
            column = allocate(4 * (scan.rows + 1)), allocate(size + 1)
            ends, cells = column
            with nogil:
                copy_column(&scan, place, <int32_t *>&ends[0], <char *>&cells[0])
            found.append(column)
        return scan.after - scan.begin, scan.rows, found, np.asarray(doubts)[: scan.doubtful].tolist()
    finally:
        free(scan.spans)
