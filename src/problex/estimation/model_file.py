"""Models as versioned, readable JSON files. No pickle: a file of unknown origin can be read safely."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from problex._util.files import write_atomically
from problex._util.records import Record
from problex._version import __version__
from problex.errors import ModelError, ProblexError
from problex.estimation.calibration import UNCALIBRATED, Calibration
from problex.estimation.model import Model
from problex.estimation.moments import Evidence
from problex.estimation.platt import Platt
from problex.estimation.rules import PmiTable
from problex.estimation.settings import Settings
from problex.expansion.expansion import Expansion
from problex.expansion.vocabulary import Vocabulary
from problex.lexicon.lexicon import Lexicon
from problex.matching.items import items_of
from problex.matching.tokens import Tokenizer

FORMAT = 2
_FIGURES = ("lexicon_weight", "documents", "agreement", "rounds", "typical_length")
_COUNTED = ("entry", "list", "count", "cross_count", "concordant_cross_count")
_ENTRY = (*_COUNTED, "predictiveness", "partner_weight", "weighted_cross_count")


def save_model(model: Model, path: str | PathLike[str], *, force: bool = False) -> None:
    """Write a model: the lexicon and its hash, the settings, the sums to estimate again, one line per entry."""
    text = dumps(model)
    write_atomically(Path(path), lambda name: name.write_text(text, encoding="utf-8"), force=force)


def dumps(model: Model) -> str:
    """The text of a model file; equal models give equal texts."""
    evidence = model.evidence
    rows = zip(
        evidence.entries,
        (model.classes[at] for at in evidence.list_index),
        evidence.occurrences.tolist(),
        evidence.cross_counts.tolist(),
        evidence.concordant_cross_counts.tolist(),
        model.predictiveness.tolist(),
        evidence.partner_weights.tolist(),
        evidence.weighted_cross_counts.tolist(),
        strict=True,
    )
    tau = evidence.concentration
    head = {
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
        },
        "shares": dict(zip(model.classes, model.shares.tolist(), strict=True)),
        "solution": dict(model.solution),
        "calibration": model.calibration.record(),
    }
    lines: dict[str, Sequence[Any]] = {
        "lexicon": [[name, list(words)] for name, words in model.lexicon.lists.items()],
        "columns": list(_ENTRY),
        "entries": list(rows),
    }
    if model.platt is not None:
        head["platt"] = model.platt.record(model.classes)
    if model.pmi is not None:
        head["pmi_documents"] = model.pmi.imputed_documents.tolist()
        lines["pmi"] = [[word, *part] for word, part in zip(model.pmi.words, model.pmi.imputed.tolist(), strict=True)]
    if model.expansion is not None:
        head["expansion"], lines["expansion_words"], lines["expansion_features"] = _expansion_rows(model.expansion)
    return _one_line_per_row(head, lines)


def _expansion_rows(expansion: Expansion) -> tuple[Record, list[str], list[list[Any]]]:
    """An expansion as its figures, its words, and a row per feature: word, next word or null, documents, weights."""
    known = expansion.vocabulary
    words = [*known.words, None]  # the last, -1, is for no next word
    figures = {name: getattr(expansion, name) for name in _FIGURES}
    figures |= {"offset": expansion.offset.tolist(), "corpus": known.corpus}
    columns = zip(known.first, known.second, known.documents.tolist(), expansion.weights.tolist(), strict=True)
    return figures, list(known.words), [[words[a], words[b], seen, *row] for a, b, seen, row in columns]


def _expansion(record: Record, classes: int) -> Expansion:
    place = {word: at for at, word in enumerate(record["expansion_words"])}
    place[None] = -1
    rows, figures = record["expansion_features"], record["expansion"]
    first, second = (np.array([place[row[side]] for row in rows], dtype=np.int64) for side in (0, 1))
    seen = np.array([row[2] for row in rows], dtype=np.int64)
    weights = np.array([row[3:] for row in rows], dtype=np.float64).reshape(len(rows), classes)
    values: Record = {name: figures[name] for name in _FIGURES}
    values["offset"] = np.array(figures["offset"], dtype=np.float64).reshape(classes)
    known = Vocabulary(tuple(record["expansion_words"]), first, second, seen, figures["corpus"])
    return Expansion(known, weights, **values)


def _one_line_per_row(head: Mapping[str, Any], tables: Mapping[str, Sequence[Any]]) -> str:
    """JSON that a person can read and a version control system can compare."""
    parts = [f"  {json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}" for key, value in head.items()]
    for key, rows in tables.items():
        body = ",\n    ".join(json.dumps(row, ensure_ascii=False) for row in rows)
        parts.append(f"  {json.dumps(key)}: [\n    {body}\n  ]")
    return "{\n" + ",\n".join(parts) + "\n}\n"


def load_model(path: str | PathLike[str], *, tokenizer: Callable[[str], Sequence[str]] | None = None) -> Model:
    """Read a model file. A model made with a tokenizer of your own needs that function again."""
    source = Path(path)
    try:
        text = source.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise ModelError(f"there is no model file {str(source)!r}: make one with problex fit") from None
    except (UnicodeDecodeError, IsADirectoryError):
        raise ModelError(f"{str(source)!r} is not a model file, expected JSON written by problex fit") from None
    try:
        record = json.loads(text)
    except json.JSONDecodeError as error:
        raise ModelError(
            f"{str(source)!r} is not complete JSON (line {error.lineno}: {error.msg}): the file was cut off or "
            "changed, save the model again"
        ) from None
    return _model(record, str(source), tokenizer)


def _model(record: Any, name: str, custom: Callable[[str], Sequence[str]] | None) -> Model:
    if not isinstance(record, dict) or "problex" not in record or "format" not in record:
        raise ModelError(f"{name!r} is JSON but not a problex model, expected a file written by problex fit")
    if not isinstance(record["format"], int) or record["format"] > FORMAT:
        raise ModelError(
            f"{name!r} has format {record['format']} from problex {record['problex']}, this is problex {__version__} "
            f"and reads up to format {FORMAT}: upgrade with pip install -U problex"
        )
    try:
        return _build(record, name, custom)
    except ProblexError:
        raise
    except (KeyError, TypeError, IndexError, AttributeError, ValueError, RecursionError) as error:
        raise ModelError(f"{name!r} has no valid {error}, expected a complete model file: save it again") from None


def _build(record: Record, name: str, custom: Callable[[str], Sequence[str]] | None) -> Model:
    lexicon = Lexicon(dict(record["lexicon"]))
    if lexicon.fingerprint != record["lexicon_hash"]:
        raise ModelError(f"the lexicon inside {name!r} was changed after it was saved: estimate the model again")
    wanted = record["tokens"]["custom"]
    if (wanted is None) != (custom is None):
        hint = f"pass it: load_model(path, tokenizer={wanted})" if wanted else "leave tokenizer out"
        raise ModelError(f"{name!r} was made with {wanted or 'the standard tokenizer'}: {hint}")
    tokens = record["tokens"]
    negation = tokens.get("negation")
    tokenizer = Tokenizer(tokens["language"], tokens["fold_accents"], custom, negation)
    columns = dict(zip(record["columns"], zip(*record["entries"], strict=True), strict=True))
    evidence = _evidence(columns, record["corpus"], lexicon.names)
    shares = np.array([record["shares"][label] for label in lexicon.names])
    predictiveness = np.array(columns["predictiveness"], dtype=np.float64)
    if not np.all((predictiveness >= 0) & (predictiveness < 1)):
        raise ModelError(f"{name!r} has a predictiveness outside 0 to 1: the file was changed, save the model again")
    items = items_of(lexicon, tokenizer)
    lists = [items.find(entry) for entry in evidence.entries]
    if not set(items.names) <= set(evidence.entries) or lists != evidence.list_index.tolist():
        raise ModelError(f"the entries in {name!r} are not those of its lexicon: the file was changed, save it again")
    pmi = _pmi(record) if "pmi" in record else None
    # The first format had no calibration: its scores were what the rule and the tempering made them.
    settings = Settings.from_options(**{"calibration": "none"} | record["settings"])
    calibration = Calibration.from_record(record["calibration"]) if "calibration" in record else UNCALIBRATED
    stored = record.get("platt")
    platt = Platt.from_record(stored, lexicon.names) if stored else None
    expansion = _expansion(record, len(lexicon.names)) if "expansion" in record else None
    learned = (predictiveness, shares, record["solution"], pmi, platt, calibration)
    return Model(lexicon, tokenizer, settings, evidence, *learned, expansion=expansion)


def _evidence(columns: Mapping[str, Sequence[Any]], corpus: Record, lists: tuple[str, ...]) -> Evidence:
    position = {label: at for at, label in enumerate(lists)}
    tau, dispersion, crossed = corpus["concentration"], corpus.get("dispersion"), columns["cross_count"]
    return Evidence(
        lists=lists,
        entries=tuple(columns["entry"]),
        list_index=np.array([position[label] for label in columns["list"]], dtype=np.int64),
        occurrences=np.array(columns["count"], dtype=np.int64),
        cross_counts=np.array(crossed, dtype=np.int64),
        concordant_cross_counts=np.array(columns["concordant_cross_count"], dtype=np.int64),
        documents=corpus["documents"],
        tokens=corpus["tokens"],
        squared_lengths=corpus["squared_lengths"],
        concentration=float("inf") if tau is None else float(tau),
        # The first format had neither weighted partners nor a dispersion.
        partner_weights=np.array(columns.get("partner_weight", [1.0] * len(crossed)), dtype=np.float64),
        weighted_cross_counts=np.array(columns.get("weighted_cross_count", crossed), dtype=np.float64),
        dispersion=float("inf") if dispersion is None else float(dispersion),
    )


def _pmi(record: Record) -> PmiTable:
    imputed = np.array([row[1:] for row in record["pmi"]], dtype=np.int64)
    documents = np.array(record["pmi_documents"], dtype=np.int64)
    return PmiTable(tuple(row[0] for row in record["pmi"]), imputed, documents)
