"""Keywords in context: where a word stands in the texts, and a look at every document on the way."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from problex._util.arrays import IntArray
from problex.corpus.documents import Batch, strip_markup
from problex.counting.kernel import row_counter
from problex.counting.tables import Table, tabulate_slowly, tabulate_with
from problex.matching.items import Items
from problex.matching.spans import find
from problex.matching.tokens import APOSTROPHES, Tokenizer

WIDTH, LINES = 40, 3
"""Characters on either side of the keyword, and lines for each word."""


@dataclass(frozen=True)
class Context:
    """A keyword as it stands in document `row` (counted from 0), with the text around it."""

    row: int
    left: str
    keyword: str
    right: str

    def __str__(self) -> str:
        return f"{self.left}[{self.keyword}]{self.right}"


@dataclass(frozen=True)
class Survey:
    """What a pass over the texts has seen: documents, those without an entry, and contexts of words."""

    documents: int
    unmatched: int
    contexts: Mapping[str, tuple[Context, ...]]


def survey(
    stream: Iterable[Batch],
    items: Items,
    tokenizer: Tokenizer,
    words: Sequence[str],
    *,
    entries: Sequence[str] | None = None,
    markup: bool = False,
) -> Survey:
    """Look through texts once: count documents without a match, and find lines for `words`.

    `entries` are those that were counted, if wildcards and negation have made more of them than the lexicon has.
    Lines come from different documents and, as far as there are some, from such as lean to different lists.

    >>> from problex.corpus.documents import batches
    >>> from problex.matching.items import items_of
    >>> from problex.lexicon.lexicon import Lexicon
    >>> items = items_of(Lexicon({"a": ["good"], "b": ["bad"]}), Tokenizer())
    >>> seen = survey(batches(["A good day.", "Nothing."]), items, Tokenizer(), ["day"])
    >>> seen.documents, seen.unmatched, str(seen.contexts["day"][0])
    (2, 1, 'A good [day].')
    """
    names = items.names if entries is None else entries
    member = _member(names, items)
    columns = {name: at for at, name in enumerate(names)}
    for word in words:
        columns.setdefault(word, len(columns))
    wanted = np.array([columns[word] for word in words], dtype=np.int64)
    found: dict[str, dict[int, list[Context]]] = {word: {} for word in words}
    counter = row_counter(items, tokenizer, columns) if tokenizer.custom is None else None
    documents = unmatched = 0
    for batch in stream:
        batch = replace(batch, texts=strip_markup(batch.texts)) if markup else batch
        if counter is not None:
            table = tabulate_with(counter, batch.texts, columns)
        else:
            table = tabulate_slowly(batch.texts, items, tokenizer, columns)
        totals, lean = _leans(table, member)
        documents += len(lean)
        unmatched += int(np.sum(totals == 0))
        matrix = table.matrix[:, wanted].tocsc()
        for at, word in enumerate(words):
            rows = matrix.indices[matrix.indptr[at] : matrix.indptr[at + 1]].astype(np.int64)
            _collect(found[word], word, rows, lean, batch, tokenizer)
    return Survey(documents, unmatched, {word: _varied(lines) for word, lines in found.items()})


def _member(names: Sequence[str], items: Items) -> IntArray:
    """Which list each entry belongs to, as a table of zeros and ones."""
    member = np.zeros((len(names), len(items.lists)), dtype=np.int64)
    for at, name in enumerate(names):
        of = items.find(name)
        if of is not None:
            member[at, of] = 1
    return member


def _leans(table: Table, member: IntArray) -> tuple[IntArray, IntArray]:
    """The list tokens of each document, and the list that has most of them (-1: a tie, or none)."""
    totals = np.asarray(table.matrix[:, : len(member)] @ member)
    best = totals.max(axis=1, initial=0)
    tie = (totals == best[:, None]).sum(axis=1) > 1
    return totals.sum(axis=1), np.where(tie, -1, totals.argmax(axis=1))


def _collect(
    lines: dict[int, list[Context]], word: str, rows: IntArray, lean: IntArray, batch: Batch, tokenizer: Tokenizer
) -> None:
    """Add a line from each document, until its lean has enough of them."""
    for row in rows.tolist():
        kept = lines.setdefault(int(lean[row]), [])
        if len(kept) < LINES:
            line = in_context(batch.texts[row].as_py(), word, tokenizer)
            kept += [] if line is None else [Context(batch.first_row + row, *line)]


def _varied(lines: Mapping[int, list[Context]]) -> tuple[Context, ...]:
    """Lines from documents of different leans in turn, those without a lean last."""
    leans = sorted(lean for lean in lines if lean >= 0)
    turns = [lines[lean][turn] for turn in range(LINES) for lean in leans if turn < len(lines[lean])]
    return tuple([*turns, *lines.get(-1, [])][:LINES])


def in_context(text: str, word: str, tokenizer: Tokenizer, width: int = WIDTH) -> tuple[str, str, str] | None:
    """The first place of a word or phrase in a text: what stands before, the keyword as written, what comes after.

    >>> in_context("Believe me, it is a Rip-Off, all in all.", "rip off", Tokenizer(), width=8)
    ('… is a ', 'Rip-Off', ', all …')
    """
    span = _span(text, word, tokenizer)
    if span is None:
        return None
    start, end = span
    # a mark stands where the keyword is, so that the blank before or after it is not lost with the others
    left = " ".join(f"{text[max(start - 4 * width, 0) : start]}|".split())[:-1]
    right = " ".join(f"|{text[end : end + 4 * width]}".split())[1:]
    if len(left) > width:
        left = "… " + left[-width:].partition(" ")[2]
    if len(right) > width:
        right = right[:width].rpartition(" ")[0] + " …"
    return left, " ".join(text[start:end].split()), right


def _span(text: str, word: str, tokenizer: Tokenizer) -> tuple[int, int] | None:
    """Where a word, phrase or literal stands in the text as it was written."""
    return next((found.place for found in find(text, _only(word), tokenizer) if found.item == word), None)


@lru_cache(maxsize=256)
def _only(word: str) -> Items:
    """The items of a lexicon that has this word and no other."""
    literal = any(not letter.isalpha() and letter not in f" {APOSTROPHES}" for letter in word)
    phrases = (tuple(word.split(" ")),) if " " in word and not literal else ()
    return Items(("",), (word,), np.zeros(1, np.int64), phrases, literals=(word,) if literal else ())
