"""Models as versioned, readable JSON files. No pickle: a file of unknown origin can be read safely."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict
from functools import partial
from itertools import chain
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from problex._util._tables import end_of_table, read_columns, write_rows
from problex._util.files import write_atomically
from problex._util.json_values import Columns, DamagedValueError, Fields, parse_json, shorten
from problex._util.memory import without_garbage_collection
from problex._util.records import Record
from problex._version import __version__
from problex.counting.serialization import READ_ERRORS
from problex.errors import ModelError, ProblexWarning, warn_caller
from problex.estimation.model_reading import (
    COLUMNS,
    COTRAINED,
    DISCOUNT,
    HEAD,
    REVERSAL,
    STANDARD_ERROR,
    TABLES,
    read_model,
)
from problex.model.expansion import Expansion
from problex.model.model import Model
from problex.model.rules import RULES

FORMAT = 1
DIGEST_LINE = '{{\n  "digest": "{}",\n'
ENTRIES_START, ROW_END, ENTRIES_END = b'\n  "entries": [\n    ', b",\n    ", b"\n  ]"
_FIGURES = ("lexicon_weight", "documents", "agreement", "rounds", "typical_length")


def save_model(model: Model, path: str | PathLike[str], *, force: bool = False, confirm: bool = False) -> None:
    """Write a model: the lexicon and its hash, the settings, the sums to estimate again, one line per entry.

    The first line is a digest (SHA-256) of the rest, by which `load_model` notices changes. With `confirm`, a file that
    exists must be the same.
    """
    with without_garbage_collection():
        start, *rest = _parts(model)
    digest = DIGEST_LINE.format(_digest(start, *rest)).encode()
    parts = [digest, start.removeprefix(b"{\n"), *rest]
    write_atomically(Path(path), partial(_write_parts, parts=parts), force=force, confirm=confirm)


def _write_parts(path: Path, parts: Iterable[bytes]) -> None:
    with path.open("wb") as file:
        file.writelines(parts)


def dumps(model: Model) -> str:
    """The content of a model file without its digest; equal models give equal texts."""
    return b"".join(_parts(model)).decode()


def _parts(model: Model) -> list[bytes]:
    """The content of a model file without its digest, in parts: that of a million entries takes a hundred megabytes."""
    head, columns = _head(model), _columns(model)
    lines: dict[str, Sequence[Any]] = {
        "lexicon": [[name, list(words)] for name, words in model.lexicon.lists.items()],
        **({"given_weights": list(model.lexicon.weights.items())} if _uses_given(model) else {}),
        "columns": list(columns),
        "entries": [],
    }
    if model.cotrained is not None:
        head["cotrained"] = {name: _finite(getattr(model.cotrained, name)) for name in COTRAINED}
    if model.platt is not None:
        head["platt"] = model.platt.record(model.classes)
    if model.pmi is not None:
        head["pmi_documents"] = model.pmi.imputed_documents.tolist()
        lines["pmi"] = [[word, *part] for word, part in zip(model.pmi.words, model.pmi.imputed.tolist(), strict=True)]
    if model.expansion is not None:
        head["expansion"], lines["expansion_words"], lines["expansion_features"] = _expansion_rows(model.expansion)
    start, end = _one_line_per_row(head, lines).encode().split(ENTRIES_START)  # line breaks are between rows only
    return [start, ENTRIES_START, *write_rows(columns.values(), ROW_END), end]


def _head(model: Model) -> Record:
    """What every model has, but for its words."""
    evidence, tau = model.refined, model.evidence.concentration
    return {
        "format": FORMAT,
        "problex": __version__,
        "lexicon_hash": model.lexicon.fingerprint,
        "tokens": {**model.tokenizer.settings},
        "settings": asdict(model.settings),
        "corpus": {
            "documents": evidence.documents,
            "tokens": evidence.tokens,
            "squared_lengths": evidence.squared_lengths,
            "concentration": tau if np.isfinite(tau) else None,
            "dispersion": evidence.dispersion if np.isfinite(evidence.dispersion) else None,
            "kept_differences": evidence.kept_differences,
        },
        "shares": dict(zip(model.classes, model.shares.tolist(), strict=True)),
        "solution": _solution_record(model),
        "calibration": model.calibration.record(),
    }


def _solution_record(model: Model) -> Record:
    """The solution, what negation does, and which words the balance depends on, by their index."""
    solution, reversal, entries = model.solution, model.evidence.reversal, model.evidence.entries
    record = {name: _finite(value) for name, value in vars(solution).items() if value is not None}
    if reversal is not None:
        record |= {name: _finite(value) for name, value in zip(REVERSAL, vars(reversal).values(), strict=True)}
    if (shift := record.pop("balance_shift", None)) is not None:
        index = model.classes.index(shift.label)
        record["balance_shift"] = [index, shift.share, shift.other_share, *map(entries.index, shift.words)]
    return record


def _columns(model: Model) -> dict[str, Sequence[str] | NDArray[Any]]:
    """The table of entries, by column."""
    evidence = model.refined
    values: list[Sequence[str] | NDArray[Any]] = [
        evidence.entries,
        np.array(evidence.lists, dtype=object)[evidence.list_index].tolist(),
        evidence.occurrences,
        evidence.cross_counts,
        evidence.concordant_cross_counts,
        model.predictiveness,
        evidence.partner_weights,
        evidence.weighted_cross_counts,
    ]
    columns = dict(zip(COLUMNS, values, strict=True))
    if evidence.discounts is not None:
        columns[DISCOUNT] = evidence.discounts
    if model.cotrained is not None:
        columns[STANDARD_ERROR] = model.cotrained.standard_errors
    return columns


def _uses_given(model: Model) -> bool:
    """Whether the model needs the weights of the lexicon's author."""
    return model.settings.shrink_to == "given" or RULES[model.settings.rule].given


def _finite(value: Any) -> Any:
    """A number, or null if it is not finite, which JSON lacks; of a list, each.

    >>> _finite([1.5, float("nan"), (2, float("inf"))])
    [1.5, None, [2, None]]
    """
    if isinstance(value, list | tuple):
        return [_finite(number) for number in value]
    return None if isinstance(value, float) and not np.isfinite(value) else value


def _expansion_rows(expansion: Expansion) -> tuple[Record, list[str], list[list[Any]]]:
    """An expansion as its figures, its words, and a row per feature.

    A row has the word, the next word or null, documents, the discount, and the weights.
    """
    known = expansion.vocabulary
    words = [*known.words, None]  # the last, -1, is for no next word
    figures: Record = {"kind": expansion.kind} | {name: getattr(expansion, name) for name in _FIGURES}
    figures |= {"corpus": known.corpus}
    figures |= {"support": None if expansion.support is None else expansion.support.tolist()}
    discounts = np.ones(len(known.first)) if known.discounts is None else known.discounts
    numbers = known.documents.tolist(), discounts.tolist()
    columns = zip(known.first, known.second, *numbers, expansion.weights.tolist(), strict=True)
    return figures, list(known.words), [[words[a], words[b], *rest, *row] for a, b, *rest, row in columns]


def _one_line_per_row(head: Mapping[str, Any], tables: Mapping[str, Sequence[Any]]) -> str:
    """JSON that a person can read and a version control system can compare."""
    parts = [f"  {json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}" for key, value in head.items()]
    parts += [f"  {json.dumps(key)}: [\n    {_lines_of(rows)}\n  ]" for key, rows in tables.items()]
    return "{\n" + ",\n".join(parts) + "\n}\n"


def _lines_of(rows: Sequence[Any]) -> str:
    """Rows as JSON, one to a line.

    One call for all rows takes a fourth of the time of one for each. What separates two rows must then be nowhere
    inside them, which is so if it occurs as often as there are separators.

    >>> print(_lines_of([["a", 1], ["], [", 2]]), _lines_of([["a", 1], ["b", 2]]), _lines_of([]), sep="\\n")
    ["a", 1],
        ["], [", 2]
    ["a", 1],
        ["b", 2]
    <BLANKLINE>
    """
    encode = json.JSONEncoder(ensure_ascii=False).encode  # json.dumps makes an encoder for every row
    text = encode(rows)[1:-1]
    if text and text[0] in '["' and text.count(between := f"{text[-1]}, {text[0]}") == len(rows) - 1:
        return text.replace(between, f"{text[-1]},\n    {text[0]}")
    return ",\n    ".join(map(encode, rows))


def load_model(path: str | PathLike[str], *, tokenizer: Callable[[str], Sequence[str]] | None = None) -> Model:
    """Read a model file. A model made with a tokenizer of your own needs that function again.

    Every value is checked, and the file must be as it was saved, byte for byte. A file that was edited on purpose
    loads, with a warning, if the line of the digest is changed to `"digest": null,`.
    """
    name = str(path)
    try:
        data = Path(path).read_bytes()
        with without_garbage_collection():
            return _load(data, name, tokenizer)
    except FileNotFoundError:
        raise ModelError(f"there is no model file {name!r}: make one with problex fit") from None
    except (UnicodeDecodeError, IsADirectoryError):
        raise ModelError(f"{name!r} is not a model file, expected JSON written by problex fit") from None
    except OSError as error:
        raise ModelError(f"{name!r} cannot be read: {error.strerror or error}") from None


def _load(data: bytes, name: str, tokenizer: Callable[[str], Sequence[str]] | None) -> Model:
    """The model of the content of a file."""
    try:
        record = _as_saved(data)
        unchanged = record is not None
        if record is None:
            record = parse_json(data.decode(), constants=True)
    except DamagedValueError as error:
        raise ModelError(
            f"{name!r} cannot be read as JSON ({error}), expected a complete model file: give the file that problex "
            "fit wrote; if it is that file, it was cut off or changed, so make it again"
        ) from None
    _check_version(record, name)
    if not unchanged:
        _check_edited(record, name)
    try:
        return read_model(Fields.of("", record, (*HEAD, *TABLES)), tokenizer)
    except ModelError as error:
        raise ModelError(f"{name!r}: {error}") from None
    except READ_ERRORS as error:
        raise ModelError(
            f"{name!r} is damaged: {error}. Expected a complete model file: save the model again, or estimate it again"
        ) from None


def _as_saved(data: bytes) -> Record | None:
    """The content of a file that is as it was saved, by its digest, with the entries as columns; None of any other.

    So the entries need no object for each value. In JSON, texts have no line breaks: these are where they were put.
    """
    end = data.find(b"\n", 2) + 1
    if data[:end] != DIGEST_LINE.format(_digest(b"{\n", memoryview(data)[end:])).encode():
        return None
    start = data.find(ENTRIES_START)
    first = start + len(ENTRIES_START)
    size, stop = end_of_table(data, first, ROW_END) if start >= 0 else (0, 0)
    if not data.startswith(ENTRIES_END, stop):
        return None
    rest = data[:start] + ENTRIES_START.strip() + data[stop:]
    record: Record = parse_json(rest.decode(), constants=True)
    columns = read_columns(data, first, stop, ROW_END, size, _words_of(record.get("lexicon")))
    return None if columns is None else record | {"entries": Columns(columns)}


def _words_of(lexicon: object) -> list[Any]:
    """The words of the lexicon of a file, most of which are entries in the same order; none if it is not as expected.

    >>> _words_of([["negative", ["bad", "poor"]], ["positive", ["good"]]]), _words_of(None), _words_of([1])
    (['bad', 'poor', 'good'], [], [])
    """
    rows = lexicon if isinstance(lexicon, list) else []
    words = [row[1] for row in rows if isinstance(row, list) and len(row) == 2 and isinstance(row[1], list)]
    return list(chain.from_iterable(words))


def _check_version(record: Any, name: str) -> None:
    if not isinstance(record, dict) or "problex" not in record or "format" not in record:
        raise ModelError(f"{name!r} is JSON but not a problex model, expected a file written by problex fit")
    version = record["format"]
    if type(version) is int and version != FORMAT:
        advice = "upgrade with pip install -U problex" if version > FORMAT else "estimate it again"
        raise ModelError(
            f"{name!r} has format {shorten(version)} from problex {shorten(record['problex'])}, this is problex "
            f"{__version__} and reads format {FORMAT}: {advice}"
        )


def _check_edited(record: Mapping[str, Any], name: str) -> None:
    """Raise if a file is not as it was saved; warn if its digest was removed on purpose."""
    if "digest" in record and record["digest"] is None:
        warn_caller(f"{name!r} has no digest: it was edited, and its values may not fit together", ProblexWarning)
        return
    raise ModelError(
        f"{name!r} was changed after it was saved: its content does not match its digest. Save the model again; or, "
        'if you changed it on purpose, write "digest": null in place of the digest to read it as it is'
    )


def _digest(*parts: bytes | memoryview) -> str:
    digest = hashlib.sha256()
    for part in parts:
        digest.update(part)
    return f"sha256:{digest.hexdigest()}"
