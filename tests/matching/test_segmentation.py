from __future__ import annotations

import sys

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from problex import Lexicon, count, lookup
from problex.counting.tables import tabulate, tabulate_slowly
from problex.errors import LexiconError, ProblexError
from problex.index import WordIndex
from problex.matching.items import Items, item_of, items_of
from problex.matching.reference import locate_matches, prepare_texts
from problex.matching.segmentation import (
    WORD_BREAK,
    script_of,
    segment,
    segment_all,
)
from problex.matching.tokens import Tokenizer

CHINESE = Lexicon({"正面": ["喜欢", "好吃", "满意"], "负面": ["失望", "难吃", "(ツ)_/¯", "无聊"]})
TURKISH = Lexicon({"iyi": ["iyi", "ışık", ":I"], "kötü": ["kırık", "kötü"]})
GERMAN = Lexicon({"gut": ["großartig", "Spaß"], "schlecht": ["Mißerfolg", "öde"]})
ARABIC = Lexicon({"جيد": ["جيّد", "ممتازة"], "سيئ": ["سيئ", "ممل"]})


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("我喜欢这部电影", ["我", "喜欢", "这", "部", "电影"]),
        ("とても楽しい映画", ["とても", "楽しい", "映画"]),
        ("หนังสนุกมาก", ["หนัง", "สนุก", "มาก"]),
        ("ຂ້ອຍບໍ່ມັກ", ["ຂ້ອຍ", "ບໍ່", "ມັກ"]),
        ("ខ្ញុំចូលចិត្ត", ["ខ្ញុំ", "ចូលចិត្ត"]),
        ("ရုပ်ရှင်ကို", ["ရုပ်ရှင်", "ကို"]),
        ("iPhone手机", ["iPhone", "手机"]),
        ("手机iPhone手机", ["手机", "iPhone", "手机"]),
        ("plain text", ["plain text"]),
        ("😀😀喜欢电影𠀀好", ["😀😀喜欢", "电影", "𠀀", "好"]),  # positions do not shift behind characters of two units
        ("", [""]),
    ],
)
def test_words_of_each_script(text: str, words: list[str]) -> None:
    assert segment(text).split(WORD_BREAK) == words


@settings(max_examples=150, deadline=None)
@given(st.lists(st.text("我喜欢电影𠀀ไม่สนุกຂ映画たのしいｶﾞaé, '\u0301\u3000。\ufdd0😀", max_size=20), max_size=5))
def test_a_text_is_segmented_by_itself(texts: list[str]) -> None:
    assert segment_all(texts) == [segment(text) for text in texts]
    assert segment_all(segment_all(texts)) == segment_all(texts)
    items, tokenizer = items_of(CHINESE, Tokenizer("zh")), Tokenizer("zh")
    for kind in (pa.string(), pa.large_string()):
        array = pa.array(["好", *texts], kind)[1:]
        assert prepare_texts(array, items, tokenizer).equals(pa.array(segment_all(texts), kind))


def test_a_run_is_segmented_by_itself() -> None:
    long = "我喜欢这部电影" * 300
    assert segment_all(["我喜欢", f"电影 film {long}", f"{long}, 电影"]) == [
        segment("我喜欢"),
        f"{segment('电影')} film {segment(long)}",
        f"{segment(long)}, {segment('电影')}",
    ]


def test_breaks_are_put_where_letters_touch_a_run() -> None:
    text = segment("我a好1好é好\u0301 l'好 film")
    assert text.split(WORD_BREAK) == ["我", "a", "好1好", "é", "好\u0301 l'好 film"]


def test_a_space_ends_a_clause_in_thai() -> None:
    assert Tokenizer("th").tokens_and_breaks(segment("ไม่สนุก น่าเบื่อ")) == ["ไม่", "สนุก", "", "น่า", "เบื่อ"]
    assert Tokenizer("zh").tokens_and_breaks(segment("电影 喜欢")) == ["电影", "喜欢"]


def test_the_scripts_have_names() -> None:
    names = {"好": "Chinese", "楽しい": "Japanese", "ดี": "Thai", "ດີ": "Lao", "ល្អ": "Khmer", "ကောင်း": "Burmese"}
    assert {word: script_of(word) for word in names} == names
    assert [script_of(word) for word in ("good", "좋다", "ツ。"[1:])] == [None, None, None]


def test_entries_are_segmented_like_texts() -> None:
    assert item_of("很好吃", Tokenizer()) == ("很好 吃", False)
    assert item_of("很好吃", Tokenizer(), segmented=False) == ("很好吃", False)
    assert item_of("喜*", Tokenizer()) == ("喜*", False)
    assert item_of("很好吃", Tokenizer(custom=str.split)) == ("很好吃", False)
    assert item_of("(ツ)", Tokenizer()) == ("(ツ)", True)


def test_the_lexicon_decides_whether_texts_are_segmented() -> None:
    english = Lexicon({"a": ["good", "(ツ)"], "b": ["bad"]})
    assert not items_of(english, Tokenizer()).segmented
    assert items_of(english, Tokenizer("zh")).segmented
    assert items_of(CHINESE, Tokenizer()).segmented
    assert not items_of(CHINESE, Tokenizer(custom=list)).segmented
    table = tabulate(["a good 电影很好看"], items_of(english, Tokenizer()), Tokenizer())
    assert "电影很好看" in table.words  # as before: one word


def words_found(text: str, items: Items, tokenizer: Tokenizer) -> list[tuple[str, str]]:
    found = locate_matches(text, items, tokenizer)
    return [(one.item, text[slice(*one.position)]) for one in found if one.position is not None]


def test_positions_are_those_of_the_text_as_written() -> None:
    items = items_of(CHINESE, Tokenizer("zh"))
    assert words_found("😀我不喜欢(ツ)_/¯很满意", items, Tokenizer("zh")) == [
        ("我不", "我不"),
        ("NOT 喜欢", "喜欢"),
        ("(ツ)_/¯", "(ツ)_/¯"),
        ("很", "很"),
        ("满意", "满意"),
    ]
    items = items_of(TURKISH, Tokenizer("tr"))
    assert words_found("I\u0307YİDİR, IŞIK :I KIRIK", items, Tokenizer("tr"))[1:] == [
        ("ışık", "IŞIK"),
        (":ı", ":I"),
        ("kırık", "KIRIK"),
    ]
    items = items_of(GERMAN, Tokenizer("de"))
    assert words_found("Großer SPASS, Spaß öde", items, Tokenizer("de"))[1:] == [
        ("spass", "SPASS"),
        ("spass", "Spaß"),
        ("öde", "öde"),
    ]
    items = items_of(ARABIC, Tokenizer("ar", fold_accents=True))
    assert words_found("جَيِّد ممتازه ممـــل", items, Tokenizer("ar", fold_accents=True)) == [
        ("جيد", "جَيِّد"),
        ("ممتازه", "ممتازه"),
        ("ممل", "ممـــل"),
    ]


CASES = {
    "zh": (CHINESE, "我不喜欢好吃满意失望难(ツ)_/¯ a.，𠀀😀"),
    "tr": (TURKISH, "IİiıŞışkırKöt :\u0307' "),
    "de": (GERMAN, "großartigSpassßẞéö iöde."),
    "ar": (ARABIC, "جيّد\u0640ممتازةهىيسئٱا َ "),
}


@pytest.mark.parametrize("language", sorted(CASES))
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_the_compiled_counter_prepares_texts_like_the_reference(language: str, data: st.DataObject) -> None:
    lexicon, alphabet = CASES[language]
    tokenizer = Tokenizer(language, fold_accents=True)
    items = items_of(lexicon, tokenizer)
    texts = data.draw(st.lists(st.text(alphabet=alphabet, max_size=30), max_size=4))
    fast, slow = (function(texts, items, tokenizer) for function in (tabulate, tabulate_slowly))
    columns = {word: at for at, word in enumerate(dict.fromkeys([*fast.words, *slow.words]))}
    assert np.array_equal(fast.project(columns).matrix.toarray(), slow.project(columns).matrix.toarray())
    assert fast.lengths.tolist() == slow.lengths.tolist()
    prepared = prepare_texts(pa.array(texts, pa.string()), items, tokenizer)
    assert prepare_texts(prepared, items, tokenizer).equals(prepared)
    for text in texts:
        found = locate_matches(text, items, tokenizer)
        assert all(one.position is not None for one in found)


def test_indexed_texts_are_prepared_once_and_alike() -> None:
    texts = pa.array(["我不喜欢这家餐厅，菜很难吃。", "很满意，菜好吃！", "失望。"])
    second = Lexicon({"正面": ["满意", "餐厅"], "负面": ["失望", "难吃", "(ツ)_/¯"]})
    corpus = WordIndex.of(texts, CHINESE, Tokenizer("zh"))
    assert corpus.counts(second) == count(texts, second, tokenizer=Tokenizer("zh"))
    english = WordIndex.of(texts, Lexicon({"a": ["good"], "b": ["bad"]}))
    with pytest.raises(
        LexiconError, match=r"only one of this lexicon and the one given to WordIndex.of has words of a "
    ):
        english.counts(Lexicon({"a": ["好"], "b": ["bad"]}))


def test_an_amended_corpus_is_that_of_the_new_lexicon() -> None:
    texts = pa.array(["我不喜欢这家餐厅，菜很难吃。", "很满意，菜好吃！(ツ)", "失望 :I", "good film"] * 3)
    first = Lexicon({"a": ["喜欢"], "b": ["失望"]})
    english = Lexicon({"a": ["good"], "b": ["film"]})
    phrases = Lexicon({"a": ["喜欢", "(ツ)"], "b": ["难吃", "失望"]})
    for before, after in ((first, phrases), (phrases, first), (english, first), (first, english)):
        amended = WordIndex.of(texts, before).updated(texts, after)
        assert amended.counts(after) == count(texts, after)
    turkish, literal = (Lexicon({"a": ["iyi"], "b": ["kötü", *more]}) for more in ([], [":ı"]))
    amended = WordIndex.of(texts, turkish, Tokenizer("tr")).updated(texts, literal)
    assert amended.counts(literal) == count(texts, literal, tokenizer=Tokenizer("tr"))
    assert len(amended.documents_with(":ı")) == 3


def test_categories_are_looked_up_in_segmented_texts() -> None:
    dictionary = {"food": ["好吃", "难吃", "菜"], "tone": ["喜欢", "难吃", "(ツ)"]}
    table = lookup(["我喜欢这家餐厅，菜很难吃。", "Die (ツ)"], dictionary)
    assert table.select(["words", "food", "tone"]).to_pylist() == [
        {"words": 9, "food": 2, "tone": 2},
        {"words": 2, "food": 0, "tone": 1},
    ]
    table = lookup(["Kırık KIRIK IŞIK"], {"bad": ["KIRIK"], "good": ["ışık"]}, tokenizer=Tokenizer("tr"))
    assert table.select(["bad", "good"]).to_pylist() == [{"bad": 2, "good": 1}]


def test_counts_do_not_depend_on_threads_or_batches() -> None:
    texts = ["我不喜欢这家餐厅，菜很难吃。", "很满意，菜好吃！", "a film 失望"] * 50
    one = count(texts, CHINESE, threads=1, tokenizer=Tokenizer("zh"))
    assert one == count(texts, CHINESE, threads=2, tokenizer=Tokenizer("zh"))
    half = count(texts[:75], CHINESE, tokenizer=Tokenizer("zh"))
    assert one == half + count(texts[75:], CHINESE, tokenizer=Tokenizer("zh"))


@pytest.mark.parametrize(("word", "script"), [("好吃", "Chinese"), ("楽しい", "Japanese"), ("สนุก", "Thai")])
def test_without_the_extra_the_error_names_the_script(monkeypatch: pytest.MonkeyPatch, word: str, script: str) -> None:
    monkeypatch.setitem(sys.modules, "icu4py.breakers", None)
    items_of.cache_clear()
    lexicon = Lexicon({"a": [word], "b": ["bad"]})
    with pytest.raises(ProblexError) as caught:
        count([word], lexicon)
    assert str(caught.value) == (
        f"{script} is written without spaces between words, and to find {word!r} in texts problex needs the package "
        "icu4py: pip install 'problex[segmentation]'"
    )
    counts = count(["a good 电影"], Lexicon({"a": ["good", "(ツ)"], "b": ["bad"]}))
    assert counts.tokens == 3  # other lexicons do not need it
