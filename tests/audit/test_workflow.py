"""From texts to a sheet, from a sheet to estimates, from estimates to a calibrated model."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from problex import Lexicon, Model, count, estimate, load_model, score
from problex.audit import audit, draw_sheet, score_sheets, store_calibration
from problex.audit.design import design_path, model_fingerprint, read_design
from problex.audit.workflow import check_model
from problex.corpus import Batch, batches
from problex.errors import OutputError, ProblexError
from problex.estimation.model_file import save_model

LEXICON = Lexicon({"negative": ["bad", "poor"], "positive": ["good", "fine"]})
TEXTS = [
    f"{first} {second} film <b>{at}</b>"
    for at in range(15)
    for first, second in (("good", "fine"), ("bad", "poor"), ("good", "poor"), ("fine", "day"))
]
TRUTH = ["positive", "negative", "negative", "positive"] * 15
FRAME = pd.DataFrame({"text": [*TEXTS, "", "123"], "id": [f"d{at}" for at in range(62)]})


def read() -> Iterator[Batch]:
    return batches(FRAME, text="text", keep=("id",), batch_bytes=300)


@pytest.fixture
def model() -> Model:
    return estimate(count(TEXTS, LEXICON), LEXICON)


def fill(path: Path, truth: Callable[[int], str] = TRUTH.__getitem__) -> None:
    table = pd.read_csv(path, dtype=str, keep_default_na=False)
    table["label"] = [truth(int(row)) for row in table["row"]]
    table.to_csv(path, index=False)


def test_a_sheet_has_the_documents_of_its_rows(model: Model, tmp_path: Path) -> None:
    path = tmp_path / "sheet.csv"
    design, notes = draw_sheet(model, read, path, 20)
    assert notes == ["2 documents without words left out", "56 of 60 texts are copies of others"]
    assert design.sample.documents == 60
    assert (design.seed, design.model) == (0, model_fingerprint(model))
    assert len(design.model) == 16
    assert [len(text) for text in design.texts] == [12] * 20
    table = pd.read_csv(path)
    assert table["row"].tolist() == design.sample.rows.tolist()
    assert table["text"].tolist() == [TEXTS[row] for row in table["row"]]
    assert table["id"].tolist() == [f"d{row}" for row in table["row"]]
    again, _ = draw_sheet(model, read, tmp_path / "again.csv", 20)
    assert again.texts == design.texts
    draw_sheet(model, read, tmp_path / "one.csv", 1)
    assert list(pd.read_csv(tmp_path / "one.csv").columns) == ["row", "id", "label", "text"]
    other, _ = draw_sheet(model, read, tmp_path / "other.csv", 20, seed=1)
    assert other.seed == 1
    assert other.texts != design.texts


def test_markup_is_removed_where_it_is_asked_for(model: Model, tmp_path: Path) -> None:
    draw_sheet(model, read, tmp_path / "tags.csv", 5)
    assert pd.read_csv(tmp_path / "tags.csv")["text"].str.contains("<b>").all()
    draw_sheet(model, read, tmp_path / "clean.csv", 5, markup=True)
    assert not pd.read_csv(tmp_path / "clean.csv")["text"].str.contains("<b>").any()


def test_files_are_checked_before_texts_are_read(model: Model, tmp_path: Path) -> None:
    def never() -> Iterator[Batch]:
        raise AssertionError

    design_path(tmp_path / "sheet.csv").write_text("{}")
    with pytest.raises(OutputError, match=r"sheet\.audit\.json' exists"):
        draw_sheet(model, never, tmp_path / "sheet.csv", 5)
    design, _ = draw_sheet(model, read, tmp_path / "sheet.csv", 5, force=True)
    assert read_design(tmp_path / "sheet.csv").texts == design.texts


def test_sheets_drawn_one_after_the_other_are_scored_as_one(model: Model, tmp_path: Path) -> None:
    first, second, third = (tmp_path / f"{name}.csv" for name in ("first", "second", "third"))
    one, _ = draw_sheet(model, read, first, 20)
    two, _ = draw_sheet(model, read, second, 10, earlier=[first])
    three, _ = draw_sheet(model, read, third, 5, earlier=[first, second])
    rows = [row for design in (one, two, three) for row in design.sample.rows.tolist()]
    assert len(set(rows)) == 35
    assert two.expected == one.expected
    for path in (first, second, third):
        fill(path)
    result, design = score_sheets([first, second, third])
    assert result.labelled == 35
    assert design.sample.rows.tolist() == rows
    assert len(design.texts) == 35
    expected = audit(one.sample + two.sample + three.sample, [TRUTH[row] for row in rows], one.expected)
    assert result.estimates == expected.estimates
    assert result["accuracy"].expected == one.expected["accuracy", ""]


def test_labels_may_be_in_another_column(model: Model, tmp_path: Path) -> None:
    path = tmp_path / "sheet.csv"
    draw_sheet(model, read, path, 20)
    fill(path)
    table = pd.read_csv(path).rename(columns={"label": "by Anna"})
    table.to_csv(path, index=False)
    assert score_sheets([path], "by Anna")[0].labelled == 20


def test_the_calibration_is_stored_in_the_model_that_was_audited(model: Model, tmp_path: Path) -> None:
    sheet, file, other = tmp_path / "sheet.csv", tmp_path / "model.json", tmp_path / "other.json"
    draw_sheet(model, read, sheet, 20)
    fill(sheet)
    result, design = score_sheets([sheet])
    save_model(model, file)
    stored = store_calibration(result, design, file)
    assert load_model(file) == stored
    assert (stored.calibration.labels, stored.calibration.source) == (20, "audit labels")
    assert stored.label_free == model
    assert stored.threshold_source == "from 20 audit labels"
    assert store_calibration(result, design, file) == stored  # from the label-free one again, not from the stored one
    assert model_fingerprint(stored) == model_fingerprint(model)
    save_model(estimate(count(TEXTS, LEXICON), LEXICON, shrinkage=5), other)
    assert store_calibration(result, design, other).calibration.labels == 20  # labels survive a change of settings
    scores = score(TEXTS, stored)
    names = np.array(stored.classes, dtype=object)[scores.probabilities.argmax(axis=1)]
    assert np.array_equal(names[~scores.undecided], scores.labels()[~scores.undecided])
    with pytest.raises(ProblexError, match="the audit does not have its texts, expected the result of score_sheets"):
        store_calibration(replace(result, labelled_texts=None), design, file)


def test_sheets_of_another_model_are_refused(model: Model, tmp_path: Path) -> None:
    sheet, more = tmp_path / "sheet.csv", tmp_path / "more.csv"
    design, _ = draw_sheet(model, read, sheet, 20)
    other = estimate(count(TEXTS, LEXICON), LEXICON, shrinkage=5)
    with pytest.raises(ProblexError, match=r"sheet\.csv was drawn with another model than the one given"):
        draw_sheet(other, read, more, 5, earlier=[sheet])
    assert not more.exists()
    check_model(design, other, [Path("x.csv")])
    three = Lexicon({"negative": ["bad"], "odd": ["film"], "positive": ["good"]})
    with pytest.raises(ProblexError) as found:
        check_model(design, estimate(count(TEXTS, three), three), [Path("sheet.csv"), Path("x.csv")])
    assert str(found.value) == (
        "the documents of sheet.csv, x.csv have the labels negative, positive, but the model has negative, odd, "
        "positive: expected the same labels. Give a model with these labels, or draw and label a sample with this one"
    )


def test_labels_judge_another_model_with_the_weights_they_were_drawn_with(model: Model, tmp_path: Path) -> None:
    """By hand: the mean of right (1), wrong (0) or undecided (1/2), weighted by documents per label of each stratum."""
    sheet = tmp_path / "sheet.csv"
    draw_sheet(model, read, sheet, 20)
    fill(sheet)
    own, design = score_sheets([sheet], model=model)
    assert own.estimates == score_sheets([sheet])[0].estimates
    other = estimate(count(TEXTS, LEXICON), LEXICON, rule="count")
    result, _ = score_sheets([sheet], model=other)
    rows = design.sample.rows
    labels = score([TEXTS[row] for row in rows], other).labels()
    right = np.where(labels == "undecided", 0.5, labels == [TRUTH[row] for row in rows])
    weights = 1.0 / design.sample.probabilities()
    assert result["accuracy"].value == pytest.approx(np.average(right, weights=weights))
    assert result["accuracy"].expected is None
    assert any(note.startswith("the documents were drawn with another model: each label") for note in result.notes())
