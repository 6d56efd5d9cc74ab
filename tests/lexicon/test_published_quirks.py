"""Quirks of published files: read right, or with a warning that says what to do; each file here is made by hand."""

from __future__ import annotations

import json
import warnings
from pathlib import Path

import pytest

from problex.errors import LexiconError, LexiconWarning
from problex.lexicon import Dictionary, read_dictionary
from problex.lexicon.formats import READERS
from problex.lexicon.formats.lexicon_file import LexiconFile

WORDS = [f"{one}{two}" for one in ("ba", "co", "di", "fe", "gu") for two in ("rol", "nat", "mis", "pek", "lud")]
"""Words of a made-up language, in order."""


SIGN = ("positive", "negative")


def read(folder: Path, text: str, name: str = "f.txt") -> Dictionary:
    (folder / name).write_text(text, encoding="utf-8")
    return read_dictionary(folder / name)


def silent(folder: Path, text: str, name: str = "f.txt") -> dict[str, list[str]]:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return {name: list(words) for name, words in read(folder, text, name).lists.items()}


def test_parts_of_speech_at_the_end_of_words(tmp_path: Path) -> None:
    for mark in ("#n", "_noun", "|NN", " (noun)", "/JJ"):
        assert silent(tmp_path, "\n".join(f"{word}{mark}" for word in WORDS)) == {"f": WORDS}


def test_parts_of_speech_of_one_word_have_the_mean_of_their_weights(tmp_path: Path) -> None:
    rows = [f"{word}#a\t-1" for word in WORDS] + ["barol#n\t0.5", "conat#v\t3"]
    dictionary = read(tmp_path, "\n".join(rows))
    assert dictionary.weights["negative", "barol"] == -0.25
    assert dictionary.weights["positive", "conat"] == 1
    assert [issue.kind for issue in dictionary.problems] == ["part of speech"]
    assert silent(tmp_path, "plan_a\nplan_b\n" + "\n".join(WORDS)) == {"f": ["plan_a", "plan_b", *WORDS]}


def test_several_lists_in_a_cell(tmp_path: Path) -> None:
    text = "lemma\tcategory\nbarol\tanger; fear;\nbanat\tfear;\nbamis\tjoy; anger;\nbapek\tanger;\n"
    assert silent(tmp_path, text, "f.tsv") == {
        "anger": ["barol", "bamis", "bapek"], "fear": ["barol", "banat"], "joy": ["bamis"]
    }  # fmt: skip


@pytest.mark.parametrize("name", [",", ";", "|"])
def test_a_list_may_be_called_like_a_separator(name: str) -> None:
    file = LexiconFile("x.tsv", f"word\tlist\nbarol\t{name}\nbanat\tjoy\n".encode())
    assert [(entry.text, entry.list) for entry in READERS["tsv"](file).entries] == [("barol", name), ("banat", "joy")]


def test_words_with_a_sign(tmp_path: Path) -> None:
    assert silent(tmp_path, "barol +\nbanat -\nfar off -\ncorol +\n") == {
        "positive": ["barol", "corol"], "negative": ["banat", "far off"]
    }  # fmt: skip


def test_a_title_with_the_number_of_words(tmp_path: Path) -> None:
    assert silent(tmp_path, "positive words\t3\nbarol\nbanat\ncorol\n") == {"f": ["barol", "banat", "corol"]}
    with pytest.warns(LexiconWarning, match="2 entries have a tab in it"):
        read(tmp_path, "first\t2\nbarol\nbanat\nsecond\t2\ncorol\nconat\n")


def test_lines_of_the_forms_of_a_word_are_words(tmp_path: Path) -> None:
    """Lists of easy words have the forms of a word in its line, some of which begin with other letters."""
    forms = [f"{word} {word}s" + f" {word}ed" * (at % 2) for at, word in enumerate(WORDS[:9])]
    text = "\n".join(["; easy words", "a", *forms, "go goes went"])
    dictionary = read(tmp_path, text)
    words = [word for line in forms for word in line.split()]
    assert list(dictionary.lists["f"]) == ["a", *words, "go", "goes", "went"]
    assert [str(problem) for problem in dictionary.problems] == [
        "'f' (f.txt:1): forms, lines read as words, not as phrases"
    ]


@pytest.mark.parametrize(
    "phrases",
    [
        [*(f"{word} off" for word in WORDS), "not at all"],
        [*(f"{word} {word}" for word in WORDS), "so so so"],
        [*(f"{word} {other}" for word, other in zip(WORDS, WORDS[5:], strict=False)), "good goodness", "best of all"],
        [f"{word} {word}s" for word in WORDS],  # a table of two columns
        [*WORDS, "able abler ablest", "act acts"],
    ],
)
@pytest.mark.filterwarnings("ignore::problex.errors.LexiconWarning")
def test_phrases_stay_whole(tmp_path: Path, phrases: list[str]) -> None:
    assert list(read(tmp_path, "\n".join(phrases)).lists["f"]) == phrases


def test_truth_as_a_label(tmp_path: Path) -> None:
    rows = [f"{word}\t{'TRUE' if at % 2 else 'FALSE'}" for at, word in enumerate(WORDS)]
    assert silent(tmp_path, "\n".join(rows)) == {"f": WORDS[1::2]}


def test_scores_named_pos_and_neg(tmp_path: Path) -> None:
    text = "term,score_pos,score_neg\nbarol,1,0\nbanat,0,1\nbamis,0,1\nbapek,1,0\n"
    assert silent(tmp_path, text, "f.csv") == {"score_pos": ["barol", "bapek"], "score_neg": ["banat", "bamis"]}


def test_positive_and_negative_beside_emotions(tmp_path: Path) -> None:
    text = "word,is_positive,is_negative,joy,fear\nbarol,1,0,1,0\nbanat,0,1,0,1\nbamis,0,1,0,0\n"
    found = silent(tmp_path, text, "f.csv")
    assert found == {"is_positive": ["barol"], "joy": ["barol"], "is_negative": ["banat", "bamis"], "fear": ["banat"]}


def test_a_column_above_and_below_0_is_the_weight_whatever_its_name(tmp_path: Path) -> None:
    text = "word,no_result\nbarol,1\nbanat,-1\nbamis,-1\nbapek,1\n"
    assert silent(tmp_path, text, "f.csv") == {"positive": ["barol", "bapek"], "negative": ["banat", "bamis"]}
    text = "word,count\nbarol,1\nbanat,-1\nbamis,-1\nbapek,1\n"
    assert silent(tmp_path, text, "f.csv") == {"positive": ["barol", "bapek"], "negative": ["banat", "bamis"]}


def test_a_polarity_beside_marks_of_emotions(tmp_path: Path) -> None:
    rows = [f"{word},{SIGN[at % 2]},{at % 2},{1 - at % 2},0" for at, word in enumerate(WORDS)]
    found = silent(tmp_path, "word,polarity,joy,fear,trust\n" + "\n".join(rows), "f.csv")
    assert found == {"fear": WORDS[::2], "joy": WORDS[1::2], "positive": WORDS[::2], "negative": WORDS[1::2]}


def test_the_weight_of_a_table_without_names_has_fractions(tmp_path: Path) -> None:
    rows = [f"{word},{at + 0.5},{'neg' if at % 2 else 'pos'},{len(word)},n" for at, word in enumerate(WORDS)]
    with pytest.warns(LexiconWarning, match="2 columns of numbers without names: column 2 was read as the weight"):
        dictionary = read(tmp_path, "\n".join(rows))
    assert dictionary.weights["pos", "barol"] == 0.5


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        (
            "f.csv",
            "key,value,kind\n" + "\n".join(f"k{word},{word},{'ab'[at % 2]}" for at, word in enumerate(WORDS)),
            "the words were read from",
        ),
        (
            "f.csv",
            "Palabra,Word,Score\n" + "\n".join(f"{word},{word}x,{at % 3 - 1}" for at, word in enumerate(WORDS)),
            "Word, Palabra: the words were read from 'Word': name another column with word=",
        ),
        (
            "f.csv",
            "term,group,joy,fear,trust\n"
            + "\n".join(f"{word},{'ab'[at % 2]},0.{at},0.5,0.{at}" for at, word in enumerate(WORDS)),
            "joy, fear, trust: left out, as the lists were read from group",
        ),
        (
            "f.csv",
            "lemma,sentiment_x,sentiment_y,legal,added,unsure\n"
            + "\n".join(f"{word},{SIGN[at % 2]},{SIGN[0]},{at % 2},1,{1 - at % 2}" for at, word in enumerate(WORDS))
            + "\nlast,positive,negative,1,1,1\n",
            "sentiment_x, sentiment_y: left out, as the lists were read from",
        ),
        ("f.txt", "\n".join(f"{word} {word}x" for word in WORDS), "25 of 25 entries have 2 words, as columns"),
        (
            "f.txt",
            "\n".join(f"{word} {word}x" + " y" * (at % 3) for at, word in enumerate(sorted(WORDS))),
            "the second words of the entries are in order",
        ),
        ("f.tsv", "".join(f"{word}\t1\n{word}\t2\n{word}x\t-1\n" for word in WORDS), "25 of 50 words have sev"),
        ("f.txt", "a text that is much longer than any entry of a list", "1 of 1 entry has more than six words"),
        ("f.txt", "\n".join(WORDS) + "\nb(?:[)ao])+rol\n", "1 of 26 entries look like regular expressions"),
        ("f.json", '["barol|banat", "bamis", "bapek|balud"]', "2 entries have several words with"),
        ("f.json", '["b[ae]rol", "banat", "bo[uo]mis", "corol"]', "2 of 4 entries look like regular expressions"),
        ("f.txt", "\n".join(rf"\U0001f6{at:02x}" for at in range(20)), "20 of 20 entries look like code"),
        ("f.json", '{"a": [{"w": "barol", "u": "no"}, {"w": "banat", "u": "yes"}], "b": ["x"]}', "each field was read"),
        ("f.yml", "- kind: a\n  word: barol\n- kind: b\n  word: banat\n", "the fields of records were each read"),
        (
            "f.json",
            json.dumps({a + b + c: [a + b, b + c] for a in WORDS for b in WORDS[:5] for c in WORDS[:5]}),
            "there are 625 categories, most of them with few entries",
        ),
    ],
)  # fmt: skip
def test_what_may_be_misread_is_a_warning(tmp_path: Path, name: str, text: str, message: str) -> None:
    with pytest.warns(LexiconWarning, match=message):
        read(tmp_path, text, name)


def test_emoticons_are_no_expressions(tmp_path: Path) -> None:
    faces = [":-\\\\s", "(?:", ":|", "|-:", "(|:", "\\\\o/", "|:-)"]
    assert silent(tmp_path, "\n".join([*faces, *WORDS, *(f"x{word}" for word in WORDS * 5)]))["f"][:7] == faces


def test_spellings_divided_by_a_colon_are_refused(tmp_path: Path) -> None:
    with pytest.raises(LexiconError, match=r"f.txt has a text in 2 columns of each row"):
        read(tmp_path, "\n".join(f"{word}:{word}x" for word in WORDS))


def test_a_sheet_of_notes_is_no_list(tmp_path: Path) -> None:
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    book.active.title = "about"
    book.active.append(["These lists were made by hand; please cite the authors."])
    for name, words in (("up", WORDS[:3]), ("down", WORDS[3:6])):
        sheet = book.create_sheet(name)
        for word in words:
            sheet.append([word])
    book.save(tmp_path / "f.xlsx")
    dictionary = read_dictionary(tmp_path / "f.xlsx")
    assert dictionary.lists == {"up": tuple(WORDS[:3]), "down": tuple(WORDS[3:6])}
    assert [issue.kind for issue in dictionary.problems] == ["notes"]


def test_tables_of_commas_in_a_text_file(tmp_path: Path) -> None:
    rows = [f"{word},{('adj', 'vb')[at % 2]},{at % 3 - 1},{'AM'[at % 2]}" for at, word in enumerate(WORDS)]
    assert silent(tmp_path, "\n".join(rows)) == {"negative": WORDS[::3], "positive": WORDS[2::3]}
    rows = [f"{word}, Noun, {word}, {SIGN[at % 2]}, {('fact', 'opinion')[at % 2]}" for at, word in enumerate(WORDS)]
    text = "! A list of words\n! by hand\n" + "\n".join(rows)
    assert {name: [word.strip() for word in words] for name, words in silent(tmp_path, text).items()} == {
        " positive".strip(): WORDS[::2], "negative": WORDS[1::2]
    }  # fmt: skip


def test_fields_after_a_word(tmp_path: Path) -> None:
    rows = [
        "barol.PoS=N;TG=HUM:N0;POL:N0=1;ANOT=MAN",
        "banat,banar.PoS=V;FLEX=fs;POL:N0=-1;POL:N1=0",
        "bamis.PoS=N;POL:N0=1",
    ]
    assert silent(tmp_path, "\n".join(rows)) == {"positive": ["barol", "bamis"], "negative": ["banat"]}


def test_records_with_a_list_of_labels(tmp_path: Path) -> None:
    records = [
        {"word": word, "tags": [["joy"], ["fear", "joy"], ["fear"]][at % 3]} for at, word in enumerate(WORDS[:9])
    ]
    found = silent(tmp_path, json.dumps(records), "f.json")
    assert found == {"joy": [*WORDS[0:2], *WORDS[3:5], *WORDS[6:8]], "fear": [*WORDS[1:3], *WORDS[4:6], *WORDS[7:9]]}


def test_lines_in_two_encodings(tmp_path: Path) -> None:
    rows = [f"été{word}".encode("cp1252") for word in WORDS] + ["cœur".encode(), b"plain"]
    (tmp_path / "f.txt").write_bytes(b"\n".join(rows))
    with pytest.warns(LexiconWarning, match="25 lines are in Latin-1 and 1 in UTF-8"):
        dictionary = read_dictionary(tmp_path / "f.txt")
    assert [entry.text for entry in dictionary.entries] == [*(f"été{word}" for word in WORDS), "cœur", "plain"]


def test_a_tree_without_entries_is_refused(tmp_path: Path) -> None:
    text = "UP\n\tGOOD\n@RULE [#GOOD AFTER #NOT]\n\tFINE (1)\n" + "\n".join(WORDS) + "\n\tA (1)" * 8
    with pytest.raises(LexiconError, match="categories have no entry beside"):
        read(tmp_path, text, "f.cat")
