"""`problex predict --outcome`: the column that a regression needs."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from problex.errors import ProblexError
from tests.cli.runs import run, said
from tests.cli.test_share_estimates import draw, folder

__all__ = ["folder"]


def test_outcomes_are_probabilities_corrected_by_labels(folder: pd.DataFrame) -> None:
    folder.loc[600] = ["...", "left", "positive"]  # a text without words
    folder.to_csv("texts.csv", index=False)
    run("fit", "texts.csv", "-l", "positive=pos.txt", "-l", "negative=neg.txt", "-o", "m.json", "--force")
    draw(folder, "-n", "60")
    told = said("predict", "m.json", "texts.csv", "--keep", "party", "--outcome", "s.csv", "-o", "p.csv")
    assert "outcome_negative, outcome_positive: from 60 labels\nuse least squares with robust standard errors" in told
    assert "(HC1), not logit or probit" in told
    assert "no outcome for 1 text without words" in told
    found = pd.read_csv("p.csv")
    assert found["outcome_positive"].isna().tolist() == [False] * 600 + [True]
    some = found.head(600)
    assert np.allclose(some["outcome_positive"] + some["outcome_negative"], 1, atol=1e-5)
    labelled = some["row"].isin(pd.read_csv("s.csv")["row"])
    assert some.loc[~labelled, "outcome_positive"].between(0, 1).all()
    assert some.loc[labelled, "outcome_positive"].abs().max() > 1
    truth = (folder["truth"].head(600) == "positive").mean()
    assert some["outcome_positive"].mean() == pytest.approx(truth, abs=0.12)
    printed = run("predict", "m.json", "texts.csv", "--outcome", "s.csv").splitlines()
    assert printed[0].endswith("tokens,matches,outcome_negative,outcome_positive")


def test_what_is_refused(folder: pd.DataFrame) -> None:
    draw(folder, "-n", "30")
    for option in (("--rule", "count"), ("--temper", "none"), ("--checkpoint", "log", "-o", "p.csv")):
        with pytest.raises(ProblexError, match=f"{option[0]} was given with --outcome: the labels belong to all texts"):
            run("predict", "m.json", "texts.csv", "--outcome", "s.csv", *option)
    folder.head(20).to_csv("short.csv", index=False)
    with pytest.raises(ProblexError, match="are not among the texts"):
        run("predict", "m.json", "short.csv", "--outcome", "s.csv", "-o", "p.csv")
    with pytest.raises(FileNotFoundError):
        pd.read_csv("p.csv")
