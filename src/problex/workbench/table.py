"""The table of the lexicon as columns. A row keeps its place: new words are appended, words that are off stay."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from problex._util.arrays import FloatArray, IntArray
from problex._util.records import Record
from problex.lexicon import Lexicon
from problex.matching.items import item_of
from problex.matching.negation import NEGATED
from problex.matching.tokens import Tokenizer
from problex.workbench.bench import Result

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
class Table:
    """The words of the table in order, and the list that each had when the lexicon was loaded (-1: none)."""

    loaded: Lexicon
    tokenizer: Tokenizer
    words: list[str] = field(default_factory=list)
    row_of: dict[str, int] = field(default_factory=dict)
    first_list: list[int] = field(default_factory=list)
    items: dict[str, tuple[str, bool]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for at, words in enumerate(self.loaded.lists.values()):
            for word in words:
                self._row(word, at)

    def _row(self, word: str, first_list: int = -1) -> int:
        """The row of a word, which is added if it has none."""
        row = self.row_of.get(word)
        if row is None:
            row = self.row_of[word] = len(self.words)
            self.words.append(word)
            self.first_list.append(first_list)
        return row

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

    def kind_of(self, entry: str) -> str:
        """The kind of an entry of the lexicon."""
        item, literal = self.item(entry)
        if literal or " " in item:
            return PHRASE
        return WILDCARD if "*" in item else ENTRY

    def show(self, result: Result) -> View:
        """The table of a result."""
        lexicon, evidence, model = result.model.lexicon, result.model.evidence, result.model
        on = {self._row(word): at for at, words in enumerate(lexicon.lists.values()) for word in words}
        row_of_item = {self.item(self.words[row])[0]: row for row in on}
        rows = np.fromiter(
            (row_of_item[entry] if entry in row_of_item else self._row(entry) for entry in evidence.entries),
            np.int64,
            len(evidence.entries),
        )
        view = View(self, result, np.full(len(self.words), -1, dtype=np.int64))
        view.lists[list(on)] = list(on.values())
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

    table: Table
    result: Result
    lists: IntArray
    columns: dict[str, FloatArray] = field(default_factory=dict)
    kinds: str = ""
    origin: dict[int, str] = field(default_factory=dict)

    def finish(self, on: set[int], rows: IntArray) -> None:
        """Kinds of all rows; counts of wildcards and of words that are off; documents of each word."""
        table, remembered = self.table, self.result.remembered
        items = self.result.model.items
        count = self.columns["count"]
        documents = np.full(len(table.words), np.nan)
        in_documents = np.diff(remembered.matrix.indptr)
        shown = set(rows.tolist())
        kinds = []
        sums: dict[str, int] = {}
        for row, word in enumerate(table.words):
            if row in on:
                kind = table.kind_of(word)
            elif word.startswith(NEGATED):
                kind = NEGATED_FORM
            elif row in shown:
                kind = MATCHED
                wildcard = items.matching_wildcard(word)
                if wildcard is not None:
                    self.origin[row] = wildcard.pattern
                    sums[wildcard.pattern] = sums.get(wildcard.pattern, 0) + int(count[row])
            else:
                kind = table.kind_of(word)
            kinds.append(kind)
            item = word if kind in (MATCHED, NEGATED_FORM) else table.item(word)[0]
            column = remembered.column(item)
            documents[row] = in_documents[column]
            if row not in shown and kind != WILDCARD:
                count[row] = remembered.occurrences[column]
        for row, kind in enumerate(kinds):
            if kind == WILDCARD:
                count[row] = sums.get(table.item(table.words[row])[0], 0)
        self.kinds = "".join(kinds)
        self.columns["documents"] = documents

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
        unseen = [kind in (ENTRY, PHRASE) for kind in self.kinds]
        is_unseen = np.array(unseen) & (self.lists >= 0) & (np.nan_to_num(self.columns["count"]) == 0)
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
