"""What is said about differences between groups without labels: how often it is wrong, and whether least sizes hold.

`PROBLEX_DATA=... .venv/bin/python proof/accuracy/differences.py [TIMES]` draws groups from made-up texts and, where
they are, from the paper's corpora: random groups, between which there is no difference, with texts that occur once,
five times and as often as retweets; and pairs of groups of 500 texts with known shares. It prints tables of
docs/shares.md.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.simulated import Corpus, made_up

from problex import count, estimate
from problex.errors import ProblexError
from problex.matching.tokens import Tokenizer
from problex.paper.datasets import data_folder, paper_corpora

COPIES = ("none", "five", "retweets")
SHARES = ((0.02, 0.3), (0.1, 0.9), (0.3, 0.7), (0.5, 0.6), (0.7, 0.98))
MOST = 6_000
"""Texts of a corpus that are used."""


def corpora() -> Iterator[tuple[str, Corpus]]:
    """The corpora by name."""
    yield "made up", made_up(2_500, seed=1)
    try:
        folder = data_folder(None)
    except ProblexError:
        print("(the paper's corpora are not here: PROBLEX_DATA names their folder)")
        return
    for one in paper_corpora(folder, None):
        tokenizer = Tokenizer(one.language)
        model = estimate(count(one.texts, one.lexicon, tokenizer=tokenizer), one.lexicon, tokenizer=tokenizer)
        rows = np.random.default_rng(0).permutation(len(one.texts))[:MOST]
        codes = np.array([model.classes.index(label) for label in one.labels])[rows]
        yield one.name, Corpus.of([one.texts[row] for row in rows], codes, model)


def clear_by_chance(corpus: Corpus, times: int) -> list[float]:
    """How often two random groups of 800 texts differ clearly, with copies of each kind; copies are in one group."""
    random, found = np.random.default_rng(1), []
    for kind in COPIES:
        clear = 0
        for _ in range(times):
            rows = corpus.sample_with_copies(kind, 800, random)
            group = random.integers(2, size=len(corpus.codes))[rows]
            clear += any(row["at_least"] is not None for row in corpus.differences(rows, group))
        found.append(clear / times)
    return found


def least_sizes(corpus: Corpus, shares: tuple[float, float], times: int) -> tuple[int, int, int, float]:
    """Of pairs of groups: how many are clear, in the wrong direction, with a size that does not hold; the mean size."""
    random = np.random.default_rng(2)
    found = [corpus.differences(*corpus.recomposed(shares, 500, random))[0] for _ in range(times)]
    clear = [row for row in found if row["at_least"] is not None]
    wrong = sum(row["direction"] != "lower" for row in clear)
    violated = sum(row["at_least"] > shares[1] - shares[0] for row in clear)
    return len(clear), wrong, violated, float(np.mean([row["at_least"] for row in clear])) if clear else 0.0


def main() -> None:
    warnings.simplefilter("ignore")
    times = int(sys.argv[1]) if len(sys.argv) > 1 else 500
    chance, sizes = [], {shares: np.zeros(4) for shares in SHARES}
    number = 0
    for name, corpus in corpora():
        found = clear_by_chance(corpus, times)
        chance.append(f"| {name} | {' | '.join(f'{share:.3f}' for share in found)} |")
        for shares in SHARES:
            if all(round(part * 500) <= np.sum(corpus.codes == 1) for part in shares):
                clear, wrong, violated, mean = least_sizes(corpus, shares, times // 5)
                sizes[shares] += [clear, wrong, violated, clear * mean]
        number += 1
    print(f"| corpus, {times} pairs of groups each | each text once | five times | as retweets |\n|---|---|---|---|")
    print("\n".join(chance))
    print(
        f"\n| shares, {number * (times // 5)} pairs | clear | wrong direction | least size does not hold | "
        "mean least size | true |"
    )
    print("|---|---|---|---|---|---|")
    for (low, high), (clear, wrong, violated, total) in sizes.items():
        cells = (f"{low}, {high}", f"{clear:.0f}", f"{wrong:.0f}", f"{violated:.0f}", f"{total / max(clear, 1):.2f}")
        print(f"| {' | '.join(cells)} | {high - low:.2f} |")


if __name__ == "__main__":
    main()
