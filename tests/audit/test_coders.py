"""Sheets of several coders: who is who, whether they agree, and which label counts."""

from __future__ import annotations

import shutil
from pathlib import Path

import pandas as pd
import pytest

from problex.audit import draw, score_sheets
from problex.audit.coders import read_coding, write_disagreements
from problex.audit.design import Design, design_path, text_fingerprint
from problex.audit.sheets import sheet_paths, write_sheet
from problex.errors import OutputError, ProblexError
from problex.shares.estimates import SheetLabels
from tests.populations import two_classes

SCORES = two_classes("even", 0.5, 1.7).scores


def write(
    path: Path, size: int = 10, seed: int = 0, coders: tuple[str, ...] = ("anna", "ben"), **options: Design
) -> Design:
    earlier = options["earlier"].sample if "earlier" in options else None
    sample = draw(SCORES, size, seed=seed, earlier=earlier)
    texts = [f"document {row}" for row in sample.rows]
    design = Design(sample, "model", seed, tuple(map(text_fingerprint, texts)))
    write_sheet(path, design, [{"text": text, "id": f"d{at}"} for at, text in enumerate(texts)], coders=coders)
    return design


def fill(path: Path, labels: str) -> Path:
    """One letter for each document; a dot is no label."""
    table = pd.read_csv(path, dtype=str, keep_default_na=False)
    name = "label" if "label" in table.columns else "adjudicated"
    table[name] = [letter.replace(".", "") for letter in labels]
    table.to_csv(path, index=False)
    return path


@pytest.fixture
def sheets(tmp_path: Path) -> list[Path]:
    write(tmp_path / "s.csv")
    return [fill(tmp_path / "s.anna.csv", "aabbaabb.a"), fill(tmp_path / "s.ben.csv", "aabbaaaab.")]


def test_each_coder_has_a_sheet_and_they_share_the_design(tmp_path: Path, sheets: list[Path]) -> None:
    assert sorted(path.name for path in tmp_path.iterdir()) == ["s.anna.csv", "s.audit.json", "s.ben.csv"]
    coding = read_coding(sheets)
    assert coding.coders == (("anna", "ben"),)
    assert coding.has_several_coders
    assert len(coding.disputed) == 2
    assert [document.labels for document in coding.disputed] == [{"anna": "b", "ben": "a"}] * 2


def test_agreement_of_sheets_by_hand(sheets: list[Path]) -> None:
    """Eight documents with two labels, six equal (four a, two b), half of anna's a: kappa (.75 - .5) / (1 - .5)."""
    (found,) = read_coding(sheets).agreements()
    assert (found.documents, found.share) == (8, 0.75)
    assert found.kappa == pytest.approx(0.5)
    assert found.alpha == pytest.approx(1 - 15 * 2 / (10 * 6))
    note = read_coding(sheets).note()
    assert note.startswith("2 coders (anna, ben), 8 documents with two labels or more: Krippendorff's alpha 0.500 (")
    assert note.endswith("; 2 disagreements, 0 adjudicated")


def test_disagreements_must_be_settled_before_they_are_scored(sheets: list[Path]) -> None:
    rows = pd.read_csv(sheets[0])["row"]
    with pytest.raises(ProblexError) as found:
        score_sheets(sheets)
    assert str(found.value) == (
        f"the coders disagree on 2 documents (row {rows[6]}, {rows[7]}), expected one label for each: problex audit "
        f"agree {sheets[0]} {sheets[1]} -o disagreements.csv lists them. Fill in its column 'adjudicated', and give "
        "disagreements.csv together with the sheets"
    )


def test_adjudicated_labels_win(sheets: list[Path], tmp_path: Path) -> None:
    settled = tmp_path / "disagreements.csv"
    write_disagreements(read_coding(sheets), settled)
    table = pd.read_csv(settled, dtype=str, keep_default_na=False)
    assert list(table.columns) == ["row", "id", "anna", "ben", "adjudicated", "text"]
    assert table[["anna", "ben", "adjudicated"]].to_numpy().tolist() == [["b", "a", ""], ["b", "a", ""]]
    assert table["text"].tolist() == [f"document {row}" for row in table["row"]]
    assert table["id"].tolist() == ["d6", "d7"]
    fill(settled, "b.")
    coding = read_coding([*sheets, settled])
    assert coding.settled() == [*"aabbaab", None, "b", "a"]
    result, _ = score_sheets([*sheets, settled])
    assert (result.labelled, result.unlabelled) == (9, 1)
    assert "2 disagreements, 2 adjudicated" in " ".join(result.notes())
    assert len(SheetLabels.read([settled, *sheets], None).sample.rows) == 9


def test_an_adjudicated_label_wins_also_where_coders_agree(sheets: list[Path], tmp_path: Path) -> None:
    table = pd.read_csv(sheets[0], dtype=str).rename(columns={"label": "adjudicated"})
    table["adjudicated"] = "b"
    table.to_csv(tmp_path / "all.csv", index=False)
    assert read_coding([*sheets, tmp_path / "all.csv"]).settled() == ["b"] * 10


def test_the_majority_of_three_counts(tmp_path: Path) -> None:
    write(tmp_path / "s.csv", 5, coders=("x", "y", "z"))
    paths = [
        fill(tmp_path / f"s.{name}.csv", labels)
        for name, labels in zip("xyz", ("aab..", "abb.a", "bba.."), strict=True)
    ]
    coding = read_coding(paths)
    assert coding.settled() == ["a", "b", "b", None, "a"]
    assert len(coding.disputed) == 3
    fill(paths[2], "b.a..")
    with pytest.raises(ProblexError, match=r"the coders disagree on 1 document \(row \d+\)"):
        read_coding(paths).settled()


def test_samples_drawn_one_after_the_other_may_have_several_coders(tmp_path: Path) -> None:
    first = write(tmp_path / "one.csv", 4)
    write(tmp_path / "two.csv", 3, earlier=first)
    names = [tmp_path / f"{sample}.{coder}.csv" for sample in ("one", "two") for coder in ("anna", "ben")]
    for path in names:
        fill(path, "abab" if "one" in path.name else "bba")
    coding = read_coding(names)
    assert coding.settled() == list("ababbba")
    assert coding.agreements()[0].documents == 7
    single = read_coding([names[0], names[2]])
    assert not single.has_several_coders
    assert single.note() == ""
    with pytest.raises(
        ProblexError, match="2 sheets were given with one coder for each sample, expected sheets of two"
    ):
        single.agreements()


def test_the_same_coder_twice(sheets: list[Path], tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    copy.mkdir()
    shutil.copy(sheets[0], copy / "s.anna.csv")
    shutil.copy(tmp_path / "s.audit.json", copy)
    with pytest.raises(ProblexError) as found:
        read_coding([sheets[0], copy / "s.anna.csv"])
    assert str(found.value) == (
        f"{sheets[0]} and {copy / 's.anna.csv'} are two sheets of the coder 'anna' for the same sample, expected one "
        "sheet for each coder: leave one out or, if it is of another coder, rename it, for example to s.anna.ben.csv"
    )


def test_missing_rows_of_a_coder(sheets: list[Path]) -> None:
    table = pd.read_csv(sheets[1], dtype=str, keep_default_na=False)
    table.iloc[3:].to_csv(sheets[1], index=False)
    rows = ", ".join(table["row"][:3])
    with pytest.raises(ProblexError) as found:
        read_coding(sheets)
    assert str(found.value) == (
        f"s.ben.csv has 7 of the 10 documents of the sample (missing: row {rows}), expected all of them in the sheets "
        "of several coders: put the missing rows back, with an empty label where there is none"
    )
    assert read_coding(sheets[1:]).settled()[:3] == [None] * 3  # one coder may leave rows out


def test_sheets_that_do_not_belong_together(sheets: list[Path], tmp_path: Path) -> None:
    for name, seed in (("t", 1), ("u", 2)):
        write(tmp_path / f"{name}.csv", 400, seed, coders=())
        fill(tmp_path / f"{name}.csv", "a" * 400)
    with pytest.raises(ProblexError, match=r"in two samples .*If two coders labelled the same sample, give copies"):
        read_coding([tmp_path / "t.csv", tmp_path / "u.csv"])
    with pytest.raises(ProblexError, match=r"drawn from different strata"):
        read_coding([sheets[0], tmp_path / "t.csv"])
    fill(sheets[1], "aaxbaaaabb")
    with pytest.raises(ProblexError, match=r"s\.ben\.csv has 1 label that the model does not have: 'x'"):
        read_coding(sheets)


def test_errors_of_adjudication(sheets: list[Path], tmp_path: Path) -> None:
    settled = tmp_path / "d.csv"
    with pytest.raises(ProblexError, match=r"'d\.txt' was given for the disagreements, expected a name that ends in"):
        write_disagreements(read_coding(sheets), tmp_path / "d.txt")
    write_disagreements(read_coding(sheets), settled)
    with pytest.raises(OutputError, match="exists"):
        write_disagreements(read_coding(sheets), settled)
    with pytest.raises(ProblexError, match=r"only d\.csv was given, which settles disagreements: give it together"):
        read_coding([settled])
    shutil.copy(settled, tmp_path / "e.csv")
    with pytest.raises(ProblexError, match=r"d\.csv and e\.csv both have a column 'adjudicated': expected one such"):
        read_coding([*sheets, settled, tmp_path / "e.csv"])
    fill(settled, "ax")
    with pytest.raises(ProblexError, match=r"d\.csv has 1 label that the model does not have: 'x'"):
        read_coding([*sheets, settled])
    pd.read_csv(settled, dtype=str).iloc[:1].assign(adjudicated="a").to_csv(settled, index=False)
    with pytest.raises(ProblexError, match=r"on 1 document \(row \d+\), .*: d\.csv does not have them, so write it"):
        read_coding([*sheets, settled]).settled()
    pd.read_csv(sheets[0], dtype=str).assign(adjudicated="a").to_csv(sheets[0], index=False)
    with pytest.raises(ProblexError, match=r"s\.anna\.csv has the columns 'label' and 'adjudicated', expected the"):
        read_coding(sheets)


def test_a_copy_of_an_old_sheet_is_that_of_a_coder(tmp_path: Path) -> None:
    """One sheet was drawn without coders, and copied for a second one."""
    write(tmp_path / "to label.csv", coders=())
    fill(tmp_path / "to label.csv", "ababababab")
    shutil.copy(tmp_path / "to label.csv", tmp_path / "to label.eve.csv")
    coding = read_coding([tmp_path / "to label.csv", tmp_path / "to label.eve.csv"])
    assert coding.coders == (("to label", "eve"),)
    assert coding.agreements()[0].alpha == 1.0


def test_names_of_coders(tmp_path: Path) -> None:
    assert sheet_paths(tmp_path / "s.csv") == [tmp_path / "s.csv"]
    for names in (["anna", "anna"], ["a.b"], [""], ["../x"], ["audit"]):
        with pytest.raises(ProblexError, match="expected a different name for each, of letters, digits, _ and -"):
            sheet_paths(tmp_path / "s.csv", names)
    assert not design_path(tmp_path / "s.csv").exists()
