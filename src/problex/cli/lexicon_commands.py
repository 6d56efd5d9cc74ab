"""What the commands about lexicon files do between reading their options and showing records."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from problex._util.files import check_writable
from problex._util.formatting import pluralize
from problex.estimation.model_file import load_model
from problex.evaluation.comparison import agreement, compare_weights
from problex.lexicon.dictionary import Dictionary, parse_choices
from problex.lexicon.files import read_dictionary, write_dictionary
from problex.lexicon.formats import DOES_NOT_FIT
from problex.lexicon.lexicon import Issue

SHOWN = 5
"""How many problems of each kind are shown with their lines."""


def categories(file: Path, format: str | None, encoding: str | None) -> tuple[Dictionary, list[str]]:
    """A dictionary as it stands, and what is to be said about it."""
    found = read_dictionary(file, format=format, encoding=encoding).tidy()
    return found, report(found.problems)


def convert(
    given: Path, output: Path, lists: list[str] | None, formats: tuple[str | None, str | None], encoding: str | None,
    *, force: bool,
) -> tuple[Dictionary, list[str]]:  # fmt: skip
    """Read, choose, write; the dictionary that was written, and what is to be said about both files."""
    check_writable(output, force=force)
    found = read_dictionary(given, format=formats[0], encoding=encoding)
    if lists:
        found = found.choose(parse_choices(lists, found.categories))
    found = found.tidy()
    lost = write_dictionary(found, output, format=formats[1], force=force)
    fitted = len(found.entries) - sum(problem.kind == DOES_NOT_FIT for problem in lost)
    entries = pluralize(fitted, "entry", "entries")
    wrote = f"wrote {entries} in {pluralize(len(found.categories), 'category', 'categories')} to {output}"
    return found, [*report((*found.problems, *lost)), wrote]


def compare(
    model: Path, file: Path, lists: list[str] | None, min_count: int, top: int
) -> tuple[list[dict[str, Any]], list[str]]:
    """Given and learned weights, and how far they agree."""
    found = read_dictionary(file)
    if lists:
        found = found.choose(parse_choices(lists, found.categories))
    records = compare_weights(load_model(model), found.lexicon(), min_count=min_count)
    said = []
    for row in agreement(records):
        rho = "not defined" if row["rank_correlation"] is None else f"{row['rank_correlation']:.2f}"
        said.append(f"{row['list']}: {pluralize(row['entries'], 'entry', 'entries')} compared, rank correlation {rho}")
    return records[:top], said


def report(problems: Iterable[Issue]) -> list[str]:
    """Problems as lines: the first few of each kind, and how many more there are."""
    found = list(problems)
    totals, lines, shown = Counter(problem.kind for problem in found), [], Counter[str]()
    for problem in found:
        shown[problem.kind] += 1
        if shown[problem.kind] <= SHOWN:
            lines.append(str(problem))
        elif shown[problem.kind] == totals[problem.kind]:
            lines.append(f"and {totals[problem.kind] - SHOWN:,} more of the kind: {problem.kind}")
    return lines
