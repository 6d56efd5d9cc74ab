"""Writing without spaces between words: which scripts these are, and the words of such texts by ICU's word breaker.

A run of such letters is segmented by itself, so that its words do not depend on what surrounds it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache

import pyarrow as pa

from problex._util.packages import import_optional
from problex.matching import icu
from problex.matching._runs import KINDS, Runs, Segmenter

SCRIPTS: Mapping[str, str] = {
    "Japanese": "\u3031-\u3035\u3040-\u309f\u30a0-\u30fa\u30fc-\u30ff\u31f0-\u31ff\uff66-\uff9f",
    "Chinese": "\u2e80-\u2fd5\u3005-\u3007\u3021-\u3029\u303b\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
    "\U00020000-\U000323af",
    "Thai": "\u0e01-\u0e3a\u0e40-\u0e4e",
    "Lao": "\u0e81-\u0ece\u0edc-\u0edf",
    "Khmer": "\u1780-\u17d3\u17d7\u17dc-\u17dd",
    "Burmese": "\u1000-\u103f\u1050-\u109d\uaa60-\uaa7f",
}
"""The scripts without spaces, by the language that most of their texts are in: letters and marks, for a pattern."""

UNSPACED = re.compile(f"[{''.join(SCRIPTS.values())}]+")
"""A run of letters of such scripts."""

WORD_BREAK = "\ufdd0"
"""Put between two words; Unicode reserves it for uses inside a program, so that no text has it."""

_PHRASED = "".join(SCRIPTS[name] for name in ("Thai", "Lao", "Khmer", "Burmese"))
_IS_PHRASED = re.compile(f"[{_PHRASED}]")
_SPACE_BETWEEN = re.compile(rf"(?<=[{_PHRASED}])\s+(?=[{_PHRASED}])")
_CLAUSE_END = "。"
_ASTRAL = re.compile("[\U00010000-\U0010ffff]")
_BMP_STAND_IN = "\u3400"  # a rare character, which is no part of a longer word
_RUNS_KEPT = 8 * 2**20
"""About how many bytes the short runs take whose words are kept for later texts, per thread."""
_IDLE: list[Runs] = []
"""Runs that no thread uses."""


def script_of(text: str) -> str | None:
    """The script without spaces that a text has letters of, if any.

    >>> script_of("a nice 映画"), script_of("楽しい映画"), script_of("nice")
    ('Chinese', 'Japanese', None)
    """
    return next((name for name, letters in SCRIPTS.items() if re.search(f"[{letters}]", text)), None)


def check_segmenter(words: Sequence[str], others: Iterable[str] = ()) -> None:
    """Raise if the segmenter is not installed; the error names the script of the words.

    Characters of Chinese are Japanese if kana are among the `others`.
    """
    script = script_of(words[0])
    if script == "Chinese":
        script = script_of("".join([*others, words[0]]))
    shown = ", ".join(map(repr, words[:3]))
    import_optional(
        icu.BREAKERS, f"{script} is written without spaces between words, and to find {shown} in texts problex"
    )


def segment(text: str) -> str:
    """A text with `WORD_BREAK` around the words of scripts without spaces; where these use a space, a clause ends.

    >>> segment("iPhone很好吃").split(WORD_BREAK)
    ['iPhone', '很好', '吃']
    """
    return segment_all([text])[0]


def segment_all(texts: Sequence[str]) -> list[str]:
    """The same for many texts, which takes much less time; texts that have word breaks already stay as they are."""
    runs = dict.fromkeys([run for text in texts if WORD_BREAK not in text for run in UNSPACED.findall(text)])
    if not runs:
        return list(texts)
    words = _words_of(runs)

    def marked(run: re.Match[str]) -> str:
        before = WORD_BREAK if run.start() and run.string[run.start() - 1].isalpha() else ""
        after = WORD_BREAK if run.string[run.end() : run.end() + 1].isalpha() else ""
        return before + words[run[0]] + after

    return [
        text if WORD_BREAK in text else _SPACE_BETWEEN.sub(_CLAUSE_END, UNSPACED.sub(marked, text)) for text in texts
    ]


def segment_array(texts: pa.Array) -> pa.Array:
    """The same for an Arrow array of strings, compiled, and mostly by ICU's dictionaries instead of its word breaker.

    >>> segment_array(pa.array(["很好吃", "nice"])) == pa.array(["很好\ufdd0吃", "nice"])
    True
    """
    try:
        runs = _IDLE.pop()
    except IndexError:  # other threads are at work
        runs = _new_runs()
    segmented = runs.segment(texts)
    _IDLE.append(runs)
    return segmented


def _new_runs() -> Runs:
    areas = [area.end for area in icu.AREAS]
    segmenter = Segmenter(areas, icu.dictionary_of, icu.breaker_of, word_places)
    return Runs(_kind_of, segmenter, WORD_BREAK, _CLAUSE_END, _RUNS_KEPT)


def forget_runs() -> None:
    """Forget the runs seen recently, for tests and benchmarks of texts that are new."""
    _IDLE.clear()


@cache
def _kind_of(character: str) -> int:
    """What a character is to the compiled search for runs."""
    kinds = {
        "letter": character.isalpha(),
        "space": character.isspace(),
        "unspaced": UNSPACED.match(character),
        "phrased": _IS_PHRASED.match(character),
        "mark": character == WORD_BREAK,
    }
    return sum(KINDS[name] for name, has_kind in kinds.items() if has_kind)


def _words_of(runs: Collection[str]) -> dict[str, str]:
    """Each run with `WORD_BREAK` between its words. All are segmented at once: making a breaker takes time."""
    lines = list(runs)
    joined = "\n".join(lines)
    words = [joined[start:end] for start, end in word_places(joined)]
    return dict(
        zip(lines, WORD_BREAK.join(words).replace(f"{WORD_BREAK}\n{WORD_BREAK}", "\n").split("\n"), strict=True)
    )


def word_places(text: str) -> Iterable[tuple[int, int]]:
    """The start and end of each word of a text, and of what is between them."""
    bmp = _ASTRAL.sub(_BMP_STAND_IN, text)  # places are those of UTF-16, hence no characters beyond the first plane
    return icu.word_places(bmp, script_of(text))
