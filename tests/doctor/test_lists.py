"""Findings about whole lists: the support of a list by the words outside the lists, and absent topics."""

from __future__ import annotations

import warnings

import numpy as np
import pyarrow as pa
import pytest

from problex import Lexicon, count, estimate, expand
from problex.doctor import Diagnosis, doctor
from problex.doctor.checks import view_of_texts
from problex.doctor.diagnosis import examine
from problex.expansion.constants import TUNED
from tests.doctor.material import case_of, corpus

TOPICS = {
    "music": (["song", "band", "album"], ["guitar", "concert", "melody", "drums"]),
    "sport": (["match", "team", "goal"], ["stadium", "league", "striker", "keeper"]),
    "trade": (["market", "price", "firm"], ["profit", "bank", "shares", "export"]),
}
SCATTERED = ["yellow", "seven", "often"]
"""Words that occur in texts of all topics: the list of a topic that is absent."""


def texts_of_topics(documents: int = 300) -> list[str]:
    """Two words of the list of a topic and six others of the topic; every third text has a scattered word."""
    random, texts = np.random.default_rng(0), []
    for number in range(documents):
        listed, others = list(TOPICS.values())[number % 3]
        words = [*random.choice(listed, 2), *random.choice(others, 6), "the", "of"]
        if random.random() < 1 / 3:
            words += [random.choice(SCATTERED)] * 3
        texts.append(" ".join(words))
    return texts


LISTS = {name: listed for name, (listed, _) in TOPICS.items()}


def diagnosis_of(**more: list[str]) -> Diagnosis:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return doctor(texts_of_topics(), Lexicon(LISTS | more))


def test_a_list_whose_topic_is_absent_is_a_finding_with_advice() -> None:
    findings = diagnosis_of(colours=SCATTERED).notes
    (absent,) = [finding for finding in findings if finding.kind == "absent topic"]
    assert absent.list == "colours"
    assert absent.support is not None
    assert 0 < absent.support < TUNED.min_support
    assert "colours has little support: in the texts that it leads in" in absent.why
    assert "40% or more is usual" in absent.why
    assert absent.why.endswith("leave the list out, or do not trust its share")
    assert absent.record()["support"] == round(absent.support, 4)


def test_lists_with_support_show_it_beside_their_coverage() -> None:
    diagnosis = diagnosis_of()
    assert not [finding for finding in diagnosis.findings if finding.kind == "absent topic"]
    shown = {finding.list: finding for finding in diagnosis.findings if finding.kind == "coverage"}
    assert list(shown) == ["music", "sport", "trade"]
    for finding in shown.values():
        assert finding.support is not None
        assert finding.support > 0.5
        assert finding.why.endswith(f"support by other words {finding.support:.0%}")


def test_it_is_the_support_of_the_expansion() -> None:
    texts, lexicon = texts_of_topics(), Lexicon(LISTS | {"colours": SCATTERED})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        counts = count(texts, lexicon, associations=True)
        expansion = expand(estimate(counts, lexicon), texts).expansion
    assert expansion is not None
    assert expansion.support is not None
    found = {finding.list: finding.support for finding in diagnosis_of(colours=SCATTERED).findings if finding.support}
    assert [found[name] for name in counts.lists] == pytest.approx(expansion.support.tolist())


def test_a_list_of_which_nothing_occurs_is_named() -> None:
    (absent,) = [finding for finding in diagnosis_of(garden=["rose"]).notes if finding.kind == "absent topic"]
    assert absent.why == (
        "no entry of garden occurs in the texts: check the language and the spelling of the list, or leave it out"
    )


def test_lists_of_tone_have_no_support() -> None:
    case = case_of(corpus({}))
    assert view_of_texts(case.counts, case.lexicon, pa.array(corpus({}))) is None
    findings = examine(case.counts, case.lexicon).findings
    assert {finding.support for finding in findings} == {None}
