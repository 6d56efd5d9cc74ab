"""The doctor as a whole: known faults come first, edits help where the truth is known, nothing is lost."""

from __future__ import annotations

import re
import warnings
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from problex import Lexicon, count
from problex.corpus.documents import batches
from problex.counting.tables import tabulate
from problex.doctor.diagnosis import CHECKS, KINDS, Diagnosis, diagnose, doctor, examine, mend
from problex.doctor.findings import Edit, Finding
from problex.errors import EstimationError, ProblexError
from problex.evaluation.ranking import auc
from problex.matching.items import items_of
from problex.matching.tokens import Tokenizer
from problex.paper.datasets import paper_corpora
from tests.doctor.test_associations import swapped
from tests.doctor.test_checks import BAD, GOOD, corpus
from tests.synthetic import draw


def faulty() -> tuple[list[str], Lexicon]:
    """A corpus, and a lexicon with one fault of most kinds."""
    extra = {
        "hero": (0.05, 0.6),
        "like": (0.5, 0.5),
        "envy": (0.05, 0.6),
        "superb": (0.6, 0.02),
        "happy": (0.6, 0.1),
        "happens": (0.5, 0.5),
        "delight": (0.4, 0.1),
        "delighted": (0.4, 0.05),
        "scarce": (0.003, 0.003),
    }
    positive = [*GOOD, "hero", "like", "envy", "happ*", "delight", "scarce", "absent", "a+", "*"]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return [*corpus(extra, 1200), "nothing at all"], Lexicon({"positive": positive, "negative": [*BAD, "envy"]})


@pytest.fixture(scope="module")
def found() -> Diagnosis:
    texts, lexicon = faulty()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return doctor(texts, lexicon)


def counting_auc(texts: Sequence[str], lexicon: Lexicon, tokenizer: Tokenizer, labels: NDArray[np.object_]) -> float:
    """AUC of plain counting, per token."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        items = items_of(lexicon, tokenizer)
    table = tabulate(texts, items, tokenizer, {name: at for at, name in enumerate(items.names)})
    totals = table.matrix @ np.eye(2)[items.list_index]
    return auc((labels == items.lists[1]).astype(np.int64), totals / (table.lengths[:, None] + 0.1))


def test_every_fault_is_found(found: Diagnosis) -> None:
    kinds = {finding.kind: finding for finding in reversed(found.findings)}
    assert set(kinds) >= set(KINDS) - {"ambiguous", "dominates", "imbalance", "not opposed"}
    assert "like" in {finding.words[0] for finding in found.faults}
    assert kinds["wrong side"].words == ("hero",)
    assert kinds["in both lists"].edit == "add 'envy' to negative"
    assert kinds["wildcard"].words == ("happ*", "happens")
    assert kinds["candidate"].words == ("superb",)
    assert kinds["inflections"].edit == "add 'delighted' to positive"
    assert kinds["no match"].why == "1 of 1,201 documents (0.1%) have no entry of any list in them"
    assert kinds["coverage"].why.endswith("of all tokens")
    assert found.summary.startswith("1,201 documents, ")


def test_findings_come_by_cost_and_have_lines(found: Diagnosis) -> None:
    assert [finding.rank for finding in found.findings] == sorted(finding.rank for finding in found.findings)
    for finding in (*found.faults, *found.lacks):
        assert len(finding.contexts) == 3
        assert finding.after > finding.before == pytest.approx(found.forecast, abs=0.05)
    assert found.faults[0].words == ("hero",)
    assert "[hero]" in str(found.faults[0].contexts[0])


def test_top_keeps_all_notes(found: Diagnosis) -> None:
    few = found.top(1)
    assert (len(few.faults), len(few.lacks), few.notes) == (1, 1, found.notes)


def test_mending_makes_the_edits_and_logs_every_one(found: Diagnosis) -> None:
    texts, _ = faulty()
    edited, log = mend(found.lexicon, [*found.faults, *found.lacks])
    assert "hero" in edited.lists["negative"]
    assert {"superb", "delighted", "happy"} <= set(edited.lists["positive"])
    assert not {"hero", "like", "happ*", "happens"} & set(edited.lists["positive"])
    assert "a+" in edited.lists["positive"]  # what cannot be matched is kept
    assert {line["word"] for line in log} >= {"hero", "like", "envy", "happ*", "superb"}
    labels = np.array(["positive", "negative"], dtype=object)[np.arange(len(texts)) % 2]
    before, after = (counting_auc(texts, words, Tokenizer(), labels) for words in (found.lexicon, edited))
    assert after > before + 0.01


def test_entries_in_two_lists_that_stay_out_are_in_the_log(found: Diagnosis) -> None:
    _, log = mend(found.lexicon, [])
    assert [(line["word"], line["done"]) for line in log] == [("envy", "left out of both, as it was")]


def test_mending_never_empties_a_list_nor_edits_a_word_twice() -> None:
    lexicon = Lexicon({"a": ["x"], "b": ["y", "z"]})
    fixes = [
        Finding("wrong side", "a", ("x",), "", (Edit("x", "a", None),)),
        Finding("candidate", "a", ("new",), "", (Edit("new", None, "a"),)),
        Finding("candidate", "b", ("new",), "", (Edit("new", None, "b"),)),
    ]
    edited, log = mend(lexicon, fixes)
    assert dict(edited.lists) == {"a": ("new", "x"), "b": ("y", "z")}
    assert log[0]["done"] == "nothing: it is the last of its list"
    assert log[2]["done"] == "nothing: fix 2 has changed it"


@pytest.mark.parametrize("prior", [[0.5, 0.5], [0.4, 0.35, 0.25]], ids=["two", "three"])
def test_words_in_the_wrong_list_come_first(prior: list[float]) -> None:
    wrong, moved = swapped(draw(3000, prior, seed=7), 2)
    found = examine(wrong.counts, wrong.lexicon)
    first = found.faults[: len(moved)]
    assert {finding.words[0] for finding in first} == set(moved)
    assert all(finding.kind == "wrong side" and finding.edits[0].new is not None for finding in first)


def test_lists_of_very_different_size_are_said_to_be(lexicon: Lexicon) -> None:
    found = doctor(["good good fine fine day", "good bad day", "fine poor good"] * 20, lexicon, kinds=["imbalance"])
    (note,) = found.findings
    assert note.why.startswith("positive covers 3.5 times as many tokens as negative, so counting gives it 67%")


def test_the_same_from_batches_of_any_size(found: Diagnosis) -> None:
    texts, lexicon = faulty()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        again = diagnose(lambda: batches(texts, batch_bytes=10_000), lexicon, threads=3)
    assert again.records() == found.records()


def test_bad_input_is_named(lexicon: Lexicon) -> None:
    with pytest.raises(EstimationError, match="no document of 2 has two words, and words are judged by which others"):
        doctor(["good", "bad"], lexicon)
    with pytest.raises(ProblexError, match=re.escape("kind='wrong' was given, expected one of wrong side, ambiguous")):
        doctor(["good day"], lexicon, kinds=["wrong"])


def test_a_lexicon_that_never_occurs_gives_notes_only(lexicon: Lexicon) -> None:
    found = doctor(["nothing to see", "nothing to hear"], lexicon)
    assert (found.forecast, found.faults, found.lacks) == (0.5, (), ())
    assert {"never seen", "coverage", "no match", "not opposed"} <= {note.kind for note in found.notes}


def test_every_check_is_listed() -> None:
    assert len(CHECKS) == 11


@pytest.mark.parametrize("name", ["Amazon", "Cornell", "Cine", "IMDB"])
def test_the_first_twenty_fixes_help_plain_counting(name: str, data: Path) -> None:
    """Labels are looked at here only, to measure."""
    (corpus_,) = paper_corpora(data, [name])
    tokenizer = Tokenizer(corpus_.language)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = examine(
            count(corpus_.texts, corpus_.lexicon, tokenizer=tokenizer, associations=True),
            corpus_.lexicon,
            tokenizer=tokenizer,
        )
        edited, _ = mend(corpus_.lexicon, found.faults[:20])
    before, after = (
        counting_auc(corpus_.texts, words, tokenizer, corpus_.labels) for words in (corpus_.lexicon, edited)
    )
    assert after > before + 0.005
    ranks = {finding.words[0]: rank for rank, finding in enumerate(found.faults, start=1)}
    expected = {"Cornell": "like fiction hero menace critics", "IMDB": "like hero clearly fiction critics"}
    assert all(ranks[word] <= 40 for word in expected.get(name, "").split())
    assert not {"precipitous", "lechery"} & set(list(ranks)[:200])
