"""A damaged model file is refused with a `ModelError`; what loads is what the file has, and predicts numbers."""

from __future__ import annotations

import json
import warnings
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from problex import load_model, score
from problex.errors import ModelError, ProblexWarning
from problex.estimation.model_file import dumps
from tests.model.saved_models import NAMES, make

TEXTS = ["good film", "bad and poor, not good", "a sad and awful day, happy end :)", "", "rain and goal"]
HOSTILE: list[Any] = [
    *(None, True, False, "", "x", "0.5", "\ud800", [], [[]], {}, {"x": 1}, [None], ["x"], [1.5]),
    *(0, 1, -1, 2**31, 2**63 - 1, 2**63, 10**400, -(10**400), 0.5, -0.5, 1e-320, 1e300, -1e300),
    *(float("nan"), float("inf"), -float("inf")),
]


def edited(name: str) -> Any:
    """The content of a file whose digest was removed on purpose."""
    return {"digest": None, **json.loads(dumps(make(name)))}


def write(record: Any) -> bytes:
    return json.dumps(record).encode("utf-8", "surrogatepass")


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


def damage(record: Any, draw: Any) -> None:
    """Change one value somewhere: replaced, removed, exchanged, scaled, repeated, renamed, or of another type."""
    every = list(places(record))
    head = [path for path in every if len(path) <= 3 and not isinstance(path[-1], int)]
    path = draw(st.sampled_from(head) | st.sampled_from(every))
    parent, name = parent_of(record, path), path[-1]
    value, way = parent[name], draw(st.sampled_from(["remove", "scale", "copy", "repeat", "rename", "text", "hostile"]))
    if way == "remove":
        del parent[name]
    elif way == "scale" and type(value) in (int, float):
        parent[name] = value * draw(st.sampled_from([-1, 2, 10, 1000, 0.001, 1e-9]))
    elif way == "copy":
        other = draw(st.sampled_from(every))
        parent[name] = json.loads(json.dumps(parent_of(record, other)[other[-1]]))
    elif way == "repeat" and isinstance(value, list) and value:
        value.insert(draw(st.integers(0, len(value))), draw(st.sampled_from(value)))
    elif way == "rename" and isinstance(parent, dict):
        parent[f"{name}x"] = parent.pop(name)
    elif way == "text":
        parent[name] = str(value)
    else:
        parent[name] = draw(st.sampled_from(HOSTILE))


def comparable(text: str) -> Any:
    """Parsed JSON in which NaN is None and large integers are floats, as in arrays of floats."""
    integer = lambda digits: int(digits) if len(digits) < 16 else float(digits)  # noqa: E731
    record = json.loads(text, parse_constant=lambda name: None, parse_int=integer)
    negation = record["tokens"]["negation"] or {}
    negation |= {name: sorted(words) for name, words in negation.items() if isinstance(words, list)}
    return {name: value for name, value in record.items() if name not in ("digest", "problex")}


def load(data: bytes) -> Any:
    """The model of a file with this content."""
    with TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore", ProblexWarning)
        path = Path(folder) / "m.json"
        path.write_bytes(data)
        return load_model(path)


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=60)
@given(data=st.data())
def test_a_changed_value_is_refused_or_is_what_the_model_has(name: str, data: st.DataObject) -> None:
    record = edited(name)
    damage(record, data.draw)
    try:
        model = load(write(record))
    except ModelError as error:
        message = str(error)
        assert (len(message) < 1500, "\n" in message) == (True, False)
        return
    assert comparable(dumps(model)) == comparable(json.dumps(record))
    scores = score(TEXTS, model)
    assert np.all(np.isfinite(scores.values))
    np.testing.assert_allclose(scores.probabilities.sum(axis=1), 1.0, atol=1e-9)


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=25)
@given(data=st.data())
def test_every_change_of_a_saved_file_is_noticed(name: str, data: st.DataObject) -> None:
    with TemporaryDirectory() as folder:
        make(name).save(Path(folder) / "m.json")
        content = (Path(folder) / "m.json").read_bytes()
    at = data.draw(st.integers(0, len(content) - 1))
    new = data.draw(st.sampled_from([b"", b"0", b"-", b'"', b"{", b"]", b"null", b"NaN", b"\xff", content[:at]]))
    changed = content[:at] + new + content[at + data.draw(st.sampled_from([1, 1, 3, 50])) :]
    if changed != content:
        with pytest.raises(ModelError):
            load(changed)


@pytest.mark.parametrize("name", NAMES)
def test_what_was_saved_is_loaded(name: str, tmp_path: Path) -> None:
    make(name).save(tmp_path / "m.json")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert load_model(tmp_path / "m.json") == make(name)


BAD_VALUES: dict[str, tuple[tuple[Any, ...], Any, str]] = {
    "tokens": (("corpus", "tokens"), -3, "'corpus.tokens' is -3, expected an integer from 1 on"),
    "fewer tokens than counts": (("corpus", "tokens"), 300, "cannot be of the same texts"),
    "NaN": (("corpus", "concentration"), float("nan"), "'corpus.concentration' is nan"),
    "shares": (("shares", "negative"), 0.9, "'shares' add up to"),
    "a text as count": (("entries", 0, 2), "30", "'count' is '30', expected integers only"),
    "a count": (("entries", 0, 2), 10**6, "'count' adds up to more than the tokens"),
    "a cross count": (("entries", 0, 3), 10**9, "'cross_count' adds up to more than the pairs"),
    "an entry": (("entries", 0, 0), "NOT a", "'entries' does not match the words of the lexicon"),
    "a list": (("entries", 0, 1), "neutral", "an entry of a list that is not in the lexicon"),
    "sharpness": (("calibration", "sharpness"), -3.0, "'calibration.sharpness' is -3.0"),
    "no labels": (("calibration", "labels"), 0, "'calibration.labels' is 0, expected an integer from 1 on"),
    "the source": (("calibration", "source"), "label-free", "'labels' is not a field of calibration"),
    "rule": (("settings", "rule"), "guess", "rule='guess' was given"),
    "rule without its table": (("settings", "rule"), "pmi", "'pmi' is missing"),
    "prior": (("settings", "prior"), {"negative": 1, "positive": -1}, "'settings.prior.positive' is -1"),
    "scope": (("tokens", "negation", "scope"), 0, "'tokens.negation.scope' is 0"),
    "language": (("tokens", "language"), "klingon", "language 'klingon' is not known"),
    "format": (("format",), True, "'format' is True, expected an integer from 1 on"),
    "solution": (("solution", "converged"), "yes", "'solution.converged' is 'yes', expected true or false"),
}


@pytest.mark.parametrize("name", BAD_VALUES)
def test_errors_name_the_value(name: str) -> None:
    path, value, message = BAD_VALUES[name]
    record = edited("labels")
    parent_of(record, path)[path[-1]] = value
    with pytest.raises(ModelError) as caught:
        load(write(record))
    assert message in str(caught.value)
    assert "m.json' is damaged: " in str(caught.value)
    assert "save the model again" in str(caught.value)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("9" * 5000, "a number in it has thousands of digits"),
        ("[" * 100_000, "it is nested too deeply"),
        ('3, "documents": 6', "'documents' is there twice"),
        (r'"\ud800"', "a text in it is not valid Unicode"),
        ("", "line 7: Expecting value"),
    ],
)
def test_json_that_cannot_be_held(value: str, message: str) -> None:
    text = dumps(make("default"))
    assert text.count('"documents": 300') == 1
    with pytest.raises(ModelError) as caught:
        load(text.replace('"documents": 300', f'"documents": {value}').encode())
    assert f"cannot be read as JSON ({message}" in str(caught.value)


def test_an_edited_file_is_refused_unless_its_digest_is_null(tmp_path: Path) -> None:
    path = tmp_path / "m.json"
    make("default").save(path)
    lines = path.read_text(encoding="utf-8").splitlines()
    assert lines[1].startswith('  "digest": "sha256:')
    documents = next(at for at, line in enumerate(lines) if '"dispersion"' in line)
    lines[documents] = lines[documents].replace('"documents": 300', '"documents": 301')
    path.write_text("\n".join(lines), encoding="utf-8")
    message = r"was changed after it was saved: its content does not match its digest\. .* if you"
    with pytest.raises(ModelError, match=message):
        load_model(path)
    lines[1] = '  "digest": null,'
    path.write_text("\n".join(lines), encoding="utf-8")
    with pytest.warns(ProblexWarning, match=r"m.json' has no digest: it was edited"):
        model = load_model(path)
    assert model.evidence.documents == 301
    model.save(path, force=True)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert load_model(path) == model
