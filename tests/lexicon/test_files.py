"""One tiny lexicon in every way that it can be written, all read equal."""

from __future__ import annotations

from pathlib import Path

import pytest

from problex import Lexicon, read_dictionary, read_lexicon
from problex.errors import LexiconError, ProblexError
from problex.lexicon import Dictionary, write_dictionary
from problex.lexicon.formats import READERS

WORDS = {"positive": ["good", "naïve", "well-made"], "negative": ["bad", "rip off"]}
TRUTH = Lexicon(WORDS)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "latin-1", "cp1252", "utf-16"])
@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_plain_lists(tmp_path: Path, encoding: str, newline: str) -> None:
    for name, words in WORDS.items():
        lines = ["; a comment", "# another", "", *words, ""]
        (tmp_path / f"{name}.txt").write_bytes(newline.join(lines).encode(encoding))
    paths = {name: tmp_path / f"{name}.txt" for name in WORDS}
    assert read_lexicon(**paths) == TRUTH


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("both.csv", "word,list\ngood,positive\nnaïve,positive\nwell-made,positive\nbad,negative\nrip off,negative\n"),
        (
            "both.tsv",
            "label\tTerm\npositive\tgood\npositive\tnaïve\npositive\twell-made\nnegative\tbad\nnegative\trip off",
        ),
        ("bare.csv", "good,positive\nnaïve,positive\nwell-made,positive\nbad,negative\nrip off,negative\n"),
        (
            "semi.csv",
            "word;list;note\ngood;positive;\nnaïve;positive;x\nwell-made;positive;\nbad;negative;\nrip off;negative;",
        ),
        (
            "quoted.csv",
            '"word","list"\n"good","positive"\n"naïve","positive"\n"well-made","positive"\n"bad","negative"\n'
            '"rip off","negative"\n',
        ),
    ],
)
def test_tables(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    assert read_lexicon(tmp_path / name) == TRUTH


def test_a_curly_quote_in_windows_1252(tmp_path: Path) -> None:
    (tmp_path / "p.txt").write_bytes("don’t\n".encode("cp1252"))
    (tmp_path / "n.txt").write_text("bad\n")
    assert read_lexicon(positive=tmp_path / "p.txt", negative=tmp_path / "n.txt").lists["positive"] == ("don’t",)


def test_bytes_that_windows_1252_does_not_know(tmp_path: Path) -> None:
    (tmp_path / "p.txt").write_bytes(b"caf\xe9\n\x81x\n")
    with pytest.raises(LexiconError, match=r"the encoding of p.txt is not certain. A line of it is .* in Windows-1252"):
        read_lexicon(positive=tmp_path / "p.txt", negative=tmp_path / "p.txt")


def test_several_files_make_one_list(tmp_path: Path) -> None:
    for name in ("one", "two", "other"):
        (tmp_path / name).write_text(name)
    lexicon = read_lexicon(a=[tmp_path / "one", tmp_path / "two"], b=tmp_path / "other")
    assert lexicon.lists == {"a": ("one", "two"), "b": ("other",)}


def test_problems_name_file_and_line(tmp_path: Path) -> None:
    (tmp_path / "p.txt").write_text("good\nfine \nGood\n")
    (tmp_path / "n.txt").write_text("bad\n")
    problems = read_lexicon(positive=tmp_path / "p.txt", negative=tmp_path / "n.txt").problems
    assert [(issue.kind, issue.where) for issue in problems] == [("blanks", "p.txt:2"), ("repeated", "p.txt:3")]


def test_errors(tmp_path: Path) -> None:
    (tmp_path / "empty.txt").write_text("; nothing\n")
    (tmp_path / "x.csv").write_text("colour,size,shape\nred,1,round\n")
    (tmp_path / "short.csv").write_text("word,list\ngood,positive\nbad\n")
    (tmp_path / "nolist.csv").write_text("word,list\ngood,\n")
    (tmp_path / "w.zip").write_text("")
    with pytest.raises(LexiconError, match="there is no lexicon file"):
        read_lexicon(positive=tmp_path / "none.txt", negative=tmp_path / "empty.txt")
    with pytest.raises(LexiconError, match=r"empty.txt' has no entry for list 'positive'"):
        read_lexicon(positive=tmp_path / "empty.txt", negative=tmp_path / "empty.txt")
    with pytest.raises(
        LexiconError, match=r"x.csv has the columns 'colour', 'size', 'shape': expected one for the word"
    ):
        read_lexicon(tmp_path / "x.csv")
    issues = [str(issue) for issue in read_dictionary(tmp_path / "short.csv").problems]
    assert issues == ["'bad' (short.csv:3): bad line, left out: it has 1 cell, expected a word and its list"]
    with pytest.raises(
        LexiconError, match=r"nolist.csv has no entry that can be read, .* no category, left out: it has no"
    ):
        read_lexicon(tmp_path / "nolist.csv")
    with pytest.raises(LexiconError, match=r"format '.zip' are not known, expected one of .xlsx"):
        read_lexicon(tmp_path / "w.zip")
    with pytest.raises(LexiconError, match="is a folder"):
        read_lexicon(positive=tmp_path, negative=tmp_path)
    with pytest.raises(LexiconError, match="either one file with all lists"):
        read_lexicon()
    with pytest.raises(LexiconError, match="either one file with all lists"):
        read_lexicon("a.csv", positive="b.txt")


def test_the_published_lexicons(data: Path) -> None:
    from problex.paper.datasets import isol_lexicon, liu_lexicon

    liu, isol = liu_lexicon(data), isol_lexicon(data)
    assert {"good", "enjoyable"} <= set(liu.lists["positive"])
    assert sum(issue.kind == "in two lists" for issue in liu.problems) == 3
    assert sum(issue.kind == "in two lists" for issue in isol.problems) == 2
    assert sum(issue.kind == "blanks" for issue in isol.problems) >= 4


def test_a_file_is_what_it_holds_and_not_what_it_is_called(tmp_path: Path) -> None:
    (tmp_path / "d.cat").write_text('<dictionary><cnode name="a"><pnode name="good"/></cnode></dictionary>')
    dictionary = read_dictionary(tmp_path / "d.cat")
    assert dictionary.lists == {"a": ("good",)}
    assert [str(issue) for issue in dictionary.problems] == [
        "'d.cat' (whole file): other format, read as ykd, which is the format of its content"
    ]
    (tmp_path / "d.txt").write_text("%\n1\ta\n%\ngood\t1\n")
    assert read_dictionary(tmp_path / "d.txt").lists == {"a": ("good",)}
    plain = read_dictionary(tmp_path / "d.txt", format="plain")
    assert plain.lists == {"d": ("%", "1\ta", "good\t1")}
    with pytest.raises(ProblexError, match=f"format='word' was given, expected one of {', '.join(READERS)}$"):
        read_dictionary(tmp_path / "d.txt", format="word")


def test_one_list_per_file_in_any_format(tmp_path: Path) -> None:
    (tmp_path / "p.dic").write_text("%\n1\tposemo\n%\ngood\t1\n")
    (tmp_path / "n.tsv").write_text("bad\t-2\npoor\t-1\n")
    lexicon = read_lexicon(positive=tmp_path / "p.dic", negative=tmp_path / "n.tsv")
    assert lexicon.lists == {"negative": ("bad", "poor"), "positive": ("good",)}
    assert lexicon.weights == {"bad": -2.0, "poor": -1.0}
    (tmp_path / "both.dic").write_text("%\n1\tposemo\n2\tnegemo\n%\ngood\t1\nbad\t2\n")
    message = r"both.dic was given as list 'positive', but has 2 categories \(posemo, negemo\), expected one: choose"
    with pytest.raises(LexiconError, match=message):
        read_lexicon(positive=tmp_path / "both.dic", negative=tmp_path / "n.tsv")


def test_what_readers_report_stands_in_the_lexicon(tmp_path: Path) -> None:
    (tmp_path / "l.dic").write_text("%\n1\ta\n2\tb\n%\ngood\t1\nBad\t2\nkind\t<of>1/2\n")
    problems = read_lexicon(tmp_path / "l.dic").problems
    assert [(issue.kind, issue.where) for issue in problems] == [
        ("conditional", "l.dic:7"),
        ("upper case", "l.dic:6"),
    ]


@pytest.mark.parametrize("format", ["csv", "tsv", "csv-wide"])
def test_words_that_a_spreadsheet_would_compute_are_harmless_and_read_as_they_were(tmp_path: Path, format: str) -> None:
    lexicon = Lexicon({"up": ["=1+1", "@sum", "good", "'=x"], "down": ["-ish", "bad"]})
    path = tmp_path / f"words.{format[:3]}"
    write_dictionary(Dictionary.of(lexicon), path, format=format)
    first = {line.split("," if format != "tsv" else "\t")[0] for line in path.read_text().splitlines()[1:]}
    assert first == {"'=1+1", "'@sum", "good", "''=x", "'-ish", "bad"}
    assert read_lexicon(path) == lexicon
