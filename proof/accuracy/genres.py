"""The example of docs/published-estimates.md over many sheets: how often the intervals contain the truth.

`.venv/bin/python proof/accuracy/genres.py [TIMES]`; it needs the extra `demo`, and no other data.
"""

from __future__ import annotations

import re
import sys
import warnings
from pathlib import Path
from typing import Any

import numpy as np
from compositions import Composition

from problex.shares.estimators import estimate_shares
from problex.shares.regression import Outcomes
from shares import Z, audited, counted, grouped, least_squares

PAGE = Path(__file__).parents[2] / "docs" / "published-estimates.md"


def main() -> None:
    warnings.simplefilter("ignore")
    names: dict[str, Any] = {}
    exec(re.findall(r"^```python\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.S | re.M)[0], names)
    reviews = names["reviews"]
    scores = names["classifier"]._score(reviews["text"].tolist())
    group = reviews["genre"].astype("category").cat.codes.to_numpy().astype(np.int64)
    one = Composition("genres", scores, group, (reviews["truth"] == "positive").to_numpy().astype(np.int64))
    counts, truth = counted(one), one.truth()
    design = np.stack([np.ones(len(group)), *(reviews["genre"] == name for name in ("horror", "comedy"))], axis=1)
    exact = np.linalg.lstsq(design, one.codes.astype(float), rcond=None)[0]
    inside: dict[str, list[Any]] = {"hierarchical": [], "difference": [], "coefficients": []}
    for seed in range(int(sys.argv[1]) if len(sys.argv) > 1 else 150):
        sample = audited(one, 200, seed, by_group=True)
        data = grouped(one, counts, sample)
        for name in ("hierarchical", "difference"):
            found = estimate_shares(data, name)[1]
            inside[name].append((found.low <= truth) & (truth <= found.high))
        outcomes = Outcomes.learn(sample.rows, sample.values, sample.codes, 1 / sample.probabilities)
        beta, error = least_squares(design, outcomes.of(np.arange(len(group)), scores.values)[:, 1])
        inside["coefficients"].append(np.abs(beta - exact)[1:] <= Z * error[1:])
    for name, rows in inside.items():
        print(name, f"mean {np.mean(rows):.3f}", np.mean(rows, axis=0).round(3).tolist())


if __name__ == "__main__":
    main()
