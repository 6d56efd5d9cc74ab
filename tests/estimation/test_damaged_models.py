"""A damaged model file is refused with a `ModelError`; what loads is what the file has, and predicts numbers."""

from __future__ import annotations

import hashlib
import json
import random
import warnings
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from problex import __version__, load_model, score
from problex.errors import ModelError, ProblexWarning
from problex.estimation.model_file import dumps
from problex.model.calibration import AUDIT_LABELS

FOLDER = Path(__file__).parent / "golden"
NAMES = ["cotrained", "default", "expanded", "multinomial", "paper", "pmi", "three", "tone", "topics"]
TEXTS = ["good film", "bad and poor, not good", "a sad and awful day, happy end :)", "", "nothing of the kind"]
HOSTILE: list[Any] = [
    *(None, True, False, "", "x", "0.5", "\ud800", [], [[]], {}, {"x": 1}, [None], ["x"], [1.5]),
    *(0, 1, -1, 2**31, 2**63 - 1, 2**63, 10**400, -(10**400), 0.5, -0.5, 1e-320, 1e300, -1e300),
    *(float("nan"), float("inf"), -float("inf")),
]


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The path of every value inside."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, part in items:
        yield (*path, name)
        yield from places(part, (*path, name))


def parent_of(record: Any, path: tuple[Any, ...]) -> Any:
    for name in path[:-1]:
        record = record[name]
    return record


def mutate(record: Any, paths: list[tuple[Any, ...]], draw: random.Random) -> None:
    """Change one value somewhere: replaced, removed, exchanged, scaled, repeated, or of another type."""
    # the head is a small part of the values, and has most of the kinds
    path = draw.choice([path for path in draw.sample(paths, 20) if len(path) <= 2] or paths)
    parent, name = parent_of(record, path), path[-1]
    value, kind = parent[name], draw.randrange(7)
    if kind == 0:
        del parent[name]
    elif kind == 1 and isinstance(value, int | float) and not isinstance(value, bool):
        parent[name] = value * draw.choice([-1, 2, 10, 1000, 0.001, 1e-9])
    elif kind == 2:
        other = draw.choice(paths)
        try:
            parent[name], parent_of(record, other)[other[-1]] = parent_of(record, other)[other[-1]], value
            json.dumps(record)
        except (ValueError, LookupError, TypeError):  # one was inside the other
            parent[name] = None
    elif kind == 3 and isinstance(value, list) and value:
        value.insert(draw.randrange(len(value)), draw.choice(value))
    elif kind == 4 and isinstance(parent, dict):
        parent[f"{name}x"] = parent.pop(name)
    elif kind == 5:
        parent[name] = str(value)
    else:
        parent[name] = draw.choice(HOSTILE)


def comparable(text: str) -> Any:
    """Parsed JSON in which NaN is None and large integers are floats, as in arrays of floats."""
    integer = lambda digits: int(digits) if len(digits) < 16 else float(digits)  # noqa: E731
    return json.loads(text, parse_constant=lambda name: None, parse_int=integer)


def check_loaded(path: Path, record: Any) -> bool:
    """Whether the file was refused; if not, the model is what the file has, and its predictions are probabilities."""
    try:
        model = load_model(path)
    except ModelError as error:
        message = str(error)
    else:
        written, record = comparable(dumps(model)), comparable(json.dumps(record))
        assert written == {name: value for name, value in record.items() if name != "digest"} | {"problex": __version__}
        scores = score(TEXTS, model)
        assert np.all(np.isfinite(scores.values))
        np.testing.assert_allclose(scores.probabilities.sum(axis=1), 1.0, atol=1e-9)
        return False
    assert len(message) < 1500
    assert "\n" not in message
    return True


def with_digest(record: Any) -> str:
    """A file with the right digest, in another layout than that of `save`."""
    model_keys = ("lexicon", "columns", "entries", "pmi", "expansion_words", "expansion_features")
    lines = []
    for key, value in record.items():
        if key in model_keys and isinstance(value, list):
            body = ",\n    ".join(json.dumps(row, ensure_ascii=False) for row in value)
            lines.append(f"  {json.dumps(key)}: [\n    {body}\n  ]")
        else:
            lines.append(f"  {json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}")
    content = "{\n" + ",\n".join(lines) + "\n}\n"
    digest = hashlib.sha256(content.encode("utf-8", "surrogatepass")).hexdigest()
    return json.dumps({**record, "digest": f"sha256:{digest}"})


@pytest.mark.filterwarnings("ignore::problex.errors.ProblexWarning")
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("digest", [False, True])
def test_changed_values_are_refused_or_the_file_is_a_model(name: str, digest: bool, tmp_path: Path) -> None:
    text = (FOLDER / f"{name}.json").read_text(encoding="utf-8")
    paths = list(places(json.loads(text)))
    draw = random.Random(f"{name} {digest}")
    path, refused = tmp_path / "m.json", 0
    for _ in range(100):  # continuous integration tries thousands: proof/robustness/fuzz.py
        record = json.loads(text)
        for _ in range(draw.choice([1, 1, 1, 2, 5])):
            mutate(record, list(places(record)) or paths, draw) if record else None
        path.write_text(with_digest(record) if digest else json.dumps(record), encoding="utf-8")
        refused += check_loaded(path, record)
    assert refused > 60


@pytest.mark.parametrize("name", NAMES)
def test_a_saved_file_with_any_change_is_refused(name: str, tmp_path: Path) -> None:
    path = tmp_path / "m.json"
    load_model(FOLDER / f"{name}.json").save(path)
    text, draw = path.read_text(encoding="utf-8"), random.Random(name)
    whole = json.loads(text)
    for _ in range(60):
        record = json.loads(text)
        mutate(record, list(places(record)), draw)
        if record != whole and "digest" in record and record["digest"] is not None:
            path.write_text(json.dumps(record), encoding="utf-8")
            with pytest.raises(ModelError):
                load_model(path)


@pytest.mark.parametrize("name", NAMES)
def test_damaged_texts_are_refused_or_harmless(name: str, tmp_path: Path) -> None:
    """Every change of characters outside of blanks is noticed."""
    path = tmp_path / "m.json"
    model = load_model(FOLDER / f"{name}.json")
    model.save(path)
    text, draw = path.read_text(encoding="utf-8"), random.Random(name)
    for _ in range(80):
        at, size = draw.randrange(len(text)), draw.choice([1, 1, 3, 50])
        new = draw.choice(["", "0", "9", "-", '"', "{", "[", "]", "e5", "null", "NaN", " ", text[at] * 2, text[:at]])
        path.write_text(text[:at] + new + text[at + size :], encoding="utf-8")
        try:
            loaded = load_model(path)
        except ModelError:
            continue
        assert loaded == model


def labelled_file() -> Any:
    """A file of the present format whose threshold was moved by forty labels."""
    model = load_model(FOLDER / "default.json")
    before = replace(model.calibration, whole=False, half_length=12.0)
    moved = replace(before, threshold=0.3, source=AUDIT_LABELS, labels=40, before=before)
    return json.loads(dumps(replace(model, calibration=moved)))


BAD_LABELS: dict[str, tuple[tuple[str, ...], Any, str]] = {
    "no labels": (("labels",), 0, "'calibration.labels' is 0, expected an integer from 1 on"),
    "half a label": (("labels",), 1.5, "'calibration.labels' is 1.5, expected an integer from 1 on"),
    "labels as a text": (("labels",), "40", "'calibration.labels' is '40', expected an integer from 1 on"),
    "labels without a number": (("labels",), None, "'calibration.labels' is None, expected an integer from 1 on"),
    "labels of true": (("labels",), True, "'calibration.labels' is True, expected an integer from 1 on"),
    "no calibration before": (("before",), None, "'calibration.before' is None, expected an object"),
    "a list as the calibration before": (("before",), [], "'calibration.before' is a list, expected an object"),
    "an empty calibration before": (("before",), {}, "is missing"),
    "a threshold before": (("before", "threshold"), "0", "'calibration.before.threshold' is '0', expected a finite"),
    "a sharpness before": (("before", "sharpness"), -1.0, "'calibration.before.sharpness' is -1.0"),
    "a half-length before": (("before", "half_length"), -1.0, "'calibration.before.half_length' is -1.0"),
    "a steepness before": (("before", "steepness"), 1e9, "'calibration.before.steepness' is 1000000000.0"),
    "shares before": (("before", "prevalence", "share"), 2.0, "'calibration.before.prevalence.share' is 2.0"),
    "intercepts before": (("before", "intercepts"), [1.0], "'calibration.before.intercepts'"),
    "the source before": (("before", "source"), "audit labels", "'calibration.before.source' is 'audit labels'"),
    "an unknown source before": (("before", "source"), "guess", "'calibration.before.source'='guess' was given"),
    "labels of labels": (("before", "labels"), 40, "'labels' is not a field of calibration.before"),
    "the source": (("source",), "label-free", "'labels' is not a field of calibration"),
    "an unknown source": (("source",), "guess", "'calibration.source'='guess' was given"),
}


@pytest.mark.parametrize("name", BAD_LABELS)
def test_damaged_labels_of_an_audit_are_refused(name: str, tmp_path: Path) -> None:
    path, value, message = BAD_LABELS[name]
    record = labelled_file()
    parent_of(record["calibration"], path)[path[-1]] = value
    (tmp_path / "m.json").write_text(json.dumps(record), encoding="utf-8")
    with pytest.raises(ModelError) as caught:
        load_model(tmp_path / "m.json")
    assert message in str(caught.value)
    assert "m.json' is damaged: " in str(caught.value)


@pytest.mark.parametrize("field", ["labels", "before"])
def test_both_fields_of_labels_are_needed(field: str, tmp_path: Path) -> None:
    record = labelled_file()
    del record["calibration"][field]
    (tmp_path / "m.json").write_text(json.dumps(record), encoding="utf-8")
    with pytest.raises(ModelError, match=f"'calibration.{field}' is missing"):
        load_model(tmp_path / "m.json")


@pytest.mark.parametrize("name", ["labels", "before"])
def test_every_hostile_value_of_labels_is_refused_or_is_what_the_file_has(name: str, tmp_path: Path) -> None:
    paths = [path for path in places(labelled_file()["calibration"]) if path[0] == name]
    refused = 0
    for path in paths:
        for value in HOSTILE:
            record = labelled_file()
            parent_of(record["calibration"], path)[path[-1]] = value
            (tmp_path / "m.json").write_text(json.dumps(record), encoding="utf-8")
            refused += check_loaded(tmp_path / "m.json", record)
    assert refused > 0.6 * len(paths) * len(HOSTILE)


def small() -> Any:
    return json.loads((FOLDER / "default.json").read_text(encoding="utf-8"))


BAD_VALUES: dict[str, tuple[tuple[Any, ...], Any, str]] = {
    "tokens": (("corpus", "tokens"), -3, "'corpus.tokens' is -3, expected an integer from 1 on"),
    "fewer tokens than counts": (("corpus", "tokens"), 388655, "cannot be of the same texts"),
    "documents": (("corpus", "documents"), 1.5, "'corpus.documents' is 1.5, expected an integer"),
    "10^400": (("corpus", "documents"), 10**400, "is a number of more than 40 digits, expected an integer"),
    "concentration": (("corpus", "concentration"), 0, "'corpus.concentration' is 0, expected a finite number"),
    "NaN": (("corpus", "concentration"), float("nan"), "'corpus.concentration' is nan"),
    "shares": (("shares", "negative"), 0.6, "'shares' add up to 1.09322, expected 1"),
    "a count": (("entries", 0, 2), 10**6, "'count' adds up to more than the tokens"),
    "a text as count": (("entries", 0, 2), "30", "'count' is '30', expected integers only"),
    "a cross count": (("entries", 0, 3), 10**9, "'cross_count' adds up to more than the pairs"),
    "a concordant cross count": (("entries", 0, 4), 66, "'concordant_cross_count' is larger"),
    "predictiveness": (("entries", 0, 5), 1.0, "'predictiveness' is 1.0, expected a finite number from 0 to 1"),
    "a partner weight": (("entries", 0, 6), -1.0, "'partner_weight' is -1.0"),
    "an entry": (("entries", 0, 0), "NOT a", "'entries' does not match the words of the lexicon"),
    "an entry twice": (("entries", 0, 0), "NOT fine", "'entry' has a text twice"),
    "a list": (("entries", 0, 1), "neutral", "an entry of a list that is not in the lexicon"),
    "sharpness": (("calibration", "sharpness"), -3.0, "'calibration.sharpness' is -3.0"),
    "threshold": (("calibration", "threshold"), "0", "'calibration.threshold' is '0', expected a finite number"),
    "prevalence": (("calibration", "prevalence", "share"), 1.5, "'calibration.prevalence.share' is 1.5"),
    "rule": (("settings", "rule"), "guess", "rule='guess' was given"),
    "rule without its table": (("settings", "rule"), "pmi", "'pmi' is missing"),
    "prior": (("settings", "prior"), {"negative": 1, "positive": -1}, "'settings.prior.positive' is -1"),
    "prior of another list": (("settings", "prior"), {"negative": 1, "other": 1}, "'other' is not a field of settings"),
    "shrinkage": (("settings", "shrinkage"), 10**400, "'settings.shrinkage' is a number of more than 40 digits"),
    "scope": (("tokens", "negation", "scope"), 0, "'tokens.negation.scope' is 0"),
    "language": (("tokens", "language"), "klingon", "language 'klingon' is not known"),
    "format": (("format",), True, "'format' is True, expected an integer from 1 on"),
    "an old format": (("format",), 0, "'format' is 0"),
    "solution": (("solution", "converged"), "yes", "'solution.converged' is 'yes', expected true or false"),
}


@pytest.mark.parametrize("name", BAD_VALUES)
def test_errors_name_the_value(name: str, tmp_path: Path) -> None:
    path, value, message = BAD_VALUES[name]
    record = small()
    parent_of(record, path)[path[-1]] = value
    (tmp_path / "m.json").write_text(json.dumps(record), encoding="utf-8")
    with pytest.raises(ModelError) as caught:
        load_model(tmp_path / "m.json")
    assert message in str(caught.value)
    assert "m.json' is damaged: " in str(caught.value)
    assert "save the model again" in str(caught.value)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"documents": 600', '"documents": ' + "9" * 5000, "a number in it has thousands of digits"),
        ('"documents": 600', '"documents": ' + "[" * 100_000, "it is nested too deeply"),
        ('"documents": 600', '"documents": 600, "documents": 6', "'documents' is there twice"),
        ('"rip off"', r'"\ud800"', "a text in it is not valid Unicode"),
        ('"documents": 600', '"documents": ', "line 7: Expecting value"),
    ],
)
def test_json_that_cannot_be_held(old: str, new: str, message: str, tmp_path: Path) -> None:
    text = (FOLDER / "default.json").read_text(encoding="utf-8")
    (tmp_path / "m.json").write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(ModelError) as caught:
        load_model(tmp_path / "m.json")
    assert f"cannot be read as JSON ({message}" in str(caught.value)


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    load_model(FOLDER / "default.json").save(tmp_path / "m.json")
    return tmp_path / "m.json"


def test_an_edited_file_is_refused_unless_its_digest_is_null(saved: Path) -> None:
    text = saved.read_text(encoding="utf-8")
    edited = text.replace("0.4410155326676019", "0.5")
    assert edited != text
    saved.write_text(edited, encoding="utf-8")
    with pytest.raises(
        ModelError, match=r"was changed after it was saved: its content does not fit its digest\. .* if you"
    ):
        load_model(saved)
    lines = edited.splitlines()
    assert lines[1].startswith('  "digest": "sha256:')
    lines[1] = '  "digest": null,'
    saved.write_text("\n".join(lines), encoding="utf-8")
    with pytest.warns(ProblexWarning, match=r"m.json' has no digest: it was edited"):
        model = load_model(saved)
    assert model.predictiveness[0] == 0.5
    model.save(saved, force=True)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert load_model(saved) == model


def test_another_layout_is_the_same_content(saved: Path) -> None:
    model = load_model(saved)
    text = saved.read_text(encoding="utf-8")
    for layout in (json.dumps(json.loads(text)), json.dumps(json.loads(text), indent=4), text.replace("\n", "\r\n")):
        saved.write_bytes(layout.encode())
        assert load_model(saved) == model


def test_a_solution_that_is_not_finite_is_null_in_the_file(tmp_path: Path) -> None:
    model = load_model(FOLDER / "default.json")
    odd = replace(model, solution={**model.solution, "spread": float("inf"), "residuals": [float("nan")]})
    odd.save(tmp_path / "m.json")
    text = (tmp_path / "m.json").read_text(encoding="utf-8")
    assert '"spread": null' in text
    assert '"residuals": [null]' in text
    assert load_model(tmp_path / "m.json") == odd
