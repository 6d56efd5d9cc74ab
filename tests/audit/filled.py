"""Filled sheets of one coder."""

from __future__ import annotations

from pathlib import Path

from problex.audit.design import Design, read_design
from problex.audit.sheets import LABEL, read_filled


def read_sheet(path: Path, column: str = LABEL) -> tuple[Design, list[str | None]]:
    """The design of a filled sheet, and the label of each document of the sample, None without one."""
    design = read_design(path)
    filled = read_filled(path, design, column)
    return design, [filled.labels.get(at) for at in range(len(design.texts))]
