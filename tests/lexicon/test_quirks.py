"""Quirks of published dictionaries of LIWC, YAML, XML, WordStat, Lexicoder and JSON. All files are made up here."""

from __future__ import annotations

from pathlib import Path

import pytest

from problex import read_dictionary, read_lexicon
from problex.errors import LexiconError, LexiconWarning
from problex.lexicon.dictionary import Dictionary
from problex.lexicon.formats import READERS, WRITERS
from problex.lexicon.formats.lexicon_file import LexiconFile
from problex.lexicon.lexicon import Entry
from tests.lexicon.test_formats import kinds, lists, read


def test_liwc_with_spaces_for_tabs_zeros_and_crlf() -> None:
    text = (
        "%\t\t\r\n01     Care\r\n2\tHarm\r\n%\t\t\r\nsafe*\t\t\t01\r\npeace of mind    1  \r\nkill*    \t02\r\n\r\n"
        "guard* 01 2\r\n"
    )
    dictionary = read(text, "m.dic")
    assert lists(dictionary) == {"Care": {"safe*", "peace of mind", "guard*"}, "Harm": {"kill*", "guard*"}}
    assert not dictionary.problems


def test_liwc_repeated_terms_are_one_entry_in_all_their_categories() -> None:
    dictionary = read("%\n1\ta\n2\tb\n%\nlittle\t1\nlittle\t2\nlittle\t1\n", "m.dic").tidy()
    assert dictionary.lists == {"a": ("little",), "b": ("little",)}
    assert kinds(dictionary) == [("repeated", "little", "m.dic:7")]


def test_liwc_conditions_are_reported_and_the_rest_of_the_line_is_kept() -> None:
    text = "%\n125\taffect\n126\tposemo\n131\tcogmech\n253\ttime\n%\n" + (
        "kind\t<of>131/125\t<of>135/126\nkinda\t131\nlike\t(02 134)125/464\t(02 134)126\t253\nlikeab*\t125\t126\n"
    )
    dictionary = read(text, "m.dic")
    assert lists(dictionary) == {"cogmech": {"kinda"}, "time": {"like"}, "affect": {"likeab*"}, "posemo": {"likeab*"}}
    assert kinds(dictionary) == [
        ("conditional", "kind <of>131/125", "m.dic:7"),
        ("conditional", "kind <of>135/126", "m.dic:7"),
        ("conditional", "like (02 134)125/464", "m.dic:9"),
        ("conditional", "like (02 134)126", "m.dic:9"),
    ]
    assert str(dictionary.problems[0]) == "'kind <of>131/125' (m.dic:7): conditional, not supported, left out"


def test_liwc_conditions_without_tabs() -> None:
    dictionary = read("%\n1\ta\n125\taffect\n%\nlike (02 134)125/464 1\n", "m.dic")
    assert lists(dictionary) == {"a": {"like"}}
    assert [kind for kind, *_ in kinds(dictionary)] == ["conditional", "empty category"]


def test_liwc_trees_of_categories() -> None:
    header = "%\n1\tfunction (Function Words)\n\t2\tpronoun (Pronouns)\n\t\t3\ti (I)\nother\n\t30\taffect\nlost\n%\n"
    text = header + "me\t1\t2\t3\nhe\t2\nsad\t30\n"
    dictionary = read(text, "m.dic")
    root = "function (Function Words)"
    assert lists(dictionary) == {
        root: {"me"},
        f"{root}/pronoun (Pronouns)": {"me", "he"},
        f"{root}/pronoun (Pronouns)/i (I)": {"me"},
        "other/affect": {"sad"},
    }
    assert kinds(dictionary) == [("no number", "lost", "m.dic:7")]
    chosen = dictionary.choose({"people": "pronoun", "mood": "affect"})
    assert lists(chosen) == {"people": {"me", "he"}, "mood": {"sad"}}


def test_liwc_words_that_lead_nowhere_are_reported() -> None:
    text = "a remark\n%\n1\tpos\n1\tpos\n2\tneg\n22\tnever\n%\ngood\t1\t7\nbad\nworse\tx\npoor\t2\ncatch 22\t2\n"
    dictionary = read(text, "m.dic", "dic")
    assert lists(dictionary) == {"pos": {"good"}, "neg": {"poor", "catch 22"}}
    assert kinds(dictionary) == [
        ("repeated category", "pos", "m.dic:4"),
        ("not understood", "a remark", "m.dic:1"),
        ("unknown category", "good", "m.dic:8"),
        ("no category", "bad", "m.dic:9"),
        ("unknown category", "worse", "m.dic:10"),
        ("doubtful entry", "catch 22", "m.dic:12"),
        ("empty category", "never", "m.dic"),
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("good\n", r"m.dic has 0 lines that are just % and no words with numbers, expected the numbered categories"),
        ("%\n1\tpos\ngood\t1\n", r"m.dic has 1 lines that are just %"),
        ("%\n%\ngood\t1\n", r"m.dic:1: no category between the two %, expected lines such as 1<TAB>name"),
        ("%\n1\ta\n01\tb\n%\n", r"m.dic:3 gives number 1 to 'b', but it is 'a' already: expected one number"),
        ("%\n1\n%\n", r"m.dic:2 has a category '1' without a name"),
    ],
)
def test_liwc_files_that_cannot_be_read(text: str, message: str) -> None:
    with pytest.raises(LexiconError, match=message):
        read(text, "m.dic", "dic")


def test_dicx_with_marks_ones_and_weights() -> None:
    assert lists(read("DicTerm,a,b\r\ngood,X,\r\nfine,x,X\r\n", "m.dicx")) == {"a": {"good", "fine"}, "b": {"fine"}}
    assert lists(read('"DicTerm","a","b"\n"so, so",1,0\nbad,,1\n', "m.dicx")) == {"a": {"so, so"}, "b": {"bad"}}
    dictionary = read("DicTerm,Valence,b\ngood,1.5,\nbad,-0.5,X\nmeh,0,?\n", "m.dicx")
    assert lists(dictionary) == {"Valence": {"good", "bad"}, "b": {"bad"}}
    assert dictionary.weights == {("Valence", "good"): 1.5, ("Valence", "bad"): -0.5}
    assert [str(issue) for issue in dictionary.problems] == [
        "'meh' (m.dicx:4): not a mark, '?' under 'b' is left out: X, 1, a weight or nothing was expected",
        "'meh' (m.dicx): in no category, left out, as the file says",
    ]


def test_yaml_words_that_yaml_takes_for_something_else() -> None:
    text = "no:\n  on: [yes, no, 'null', ~, 1.0, 2001-01-01, y]\n  '': [off, 0x1F]\nscalar: alone\nempty:\n"
    dictionary = read(text, "q.yml")
    assert lists(dictionary) == {
        "no/on": {"yes", "no", "null", "~", "1.0", "2001-01-01", "y"},
        "no": {"off", "0x1F"},
        "scalar": {"alone"},
    }
    assert kinds(dictionary)[0][0::2] == ("blank", "q.yml:5")


def test_yaml_mixes_entries_and_categories() -> None:
    assert lists(read("a:\n  - x\n  - b: [y]\n  - c:\n      - z\n", "q.yml")) == {
        "a": {"x"},
        "a/b": {"y"},
        "a/c": {"z"},
    }


def test_yaml_comments_that_may_be_entries_are_reported() -> None:
    dictionary = read("# a remark\na:\n  - good # fine\n  - #metoo\n  - '#blm'\nb: [bad]\n", "q.yml")
    assert lists(dictionary) == {"a": {"good", "#blm"}, "b": {"bad"}}
    assert kinds(dictionary) == [("blank", "a", "q.yml:4"), ("doubtful comment", "#metoo", "q.yml:4")]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "a: [*less, x]\n",
            r"q.yml:1 is not YAML: the alias \*less was found; put an entry such as \*less in quotes",
        ),
        ("a: &x [lol]\nb: [*x, *x]\n", r"q.yml:2 is not YAML: the alias \*x was found"),
        ("a: [good\nb: [bad]\n", r"q.yml:2 is not YAML"),
        ("just words\n", r"q.yml contains no categories, expected lines such as `positive: \[good, fine\]`"),
        ("? [a, b]\n: [c]\n", r"q.yml:1 has a list or mapping where the name of a category was expected"),
        ("[" * 5000 + "]" * 5000, r"q.yml:1 is not YAML: it is nested too deeply"),
    ],
)
def test_yaml_that_cannot_be_read(text: str, message: str) -> None:
    with pytest.raises(LexiconError, match=message):
        read(text, "q.yml", "yaml")


def test_yaml_runs_nothing() -> None:
    dictionary = read("a: !!python/object/apply:os.system ['echo no']\nb: [bad]\n", "q.yml", "yaml")
    assert lists(dictionary) == {"a": {"echo no"}, "b": {"bad"}}


def test_wordstat_trees_rules_and_weights() -> None:
    text = (
        "CULTURE\r\n\tHIGH\r\n\t\tART (1)\r\n\t\tGALLER* (1)\r\n\tPEOPLE (1)\r\n\tCIVIL_WAR (1)\r\n"
        "ECONOMY\r\n\t+STATE+\r\n\t\tNEAR* (1)\r\n\t\t@SATISFACTION [SATISFIED NEAR #PROFESSOR /S 5] (1)\r\n"
        "\t\tGOOD NOT AFTER #NEGATION (1)\r\n\t-STATE-\r\n"
    )
    dictionary = read(text, "w.cat")
    assert lists(dictionary) == {
        "CULTURE/HIGH": {"ART", "GALLER*"},
        "CULTURE": {"PEOPLE", "CIVIL_WAR"},
        "ECONOMY/+STATE+": {"NEAR*"},
    }
    assert [(kind, where) for kind, _, where in kinds(dictionary)] == [
        ("rule", "w.cat:10"), ("rule", "w.cat:11"), ("empty category", "w.cat:12")
    ]  # fmt: skip
    assert "not supported, left out" in str(dictionary.problems[0])
    assert not dictionary.weights
    weighted = read("A\n    GOOD (2)\n    FINE (0.5)\nB\n    BAD (-1)\n", "w.cat")
    assert weighted.weights == {("A", "GOOD"): 2.0, ("A", "FINE"): 0.5, ("B", "BAD"): -1.0}


def test_wordstat_without_any_weight_is_a_tree_of_words() -> None:
    assert lists(read("A\n\tgood\n\tB\n\t\tfine\n", "w.cat")) == {"A": {"good"}, "A/B": {"fine"}}


LSD = "+negative#AA0000\nbad\nabus*\n+positive#00AA00\ngood\nable\n"


def test_negated_forms_of_lexicoder_count_for_the_other_list(tmp_path: Path) -> None:
    """As LSD2015 has them: `not good` is negative, and `no abus*` is positive."""
    path = tmp_path / "lsd.lc3"
    path.write_text(LSD + "+neg_positive\nnot good\nbest not\n+neg_negative\nno abus*\n")
    assert read_dictionary(path).categories == ("negative", "positive", "neg_positive", "neg_negative")
    message = "entries of 'neg_positive' count for 'negative' and 'neg_negative' count for 'positive', as negated forms"
    with pytest.warns(LexiconWarning, match=message):
        lexicon = read_lexicon(path)
    assert lexicon.lists == {
        "negative": ("abus*", "bad", "best not", "not good"),
        "positive": ("able", "good", "no abus*"),
    }
    chosen = read_dictionary(path).choose({"down": "negative", "up": "positive"}).lexicon()
    assert chosen.lists == {"down": ("abus*", "bad"), "up": ("able", "good")}


@pytest.mark.parametrize("more", ["+neg_other\nx\n", "+other\nx\n+neg_positive\ny\n"])
def test_other_lists_stay_as_they_are(tmp_path: Path, more: str) -> None:
    path = tmp_path / "lsd.lc3"
    path.write_text(LSD + more)
    assert set(read_lexicon(path).lists) == set(read_dictionary(path).categories)


def test_lexicoder_colours_and_blanks() -> None:
    dictionary = read("+Neg#AA0000\n a lie \nheckl**\n+none\n+Pos\ngood\n", "l.lc3")
    assert lists(dictionary) == {"Neg": {"a lie", "heckl**"}, "Pos": {"good"}}
    assert kinds(dictionary) == [("empty category", "none", "l.lc3")]
    issues = read("good\n+a\nfine\n", "l.lc3").problems
    assert str(issues[0]) == "'good' (l.lc3:1): bad line, left out: expected +CATEGORY before the first entry"
    with pytest.raises(LexiconError, match=r"l.lc3:1 is '\+', expected the name of a category"):
        read("+\ngood\n", "l.lc3")


def test_yoshikoder_nests_scores_and_titles() -> None:
    text = """<?xml version="1.0"?>
<dictionary style="050805" patternengine="substring"><cnode name="Laws"><cnode name="Economy" score="2">
<cnode name="+State+"><pnode name="tax*" score="1.5"/></cnode><pnode name="money"/></cnode>
<cnode name="Empty"></cnode><note/></cnode></dictionary>"""
    dictionary = read(text, "y.ykd")
    assert lists(dictionary) == {"Economy/+State+": {"tax*"}, "Economy": {"money"}}
    assert dictionary.weights == {("Economy/+State+", "tax*"): 1.5}
    assert kinds(dictionary) == [
        ("category weight", "Economy", "y.ykd:2"),
        ("empty category", "Empty", "y.ykd:4"),
        ("not understood", "<note>", "y.ykd:4"),
        ("title", "Laws", "y.ykd"),
    ]


def test_xml_in_an_old_encoding() -> None:
    declared = '<?xml version="1.0" encoding="ISO-8859-1"?>'
    text = declared + '<dictionary><cnode name="á"><pnode name="naïve"/></cnode></dictionary>'
    assert lists(READERS["ykd"](LexiconFile("y.ykd", text.encode("latin-1")))) == {"á": {"naïve"}}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            '<!DOCTYPE d [<!ENTITY x SYSTEM "file:///etc/passwd">]>\n<dictionary><cnode name="a">&x;</cnode>',
            r"y.ykd:1 declares a document type, which is refused because it can pull in other files",
        ),
        (
            '<dictionary>\n<cnode name="a"><pnode name="x"></cnode></dictionary>',
            r"y.ykd:2 is not XML \(mismatched tag\)",
        ),
        ('<dictionary>\n<pnode name="x"/></dictionary>', r"y.ykd:2 has the pattern 'x' outside of any <cnode>"),
        ("<dictionary>\n<cnode><pnode/></cnode></dictionary>", r"y.ykd:2 has a <cnode> without a name"),
    ],
)
def test_xml_that_is_refused(text: str, message: str) -> None:
    with pytest.raises(LexiconError, match=message):
        read(text, "y.ykd")


def test_json_in_its_shapes() -> None:
    assert read('{"good": 1.9, "bad": -2}', "j.json").weights == {("positive", "good"): 1.9, ("negative", "bad"): -2.0}
    nested = read('{"a": {"b": ["x"], "": ["y"]}, "c": {"z": 0.5, "w": null}, "c": ["again"], "e": []}', "j.json")
    assert lists(nested) == {"a/b": {"x"}, "a": {"y"}, "c": {"z", "w", "again"}}
    assert nested.weights == {("c", "z"): 0.5}
    assert kinds(nested) == [("empty category", "e", "j.json")]
    assert lists(read('{"good": "pos", "fine": "pos", "bad": "neg"}', "j.json")) == {
        "pos": {"good", "fine"},
        "neg": {"bad"},
    }
    assert lists(read('["x", "y"]', "only.json")) == {"only": {"x", "y"}}


def test_json_entries_that_are_no_words_are_reported() -> None:
    issues = [str(issue) for issue in read('{"a": [1, "x", null]}', "j.json").problems]
    assert issues == [
        "'1' (j.json, 'a', entry 1): bad entry, left out: expected a word in quotes",
        "'null' (j.json, 'a', entry 3): bad entry, left out: expected a word in quotes",
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"a": ["x",\n "y"', r"j.json:2 is not valid JSON: .* \(column"),
        ('"x"', r"j.json is a single str, expected an object or a list"),
        ('[{"word": ["x", "y"], "list": "a"}]', r"j.json, record 1 holds a list or object"),
    ],
)
def test_json_that_cannot_be_read(text: str, message: str) -> None:
    with pytest.raises(LexiconError, match=message):
        read(text, "j.json", "json")


def test_damaged_json_is_not_called_yaml() -> None:
    with pytest.raises(LexiconError, match=r"j.json:2 is not valid JSON"):
        read('{"a": ["x",\n "y"', "j.json")


def test_json_that_is_nested_without_end_is_refused() -> None:
    with pytest.raises(LexiconError, match=r"j.json is nested too deeply, expected categories with lists of words"):
        read("[" * 100_000 + "]" * 100_000, "j.json", "json")


@pytest.mark.parametrize(
    ("writer", "why"),
    [("ykd", "XML does not allow these characters"), ("xlsx", "Excel does not allow these characters")],
)
def test_control_characters_do_not_fit_everywhere(writer: str, why: str) -> None:
    dictionary = Dictionary((Entry("a\x01b", "x", "f:1"), Entry("good", "x", "f:2")))
    written = WRITERS[writer](dictionary)
    assert [issue.action for issue in written.issues] == [f"left out: {why}"]
    assert lists(READERS[writer](LexiconFile(f"l.{writer}", written.data))) == {"x": {"good"}}
