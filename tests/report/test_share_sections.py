"""The sections that open a report: every label has its share, undecided documents too."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd
import pytest

from problex import Lexicon, count, estimate
from problex.corpus import batches
from problex.report.blocks import Details, Figure, Paragraph, SideBySide, Table
from problex.report.material import gather
from problex.report.share_charts import shares_chart
from problex.report.share_sections import MAX_LABELS, groups_section, key_figures, labels_section
from problex.shares.counting import share_records
from tests.estimation.test_balances import PULLED, pulled
from tests.report.test_model_sections import audit
from tests.reports import TOPICS, material, text_of, topics


def test_the_answer_has_every_share_and_the_undecided() -> None:
    report_material = material()
    rows = {row["label"]: row["hits"] for row in report_material.overview.labels}
    assert sum(rows.values()) == 40
    lead = labels_section(report_material).blocks[0]
    assert lead == Paragraph(
        f"Of 40 documents, the model labels {rows['negative'] / 40:.1%} negative and {rows['positive'] / 40:.1%} "
        "positive; "
        "12.5% are undecided: they have no word with a weight, or a tie.",
        "lead",
    )
    table = next(block for block in labels_section(report_material).blocks if isinstance(block, Table))
    assert [(row[0], row[1]) for row in table.rows] == [(label, str(hits)) for label, hits in rows.items()]
    assert "interval" not in text_of(labels_section(report_material)).replace("They have no intervals", "")


def test_five_lists_have_five_shares_at_the_top_and_in_the_answer() -> None:
    report_material, _ = topics()
    names = [figure.name for figure in key_figures(report_material)]
    assert names == ["documents", *sorted(TOPICS), "undecided"]  # no accuracy, which is not known without labels
    text = text_of(labels_section(report_material))
    assert all(f"% {name}" in text or f"% are {name}" in text for name in TOPICS)


def test_the_shares_at_the_top_are_those_of_the_table_and_add_up() -> None:
    report_material, _ = topics()
    top = {figure.name: figure.value for figure in key_figures(report_material)}
    table = next(block for block in labels_section(report_material).blocks if isinstance(block, Table))
    assert {row[0]: row[2] for row in table.rows}.items() <= top.items()
    assert sum(int(row[1].replace(",", "")) for row in table.rows) == report_material.overview.documents
    assert top["documents"] == f"{report_material.overview.documents:,}"


def test_of_many_labels_the_largest_are_at_the_top() -> None:
    names = [f"l{at}" for at in range(MAX_LABELS + 3)]
    lexicon = Lexicon({name: [f"w{name}", f"v{name}"] for name in names})
    texts = [f"w{name} v{name} x" for at, name in enumerate(names) for _ in range(at + 2)] + ["x"]
    model = estimate(count(texts, lexicon), lexicon)
    figures = key_figures(gather(lambda: batches(texts), model))
    assert len(figures) <= MAX_LABELS + 4
    other = next(figure for figure in figures if figure.name == "3 other labels")
    shares = [float(figure.value.rstrip("%")) for figure in figures if figure.colour]
    assert float(other.value.rstrip("%")) + sum(shares) == pytest.approx(100, abs=0.6)


def test_the_true_shares_of_an_audit_are_beside_those_of_the_labels() -> None:
    text = text_of(labels_section(replace(material(), audit=audit())))
    assert "true share, estimated by the audit (95% interval)" in text
    assert "25.0% (20.0% to 31.0%)" in text
    figures = {figure.name: figure.value for figure in key_figures(replace(material(), audit=audit()))}
    assert figures["correct, measured with labels (audit)"] == "70.0%"


def test_groups_are_shown_if_there_is_a_column() -> None:
    assert groups_section(material()) is None
    section = groups_section(material(by="party"))
    assert section is not None
    assert section.title == "Shares by party"
    assert "Share of each predicted label." in text_of(section)
    assert "None of the 3 pairs of groups was compared: a group has fewer than 20 documents." in text_of(section)
    assert "<b>green</b>" in text_of(section)  # the template escapes it
    details = section.blocks[-1]
    assert isinstance(details, Details)
    assert isinstance(details.block, Table)
    assert [column.heading for column in details.block.columns] == [
        "party", "documents", "negative", "positive", "undecided"
    ]  # fmt: skip
    assert sum(int(row[1]) for row in details.block.rows) == 40


def test_one_group_differs_from_none() -> None:
    report_material = material(by="party")
    one = [row for row in report_material.overview.groups if row["group"] == "left"]
    overview = replace(report_material.overview, groups=one)
    assert "differs most" not in text_of(groups_section(replace(report_material, overview=overview)))


def test_over_time_two_labels_share_a_chart_and_five_have_one_each() -> None:
    report_material, frame = topics(by="date")
    section = groups_section(report_material)
    assert section is not None
    assert isinstance(section.blocks[0], SideBySide)
    assert [figure.name for figure in section.figures] == [f"groups-{at}" for at in range(6)]
    frame = pd.DataFrame({"text": ["good", "bad", "good"] * 20, "date": ["2001-01-02", "2001-02-03", ""] * 20})
    two = gather(lambda: batches(frame, text="text", keep=("date",)), material().model, by="date")
    section = groups_section(two)
    assert section is not None
    assert isinstance(section.blocks[0], Figure)
    assert "20 documents without a date: not in the chart." in section.blocks[0].caption
    assert [name for name, _ in section.blocks[0].legend] == ["negative", "positive", "undecided"]


@pytest.mark.parametrize("lists", [2, 5])
def test_a_period_without_documents_has_no_shares(lists: int) -> None:
    """`report --by date` ended with a traceback where a month between had no documents."""
    model = material().model if lists == 2 else topics()[0].model
    frame = pd.DataFrame({"text": ["good", "bad", "market"] * 20, "date": ["2001-01-02", "2001-03-03"] * 30})
    section = groups_section(
        gather(lambda: batches(frame, text="text", keep=("date",)), model, by="date", every="month")
    )
    assert section is not None
    assert "2001-02" not in text_of(section.blocks[:-1])
    details = section.blocks[-1]
    assert isinstance(details, Details)
    assert isinstance(details.block, Table)
    rows = {row[0]: row[1:] for row in details.block.rows}
    assert rows["2001-02"] == ("0",) + ("–",) * (lists + 1)
    assert all(cell.endswith("%") for cell in rows["2001-01"][1:])
    assert all(column.numeric for column in details.block.columns[1:])


def test_the_bars_say_the_same_shares_as_the_table() -> None:
    """47.746% are 47.7%; rounded to .4775 first, they were 47.8% beside the bar and at the pointer."""
    records = share_records({("(all)", "b"): 477_460, ("(all)", "a"): 522_540}, ("a", "b"))
    rows = shares_chart(records, ("a", "b"), title="Shares").to_dict()["data"]["values"]
    assert {row["label"]: row["text"] for row in rows} == {"a": "52.3%", "b": "47.7%", "undecided": "0.0%"}
    assert [row["share"] for row in rows if row["label"] == "b"] == [0.47746]


def test_the_page_says_what_depends_on_the_balance_of_the_lists() -> None:
    texts = pulled()
    model = estimate(count(texts, PULLED), PULLED)
    material = gather(lambda: batches(texts), model)
    assert model.balance_shift is not None
    assert f"{model.balance_shift.describe()}." in text_of(labels_section(material))
    assert "the balance" not in text_of(labels_section(replace(material, audit=audit())))
    assert "the balance" not in text_of(labels_section(topics()[0]))
