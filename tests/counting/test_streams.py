"""`count` is the one way from texts to counts: with a callback, a guessed language, a checkpoint."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest

from problex import Lexicon, count
from problex.corpus import Batch
from problex.counting.counts import tokenizer_of
from problex.counting.streams import LAST_PARTS, cut_last
from problex.errors import DocumentWarning, ProblexError
from problex.matching import Negation, Tokenizer

GERMAN = Lexicon({"negativ": ["schlecht", "öde"], "positiv": ["gut", "schön"]})
TEXTS = ["Das ist gut und schön.", "Es ist schlecht und öde.", "Das ist nicht gut, es ist öde."]


def test_the_callback_has_every_text_before_it_is_counted(tmp_path: Path) -> None:
    batches: list[Batch] = []
    counts = count(TEXTS, GERMAN, tokenizer=Tokenizer("de"), on_batch=batches.append)
    assert [text for batch in batches for text in batch.texts.to_pylist()] == TEXTS
    assert counts == count(TEXTS, GERMAN, tokenizer=Tokenizer("de"))


def test_the_language_is_guessed_from_the_first_texts_and_kept_in_the_settings() -> None:
    with pytest.warns(DocumentWarning, match=r"the texts look German: .* \(guessed; name it with language=\.\.\.\)"):
        counts = count(iter(TEXTS), GERMAN, tokenizer=Tokenizer("auto"))
    assert counts == count(TEXTS, GERMAN, tokenizer=Tokenizer("de"))
    assert tokenizer_of(counts) == Tokenizer("de")
    assert "NOT gut" in counts.entries


def test_options_of_an_automatic_tokenizer_are_kept() -> None:
    with pytest.warns(DocumentWarning):
        counts = count(TEXTS, GERMAN, tokenizer=Tokenizer("auto", fold_accents=True, negation=Negation(("ist",))))
    assert tokenizer_of(counts) == Tokenizer("de", fold_accents=True, negation=Negation(("ist",)))


def test_the_last_batch_is_cut_and_nothing_is_lost() -> None:
    texts = [str(number) for number in range(100)]
    columns = pa.table({"id": texts[40:]})
    stream = [Batch(pa.array(texts[:40]), 0, 1, 2), Batch(pa.array(texts[40:]), 40, 3, 4, columns, (100, 4))]
    first, *parts = cut_last(iter(stream))
    assert first is stream[0]
    assert len(parts) == LAST_PARTS
    assert [text for part in parts for text in part.texts.to_pylist()] == texts[40:]
    assert [part.columns and part.columns["id"].to_pylist() for part in parts] == [
        part.texts.to_pylist() for part in parts
    ]
    assert [part.position for part in parts] == [()] * (LAST_PARTS - 1) + [(100, 4)]
    assert [part.first_row for part in parts] == list(range(40, 100, 8))
    assert (sum(part.missing for part in parts), sum(part.invalid for part in parts)) == (3, 4)


def test_a_batch_alone_or_without_texts_stays_as_it_is() -> None:
    alone, empty = Batch(pa.array(TEXTS), 0, 1, 2), Batch(pa.array([], pa.string()), 3, 0, 5)
    assert list(cut_last([])) == []
    assert list(cut_last([alone])) == [alone]
    assert list(cut_last([alone, empty])) == [alone, empty]


def letters(text: str) -> list[str]:
    return text.split()


def test_a_custom_tokenizer_is_followed_in_a_guessed_language() -> None:
    with pytest.warns(DocumentWarning, match="look German"):
        counts = count(TEXTS, GERMAN, tokenizer=Tokenizer("auto", custom=letters))
    assert counts == count(TEXTS, GERMAN, tokenizer=Tokenizer("de", custom=letters))
    assert counts.settings["custom"].endswith("letters")


def test_without_texts_the_language_is_any() -> None:
    assert tokenizer_of(count([], GERMAN, tokenizer=Tokenizer("auto"))) == Tokenizer("any")


def test_a_checkpoint_of_a_guessed_language(tmp_path: Path) -> None:
    path = tmp_path / "texts.txt"
    path.write_text("\n".join(TEXTS), "utf-8")
    with pytest.warns(DocumentWarning, match="look German"):
        counts = count(path, GERMAN, tokenizer=Tokenizer("auto"), checkpoint=tmp_path / "c")
    assert counts == count(TEXTS, GERMAN, tokenizer=Tokenizer("de"))


def test_a_checkpoint_needs_files(tmp_path: Path) -> None:
    with pytest.raises(ProblexError, match=r"documents of type list, expected a pathlib\.Path or a list of them"):
        count(TEXTS, GERMAN, checkpoint=tmp_path / "c")


def test_too_little_memory_is_refused() -> None:
    with pytest.raises(ProblexError, match=r"memory=1000 \(bytes\) was given, expected at least 64MiB"):
        count(TEXTS, GERMAN, memory=1000)
