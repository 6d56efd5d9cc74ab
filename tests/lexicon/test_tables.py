"""Tables as people publish them: small files of our own making with the quirks of well-known lexicons."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest

from problex.errors import LexiconError, LexiconWarning
from problex.lexicon import Dictionary, Lexicon, read_dictionary
from problex.lexicon.files import read_file
from problex.lexicon.formats.lexicon_file import FileOptions, LexiconFile


def read(text: str | bytes, name: str, **options: Any) -> Dictionary:
    """What a file of this name holds, with the check of every reading."""
    data = text if isinstance(text, bytes) else text.encode()
    return read_file(LexiconFile(name, data, options=FileOptions(**options)))


def lists(dictionary: Dictionary) -> dict[str, tuple[str, ...]]:
    return dict(dictionary.lists)


WORDS = ["glad", "calm", "kind", "nice", "warm", "grim", "dull", "vile", "cold", "mean", "rude", "sour"]
TWO_LISTS = {"positive": set(WORDS[:5]), "negative": set(WORDS[5:])}


def each(pattern: str, join: str = "") -> str:
    """A pattern for each word, whose sign and label are those of its list."""
    rows = []
    for at, word in enumerate(WORDS):
        sign, label = ("", "positive") if at < 5 else ("-", "negative")
        rows.append(pattern.replace("WORD", word).replace("SIGN", sign).replace("LABEL", label).replace("AT", str(at)))
    return join.join(rows)


SIGNED = each("WORD\tSIGN2\n")
READ_WITHOUT_HELP = {
    "weight first": (each("SIGN2.5\tWORD\n"), "w.txt"),
    "comma in .txt": (each("WORD,SIGN2\n"), "w.txt"),
    "spaces": (each("WORD   SIGN0.5\n"), "w.txt"),
    "scores": ("Words,Scores,Idf\n" + each("WORD,SIGN1.5,0.AT\n"), "w.csv"),
    "index": (",word,polarity\n" + each("AT,WORD,SIGN1\n"), "w.csv"),
    "row names of R": ("word\tscore\tn\n" + each("AT\tWORD\tSIGN1\t7\n"), "w.tsv"),
    "Japanese": (each("WORD:よみ:動詞:SIGN1\n"), "pn.dic"),
    "unusual header": ("lexicon,label\n" + each("WORD,LABEL\n"), "w.csv"),
    "label in column 4": (each("WORD\tWORD\tNN\tLABEL\t-/-\tD\n"), "g.tsv"),
    "licence": (f"A list of words\nby someone, 1999\n\nFree to use\n\n{SIGNED}", "w.txt"),
    "label and index": ("id\tpos\tcategory\tlemma\n" + each("XXAT\tn\tLABEL\tWORD\n"), "h.tsv"),
    "word to label": ("{" + each('"WORD": ["LABEL"]', ", ") + "}", "w.json"),
    "word to record": ("{" + each('"WORD": {"pos": "a", "polarity": SIGN1}', ", ") + "}", "w.json"),
    "JSON-LD": (
        '{"@context": {"marl": "http://x"}, "entries": ['
        + each('{"@id": "eAT", "entry": "WORD", "marl:hasPolarity": "marl:LABEL"}', ", ")
        + "]}",
        "w.json",
    ),
    "ML-SentiCon": (
        '<?xml version="1.0"?><senticon>' + each('<lemma pos="a" pol="SIGN1" std="0"> WORD </lemma>') + "</senticon>",
        "s.xml",
    ),
    "LMF": (
        "<LexicalResource>"
        + each('<LexicalEntry id="AT"><Lemma writtenForm="WORD"/><Sentiment polarity="LABEL"/></LexicalEntry>')
        + "</LexicalResource>",
        "s.lmf",
    ),
    "Zurich": ("%% a licence\n" + each("WORD LABEL=0.7 adj\n"), "z.lex"),
}


@pytest.mark.parametrize("name", READ_WITHOUT_HELP)
@pytest.mark.filterwarnings("error")
def test_read_without_help(name: str) -> None:
    text, file = READ_WITHOUT_HELP[name]
    assert {key: set(words) for key, words in read(text, file).lists.items()} == TWO_LISTS


def test_the_general_inquirer_repeats_the_name_of_a_category() -> None:
    marks = [("Positiv", "") if at < 5 else ("", "Negativ") for at in range(1, 13)]
    rows = "".join(f"{w.upper()}#1,H4,{a},{b},| note\n" for w, (a, b) in zip(WORDS, marks, strict=True))
    dictionary = read(f"Entry,Source,Positiv,Negativ,Defined\n{rows}", "inq.csv")
    assert lists(dictionary) == {
        "Positiv": tuple(word.upper() for word in WORDS[:4]), "Negativ": tuple(word.upper() for word in WORDS[4:])
    }  # fmt: skip
    assert [issue.kind for issue in dictionary.problems] == ["other columns", "number of a sense"]


def test_each_row_may_be_a_category() -> None:
    text = (
        "help\tmaid\taid\tassist\tcare\nwork\tjob\toffice\tdesk\tboss\tpay\ndance\twaltz\ttango\tjive\tsong\tdj\thip\n"
    )
    assert {name: len(words) for name, words in read(text, "c.tsv").lists.items()} == {"help": 4, "work": 5, "dance": 6}


def test_words_in_one_line() -> None:
    assert lists(read("a, able, about, above, across, after, again", "basic.txt")) == {
        "basic": ("a", "able", "about", "above", "across", "after", "again")
    }


def test_ranks_and_deviations_are_no_categories() -> None:
    rows = "".join(f"{word}\t{at}\t{8 - at / 2}\t0.9\t--\n" for at, word in enumerate(WORDS, start=1))
    message = (
        r"n.txt: happs: all weights are from 2 to 7.5, so there is one list, 'happs': midpoint=... makes two, .* "
        r"First entries: 'glad' in 'happs', weight 7.5; 'calm' in"
    )
    with pytest.warns(LexiconWarning, match=message):
        dictionary = read(f"word\trank\thapps\tstddev\ttwitter_rank\n{rows}", "n.txt")
    assert dictionary.categories == ("happs",)
    split = read(f"word\trank\thapps\tstddev\ttwitter_rank\n{rows}", "n.txt", midpoint=5, neutral=(4, 6))
    assert lists(split) == {"positive": ("glad", "calm", "kind"), "negative": ("cold", "mean", "rude", "sour")}
    assert split.weights["positive", "glad"] == 2.5
    assert sum(issue.kind == "neutral" for issue in split.problems) == 5


def test_ratings_in_several_columns_are_categories_and_doubtful() -> None:
    text = "Word,Valence Mean,Valence SD,Arousal Mean\nglad,7.5,1.1,5\ngrim,2.5,1.2,4\nkind,7,1,3\n"
    with pytest.warns(
        LexiconWarning, match=r"Valence Mean, Arousal Mean: each column of numbers was read as a category"
    ):
        assert read(text, "v.csv").categories == ("Valence Mean", "Arousal Mean")
    assert lists(read(text, "v.csv", weight="Valence Mean", midpoint=5.0)) == {
        "positive": ("glad", "kind"), "negative": ("grim",)
    }  # fmt: skip
    with pytest.raises(
        LexiconError, match=r"midpoint=5 was given, but v.csv has 2 columns of numbers .* weight=\.\.\."
    ):
        read(text, "v.csv", midpoint=5.0)


def test_columns_can_be_named() -> None:
    text = "good,noun,x1,up\nbad,noun,x2,down\n"
    assert lists(read(text, "t.csv", word="1", label="4")) == {"up": ("good",), "down": ("bad",)}
    headed = "id,english,german,side\n1,good,gut,up\n2,bad,schlecht,down\n"
    assert lists(read(headed, "t.csv", word="german", label="side")) == {"up": ("gut",), "down": ("schlecht",)}
    with pytest.raises(
        LexiconError, match=r"label='colour' was given, but t.csv has no such column, expected one of 'id'"
    ):
        read(headed, "t.csv", label="colour")


SPELLINGS = "british,american\n" + "".join(f"{word}ise,{word}ize\n" for word in WORDS)
REFUSED = {
    "spellings": (SPELLINGS, "s.csv", r"s.csv has a text in 2 columns of each row .*spellings or translations"),
    "numbers": ("".join(f"{at}.5\n" for at in range(20)), "n.csv", r"20 of 20 words are numbers, as in '0.5' in 'n'"),
    "rows": (
        "".join(f"{w} = 1; x = 2; y\n" for w in WORDS),
        "r.txt",
        r"12 of 12 entries contain tabs, commas or numbers",
    ),
    "unknown XML": ("<html><body><p>x</p></body></html>", "x.xml", r"x.xml is XML of an unknown kind, expected"),
    "header of LIWC": ("1\tpronoun\n2\tverb\n3\tnoun\n", "h.dic", r"h.dic has 0 lines that are just % and no words"),
    "nothing": ("word,list\n", "e.csv", r"e.csv has no entry that can be read, expected words and their lists"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_lexicon_is_refused(name: str) -> None:
    text, file, message = REFUSED[name]
    with pytest.raises(LexiconError, match=message):
        read(text, file)


WARNED = {
    "sentences": ("this is one of the texts that are no entries\n" * 9, "t.txt", r"9 of 9 entries have more than six"),
    "headerless .dic": ("glad\t1\t2\ngrim\t1\t3\nkind\t2\n", "w.dic", r"3 categories have no name \(1, 2, 3, \.\.\.\)"),
    "two languages": (
        "word_en,word_de,joy,fear\n" + "".join(f"{w},{w}x,1,0\n" for w in WORDS), "t.csv", r"were read from 'word_en'",
    ),
    "regular expressions": (SIGNED.replace("\t", "[a-z]*\t"), "r.txt", r"12 of 12 entries look like regular"),
    "numbers without names": (
        "".join(f"{w}\t{at + 0.5}\t{at - 3.5}\n" for at, w in enumerate(WORDS)), "t.tsv", r"numbers and have no names",
    ),
    "header": ("word\nglad\nkind\n", "w.txt", r"the first entry, 'word', may be the header"),
    "numbers as lists": ("word,class\nglad,a1\n", "ok.csv", None),
}  # fmt: skip


@pytest.mark.parametrize("name", WARNED)
def test_what_may_be_misread_is_a_warning(name: str, recwarn: pytest.WarningsRecorder) -> None:
    import re

    text, file, message = WARNED[name]
    dictionary = read(text, file)
    texts = [str(one.message) for one in recwarn if one.category is LexiconWarning]
    assert dictionary.entries
    assert any(re.search(message, text) and "First entries: " in text for text in texts) if message else not texts


def test_a_title_above_the_header_of_a_sheet(tmp_path: Path) -> None:
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    for row in (
        ["Codebook of the study"],
        [],
        ["word", "category"],
        *([word, "up"] for word in WORDS),
        ["low", "down"],
    ):
        book.active.append(row)
    other = book.create_sheet("more")
    other.append(["only here"])
    file = io.BytesIO()
    book.save(file)
    (tmp_path / "b.xlsx").write_bytes(file.getvalue())
    assert lists(read_dictionary(tmp_path / "b.xlsx", sheet="Sheet")) == {"up": tuple(WORDS), "down": ("low",)}
    assert lists(read_dictionary(tmp_path / "b.xlsx", sheet="2")) == {"b": ("only here",)}
    with pytest.raises(LexiconError, match=r"sheet='third' was given, but b.xlsx has the sheets 'Sheet', 'more'"):
        read_dictionary(tmp_path / "b.xlsx", sheet="third")


def test_yaml_lines_that_cannot_be_read_are_left_out() -> None:
    dictionary = read("up:\n  - glad\n  - %bad\n  - kind\ndown:\n\t- grim\n", "d.yml")
    assert lists(dictionary) == {"up": ("glad", "kind"), "down": ("grim",)}
    assert [(issue.kind, issue.where) for issue in dictionary.problems] == [("bad line", "d.yml:3")]


def test_wildcards_inside_a_word_and_conditions_are_reported() -> None:
    dictionary = read("%\n1\ta\n%\ngre*t\t1\ncolo?r\t1\n(did) like\t1\nlike (a)\t1\n(:\t1\nhapp*\t1\n", "l.dic")
    assert lists(dictionary) == {"a": ("gre*t", "colo?r", "(:", "happ*")}
    inside = (
        "wildcard inside a word, matched as it is written unless you give glob=True: list the words that are meant, "
        "or use * at the end"
    )
    assert [str(issue) for issue in dictionary.problems] == [
        "'(did) like' (l.dic:6): conditional, not supported, left out",
        "'like (a)' (l.dic:7): conditional, not supported, left out",
        f"'gre*t' (l.dic:4): {inside}",
        f"'colo?r' (l.dic:5): {inside}",
    ]


def test_a_label_of_a_few_words_is_a_remark() -> None:
    rows = "".join(f"{word}{at},{'x' if at == 3 else ''},{at - 4.5}\n" for word in WORDS[:3] for at in range(9))
    assert set(read(f"word,label,polarity\n{rows}", "t.csv").categories) == {"positive", "negative"}


def test_a_lexicon_is_loaded_with_options(tmp_path: Path) -> None:
    (tmp_path / "n.csv").write_text("w,happy\nglad,8\nso,5\ngrim,2\n")
    lexicon = Lexicon.load(tmp_path / "n.csv", word="w", weight="happy", midpoint=5)
    assert lexicon.lists == {"negative": ("grim",), "positive": ("glad",)}
    assert lexicon.weights == {"glad": 3.0, "grim": -3.0}
    with pytest.raises(
        LexiconError, match=r"neutral=\(6, 7\) does not contain midpoint=5, expected two numbers around it"
    ):
        Lexicon.load(tmp_path / "n.csv", midpoint=5, neutral=(6, 7))
