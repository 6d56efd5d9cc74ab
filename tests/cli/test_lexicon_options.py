"""The options of commands that take a lexicon."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from problex.cli.application import app
from problex.errors import ProblexError
from problex.estimation import load_model

DIC = "%\n1\taffect\n\t2\tposemo\n\t3\tnegemo\n%\ngood\t1\t2\nglad\t2\nbad\t1\t3\ngrim\t3\nodd\t2\t3\n"
TEXTS = "text\n" + "good glad day\nbad grim day\nglad and good\ngrim and bad\n" * 30


@pytest.fixture
def files(tmp_path: Path) -> Path:
    (tmp_path / "d.dic").write_text(DIC)
    (tmp_path / "t.csv").write_text(TEXTS)
    (tmp_path / "n.csv").write_text("w,rank,happy\ngood,1,8\nglad,2,7.5\nso,3,5\nbad,4,2\ngrim,5,1.5\n")
    return tmp_path


def run(*arguments: object) -> str:
    result = CliRunner().invoke(app, [str(argument) for argument in arguments])
    assert result.exit_code == 0, result.output
    return result.output


def test_opposed_categories_make_a_model(files: Path) -> None:
    run(
        "fit", files / "t.csv", "-l", files / "d.dic", "-o", files / "m.json",
        "--oppose", "positive=posemo", "negative=negemo", "--shared", "first",
    )  # fmt: skip
    assert load_model(files / "m.json").lexicon.lists == {
        "negative": ("bad", "grim"), "positive": ("glad", "good", "odd")
    }  # fmt: skip


@pytest.mark.parametrize("command", ["fit", "doctor", "classify"])
def test_every_command_makes_two_lists_of_ratings(command: str) -> None:
    shown = run(command, "--help")
    for option in ("--list", "--oppose", "--shared", "--word", "--label", "--weight", "--midpoint", "--neutral"):
        assert option in shown


def test_ratings_become_two_lists(files: Path) -> None:
    shown = run(
        "categories", files / "n.csv", "--word", "w", "--weight", "happy", "--midpoint", "5", "--neutral",
        "4:6", "-f", "csv",
    )  # fmt: skip
    assert "positive,2" in shown
    assert "negative,2" in shown


def test_wrong_choices(files: Path) -> None:
    wrong = {
        ("--oppose", "posemo", "negemo"): "expected two lists such as positive=posemo negative=negemo",
        ("--oppose", "a=posemo", "b=affect", "--shared", "drop"): "contains",
        (
            "--list",
            "a=posemo",
            "--oppose",
            "a=posemo",
            "b=negemo",
        ): "--list was given with --oppose: both choose the lists. Leave one of the two out",
        ("--neutral", "4-6"): "--neutral 4-6 was given, expected two numbers such as 4:6",
    }
    for options, message in wrong.items():
        result = CliRunner().invoke(app, ["convert", str(files / "d.dic"), str(files / "o.csv"), *options])
        assert result.exit_code
        assert message in result.output + str(result.exception)


def test_glob_patterns_are_matched_if_asked_for(files: Path) -> None:
    (files / "g.csv").write_text("word,list\ngl?d,up\ng*d,up\nb?d,down\ngr*m,down\n")
    texts, lexicon, model, table = files / "t.csv", files / "g.csv", files / "m.json", files / "p.csv"
    run("fit", texts, "-l", lexicon, "-o", model, "--glob")
    loaded = load_model(model)
    assert loaded.tokenizer.glob
    assert loaded.evidence.entries == ("bad", "grim", "glad", "good")
    (files / "new.csv").write_text("text\na gold bed\n")  # words that only the patterns know
    run("predict", model, files / "new.csv", "-o", table)
    assert ",2" in table.read_text().splitlines()[1]
    assert "no fault" in run("doctor", texts, "-l", lexicon, "--glob")
    run("classify", texts, "-l", lexicon, "-o", files / "c.csv", "--no-report", "--glob")
    assert load_model(files / "c.model.json") == loaded
    with pytest.raises(ProblexError, match="no entry of list 'down'"):  # entries are as they are written
        CliRunner().invoke(
            app, ["fit", str(texts), "-l", str(lexicon), "-o", str(files / "n.json")], catch_exceptions=False
        )


def test_the_encoding_of_the_lexicon_is_not_that_of_the_texts(files: Path) -> None:
    (files / "k.tsv").write_bytes("word\tlist\nда\tup\nнет\tdown\n".encode("koi8-r"))
    (files / "k.csv").write_text("text\nда да\nнет\nда нет\nда\n")
    run(
        "fit", files / "k.csv", "-l", files / "k.tsv", "-o", files / "k.json", "--text", "text",
        "--lexicon-encoding", "koi8-r",
    )  # fmt: skip
    assert load_model(files / "k.json").lexicon.lists == {"down": ("нет",), "up": ("да",)}


def test_the_weights_of_the_lexicon_are_used_if_asked_for(files: Path) -> None:
    (files / "w.csv").write_text("word,weight\ngood,1\nglad,3\nbad,-2\ngrim,-1\n")
    texts, lexicon, model = files / "t.csv", files / "w.csv", files / "m.json"
    run("fit", texts, "-l", lexicon, "-o", model, "--shrink-to", "given")
    loaded = load_model(model)
    assert loaded.settings.shrink_to == "given"
    assert dict(loaded.lexicon.weights) == {"bad": -2.0, "glad": 3.0, "good": 1.0, "grim": -1.0}
    shown = run("explain", model, "--rule", "given", "--text", "glad glad bad", "-f", "json")
    assert [(part["entry"], part["weight"]) for part in json.loads(shown)["contributions"]] == [("glad", 3), ("bad", 2)]
    for options, message in (
        (
            ["--shrink-to", "zero"],
            "--shrink-to zero also needs --shrinkage NUMBER, which sets how",
        ),
        (["--shrink-to", "given", "--shrinkage", "9"], 'shrinkage=9.0 cannot be used with shrink_to="given"'),
    ):
        with pytest.raises(ProblexError, match=message):
            CliRunner().invoke(
                app, ["fit", str(texts), "-l", str(lexicon), "-o", str(files / "x.json"), *options],
                catch_exceptions=False,
            )  # fmt: skip
