"""Counts add up: the whole is the sum of its parts, exactly, whatever the parts."""

from __future__ import annotations

from collections import Counter
from itertools import permutations
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from problex import Counts, Lexicon, count
from problex.errors import DocumentError, OutputError, ProblexError
from problex.matching.tokens import Tokenizer

LEXICON = Lexicon({"up": ["good", "fine", "well made"], "down": ["bad", "poor"], "side": ["odd"]})
WORDS = ["good", "fine", "well", "made", "bad", "poor", "odd", "film", "day", "the"]
DOCUMENT = st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join)
CORPUS = st.lists(DOCUMENT, max_size=12)


def obvious(texts: list[str], lexicon: Lexicon) -> dict[str, object]:
    """The sums of the method, written down as slowly as they read."""
    bags = []
    for text in texts:
        words, found = text.split(), []
        while words:
            if words[:2] == ["well", "made"]:
                found.append("well made")
                words = words[2:]
            else:
                found.append(words.pop(0))
        bags.append(Counter(found))
    of = {word: name for name, entries in lexicon.lists.items() for word in entries}
    occurrences: Counter[str] = Counter()
    squares: Counter[str] = Counter()
    products: Counter[tuple[str, str]] = Counter()
    imputed: Counter[tuple[str, str]] = Counter()
    pairs: Counter[tuple[str, str]] = Counter()
    for bag in bags:
        totals = Counter(dict.fromkeys(lexicon.names, 0))
        for word, x in bag.items():
            occurrences[word] += x
            squares[word] += x * x
            if word in of:
                totals[of[word]] += x
        top = [name for name, total in totals.items() if total == max(totals.values())]
        for word, x in bag.items():
            for name in lexicon.names:
                products[word, name] += x * totals[name]
            if len(top) == 1:
                imputed[word, top[0]] += x
        for one, two in permutations([word for word in bag if word in of], 2):
            if of[one] < of[two]:  # the row is the entry of the earlier list
                pairs[one, two] += bag[one] * bag[two]
    lengths = [sum(bag.values()) for bag in bags]
    return {
        "totals": (len(bags), sum(lengths), sum(n * n for n in lengths)),
        "occurrences": dict(occurrences),
        "squares": dict(squares),
        "products": {key: value for key, value in products.items() if value},
        "imputed": {key: value for key, value in imputed.items() if value},
        "pairs": {key: value for key, value in pairs.items() if value},
    }


def as_dictionaries(counts: Counts) -> dict[str, object]:
    assert counts.list_products is not None
    assert counts.imputed is not None
    words = counts.words.to_pylist()
    per_list = [(at, name) for at, name in enumerate(counts.lists)]
    coo = counts.pairs.tocoo()
    return {
        "totals": (counts.documents, counts.tokens, counts.squared_lengths),
        "occurrences": dict(zip(words, counts.occurrences.tolist(), strict=True)),
        "squares": dict(zip(words, counts.squares.tolist(), strict=True)),
        "products": {
            (word, name): int(counts.list_products[row, at])
            for row, word in enumerate(words)
            for at, name in per_list
            if counts.list_products[row, at]
        },
        "imputed": {
            (word, name): int(counts.imputed[row, at])
            for row, word in enumerate(words)
            for at, name in per_list
            if counts.imputed[row, at]
        },
        "pairs": {
            (counts.entries[i], counts.entries[j]): int(value)
            for i, j, value in zip(*coo.coords, coo.data, strict=True)
            if value
        },
    }


@given(CORPUS)
def test_the_sums_are_those_of_the_definition(texts: list[str]) -> None:
    assert as_dictionaries(count(texts, LEXICON, associations=True)) == obvious(texts, LEXICON)


@given(CORPUS, st.randoms(use_true_random=False), st.integers(1, 4))
def test_order_batches_and_threads_change_nothing(texts: list[str], random: object, parts: int) -> None:
    whole = count(texts, LEXICON, threads=1)
    shuffled = texts[:]
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert sum((count(shuffled[at::parts], LEXICON) for at in range(parts)), Counts.none(LEXICON)) == whole
    assert count(iter(texts), LEXICON, threads=2) == whole


@given(CORPUS, CORPUS, CORPUS)
def test_addition_is_associative_and_commutative_with_a_neutral_value(a: list[str], b: list[str], c: list[str]) -> None:
    x, y, z = (count(texts, LEXICON) for texts in (a, b, c))
    assert (x + y) + z == x + (y + z)
    assert x + y == y + x
    assert x + Counts.none(LEXICON) == x
    assert sum([x, y]) == x + y


def test_different_texts_give_different_counts() -> None:
    base = count(["good bad", "fine"], LEXICON)
    for other in (["good bad"], ["good bad fine"], ["good fine", "bad"], ["good bad", "fine", ""]):
        assert count(other, LEXICON) != base
    assert base != "something else"


@given(CORPUS)
def test_a_saved_file_loads_equal(texts: list[str]) -> None:
    import tempfile

    counts = count(texts, LEXICON)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "counts.parquet"
        counts.save(path)
        assert Counts.load(path) == counts


def test_files_that_are_not_counts(tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    with pytest.raises(ProblexError, match="cannot be read as saved counts"):
        Counts.load(path)
    pq.write_table(pa.table({"a": [1]}), path)
    with pytest.raises(ProblexError, match=r"does not contain counts, expected a file written by Counts.save"):
        Counts.load(path)
    with pytest.raises(OutputError, match=r"exists: choose another name, or overwrite it with force=True"):
        count(["good"], LEXICON).save(path)
    count(["good"], LEXICON).save(path, force=True)
    table = pq.read_table(path)
    newer = table.schema.metadata[b"problex"].replace(b'"counts_format": 1', b'"counts_format": 99')
    pq.write_table(table.replace_schema_metadata({"problex": newer}), path)
    with pytest.raises(ProblexError, match="newer problex: upgrade"):
        Counts.load(path)


def test_counts_of_different_lexicons_or_languages_do_not_add() -> None:
    other = Lexicon({"up": ["good"], "down": ["bad"]})
    with pytest.raises(ProblexError, match=r"cannot be added to counts made with"):
        count(["good"], LEXICON) + count(["good"], other)
    with pytest.raises(ProblexError, match="count both with the same lexicon, language"):
        count(["good"], LEXICON) + count(["good"], LEXICON, tokenizer=Tokenizer("es"))
    with pytest.raises(TypeError):
        count(["good"], LEXICON) + 1


def test_phrases_are_one_item() -> None:
    counts = count(["well made, well, well-made"], LEXICON)
    assert dict(zip(counts.words.to_pylist(), counts.occurrences.tolist(), strict=True)) == {"well": 1, "well made": 2}
    assert counts.tokens == 3


def test_what_was_missing_is_counted() -> None:
    counts = count(["good", None, "", "bad"], LEXICON, missing="empty")
    assert (counts.documents, counts.missing, counts.empty) == (4, 1, 2)
    with pytest.raises(DocumentError, match="document 1"):
        count(["good", None], LEXICON)


def test_markup_becomes_blank() -> None:
    assert count(["good<br />bad"], LEXICON, markup=True) == count(["good bad"], LEXICON)
    assert "br" in count(["good<br />bad"], LEXICON).words.to_pylist()


@pytest.mark.parametrize("text", ["a" * 2_000_000, "good\x00bad", "good " * 200_000, "\ufeffgood", "日本" * 1000])
def test_strange_documents_are_counted(text: str) -> None:
    counts = count([text, "good bad"], LEXICON)
    assert counts.documents == 2
    assert counts.tokens == len(Tokenizer()(text)) + 2


def test_sums_are_64_bit() -> None:
    counts = count(["good " * 70_000 + "bad " * 70_000], LEXICON)
    at = counts.words.to_pylist().index("good")
    assert counts.squares[at] == 70_000**2 == counts.pairs.sum()
    assert counts.squared_lengths == 140_000**2
    assert counts.squares.dtype == np.int64
