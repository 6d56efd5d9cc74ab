"""Lexicons in the encodings of many countries: read right, read with a warning, or refused, never read wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from problex.errors import LexiconError, LexiconWarning
from problex.lexicon import read_dictionary
from tests.lexicon.test_formats import lists

LEXICONS = {
    "shift_jis": ("良い 楽しい 美しい 素晴らしい 嬉しい 幸せ", "悪い 悲しい 怖い 寂しい 苦しい 最悪"),
    "euc_jp": ("良い 楽しい 美しい 素晴らしい 嬉しい 幸せ", "悪い 悲しい 怖い 寂しい 苦しい 最悪"),
    "gbk": ("美丽 快乐 优秀 成功 喜欢 满意 高兴", "难过 失败 讨厌 糟糕 痛苦 愤怒 悲伤"),
    "big5": ("美麗 快樂 優秀 成功 喜歡 滿意 高興", "難過 失敗 討厭 糟糕 痛苦 憤怒 悲傷"),
    "cp949": ("좋다 행복 기쁨 사랑 훌륭하다 아름답다 즐겁다", "나쁘다 슬픔 불행 미움 고통 끔찍하다 괴롭다"),
    "cp1251": ("хороший радость счастье любовь прекрасный добрый", "плохой печаль горе ненависть ужасный злой"),
    "koi8-r": ("хороший радость счастье любовь прекрасный добрый", "плохой печаль горе ненависть ужасный злой"),
    "cp1250": ("dobrý radost štěstí láska krásný úspěch šťastný", "špatný smutek neštěstí nenávist ošklivý zlý těžký"),
}


@pytest.mark.parametrize("encoding", LEXICONS)
def test_words_are_read_as_they_were_written(tmp_path: Path, encoding: str) -> None:
    good, bad = (words.split() for words in LEXICONS[encoding])
    rows = [f"{word}\tpositive" for word in good] + [f"{word}\tnegative" for word in bad]
    (tmp_path / "l.tsv").write_bytes("\n".join(["word\tlist", *rows]).encode(encoding))
    assert {name: list(words) for name, words in read_dictionary(tmp_path / "l.tsv").lists.items()} == {
        "positive": good,
        "negative": bad,
    }


def test_one_doubtful_word_among_many_is_a_warning(tmp_path: Path) -> None:
    (tmp_path / "l.txt").write_bytes(b"\n".join([b"plain"] * 20 + [b"\xe8\xb9x"]))
    with pytest.warns(LexiconWarning, match=r"l.txt: 1 line has characters that depend on the encoding, .* in Windows"):
        read_dictionary(tmp_path / "l.txt")


def test_a_damaged_file_of_utf8_is_not_read_as_latin(tmp_path: Path) -> None:
    (tmp_path / "l.txt").write_bytes("schön\nübel\nhäßlich\nblöd\n".encode() + b"gr\xffn\n")
    with pytest.warns(LexiconWarning, match="1 entry has characters that cannot be read"):
        dictionary = read_dictionary(tmp_path / "l.txt")
    assert [entry.text for entry in dictionary.entries] == ["schön", "übel", "häßlich", "blöd", "gr\ufffdn"]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"\x1f\x8b\x08rest", "l.csv is compressed, or a file of R .* write its table as CSV"),
        (b"RDX3\nX\n", "l.csv is a file of R"),
        (b"%PDF-1.4 rest", "l.csv is a formatted document"),
        (b"word,list\n" + b"\0\0\0" * 40, "l.csv cannot be read as text"),
    ],
)
def test_files_that_are_no_text_are_refused(tmp_path: Path, data: bytes, message: str) -> None:
    (tmp_path / "l.csv").write_bytes(data)
    with pytest.raises(LexiconError, match=message):
        read_dictionary(tmp_path / "l.csv")


@pytest.mark.parametrize(
    ("encoding", "word"),
    [("utf-8-sig", "naïve"), ("utf-16", "naïve"), ("utf-16-le", "naïve"), ("cp1252", "naïve"), ("latin-1", "naïve")],
)
def test_encodings_that_are_guessed(tmp_path: Path, encoding: str, word: str) -> None:
    text = f"%\r\n1\tgut\r\n2\tübel\r\n%\r\n{word}\t1\r\nbad\t2\r\n"
    (tmp_path / "e.dic").write_bytes(text.encode(encoding))
    dictionary = read_dictionary(tmp_path / "e.dic")
    assert lists(dictionary) == {"gut": {word}, "übel": {"bad"}}
    guessed = [str(issue) for issue in dictionary.problems]
    assert guessed == (
        [
            "'e.dic' (whole file): old encoding, read as Latin-1: name another with encoding=... (--lexicon-encoding "
            "in commands that read texts) if words look wrong"
        ]
        if encoding in ("cp1252", "latin-1")
        else []
    )


@pytest.mark.parametrize(
    ("encoding", "word"),
    [
        ("cp1250", "zły"),
        ("iso-8859-2", "Čech"),
        ("cp1251", "хорошо"),
        ("shift_jis", "あ"),
        ("euc-jp", "あい"),
        ("mac-roman", "naïve"),
    ],
)
def test_encodings_that_are_named(tmp_path: Path, encoding: str, word: str) -> None:
    (tmp_path / "e.cat").write_bytes(f"A\n\t{word} (1)\nB\n\tx (1)\n".encode(encoding))
    dictionary = read_dictionary(tmp_path / "e.cat", encoding=encoding)
    assert lists(dictionary) == {"A": {word}, "B": {"x"}}
    assert not dictionary.problems


def test_encodings_that_do_not_fit_are_errors(tmp_path: Path) -> None:
    (tmp_path / "e.txt").write_bytes(b"good\nna\xefve\n")
    with pytest.raises(LexiconError, match=r"e.txt:2 is not utf-8 \(.*\): name another encoding"):
        read_dictionary(tmp_path / "e.txt", encoding="utf-8")
    with pytest.raises(LexiconError, match=r"the encoding 'klingon' is not known, expected one like utf-8"):
        read_dictionary(tmp_path / "e.txt", encoding="klingon")
