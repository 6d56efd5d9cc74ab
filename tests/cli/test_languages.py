"""From a dictionary and texts to labels and explanations, in languages that are not written like English."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

import pandas as pd
import pytest

from problex import Lexicon, LexiconClassifier, load_model
from problex.errors import ProblexError
from problex.explanation import explain
from problex.matching.items import items_of
from tests.cli.runs import run


@dataclass(frozen=True)
class Case:
    """Words and texts of two lists; `probe` is a new text, and `found` are its entries with the text they stand for."""

    words: tuple[tuple[str, ...], tuple[str, ...]]
    texts: tuple[tuple[str, ...], tuple[str, ...]]
    probe: str
    label: str
    found: tuple[tuple[str, str], ...]
    options: tuple[str, ...] = ()


CASES = {
    "zh": Case(
        (("喜欢", "好吃", "满意"), ("失望", "难吃", "无聊")),
        (
            ("我喜欢这家餐厅，菜好吃。", "很满意，菜好吃！", "大家喜欢，也很满意。"),
            ("菜难吃，让人失望。", "电影无聊，我很失望。", "又难吃又无聊。"),
        ),
        "我不喜欢，菜很难吃，真失望。",
        "negative",
        (("NOT 喜欢", "喜欢"), ("难 吃", "难吃"), ("失望", "失望")),
    ),
    "ja": Case(
        (("楽しい", "素晴らしい"), ("退屈", "最悪")),
        (
            ("とても楽しい映画でした。素晴らしい！", "素晴らしい音楽と楽しい話。"),
            ("退屈で最悪だった。", "最悪の映画、退屈な話。"),
        ),
        "この本は楽しい。音楽も素晴らしいです。",
        "positive",
        (("楽しい", "楽しい"), ("素晴らしい", "素晴らしい")),
    ),
    "th": Case(
        (("สนุก", "ชอบ"), ("น่าเบื่อ", "แย่")),
        (
            ("หนังสนุกมาก ฉันชอบ", "ฉันชอบเพลงและเรื่องสนุก"),
            ("หนังน่าเบื่อและแย่มาก", "เพลงแย่ เรื่องน่าเบื่อ"),
        ),
        "เรื่องนี้ไม่สนุก น่าเบื่อมาก",
        "negative",
        (("NOT สนุก", "สนุก"), ("น่า เบื่อ", "น่าเบื่อ")),
    ),
    "ar": Case(
        (("رائع", "ممتازة"), ("سيئ", "ممل")),
        (
            ("فيلم رائِع وموسيقى ممتازه", "قصة ممتازة ومشهد رائع"),
            ("فيلم سيّئ وحوار ممـــل", "مشهد مُمِل وصوت سيئ"),
        ),
        "حوار رائع، موسيقى مُمتازة",
        "positive",
        (("رايع", "رائع"), ("ممتازه", "مُمتازة")),
        ("--fold-accents",),
    ),
    "he": Case(
        (("נהדר", "יפה"), ("נורא", "משעמם")),
        (
            ("סרט נֶהְדָּר וגם יפה", "סיפור יָפֶה ושיר נהדר"),
            ("סרט נורא וגם מְשַׁעֲמֵם", "סיפור משעמם ושיר נוֹרָא"),
        ),
        "הסיפור לא נהדר, הוא מְשַׁעֲמֵם",
        "negative",
        (("NOT נהדר", "נהדר"), ("משעמם", "מְשַׁעֲמֵם")),
        ("--fold-accents",),
    ),
    "tr": Case(
        (("İYİ", "ışıltılı"), ("KIRIK", "sıkıcı")),
        (
            ("İyi bir film, IŞILTILI sahneler", "IŞILTILI ve iyi oyuncular"),
            ("Kırık dökük, SIKICI bir film", "Sıkıcı ve KIRIK bir hikâye"),
        ),
        "İstanbul'da SIKICI ve kırık",
        "negative",
        (("sıkıcı", "SIKICI"), ("kırık", "kırık")),
    ),
    "de": Case(
        (("großartig", "Spaß"), ("scheußlich", "öde")),
        (
            ("GROSSARTIG, ein großer Spass", "Großartige Leute: großartig und SPASS"),
            ("Scheusslich und öde", "öde, SCHEUSSLICH und lang"),
        ),
        "Nicht nur ein Spaß, sondern großartig",
        "positive",
        (("spass", "Spaß"), ("grossartig", "großartig")),
    ),
}


def lexicon_of(case: Case) -> Lexicon:
    return Lexicon(dict(zip(("positive", "negative"), case.words, strict=True)))


@pytest.mark.parametrize("language", sorted(CASES))
def test_from_files_to_labels_and_words(language: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    case = CASES[language]
    monkeypatch.chdir(tmp_path)
    pd.DataFrame({"text": [*case.texts[0], *case.texts[1]] * 10}).to_csv("texts.csv", index=False)
    pd.DataFrame({"text": [case.probe]}).to_csv("probe.csv", index=False)
    for name, words in zip(("positive", "negative"), case.words, strict=True):
        (tmp_path / f"{name}.txt").write_text("\n".join(words) + "\n", encoding="utf-8")
    lists = ("-l", "positive=positive.txt", "-l", "negative=negative.txt")
    run("fit", "texts.csv", *lists, "-o", "m.json", "--language", language, *case.options)
    run("predict", "m.json", "probe.csv", "-o", "labels.csv")
    assert pd.read_csv("labels.csv")["label"].tolist() == [case.label]
    # the same in Python, with the positions of the words in the text as it is written
    model = load_model("m.json")
    marked = [(span.entry, case.probe[span.start : span.end]) for span in explain(case.probe, model).spans]
    assert tuple(marked) == case.found
    fold = True if case.options else None
    clf = LexiconClassifier(lexicon_of(case), language=language, fold_accents=fold)
    clf.fit([*case.texts[0], *case.texts[1]] * 10)
    assert clf.predict([case.probe]).tolist() == [case.label]
    assert clf.model_.records() == model.records()


@pytest.mark.parametrize(("language", "script"), [("zh", "Chinese"), ("ja", "Japanese"), ("th", "Thai")])
def test_without_the_segmenter_the_script_and_the_command_are_named(
    language: str, script: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "icu4py.breakers", None)
    monkeypatch.chdir(tmp_path)
    items_of.cache_clear()
    case = CASES[language]
    pd.DataFrame({"text": [*case.texts[0], *case.texts[1]] * 10}).to_csv("texts.csv", index=False)
    for name, words in zip(("positive", "negative"), case.words, strict=True):
        (tmp_path / f"{name}.txt").write_text("\n".join(words) + "\n", encoding="utf-8")
    lists = ("-l", "positive=positive.txt", "-l", "negative=negative.txt")
    with pytest.raises(ProblexError) as caught:
        run("fit", "texts.csv", *lists, "-o", "m.json")
    assert str(caught.value).startswith(f"{script} is written without spaces between words, and to find '")
    assert str(caught.value).endswith(" needs the package icu4py: pip install 'problex[segmentation]'")
    assert not Path("m.json").exists()
