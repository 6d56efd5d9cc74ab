"""The mutants of `benchmarks/mutants.py`: what is changed, what is left alone, and the list of equivalent ones."""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

import problex

BENCHMARKS = Path(__file__).parents[1] / "benchmarks"
SOURCE = '''"""A module with 3 words."""

LIMIT = 5


def clip(values: list[int], least: int | None = None) -> int:
    """Return 1 + 1."""
    total = min(values) + LIMIT * 2
    if not values or total < 0:
        raise ValueError(f"{total + 1} is below {0}")
    total -= 1
    for at in range(total):
        total += values[at]
    return total if least is None else max(total, least)
'''


@pytest.fixture
def mutation(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    import mutation as module  # type: ignore[import-not-found]

    yield module
    del sys.modules["mutation"]


def test_what_is_changed_and_what_is_left_alone(mutation: Any, tmp_path: Path) -> None:
    path = tmp_path / "clip.py"
    path.write_text(SOURCE)
    changes = {mutant.change(SOURCE.encode()) for mutant in mutation.find_mutants(tmp_path, path)}
    after = [new for _, new in changes]
    for expected in (
        "LIMIT = 6",
        "LIMIT = 10",
        "total = max(values) + LIMIT * 2",
        "total = min(values) - LIMIT * 2",
        "total = min(values) + LIMIT / 2",
        "if not values and total < 0:",
        "if not values or total <= 0:",
        "if (values) or total < 0:",
        "total += 1",
        "pass",
        "for at in range((total) - 1):",
        "return total if least is not None else max(total, least)",
        "return total if least is None else min(total, least)",
    ):
        assert expected in after
    assert not any("below" in before and new != "pass" for before, new in changes)  # messages
    assert not any('"""' in before or before.startswith("def") for before, _ in changes)
    compile(SOURCE, "clip", "exec")


def test_equivalent_mutants_exist_and_have_a_reason(mutation: Any) -> None:
    root = Path(problex.__file__).parent
    entries = tomllib.loads((BENCHMARKS / "mutants.toml").read_text(encoding="utf-8")).get("mutant", [])
    found: dict[str, dict[tuple[str, str], Any]] = {}
    for entry in entries:
        file = root / entry["file"]
        source = file.read_bytes()
        if entry["file"] not in found:
            found[entry["file"]] = {mutant.change(source): mutant for mutant in mutation.find_changes(root, file)}
        mutant = found[entry["file"]].get((entry["before"], entry["after"]))
        assert mutant is not None, f"{entry['file']}: no mutant {entry['after']!r}"
        assert mutation.compiles(mutant.apply(source))
        assert len(entry["reason"]) > 10
