"""`lookup`: columns, values, levels, sources of texts and of dictionaries, and bad input."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import problex
from problex import Lexicon
from problex.corpus import batches
from problex.errors import DocumentError, LexiconError, LexiconWarning, ProblexError
from problex.lexicon import read_dictionary
from problex.lookups import _loops, matcher
from problex.lookups.entries import check_levels, columns_of
from problex.lookups.matcher import count_sentences, divide_batches
from problex.lookups.statistics import GroupSums
from problex.matching import Tokenizer
from problex.report.lookup_page import groups_section

TEXTS = ["A good film. Not good, a lot of fun!", "happy bad", "", "nothing here"]
DICTIONARY = {"affect/pos": ["good", "happ*"], "affect/neg": ["bad", "not good"], "size": ["a lot", "a lot of"]}


def test_counts_by_hand() -> None:
    table = problex.lookup(TEXTS, DICTIONARY)
    assert table.to_pydict() == {
        "row": [0, 1, 2, 3],
        "words": [9, 2, 0, 2],
        "words_per_sentence": [4.5, 2.0, None, 2.0],
        "in_dictionary": [round(600 / 9, 4), 100.0, None, 0.0],
        "affect": [2, 2, 0, 0],  # good, and not good, in which good is not counted again
        "affect/pos": [2, 1, 0, 0],
        "affect/neg": [1, 1, 0, 0],
        "size": [1, 0, 0, 0],
    }


def test_percent_by_hand() -> None:
    table = problex.lookup(TEXTS, DICTIONARY, values="percent")
    assert table["affect"].to_pylist() == [22.2222, 100.0, None, 0.0]
    assert table["size"].to_pylist() == [11.1111, 0.0, None, 0.0]


def test_means_and_sums_of_weights_by_hand() -> None:
    norms = {"valence": {"happ*": 8.0, "happy": 9.0, "sad": 2.0, "very sad": 1.0}, "arousal": {"happy": 6.0}}
    texts = ["happy happen sad", "very sad film", "film"]
    table = problex.lookup(texts, norms, values="mean")
    assert table["valence"].to_pylist() == [round(19 / 3, 4), 1.0, None]  # 9, 8, 2: the most specific entry counts
    assert table["arousal"].to_pylist() == [6.0, None, None]
    assert problex.lookup(texts, norms, values="sum")["valence"].to_pylist() == [19.0, 1.0, 0.0]


def test_entries_without_a_weight_do_not_change_a_mean() -> None:
    dictionary = problex.lookups.entries.as_dictionary({"a": {"good": 2.0}})
    dictionary += problex.lookups.entries.as_dictionary({"a": ["film"]})
    assert problex.lookup(["good film"], dictionary, values="mean")["a"].to_pylist() == [2.0]


def test_a_long_table_has_a_row_for_each_category() -> None:
    frame = pd.DataFrame({"who": ["x", "y"], "text": TEXTS[:2]})
    table = problex.lookup(frame, DICTIONARY, text="text", keep=["who"], long=True, levels="lowest")
    assert table.to_pydict() == {
        "row": [0, 0, 0, 1, 1, 1],
        "who": ["x", "x", "x", "y", "y", "y"],
        "words": [9, 9, 9, 2, 2, 2],
        "category": ["affect/pos", "affect/neg", "size"] * 2,
        "count": [2, 1, 1, 1, 1, 0],
    }


def test_columns_with_the_same_name_get_prefixes() -> None:
    frame = pd.DataFrame({"words": [1], "joy": ["kept"], "text": ["happy words"]})
    table = problex.lookup(frame, {"joy": ["happy"], "words": ["words"]}, text="text", keep=None)
    kept, results = ["row", "input_words", "input_joy", "text"], ["words", "words_per_sentence", "in_dictionary"]
    assert table.column_names == [*kept, *results, "joy", "category_words"]
    assert table["input_joy"].to_pylist() == ["kept"]
    assert table["category_words"].to_pylist() == [1]


@pytest.mark.parametrize(
    ("levels", "columns"),
    [
        ("all", ["a", "a/b", "a/b/c", "a/d", "e/f"]),
        ("lowest", ["a/b", "a/b/c", "a/d", "e/f"]),
        (1, ["a", "e"]),
        ("2", ["a/b", "a/d", "e/f"]),
    ],
)
def test_levels_of_nested_categories(levels: str | int, columns: list[str]) -> None:
    names = ["a/b", "a/b/c", "a/d", "e/f"]
    assert list(dict.fromkeys(c for of in columns_of(names, check_levels(levels)).values() for c in of)) == columns


def test_a_category_and_its_parts_differ_by_their_own_entries() -> None:
    table = problex.lookup(["one two three"], {"a": ["one"], "a/b": ["two"], "a/b/c": ["three"]})
    assert [table[name][0].as_py() for name in ("a", "a/b", "a/b/c")] == [3, 2, 1]


def test_literals_are_found_as_they_are_written() -> None:
    table = problex.lookup(["great :-) sh*t happens, shut up"], {"face": [":-)"], "taboo": ["sh*t"], "sh": ["sh*"]})
    assert [table[name][0].as_py() for name in ("face", "taboo", "sh")] == [1, 1, 1]


def test_globs_match_when_asked() -> None:
    """`*` is any number of letters, also none, `?` one; entries that are no words stay literal."""
    dictionary = {"a": ["gre*t", "sh*t", "24/7?"], "b": ["colo?r", "wom?n", "gr??t wom?n", "?"]}
    texts = ["great greet gret grt colour color", "great woman, women", "sh*t shut 24/7? x"]
    table = problex.lookup(texts, dictionary, glob=True)
    assert table.select(["a", "b"]).to_pylist() == [{"a": 3, "b": 1}, {"a": 1, "b": 2}, {"a": 2, "b": 0}]
    plain = problex.lookup(texts, dictionary)
    assert plain.select(["a", "b"]).to_pylist() == [{"a": 0, "b": 0}, {"a": 0, "b": 0}, {"a": 2, "b": 0}]


def test_other_languages_fold_accents_like_the_texts() -> None:
    table = problex.lookup(["Canción triste"], {"a": ["cancion*"]}, tokenizer=Tokenizer("es"))
    assert table["a"].to_pylist() == [1]


@pytest.mark.parametrize(
    ("language", "text", "dictionary"),
    [
        ("zh", "我很高兴，今天天气好", {"a": ["高兴"], "b": ["天气好", "天气"]}),
        ("tr", "ILIK ve İyi", {"a": ["ILIK", "ılık"], "b": ["İyi"]}),
        ("de", "Die STRASSE macht Spass :D", {"a": ["Straße"], "b": ["Spaß :D", ":D"]}),
    ],
)
def test_languages_are_matched_as_in_count(language: str, text: str, dictionary: dict[str, list[str]]) -> None:
    table = problex.lookup([text], dictionary, tokenizer=Tokenizer(language))
    assert table.select(["a", "b"]).to_pylist() == [{"a": 1, "b": 1}]


def test_a_custom_tokenizer() -> None:
    table = problex.lookup(["good_film bad"], {"a": ["film", "good film"]}, tokenizer=Tokenizer(custom=by_underscores))
    assert table.select(["words", "a"]).to_pylist() == [{"words": 3, "a": 1}]


def by_underscores(text: str) -> list[str]:
    return text.replace("_", " ").split()


def test_dictionaries_of_all_kinds_give_the_same(tmp_path: Path) -> None:
    lists = {"pos": ["good", "happ*"], "neg": ["bad"]}
    (tmp_path / "d.yml").write_text("pos: [good, happ*]\nneg: [bad]\n")
    file = tmp_path / "d.yml"
    tables = [
        problex.lookup(TEXTS, dictionary).select(["pos", "neg"]).to_pydict()
        for dictionary in (lists, Lexicon(lists), file, str(file), read_dictionary(file))
    ]
    assert all(table == tables[0] for table in tables)


def test_threads_batches_and_new_vocabularies_change_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    words = ["good", "happy", "bad", "not", "film", "a", "lot", "of", "x", "y"]
    rng = np.random.default_rng(1)
    texts = [" ".join(rng.choice(words, rng.integers(0, 30))) + f" w{'abcdefghij'[at % 10]}" for at in range(500)]
    whole = problex.lookup(texts, DICTIONARY, threads=1)
    file = tmp_path / "t.parquet"
    pd.DataFrame({"text": texts}).to_parquet(file, row_group_size=40)
    monkeypatch.setattr(matcher, "MAX_WORDS", 5)  # every batch begins a new vocabulary
    monkeypatch.setattr(matcher, "MIN_CELLS", 64)
    monkeypatch.setattr(matcher, "CELL_BYTES", 1 << 40)  # so that batches are divided
    assert problex.lookup([file], DICTIONARY, threads=4).equals(whole)


def test_divided_batches_have_all_documents_and_say_losses_once() -> None:
    frame = pa.table({"text": ["a", None, "c", "d", "e"], "id": [1, 2, 3, 4, 5]})
    parts = list(divide_batches(batches(frame, text="text", keep=["id"], missing="empty"), 2))
    assert [part.texts.to_pylist() for part in parts] == [["a", ""], ["c", "d"], ["e"]]
    assert [part.columns["id"].to_pylist() for part in parts if part.columns] == [[1, 2], [3, 4], [5]]
    assert [part.first_row for part in parts] == [0, 2, 4]
    assert [part.missing for part in parts] == [0, 0, 1]


def test_sentences_by_hand() -> None:
    texts = {
        "One. Two! Three": 3,
        "It costs 3.50, e.g.x": 1,
        "Wait... what?! ": 2,
        "J. R. R. Tolkien wrote. Well": 2,
        "tokenised text . like this !": 2,
        "今日は。良い日！": 2,
        "He said: “Go.” Then left": 2,
        "   ": 0,
        "": 0,
        "ok": 1,
        "!": 1,
    }
    assert dict(zip(texts, count_sentences(pa.array(list(texts))).tolist(), strict=True)) == texts
    assert count_sentences(pa.array(["x. "] * 3 + ["One. Two."]).slice(3)).tolist() == [2]


def test_bad_input_is_refused_with_the_choices() -> None:
    with pytest.raises(ProblexError, match="values='share' was given, expected one of count, percent, mean, sum"):
        problex.lookup(TEXTS, DICTIONARY, values="share")
    with pytest.raises(ProblexError, match="matching='liwc' was given, expected one of category, dictionary, longest"):
        problex.lookup(TEXTS, DICTIONARY, matching="liwc")
    with pytest.raises(ProblexError, match="levels=0 was given, expected all, lowest, or a number of levels such as 1"):
        problex.lookup(TEXTS, DICTIONARY, levels=0)
    with pytest.raises(LexiconError, match="values='mean' was given, but no entry of the dictionary has a weight"):
        problex.lookup(TEXTS, DICTIONARY, values="mean")
    with pytest.raises(LexiconError, match="a dictionary was given as list, expected a file, a Dictionary"):
        problex.lookup(TEXTS, ["good"])  # type: ignore[arg-type]
    with pytest.raises(LexiconError, match="category 'a' is one string, 'good', expected a list of words"):
        problex.lookup(TEXTS, {"a": "good"})
    with pytest.raises(LexiconError, match="category 'b' has no words, expected at least one"):
        problex.lookup(TEXTS, {"a": ["good"], "b": []})
    with pytest.raises(DocumentError, match="there are no documents to look up, expected at least one text"):
        problex.lookup([], DICTIONARY)
    with pytest.raises(LexiconError, match="the dictionary has no entry that can be matched"):
        problex.lookup(TEXTS, {"a": ["*"]})


def test_entries_that_cannot_be_matched_are_named() -> None:
    with pytest.warns(LexiconWarning, match=r"1 entry is not used, because there is nothing to match: '\*'"):
        table = problex.lookup(TEXTS, {"a": ["*", "good"], "b": ["bad"]})
    assert table["a"].to_pylist() == [2, 0, 0, 0]


def test_a_kept_column_is_never_lost() -> None:
    frame = pd.DataFrame({"words": [1], "text": ["good"]})
    with pytest.raises(
        DocumentError, match="the table would have two columns 'input_words', a kept one and a category"
    ):
        problex.lookup(frame, {"input_words": ["good"]}, text="text", keep=["words"])


def test_rows_that_cannot_be_read_are_counted_and_left_out(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("id,text\n1,good\n2,bad,extra,cells\n3,happy\n")
    table = problex.lookup([tmp_path / "t.csv"], DICTIONARY, text="text", keep=["id"], on_error="skip")
    assert table["affect"].to_pylist() == [1, 1]


def test_the_compiled_loops_refuse_numbers_beyond_their_tables() -> None:
    ids, ends, one = np.array([0, 3], np.int32), np.array([0, 2]), np.zeros((1, 1), np.int64)
    columns = np.zeros(2, np.int32)
    with pytest.raises(ValueError, match="the texts have words beyond 0 to 1"):
        _loops.count_columns(ids, ends, np.array([0, 1, 2]), columns, one, np.zeros(1, np.int64))
    with pytest.raises(ValueError, match="the ends of 1 texts do not ascend from 0 to 2"):
        _loops.count_columns(ids * 0, np.array([0, 1]), np.array([0, 1, 2]), columns, one, np.zeros(1, np.int64))
    with pytest.raises(ValueError, match="the words have columns beyond 0 to 0"):
        _loops.count_columns(ids * 0, ends, np.array([0, 1, 2]), columns + 1, one, np.zeros(1, np.int64))
    with pytest.raises(ValueError, match="1 values for 2 columns"):
        _loops.sum_columns(ids * 0, ends, np.array([0, 1, 2]), columns, np.zeros(1), np.zeros((1, 1)))


def test_groups_that_are_numbers_are_in_their_order() -> None:
    sums = GroupSums("stars", ("a",))
    sums.add((["10", "", "2"], np.array([1, 1, 1]), np.array([[0.0], [0.0], [0.0]])))
    assert [row["group"] for row in sums.records()] == ["2", "10", "(none)"]


def test_the_chart_has_ratings_in_their_order_also_if_some_texts_have_none() -> None:
    sizes = {"2.5": 1, "10": 3, "(none)": 9, "4": 2}
    records = [{"group": name, "documents": size, "a": 1.0} for name, size in sizes.items()]
    section = groups_section(records, "stars", ["a"])
    rows = section.figures[0].chart.to_dict()["data"]["values"]
    assert [row["group"] for row in rows] == ["2.5", "4", "10", "(none)"]


def test_the_chart_has_a_gap_where_years_are_left_out() -> None:
    records = [{"group": name, "documents": 2, "a": 1.0} for name in ("1970", "2006", "2007")]
    rows = groups_section(records, "year", ["a"]).figures[0].chart.to_dict()["data"]["values"]
    assert [(row["group"], row["percent"]) for row in rows] == [("1970", 1), ("…", None), ("2006", 1), ("2007", 1)]
