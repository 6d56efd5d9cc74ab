"""Show that a change of the code changes no result.

    python proof/same.py write build/before                # with the Python of a checkout before the change
    python proof/same.py write build/after                 # with that of a checkout after it
    python proof/same.py compare build/before build/after  # a table of what differs; exit status 1 if anything does

`write` learns, scores, explains, audits and reports on 36 small corpora with about 40 settings each, by the names of
`problex.__all__`, by the commands and by the page, into FOLDER/CORPUS/FACE/SETTING/FILE. Numbers have all the digits
that the face gives, and errors and warnings are results, too. The paper's corpora come from PROBLEX_DATA or
../shared/data; the others are made of invented words. `write --only 'amazon-*'` writes some of the corpora, and
`compare --leave-out 'unspaced-*' --leave-out '*/model.json'` leaves out what is meant to differ.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from datetime import date
from fnmatch import fnmatch
from itertools import zip_longest
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from corpora import CORPORA, DATA, PAPER, Corpus, corpus_of, label_sheets, write_inputs

import problex
from problex import LexiconClassifier

SETTINGS = """
default; paper; paper shrinkage=auto temper=root; threads=1; undecided=null; markup=true
rule=count; rule=presence; rule=given; rule=pmi; rule=multinomial; rule=log; temper=burstiness
temper=tokens; temper=none; shrink_to=given; shrinkage=0; shrinkage=10; shrinkage=10 shrink_to=zero
shrinkage=5 keep_discordant=true; solver=admm shrinkage=0; solver=admm shrinkage=5 solver_options={"iterations":300}
max_predictiveness=0.5; balance=equal; balance=by-list; prior=by-list; calibration=none; language=any; language=auto
glob=true; negation=null; negation=en; fold_accents=true; fold_accents=false; tokenizer=split negation=null
balance=equal shrinkage=20 shrink_to=zero temper=burstiness rule=multinomial; rule=log prior=by-list temper=none
expand=true; expand=lexicon; expand=true expand_sample=50KiB; expand=true prior=by-list; expand=lexicon calibration=none
expand=true balance=equal negation=null; expand=true balance=equal shrinkage=20 rule=multinomial temper=burstiness
"""
"""What a classifier is made with: each choice by itself, and some together."""


def write_rows(path: Path, *columns: Iterable[Any]) -> None:
    """A line of JSON for each row; floats have all their digits."""
    rows = columns[0] if len(columns) == 1 else zip(*columns, strict=True)
    lines = [json.dumps(row, ensure_ascii=False, default=lambda value: str(value)) for row in rows]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8", newline="")


def write_text(path: Path, text: str) -> None:
    """A text without what differs between two runs: folder, day, version, digest."""
    text = text.replace(str(Path.cwd()), "FOLDER").replace(date.today().isoformat(), "TODAY")
    text = re.sub(r'^ *"(digest|problex)": .*\n', "", text.replace(problex.__version__, "VERSION"), flags=re.MULTILINE)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", newline="")


@contextmanager
def setting(folder: Path) -> Iterator[Path]:
    """The folder of a setting; warnings and an error become files in it."""
    folder.mkdir(parents=True)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            yield folder
        except Exception as error:
            write_rows(folder / "error.jsonl", [[type(error).__name__, str(error)]])
    own = [one for one in caught if "problex" in one.category.__module__]
    if own:
        write_rows(folder / "warnings.jsonl", [[one.category.__name__, str(one.message)] for one in own])


def classifier(corpus: Corpus, options: str) -> LexiconClassifier:
    """A classifier with the options of a setting: `rule=log prior=by-list`."""
    by_list = {name: at + 1.0 for at, name in enumerate(sorted(corpus.lists))}
    named: dict[str, Any] = {"by-list": by_list, "split": str.split}
    given: dict[str, Any] = {"missing": "empty", "language": corpus.language, "glob": corpus.glob}
    for name, _, value in (part.partition("=") for part in options.split() if "=" in part):
        try:
            given[name] = json.loads(value)
        except ValueError:  # a word
            given[name] = named.get(value, value)
    make = LexiconClassifier.paper if options.startswith("paper") else LexiconClassifier
    return make(corpus.lists, **given)


def write_classifier(folder: Path, clf: LexiconClassifier, texts: Sequence[str | None]) -> None:
    """Scores, and the weights of entries that occur."""
    weights = clf.weights_.drop(columns=["expected_cross_count", "cross_count", "low", "high"])
    write_rows(folder / "weights.jsonl", weights[weights["count"] > 0].to_numpy().tolist())
    scores = clf.decision_function(texts).tolist(), clf.predict_proba(texts).tolist()
    write_rows(folder / "scores.jsonl", clf.predict(texts).tolist(), *scores)


def write_everything(folder: Path, corpus: Corpus, clf: LexiconClassifier) -> None:
    """All that a fitted classifier gives, but for its page, which the commands write."""
    texts, rows = list(corpus.texts), corpus.rows()
    write_rows(folder / "all_weights.jsonl", clf.weights_.to_dict("records"))
    write_rows(folder / "frame.jsonl", clf.predict_frame(texts).to_dict("records"))
    write_rows(folder / "confident.jsonl", clf.predict(texts, confidence=0.8).tolist())
    write_rows(folder / "shares.jsonl", clf.shares(texts).to_dict("records"))
    for by, every in (("group", None), ("date", "month"), ("date", "quarter")):
        table = clf.shares(texts, by=[row[by] for row in rows], every=every)
        write_rows(folder / f"shares_by_{every or by}.jsonl", table.to_dict("records"))
    write_rows(folder / "explanations.jsonl", [clf.explain(text).record() for text in texts[1:40:4] if text])
    clf.model_.save("saved.json", force=True)
    write_text(folder / "model.json", Path("saved.json").read_text(encoding="utf-8"))
    loaded = LexiconClassifier.from_model("saved.json", missing="empty")
    write_rows(folder / "loaded.jsonl", loaded.predict_proba(texts).tolist())


def write_functions(folder: Path, corpus: Corpus) -> None:
    """Counts of two halves, and models by the functions in place of the classifier."""
    lexicon, texts = problex.Lexicon(corpus.lists), [text or "" for text in corpus.texts]
    write_rows(folder / "lexicon.jsonl", [lexicon.fingerprint, *lexicon.lists.items(), *lexicon.problems])
    one, two = (problex.count(texts[start::2], lexicon, associations=True) for start in (0, 1))
    counts = one + two
    sums = counts.totals, counts.token_pairs, counts.imputed_documents.tolist()
    write_rows(folder / "counts.jsonl", [*sums, *zip(counts.entries, counts.list_index.tolist(), strict=True)])
    tables = [getattr(counts, name).tolist() for name in ("occurrences", "squares", "list_products", "imputed")]
    write_rows(folder / "words.jsonl", sorted(zip(counts.words.to_pylist(), *tables, strict=True)))
    pairs = counts.pairs.tocoo()
    cells = (side.tolist() for side in (*pairs.coords, pairs.data))
    write_rows(folder / "pairs.jsonl", sorted(zip(*cells, strict=True)))
    model = problex.estimate(counts, lexicon)
    models = {"": model, "_equal": model.reestimate(balance="equal"), "_expanded": problex.expand(model, texts)}
    for name, fitted in models.items():
        scores = problex.score(texts, fitted)
        columns = (scores.values, scores.log_odds, scores.lengths, scores.matches)
        write_rows(folder / f"scores{name}.jsonl", scores.labels(), *(column.tolist() for column in columns))
    for rule, temper in (("count", None), ("multinomial", "tokens"), ("log", "none")):
        scores = problex.score(texts, model, rule=rule, temper=temper)
        write_rows(folder / f"scores_{rule}.jsonl", scores.values.tolist())
    text = next(filter(None, texts))
    write_rows(folder / "explained.jsonl", problex.explain(text, models["_expanded"]).records())


def write_lookup(folder: Path, corpus: Corpus) -> None:
    """Tables of nested categories with weights."""
    lists = corpus.lists.items()
    rated = {f"all/{name}": {word: at % 7 - 2.5 for at, word in enumerate(words)} for name, words in lists}
    options: dict[str, Any] = {"glob": corpus.glob, "missing": "empty"}
    for values, matching in zip(
        ("count", "percent", "mean", "sum"), ("category", "dictionary", "longest", "category"), strict=True
    ):
        table = problex.lookup(corpus.texts, rated, values=values, matching=matching, **options)
        write_rows(folder / f"{values}_{matching}.jsonl", table.to_pylist())
    table = problex.lookup(corpus.texts, rated, levels="lowest", long=True, **options)
    write_rows(folder / "long.jsonl", table.to_pylist())


def write_python(folder: Path, corpus: Corpus) -> None:
    """The results of all settings in Python."""
    for options in re.split(r"[;\n] *", SETTINGS.strip()):
        with setting(folder / options.replace('"', "")) as here:
            clf = classifier(corpus, options).fit(corpus.texts)
            write_classifier(here, clf, corpus.texts)
            if options in ("default", "expand=true"):
                write_everything(here, corpus, clf)
    with setting(folder / "partial-fit") as here:
        clf = classifier(corpus, "expand=true")
        for start in range(3):
            clf.partial_fit(corpus.texts[start::3])
        write_classifier(here, clf, corpus.texts)
    for name, write_some in {"functions": write_functions, "lookup": write_lookup}.items():
        with setting(folder / name) as here:
            write_some(here, corpus)


COMMANDS = """
fit: fit texts.csv -l lexicon.csv -o model.json READING
doctor: doctor texts.csv -l lexicon.csv --format json --fix fixed.csv --add 5 READING
sample: audit sample model.json texts.csv -n 80 --seed 3 -o sheet.csv
score: audit score sheet.csv --format json
shares: shares model.json texts.csv --by group --audit sheet.csv --format json
evaluate: evaluate model.json texts.csv --label label --format json
fit-expand: fit texts.csv -l lexicon.csv -o expanded.json --expand READING
suggest: suggest expanded.json --top 30 --format json
classify: classify texts.csv -l lexicon.csv -o labelled.csv --by group READING
"""
DETAILS = """
weights: weights model.json --format json
weights-shown: weights model.json
predict-count: predict model.json texts.csv -o counted.csv --rule count
predict-confident: predict model.json texts.csv --confidence 0.7 --format csv
shares-shown: shares model.json texts.csv --by group
shares-months: shares model.json texts.csv --by date --every month -o months.csv --chart months.html
differences: shares model.json texts.csv --by group --differences --format json
forecast: forecast model.json texts.csv --format json
explain: explain model.json texts.csv --row 3 --format json
explain-html: explain model.json texts.csv --row 4 --format html
fit-edited: fit texts.csv -l lexicon.csv --edits fixed.changes.csv -o edited.json READING
compare: compare model.json lexicon.csv --format json
plan: audit plan model.json texts.csv --by group --format json
predict-outcome: predict model.json texts.csv --outcome sheet.csv -o outcome.csv
report: report model.json texts.csv --by date --every month --audit sheet.csv -o report.html
sample-coders: audit sample model.json texts.csv -n 40 --by group --coders anna,ben -o both.csv
agree: audit agree both.anna.csv both.ben.csv -o disputed.csv --format json
store: audit score sheet.csv --store model.json --format json
predict-stored: predict model.json texts.csv -o stored.csv
weights-expand: weights expanded.json --format csv
predict-expand: predict expanded.json texts.csv -o more.jsonl
report-expand: report expanded.json texts.csv -o expanded.html
fit-expand-lexicon: fit texts.csv -l lexicon.csv -o better.json --expand-lexicon READING
fit-paper: fit texts.csv -l lexicon.csv -o paper.json --paper READING
fit-options: fit texts.csv -l lexicon.csv -o options.json --rule log --shrinkage 5 --balance equal --fold-accents
evaluate-options: evaluate options.json texts.csv --label label --rule multinomial --format json
classify-expand: classify texts.csv -l lexicon.csv -o wide.jsonl --expand --no-report READING
categories: categories lexicon.csv --format json
lookup: lookup lexicon.csv texts.csv --values percent -o looked.csv --report looked.html --by group READING
"""
TABLES = ("csv", "jsonl", "parquet", "xlsx", "sqlite", "duckdb")
LEXICONS = ("xlsx", "ykd", "lcd", "json", "dic", "dicx", "lc3", "cat", "tsv", "yaml", "csv")
FORMATS = "\n".join(
    [f"write-{one}: predict model.json texts.csv --keep all -o copy.{one}" for one in TABLES]
    + [f"read-{one}: predict model.json {one} -o {one}.csv" for one in ("semicolons.csv", "tabs.tsv", "lines.txt")]
    + [f"read-{one}: predict model.json copy.{one} -o from_{one}.csv" for one in TABLES]
    + [f"convert-{one}: convert lexicon.csv lexicon-{one}.{one}" for one in LEXICONS]
    + [f"categories-{one}: categories lexicon-{one}.{one} --format json" for one in LEXICONS]
)
DETAILED = ("two-balanced", "three-lists", "negation", "given-weights", "empty-and-missing", "french", "amazon-dvd")
FORMATTED, OPENED = ("french", "given-weights"), ("two-balanced", "five-lists")
"""The corpora with the commands of DETAILS, those with FORMATS, and those that the page opens."""
UNREAD = (".parquet", ".xlsx", ".sqlite", ".duckdb", ".audit.json")
"""Files with times or digests, which a later command reads: what they say is in its result."""


def write_commands(folder: Path, corpus: Corpus) -> None:
    """What each command prints, and the files that it writes."""
    reading = f"--language {corpus.language}" + " --glob" * corpus.glob
    lines = COMMANDS + FORMATS * (corpus.name in FORMATTED) + DETAILS * (corpus.name in DETAILED)
    before = states()
    for line in filter(None, lines.splitlines()):
        name, _, command = line.partition(": ")
        arguments = [sys.executable, "-m", "problex", *shlex.split(command.replace("READING", reading))]
        done = subprocess.run(arguments, capture_output=True, timeout=300, check=False)
        printed = f"exit status {done.returncode}\n{done.stdout.decode()}\nstandard error:\n{done.stderr.decode()}"
        write_text(folder / name / "printed.txt", printed)
        for file, _ in sorted(states() - before):
            if not file.endswith(UNREAD):
                write_text(folder / name / file, Path(file).read_text(encoding="utf-8"))
        label_sheets(corpus)
        before = states()


def states() -> set[tuple[str, int]]:
    """The files of the current folder, with the time when each was written."""
    return {(path.name, path.stat().st_mtime_ns) for path in Path().iterdir() if path.is_file()}


@contextmanager
def page(*arguments: str) -> Iterator[Callable[..., bytes]]:
    """A page in a process of its own, with an empty folder of sessions: a function that asks it."""
    environment = os.environ | {"PROBLEX_WORKBENCH": str(Path("sessions").resolve()), "PYTHONUNBUFFERED": "1"}
    command = [sys.executable, "-m", "problex", "workbench", "--no-open", *arguments]
    process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        assert process.stdout is not None
        address = next(word for line in process.stdout for word in line.split() if word.startswith("http"))
        root, browser = address.partition("/?")[0], urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
        browser.addheaders = [("Origin", root)]
        browser.open(address, timeout=60).close()

        def ask(path: str, body: Any = None) -> bytes:
            sent = urllib.request.Request(root + path, None if body is None else json.dumps(body).encode())
            return bytes(browser.open(sent, timeout=60).read())

        yield ask
    finally:
        process.terminate()
        process.wait(60)


def write_page(folder: Path, corpus: Corpus) -> None:
    """The files of the page, among them the script of the work, before and after an edit."""
    name, words = next(iter(corpus.lists.items()))
    with setting(folder) as here, page("texts.csv", "-l", "lexicon.csv", "--by", "group") as ask:
        end = time.monotonic() + 60
        while not (state := json.loads(ask("/api/state")))["ready"] and time.monotonic() < end:
            time.sleep(0.1)
        for moment in ("opened", "edited"):
            if moment == "edited":
                edit = {"word": words[0], "old": name, "new": None}
                ask("/api/edits", {"edits": [edit], "base": state["revision"]})
            for file in ("script", "export/model", "export/lexicon", "export/scores"):
                write_text(here / moment / f"{Path(file).name}.txt", ask(f"/api/{file}").decode())


def write_corpus(name: str, target: Path) -> str:
    """All results of a corpus, in place of earlier ones; returns a message."""
    start, folder, before = sum(os.times()[:4]), target.resolve() / name, Path.cwd()
    shutil.rmtree(folder, ignore_errors=True)
    corpus = corpus_of(name)
    digest = hashlib.sha256(repr((corpus.rows(), corpus.lists)).encode()).hexdigest()
    write_rows(folder / "corpus.jsonl", [[len(corpus.texts), corpus.language, sorted(corpus.lists), digest]])
    with tempfile.TemporaryDirectory() as work:
        os.chdir(work)
        try:
            write_inputs(corpus)
            write_python(folder / "python", corpus)
            write_commands(folder / "commands", corpus)
            if name in OPENED:
                write_page(folder / "page", corpus)
        finally:
            os.chdir(before)
    files, errors = sum(path.is_file() for path in folder.rglob("*")), len(list(folder.rglob("error.jsonl")))
    return f"{name}: {files} files, {errors} settings with an error, {sum(os.times()[:4]) - start:.0f} s of a processor"


def write(target: Path, only: Sequence[str], jobs: int) -> None:
    """The results of all corpora, or of some, each in a process of its own."""
    print(f"problex {problex.__version__} of {Path(problex.__file__).parent}")
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # each command would compile all modules again
    os.environ.update(OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1", COLUMNS="120")  # the order of sums, the width
    chosen = [name for name in CORPORA if not only or any(fnmatch(name, pattern) for pattern in only)]
    without = [] if DATA.is_dir() else [name for name in chosen if name in PAPER]
    if without:
        print(f"NOT WRITTEN: {', '.join(without)}: there is no {DATA}; set PROBLEX_DATA to the folder of the corpora")
    with ProcessPoolExecutor(jobs, get_context("spawn")) as pool:
        running = [pool.submit(write_corpus, name, target) for name in reversed(chosen) if name not in without]
        for one in as_completed(running):
            print(one.result(), flush=True)


NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[-+]?\d+)?")


def difference(old: Path, new: Path) -> tuple[str, str] | None:
    """The largest difference of the numbers of two files, if nothing else differs, and the first of all."""
    if not (old.is_file() and new.is_file()):
        return "", f"only in {'OLD' if old.is_file() else 'NEW'}"
    if old.read_bytes() == new.read_bytes():
        return None
    one, two = old.read_text(encoding="utf-8"), new.read_text(encoding="utf-8")
    lines = enumerate(zip_longest(one.split("\n"), two.split("\n"), fillvalue="(no line)"), 1)
    line, (before, after) = next((number, pair) for number, pair in lines if pair[0] != pair[1])
    at = next((at for at, (a, b) in enumerate(zip_longest(before, after)) if a != b), 0)
    part, largest = slice(max(at - 25, 0), at + 25), ""
    if NUMBER.sub("0", one) == NUMBER.sub("0", two):
        pairs = zip(NUMBER.findall(one), NUMBER.findall(two), strict=True)
        largest = f"{max(abs(float(a) - float(b)) for a, b in pairs):.2g}"
    return largest, f"line {line}: {before[part]!r} -> {after[part]!r}"


def compare(old: Path, new: Path, leave_out: Sequence[str]) -> int:
    """Print what differs; 1 if anything does."""
    files = {path.relative_to(top).as_posix() for top in (old, new) for path in top.rglob("*") if path.is_file()}
    compared = sorted(file for file in files if not any(fnmatch(file, pattern) for pattern in leave_out))
    found = {file: result for file in compared if (result := difference(old / file, new / file))}
    for file, (largest, first) in found.items():
        corpus, _, rest = file.partition("/")
        where, _, name = rest.rpartition("/")
        print(f"{corpus:18} {where:34} {name:20} {largest:>8}  {first}")
    corpora = {file.partition("/")[0] for file in files}
    left_out = len(files) - len(compared)
    print(f"{len(found)} of {len(compared)} files of {len(corpora)} corpora differ; {left_out} files were left out")
    if absent := [name for name in CORPORA if name not in corpora]:
        print(f"NOT COMPARED, for they are in neither folder: {', '.join(absent)}")
    return int(bool(found) or not compared)


def main() -> int:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    writing = commands.add_parser("write", help="write all results to a folder")
    writing.add_argument("folder", type=Path)
    writing.add_argument("--only", action="append", default=[], metavar="NAME", help="a corpus, or a pattern of names")
    writing.add_argument("--jobs", type=int, default=2, metavar="N", help="how many corpora at the same time")
    comparing = commands.add_parser("compare", help="compare two folders byte for byte")
    comparing.add_argument("old", type=Path)
    comparing.add_argument("new", type=Path)
    comparing.add_argument("--leave-out", action="append", default=[], metavar="PATTERN", help="files that may differ")
    given = parser.parse_args()
    if given.command == "compare":
        return compare(given.old, given.new, given.leave_out)
    write(given.folder, given.only, given.jobs)
    return 0


if __name__ == "__main__":
    sys.exit(main())
