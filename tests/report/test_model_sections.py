"""Sections about the model: what they say, what they leave out, and how good the labels are."""

from __future__ import annotations

from dataclasses import replace

from problex.audit import Audit
from problex.audit.intervals import Estimate
from problex.corpus import batches
from problex.evaluation.forecasts import WARNING
from problex.model.calibration import Platt
from problex.report.blocks import Figure, Paragraph, Table
from problex.report.material import gather
from problex.report.model_sections import (
    audit_section,
    certainty_section,
    coverage_section,
    cross_counts_section,
    forecast_section,
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


def audit() -> Audit:
    accuracy = Estimate("accuracy", "", 0.7, 0.6, 0.8, expected=0.9)
    share = Estimate("prevalence", "positive", 0.25, 0.2, 0.31, expected=0.5)
    return Audit(100, 40, 2, (accuracy, share), Platt(0.5, (0.0, 0.0)), (0.6, 0.5))


def test_a_forecast_is_never_without_its_warning() -> None:
    section = forecast_section(material())
    assert section.blocks[0] == Paragraph(WARNING, "callout")
    assert isinstance(section.blocks[-1], Figure)
    assert "There are no labels, so the true accuracy is unknown" in text_of(section)
    assert "%" not in text_of(section)  # a curve of what the model believes, and no figure for these documents


def test_the_accuracy_by_labels_is_beside_the_forecast() -> None:
    text = text_of(forecast_section(replace(material(), audit=audit())))
    assert "The accuracy measured by the audit is 70.0% (60.0% to 80.0%)" in text
    assert "unknown" not in text


def test_the_forecast_of_an_expanded_model_is_that_of_its_lexicon() -> None:
    model, texts = expanded()
    report_material = gather(lambda: batches(texts), model)
    assert "The forecast is for the lexicon alone" in text_of(forecast_section(report_material))


def test_an_audit_is_shown_beside_what_was_expected() -> None:
    assert audit_section(material()) is None
    text = text_of(audit_section(replace(material(), audit=audit())))
    assert "0.600 to 0.800" in text
    assert "forecast" not in text
    assert "expected without labels" in text


def test_an_audit_has_a_calibration_curve_with_intervals() -> None:
    rows = (
        {"documents": 10, "confidence": 0.65, "accuracy": 0.5},
        {"documents": 30, "confidence": 0.93, "accuracy": 0.9},
    )
    section = audit_section(replace(material(), audit=replace(audit(), reliability=rows)))
    assert section is not None
    assert [figure.name for figure in section.figures] == ["audit", "reliability"]
    assert "Below the dashed line the model is too sure of itself" in text_of(section)
    points = section.figures[1].chart.to_dict()["layer"][2]["data"]["values"]
    # Wilson's interval of 5 of 10: (0.5 + 1.92 / 10 +- 1.96 sqrt(0.25 / 10 + 0.96 / 100)) / (1 + 3.84 / 10)
    assert (points[0]["confidence"], points[0]["low"], points[0]["high"]) == (0.65, 0.237, 0.763)
    assert audit_section(replace(material(), audit=audit())).figures[1:] == []  # type: ignore[union-attr]


def test_probabilities_are_said_to_be_checked_or_not_and_undecided_documents_are_counted() -> None:
    report_material = material()
    text = text_of(certainty_section(report_material))
    assert "were not checked with labels" in text
    assert "undecided documents (5 of 40, 12.5%) are grey" in text
    calibrated = replace(report_material.model, platt=Platt(0.5, (0.0, 0.0)))
    assert "calibrated with the labels" in text_of(certainty_section(replace(report_material, model=calibrated)))
    several, _ = topics()
    assert "by the probability of their label" in text_of(certainty_section(several))


def test_what_is_labelled_completely_has_no_interval() -> None:
    """The page had "57.1% to 57.1%"."""
    complete = replace(audit(), estimates=(Estimate("accuracy", "", 0.571, 0.571, 0.571),))
    shown = replace(material(), audit=complete)
    assert "all labelled" in text_of(audit_section(shown))
    assert "The accuracy measured by the audit is 57.1% (all labelled)" in text_of(forecast_section(shown))
