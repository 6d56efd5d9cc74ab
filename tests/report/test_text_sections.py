"""Sections about the texts: what they say, and what they leave out."""

from __future__ import annotations

from dataclasses import replace

from problex import Lexicon, count, estimate
from problex.corpus import batches
from problex.explanation.contributions import explain
from problex.report import build, gather
from problex.report.blocks import FindingList, Heading, MarkedDocument
from problex.report.text_sections import (
    MAX_CHARACTERS,
    audit_section,
    documents_section,
    findings_section,
    groups_section,
    scores_section,
)
from tests.report.test_model_sections import audit
from tests.reports import material, text_of


def test_a_long_document_is_cut_between_words_and_the_rest_is_counted() -> None:
    report_material = material()
    text = "good " + "word " * 400 + "bad"
    example = replace(report_material.overview.examples[0], why=explain(text, report_material.model))
    overview = replace(report_material.overview, examples=(example,))
    document = documents_section(replace(report_material, overview=overview)).blocks[-1]
    assert isinstance(document, MarkedDocument)
    beginning = "".join(mark.text for mark in document.marks)
    assert text.startswith(beginning)
    assert beginning.endswith("word")
    assert MAX_CHARACTERS - 6 <= len(beginning) <= MAX_CHARACTERS
    assert document.characters_left == len(text) - len(beginning)
    assert document.strongest.startswith("good +")
    assert "bad −" in document.strongest  # after the cut, but part of the score


def test_documents_are_marked_and_sorted_by_certainty() -> None:
    blocks = documents_section(material()).blocks
    headings = [block.text for block in blocks if isinstance(block, Heading)]
    assert headings == ["Most certain: negative", "Most certain: positive", "Least certain"]
    documents = [block for block in blocks if isinstance(block, MarkedDocument)]
    assert any(mark.style.startswith("--c:") for document in documents for mark in document.marks)


def test_groups_are_shown_if_there_is_a_column() -> None:
    assert groups_section(material()) is None
    section = groups_section(material(by="party"))
    assert section is not None
    assert section.title == "Shares by party"
    assert "The share of positive is between" in text_of(section)
    assert "<b>green</b>" in text_of(section)  # the template escapes it
    report_material = material(by="party")
    undecided = [row | {"share_decided": None} for row in report_material.overview.groups]
    overview = replace(report_material.overview, groups=undecided)
    assert "No document is decided" in text_of(groups_section(replace(report_material, overview=overview)))


def test_shares_of_labels_have_intervals_and_the_undecided_are_counted() -> None:
    text = text_of(scores_section(material()))
    assert "5 are undecided" in text
    assert "95% interval" in text


def test_the_findings_of_the_doctor_or_the_reason_why_there_are_none() -> None:
    report_material = material()
    section = findings_section(report_material)
    assert "Notes" in text_of(section)
    reason = replace(report_material, diagnosis=None, unavailable={"doctor": "no <b>"})
    assert "The lexicon could not be checked: no <b>." in text_of(findings_section(reason))


def test_a_finding_has_its_certainty_gain_and_contexts() -> None:
    texts = ["a good, fine day", "a bad hero in a poor film", "poor, bad: no hero", "fine and good", "good, poor"] * 50
    lexicon = Lexicon({"positive": ["good", "fine", "hero"], "negative": ["bad", "poor"]})
    report_material = gather(lambda: batches(texts), estimate(count(texts, lexicon), lexicon))
    lists = [block for block in findings_section(report_material).blocks if isinstance(block, FindingList)]
    item = lists[0].items[0]
    assert (item.words, item.kind) == ("hero", "wrong side, probability over 99%")
    assert item.edit.startswith("remove 'hero' from positive (gain +0.")
    assert "a bad [hero] in a poor film" in item.contexts


def test_an_audit_is_shown_beside_the_expectation_of_the_model() -> None:
    assert audit_section(material()) is None
    section = audit_section(replace(material(), audit=audit()))
    assert "0.600 to 0.800" in text_of(section)
    assert "the forecast accuracy was 0.900" in text_of(section)
    assert "expected by the model" in text_of(section)


def test_three_lists() -> None:
    lexicon = Lexicon({"a": ["one", "uno"], "b": ["two", "due"], "c": ["three", "tre"]})
    texts = ["one uno x", "two due x", "three tre x", "one two", "tre x two", "x y"] * 20
    model = estimate(count(texts, lexicon), lexicon)
    html = build(gather(lambda: batches(texts), model)).html
    assert "as a, b or c" in html
    assert "Most certain: c" in html
