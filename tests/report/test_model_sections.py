"""Sections about the model: what they say, and what they leave out."""

from __future__ import annotations

from dataclasses import replace

from problex.corpus import batches
from problex.report.blocks import Table
from problex.report.material import gather
from problex.report.model_sections import (
    coverage_section,
    cross_counts_section,
    method_section,
    sizes_section,
    weights_section,
)
from tests.reports import expanded, material, plain, text_of, topics


def test_coverage_has_the_documents_that_were_left_out() -> None:
    report_material = material()
    assert "35 of 40 documents (87.5%) have a word with a weight" in text_of(coverage_section(report_material))
    overview = replace(report_material.overview, missing=3, invalid=1, empty=2)
    text = text_of(coverage_section(replace(report_material, overview=overview)))
    assert "Documents left out or without words: 2 empty, 3 missing, 1 unreadable." in text


def test_coverage_counts_the_entries_of_the_user_and_negated_forms_apart() -> None:
    """`not good` is found: a form for negative. `rip off` and `well made` are one entry each."""
    table = coverage_section(material()).blocks[1]
    assert isinstance(table, Table)
    headings = [column.heading for column in table.columns]
    assert headings == [
        "list",
        "entries",
        "found",
        "with weight",
        "often with other lists",
        "of all words",
        "negated forms",
    ]
    assert [row[:3] for row in table.rows] == [("negative", "3", "3"), ("positive", "3", "3")]
    assert [row[-1] for row in table.rows] == ["1", "0"]


def test_coverage_of_lists_without_negated_forms_does_not_speak_of_them() -> None:
    report_material, _ = topics()
    section = coverage_section(report_material)
    assert "negated" not in text_of(section).lower()


def test_intervals_and_words_beyond_the_lexicon_are_shown_if_there_are_some() -> None:
    model, texts = expanded()
    without = text_of(weights_section(material(plain())))
    report_material = gather(lambda: batches(texts), model)
    section = weights_section(report_material)
    assert "this model has no intervals" in without
    assert "Beyond the lexicon" not in without
    assert "lines are 95% intervals" in text_of(section)
    assert "words and pairs of neighbouring words outside the lexicon also have a weight" in text_of(section)
    assert report_material.learned
    assert all(row["entry"] in text_of(section).splitlines() for row in report_material.learned)
    assert "A linear model was also trained" in text_of(method_section(report_material))


def test_the_charts_of_the_sections() -> None:
    report_material = material()
    sections = (weights_section, cross_counts_section, sizes_section)
    names = [[figure.name for figure in make(report_material).figures] for make in sections]  # type: ignore[union-attr]
    assert names == [["weights-0", "weights-1", "frequency"], ["cross-counts"], ["size"]]


def test_the_caption_of_sizes_speaks_of_own_entries_and_of_the_warning() -> None:
    text = text_of(sizes_section(material()))
    assert "Negated forms are not counted" in text
    assert "As with every forecast, true accuracy is usually lower" in text
