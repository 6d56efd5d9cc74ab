from __future__ import annotations

from dataclasses import replace

from problex.report.material import Material
from problex.report.text_sections import SHOWN, audit, documents, findings, groups, scores
from tests.report.test_model_sections import audit as labels
from tests.reports import material


def test_a_long_document_is_cut_between_words_and_says_how_much_is_left() -> None:
    from problex.explanation.contributions import explain

    given = material()
    long = "good " + "word " * 400 + "bad"
    example = replace(given.overview.examples[0], why=explain(long, given.model))
    html = documents(replace(given, overview=replace(given.overview, examples=(example,)))).html
    shown = html.partition('<p class="text">')[2].partition("</p>")[0]
    assert "characters more" in shown
    assert "wor " not in shown
    left = int(shown.partition("… ")[2].split()[0].replace(",", ""))
    assert len(long) - SHOWN <= left <= len(long) - SHOWN + 6
    assert "good +" in html.partition("Strongest")[2]
    assert "bad −" in html.partition("Strongest")[2]  # beyond the cut, but in the sum


def test_documents_are_coloured_and_sorted_by_kind() -> None:
    html = documents(material()).html
    assert html.index("Most clearly negative") < html.index("Most clearly positive") < html.index("Least certain")
    assert '<mark style="--c:' in html


def test_groups_only_where_asked_for() -> None:
    assert groups(material()) is None
    section = groups(material(by="party"))
    assert section is not None
    assert section.title == "Shares by party"
    assert "The share of positive runs from" in section.html
    assert "&lt;b&gt;green" in section.html
    empty = material(by="party")
    nobody = [row | {"share": None} for row in empty.overview.groups]
    section = groups(replace(empty, overview=replace(empty.overview, groups=nobody)))
    assert section is not None
    assert "No document was decided" in section.html


def test_shares_of_labels_have_intervals_and_the_undecided_are_counted() -> None:
    html = scores(material()).html
    assert "5 are undecided" in html
    assert "95% interval" in html


def test_the_doctor_is_heard_or_it_is_said_why_not() -> None:
    given = material()
    assert "Good to know" in findings(given).html
    html = findings(replace(given, diagnosis=None, lacking={"doctor": "no <b>"})).html
    assert "could not be examined: no &lt;b&gt;." in html


def test_an_audit_is_shown_beside_what_was_believed() -> None:
    given: Material = material()
    assert audit(given) is None
    section = audit(replace(given, audit=labels()))
    assert section is not None
    assert "0.600 to 0.800" in section.html
    assert "the forecast of accuracy was 0.900" in section.html


def test_three_lists() -> None:
    from problex import Lexicon, count, estimate
    from problex.corpus import batches
    from problex.report.material import gather
    from problex.report.page import build

    lexicon = Lexicon({"a": ["one", "uno"], "b": ["two", "due"], "c": ["three", "tre"]})
    texts = ["one uno x", "two due x", "three tre x", "one two", "tre x two", "x y"] * 20
    model = estimate(count(texts, lexicon), lexicon)
    html = build(gather(lambda: batches(texts), model)).html
    assert "as a, b or c" in html
    assert "Most clearly c" in html
