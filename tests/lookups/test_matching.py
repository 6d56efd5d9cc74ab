"""Which matches count: hand-worked cases, the results of quanteda, and a second implementation."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import problex
from problex.lookups import MATCHING
from tests.lookups import naive

TEXTS = {
    "not good at all": "a word in a phrase of another category",
    "a lot of fun a lot": "phrases inside phrases",
    "thank you very much thank you": "phrases that overlap across categories",
    "happy happiness unhappy": "wildcards at both ends",
    "new york city new york": "phrases of one category that overlap",
    "out of the blue sky the blue": "three phrases that overlap",
    "ha ha ha ha": "a word that repeats",
    "nothing here": "no match",
}
DICTIONARY = {
    "affect/pos": ["good", "happ*", "fun", "a lot of fun"],
    "affect/neg": ["not good", "*happy"],
    "quantity": ["a lot", "a lot of", "very much", "much"],
    "polite": ["thank you", "thank you very much", "you"],
    "place/city": ["new york", "york city"],
    "place/sky": ["out of the blue", "blue sky", "the blue"],
    "laugh": ["ha ha", "ha"],
}
COLUMNS = ["affect/pos", "affect/neg", "quantity", "polite", "place/city", "place/sky", "laugh"]
QUANTEDA = {
    "category": [
        [1, 1, 0, 0, 0, 0, 0],
        [1, 0, 2, 0, 0, 0, 0],
        [0, 0, 1, 2, 0, 0, 0],
        [2, 2, 0, 0, 0, 0, 0],
        [0, 0, 0, 0, 2, 0, 0],
        [0, 0, 0, 0, 0, 2, 0],
        [0, 0, 0, 0, 0, 0, 2],
        [0, 0, 0, 0, 0, 0, 0],
    ],
    "dictionary": [
        [0, 1, 0, 0, 0, 0, 0],
        [1, 0, 1, 0, 0, 0, 0],
        [0, 0, 0, 2, 0, 0, 0],
        [2, 2, 0, 0, 0, 0, 0],
        [0, 0, 0, 0, 2, 0, 0],
        [0, 0, 0, 0, 0, 2, 0],
        [0, 0, 0, 0, 0, 0, 2],
        [0, 0, 0, 0, 0, 0, 0],
    ],
}
"""What `dfm(tokens_lookup(tokens(TEXTS), DICTIONARY, nested_scope = "key" or "dictionary"))` of quanteda 4.5 gives."""
UNMATCHED = [2, 0, 0, 0, 1, 1, 0, 2]
"""The tokens that stay with `exclusive = FALSE`, or are counted as `nomatch`."""


def cells(table: pa.Table, columns: list[str]) -> list[list[int]]:
    rows: list[list[int]] = np.column_stack([table[name].to_numpy() for name in columns]).tolist()
    return rows


@pytest.mark.parametrize("matching", QUANTEDA)
def test_every_cell_is_that_of_quanteda(matching: str) -> None:
    table = problex.lookup(list(TEXTS), DICTIONARY, matching=matching, levels="lowest")
    assert table.column_names[4:] == COLUMNS
    assert cells(table, COLUMNS) == QUANTEDA[matching]


@pytest.mark.parametrize("matching", QUANTEDA)
def test_words_outside_the_dictionary_are_those_that_quanteda_keeps(matching: str) -> None:
    table = problex.lookup(list(TEXTS), DICTIONARY, matching=matching)
    words, share = table["words"].to_numpy(), table["in_dictionary"].to_numpy()
    assert np.rint(words - words * share / 100).tolist() == UNMATCHED


@pytest.mark.parametrize(
    ("matching", "third", "fourth"),
    [("category", [0, 1, 2, 0, 0], [3, 0, 0, 0, 0]), ("dictionary", [0, 0, 2, 0, 0], [3, 0, 0, 0, 0])],
)
def test_upper_levels_are_those_of_quanteda(matching: str, third: list[int], fourth: list[int]) -> None:
    """`levels = 1` of quanteda: a word that two lower categories match counts once."""
    table = problex.lookup(list(TEXTS), DICTIONARY, matching=matching, levels=1)
    found = cells(table, ["affect", "quantity", "polite", "place", "laugh"])
    assert found[2:4] == [third, fourth]
    all_levels = problex.lookup(list(TEXTS), DICTIONARY, matching="category")
    assert all_levels["affect"].to_pylist() == [1, 1, 0, 3, 0, 0, 0, 0]


def test_liwc_reads_from_left_to_right() -> None:
    """By hand: the longest phrase that begins at a word, then the next word; a word has one entry."""
    table = problex.lookup(list(TEXTS), DICTIONARY, matching="longest", levels="lowest")
    assert cells(table, COLUMNS) == [
        [0, 1, 0, 0, 0, 0, 0],  # not good | at | all
        [1, 0, 1, 0, 0, 0, 0],  # a lot of fun | a lot
        [0, 0, 0, 2, 0, 0, 0],  # thank you very much | thank you
        [1, 2, 0, 0, 0, 0, 0],  # happy is *happy, which has more letters than happ* | happ* | *happy
        [0, 0, 0, 0, 2, 0, 0],  # new york | city | new york
        [0, 0, 0, 0, 0, 2, 0],  # out of the blue | sky | the blue
        [0, 0, 0, 0, 0, 0, 2],  # ha ha | ha ha
        [0, 0, 0, 0, 0, 0, 0],
    ]


def test_a_word_counts_once_for_a_category_and_for_every_category() -> None:
    dictionary = {"a": ["happy", "happ*", "*py"], "b": ["happ*"], "c": ["*app*"]}
    table = problex.lookup(["happy happens"], dictionary)
    assert cells(table, ["a", "b", "c"]) == [[2, 2, 2]]
    table = problex.lookup(["happy happens"], dictionary, matching="longest")
    assert cells(table, ["a", "b", "c"]) == [[2, 1, 0]]  # happy is in a only; happ* is in a and b


WORDS = st.sampled_from(["aa", "ab", "ba", "bb"])
PATTERNS = st.sampled_from(["aa", "ab", "ba", "bb", "a*", "*a", "b*", "*b*"])
ENTRIES = st.lists(PATTERNS, min_size=1, max_size=4).map(" ".join)
DICTIONARIES = st.dictionaries(st.sampled_from(["x", "y", "z"]), st.lists(ENTRIES, min_size=1, max_size=4), min_size=1)
DOCUMENTS = st.lists(st.lists(WORDS, max_size=12), min_size=1, max_size=4)


@settings(max_examples=150, deadline=None)
@given(DOCUMENTS, DICTIONARIES)
def test_all_rules_agree_with_plain_loops(documents: list[list[str]], dictionary: dict[str, list[str]]) -> None:
    texts = [" ".join(words) for words in documents]
    for matching in MATCHING:
        table = problex.lookup(texts, dictionary, matching=matching)
        results = [naive.RULES[matching](words, dictionary) for words in documents]
        assert table.select(list(dictionary)).to_pylist() == [counts for counts, _ in results]
        shares = [
            100 * len(used) / len(words) if words else None for words, (_, used) in zip(documents, results, strict=True)
        ]
        assert table["in_dictionary"].to_pylist() == [None if share is None else round(share, 4) for share in shares]


def test_a_long_chain_of_phrases_that_overlap() -> None:
    table = problex.lookup([" ".join(["ha"] * 1001)], {"laugh": ["ha ha"], "other": ["ha ha ha"]})
    assert cells(table, ["laugh", "other"]) == [[500, 333]]


EXAMPLE = {
    "positive": ["good", "happ*"],
    "negative": ["not good", "happy"],
    "quantity": ["a lot", "a lot of"],
    "polite": ["thank you", "thank you very much", "much"],
}


def test_the_example_of_the_documentation() -> None:
    page = (Path(__file__).parents[2] / "docs" / "lookup.md").read_text(encoding="utf-8")
    table = page.split("| text | `category` | `dictionary` | `longest` |\n|---|---|---|---|\n")[1].split("\n\n")[0]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()]
    assert len(rows) == 4
    for column, matching in enumerate(MATCHING, 1):
        found = problex.lookup([row[0] for row in rows], EXAMPLE, matching=matching).select(list(EXAMPLE)).to_pylist()
        said = [", ".join(f"{name} {number}" for name, number in row.items() if number) for row in found]
        assert said == [row[column] for row in rows]
