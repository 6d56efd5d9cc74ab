"""Concordance: occurrences of words with the text around them, and the number of documents without an entry."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial

import numpy as np

from problex._util.arrays import IntArray
from problex.corpus import Batch, strip_markup
from problex.counting.tables import CountTable, tabulator
from problex.matching.items import Items
from problex.matching.reference import locate_matches, text_around
from problex.matching.tokens import APOSTROPHES, Tokenizer

CONTEXT_WIDTH = 40
"""Characters on either side of the keyword."""
MAX_CONTEXTS = 3
"""Contexts of each word."""
NO_MAJORITY = -1
"""Majority list of a document without entries, or with a tie."""


@dataclass(frozen=True)
class Context:
    """An occurrence of a keyword in document `row` (from 0), with the text around it."""

    row: int
    left: str
    keyword: str
    right: str

    def __str__(self) -> str:
        return f"{self.left}[{self.keyword}]{self.right}"

    def shortened(self, width: int) -> str:
        """The occurrence with whole words around the keyword, in about `width` characters.

        >>> Context(0, "a good and very ", "fine", " day for all of us").shortened(24)
        'and very [fine] day for'
        """
        room = (width - len(self.keyword) - 2) // 2
        before = _words_within(self.left.split()[::-1], room)[::-1]
        return " ".join([*before, f"[{self.keyword}]", *_words_within(self.right.split(), room)])


def _words_within(words: Sequence[str], room: int) -> list[str]:
    """The first words that fit, with a space before each.

    >>> _words_within(["very", "fine", "day"], 10)
    ['very', 'fine']
    """
    ends = np.cumsum([len(word) + 1 for word in words])
    return list(words[: int((ends <= room).sum())])


@dataclass(frozen=True)
class Concordance:
    """The number of documents, of those without an entry, and the contexts of words."""

    documents: int
    unmatched: int
    contexts: Mapping[str, tuple[Context, ...]]


def read_concordance(
    stream: Iterable[Batch],
    items: Items,
    tokenizer: Tokenizer,
    words: Sequence[str],
    *,
    entries: Sequence[str] | None = None,
    markup: bool = False,
) -> Concordance:
    """Read texts once: count the documents without a match, and collect contexts of `words`.

    `entries` are the counted entries, if wildcards and negation have produced more of them than the lexicon has.
    Contexts are from different documents and, if possible, from documents with different majority lists.

    >>> from problex.corpus import batches
    >>> from problex.matching.items import items_of
    >>> from problex.lexicon.lexicon import Lexicon
    >>> items = items_of(Lexicon({"a": ["good"], "b": ["bad"]}), Tokenizer())
    >>> concordance = read_concordance(batches(["A good day.", "Nothing."]), items, Tokenizer(), ["day"])
    >>> concordance.documents, concordance.unmatched, str(concordance.contexts["day"][0])
    (2, 1, 'A good [day].')
    """
    names = items.names if entries is None else entries
    membership = _membership(names, items)
    columns = {name: at for at, name in enumerate(dict.fromkeys((*names, *words)))}
    word_columns = np.array([columns[word] for word in words], dtype=np.int64)
    contexts: dict[str, dict[int, list[Context]]] = {word: {} for word in words}
    tabulate = tabulator(items, tokenizer, columns)
    find = partial(find_context, tokenizer=tokenizer, segmented=items.segmented)
    documents = unmatched = 0
    for batch in stream:
        batch = replace(batch, texts=strip_markup(batch.texts)) if markup else batch
        table = tabulate(batch.texts)
        totals, majority = _majority_lists(table, membership)
        documents += len(majority)
        unmatched += int(np.sum(totals == 0))
        matrix = table.matrix[:, word_columns].tocsc()
        for at, word in enumerate(words):
            rows = matrix.indices[matrix.indptr[at] : matrix.indptr[at + 1]].astype(np.int64)
            _collect(contexts[word], word, rows, majority, batch, find)
    return Concordance(documents, unmatched, {word: _select(by_list) for word, by_list in contexts.items()})


def _membership(names: Sequence[str], items: Items) -> IntArray:
    """Entries by lists: 1 if the entry is in the list."""
    membership = np.zeros((len(names), len(items.lists)), dtype=np.int64)
    for at, name in enumerate(names):
        label = items.find(name)
        if label is not None:
            membership[at, label] = 1
    return membership


def _majority_lists(table: CountTable, membership: IntArray) -> tuple[IntArray, IntArray]:
    """The number of list words in each document, and the list with most of them or `NO_MAJORITY`."""
    totals = np.asarray(table.matrix[:, : len(membership)] @ membership)
    highest = totals.max(axis=1, initial=0)
    tie = (totals == highest[:, None]).sum(axis=1) > 1
    return totals.sum(axis=1), np.where(tie, NO_MAJORITY, totals.argmax(axis=1))


def _collect(
    contexts: dict[int, list[Context]],
    word: str,
    rows: IntArray,
    majority: IntArray,
    batch: Batch,
    find: Callable[[str, str], tuple[str, str, str] | None],
) -> None:
    """Add one context from each document, until there are enough for its majority list."""
    for row in rows.tolist():
        same_list = contexts.setdefault(int(majority[row]), [])
        if len(same_list) < MAX_CONTEXTS:
            context = find(batch.texts[row].as_py(), word)
            if context is not None:
                same_list.append(Context(batch.first_row + row, *context))


def _select(contexts: Mapping[int, list[Context]]) -> tuple[Context, ...]:
    """Contexts from documents of each majority list in turn, those without a majority last.

    >>> good, bad, none = (Context(row, "", "odd", "") for row in range(3))
    >>> [context.row for context in _select({NO_MAJORITY: [none], 0: [good, good], 1: [bad]})]
    [0, 1, 0]
    """
    labels = sorted(label for label in contexts if label != NO_MAJORITY)
    in_turn = [contexts[label][turn] for turn in range(MAX_CONTEXTS) for label in labels if turn < len(contexts[label])]
    return tuple([*in_turn, *contexts.get(NO_MAJORITY, [])][:MAX_CONTEXTS])


def find_context(
    text: str, word: str, tokenizer: Tokenizer, width: int = CONTEXT_WIDTH, *, segmented: bool = False
) -> tuple[str, str, str] | None:
    """The first occurrence of a word or phrase in a text: the text before it, the keyword as written, the text after.

    `segmented` is whether texts without spaces are segmented.

    >>> find_context("Believe me, it is a Rip-Off, all in all.", "rip off", Tokenizer(), width=8)
    ('… is a ', 'Rip-Off', ', all …')
    >>> find_context("They rip it off.", "rip off", Tokenizer()) is None
    True
    """
    matches = locate_matches(text, _single_item(word, segmented), tokenizer)
    span = next((match.position for match in matches if match.item == word), None)
    if span is None:
        return None
    return text_around(text, span, width)


@lru_cache(maxsize=256)
def _single_item(word: str, segmented: bool) -> Items:
    """The items of a lexicon with this word only."""
    literal = any(not letter.isalpha() and letter not in f" {APOSTROPHES}" for letter in word)
    phrases = (tuple(word.split(" ")),) if " " in word and not literal else ()
    literals = (word,) if literal else ()
    return Items(("",), (word,), np.zeros(1, np.int64), phrases, literals=literals, segmented=segmented)
