"""Writing without spaces between words: which scripts these are, and the words of such texts by ICU's word breaker.

A run of such letters is segmented by itself, so that its words do not depend on what surrounds it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence

from problex._util.late import import_optional

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
_RUNS = re.compile(f"({UNSPACED.pattern})")

WORD_BREAK = "\ufdd0"
"""Put between two words; Unicode reserves it for uses inside a program, so that no text has it."""

BREAKERS = "icu4py.breakers"
_PHRASED = "".join(SCRIPTS[name] for name in ("Thai", "Lao", "Khmer", "Burmese"))
_SPACE_BETWEEN = re.compile(rf"(?<=[{_PHRASED}])\s+(?=[{_PHRASED}])")
_CLAUSE_END = "。"


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
    import_optional(BREAKERS, f"{script} is written without spaces between words, and to find {shown} in texts problex")


def segment(text: str) -> str:
    """A text with `WORD_BREAK` around the words of scripts without spaces; where these use a space, a clause ends.

    >>> segment("iPhone很好吃").split(WORD_BREAK)
    ['iPhone', '很好', '吃']
    """
    return segment_all([text])[0]


def segment_all(texts: Sequence[str]) -> list[str]:
    """The same for many texts, which takes much less time; texts that have word breaks already stay as they are."""
    parts = [[text] if WORD_BREAK in text else _RUNS.split(text) for text in texts]
    runs = dict.fromkeys([run for each in parts for run in each[1::2]])
    if not runs:
        return list(texts)
    words = _words_of(runs)
    return [_joined(each, words) if len(each) > 1 else each[0] for each in parts]


def _words_of(runs: Collection[str]) -> dict[str, str]:
    """Each run with `WORD_BREAK` between its words. All are segmented at once: making a breaker takes time."""
    lines = "\n".join(runs)
    breakers = import_optional(BREAKERS, f"{script_of(lines)} text, written without spaces between words,")
    cut = WORD_BREAK.join(breakers.WordBreaker(lines, "en"))
    return dict(zip(runs, cut.split(f"{WORD_BREAK}\n{WORD_BREAK}"), strict=True))


def _joined(parts: list[str], words: Mapping[str, str]) -> str:
    """A text from its parts, every second of which is a run: with the words of runs, and breaks where letters touch."""
    parts[1::2] = [
        WORD_BREAK * before[-1:].isalpha() + words[run] + WORD_BREAK * after[:1].isalpha()
        for before, run, after in zip(parts[::2], parts[1::2], parts[2::2], strict=False)
    ]
    return _SPACE_BETWEEN.sub(_CLAUSE_END, "".join(parts))
