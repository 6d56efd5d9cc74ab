"""How pytest-xdist shares the tests among its workers: file by file, those that take longest first.

Tests of a file share fixtures, so a file is given to one worker. The tests of Spark share a cluster, so they are
given to one worker, too. A long file at the end would leave the other workers idle.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    import pytest

TOGETHER = ("tests/spark/",)
"""Folders whose tests are given to one worker."""
LONGEST = (
    "tests/spark/",
    "tests/test_docs.py",
    "tests/workbench/browser/",
    "tests/paper/",
    "tests/cli/test_streams.py",
    "tests/cli/test_report.py",
    "tests/audit/test_intervals.py",
    "tests/report/",
    "tests/workbench/",
    "tests/cli/",
    "tests/corpus/",
    "tests/tables/",
    "tests/counting/",
    "tests/test_jobs.py",
    "tests/proof/",
)
"""Folders and files that take more than a few seconds, the longest first."""
MARKS = {
    "browser": ("tests/workbench/browser/",),
    "spark": ("tests/spark/",),
    "docs": ("tests/test_docs.py", "tests/test_examples.py"),
    "slow": (
        "tests/paper/",
        "tests/proof/",
        "tests/cli/",
        "tests/report/",
        "tests/workbench/",
        "tests/audit/test_intervals.py",
        "tests/counting/test_joining.py",
        "tests/counting/test_portability.py",
        "tests/counting/test_unspaced.py",
        "tests/lexicon/test_formats.py",
        "tests/lexicon/test_limits.py",
        "tests/model/test_damaged_models.py",
        "tests/tables/test_damaged_parquet.py",
        "tests/tables/test_databases.py",
        "tests/tables/test_limits.py",
        "tests/test_jobs.py",
        "tests/test_growth.py",
        "tests/test_bare_install.py",
    ),
}
"""Folders and files that `make quick` leaves out, by marker."""
Item = TypeVar("Item")


def unit_of(name: str) -> str:
    """The folder or file of a test that is given to a worker as a whole.

    >>> unit_of("tests/spark/test_counting.py::test_sums"), unit_of("tests/test_docs.py::test_links[a::b]")
    ('tests/spark/', 'tests/test_docs.py')
    """
    folders = [folder for folder in TOGETHER if name.startswith(folder)]
    return folders[0] if folders else name.split("::", 1)[0]


def longest_first(names: Sequence[str], items: Sequence[Item]) -> list[Item]:
    """The items in the order in which their tests begin.

    >>> longest_first(["tests/test_docs.py::test_links", "tests/spark/test_counting.py::test_sums"], [0, 1])
    [1, 0]
    """
    ranks = [
        min((rank for rank, part in enumerate(LONGEST) if name.startswith(part)), default=len(LONGEST))
        for name in names
    ]
    return [items[at] for at in sorted(range(len(items)), key=ranks.__getitem__)]


def marks_of(name: str) -> list[str]:
    """The markers of a test.

    >>> marks_of("tests/spark/test_counting.py::test_sums"), marks_of("tests/matching/test_tokens.py::test_words")
    (['spark'], [])
    """
    return [mark for mark, places in MARKS.items() if name.startswith(places)]


def make_scheduler(config: pytest.Config, log: Any) -> Any:
    """A scheduler of pytest-xdist that gives each worker one unit after the other, in the order of the tests."""
    from xdist.scheduler import LoadScopeScheduling  # type: ignore[import-untyped]

    config.option.loadscopereorder = False
    scheduling = LoadScopeScheduling(config, log)
    scheduling._split_scope = unit_of
    return scheduling
