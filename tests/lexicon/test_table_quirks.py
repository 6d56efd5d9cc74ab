"""Quirks of published dictionaries that are lists or tables. All files are made up here."""

from __future__ import annotations

import pytest

from problex.errors import LexiconError
from problex.lexicon.dictionary import Dictionary
from problex.lexicon.formats import WRITERS
from problex.lexicon.lexicon import Entry
from tests.lexicon.test_formats import kinds, lists, read


def test_plain_lists_report_comments_that_may_be_entries() -> None:
    dictionary = read("; a remark\n;;;;;;;\n;\n#\n#metoo\n:)\n;-)\n;)\ngood ; better\n# also this\n", "p.txt")
    assert dictionary.lists == {"p": (":)", ";-)", ";)", "good ; better")}
    assert kinds(dictionary) == [("doubtful comment", "#metoo", "p.txt:5")]


def test_tables_keep_rows_that_begin_like_a_comment() -> None:
    dictionary = read("# made by hand\nword,list\n#metoo,a\n;),a\nbad,b\n#maybe\n", "t.csv")
    assert lists(dictionary) == {"a": {"#metoo", ";)"}, "b": {"bad"}}
    assert kinds(dictionary) == [("doubtful comment", "#maybe", "t.csv:6")]


def test_a_comma_too_many_is_an_issue_that_names_the_line() -> None:
    dictionary = read("word,list\ngood,a\nbad,b\nso, so,b\n", "t.csv")
    assert lists(dictionary) == {"a": {"good"}, "b": {"bad"}}
    assert str(dictionary.problems[0]) == (
        "'so, so,b' (t.csv:4): bad line, left out: it has 3 cells, expected 2 as in the header: put an entry with a "
        "comma in quotes"
    )
    with pytest.raises(
        LexiconError, match=r"t.csv:2 and 1 other row of 2 cannot be read .*: name the columns with word="
    ):
        read("word,list\nso, so,b\nwell, well,a\n", "t.csv")
    assert lists(read("word,list,\ngood,a,\nbad,b,,\n", "t.csv")) == {"a": {"good"}, "b": {"bad"}}
    assert kinds(read("word,list,\ngood,a,x\nbad,b\n", "t.csv")) == [("other columns", "column 3", "t.csv")]


def test_lists_side_by_side_under_other_names_are_read_with_a_remark() -> None:
    dictionary = read("joy,fear\nglad,scared\nhappy,afraid\n", "t.csv")
    assert lists(dictionary) == {"joy": {"glad", "happy"}, "fear": {"scared", "afraid"}}
    assert kinds(dictionary) == [("doubtful header", "joy, fear", "t.csv:1")]


def test_weights_of_nought_and_one_stay_weights_where_they_are_called_so() -> None:
    dictionary = read("word,list,weight\ngood,a,1\nmeh,a,0\n", "t.csv")
    assert dictionary.weights == {("a", "good"): 1.0, ("a", "meh"): 0.0}


def test_tab_lists_keep_lone_quotes() -> None:
    dictionary = read('"-:\t-1.5\t0.8\t[-1, -2]\n:"(\t-2\t0.1\t[1]\ngood\t1.9\t0.9\t[2]\n', "v.txt")
    assert lists(dictionary) == {"negative": {'"-:', ':"('}, "positive": {"good"}}
    assert kinds(dictionary) == [("other columns", "column 3, column 4", "v.txt")]


def test_weights_by_any_name_and_with_a_decimal_comma() -> None:
    dictionary = read("Wort;Wert\ngut;0,5\nschlecht;-1,25\nso;0\nna;x\n", "s.csv")
    assert dictionary.weights == {("positive", "gut"): 0.5, ("negative", "schlecht"): -1.25}
    assert [kind for kind, *_ in kinds(dictionary)] == ["weight 0", "not a number", "no category"]
    assert read("gut;0,5\nschlecht;-1,25\n", "s.csv").weights == dictionary.weights
    assert lists(read("word,sentiment\ngood,1\nbad,-1\n", "s.csv")) == {"positive": {"good"}, "negative": {"bad"}}


def test_sentiws_has_inflected_forms() -> None:
    text = "Abbau|NN\t-0.058\tAbbaus,Abbaues\nFreude|NN\t0.6502\t\ngut|ADJX\t0.3716\tgute,guten\nso|ADV\t0\t\n"
    dictionary = read(text, "SentiWS_v1.8c.txt")
    assert lists(dictionary) == {
        "negative": {"Abbau", "Abbaus", "Abbaues"},
        "positive": {"Freude", "gut", "gute", "guten"},
    }
    assert dictionary.weights["positive", "guten"] == 0.3716
    assert [kind for kind, *_ in kinds(dictionary)] == ["weight 0", "part of speech"]
    bad = read("gut|ADJX\t1\ngut 1\n", "s.txt", "sentiws").problems[0]
    assert str(bad) == "'gut 1' (s.txt:2): bad line, left out: expected Word|POS<TAB>weight<TAB>forms"


def test_nrc_flags_and_intensities() -> None:
    dictionary = read(
        "aback\tanger\t0\naback\tfear\t0\nabandon\tanger\t0\nabandon\tfear\t1\nabate\tanger\t1\n", "n.txt"
    )
    assert lists(dictionary) == {"fear": {"abandon"}, "anger": {"abate"}}
    assert kinds(dictionary) == [("in no category", "aback", "n.txt")]
    assert not dictionary.weights
    intense = read("outraged\tanger\t0.964\nhappy\tjoy\t0.788\n", "n.txt")
    assert intense.weights == {("anger", "outraged"): 0.964, ("joy", "happy"): 0.788}
    headed = read("English Word,Emotion,Emotion-Intensity-Score\nhappy,joy,0.788\nsad,sadness,0.8\n", "n.csv")
    assert lists(headed) == {"joy": {"happy"}, "sadness": {"sad"}}


def test_loughran_mcdonald_years() -> None:
    text = "Word,Seq_num,Word Count,Negative,Positive,Strong_Modal,Syllables,LexiconFile\n" + (
        "AARDVARK,1,354,0,0,0,2,12of12inf\nABANDON,2,9,2009,0,0,3,12of12inf\nALWAYS,3,5,0,0,2009,2,12of12inf\n"
        "ABLE,4,7,0,2009,0,2,12of12inf\nLOST,5,7,-2020,0,0,2,12of12inf\n"
    )
    dictionary = read(text, "lm.csv")
    assert lists(dictionary) == {"Negative": {"ABANDON"}, "Positive": {"ABLE"}, "Strong_Modal": {"ALWAYS"}}
    assert kinds(dictionary) == [
        ("other columns", "Seq_num, Word Count, Syllables, LexiconFile", "lm.csv"),
        ("removed", "LOST", "lm.csv:6"),
        ("in no category", "AARDVARK", "lm.csv"),
    ]
    assert "removed from 'Negative' in 2020" in str(dictionary.problems[1])


def test_tables_that_are_one_list_by_name() -> None:
    named = read("word,frequency\ngood,3\nfine,4\n", "t.csv", list_name="up")
    assert lists(named) == {"up": {"good", "fine"}}
    assert kinds(named) == [("other columns", "frequency", "t.csv")]
    bare = read("good,adj\nfine,adv\n", "t.csv", list_name="up")
    assert lists(bare) == {"up": {"good", "fine"}}
    assert kinds(bare) == [("other columns", "column 2", "t.csv")]
    assert lists(read("word\ngood\nfine\n", "only.csv")) == {"only": {"good", "fine"}}


def test_rows_without_a_word_are_reported_and_tables_without_rows_refused() -> None:
    dictionary = read("word,list\ngood,a\n,b\n", "t.csv")
    assert kinds(dictionary) == [("blank", "", "t.csv:3")]
    with pytest.raises(LexiconError, match=r"t.csv has no rows, expected a word and the name of its list in each"):
        read("# nothing\n", "t.csv")
    with pytest.raises(LexiconError, match=r"t.csv:\d+ cannot be read as a table: field larger than field limit"):
        read('word,list\n"' + "x" * 200_000 + '",a\n', "t.csv")


def test_a_weight_of_nought_is_a_mark_in_a_wide_table() -> None:
    written = WRITERS["dicx"](Dictionary((Entry("meh", "x", "f:1", 0.0), Entry("good", "x", "f:2", 2.0))))
    assert written.data.decode() == "DicTerm,x\nmeh,X\ngood,2\n"
    assert [issue.kind for issue in written.issues] == ["weight not kept"]
    named = WRITERS["csv-wide"](Dictionary((Entry("good", "score", ""),)))
    assert named.data.decode() == "DicTerm,score\ngood,X\n"
