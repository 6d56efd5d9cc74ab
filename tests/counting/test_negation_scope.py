"""Where the scope of a negation ends in the compiled counter, worked by hand."""

from __future__ import annotations

import pyarrow as pa
import pytest

from problex import Lexicon, count
from problex.counting._counter import FASTEST
from problex.counting.counters import sum_counter
from problex.counting.tables import tabulate
from problex.matching.items import items_of
from problex.matching.negation import Negation
from problex.matching.reference import find_matches
from problex.matching.tokens import Tokenizer

SCOPE = Lexicon({"up": ["good", "well made"], "down": ["bad"]})


def test_a_scope_without_end() -> None:
    tokenizer = Tokenizer(negation=Negation(("not",), scope=(1 << 31) - 1))
    assert count(["not " + "x " * 100 + "good"], SCOPE, tokenizer=tokenizer).entries.count("NOT good") == 1


@pytest.mark.parametrize("fast", range(FASTEST + 1))
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("not one two three good", "NOT good"),  # the fourth token behind the negator is the last in its scope
        ("not one two three four good", "good"),  # the fifth is outside
        ("not one two three well made", "NOT well made"),  # a phrase is one token of the scope
        ("not one two three four well made", "well made"),
        ("not well made one two good", "NOT well made, NOT good"),
        ("not well made one two three four good", "NOT well made, good"),
        ("not well, made good", "NOT well made, good"),  # the clause ends inside the phrase, and with it the scope
        ("not well made good", "NOT well made, NOT good"),
        ("not well made, good", "NOT well made, good"),
        ("not one, good", "good"),
        ("not one but good", "good"),
        ("not not one two three good", "NOT good"),  # each negator begins a scope of its own
        ("not one not two three four good", "NOT good"),
        ("not one two not three four five six good", "good"),
    ],
)
def test_the_scope_of_a_negation_ends_where_it_should(fast: int, text: str, expected: str) -> None:
    """Worked by hand for the default scope of four tokens; the compiled counter and the definition in Python agree."""
    tokenizer = Tokenizer()
    items = items_of(SCOPE, tokenizer)
    counter = sum_counter(items, tokenizer, fast=fast)
    counter.add(pa.array([text], pa.string()))
    words, _, n, _ = counter.sums()
    lexical = {name for entry in ("good", "well made", "bad") for name in (entry, "NOT " + entry)}
    counts = {word: times for word, times in zip(words.to_pylist(), n.tolist(), strict=True) if word in lexical}
    reference = [match.name for match in find_matches(text, items, tokenizer) if match.name in lexical]
    assert reference == expected.split(", ")
    assert counts == dict.fromkeys(reference, 1)


def test_rows_have_the_same_scope() -> None:
    """Known columns are counted by a path of their own."""
    tokenizer, columns = Tokenizer(), {"good": 0, "NOT good": 1, "well made": 2, "NOT well made": 3}
    texts = ["not one two three good", "not one two three four good", "not well, made good", "not well made good"]
    table = tabulate(texts, items_of(SCOPE, tokenizer), tokenizer, columns)
    assert table.matrix.toarray().tolist() == [[0, 1, 0, 0], [1, 0, 0, 0], [1, 0, 0, 1], [0, 1, 0, 1]]
