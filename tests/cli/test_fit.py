"""`problex fit` as a person uses it."""

from __future__ import annotations

import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from problex import load_model
from problex.cli import learning
from problex.counting import streams
from tests.cli.conftest import LARGE, POSITIVE
from tests.cli.runs import LEXICON, problex, run, said
from tests.estimation.test_balances import PULLED, pulled


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


def test_notes_are_one_line_each(folder: Path) -> None:
    (folder / "pos.txt").write_text(POSITIVE + "*\nBad\n")
    ran = problex("fit", "texts.csv", *LEXICON, "-o", "m.json")
    assert ran.returncode == 0
    notes = [line for line in ran.stderr.splitlines() if line.startswith("problex: note: ")]
    assert any("'bad' (pos.txt:5 and neg.txt:1)" in line for line in notes)
    assert any("'*'" in line for line in notes)


def test_words_forgotten_for_memory_are_said(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "dropped" not in said("fit", "texts.csv", *LEXICON, "-o", "x.json")
    monkeypatch.setattr(streams, "vocabulary_memory", lambda memory: 1)
    assert "tokens of rare words dropped to save memory" in said(
        "fit", "texts.csv", *LEXICON, "-o", "x.json", "--force"
    )


def test_a_pattern_several_files_and_a_folder_are_one_corpus(large: Path) -> None:
    (large / "tables").mkdir()
    for name in LARGE:
        (large / "tables" / name).write_bytes((large / name).read_bytes())
    for at, words in enumerate((LARGE, ["large?.parquet"], ["tables"])):
        run("fit", *words, *LEXICON, "-o", f"{at}.json", "--memory", "128MiB")
    assert (large / "0.json").read_bytes() == (large / "1.json").read_bytes() == (large / "2.json").read_bytes()


@pytest.mark.parametrize(
    ("found", "weighted", "sentence"),
    [
        (3, 3, "3 of 4 entries occur, and all of them have a weight"),
        (1, 1, "1 of 4 entries occurs and has a weight"),
        (0, 0, "0 of 4 entries occur"),
        (3, 1, "3 of 4 entries occur; 1 of them has a weight and 2 have none"),
        (3, 2, "3 of 4 entries occur; 2 of them have a weight and 1 has none"),
    ],
)
def test_the_sentence_on_entries_agrees_with_its_numbers(
    monkeypatch: pytest.MonkeyPatch, found: int, weighted: int, sentence: str
) -> None:
    row = SimpleNamespace(entries=4, found=found, weighted=weighted, discordant=0, negated=0)
    monkeypatch.setattr(learning, "entry_counts", lambda model: [row])
    model: Any = None
    assert learning._entry_sentences(model) == [sentence]


def test_shares_are_said_to_be_by_the_model(folder: Path) -> None:
    kinds = ["good fine day", "fine good film", "bad poor film", "poor bad day", "good bad"]
    texts = [f"{kinds[at % 5]} {chr(97 + at % 26)}x{chr(97 + at // 26)}" for at in range(300)]
    Path("many.csv").write_text("text\n" + "\n".join(texts) + "\n")
    ran = problex("fit", "many.csv", *LEXICON, "-o", "m.json")
    assert re.search(
        r"By the model, without labels, about \d+% of the texts are positive \(\d+% by counting", ran.stderr
    )


@pytest.mark.parametrize("command", ["fit", "classify"])
def test_what_depends_on_the_balance_of_the_lists_is_said(command: str, folder: Path) -> None:
    rows = [f"{word},{name}" for name, words in PULLED.lists.items() for word in words]
    Path("five.csv").write_text("word,list\n" + "\n".join(rows) + "\n")
    Path("pulled.csv").write_text("text\n" + "\n".join(pulled()) + "\n")
    out = ["-o", "m.json"] if command == "fit" else ["-o", "out.csv", "--no-report"]
    ran = problex(command, "pulled.csv", "-l", "five.csv", *out)
    sentence = r"\d+\.\d% of the texts are lista, but \d+\.\d% with the balance 'equal' .* 'said' decides"
    assert re.search(sentence, ran.stderr)
    assert "problex fit --balance equal, or label 40 texts (problex audit sample)" in ran.stderr
