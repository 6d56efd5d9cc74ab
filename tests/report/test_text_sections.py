"""Sections about the texts: what they say, and what they leave out."""

from __future__ import annotations

import re
from dataclasses import replace

from problex import Lexicon, count, estimate
from problex.corpus import batches
from problex.explanation.contributions import explain
from problex.report import build, gather
from problex.report.blocks import FindingList, Heading, MarkedDocument
from problex.report.text_sections import (
    MAX_CHARACTERS,
    documents_section,
    findings_section,
)
from tests.reports import material, text_of, topics


def card(text: str) -> MarkedDocument:
    report_material = material()
    example = replace(report_material.overview.examples[0], why=explain(text, report_material.model))
    overview = replace(report_material.overview, examples=(example,))
    document = documents_section(replace(report_material, overview=overview)).blocks[-1]
    assert isinstance(document, MarkedDocument)
    return document


def test_a_long_document_is_cut_between_words_and_shows_the_words_that_decided() -> None:
    text = "begin " + "word " * 400 + "a good and fine thing " + "thing " * 400 + "bad " + "end " * 400
    document = card(text)
    shown = "".join(mark.text for mark in document.marks)
    parts = shown.split(" … ")
    assert parts[0].startswith("begin word")
    assert len(parts) == 4
    assert parts[-1] == ""
    assert "good and fine" in parts[1]
    assert "bad" in parts[2]
    for part in parts[:-1]:
        assert f" {part.strip()} " in f" {text} "
    characters = sum(map(len, parts))
    assert characters <= MAX_CHARACTERS
    assert document.characters_left == len(text) - characters


def test_a_short_document_is_shown_whole() -> None:
    document = card("a good, fine day")
    assert "".join(mark.text for mark in document.marks) == "a good, fine day"
    assert document.characters_left == 0


def test_a_text_of_one_endless_word_is_cut_anyway() -> None:
    document = card("good " + "x" * 5000 + " fine")
    assert document.characters_left > 4000
    assert "fine" in "".join(mark.text for mark in document.marks)


def test_a_card_lists_the_words_for_the_label_and_those_against_it() -> None:
    document = card("good fine and good, but bad")
    (own, own_words), (other, other_words) = document.reasons
    assert (own, other) == ("For positive", "Against")
    assert {mark.text.rpartition(" ")[0] for mark in own_words} == {"good", "fine"}
    assert [mark.text.rpartition(" ")[0] for mark in other_words] == ["bad"]
    assert own_words[0].style != other_words[0].style
    assert card("good and fine").reasons[0][0] == "For positive"
    assert len(card("good and fine").reasons) == 1


def test_a_card_of_several_labels_names_the_two_most_probable() -> None:
    report_material, _ = topics()
    documents = [block for block in documents_section(report_material).blocks if isinstance(block, MarkedDocument)]
    assert any(re.match(r"Row \d+: \w+ [\w ]+%, \w+ \d+%; \d+ words", document.heading) for document in documents)
    assert any(heading == "For other labels" for document in documents for heading, _ in document.reasons)


def test_documents_are_marked_and_sorted_by_certainty() -> None:
    blocks = documents_section(material()).blocks
    headings = [block.text for block in blocks if isinstance(block, Heading)]
    assert headings == ["Most certain: negative", "Most certain: positive", "Least certain"]
    documents = [block for block in blocks if isinstance(block, MarkedDocument)]
    assert any(mark.style.startswith("--c:") for document in documents for mark in document.marks)


def test_the_findings_of_the_doctor_or_the_reason_why_there_are_none() -> None:
    report_material = material()
    section = findings_section(report_material)
    assert "Notes" in text_of(section)
    reason = replace(report_material, diagnosis=None, unavailable={"doctor": "no <b>"})
    assert "The lexicon could not be checked: no <b>." in text_of(findings_section(reason))


def test_a_finding_has_its_certainty_gain_and_contexts() -> None:
    kinds = ["a good, fine day", "a bad hero in a poor film", "poor, bad: no hero", "fine and good", "good, poor"]
    texts = [f"{text} {at}" for at in range(50) for text in kinds]  # copies of a text would count as one
    lexicon = Lexicon({"positive": ["good", "fine", "hero"], "negative": ["bad", "poor"]})
    report_material = gather(lambda: batches(texts), estimate(count(texts, lexicon), lexicon))
    lists = [block for block in findings_section(report_material).blocks if isinstance(block, FindingList)]
    item = lists[0].items[0]
    assert (item.words, item.kind) == ("hero", "wrong side, probability over 99%")
    assert item.edit.startswith("remove 'hero' from positive (gain +0.")
    assert any("a bad [hero] in a poor film" in line for line in item.contexts)


def test_three_lists() -> None:
    lexicon = Lexicon({"a": ["one", "uno"], "b": ["two", "due"], "c": ["three", "tre"]})
    texts = ["one uno x", "two due x", "three tre x", "one two", "tre x two", "x y"] * 20
    model = estimate(count(texts, lexicon), lexicon)
    html = build(gather(lambda: batches(texts), model)).html
    assert "as a, b or c" in html
    assert "Most certain: c" in html
