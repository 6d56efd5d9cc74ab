"""Standard streams that are closed, full, piped into something that stops, or in another encoding than UTF-8."""

from __future__ import annotations

import io
import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from problex.cli.terminal import close_output, prepare_streams, write_output
from tests.cli.runs import LEXICON, problex

POSIX = pytest.mark.skipif(os.name != "posix", reason="needs a POSIX shell")
ASCII = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PYTHONIOENCODING": ""}


def shell(line: str, *words: str) -> subprocess.CompletedProcess[str]:
    """Run a line of a shell in which {problex} is the command."""
    command = shlex.join([sys.executable, "-m", "problex", *words])
    line = line.format(problex=command)
    return subprocess.run(["sh", "-c", line], capture_output=True, text=True, check=False, timeout=120)


def one_line_error(ran: subprocess.CompletedProcess[str]) -> str:
    """The error of a command that has failed as it should."""
    assert (ran.returncode, ran.stderr.count("\n"), ran.stderr[:15]) == (1, 1, "problex: error:"), ran
    return ran.stderr.strip()


PRINTING = [
    ("predict", "m.json", "texts.csv"),
    ("predict", "m.json", "texts.csv", "--format", "table"),
    ("weights", "m.json"),
    ("weights", "m.json", "--format", "json"),
    ("explain", "m.json", "--text", "a good film"),
    ("explain", "m.json", "--text", "a good film", "--format", "html"),
]


@POSIX
@pytest.mark.parametrize("words", PRINTING, ids=" ".join)
def test_a_closed_standard_output_is_an_error(folder: Path, model: Path, words: tuple[str, ...]) -> None:
    assert one_line_error(shell("{problex} >&-", *words)) == "problex: error: standard output is closed"


@POSIX
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
@pytest.mark.parametrize("words", PRINTING, ids=" ".join)
def test_a_full_disk_behind_standard_output_is_an_error(folder: Path, model: Path, words: tuple[str, ...]) -> None:
    assert "standard output could not be written: No space left on device" in one_line_error(
        shell("{problex} >/dev/full", *words)
    )


@POSIX
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
def test_a_large_output_to_a_full_disk_is_an_error(folder: Path, model: Path) -> None:
    (folder / "many.txt").write_text("a good film\n" * 20_000)
    assert "No space left on device" in one_line_error(shell("{problex} >/dev/full", "predict", "m.json", "many.txt"))


@POSIX
@pytest.mark.parametrize("form", ["csv", "json", "table"])
def test_a_pipe_that_is_closed_ends_the_command_quietly(folder: Path, model: Path, form: str) -> None:
    (folder / "many.txt").write_text("a good film\n" * 20_000)
    ran = shell("{problex} | head -n 1", "predict", "m.json", "many.txt", "--format", form)
    assert (ran.stdout.count("\n"), ran.stderr) == (1, "")


@POSIX
def test_a_closed_standard_output_does_not_matter_to_a_command_that_writes_a_file(folder: Path) -> None:
    ran = shell("{problex} >&- 2>&- <&-", "fit", "texts.csv", *LEXICON, "-o", "closed.json")
    assert ran.returncode == 0
    assert problex("fit", "texts.csv", *LEXICON, "-o", "open.json").returncode == 0
    assert (folder / "closed.json").read_bytes() == (folder / "open.json").read_bytes()


@POSIX
def test_messages_that_cannot_be_written_do_not_fail_a_command(folder: Path, model: Path) -> None:
    for place in ("/dev/full", "&-"):
        ran = shell("{problex} 2>" + place, "predict", "m.json", "texts.csv", "-o", "x.csv", "--force")
        assert (ran.returncode, ran.stdout) == (0, "")


@POSIX
@pytest.mark.parametrize("words", [("predict", "m.json", "-"), ("explain", "m.json", "--text", "-")], ids=" ".join)
def test_a_closed_standard_input_is_an_error(folder: Path, model: Path, words: tuple[str, ...]) -> None:
    assert "standard input" in one_line_error(shell("{problex} <&-", *words))


@pytest.mark.parametrize("encoding", [ASCII, {"PYTHONIOENCODING": "latin-1"}, {"PYTHONIOENCODING": "cp1252"}])
def test_a_terminal_of_another_encoding_gets_escapes(folder: Path, model: Path, encoding: dict[str, str]) -> None:
    text = "good café — fine \u4e2d"
    command = ("explain", "m.json", "--text", text)
    assert "\\u4e2d" in _run(*command, env=encoding)
    record = json.loads(_run(*command, "--format", "json", env=encoding))
    assert "".join(piece["text"] for piece in record["pieces"]) == text
    assert "&#20013;" in _run(*command, "--format", "html", env=encoding)


def _run(*words: str, env: dict[str, str]) -> str:
    """The output of a command in the encoding that its environment sets."""
    ran = subprocess.run(
        [sys.executable, "-m", "problex", *words],
        capture_output=True,
        check=False,
        timeout=120,
        env={**os.environ, **env},
    )
    assert ran.returncode == 0, ran.stderr
    return ran.stdout.decode(env["PYTHONIOENCODING"] or "ascii")


@pytest.mark.parametrize(("encoding", "note"), [("latin-1", "1 character was written to"), ("utf-8", "")])
def test_escapes_in_results_are_said(folder: Path, model: Path, encoding: str, note: str) -> None:
    (folder / "x.csv").write_text("id,text\n\u4e2d,good\n")
    words = ("predict", "m.json", "x.csv", "--keep", "id")
    ran = problex(*words, env={"PYTHONIOENCODING": encoding, "PYTHONUTF8": "0"})
    assert note in ran.stderr
    assert ("as escapes such as" in ran.stderr) == bool(note)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "latin-1"])
def test_advice_about_the_encoding_is_left_out_if_it_would_not_help(
    encoding: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """UTF-8 lacks only halves of characters; the count is of one run."""
    stream = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    monkeypatch.setattr(sys, "stdout", stream)
    prepare_streams()
    for _ in range(2):
        write_output("\ud800 a \udfff\udfff")
    assert close_output() is None
    note = capsys.readouterr().err
    assert note.startswith("problex: note: 6 characters were written to standard output as escapes such as")
    assert ("PYTHONIOENCODING" in note) == (encoding == "latin-1")
    assert ("lone surrogates" in note) == (encoding != "latin-1")
    assert close_output() is None
    assert capsys.readouterr().err == ""


def test_a_message_about_a_long_value_is_short(folder: Path, model: Path) -> None:
    stored = json.loads(model.read_text())
    stored["settings"]["rule"], stored["digest"] = "x" * 100_000, None
    (folder / "long.json").write_text(json.dumps(stored))
    ran = problex("weights", "long.json")
    error = ran.stderr.splitlines()[-1]  # a note about the digest is before it
    assert (ran.returncode, error[:15]) == (1, "problex: error:")
    assert len(error) < 400
    assert "is damaged: --rule xxx" in error
    assert "expected one of" in error
    ran = problex("weights", "y" * 3000)
    error = ran.stderr.splitlines()[-1]
    assert ran.returncode == 1
    assert len(error) < 2100
    assert "characters left out" in error


def test_files_with_names_of_another_encoding_are_read(folder: Path, model: Path) -> None:
    (folder / "café.csv").write_text("text\ngood\n")
    ran = problex("predict", "m.json", "café.csv", "-o", "x.csv", env=ASCII)
    assert ran.returncode in (0, 1)
    assert "Traceback" not in ran.stderr


@POSIX
def test_an_argument_that_is_not_utf8_is_named(folder: Path, model: Path) -> None:
    ran = shell("{problex} \"$(printf 'good \\377')\"", "explain", "m.json", "--text")
    assert "the argument 'good \\udcff' is neither valid UTF-8 nor the name of a file" in one_line_error(ran)


def test_escape_sequences_do_not_reach_the_terminal(folder: Path, model: Path) -> None:
    (folder / "evil\x1b[2J.csv").write_text("te\x1b[31mxt\x9b,b\ngood,1\n")
    errors = [
        problex("predict", "m.json", "evil\x1b[2J.csv", "--text", "nothing\x1b]0;x\x07"),
        problex("predict", "m.json", "missing\x1b[2J\nfile.csv"),
        problex("fit", "texts.csv", *LEXICON, "-o", "no\x1b[2J\nfolder/x.json"),
    ]
    for ran in errors:
        one_line_error(ran)
        assert "\x1b" not in ran.stderr
    ran = problex("predict", "m.json", "texts.csv", "--rule", "x\x1b[2J")
    assert (ran.returncode, "\x1b" in ran.stderr) == (2, False)
    ran = problex("predict", "m.json", "texts.csv", "-o", "new\x1b[2J.csv")
    assert ran.stderr.splitlines()[-1] == "wrote 40 rows to new\\x1b[2J.csv"
    assert "\x1b" not in ran.stderr


def test_words_and_labels_are_shown_with_escapes(folder: Path) -> None:
    (folder / "odd.csv").write_text('word,list\ngood,"plus\x1b[31m"\nfine,"plus\x1b[31m"\nbad,minus\npoor,minus\n')
    assert problex("fit", "texts.csv", "-l", "odd.csv", "-o", "odd.json").returncode == 0
    (folder / "ids.csv").write_text('id,text\n"a\x1b[2J\nb",good\n')
    shown = [
        problex("weights", "odd.json").stdout,
        problex("predict", "odd.json", "ids.csv", "--format", "table").stdout,
        problex("explain", "odd.json", "--text", "a good \x1b[2J film\nand more").stdout,
    ]
    assert not any("\x1b" in text for text in shown)
    assert "plus\\x1b[31m" in shown[0]
    assert "a\\x1b[2J\\nb" in shown[1]
    assert "good \\x1b[2J film\nand more" in shown[2]
    assert "a\x1b[2J\nb" in problex("predict", "odd.json", "ids.csv").stdout  # data stay as they are in a pipe
