"""Predictions as tables: columns of the result, and how many texts got each label."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from problex._util.formatting import format_percent, pluralize
from problex.corpus import Batch
from problex.scoring import UNDECIDED, Scores
from problex.scoring.frames import scored_table

if TYPE_CHECKING:
    from problex.shares.regression import SheetOutcomes

DIGITS = 4
"""Decimals of scores and probabilities."""
OUTCOME_DIGITS = 6
UNSURE = 0.6
"""Labels with a lower probability are counted as unsure."""
PARTS_OF_A_PERCENT = 10_000
"""Sums of probabilities are kept as integers, so that they can be added and saved exactly."""


def prediction_table(
    batch: Batch, scores: Scores, digits: int = DIGITS, outcomes: SheetOutcomes | None = None
) -> pa.Table:
    """One row per document: its number, kept columns, label, score, probabilities, tokens, matches and outcomes."""
    if outcomes is None:
        return scored_table(batch, scores, digits)
    values = zip(outcomes.names, outcomes.of_batch(batch, scores).T, strict=True)
    more = {name: pa.array(column.round(OUTCOME_DIGITS), from_pandas=True) for name, column in values}
    return scored_table(batch, scores, digits, more)


def tally_of(batch: Batch, scores: Scores) -> dict[str, int]:
    """Texts read, lost and labelled, and the sum of the probabilities of the labels: integers that can be added."""
    labels = scores.labels()
    decided = labels != UNDECIDED
    best = scores.probabilities.max(axis=1)[decided]
    numbers = Counter(labels.tolist())
    return {
        "rows": len(batch.texts),
        "missing": batch.missing,
        "unreadable": batch.invalid,
        "decided": int(decided.sum()),
        "unsure": int((best < UNSURE).sum()),
        "probability": int(np.rint(best * PARTS_OF_A_PERCENT).sum()),
        **{f"label {name}": number for name, number in numbers.items()},
    }


def describe_losses(tally: Mapping[str, int]) -> str:
    """How many texts were missing or could not be read; nothing if there were none."""
    return "".join(f"; {pluralize(tally[kind], 'text')} {kind}" for kind in ("missing", "unreadable") if tally[kind])


def describe_labels(tally: Mapping[str, int], classes: Sequence[str]) -> list[str]:
    """How many texts have each label and how sure the labels are, in two lines at most.

    >>> tally = {"rows": 4, "label good": 2, "label bad": 1, "label undecided": 1, "decided": 3, "unsure": 1}
    >>> for line in describe_labels(tally | {"probability": 24_000}, ["bad", "good"]):
    ...     print(line)
    1 bad (25.0%), 2 good (50.0%), 1 undecided (25.0%)
    the labels have a mean probability of 80.0%; 1 label has a probability below 60%
    """
    total, decided = max(tally["rows"], 1), tally.get("decided", 0)
    numbers = {name: tally.get(f"label {name}", 0) for name in (*classes, UNDECIDED)}
    lines = [", ".join(f"{number:,} {name} ({format_percent(number / total)})" for name, number in numbers.items())]
    if decided:
        mean = tally.get("probability", 0) / PARTS_OF_A_PERCENT / decided
        unsure = pluralize(tally.get("unsure", 0), "label has", "labels have")
        lines.append(
            f"the labels have a mean probability of {format_percent(mean)}; {unsure} a probability below {UNSURE:.0%}"
        )
    return lines
