"""Bad values for every option and argument of every command, derived from the commands themselves: `make options`.

A run must end in time and without a traceback: with exit status 0, or with a message, exit status 1 or 2, and no file
written or changed. What is no number must be refused where a number or a size is expected. Each run is a fork of one
process, in a new copy of a small folder; a pipe to which nobody writes may be waited for. The page of the workbench is
not opened. Prints what is wrong, and writes proof/results/options.json.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import resource
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import pandas as pd

from problex.cli.application import COMMANDS, load_command, main

ROOT = Path(__file__).parents[2]
RESULTS = ROOT / "proof" / "results" / "options.json"
SECONDS = 60
PIPE_SECONDS = 1
"""How long to wait for a command that reads a pipe to which nobody writes."""
FILE_BYTES = 64 << 20
"""The largest file that a run may write."""
LISTS = ("-l", "positive=pos.txt", "-l", "negative=neg.txt")
BASES: dict[str, tuple[tuple[str, ...], ...]] = {
    "classify": (("t.csv", *LISTS, "-o", "new.csv", "--no-report"),),
    "fit": (("t.csv", *LISTS, "-o", "new.json"), ("t.csv", "-l", "weights.csv", "-o", "new.json", "--expand")),
    "predict": (("m.json", "t.csv"), ("m.json", "t.csv", "-o", "new.sqlite", "--checkpoint", "new.part")),
    "explain": (("m.json", "--text", "good and bad"), ("m.json", "t.csv", "--row", "0")),
    "lookup": (("both.csv", "t.csv"), ("weights.csv", "t.csv", "-o", "new.xlsx")),
    "shares": (("m.json", "t.csv"), ("m.json", "t.csv", "--by", "date", "--audit", "s.csv")),
    "report": (("m.json", "t.csv", "-o", "new.html"),),
    "evaluate": (("m.json", "t.csv"),),
    "audit sample": (("m.json", "t.csv", "-o", "new.csv", "-n", "3"),),
    "audit plan": (("m.json", "t.csv", "-n", "5"),),
    "audit agree": (("c.anna.csv", "c.ben.csv"),),
    "audit score": (("s.csv",),),
    "forecast": (("m.json",), ("m.json", "t.csv")),
    "weights": (("m.json",),),
    "suggest": (("x.json",),),
    "doctor": (("t.csv", *LISTS), ("t.csv", "-l", "both.csv", "--fix", "new.csv")),
    "categories": (("both.csv",), ("weights.csv",)),
    "convert": (("both.csv", "new.dic"), ("weights.csv", "new.csv")),
    "compare": (("m.json", "weights.csv", "--min-count", "1"),),
    "workbench": (("t.csv", *LISTS, "--session", "new.problex", "--no-open"),),
    "demo": ((),),
    "reproduce": (("--data", "folder"),),
}
"""Arguments with which a command succeeds; `demo` and `reproduce` need data that are not here."""
SLOW = {"classify", "doctor", "fit", "report"}
FEWER = 9
SECOND = {"texts", "output"}
"""Arguments that come second, if there are two."""
HUGE = "9" * 5000
NUMBERS = ["", " ", "nan", "inf", "-inf", "-1", "0", "1.5", "1e400", "-1e400", "1" + "0" * 20, HUGE, "x", "0x10", "1,5"]
SIZES = ["", " ", "nan", "inf", "-1", "0", "x", "0B", "-1GB", "nanGB", "infGB", "1e400GB", "1e400", HUGE, HUGE + "GB"]
NAMES = [
    *("", " ", "\t", "x", "-x", "a\nb", "\x1b[31mred", "\udcff", "é漢字", "a" * 5000, "=1+1", ",", "a,b", "=", "a="),
    *("=b", "%s", "{}", "*", "nan", "-1", "0", HUGE, "select", "text", "id"),
]
FILES = [
    *("", " ", ".", "..", "folder", "missing.csv", "missing/x.csv", "/dev/null", "-x.csv", "a\nb.csv", "\x1b[31m.csv"),
    *("\udcff.csv", "é漢字.csv", "a" * 300 + ".csv", "-", "t.csv", "m.json", "pos.txt", "s.csv", "both.csv"),
    *("empty.csv", "x.unknown", "t.csv/x.csv", "link.csv", "nul.csv", "x=y", "positive=", "=pos.txt"),
    *("positive=missing", "positive=."),
]
PIPE = "pipe.csv"


@dataclass(frozen=True)
class Run:
    """A command line, the option or argument that is bad in it, and its value."""

    command: str
    words: tuple[str, ...]
    option: str
    value: str
    is_number: bool = False


@dataclass(frozen=True)
class Outcome:
    """What a run did; its status is None if it did not end, and `changed` are the files that it wrote or removed."""

    status: int | None
    out: str
    err: str
    changed: tuple[str, ...]


def parameters() -> Iterator[tuple[str, Any]]:
    """Every command, `audit sample` for one of a group, with each of its options and arguments."""
    for name in sorted(COMMANDS, key=lambda name: name in SLOW):
        command = load_command(name)
        for sub, part in getattr(command, "commands", {"": command}).items():
            for parameter in part.params:
                yield f"{name} {sub}".strip(), parameter


def values_of(parameter: Any) -> list[str]:
    """Bad values for a parameter, by its type."""
    kind = str(parameter.type_descriptor.annotation)
    if "bool" in kind:
        return []
    if "int" in kind or "float" in kind:
        return NUMBERS
    if parameter.metavar == "SIZE":
        return SIZES
    if "Path" in kind or parameter.metavar == "NAME=FILE":
        return [*FILES, PIPE]
    if parameter.type_descriptor.parameter_info.parser:
        return NAMES[:12]
    return NAMES


def runs() -> Iterator[Run]:
    """Bad values of every parameter, after the words of the bases, and flags twice and with values.

    A parameter that an earlier base has had, or of a slow command, gets one in `FEWER` of its values.
    """
    seen = Counter[str]()
    for command, parameter in parameters():
        name = " ".join([*parameter.opts, str(parameter.metavar)])
        for base in BASES[command]:
            values, at = values_of(parameter), seen[name]
            seen[name] += 1
            for value in values if at < 1 else values[at % FEWER :: FEWER]:
                yield from _with_value(command, base, parameter, value)
            if at < 1 and parameter.param_type_name == "option" and not values_of(parameter):
                for flag in (*parameter.opts, *parameter.secondary_opts):
                    for words in ((flag,), (flag, flag), (f"{flag}=",), (f"{flag}=x",)):
                        yield Run(command, (*base, *words), flag, " ".join(words))


def _with_value(command: str, base: tuple[str, ...], parameter: Any, value: str) -> Iterator[Run]:
    if parameter.param_type_name == "argument":
        yield from _with_argument(command, base, parameter, value)
        return
    option, is_number = parameter.opts[0], values_of(parameter) in (NUMBERS, SIZES)
    words = (option, *[value] * max(1, parameter.nargs))
    if not value.startswith("-") or not option.startswith("--") or parameter.nargs > 1:
        yield Run(command, (*base, *words), option, value, is_number)
    else:
        yield Run(command, (*base, f"{option}={value}"), option, value, is_number)


def _with_argument(command: str, base: tuple[str, ...], parameter: Any, value: str) -> Iterator[Run]:
    """The argument added at the end, where it may begin with a dash, and replaced."""
    yield Run(command, (*base, "--", value), parameter.metavar, value)
    given = next((place for place, word in enumerate(base) if word.startswith("-")), len(base))
    place = min(1, given - 1) if parameter.name in SECOND else 0
    if place < given and not value.startswith("-"):
        yield Run(command, (*base[:place], value, *base[place + 1 :]), parameter.metavar, value)


def prepare(folder: Path) -> None:
    """The files of the bases, made by the commands themselves."""
    folder.mkdir()
    texts = ["good fine day", "bad poor day", "good well done", "poor rip off", "a fine good film"] * 2
    texts = [f"{text} number {at}" for at, text in enumerate(texts)]
    labels = ["positive", "negative"] * 5
    rows = [
        f"d{at},2024-0{at % 3 + 1}-01,{label},{text}"
        for at, (text, label) in enumerate(zip(texts, labels, strict=True))
    ]
    (folder / "t.csv").write_text("\n".join(["id,date,label,text", *rows, ""]))
    (folder / "pos.txt").write_text("good\nfine\nwell\n")
    (folder / "neg.txt").write_text("bad\npoor\nrip off\n")
    words = {"good": 2, "fine": 1.5, "well": 1, "bad": -2, "poor": -1}
    (folder / "both.csv").write_text(
        "word,list\n" + "".join(f"{word},{'positive' if value > 0 else 'negative'}\n" for word, value in words.items())
    )
    (folder / "weights.csv").write_text("word,weight\n" + "".join(f"{word},{value}\n" for word, value in words.items()))
    (folder / "empty.csv").touch()
    (folder / "many.txt").write_text("".join(f"{texts[at % 10]} word{at % 37} thing{at % 23}\n" for at in range(600)))
    (folder / "nul.csv").write_bytes(b"\0" * 50)
    (folder / "folder").mkdir()
    (folder / "link.csv").symlink_to("nowhere.csv")
    os.mkfifo(folder / PIPE)
    for words_ in (
        ("fit", "t.csv", *LISTS, "-o", "m.json"),
        ("fit", "many.txt", *LISTS, "-o", "x.json", "--expand"),
        ("audit", "sample", "m.json", "t.csv", "-o", "s.csv", "-n", "8"),
        ("audit", "sample", "m.json", "t.csv", "-o", "c.csv", "-n", "8", "--coders", "anna,ben"),
    ):
        ended = execute(words_, folder)
        assert ended.status == 0, ended.err
    for name in ("s.csv", "c.anna.csv", "c.ben.csv"):
        label_sheet(folder / name)


def label_sheet(path: Path) -> None:
    """Fill in the labels of a sheet: what its texts say."""
    sheet = pd.read_csv(path, dtype=str)
    sheet["label"] = ["positive" if "good" in text else "negative" for text in sheet["text"]]
    sheet.to_csv(path, index=False)


def snapshot(folder: Path) -> dict[str, object]:
    """The files of a folder, with the contents of those that are small."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        if path.is_file() and path.stat().st_size < 1 << 20
        else path.is_dir()
        for path in folder.rglob("*")
    }


def execute(words: tuple[str, ...], folder: Path, seconds: float = SECONDS) -> Outcome:
    """Run a command in a fork, in this folder."""
    before = snapshot(folder)
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        child = os.fork()
        if not child:
            _run_child(words, folder, out.fileno(), err.fileno())
        status = wait_for(child, seconds)
        texts = []
        for file in (out, err):
            file.seek(0)
            texts.append(file.read(1 << 20).decode(errors="surrogateescape"))
    after = snapshot(folder)
    changed = tuple(sorted(name for name in before.keys() | after.keys() if before.get(name, 0) != after.get(name, 0)))
    return Outcome(status, texts[0], texts[1], changed)


def wait_for(child: int, seconds: float) -> int | None:
    """The exit status of a process, negative for a signal; None if it has to be killed."""
    deadline = time.monotonic() + seconds
    pause = 0.002
    while time.monotonic() < deadline:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return os.waitstatus_to_exitcode(status)
        time.sleep(pause)
        pause = min(2 * pause, 0.05)
    os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return None


def _run_child(words: tuple[str, ...], folder: Path, out: int, err: int) -> None:
    """In the fork: streams, working folder and limits, then the command; never returns."""
    status = 70
    try:
        os.setpgid(0, 0)
        null = os.open(os.devnull, os.O_RDONLY)
        for number, stream in enumerate((null, out, err)):
            os.dup2(stream, number)
        sys.stdin = open(0, encoding="utf-8", errors="surrogateescape", closefd=False)  # noqa: SIM115
        sys.stdout = open(1, "w", encoding="utf-8", errors="surrogateescape", closefd=False)  # noqa: SIM115
        sys.stderr = open(2, "w", 1, encoding="utf-8", errors="backslashreplace", closefd=False)  # noqa: SIM115
        os.chdir(folder)
        resource.setrlimit(resource.RLIMIT_FSIZE, (FILE_BYTES, FILE_BYTES))
        sys.modules["problex.cli.commands.workbench"].serve = lambda *_: None  # type: ignore[attr-defined]
        sys.argv = ["problex", *words]
        try:
            main()
            status = 0
        except SystemExit as end:
            status = end.code if isinstance(end.code, int) else 1
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)


NOT_A_NUMBER = {"", " ", "nan", "x", "1e400", "-1e400", "inf", "-inf", HUGE, "0x10", "1,5", "nanGB", "infGB", "1e400GB"}


def fault(run: Run, outcome: Outcome) -> str:
    """What is wrong with the end of a run; empty if nothing is."""
    if outcome.status is None:
        return "" if PIPE in run.value else "does not end"
    if "Traceback" in outcome.err or "internal error" in outcome.err.lower():
        return "traceback"
    if outcome.status not in (0, 1, 2):
        return f"exit status {outcome.status}"
    if outcome.status == 0:
        return "not a number, but accepted" if run.is_number and run.value in NOT_A_NUMBER else ""
    if outcome.changed:
        return f"failed, but changed {', '.join(outcome.changed)}"
    if any(character == "\x1b" or "\ud800" <= character <= "\udfff" for character in outcome.err):
        return "a control character in the message, or a byte that is no UTF-8"
    return "" if outcome.err.strip() else "no message"


def run_all(chosen: list[Run], log: IO[str] | None) -> tuple[Counter[str], Counter[str]]:
    """Run commands; returns how they ended and the faults, with their numbers."""
    ends, faults = Counter[str](), Counter[str]()
    with tempfile.TemporaryDirectory() as base:
        template, folder = Path(base, "template"), Path(base, "run")
        prepare(template)
        for run in chosen:
            shutil.copytree(template, folder, symlinks=True, ignore=shutil.ignore_patterns(PIPE))
            os.mkfifo(folder / PIPE)
            words = (*run.command.split(), *run.words)
            outcome = execute(words, folder, PIPE_SECONDS if PIPE in run.value else SECONDS)
            shutil.rmtree(folder)
            wrong = fault(run, outcome)
            ends["accepted" if outcome.status == 0 else "waits" if outcome.status is None else "refused"] += 1
            if log:
                print(json.dumps({"words": words, "fault": wrong} | vars(outcome)), file=log, flush=True)
            if wrong:
                faults[wrong] += 1
                shown = " ".join(map(repr, words))[:300]
                said = outcome.err.strip()[-300:].encode(errors="backslashreplace").decode()
                print(f"{wrong}: problex {shown}\n    {said}", flush=True)
    return ends, faults


def main_campaign() -> int:
    """Run every command, print the faults, and write the numbers of runs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--log", type=argparse.FileType("w"), help="write what each run did to this file, as JSON lines"
    )
    parser.add_argument("--only", default="", help="only commands that begin with this")
    parser.add_argument("--every", type=int, default=1, help="only one run in this many")
    arguments = parser.parse_args()
    for module, _ in COMMANDS.values():
        importlib.import_module(f"problex.cli.commands.{module}")
    chosen = [run for run in runs() if run.command.startswith(arguments.only)][:: arguments.every]
    ends, faults = run_all(chosen, arguments.log)
    print(f"{len(chosen)} runs: {dict(ends)}; faults: {dict(faults)}")
    if not arguments.only and arguments.every == 1:
        options = len({(run.command, run.option) for run in chosen})
        result = {"runs": len(chosen), "parameters": options, "ends": dict(ends), "faults": dict(faults)}
        RESULTS.write_text(json.dumps(result, indent=2) + "\n")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main_campaign())
