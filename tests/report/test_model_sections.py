"""Sections about the model: what they say, and what they leave out."""

from __future__ import annotations

from dataclasses import replace

from problex.audit import Audit, Estimate, Expected
from problex.corpus import batches
from problex.estimation.platt import Platt
from problex.evaluation.forecasts import WARNING
from problex.report.blocks import Figure, Paragraph, Table
from problex.report.material import gather
from problex.report.model_sections import (
    coverage_section,
    cross_counts_section,
    forecast_section,
    method_section,
    sizes_section,
    weights_section,
)
from tests.reports import expanded, material, plain, text_of


def audit() -> Audit:
    accuracy = Estimate("accuracy", "", 0.7, 0.6, 0.8, expected=0.9)
    expected = Expected(forecast={"multinomial": 0.95, "dcm": 0.9})
    return Audit(100, 40, 2, (accuracy,), Platt(0.5, (0.0, 0.0)), (0.6, 0.5), expected)


def test_a_forecast_is_never_without_its_warning() -> None:
    section = forecast_section(material())
    assert section.blocks[0] == Paragraph(WARNING, "callout")
    assert isinstance(section.blocks[-1], Figure)
    assert "There are no labels, so the true accuracy is unknown" in text_of(section)
    assert "As with every forecast, true accuracy is usually lower" in text_of(sizes_section(material()))


def test_the_accuracy_by_labels_is_beside_the_forecast() -> None:
    text = text_of(forecast_section(replace(material(), audit=audit())))
    assert "The accuracy measured by the audit is 70.0% (60.0% to 80.0%)" in text
    assert "unknown" not in text


def test_coverage_has_the_documents_that_were_left_out() -> None:
    report_material = material()
    assert "35 of 40 documents (87.5%) have a word with a weight" in text_of(coverage_section(report_material))
    overview = replace(report_material.overview, missing=3, invalid=1, empty=2)
    text = text_of(coverage_section(replace(report_material, overview=overview)))
    assert "Documents left out or without words: 2 empty, 3 missing, 1 unreadable." in text


def test_coverage_has_a_row_for_each_list() -> None:
    """Each list has three entries; two of positive, and three of negative, occur negated in the other list or not."""
    table = coverage_section(material()).blocks[1]
    assert isinstance(table, Table)
    assert [(row[0], row[1]) for row in table.rows] == [("negative", "3"), ("positive", "3")]
    assert [column.heading for column in table.columns][-2:] == ["discordant", "of all words"]


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
    assert "The forecast is for the lexicon alone" in text_of(forecast_section(report_material))
    assert "A linear model was also trained" in text_of(method_section(report_material))


def test_the_charts_of_the_sections() -> None:
    report_material = material()
    sections = (weights_section, cross_counts_section, forecast_section, sizes_section)
    names = [[figure.name for figure in make(report_material).figures] for make in sections]  # type: ignore[union-attr]
    assert names == [["weights-0", "weights-1", "frequency"], ["cross-counts"], ["accuracy"], ["size"]]
