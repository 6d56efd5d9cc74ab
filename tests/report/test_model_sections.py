from __future__ import annotations

from dataclasses import replace

from problex.audit import Audit, Estimate, Expected
from problex.corpus import batches
from problex.estimation.platt import Platt
from problex.evaluation.forecasts import WARNING
from problex.report.material import gather
from problex.report.model_sections import beliefs, covered, meetings, sizes, weights, what_was_done
from tests.reports import expanded, material, plain


def audit() -> Audit:
    accuracy = Estimate("accuracy", "", 0.7, 0.6, 0.8, expected=0.9)
    expected = Expected(forecast={"multinomial": 0.95, "dcm": 0.9})
    return Audit(100, 40, 2, (accuracy,), Platt(0.5, (0.0, 0.0)), (0.6, 0.5), expected)


def test_a_belief_never_stands_without_its_warning() -> None:
    given = material()
    html = beliefs(given).html
    assert WARNING in html
    assert html.index(WARNING) < html.index("data-chart")
    assert "No labels were given, so nobody knows" in html
    assert "Like every forecast this is a belief" in sizes(given).html  # type: ignore[union-attr]


def test_labels_are_put_beside_the_belief() -> None:
    html = beliefs(replace(material(), audit=audit())).html
    assert "Labels say 70.0% (60.0% to 80.0%)" in html
    assert "nobody knows" not in html


def test_coverage_tells_what_was_left_out() -> None:
    given = material()
    html = covered(given).html
    assert "35 of 40 documents (87.5%) have a word with a weight" in html
    lost = replace(given, overview=replace(given.overview, missing=3, invalid=1, empty=2))
    assert "Left out or without words: 2 empty, 3 missing, 1 unreadable." in covered(lost).html


def test_intervals_and_words_beyond_the_lexicon_are_shown_where_there_are_some() -> None:
    model, texts = expanded()
    bare = weights(material(plain())).html
    given = gather(lambda: batches(texts), model)
    rich = weights(given).html
    assert "this model has no intervals" in bare
    assert "Beyond the lexicon" not in bare
    assert "lines are 95% intervals" in rich
    assert "words and pairs of neighbours also have a say" in rich
    assert all(f"<td>{row['entry']}</td>" in rich for row in given.learned)
    assert "The forecast is of the lexicon alone" in beliefs(given).html
    assert "then taught a linear model" in what_was_done(given).html


def test_every_section_has_a_chart_for_every_figure() -> None:
    given = material()
    for part in (what_was_done, covered, weights, meetings, beliefs, sizes):
        section = part(given)
        assert section is not None
        assert section.html.count("<figure") == len(section.charts)
