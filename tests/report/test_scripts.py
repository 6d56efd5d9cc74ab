"""Scripts that repeat work done by hand: running them gives an equal model."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st

from problex import Lexicon, estimate, load_model, read_lexicon
from problex.errors import EstimationError, ProblexError
from problex.index import WordIndex
from problex.lexicon import Edit
from problex.matching import Negation, Tokenizer
from problex.model import Settings
from problex.report import Script, Work, make_script
from tests.lexicon.test_edits import fitting_edits

LISTS = {"down": ["bad", "dull", "it's"], "up": ["fine", "good", "hero", "a+"]}
TEXTS = [
    "a good hero, fine and well made",
    "a bad and dull film; it's not good",
    "fine odd day, good hero",
    "dull and bad hero",
    "well made, a+ and good",
    "odd, bad, dull: not fine",
] * 6


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("work")
    pd.DataFrame({"id": range(len(TEXTS)), "my text": TEXTS}).to_csv(folder / "the texts.csv", index=False)
    for name, words in LISTS.items():
        (folder / f"{name}.txt").write_text("\n".join(words))
    rows = [f"{word},{name}" for name, words in LISTS.items() for word in words]
    (folder / "both.csv").write_text("\n".join(["word,list", *rows]))
    return folder


def run_python(script: Script, folder: Path) -> None:
    with contextlib.chdir(folder), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        Path("model.json").unlink(missing_ok=True)
        exec(script.python, {})


def run_commands(script: Script, folder: Path) -> None:
    (folder / "model.json").unlink(missing_ok=True)
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    subprocess.run(
        ["bash", "-e"], input=script.commands.encode(), cwd=folder, env={**os.environ, "PATH": path}, check=True
    )


TOKENIZERS = [
    Tokenizer(),
    Tokenizer("en", negation="none"),
    Tokenizer("en", fold_accents=True),
    Tokenizer("any", negation="en"),
    Tokenizer("en", negation=Negation(("not",), ("and",), 2, ("not only",))),
]
SETTINGS: list[dict[str, Any]] = [
    {},
    {"shrinkage": 5.0, "balance": "equal"},
    {"temper": "tokens", "prior": {"down": 0.3, "up": 0.7}},
    {"rule": "pmi"},
    {"shrinkage": 0.0, "solver": "admm", "keep_discordant": True},
]


@pytest.mark.parametrize("negation", [Negation(("not",), ("and",), 2, ("not only",)), Negation(("no",))])
def test_no_part_of_an_own_negation_is_lost(negation: Negation) -> None:
    own = Tokenizer("en", negation=negation)
    python = make_script(Work(["texts.csv"], "words.csv", tokenizer=own)).python
    (line,) = (line for line in python.splitlines() if line.startswith("tokenizer = "))
    made: dict[str, Any] = {"Tokenizer": Tokenizer}
    exec(line, made)
    assert made["tokenizer"] == own


def work_of(data: st.DataObject) -> Work:
    edits, _ = fitting_edits(data, Lexicon(LISTS))
    lexicon: dict[str, Any] = data.draw(
        st.sampled_from(
            [{"lists": LISTS}, {"lexicon": "both.csv"}, {"lexicon_files": {name: [f"{name}.txt"] for name in LISTS}}]
        )
    )
    return Work(
        ["the texts.csv"],
        edits=edits,
        text="my text",
        tokenizer=data.draw(st.sampled_from(TOKENIZERS)),
        settings=Settings(**data.draw(st.sampled_from(SETTINGS))),
        **lexicon,
    )


@settings(max_examples=25)
@given(data=st.data())
def test_the_python_gives_the_model_of_the_remembered_corpus(folder: Path, data: st.DataObject) -> None:
    work, texts = work_of(data), pa.array(TEXTS)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        corpus = WordIndex.of(texts, Lexicon(LISTS), work.tokenizer)
        lexicon = Lexicon(LISTS).edited(work.edits)
        counts = corpus.updated(texts, lexicon).counts(lexicon, associations=work.settings.rule == "pmi")
        try:
            expected = estimate(counts, lexicon, **vars(work.settings))
        except EstimationError:  # after some edits nothing can be learned
            reject()
    run_python(make_script(work), folder)
    assert load_model(folder / "model.json") == expected


HARD = [
    Edit("=1+1", None, "up"),
    Edit("hero", "up", None),
    Edit("END_OF_FILE", None, "down"),
    Edit("l'été", None, "up"),
]


@pytest.mark.parametrize(
    "work",
    [
        Work(["the texts.csv"], lists=LISTS, edits=HARD, text="my text", settings=Settings(balance="equal")),
        Work(["the texts.csv"], "both.csv", edits=HARD, text="my text", settings=Settings(temper="tokens")),
    ],
    ids=["commands", "python in a command"],
)
def test_the_commands_give_the_same_model(folder: Path, work: Work) -> None:
    script = make_script(work)
    assert ("problex fit" in script.commands) == (work.settings.temper == "root")
    run_python(script, folder)
    expected = load_model(folder / "model.json")
    assert "=1+1" in expected.lexicon.lists["up"]
    run_commands(script, folder)
    assert load_model(folder / "model.json") == expected


def test_options_of_reading_are_kept() -> None:
    work = Work(["a.csv"], "b.csv", markup=True, reading={"encoding": "cp1252", "header": False, "on_error": "skip"})
    script = make_script(work, "m.json")
    assert script.commands == (
        "problex fit a.csv --markup --lexicon b.csv --encoding cp1252 --no-header --on-error skip --output m.json\n"
    )
    assert (
        "count(Path('a.csv'), lexicon, tokenizer=tokenizer, markup=True, missing='empty', encoding='cp1252', "
        "header=False, on_error='skip')"
    ) in script.python


def test_names_cannot_add_commands() -> None:
    """A list whose name has a line END_OF_FILE does not end the file in the script, nor do paths leave their quotes."""
    evil = "up\nEND_OF_FILE\ntouch evil\n"
    script = make_script(Work(["-x; touch evil"], "b'.csv", edits=[Edit("a\nEND_OF_FILE\nb", None, evil)]))
    first, *rest = script.commands.splitlines()
    assert first == "cat > edits.csv <<'END_OF_FILE_'"
    assert rest[-2] == "END_OF_FILE_"
    assert rest[-1].startswith("problex fit './-x; touch evil' --lexicon 'b'\"'\"'.csv' --edits edits.csv")
    compile(script.python, "script", "exec")
    assert "\ntouch evil" not in script.python


def test_what_cannot_be_written_is_refused() -> None:
    with pytest.raises(ProblexError, match="0 lexicons were given, expected one: a file"):
        make_script(Work(["a.csv"]))
    with pytest.raises(ProblexError, match=r"the tokenizer .*split is a function, which cannot be written into a scri"):
        make_script(Work(["a.csv"], "b.csv", tokenizer=Tokenizer(custom=str.split)))


def test_the_lists_of_a_file_are_those_of_the_test(folder: Path) -> None:
    assert read_lexicon(folder / "both.csv") == Lexicon(LISTS)


def test_glob_patterns_and_given_weights_are_options() -> None:
    chosen = Settings(shrink_to="given")
    script = make_script(Work(["t.csv"], "vader.txt", tokenizer=Tokenizer(glob=True), settings=chosen))
    assert script.commands == ("problex fit t.csv --lexicon vader.txt --glob --shrink-to given --output model.json\n")
    assert "Tokenizer('en', glob=True)" in script.python
    assert "shrink_to='given'" in script.python
    with pytest.raises(ProblexError, match="need the weights of a lexicon, which lists of words lack"):
        make_script(Work(["t.csv"], lists={"up": ["good"], "down": ["bad"]}, settings=Settings(rule="given")))
