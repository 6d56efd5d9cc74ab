"""."""

from __future__ import annotations

import re
import warnings
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from numpy.typing import NDArray

from problex import Lexicon, count
from problex.corpus import batches
from problex.counting.tables import tabulate
from problex.doctor.diagnosis import (
    CHECKS,
    KINDS,
    Diagnosis,
    _drop_covered,
    apply_edits,
    doctor,
    examine,
    forecast_auc,
)
from problex.doctor.findings import Finding
from problex.errors import DocumentError, EstimationError, ProblexError
from problex.evaluation.metrics import auc
from problex.lexicon.edits import Edit
from problex.matching.items import items_of
from problex.matching.tokens import Tokenizer
from problex.paper.datasets import paper_corpora
from tests.doctor.material import BAD, GOOD, corpus
from tests.doctor.test_associations import swapped
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
def faulty_diagnosis() -> Diagnosis:
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


def test_every_kind_of_fault_is_found(faulty_diagnosis: Diagnosis) -> None:
    kinds = {finding.kind: finding for finding in reversed(faulty_diagnosis.findings)}
    assert set(kinds) >= set(KINDS) - {"ambiguous", "dominates", "absent topic", "imbalance", "not opposed"}
    assert "like" in {finding.words[0] for finding in faulty_diagnosis.faults}
    assert kinds["wrong side"].words == ("hero",)
    assert kinds["in both lists"].edit == "add 'envy' to negative"
    assert kinds["wildcard"].words == ("happ*", "happens")
    assert kinds["candidate"].words == ("superb",)
    assert kinds["inflections"].edit == "add 'delighted' to positive"
    assert kinds["no match"].why == "1 of 1,201 documents (0.1%) contain no entry of any list"
    assert "of all tokens" in kinds["coverage"].why
    assert faulty_diagnosis.summary.startswith("1,201 documents, ")


def test_findings_are_sorted_by_cost_and_have_contexts(faulty_diagnosis: Diagnosis) -> None:
    assert [finding.rank for finding in faulty_diagnosis.findings] == sorted(
        finding.rank for finding in faulty_diagnosis.findings
    )
    for finding in (*faulty_diagnosis.faults, *faulty_diagnosis.additions):
        assert len(finding.contexts) == 3
        assert finding.after > finding.before == pytest.approx(faulty_diagnosis.forecast, abs=0.05)
    assert faulty_diagnosis.faults[0].words == ("hero",)
    assert "[hero]" in str(faulty_diagnosis.faults[0].contexts[0])


def test_top_keeps_all_notes(faulty_diagnosis: Diagnosis) -> None:
    few = faulty_diagnosis.top(1)
    assert (len(few.faults), len(few.additions), few.notes) == (1, 1, faulty_diagnosis.notes)


def test_applying_the_edits_helps_and_logs_every_one(faulty_diagnosis: Diagnosis) -> None:
    texts, _ = faulty()
    edited, log = apply_edits(faulty_diagnosis.lexicon, [*faulty_diagnosis.faults, *faulty_diagnosis.additions])
    assert "hero" in edited.lists["negative"]
    assert {"superb", "delighted", "happy"} <= set(edited.lists["positive"])
    assert not {"hero", "like", "happ*", "happens"} & set(edited.lists["positive"])
    assert "a+" in edited.lists["positive"]  # entries that cannot be matched stay
    assert {line["word"] for line in log} >= {"hero", "like", "envy", "happ*", "superb"}
    labels = np.array(["positive", "negative"], dtype=object)[np.arange(len(texts)) % 2]
    before, after = (counting_auc(texts, words, Tokenizer(), labels) for words in (faulty_diagnosis.lexicon, edited))
    assert after > before + 0.01


def test_entries_in_two_lists_that_stay_out_are_in_the_log(faulty_diagnosis: Diagnosis) -> None:
    _, log = apply_edits(faulty_diagnosis.lexicon, [])
    assert [(line["word"], line["done"]) for line in log] == [("envy", "left out of both, as before")]


@pytest.mark.parametrize("prior", [[0.5, 0.5], [0.4, 0.35, 0.25]], ids=["two", "three"])
def test_words_in_the_wrong_list_come_first(prior: list[float]) -> None:
    wrong, moved = swapped(draw(3000, prior, length=25, seed=7), 2)
    diagnosis = examine(replace(wrong.counts, sample=wrong.sample), wrong.lexicon)
    first = diagnosis.faults[: len(moved)]
    assert {finding.words[0] for finding in first} == set(moved)
    assert all(finding.kind == "wrong side" and finding.edits[0].new is not None for finding in first)


def test_imbalanced_lists_are_reported(lexicon: Lexicon) -> None:
    diagnosis = doctor(["good good fine fine day", "good bad day", "fine poor good"] * 20, lexicon, kinds=["imbalance"])
    (note,) = diagnosis.findings
    assert note.why.startswith("positive covers 3.5 times as many tokens as negative, so counting gives it 67%")


def test_the_same_from_batches_of_any_size(faulty_diagnosis: Diagnosis) -> None:
    texts, lexicon = faulty()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        again = doctor(lambda: batches(texts, batch_bytes=10_000), lexicon, threads=3)
    assert again.records() == faulty_diagnosis.records()


def test_wrong_input_is_named(lexicon: Lexicon) -> None:
    with pytest.raises(
        EstimationError, match="none of 2 documents has two words, but the doctor assesses words by the words"
    ):
        doctor(["good", "bad"], lexicon)
    with pytest.raises(ProblexError, match=re.escape("kind='wrong' was given, expected one of wrong side, ambiguous")):
        doctor(["good day"], lexicon, kinds=["wrong"])


def test_a_lexicon_that_never_occurs_gives_notes_only(lexicon: Lexicon) -> None:
    diagnosis = doctor(["nothing to see", "nothing to hear"], lexicon)
    assert (diagnosis.forecast, diagnosis.faults, diagnosis.additions) == (0.5, (), ())
    assert {"never seen", "coverage", "no match", "not opposed"} <= {note.kind for note in diagnosis.notes}


def test_every_check_is_listed() -> None:
    assert len(CHECKS) == 12


@pytest.mark.parametrize("name", ["Amazon", "Cornell", "Cine", "IMDB"])
def test_the_first_twenty_fixes_help_plain_counting(name: str, data: Path) -> None:
    """Labels are looked at here only, to measure."""
    (corpus_,) = paper_corpora(data, [name])
    tokenizer = Tokenizer(corpus_.language)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        diagnosis = examine(
            count(corpus_.texts, corpus_.lexicon, tokenizer=tokenizer, associations=True),
            corpus_.lexicon,
            tokenizer=tokenizer,
        )
        edited, _ = apply_edits(corpus_.lexicon, diagnosis.faults[:20])
    before, after = (
        counting_auc(corpus_.texts, words, tokenizer, corpus_.labels) for words in (corpus_.lexicon, edited)
    )
    assert after > before + 0.005
    ranks = {finding.words[0]: rank for rank, finding in enumerate(diagnosis.faults, start=1)}
    expected = {"Cornell": "like fiction hero menace", "IMDB": "like hero clearly fiction critics"}
    assert all(ranks[word] <= 40 for word in expected.get(name, "").split())
    assert not {"precipitous", "lechery"} & set(list(ranks)[:200])


HEROES = ["a bad hero in a poor film", "poor and bad hero", "a good day", "fine and good", "good but poor"] * 20
FILMS = Lexicon({"positive": ["good", "fine", "hero"], "negative": ["bad", "poor"]})


def test_the_column_of_the_texts_can_be_chosen() -> None:
    frame = pd.DataFrame({"text": ["nothing at all"] * len(HEROES), "body": HEROES})
    assert doctor(frame, FILMS, text="body").records() == doctor(HEROES, FILMS).records()
    assert doctor(frame, FILMS).forecast == 0.5


def test_markup_is_removed_before_counting_and_from_contexts() -> None:
    texts = [text.replace("hero", "<i>hero</i>") for text in HEROES]
    plain, clean, raw = doctor(HEROES, FILMS), doctor(texts, FILMS, markup=True), doctor(texts, FILMS)
    assert clean.summary == plain.summary != raw.summary
    assert str(clean.faults[0].contexts[0]) == "a bad [hero] in a poor film"
    assert str(raw.faults[0].contexts[0]) == "a bad <i>[hero]</i> in a poor film"


def test_missing_texts_are_an_error_or_empty() -> None:
    texts = [*HEROES, None]
    with pytest.raises(DocumentError, match="missing"):
        doctor(texts, FILMS)
    diagnosis = doctor(texts, FILMS, missing="empty")
    assert diagnosis.summary == "101 documents, 400 words; 1 text missing; 1 text empty"
    assert diagnosis.faults == doctor(HEROES, FILMS).faults


def test_unreadable_rows_stop_or_are_skipped(tmp_path: Path) -> None:
    path = tmp_path / "texts.csv"
    path.write_text("id,text\n" + "".join(f"{at},{text}\n" for at, text in enumerate(HEROES)) + "7,a,b,c\n")
    with pytest.raises(DocumentError, match="row"):
        doctor(path, FILMS)
    diagnosis = doctor(path, FILMS, on_error="skip")
    assert diagnosis.summary == "100 documents, 400 words; 1 text unreadable"
    assert diagnosis.faults == doctor(HEROES, FILMS).faults


def test_threads_do_not_change_the_result() -> None:
    one, three = (doctor(HEROES, FILMS, threads=threads).records() for threads in (1, 3))
    assert one == three
    with pytest.raises(ProblexError, match="threads"):
        doctor(HEROES, FILMS, threads=0)


def test_texts_of_an_iterator_are_kept_for_the_contexts() -> None:
    assert doctor(iter(HEROES), FILMS).records() == doctor(HEROES, FILMS).records()


@pytest.mark.parametrize(("positive", "number"), [(3, 0), (4, 1)])
def test_lists_are_imbalanced_above_a_ratio_of_one_and_a_half(positive: int, number: int) -> None:
    """Two tokens of "negative" in each text of eight."""
    text = " ".join(["good"] * positive + ["bad", "poor"] + ["day"] * (6 - positive))
    assert len(doctor([text], FILMS, kinds=["imbalance"]).findings) == number


def test_the_forecast_of_an_edited_lexicon_is_that_of_a_new_diagnosis() -> None:
    edited, _ = apply_edits(FILMS, doctor(HEROES, FILMS).faults)
    forecast = forecast_auc(batches(HEROES), edited)
    assert forecast == doctor(HEROES, edited).forecast > doctor(HEROES, FILMS).forecast


def test_a_finding_is_dropped_only_if_all_its_entries_are_edited_before() -> None:
    def finding(kind: str, *words: str) -> Finding:
        return Finding(kind, "a", words, "", tuple(Edit(word, "a", None) for word in words))

    first, part, whole, note = finding("x", "v", "w"), finding("y", "w", "z"), finding("z", "v"), finding("n")
    assert _drop_covered([first, part, whole, note]) == [first, part, note]
