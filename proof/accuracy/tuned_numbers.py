"""What each tuned number of the expansion is worth: as it is set, halved, doubled and left out (zero).

    python proof/accuracy/tuned_numbers.py                     # all numbers on nine small cases
    python proof/accuracy/tuned_numbers.py ridge themes        # some numbers
    python proof/accuracy/tuned_numbers.py --cases "rotten, 2,000" "five topics, 1,500"

The numbers are the fields of `problex.expansion.constants`, which say what each is. A cell is the mean change over the
cases of a group, in ten thousandths: of the AUC for two lists, of the accuracy for more; first on the texts that are
learned from, then on the other half of the texts, after learning from one half. Labels are used to measure only.
Whole numbers stay whole, one at least; "-" is a value with which nothing can be learned. The rows are written to
proof/results/tuned_numbers.json (`--output`), too.
"""

from __future__ import annotations

import argparse
import json
import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import fields
from pathlib import Path
from typing import Any, NamedTuple

from cases import CASES, halves

from problex import count, estimate, expand, score
from problex.evaluation.metrics import evaluate
from problex.expansion.constants import TUNED
from problex.matching import Tokenizer
from problex.model import Model
from problex.paper.datasets import DataSet

GROUPS = {
    "reviews": ("amazon, 1,500", "imdb, 2,000", "cine, 1,500"),
    "short": ("rotten, 2,000", "amazon, 60 words"),
    "uneven": ("amazon, 90 %, 60 words", "cine, 90 %"),
    "topics": ("four topics, 30 words", "five topics, 1,500"),
}
"""Cases of `cases.py` by group."""
NOT_OF_ACCURACY = {"half_length", "steepness", "min_support", "min_suggestion_documents", "suggestion_documents"}
"""Numbers of probabilities, warnings and suggestions, which change no label."""
RESULTS = Path(__file__).resolve().parents[1] / "results" / "tuned_numbers.json"


class Prepared(NamedTuple):
    """The lexicon model of the texts that are learned from, these texts, and those that are scored."""

    model: Model
    texts: Sequence[str]
    scored: DataSet


def prepare(train: DataSet, scored: DataSet) -> Prepared:
    """Count and estimate once: the numbers of the expansion change neither."""
    tokenizer = Tokenizer(train.language)
    counts = count(list(train.texts), train.lexicon, tokenizer=tokenizer)
    return Prepared(estimate(counts, train.lexicon, tokenizer=tokenizer), list(train.texts), scored)


def figure(prepared: Prepared) -> float:
    """The AUC for two lists, the accuracy for more, after learning from all words."""
    scores = score(list(prepared.scored.texts), expand(prepared.model, prepared.texts))
    measure = "auc" if len(prepared.model.classes) == 2 else "accuracy"
    return float(evaluate(prepared.scored.labels, scores, resamples=0)[measure])


@contextmanager
def changed(name: str, value: Any) -> Iterator[None]:
    """Another value of a number."""
    before = getattr(TUNED, name)
    object.__setattr__(TUNED, name, value)
    try:
        yield
    finally:
        object.__setattr__(TUNED, name, before)


def values_of(value: Any) -> dict[str, Any]:
    """The value halved, doubled and left out.

    >>> values_of(5), values_of(0.5), values_of((1.0, 0.3))["halved"]
    ({'halved': 2, 'doubled': 10, 'left out': 1}, {'halved': 0.25, 'doubled': 1.0, 'left out': 0.0}, (0.5, 0.15))
    """
    if isinstance(value, tuple):
        return {
            "halved": tuple(each / 2 for each in value),
            "doubled": tuple(each * 2 for each in value),
            "left out": tuple(0.0 for _ in value),
        }
    if isinstance(value, int):
        return {"halved": max(value // 2, 1), "doubled": value * 2, "left out": 1}
    return {"halved": value / 2, "doubled": value * 2, "left out": 0.0}


def measure(prepared: Sequence[Prepared]) -> list[float] | None:
    """The figure of each case; None if nothing can be learned from one of them."""
    try:
        return [figure(each) for each in prepared]
    except (ArithmeticError, ValueError, IndexError):
        return None


def change(found: list[float] | None, as_set: list[float]) -> int | None:
    """The mean change in ten thousandths."""
    if found is None:
        return None
    return round(1e4 * sum(new - old for new, old in zip(found, as_set, strict=True)) / len(as_set))


def table_of(names: Sequence[str], groups: dict[str, tuple[str, ...]]) -> list[dict[str, Any]]:
    """A row for each number and other value of it: the change in each group, on learned and on unseen texts."""
    prepared: dict[tuple[str, str], list[Prepared]] = {}
    for group, cases in groups.items():
        whole = [CASES[case]() for case in cases]
        prepared[group, "learned"] = [prepare(each, each) for each in whole]
        prepared[group, "unseen"] = [prepare(*halves(each)) for each in whole]
    as_set = {key: [figure(each) for each in cases] for key, cases in prepared.items()}
    rows = []
    for name in names:
        value = getattr(TUNED, name)
        for what, other in values_of(value).items():
            with changed(name, other):
                cells = {" ".join(key): change(measure(cases), as_set[key]) for key, cases in prepared.items()}
            rows.append({"number": name, "as set": value, "what": what, "value": other, **cells})
        print(f"{name} measured", file=sys.stderr, flush=True)
    return rows


def shown(rows: Sequence[dict[str, Any]]) -> str:
    """The table in Markdown: learned texts, then unseen ones behind a slash."""
    groups = [name.removesuffix(" learned") for name in rows[0] if name.endswith(" learned")]
    lines = [
        "| number | as set | | " + " | ".join(groups) + " |",
        "|---|---|---|" + "---|" * len(groups),
    ]
    for row in rows:
        cells = [[row[f"{group} {texts}"] for texts in ("learned", "unseen")] for group in groups]
        written = [" / ".join("-" if cell is None else f"{cell:+d}" for cell in pair) for pair in cells]
        lines.append(f"| `{row['number']}` | {row['as set']} | {row['what']} | " + " | ".join(written) + " |")
    return "\n".join(lines)


def main() -> None:
    """Measure, print and write the table."""
    warnings.simplefilter("ignore")
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("numbers", nargs="*")
    parser.add_argument("--cases", nargs="+", default=[])
    parser.add_argument("--output", type=Path, default=RESULTS)
    options = parser.parse_args()
    every = [field.name for field in fields(TUNED) if field.name not in NOT_OF_ACCURACY]
    groups = {
        group: tuple(case for case in cases if not options.cases or case in options.cases)
        for group, cases in GROUPS.items()
    }
    rows = table_of(options.numbers or every, {group: cases for group, cases in groups.items() if cases})
    options.output.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    print(shown(rows))


if __name__ == "__main__":
    main()
