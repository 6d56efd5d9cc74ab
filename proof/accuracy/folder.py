"""Measure a folder of your own cases: `python proof/accuracy/accuracy.py --folder FOLDER [--halves] [case ...]`.

Every subfolder is a case: `texts.csv` has the columns text and label, `lexicon.*` is any lexicon that problex reads,
with a list for each label. `settings.json` is optional: {"language": "de"}; without it the texts are English.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd

from problex import read_lexicon
from problex.errors import ProblexError
from problex.paper.datasets import DataSet

LIMITS = {("default", "counting"): 0.005, ("lexicon", "default"): 0.003, ("expanded", "default"): 0.003}
"""How far the AUC of the first may be below that of the second before it is reported."""


@dataclass(frozen=True)
class Figures:
    """The AUC of every method, by its name."""

    case: str
    texts: int
    areas: Mapping[str, float]
    unseen: Mapping[str, float]
    """On the half that nothing was learned from; empty if it was not measured."""

    def below(self) -> list[str]:
        """What is below its limit, in sample and on the unseen half."""
        found = []
        for place, areas in (("in sample", self.areas), ("unseen half", self.unseen)):
            for (one, other), limit in LIMITS.items():
                if areas and areas[one] < areas[other] - limit:
                    found.append(f"{self.case}, {place}: {one} {areas[one]:.4f}, {other} {areas[other]:.4f}")
        return found


def folder_cases(folder: Path) -> dict[str, Callable[[], DataSet]]:
    """The cases of a folder by the names of its subfolders."""
    found = {path.name: partial(read_case, path) for path in sorted(folder.iterdir()) if path.is_dir()}
    if not found:
        raise ProblexError(f"{folder} has no subfolder, expected one for each case, with texts.csv and lexicon.csv")
    return found


def read_case(folder: Path) -> DataSet:
    """The texts, labels and lists of a case."""
    table = pd.read_csv(folder / "texts.csv", keep_default_na=False, dtype=str)
    if missing := {"text", "label"} - set(table.columns):
        raise ProblexError(f"{folder / 'texts.csv'} has no column {min(missing)!r}, expected text and label")
    lexicons = sorted(folder.glob("lexicon.*"))
    if len(lexicons) != 1:
        raise ProblexError(f"{folder} has {len(lexicons)} files lexicon.*, expected one")
    lexicon = read_lexicon(lexicons[0])
    if unknown := set(table["label"]) - set(lexicon.names):
        raise ProblexError(
            f"{folder / 'texts.csv'} has the label {min(unknown)!r}, expected the names of the lists: "
            f"{', '.join(lexicon.names)}. Leave out texts of other labels"
        )
    settings = folder / "settings.json"
    about = json.loads(settings.read_text(encoding="utf-8")) if settings.exists() else {}
    labels = np.array(table["label"].tolist(), dtype=object)
    return DataSet(folder.name, table["text"].tolist(), labels, lexicon, about.get("language", "en"))


def report(found: Iterable[Figures]) -> str:
    """A table of AUC, in brackets on the unseen half; the means; and what is below its limit."""
    rows = list(found)
    names = list(rows[0].areas)
    lines = [f"| case | texts | {' | '.join(names)} |", "|---|---|" + "---|" * len(names)]
    for row in rows:
        cells = [_cell(row.areas[name], row.unseen.get(name)) for name in names]
        lines.append(f"| {row.case} | {row.texts:,d} | {' | '.join(cells)} |")
    means = [
        _cell(float(np.mean([row.areas[name] for row in rows])), _mean(row.unseen.get(name) for row in rows))
        for name in names
    ]
    lines.append(f"| mean | | {' | '.join(means)} |")
    below = [line for row in rows for line in row.below()]
    return "\n".join([*lines, "", *(below or ["Nothing is below its limit."])])


def _mean(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return float(np.mean(known)) if known else None


def _cell(inside: float, unseen: float | None) -> str:
    shown = [f"{value:.3f}".replace("0.", ".", 1) for value in (inside, unseen) if value is not None]
    return shown[0] if len(shown) == 1 else f"{shown[0]} ({shown[1]})"
