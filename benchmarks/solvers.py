"""The exact solver compared with ADMM and SLSQP: objectives on 1,000 random problems, and time on a large lexicon.

Run with the project's own Python: `.venv/bin/python benchmarks/solvers.py`.
"""

from __future__ import annotations

import sys
import time
import warnings
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from test_solvers import gap, problem, scale, slsqp

from problex.estimation.solvers import exact
from problex.estimation.solvers.admm import admm
from problex.model.settings import AUTHOR


def compare(problems: int = 1000) -> None:
    worst = {"admm": -np.inf, "slsqp": -np.inf}
    constraint = 0.0
    beaten = 0
    for seed in range(problems):
        question = problem(seed, 2 if seed % 2 else 4, ridge=seed % 4 > 1)
        solution = exact(question)
        constraint = max(constraint, solution.residuals[-1][0])
        unit = scale(question)
        rivals = {}
        x, value = slsqp(question, np.full(len(solution.x), 0.3))
        if gap(question, x) < 1e-9:
            rivals["slsqp"] = value
        if len(question.shares) == 2 and not question.ridge.any():
            rivals["admm"] = admm(question).objective / unit
        for name, value in rivals.items():
            excess = solution.objective / unit - value
            worst[name] = max(worst[name], excess)
            beaten += excess > 1e-8
    print(f"{problems} problems: exact above a rival by more than 1e-8 of the scale: {beaten}")
    print(f"largest excess over SLSQP {worst['slsqp']:.1e}, over ADMM {worst['admm']:.1e} (of the scale)")
    print(f"largest distance from the constraint {constraint:.1e}")


def timing(words: int = 7000, repeats: int = 7) -> None:
    question = problem(1, size=words)
    jobs = {
        "exact": lambda: exact(question),
        "ADMM in the author's settings": lambda: admm(question, **AUTHOR),
        "ADMM to convergence": lambda: admm(question),
    }
    best = dict.fromkeys(jobs, np.inf)
    for _ in range(repeats):
        for name, job in jobs.items():
            start = time.perf_counter()
            job()
            best[name] = min(best[name], time.perf_counter() - start)
    for name, seconds in best.items():
        print(f"{words} words, {name}: {seconds * 1000:.1f} ms, {seconds / best['exact']:.1f} times exact")


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    compare()
    timing()
