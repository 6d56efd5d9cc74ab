"""The table of the lexicon as columns. A row keeps its place: new words are appended, words that are off stay.

The page gets columns as 32-bit floats after a line of JSON, which a browser reads without copying.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain

import numpy as np
from numpy.typing import ArrayLike

from problex._util.arrays import FloatArray, IntArray
from problex._util.records import Record, to_json
from problex.index import WordIndex
from problex.lexicon import Lexicon
from problex.matching.items import has_wildcard, item_of
from problex.matching.negation import NEGATED
from problex.matching.tokens import Tokenizer
from problex.workbench.results import Result

ENTRY, PHRASE, WILDCARD, MATCHED, NEGATED_FORM = "e", "p", "w", "m", "n"
"""The kinds of rows: entries, phrases and literals, wildcards, words that a wildcard matches, negated forms."""
COLUMNS = {
    "count": "count",
    "predictiveness": "predictiveness",
    "low": "low",
    "high": "high",
    "weight": "weight",
    "observed": "cross_count",
    "expected": "expected_cross_count",
    "discordant": "discordant",
}
"""The columns of the page, and those of a model that they are."""


@dataclass(eq=False)
class LexiconTable:
    """The words of the table in order, and the list that each had when the lexicon was loaded (-1: none).

    `matched` is what is matched in texts for each word.
    """

    loaded: Lexicon
    tokenizer: Tokenizer
    words: list[str] = field(default_factory=list)
    row_of: dict[str, int] = field(default_factory=dict)
    first_list: list[int] = field(default_factory=list)
    items: dict[str, tuple[str, bool]] = field(default_factory=dict)
    matched: list[str] = field(default_factory=list)
    kinds: list[str] = field(default_factory=list)
    known_places: tuple[WordIndex | None, IntArray] = (None, np.zeros(0, dtype=np.int64))

    def __post_init__(self) -> None:
        for at, words in enumerate(self.loaded.lists.values()):
            for word in words:
                self._row(word, at)

    def _row(self, word: str, first_list: int = -1) -> int:
        """The row of a word, which is added if it has none.

        >>> table = LexiconTable(Lexicon({"up": ["good"], "down": ["bad"]}), Tokenizer("en"))
        >>> [table._row(word) for word in ("bad", "good", "dull", "dull")], table.first_list  # in no list at first: -1
        ([0, 1, 2, 2], [0, 1, -1])
        """
        row = self.row_of.get(word)
        if row is None:
            row = self.row_of[word] = len(self.words)
            self.words.append(word)
            self.first_list.append(first_list)
            negated = word.startswith(NEGATED)
            self.matched.append(word if negated else self.item(word)[0])
            self.kinds.append(NEGATED_FORM if negated else self.kind_of(word))
        return row

    def _rows(self, words: Sequence[str], known: Mapping[str, int] | None = None) -> list[int]:
        """The rows of words: those that are known, else as `_row` gives them."""
        found = map((self.row_of if known is None else known).get, words)
        return [self._row(word) if row is None else row for word, row in zip(words, found, strict=True)]

    def add(self, word: str) -> None:
        """Give a word a row, as it had when it was edited before."""
        self._row(word)

    def item(self, entry: str) -> tuple[str, bool]:
        """What is matched for an entry, and whether literally."""
        if entry.isascii() and entry.isalpha():
            return entry, False
        found = self.items.get(entry)
        if found is None:
            found = self.items[entry] = item_of(entry, self.tokenizer)
        return found

    def places(self, index: WordIndex) -> IntArray:
        """The column of each row in an index."""
        corpus, known = self.known_places
        first = len(known) if corpus is index else 0
        new = [index.column(name) for name in self.matched[first:]]
        self.known_places = (index, np.concatenate([known[:first], np.array(new, dtype=np.int64)]))
        return self.known_places[1]

    def kind_of(self, entry: str) -> str:
        """The kind of an entry of the lexicon.

        >>> table = LexiconTable(Lexicon({"up": ["good"], "down": ["bad"]}), Tokenizer("en"))
        >>> [table.kind_of(entry) for entry in ("good", "well made", "enjoy*", ":-)")]
        ['e', 'p', 'w', 'p']
        """
        item, literal = self.item(entry)
        if literal or " " in item:
            return PHRASE
        return WILDCARD if has_wildcard(item, self.tokenizer.glob) else ENTRY

    def show(self, result: Result) -> View:
        """The table of a result."""
        lexicon, evidence, model = result.model.lexicon, result.model.evidence, result.model
        listed = [self._rows(words) for words in lexicon.lists.values()]
        on = list(chain.from_iterable(listed))
        row_of_item = {self.matched[row]: row for row in on}
        rows = np.array(self._rows(evidence.entries, row_of_item), dtype=np.int64)
        view = View(self, result, np.full(len(self.words), -1, dtype=np.int64))
        view.lists[on] = np.repeat(np.arange(len(listed)), [len(part) for part in listed])
        view.lists[rows] = evidence.list_index
        figures = model.columns()
        for name, source in COLUMNS.items():
            view.columns[name] = np.full(len(self.words), np.nan)
            view.columns[name][rows] = figures[source]
        view.finish(set(on), rows)
        return view


@dataclass(eq=False)
class View:
    """The table of one result: the list of each row (-1: off), its kind, its figures."""

    table: LexiconTable
    result: Result
    lists: IntArray
    columns: dict[str, FloatArray] = field(default_factory=dict)
    kinds: str = ""
    origin: dict[int, str] = field(default_factory=dict)

    def finish(self, on: set[int], rows: IntArray) -> None:
        """Kinds of all rows; counts of wildcards and of words that are off; documents of each word."""
        table, items = self.table, self.result.model.items
        count, shown = self.columns["count"], set(rows.tolist())
        sums: dict[str, int] = {}
        kinds = list(table.kinds)
        for row in shown - on:
            word = table.words[row]
            kinds[row] = NEGATED_FORM if word.startswith(NEGATED) else MATCHED
            wildcard = items.matching_wildcard(word) if kinds[row] == MATCHED else None
            if wildcard is not None:
                self.origin[row] = wildcard.pattern
                sums[wildcard.pattern] = sums.get(wildcard.pattern, 0) + int(count[row])
        places = table.places(self.result.index)
        hidden = [row for row in range(len(kinds)) if row not in shown]
        count[hidden] = self.result.index.occurrences[places[hidden]]
        for row in (row for row in hidden if kinds[row] == WILDCARD):
            count[row] = sums.get(table.item(table.words[row])[0], 0)
        self.kinds = "".join(kinds)
        self.columns["documents"] = np.diff(self.result.index.matrix.indptr)[places].astype(np.float64)

    @property
    def all_columns(self) -> dict[str, FloatArray]:
        """The columns for the page."""
        lists = {"list": self.lists.astype(np.float64), "loaded": self.first_lists}
        names = ("count", "documents", "predictiveness", "low", "high", "weight", "observed", "expected", "discordant")
        return lists | {name: self.columns[name] for name in names}

    @property
    def first_lists(self) -> FloatArray:
        """The list of each word when the lexicon was loaded."""
        return np.array(self.table.first_list[: len(self.lists)], dtype=np.float64)

    def head(self, first: int = 0) -> Record:
        """The words from a row on, and the kinds of all rows."""
        size = len(self.lists)
        letters = np.frombuffer(self.kinds.encode("ascii"), dtype="S1")
        written = (letters == ENTRY.encode()) | (letters == PHRASE.encode())
        is_unseen = written & (self.lists >= 0) & (np.nan_to_num(self.columns["count"]) == 0)
        return {
            "first": first,
            "words": self.table.words[first:size],
            "kinds": self.kinds,
            "from": {str(row): pattern for row, pattern in self.origin.items()},
            "unseen": int(is_unseen.sum()),
        }

    def record(self, word: str) -> Record | None:
        """The figures of one row; None for a word that has none."""
        row = self.table.row_of.get(word)
        if row is None or row >= len(self.lists):
            return None
        values: Iterable[tuple[str, FloatArray]] = self.columns.items()
        place = int(self.lists[row])
        return {
            "word": word,
            "list": None if place < 0 else self.result.model.classes[place],
            "kind": self.kinds[row],
            "from": self.origin.get(row),
        } | {name: None if np.isnan(column[row]) else float(column[row]) for name, column in values}


def pack(head: Record, columns: Mapping[str, ArrayLike]) -> bytes:
    """The head as a line of JSON, padded so that the columns after it begin at a multiple of four bytes.

    The head gets the names of the columns and their length, `rows`.

    >>> pack({"revision": 1}, {"weight": [0.5, 2.0]})[:64]
    b'{"revision": 1, "rows": 2, "columns": ["weight"]}  \\n\\x00\\x00\\x00?\\x00\\x00\\x00@'
    """
    arrays = {name: np.ascontiguousarray(values, dtype="<f4") for name, values in columns.items()}
    rows = {len(array) for array in arrays.values()}
    if len(rows) > 1:
        raise ValueError(f"columns of {sorted(rows)} rows were given, expected the same number in each")
    line = to_json(head | {"rows": rows.pop() if rows else 0, "columns": list(arrays)})[0].encode()
    padding = b" " * (-(len(line) + 1) % 4)
    return b"".join([line, padding, b"\n", *(array.tobytes() for array in arrays.values())])
