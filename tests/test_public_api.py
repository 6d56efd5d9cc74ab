"""The public names: a rename or a removal fails here, and so does a document that imports anything else."""

from __future__ import annotations

import ast
import re
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

import pytest

import problex

ROOT = Path(__file__).parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")])
PUBLIC = {
    "problex": (
        "Counts Lexicon LexiconClassifier Model __version__ count estimate expand explain load_model lookup "
        "read_dictionary read_lexicon score"
    ),
    "problex.audit": "Audit AuditSample Groups audit draw draw_sheet score_sheets store_calibration",
    "problex.classifier": "LexiconClassifier",
    "problex.cli": "app main",
    "problex.corpus": ("Batch ReadOptions Reading batches column_names list_files make_batches rereader strip_markup"),
    "problex.counting": "Counts count release",
    "problex.doctor": "Diagnosis Finding apply_edits doctor write_edits",
    "problex.errors": (
        "ConvergenceWarning DocumentError DocumentWarning EstimationError EstimationWarning LexiconError "
        "LexiconWarning ModelError OutputError ProblexError ProblexWarning"
    ),
    "problex.estimation": "estimate load_model",
    "problex.evaluation": "Evaluation Forecast accuracy_bound effective_counts evaluate forecast size_forecast",
    "problex.expansion": "expand suggestions",
    "problex.explanation": "Contribution Explanation explain",
    "problex.grouping": "",
    "problex.index": "WordIndex",
    "problex.lexicon": ("Dictionary Edit Lexicon read_dictionary read_lexicon write_dictionary"),
    "problex.lookups": "LookupStatistics MATCHING VALUES lookup lookup_statistics",
    "problex.matching": ("LANGUAGES NEGATIONS Negation Tokenizer guess_language"),
    "problex.model": ("Model RULES SOLVERS Settings TEMPERS"),
    "problex.paper": "DataSet demo_corpus paper_corpora reproduce",
    "problex.report": ("Script Work build check_packages gather make_script"),
    "problex.scoring": ("Scores UNDECIDED compare make_scorer score score_batches score_indexed"),
    "problex.shares": "regress share_estimates share_records share_table",
    "problex.spark": "count fit lookup predict shares",
    "problex.tables": "",
    "problex.workbench": "",
}
"""The names in `__all__` of each public module. Change a line only with an entry in CHANGELOG.md."""


@pytest.mark.parametrize("name", sorted(PUBLIC))
def test_the_public_names_stay(name: str) -> None:
    module = import_module(name)
    expected = PUBLIC[name].split()
    assert sorted(getattr(module, "__all__", expected)) == sorted(expected), (
        f"the public names of {name} changed: if that is intended, change PUBLIC in this file and write it into "
        "CHANGELOG.md"
    )
    assert [public for public in expected if not hasattr(module, public)] == []


def test_every_package_is_in_the_table() -> None:
    modules = {f"problex.{module.name}" for module in iter_modules(problex.__path__) if module.name[0] != "_"}
    assert modules == set(PUBLIC) - {"problex"}


def test_no_module_has_the_name_of_a_public_function() -> None:
    clashes = {
        f"{name}.{module.name}"
        for name, public in PUBLIC.items()
        for module in iter_modules(getattr(import_module(name), "__path__", []))
        if module.name in public.split()
    }
    assert clashes == set()


def imports(source: str, where: str) -> list[tuple[str, str, str]]:
    """Where something is imported from problex, the module, and the name."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "problex":
            found += [(f"{where}:{node.lineno}", str(node.module), alias.name) for alias in node.names]
        if isinstance(node, ast.Import):
            found += [(f"{where}:{node.lineno}", alias.name, "") for alias in node.names if "problex" in alias.name]
    return found


def documented_imports() -> list[tuple[str, str, str]]:
    """The imports of the Python blocks of the documents and of the examples."""
    found = []
    for page in PAGES:
        for block in re.findall(r"^```python\n(.*?)^```", page.read_text(encoding="utf-8"), re.S | re.M):
            found += imports(block, page.name)
    for example in sorted((ROOT / "examples").glob("*.py")):
        found += imports(example.read_text(encoding="utf-8"), example.name)
    return found


def test_documents_and_examples_import_public_names_only() -> None:
    wrong = [
        f"{where}: {module} {name}"
        for where, module, name in documented_imports()
        if module not in PUBLIC or (name and name not in PUBLIC[module].split() and f"{module}.{name}" not in PUBLIC)
    ]
    assert wrong == []
    assert len(documented_imports()) > 10


def test_sentences_of_the_documents_name_public_modules_only() -> None:
    """`problex.doctor` in the text of a page is a module of the table, `problex.doctor.doctor` a name of one."""
    known = {f"{module}.{name}" for module, names in PUBLIC.items() for name in names.split()} | set(PUBLIC)
    wrong = [
        f"{page.name}: {name}"
        for page in PAGES
        if page.name not in ("CHANGELOG.md", "CONTRIBUTING.md")
        for name in re.findall(r"`(problex(?:\.\w+)+)", page.read_text(encoding="utf-8"))
        if name not in known
    ]
    assert wrong == []


def test_names_of_the_package_come_from_where_they_are_defined() -> None:
    for name in ("Lexicon", "read_lexicon", "LexiconClassifier", "Counts", "count", "Model", "estimate", "load_model"):
        assert getattr(problex, name).__name__ == name
    assert set(problex.__all__) == set(dir(problex))


def test_an_unknown_name_lists_the_known_ones() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'lexikon', expected one of Counts, Lexicon"):
        _ = problex.lexikon
