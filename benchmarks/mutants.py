"""Mutation testing: change the code a little, run the tests that execute the changed line, and see whether one fails.

    python benchmarks/mutants.py --package audit --number 60

Mutants are sampled at random from those of `mutation.py`, the same for the same seed. Each runs in a copy of the
tree, in a process forked from one that has imported numpy, pandas and so on, against the tests of its package, its
doctests and tests/test_classifier.py, and with `--dependants` also against the tests of the packages that import it.
`mutants.toml` lists mutants that change no behaviour, each with a reason; they are not counted.

Why not mutmut or cosmic-ray: mutmut changes texts, and neither module constants nor properties; cosmic-ray starts
Python anew for each mutant. Neither samples by a seed. The compiled counter is not mutated.
"""

from __future__ import annotations

import argparse
import ast
import json
import multiprocessing
import random
import shutil
import subprocess
import tempfile
import time
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from mutation import Mutant, find_mutants, modules
from mutation_tests import Tests, run_tests, trace_tests, warm_up

ROOT = Path(__file__).parents[1]
EQUIVALENT = Path(__file__).with_name("mutants.toml")
PACKAGES = ("estimation", "scoring", "matching", "audit", "corpus")
NOT_RUN = ("paper", "spark")
"""Packages whose tests take minutes."""


@dataclass(frozen=True)
class Result:
    """What became of a mutant: killed (and by which test), survived, not covered by a test, or equivalent."""

    package: str
    file: str
    line: int
    before: str
    after: str
    outcome: str
    by: str = ""
    seconds: float = 0.0

    @property
    def survived(self) -> bool:
        """Whether no test failed."""
        return self.outcome in ("survived", "not covered")


def test_paths(root: Path, package: str) -> list[str]:
    """The tests of a package, its doctests, and those of the classifier."""
    paths = [f"tests/{package}", f"src/problex/{package}", "tests/test_classifier.py"]
    return [path for path in paths if (root / path).exists()]


def dependants(root: Path, package: str) -> list[str]:
    """The test folders of the packages that import a package."""
    source = root / "src" / "problex"
    folders = []
    for other in sorted(path.name for path in source.iterdir() if path.is_dir()):
        if other not in (package, *NOT_RUN) and (root / "tests" / other).is_dir():
            imported = {name for path in modules(source, other) for name in _imports(path)}
            folders += [f"tests/{other}"] if package in imported else []
    return folders


def _imports(path: Path) -> Iterable[str]:
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("problex."):
            yield str(node.module).split(".")[1]


def sample(root: Path, package: str, number: int, seed: int, only: str = "") -> list[Mutant]:
    """Some mutants of a package, or of its files whose names contain `only`."""
    source = root / "src" / "problex"
    every = [mutant for path in modules(source, package) for mutant in find_mutants(source, path) if only in path.name]
    return sorted(random.Random(f"{seed} {package}").sample(every, min(number, len(every))))


def equivalent() -> dict[tuple[str, str, str], str]:
    """The reason for each mutant that changes no behaviour, by file, line before and line after."""
    entries = tomllib.loads(EQUIVALENT.read_text(encoding="utf-8")).get("mutant", [])
    return {(entry["file"], entry["before"], entry["after"]): entry["reason"] for entry in entries}


class Worker:
    """A private copy of the tree in which mutants are tried one after the other."""

    def __init__(self, with_dependants: bool) -> None:
        self.with_dependants = with_dependants
        self.root = Path(tempfile.mkdtemp(prefix="mutants-"))
        listing = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
        files = listing.split("\n")
        compiled = [str(path.relative_to(ROOT)) for path in (ROOT / "src").rglob("*.so")]
        for name in filter(None, [*files, *compiled]):
            if (ROOT / name).is_file():
                (self.root / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / name, self.root / name)
        warm_up(self.root)
        self.traces: dict[str, Tests] = {}

    def traced(self, path: str) -> Tests:
        """Which lines the tests under a path execute."""
        if path not in self.traces:
            self.traces[path] = trace_tests(self.root, path)
        return self.traces[path]

    def run(self, package: str, mutant: Mutant) -> Result:
        """Run the tests that execute the changed lines until one fails."""
        path = self.root / "src" / "problex" / mutant.file
        source = path.read_bytes()
        change = mutant.change(source)
        place = (package, mutant.file, mutant.line, *change)
        if (mutant.file, *change) in equivalent():
            return Result(*place, "equivalent")
        began, covered = time.monotonic(), False
        later = dependants(self.root, package) if self.with_dependants else []
        for paths in filter(None, (test_paths(self.root, package), later)):
            tests = Tests.join([self.traced(one) for one in paths]).that_execute(mutant.file, mutant.lines)
            if not tests.seconds:
                continue
            covered = True
            path.write_bytes(mutant.apply(source))
            try:
                outcome, by = run_tests(self.root, paths, tests)
            finally:
                path.write_bytes(source)
            if outcome != "survived":
                return Result(*place, outcome, by, round(time.monotonic() - began, 1))
        return Result(*place, "survived" if covered else "not covered", "", round(time.monotonic() - began, 1))


def _work(jobs: Sequence[tuple[str, Mutant]], with_dependants: bool, queue: Any) -> None:
    worker = Worker(with_dependants)
    try:
        for package, mutant in jobs:
            queue.put(worker.run(package, mutant))
    finally:
        shutil.rmtree(worker.root, ignore_errors=True)
        queue.put(None)


def run_all(jobs: Sequence[tuple[str, Mutant]], processes: int, with_dependants: bool) -> Iterable[Result]:
    """The result of every mutant, as it comes."""
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    workers = [
        context.Process(target=_work, args=(jobs[at::processes], with_dependants, queue)) for at in range(processes)
    ]
    for worker in workers:
        worker.start()
    left = len(workers)
    while left:
        result = queue.get()
        if result is None:
            left -= 1
        else:
            yield result


def summary(results: Sequence[Result]) -> list[dict[str, Any]]:
    """Killed and survived per package."""
    rows = []
    for package in dict.fromkeys(result.package for result in results):
        own = [result for result in results if result.package == package and result.outcome != "equivalent"]
        survived = sum(result.survived for result in own)
        rows.append(
            {
                "package": package,
                "mutants": len(own),
                "killed": len(own) - survived,
                "survived": survived,
                "equivalent": sum(result.package == package for result in results) - len(own),
                "share": round(1 - survived / max(len(own), 1), 3),
            }
        )
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description="Sample mutants of packages and print those that no test kills.")
    parser.add_argument("--package", action="append", help=f"may be repeated; {', '.join(PACKAGES)} by default")
    parser.add_argument("--file", default="", help="only files whose names contain this")
    parser.add_argument("--number", type=int, default=40, help="mutants per package")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--dependants", action="store_true", help="run the tests of the packages that import it, too")
    parser.add_argument("--json", type=Path, help="write all results to this file")
    options = parser.parse_args()
    jobs = [
        (package, mutant)
        for package in options.package or PACKAGES
        for mutant in sample(ROOT, package, options.number, options.seed, options.file)
    ]
    results = []
    for result in run_all(jobs, options.jobs, options.dependants):
        results.append(result)
        if result.survived:
            print(f"{result.outcome}: {result.file}:{result.line}\n  - {result.before}\n  + {result.after}", flush=True)
    for row in summary(results):
        print(json.dumps(row))
    if options.json:
        options.json.write_text(json.dumps([asdict(result) for result in results], indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
