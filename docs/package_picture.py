"""Draw docs/packages.svg: which package imports which. Run by `make figures`; a test compares it with the imports."""

from __future__ import annotations

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "problex"
PICTURE = Path(__file__).parent / "packages.svg"
STEP, LEFT, TOP = 24, 120, 104
"""Size of a cell, and room for the names, in pixels."""
STYLE = (
    "text { font: 13px sans-serif; fill: #333 } .cell { fill: #eef0f7 } .dot { fill: #3f51b5 } "
    "@media (prefers-color-scheme: dark) { text { fill: #ddd } .cell { fill: #2c2f3d } .dot { fill: #9fa8ff } }"
)


def packages() -> list[str]:
    """The packages in the order of CONTRIBUTING.md."""
    table = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| ((?:`\w+`(?:, )?)+) \|", table, re.M)
    return [name for row in rows for name in re.findall(r"`(\w+)`", row)]


def imported(path: Path) -> set[str]:
    """The packages of problex that a file imports."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("problex."):
            names.add(node.module.split(".")[1])
    return names


def imports() -> dict[str, set[str]]:
    """For each package, the others that its files import."""
    found = {}
    for name in packages():
        files = [SOURCE / f"{name}.py"] if (SOURCE / f"{name}.py").exists() else (SOURCE / name).rglob("*.py")
        found[name] = set().union(*map(imported, files)) & set(packages()) - {name}
    return found


def picture() -> str:
    """The picture: a row for each package, with a dot below each package that it imports."""
    names = packages()
    size = (LEFT + STEP * len(names) + 10, TOP + STEP * len(names) + 10)
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size[0]} {size[1]}" role="img">']
    parts += ["<title>Which package imports which</title>", f"<style>{STYLE}</style>"]
    found = imports()
    for row, name in enumerate(names):
        y = TOP + STEP * row
        parts.append(f'<text x="{LEFT - 8}" y="{y + 17}" text-anchor="end">{name}</text>')
        x = LEFT + STEP * row
        parts.append(f'<text transform="translate({x + 16},{TOP - 8}) rotate(-60)">{name}</text>')
        for column, other in enumerate(names):
            cell = LEFT + STEP * column
            if column < row:
                parts.append(f'<rect class="cell" x="{cell + 1}" y="{y + 1}" width="{STEP - 2}" height="{STEP - 2}"/>')
            if other in found[name]:
                parts.append(f'<circle class="dot" cx="{cell + STEP // 2}" cy="{y + STEP // 2}" r="6"/>')
    return "\n".join([*parts, "</svg>", ""])


if __name__ == "__main__":
    PICTURE.write_text(picture(), encoding="utf-8")
