"""The command line as a person uses it: files in, records out, one line for what is wrong."""

from __future__ import annotations

import contextlib
import csv
import io
import json
import os
import pty
import subprocess
import sys
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

from problex import load_model
from problex.cli import predict, prediction_log
from problex.cli.application import COMMANDS, app, load_command
from problex.cli.inputs import TextFiles
from problex.corpus import STREAM_FORMATS
from problex.counting import streams
from problex.errors import ProblexError
from problex.estimation import RULES, SOLVERS, TEMPERS
from problex.matching import LANGUAGES, NEGATIONS

POSITIVE, NEGATIVE = "good\nfine\nwell-made\n", "bad\npoor\nrip off\n"


@pytest.fixture
def folder(tmp_path: Path, texts: list[str], monkeypatch: pytest.MonkeyPatch) -> Path:
    labels = ["positive", "positive", "negative", "negative", "positive", "", "positive", "negative"] * 5
    frame = pd.DataFrame({"id": [f"d{at}" for at in range(len(texts))], "text": texts, "label": labels})
    frame.to_csv(tmp_path / "texts.csv", index=False)
    frame.to_parquet(tmp_path / "texts.parquet")
    (tmp_path / "pos.txt").write_text(POSITIVE)
    (tmp_path / "neg.txt").write_text(NEGATIVE)
    rows = [
        f"{word},{name}"
        for name, text in (("positive", POSITIVE), ("negative", NEGATIVE))
        for word in text.split("\n")
        if word
    ]
    (tmp_path / "both.csv").write_text("word,list\n" + "\n".join(rows) + "\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def problex(
    *words: str, stdin: str | bytes | None = None, env: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    data = stdin.encode() if isinstance(stdin, str) else stdin
    ran = subprocess.run(
        [sys.executable, "-m", "problex", *words],
        input=data if data is not None else b"",
        capture_output=True,
        env={**os.environ, **(env or {})},
        timeout=120,
        check=False,
    )
    return subprocess.CompletedProcess(ran.args, ran.returncode, ran.stdout.decode(), ran.stderr.decode())


def run(*words: str) -> str:
    """In this process, for speed; what `main` adds is tested through `problex`."""
    result = CliRunner().invoke(app, list(words), catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


def said(*words: str) -> str:
    """What a command tells on standard error."""
    result = CliRunner().invoke(app, list(words), catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stderr


LEXICON = ("--lexicon", "positive=pos.txt", "--lexicon", "negative=neg.txt")


@pytest.fixture
def model(folder: Path) -> Path:
    run("fit", "texts.parquet", *LEXICON, "-o", "m.json")
    return folder / "m.json"


def test_fit_says_what_it_learned_from(folder: Path) -> None:
    ran = problex("fit", "texts.csv", *LEXICON, "-o", "m.json")
    assert ran.returncode == 0
    assert ran.stdout == ""
    assert "40 documents" in ran.stderr
    assert "wrote m.json" in ran.stderr
    assert load_model("m.json").classes == ("negative", "positive")


def test_one_file_with_all_lists_gives_the_same_model(folder: Path, model: Path) -> None:
    run("fit", "texts.csv", "--lexicon", "both.csv", "-o", "m2.json")
    assert (folder / "m2.json").read_text() == model.read_text()


def test_settings_reach_the_model(folder: Path) -> None:
    run("fit", "texts.csv", *LEXICON, "-o", "a.json", "--paper")
    assert load_model("a.json").settings.solver == "admm"
    run("fit", "texts.csv", *LEXICON, "-o", "b.json", "--shrinkage", "7", "--balance", "equal", "--keep-discordant")
    settings = load_model("b.json").settings
    assert (settings.shrinkage, settings.balance, settings.keep_discordant) == (7, "equal", True)


def test_predict_to_every_format(folder: Path, model: Path) -> None:
    frames = []
    for name, read in (("p.csv", pd.read_csv), ("p.parquet", pd.read_parquet)):
        run("predict", "m.json", "texts.csv", "-o", name)
        frames.append(read(name))
    run("predict", "m.json", "texts.csv", "-o", "p.jsonl")
    frames.append(pd.read_json("p.jsonl", lines=True))
    for frame in frames:
        assert list(frame) == ["row", "id", "label", "score", "p_negative", "p_positive", "tokens", "matches"]
        assert len(frame) == 40
        assert frame["label"].tolist() == frames[0]["label"].tolist()
        assert frame["id"][3] == "d3"
        assert frame["label"][5] == "undecided"


def test_predict_prints_and_reads_standard_input(folder: Path, model: Path) -> None:
    ran = problex("predict", "m.json", "-", stdin="a good film\na poor film\n\nnothing\n")
    rows = list(csv.DictReader(io.StringIO(ran.stdout)))
    assert [row["label"] for row in rows] == ["positive", "negative", "undecided", "undecided"]
    as_json = json.loads(problex("predict", "m.json", "-", "--format", "json", stdin="good\n").stdout)
    assert as_json[0]["label"] == "positive"
    from_csv = problex("predict", "m.json", "-", "--input-format", "csv", "--text", "t", stdin="n,t\n1,good\n2,bad\n")
    assert [row["label"] for row in csv.DictReader(io.StringIO(from_csv.stdout))] == ["positive", "negative"]


def test_kept_columns(folder: Path, model: Path) -> None:
    run("predict", "m.json", "texts.csv", "--keep", "id", "-o", "p.csv")
    assert list(pd.read_csv("p.csv"))[:3] == ["row", "id", "label"]


def test_evaluate_leaves_out_documents_without_a_label(folder: Path, model: Path) -> None:
    records = json.loads(run("evaluate", "m.json", "texts.csv", "--format", "json"))
    values = {record["measure"]: record["value"] for record in records}
    assert values["auc"] > 0.8
    ran = problex("evaluate", "m.json", "texts.csv")
    assert "35 labelled documents" in ran.stderr
    assert "Reliability" in ran.stdout


def test_weights(folder: Path, model: Path) -> None:
    records = json.loads(run("weights", "m.json", "--format", "json"))
    assert {record["entry"] for record in records} == {"good", "fine", "well made", "bad", "poor", "rip off"}
    assert len(json.loads(run("weights", "m.json", "--top", "1", "--format", "json"))) == 2
    rows = list(csv.DictReader(io.StringIO(run("weights", "m.json", "--list", "positive", "--format", "csv"))))
    assert {row["list"] for row in rows} == {"positive"}
    assert "good" in run("weights", "m.json")


def test_forecast(folder: Path, model: Path) -> None:
    ran = problex("forecast", "m.json", "texts.csv", "--lengths", "5,50", "--format", "json")
    records = json.loads(ran.stdout)
    assert [record["tokens"] for record in records] == [5, 50, "this corpus"]
    assert "what the model expects" in ran.stderr


@pytest.mark.parametrize(
    ("words", "status", "message"),
    [
        (["predict", "none.json", "texts.csv"], 1, "there is no model file 'none.json': make one with problex fit"),
        (["predict", "m.json", "none.csv"], 1, "none.csv"),
        (["predict", "m.json", "texts.csv", "--text", "body"], 1, "'id', 'text', 'label'"),
        (["predict", "m.json", "texts.csv", "-o", "p.xyz"], 1, "expected one of .csv, .parquet, .jsonl"),
        (["predict", "m.json", "texts.csv", "-o", "texts.csv"], 1, "exists: choose another name"),
        (["predict", "m.json", "texts.csv", "-o", "no/such/p.csv"], 1, "there is no folder 'no/such'"),
        (["predict", "m.json", "texts.csv", "--rule", "magic"], 2, "'magic' is not one of"),
        (["predict", "texts.csv", "texts.csv"], 1, "is not whole JSON"),
        (["weights", "m.json", "--list", "x"], 1, "has no list 'x', expected one of negative, positive"),
        (["weights", "m.json", "--format", "xml"], 2, "'xml' is not one of"),
        (["forecast", "m.json", "--lengths", "a,b"], 1, "expected whole numbers such as 10,50,200"),
        (["evaluate", "m.json", "texts.csv", "--label", "gold"], 1, "gold"),
        (["fit", "texts.csv", "--lexicon", "positive=pos.txt", "-o", "x.json"], 1, "the lexicon has 1 list"),
        (["fit", "texts.csv", "--lexicon", "pos.txt", "--lexicon", "neg.txt", "-o", "x.json"], 1, "expected NAME=FILE"),
        (["fit", "texts.csv", *LEXICON, "-o", "m.json"], 1, "'m.json' exists"),
        (["fit", "texts.csv", *LEXICON, "-o", "x.json", "--language", "xx"], 2, "'xx' is not one of"),
        (["fit", "texts.csv", "--lexicon", "=pos.txt", "-o", "x.json"], 1, "names no list, expected NAME=FILE"),
        (["weights", "m.json", "--top", "-1"], 2, "should be greater than or equal to 1"),
        (["reproduce", "--data", "nowhere"], 1, "the paper's corpora are not in 'nowhere'"),
        (["fit", "texts.csv"], 2, "Missing option"),
        (["dance"], 2, "No such command"),
    ],
)  # fmt: skip
def test_bad_input_gets_one_line_and_a_status(
    folder: Path, model: Path, words: list[str], status: int, message: str
) -> None:
    ran = problex(*words)
    assert ran.returncode == status, ran.stderr
    assert message in " ".join(ran.stderr.replace("│", " ").split())
    if status == 1:
        assert ran.stderr.count("\n") == 1
        assert ran.stderr.startswith("problex: error: ")
        assert "Traceback" not in ran.stderr


def test_an_empty_corpus(folder: Path, model: Path) -> None:
    for words in (
        ["fit", "-", *LEXICON, "-o", "x.json"],
        ["predict", "m.json", "-"],
        ["predict", "m.json", "-", "-o", "x.csv"],
    ):
        ran = problex(*words)
        assert ran.returncode == 1
        assert "no documents" in ran.stderr
    assert not (folder / "x.json").exists()
    assert not (folder / "x.csv").exists()


def test_force_overwrites(folder: Path, model: Path) -> None:
    run("fit", "texts.csv", *LEXICON, "-o", "m.json", "--force")
    (folder / "p.csv").write_text("old")
    run("predict", "m.json", "texts.csv", "-o", "p.csv", "--force")
    assert len((folder / "p.csv").read_text().splitlines()) == 41


@pytest.mark.parametrize("name", ["p.csv", "p.parquet", "p.jsonl"])
def test_a_file_that_cannot_grow_leaves_nothing_behind(folder: Path, model: Path, name: str) -> None:
    """A limit on file size stands for a full disk."""
    code = (
        "import resource, signal, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (600, 600));"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN);"
        f"sys.argv = ['problex', 'predict', 'm.json', 'texts.csv', '-o', {name!r}];"
        "from problex.cli.application import main; main()"
    )
    before = sorted(path.name for path in folder.iterdir())
    ran = subprocess.run([sys.executable, "-B", "-c", code], capture_output=True, text=True, check=False)
    assert ran.returncode == 1
    assert "could not be written: " in ran.stderr
    assert "File too large; nothing was changed" in ran.stderr
    assert sorted(path.name for path in folder.iterdir()) == before


@pytest.mark.parametrize("command", ["fit", "predict", "evaluate", "forecast"])
def test_commands_in_a_terminal_show_progress(folder: Path, model: Path, command: str) -> None:
    words = {
        "fit": ["fit", "texts.csv", *LEXICON, "-o", "t.json"],
        "predict": ["predict", "m.json", "texts.csv", "-o", "t.csv"],
        "evaluate": ["evaluate", "m.json", "texts.csv"],
        "forecast": ["forecast", "m.json", "texts.csv"],
    }[command]
    ours, theirs = pty.openpty()
    ran = subprocess.Popen([sys.executable, "-m", "problex", *words], stdout=theirs, stderr=theirs, stdin=theirs)
    os.close(theirs)
    printed = b""
    with contextlib.suppress(OSError):  # the terminal closes when the command ends
        while part := os.read(ours, 65536):
            printed += part
    os.close(ours)
    assert ran.wait(timeout=60) == 0, printed.decode()
    assert b"Traceback" not in printed
    assert b"documents" in printed


def test_a_large_corpus_prints_one_json_array(folder: Path, model: Path) -> None:
    pd.DataFrame({"text": ["a good film " * 40, "a bad day " * 50] * 12_000}).to_csv("large.csv", index=False)
    ran = problex("predict", "m.json", "large.csv", "--format", "json")
    assert len(json.loads(ran.stdout)) == 24_000
    assert problex("predict", "m.json", "large.csv", "--format", "csv").stdout.count("\n") == 24_001


def test_kept_columns_never_replace_results(folder: Path, model: Path) -> None:
    run("predict", "m.json", "texts.csv", "--keep", "label", "-o", "p.csv")
    frame = pd.read_csv("p.csv")
    assert frame["input_label"][0] == "positive"
    assert frame["label"][5] == "undecided"


def test_skipped_rows_are_said(folder: Path, model: Path) -> None:
    (folder / "ragged.csv").write_text("id,text\n1,good\n2,bad,too,many\n3,poor\n")
    ran = problex("predict", "m.json", "ragged.csv", "--on-error", "skip", "-o", "r.csv")
    assert "wrote 2 rows to r.csv; 1 text unreadable" in ran.stderr


def test_ids_that_look_like_markup_are_shown_as_they_are(folder: Path, model: Path) -> None:
    (folder / "odd.csv").write_text("id,text\n[/x],good\n")
    assert "[/x]" in problex("predict", "m.json", "odd.csv", "--format", "table").stdout


def test_the_version() -> None:
    assert run("--version").startswith("problex 0.")


def test_a_full_disk_leaves_nothing_behind(folder: Path, model: Path) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("this system has no /dev/full")
    full = os.open("/dev/full", os.O_WRONLY)
    ran = subprocess.run(
        [sys.executable, "-m", "problex", "predict", "m.json", "texts.csv"],
        stdout=full,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    os.close(full)
    assert ran.returncode == 1
    assert "No space left" in ran.stderr
    assert "Traceback" not in ran.stderr


def test_an_interrupted_write_keeps_the_old_file(folder: Path, model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "p.csv").write_text("old")
    scored = predict.score_files(Path("m.json"), TextFiles([Path("texts.csv")]), predict.ScoringOptions())

    def interrupted() -> Any:
        yield next(scored)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        predict.write_predictions(interrupted(), Path("p.csv"), force=True)
    assert (folder / "p.csv").read_text() == "old"
    assert sorted(path.name for path in folder.iterdir() if path.name.startswith(".")) == []


def test_notes_are_one_line_each(folder: Path) -> None:
    (folder / "pos.txt").write_text(POSITIVE + "*\nBad\n")
    ran = problex("fit", "texts.csv", *LEXICON, "-o", "m.json")
    assert ran.returncode == 0
    notes = [line for line in ran.stderr.splitlines() if line.startswith("problex: note: ")]
    assert any("'bad' (pos.txt:5 and neg.txt:1)" in line for line in notes)
    assert any("'*'" in line for line in notes)


def test_help_lists_every_command_and_imports_none() -> None:
    code = (
        "import sys; from problex.cli import main; sys.argv = ['problex', '--help']\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "heavy = {'numpy', 'pyarrow', 'pandas', 'scipy', 'sklearn', 'yaml', 'problex.lexicon'}\n"
        "print('imported:', sorted(heavy & set(sys.modules)))"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.splitlines()[-1] == "imported: []"
    for name, (_, summary) in COMMANDS.items():
        assert f" {name} " in ran.stdout
        assert summary.split()[0] in ran.stdout


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_command_has_help_with_a_sentence_for_each_option(name: str) -> None:
    text = run(name, "-h")
    assert "Show this message and exit." in text
    command = load_command(name)
    for one in getattr(command, "commands", {name: command}).values():
        assert one.help.endswith(".")
        for parameter in one.params:
            assert parameter.help.endswith("."), f"{one.name} {parameter.name}"


@pytest.mark.parametrize(
    ("words", "option", "table"),
    [
        (("fit", "texts.csv", *LEXICON, "-o", "x"), "--rule", list(RULES)),
        (("fit", "texts.csv", *LEXICON, "-o", "x"), "--solver", list(SOLVERS)),
        (("fit", "texts.csv", *LEXICON, "-o", "x"), "--language", [*LANGUAGES, "auto"]),
        (("fit", "texts.csv", *LEXICON, "-o", "x"), "--negation", ["auto", "none", *NEGATIONS]),
        (("fit", "texts.csv", *LEXICON, "-o", "x"), "--input-format", list(STREAM_FORMATS)),
        (("predict", "m.json", "texts.csv"), "--temper", list(TEMPERS)),
    ],
)
def test_choices_are_the_names_in_the_tables(words: tuple[str, ...], option: str, table: list[str]) -> None:
    result = CliRunner().invoke(app, [*words, option, "magic"])
    assert result.exit_code == 2
    message = " ".join(result.stderr.replace("│", " ").split())
    assert f"'magic' is not one of {', '.join(map(repr, table))}." in message


# -- large corpora


KILLED = """
import os, signal, sys
from problex.counting import checkpoints, streams
from problex.cli import predict, prediction_log
from problex.cli.application import main

streams.SEGMENT_BYTES, prediction_log.MAX_SECONDS = 4000, -1.0
streams.choose_batch_bytes = predict.choose_batch_bytes = lambda memory, threads: 2000
for owner, name in ((checkpoints.Checkpoint, "save"), (prediction_log.PredictionLog, "_append")):
    def killed(self, *given, real=getattr(owner, name), left=[2]):
        real(self, *given)
        left[0] -= 1
        if left[0] == 0:
            os.kill(os.getpid(), signal.SIGN)
    setattr(owner, name, killed)
main()
"""
LARGE = ("large0.parquet", "large1.parquet", "large2.parquet")


@pytest.fixture
def large(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    frame = pd.concat([pd.read_csv(folder / "texts.csv")] * 10)
    for name in LARGE:
        frame.to_parquet(folder / name, row_group_size=50)
    monkeypatch.setattr(streams, "SEGMENT_BYTES", 4000)
    monkeypatch.setattr(prediction_log, "MAX_SECONDS", -1.0)
    for module in (streams, predict):
        monkeypatch.setattr(module, "choose_batch_bytes", lambda memory, threads: 2000)
    return folder


def killed(sign: str, *words: str) -> subprocess.CompletedProcess[str]:
    """The command, sent a signal after it has saved twice."""
    line = [sys.executable, "-c", KILLED.replace("SIGN", sign), *words]
    return subprocess.run(line, capture_output=True, text=True, timeout=120, check=False)


@pytest.mark.parametrize("sign", ["SIGKILL", "SIGINT"])
def test_an_interrupted_fit_goes_on_to_the_same_model(large: Path, sign: str) -> None:
    words = ("fit", *LARGE, *LEXICON, "--checkpoint", "c", "-o", "again.json")
    ran = killed(sign, *words)
    assert ran.returncode == (-9 if sign == "SIGKILL" else 1), ran.stderr
    assert (sign == "SIGINT") == ("interrupted: the same command continues from the checkpoint c" in ran.stderr)
    assert (large / "c").exists()
    assert not (large / "again.json").exists()
    assert "1,200 documents" in said(*words)
    run("fit", *LARGE, *LEXICON, "-o", "whole.json")
    assert (large / "again.json").read_bytes() == (large / "whole.json").read_bytes()
    assert not (large / "c").exists()


def test_a_killed_predict_goes_on(large: Path, model: Path) -> None:
    words = ("predict", "m.json", *LARGE, "--checkpoint", "c", "-o", "again.parquet")
    assert killed("SIGKILL", *words).returncode == -9
    assert not (large / "again.parquet").exists()
    assert "wrote 1,200 rows to again.parquet" in said(*words)
    run("predict", "m.json", *LARGE, "-o", "whole.parquet")
    assert (large / "again.parquet").read_bytes() == (large / "whole.parquet").read_bytes()


@pytest.mark.parametrize("suffix", ["csv", "jsonl", "parquet"])
def test_an_interrupted_predict_goes_on_to_the_same_file(
    large: Path, model: Path, suffix: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ("predict", "m.json", *LARGE, "--checkpoint", "c", "-o", f"again.{suffix}", "--keep", "label")
    real, left = prediction_log.PredictionLog._append, [3]

    def interrupt(*given: Any) -> None:
        real(*given)
        left[0] -= 1
        if left[0] == 0:
            raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(prediction_log.PredictionLog, "_append", interrupt)
        with pytest.raises(ProblexError, match="interrupted: the same command continues from the checkpoint c"):
            run(*words)
    with (large / "c").open("ab") as log:
        log.write(b"torn")
    assert f"wrote 1,200 rows to again.{suffix}" in said(*words)
    run("predict", "m.json", *LARGE, "-o", f"whole.{suffix}", "--keep", "label")
    assert (large / f"again.{suffix}").read_bytes() == (large / f"whole.{suffix}").read_bytes()
    assert not (large / "c").exists()


def test_a_checkpoint_of_another_model_is_refused(large: Path, model: Path) -> None:
    words = ("predict", "m.json", *LARGE, "--checkpoint", "c", "-o", "p.csv")
    assert killed("SIGKILL", *words).returncode == -9
    run("fit", "texts.csv", *LEXICON, "-o", "m.json", "--force", "--shrinkage", "0")
    with pytest.raises(ProblexError, match="the checkpoint 'c' is of another run: model was "):
        run(*words)


def test_a_pattern_several_files_and_a_folder_are_one_corpus(large: Path) -> None:
    (large / "tables").mkdir()
    for name in LARGE:
        (large / "tables" / name).write_bytes((large / name).read_bytes())
    for at, words in enumerate((LARGE, ["large?.parquet"], ["tables"])):
        run("fit", *words, *LEXICON, "-o", f"{at}.json", "--memory", "128MiB")
    assert (large / "0.json").read_bytes() == (large / "1.json").read_bytes() == (large / "2.json").read_bytes()


def test_words_forgotten_for_memory_are_said(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "forgotten" not in said("fit", "texts.csv", *LEXICON, "-o", "x.json")
    monkeypatch.setattr(streams, "vocabulary_memory", lambda memory: 1)
    assert "tokens of rare words forgotten to save memory" in said(
        "fit", "texts.csv", *LEXICON, "-o", "x.json", "--force"
    )


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("fit", "texts.csv", *LEXICON, "-o", "x.json", "--memory", "much"), "'much' was given as a size, expected"),
        (("fit", "texts.csv", *LEXICON, "-o", "x.json", "--memory", "1MB"), "expected at least 64MiB"),
        (("predict", "m.json", "texts.csv", "--checkpoint", "c"), "--checkpoint was given without --output"),
        (("fit", "-", *LEXICON, "-o", "x.json", "--checkpoint", "c"), "can be read only once, and a checkpoint needs"),
        (("fit", "texts.csv", *LEXICON, "-o", "x.json", "--checkpoint", "no/c"), "there is no folder 'no'"),
    ],
)
def test_large_corpora_asked_for_wrongly(folder: Path, model: Path, words: tuple[str, ...], expected: str) -> None:
    with pytest.raises(ProblexError) as caught:
        run(*words)
    assert expected in str(caught.value)


@pytest.mark.parametrize("suffix", ["csv", "jsonl", "parquet", "txt"])
def test_unreadable_rows_are_named_or_counted(folder: Path, model: Path, suffix: str) -> None:
    rows = [b"good film", b"bad \xff", b"poor film"] * 3
    if suffix == "parquet":
        pq.write_table(pa.table({"text": pa.array(rows, pa.binary())}), "x.parquet")
    elif suffix == "jsonl":
        (folder / "x.jsonl").write_bytes(b"".join(b'{"text": "%b"}\n' % row for row in rows))
    else:
        (folder / f"x.{suffix}").write_bytes(b"text\n" * (suffix == "csv") + b"".join(row + b"\n" for row in rows))
    with pytest.raises(ProblexError) as caught:
        run("fit", f"x.{suffix}", *LEXICON, "-o", "x.json")
    assert f"document 1 of x.{suffix} is not valid UTF-8 at byte 4." in str(caught.value)
    for action in ("skip", "replace"):
        options = ("--force", "--on-error", action)
        assert "wrote 9 rows to p.csv; 3 texts unreadable" in said(
            "predict", "m.json", f"x.{suffix}", "-o", "p.csv", *options
        )
        assert "3 texts unreadable" in said("fit", f"x.{suffix}", *LEXICON, "-o", "x.json", *options)
