"""The figures of the documents can be drawn."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

from problex import Lexicon, count, estimate
from problex.evaluation import effective_counts

SCRIPT = Path(__file__).parents[2] / "proof" / "documents" / "figures.py"


@pytest.fixture(scope="module")
def figures() -> ModuleType:
    specification = importlib.util.spec_from_file_location("figures", SCRIPT)
    assert specification is not None
    assert specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


def test_the_figures_are_drawn(figures: ModuleType, tmp_path: Path, lexicon: Lexicon, texts: list[str]) -> None:
    records = estimate(count(texts, lexicon), lexicon).records()
    figures.weights_chart(records).save(tmp_path / "weights.svg")
    figures.effective_counts_chart(effective_counts([1, float("inf")])).save(tmp_path / "counts.svg")
    assert "good" in (tmp_path / "weights.svg").read_text(encoding="utf-8")
    assert "concentration" in (tmp_path / "counts.svg").read_text(encoding="utf-8")


def test_the_lists_are_on_opposite_sides(figures: ModuleType) -> None:
    rows = [
        {"entry": entry, "list": name, "count": 50, "weight": weight, "predictiveness": weight / 3}
        for entry, name, weight in [("bad", "a", 1.5), ("weak", "a", 0.0), ("good", "b", 1.0)]
    ]
    values = figures.weights_chart(rows).to_dict()["data"]["values"]
    assert {row["entry"]: row["signed_weight"] for row in values} == {"bad": -1.5, "weak": 0, "good": 1.0}
