from __future__ import annotations

import os
import signal
import sys
from threading import Event, Thread

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from problex import Lexicon, count, lookup
from problex.counting import amend, recount, remember
from problex.counting.tables import tabulate, tabulate_slowly
from problex.errors import LexiconError, ProblexError
from problex.matching import icu, segmentation
from problex.matching._runs import Runs, Segmenter
from problex.matching.items import Items, item_of, items_of
from problex.matching.preparation import _segment_around_literals, prepare_texts
from problex.matching.segmentation import (
    WORD_BREAK,
    forget_runs,
    script_of,
    segment,
    segment_all,
    segment_array,
    word_places,
)
from problex.matching.spans import locate_matches
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


def test_a_run_is_segmented_by_itself() -> None:
    texts = ["我喜欢", "电影 film 我喜欢", "我喜欢, 电影"]
    assert segment_all(texts) == [segment(text) for text in texts]
    assert segment_all(segment_all(texts)) == segment_all(texts)


@settings(max_examples=150, deadline=None)
@given(st.lists(st.text("我喜欢电影𠀀ไม่สนุกຂ映画たのしいaé, \u3000。\ufdd0😀", max_size=20), max_size=5), st.booleans())
def test_arrow_arrays_are_segmented_like_lists(texts: list[str], is_new: bool) -> None:
    if is_new:
        forget_runs()
    for kind in (pa.string(), pa.large_string()):
        array = pa.array([*texts, "", *texts], kind)[len(texts) // 2 :]
        assert segment_array(array).equals(pa.array(segment_all(array.to_pylist()), kind))


def test_runs_are_forgotten_when_they_take_too_much_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    forget_runs()
    monkeypatch.setattr(segmentation, "_RUNS_KEPT", 100)
    texts = [chr(0x4E00 + at) + "喜欢" for at in range(5000)]
    for start in (0, 2000, 4000):
        assert segment_array(pa.array(texts[start : start + 2000])).to_pylist() == segment_all(texts[start:][:2000])
    assert [runs.size for runs in segmentation._IDLE] == [1000]
    forget_runs()


def test_runs_without_words_are_not_kept() -> None:
    """Too few words of the word breaker are an error, and the runs are new to the next call."""
    found: list[tuple[int, int]] = [(0, 1)]
    segmenter = Segmenter([], lambda number: None, lambda: None, lambda text: found)
    runs = Runs(segmentation._kind_of, segmenter, WORD_BREAK, "。", 1 << 20)
    with pytest.raises(ValueError, match="the words of 2 runs were expected, not of 1"):
        runs.segment(pa.array(["我喜欢", "电影"]))
    assert runs.size == 0
    found[:] = [(0, 1), (1, 3), (3, 4), (4, 6), (6, 7)]
    assert runs.segment(pa.array(["我喜欢", "电影"])).to_pylist() == [f"我{WORD_BREAK}喜欢", "电影"]


@settings(max_examples=60, deadline=None)
@given(st.lists(st.text("我好ไม่ก:)D(a ", max_size=12), max_size=4))
def test_literals_of_other_scripts_need_no_care(texts: list[str]) -> None:
    items = items_of(Lexicon({"a": [":)", ":D", "好", "a+"], "b": ["ไม่", ") :"]}), Tokenizer("zh"))
    prepared = prepare_texts(pa.array(texts, pa.string()), items, Tokenizer("zh"))
    assert prepared.to_pylist() == _segment_around_literals(texts, items)


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


def test_remembered_texts_are_prepared_once_and_alike() -> None:
    texts = pa.array(["我不喜欢这家餐厅，菜很难吃。", "很满意，菜好吃！", "失望。"])
    second = Lexicon({"正面": ["满意", "餐厅"], "负面": ["失望", "难吃", "(ツ)_/¯"]})
    corpus = remember(texts, CHINESE, Tokenizer("zh"))
    assert recount(corpus, second) == count(texts, second, tokenizer=Tokenizer("zh"))
    english = remember(texts, Lexicon({"a": ["good"], "b": ["bad"]}))
    with pytest.raises(LexiconError, match=r"only one of this lexicon and the one given to remember has words of a "):
        recount(english, Lexicon({"a": ["好"], "b": ["bad"]}))


def test_an_amended_corpus_is_that_of_the_new_lexicon() -> None:
    texts = pa.array(["我不喜欢这家餐厅，菜很难吃。", "很满意，菜好吃！(ツ)", "失望 :I", "good film"] * 3)
    first = Lexicon({"a": ["喜欢"], "b": ["失望"]})
    english = Lexicon({"a": ["good"], "b": ["film"]})
    phrases = Lexicon({"a": ["喜欢", "(ツ)"], "b": ["难吃", "失望"]})
    for before, after in ((first, phrases), (phrases, first), (english, first), (first, english)):
        amended = amend(remember(texts, before), texts, after)
        assert recount(amended, after) == count(texts, after)
    turkish, literal = (Lexicon({"a": ["iyi"], "b": ["kötü", *more]}) for more in ([], [":ı"]))
    amended = amend(remember(texts, turkish, Tokenizer("tr")), texts, literal)
    assert recount(amended, literal) == count(texts, literal, tokenizer=Tokenizer("tr"))
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


def test_runs_are_forgotten_by_the_memory_that_they_take() -> None:
    segmenter = Segmenter([], lambda number: None, icu.breaker_of, word_places)
    runs = Runs(segmentation._kind_of, segmenter, WORD_BREAK, "。", 1 << 20)
    for start in range(0, 40_000, 4000):
        texts = pa.array([chr(0x4E00 + at // 200) + chr(0x4E00 + at % 200) for at in range(start, start + 4000)])
        runs.segment(texts)
    assert runs.memory < 3 << 20
    assert 4000 <= runs.size < 40_000
    with pytest.raises(ValueError, match="the texts have 1 nulls, expected none"):
        runs.segment(pa.array(["很好", None]))


def test_a_copy_of_the_process_does_not_wait_for_a_thread_that_it_lacks() -> None:
    texts, stop = pa.array([chr(0x4E00 + at) + "很好吃" for at in range(3000)]), Event()

    def work() -> None:
        while not stop.is_set():
            forget_runs()
            segment_array(texts)

    thread = Thread(target=work)
    thread.start()
    try:
        for _ in range(5):
            child = os.fork()
            if not child:
                signal.alarm(20)
                os._exit(segment_array(pa.array(["很好吃"])).to_pylist() != segment_all(["很好吃"]))
            assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    finally:
        stop.set()
        thread.join()
