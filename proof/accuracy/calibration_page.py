"""Tables and curve of docs/probabilities.md: `python proof/accuracy/calibration_page.py`, after `calibration.py`."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from statistics import mean
from typing import Any

import altair as alt
from calibration import FILE, MODELS

DOCS = Path(__file__).parents[2] / "docs"
PAGE = DOCS / "probabilities.md"
FORMS = ("own", "first sentences", "5 words", "20 words", "60 words", "other texts")
MARGIN = 0.005
"""Cases whose log loss changes by less are neither better nor worse."""
Results = dict[str, Any]


def cells(found: Results, kind: str, form: str) -> list[Results]:
    """What was measured, before and after, in all cases with this kind of model and form of texts."""
    return [case[kind][form] for case in found.values() if form in case.get(kind, {})]


def summary(found: Results) -> Iterator[str]:
    """Means over cases, by kind of model and form of texts."""
    heads = ("model", "texts", "cases", "log loss", "Brier score", "calibration error")
    heads = (*heads, "confidence : right, before", "after", "better / worse")
    yield f"| {' | '.join(heads)} |"
    yield "|---" * len(heads) + "|"
    for kind in MODELS:
        for form in FORMS:
            rows = cells(found, kind, form)
            pairs = [
                " → ".join(f"{mean(row[rule][name] for row in rows):.3f}" for rule in ("before", "after"))
                for name in ("log_loss", "brier", "calibration_error")
            ]
            sure = [
                " : ".join(f"{mean(row[rule][name] for row in rows):.2f}" for name in ("confidence", "right"))
                for rule in ("before", "after")
            ]
            changes = [row["after"]["log_loss"] - row["before"]["log_loss"] for row in rows]
            better, worse = (sum(sign * change > MARGIN for change in changes) for sign in (-1, 1))
            yield f"| {kind} | {form} | {len(rows)} | {' | '.join([*pairs, *sure])} | {better} / {worse} |"


def by_case(found: Results) -> Iterator[str]:
    """The log loss of every case, before and after."""
    shown = [(kind, form) for kind in ("lexicon", "expanded") for form in ("own", "first sentences", "other texts")]
    yield "| case | " + " | ".join(f"{kind}, {form}" for kind, form in shown) + " |"
    yield "|---" * (len(shown) + 1) + "|"
    for name, case in found.items():
        figures = [case.get(kind, {}).get(form) for kind, form in shown]
        texts = [
            f"{each['before']['log_loss']:.3f} → {each['after']['log_loss']:.3f}" if each else "" for each in figures
        ]
        yield f"| {name} | {' | '.join(texts)} |"


def curve(found: Results) -> alt.Chart:
    """The share of right labels by their probability, before and after, over all cases and shorter or other texts."""
    rows = []
    for kind in ("lexicon", "expanded"):
        for rule in ("before", "after"):
            bins: dict[int, list[list[float]]] = {}
            for form in FORMS[1:]:
                for row in cells(found, kind, form):
                    for part in row[rule]["curve"]:
                        bins.setdefault(min(int(part[1] * 10), 9), []).append(part)
            for parts in bins.values():
                number = sum(part[0] for part in parts)
                sure, right = (sum(part[0] * part[at] for part in parts) / number for at in (1, 2))
                rows.append({"model": kind, "rule": rule, "probability": sure, "right": right, "texts": number})
    scale = alt.Scale(domain=[0.2, 1.0])
    x, y = alt.X("probability:Q", scale=scale, title="probability of the label"), alt.Y("right:Q", scale=scale)
    line = alt.Chart(alt.Data(values=[{"probability": p, "right": p} for p in (0.2, 1.0)]))
    diagonal = line.mark_line(color="#999", strokeDash=[4, 3]).encode(x=x, y=y)
    colours = alt.Scale(domain=["before", "after"], range=["#c0392b", "#2471a3"])
    charts = []
    for kind in ("lexicon", "expanded"):
        data = alt.Chart(alt.Data(values=[row for row in rows if row["model"] == kind]), title=f"{kind} model")
        points = data.mark_line(point=True).encode(
            x=x,
            y=alt.Y("right:Q", scale=scale, title="share of right labels"),
            color=alt.Color("rule:N", scale=colours),
        )
        charts.append((diagonal + points).properties(width=260, height=260))
    return alt.hconcat(*charts).configure(background="white")


def main() -> None:
    """Write the tables between their marks in the page, and the curve."""
    found = json.loads(FILE.read_text(encoding="utf-8"))
    text = PAGE.read_text(encoding="utf-8")
    for name, lines in (("summary", summary(found)), ("cases", by_case(found))):
        marks = (f"<!-- {name} -->\n", f"<!-- end of {name} -->")
        table = "\n".join(lines)
        text = re.sub(f"{marks[0]}.*?{marks[1]}", lambda _, t=table, m=marks: f"{m[0]}{t}\n{m[1]}", text, flags=re.S)  # type: ignore[misc]
    PAGE.write_text(text, encoding="utf-8")
    curve(found).save(DOCS / "calibration.svg")


if __name__ == "__main__":
    main()
