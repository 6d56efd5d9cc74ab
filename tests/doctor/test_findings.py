"""Findings as values: edits in words, ranks, records."""

from __future__ import annotations

import json

from problex import Lexicon, count
from problex.doctor.associations import OUTSIDE, Change, measure_associations
from problex.doctor.findings import Case, Finding
from problex.lexicon.edits import Edit
from problex.matching.tokens import Tokenizer


def test_edits_in_words() -> None:
    assert str(Edit("hero", "positive", None)) == "remove 'hero' from positive"
    assert str(Edit("refund", "positive", "negative")) == "move 'refund' from positive to negative"
    assert str(Edit("avoid", None, "negative")) == "add 'avoid' to negative"
    many = Finding("inflections", "a", ("x",), "", tuple(Edit(f"w{at}", None, "a") for at in range(8)))
    assert many.edit.endswith("add 'w5' to a; and 2 more")


def test_faults_come_before_what_is_missing_and_notes_last() -> None:
    def make(kind: str, cost: float) -> Finding:
        return Finding(kind, "a", ("x",), "", before=0.8, after=0.8 + cost)

    findings = [
        make("coverage", 0.0),
        make("candidate", 0.2),
        make("ambiguous", 0.01),
        make("wrong side", 0.1),
    ]
    ordered = [finding.kind for finding in sorted(findings, key=lambda finding: finding.rank)]
    assert ordered == ["wrong side", "ambiguous", "candidate", "coverage"]


def test_records_are_plain_values() -> None:
    edits = (Edit("hero", "positive", None),)
    finding = Finding("wrong side", "positive", ("hero",), "why", edits, 0.93, 0.8, 0.81)
    record = json.loads(json.dumps(finding.record()))
    assert record["cost"] == 0.01
    assert record["edits"] == [{"word": "hero", "from": "positive", "to": None}]
    assert Finding("coverage", "", (), "why").record()["cost"] is None


def test_edits_name_the_entries_as_they_were_written(texts: list[str]) -> None:
    lexicon = Lexicon({"positive": ["good", "fine", "Well-Made"], "negative": ["bad", "poor", "happ*"]})
    counts = count(texts, lexicon, associations=True)
    case = Case(lexicon, Tokenizer(), counts, measure_associations(counts))
    word = case.associations.index["well made"]
    finding = case.finding("ambiguous", 1, ["well made"], "", [Change(word, 1, OUTSIDE)])
    assert finding.edits == (Edit("well-made", "positive", None),)
    assert finding.before == case.before == case.associations.forecast()
    assert "happ" not in case.written
