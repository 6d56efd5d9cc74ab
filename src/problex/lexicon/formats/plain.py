"""Plain word lists: one entry per line, `;` and `#` begin a comment. Others separate the words by commas."""

from __future__ import annotations

import re
from collections.abc import Sequence

from problex.errors import OutputError
from problex.lexicon.dictionary import Dictionary
from problex.lexicon.formats.lexicon_file import LexiconFile, LexiconReading, Output, unsupported_entry
from problex.lexicon.lexicon import Entry

MAX_PREAMBLE = 40
"""Lines at the top that may be a preamble."""
SUFFIXES = (".txt", ".lst", ".words", "")
LEAST_FORMS = 8
"""Lines of several words from which on they may be the forms of one word each."""
_NO_WORD_LIST = re.compile(r"""[\t,;:|=#%+@/\\"(){}\[\]<>]|\S[^\S\r\n]+\S""")
"""A sign of other formats or of comments, or a second word in a line."""
_CREDIT = re.compile(r"https?://|www\.|\(c\) *\d{4}|©|copyright|licen[cs]e", re.I)
_WINK = re.compile(r";[-~o^',]?[()\[\]{}|/\\<>DPpOo3*]+$")


def comment(line: str) -> bool | None:
    """Whether a line is a comment; None when it may be an entry as well, as `#metoo` may.

    >>> comment("; a remark"), comment("good"), comment(";-)"), comment("#metoo")
    (True, False, False, None)
    """
    line = line.strip()
    if not line.startswith((";", "#")) or _WINK.match(line):
        return False
    rest = line.lstrip(";#")
    is_doubtful = rest and not rest[0].isspace() and len(line.split()) == 1
    return None if is_doubtful else True


def report_comment(reading: LexiconReading, line: str, at: int) -> None:
    """Report a line that was read as a comment and may have been an entry."""
    action = "read as a comment: if it is an entry, use a table or YAML"
    reading.report("doubtful comment", line.strip(), action, at)


def is_word_list(file: LexiconFile) -> bool:
    r"""Whether a file is nothing but lines of one word each, and its name is not that of another format.

    >>> is_word_list(LexiconFile("a.txt", b"good\nhapp*\n")), is_word_list(LexiconFile("a.txt", b"good,1\nbad,2\n"))
    (True, False)
    """
    return file.suffix in SUFFIXES and _NO_WORD_LIST.search(file.text) is None


def read_plain(file: LexiconFile) -> Dictionary:
    """Read one list, named by the user or after the file."""
    reading, name = LexiconReading(file), file.default_list
    if is_word_list(file):
        reading.entries = [Entry(line, name, file.where(at)) for at, line in enumerate(file.lines, 1) if line.strip()]
        return reading.dictionary()
    start = _preamble(file.lines)
    if start:
        reading.report("preamble", file.lines[0].strip()[:60], f"{start} lines above the words left out", 1)
    if is_comma_list(file):
        lines = [(at, line) for at, line in enumerate(file.lines, start=1) if comment(line) is False]
        words = [(at, word.strip()) for at, line in lines for word in line.split(",")]
        reading.entries = [Entry(word, name, file.where(at)) for at, word in words if word]
        return reading.dictionary()
    title = _find_title(file.lines[start:])
    if title is not None:
        start += title + 1
        reading.report("title", file.lines[start - 1].strip(), "left out: a name and a number", start)
    has_forms = _has_forms(file.lines[start:])
    if has_forms:
        reading.report("forms", name, "lines read as words, not as phrases", start + 1)
    for at, line in enumerate(file.lines[start:], start=start + 1):
        is_comment = comment(line)
        if is_comment is None:
            report_comment(reading, line, at)
        elif line.strip() and not is_comment:
            for word in line.split() if has_forms else [line]:
                reading.add(word, name, at)
    return reading.dictionary()


def _preamble(lines: Sequence[str]) -> int:
    """The number of lines up to the last with an address or a licence, near the top of a list.

    >>> _preamble(["See https://a.b", "", "good", "bad"]), _preamble(["https://a.b", "good", "bad"])
    (2, 0)
    """
    top = [line.strip() for line in lines[:MAX_PREAMBLE]]
    marked = [
        at for at, line in enumerate(top, start=1) if " " in line and _CREDIT.search(line) and comment(line) is not True
    ]
    if not marked or len(lines) < 2 * marked[-1]:
        return 0
    end = marked[-1]
    while end < len(top) and (not top[end] or re.search(r" ?: |^\d+\) ", top[end])):
        end += 1
    return end if any(map(str.strip, lines[end:])) else 0


def _has_forms(lines: Sequence[str]) -> bool:
    """Whether the words of a line are forms of one word, which begin with the same two letters in nearly every line.

    Lines of forms have different numbers of words, unlike those of a table with two columns.

    >>> _has_forms(["able abler ablest", "go goes going gone", "act acted acting acts"] * 3), _has_forms(["so so"] * 9)
    (True, False)
    """
    several = [words for line in lines if comment(line) is False and len(words := line.casefold().split()) > 1]
    alike = sum(len({word[:2] for word in words}) == 1 and len(set(words)) > 1 for words in several)
    is_ragged = len(set(map(len, several))) > 1
    return is_ragged and len(several) >= LEAST_FORMS and alike > 0.8 * len(several)


def _find_title(lines: Sequence[str]) -> int | None:
    r"""The position of a first line with a name and the number of the entries: `positive words<TAB>836`.

    >>> _find_title(["positive words\t836", "good", "fine"]), _find_title(["good\t1", "bad\t-1", "fine\t1"])
    (0, None)
    """
    filled = [at for at, line in enumerate(lines) if line.strip()]
    if len(filled) < 3 or any("\t" in lines[at].strip() for at in filled[1:]):
        return None
    return filled[0] if re.fullmatch(r"[^\t]+\t+\d+", lines[filled[0]].strip()) else None


def is_comma_list(file: LexiconFile) -> bool:
    """Whether words are separated by commas, in one line or in lines that end in one.

    >>> lines = b"able, fair, fine, good, kind, nice", b"able, fair, fine, good, kind, 1"
    >>> [is_comma_list(LexiconFile("a.txt", line)) for line in lines]
    [True, False]
    """
    lines = [line.strip() for line in file.filled if comment(line) is False]
    if not lines or sum(line.count(",") for line in lines) < max(5, 3 * len(lines)):
        return False
    if any(any(character.isdigit() for character in line.split(",")[-1]) for line in lines[:5]):
        return False  # words and weights
    is_wrapped = len(lines) > 1 and all(line.endswith(",") for line in lines[:-1])
    by_letter = len(lines) <= 30 and len({line[:1] for line in lines}) == len(lines) and min(map(len, lines)) > 0
    return len(lines) == 1 or is_wrapped or (by_letter and all(", " in line for line in lines if len(line) > 40))


def is_comma_line(file: LexiconFile) -> bool:
    """Words separated by commas in one line, whatever the suffix."""
    lines = [line for line in file.filled if comment(line) is False]
    return len(lines) == 1 and is_comma_list(file) and not lines[0].lstrip().startswith(("{", "["))


def write_plain(dictionary: Dictionary) -> Output:
    """Write the one list of a dictionary, an entry per line."""
    if len(dictionary.categories) > 1:
        raise OutputError(
            f"a plain list holds one category, and there are {len(dictionary.categories)} "
            f"({', '.join(dictionary.categories[:8])}): choose one with --list, or write .csv"
        )
    lines, issues = [], []
    for entry in dictionary.entries:
        if comment(entry.text) is not False:
            issues.append(unsupported_entry(entry, "it would be read as a comment"))
        else:
            lines.append(entry.text)
    return Output.from_lines(lines, issues, dictionary, weights=False)
