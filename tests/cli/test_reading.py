"""Options of reading in commands, and messages in their spelling."""

from __future__ import annotations

from pathlib import Path

import pytest

from problex.errors import ProblexError
from tests.cli.runs import LEXICON, problex, run

ROWS = [("ein good film, für mich", 1), ("ein bad film – schade", 2)] * 20


def write(name: str, encoding: str, delimiter: str) -> None:
    lines = [f"id{delimiter}text", *(f"{number}{delimiter}{text}" for text, number in ROWS)]
    Path(name).write_bytes("\n".join(lines).encode(encoding))


@pytest.mark.parametrize(("encoding", "label"), [("cp1252", "Windows-1252"), ("utf-16", "UTF-16")])
def test_an_ordinary_export_needs_no_option(encoding: str, label: str, folder: Path, model: Path) -> None:
    write("x.csv", encoding, ";")
    ran = problex("predict", "m.json", "x.csv", "-o", "p.csv")
    assert (
        f"problex: note: x.csv: read as semicolon-separated, {label}, header in line 1 (give --delimiter, --encoding "
        "or --no-header if that is wrong)" in ran.stderr
    )
    assert ran.stderr.count("read as") == 1
    assert "wrote 40 rows to p.csv\n" in ran.stderr


def test_what_is_given_is_not_said(folder: Path, model: Path) -> None:
    write("x.csv", "cp1252", ";")
    options = ("--delimiter", "semicolon", "--encoding", "cp1252", "--header", "--text", "text")
    ran = problex("predict", "m.json", "x.csv", "-o", "p.csv", *options)
    assert ran.stderr.count("note") == 0


def test_the_wrong_delimiter_trains_on_nothing(folder: Path, model: Path) -> None:
    write("x.csv", "utf-8", ";")
    with pytest.raises(ProblexError, match=r"has one column as comma-separated, as given, but it looks semicolon-"):
        run("fit", "x.csv", *LEXICON, "-o", "x.json", "--delimiter", "comma", "--on-error", "skip")
    assert not Path("x.json").exists()


def test_html_is_noticed_once(folder: Path, model: Path) -> None:
    Path("x.csv").write_text("id,text\n" + "1,a good<br />film\n" * 30)
    ran = problex("predict", "m.json", "x.csv", "-o", "p.csv")
    assert ran.stderr.count("(give --markup to replace tags by spaces)") == 1
    assert "HTML" not in problex("predict", "m.json", "x.csv", "-o", "p.csv", "--force", "--markup").stderr
