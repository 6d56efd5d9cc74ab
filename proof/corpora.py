"""Small corpora for `same.py`, and their files: of invented words, and parts of the paper's (PROBLEX_DATA)."""

from __future__ import annotations

import csv
import os
import random
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import accumulate
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

import problex

DATA = Path(os.environ.get("PROBLEX_DATA", Path(__file__).resolve().parents[2] / "shared" / "data"))
Lists = dict[str, Any]
"""The words of each list, or its words with weights."""


@dataclass(frozen=True)
class Corpus:
    """A lexicon, and texts with a label each, which is for evaluation and audits only."""

    name: str
    lists: Lists
    texts: Sequence[str | None]
    labels: Sequence[str]
    language: str = "en"
    glob: bool = False

    def rows(self) -> list[dict[str, Any]]:
        """The table of texts, with a group and a date."""
        draw, first = random.Random(f"rows of {self.name}"), min(self.labels)
        rows = []
        for number, (text, label) in enumerate(zip(self.texts, self.labels, strict=True)):
            group = draw.choices(("east", "north", "south", "west"), (4, 3, 2, 1) if label == first else (1, 1, 2, 3))[
                0
            ]
            day = date(2023, 1, 1) + timedelta(days=draw.randrange(700))
            rows.append({"id": number, "text": text, "label": label, "group": group, "date": day.isoformat()})
        return rows


SYLLABLES = {
    "en": "ba be bi bo da de di ka ke ko la le lo ma mi mo na ne no ra ri ro sa se so ta ti to va ve",
    "fr": "é è ça ou an la le ré pê du mon ton eur oi né vê cô gi ma li",
    "de": "schö ä ü grö ß er en un ge bü frä lo te ka mi no öl stra",
    "es": "ña ñe á é í ó ú la le to ra ción mo da gü es ri",
    "tr": "ı İ ği şa çö ü la lar mi ka dı ö iz ın te yo",
    "any": "ά έ ή λο σι ρα τη μου ναι κα πο δε ως φω ού",
}
UNSPACED = {
    "zh": "精彩 好看 喜欢 感动 优秀 有趣 完美 快乐 温暖 幸福 无聊 难看 讨厌 失望 糟糕 浪费 愚蠢 痛苦 混乱 沉闷 "
    "电影 故事 演员 导演 音乐 观众 今天 我们 他们 时间 城市 学校 朋友 家庭 生活 世界 工作 问题 开始 结束",
    "ja": "素敵 最高 好き 感動 優秀 面白い 完璧 幸せ 温かい 幸福 退屈 最低 嫌い 失望 残念 無駄 愚か 苦痛 混乱 単調 "
    "映画 物語 俳優 監督 音楽 観客 今日 私たち 彼ら 時間 都市 学校 友人 家族 生活 世界 仕事 問題 開始 終了",
    "th": "สนุก สวย ชอบ ดีใจ เยี่ยม สมบูรณ์ ความสุข อบอุ่น ร่าเริง เบื่อ แย่ เกลียด ผิดหวัง เสียใจ โง่ เจ็บปวด สับสน ช้า "
    "หนัง เรื่อง นักแสดง ดนตรี ผู้ชม วันนี้ พวกเรา เวลา เมือง โรงเรียน เพื่อน ครอบครัว ชีวิต โลก งาน ปัญหา",
}
MADE: dict[str, dict[str, Any]] = {
    "two-balanced": {},
    "two-unbalanced": {"first": 7.0},
    "three-lists": {"lists": 3},
    "five-lists": {"lists": 5, "size": 25},
    "twenty-lists": {"lists": 20, "size": 12, "texts": 1500},
    "topics": {"lists": 4, "clear": 0.97},
    "tone": {"clear": 0.5, "texts": 1500},
    "short": {"words": 8, "texts": 1500},
    "long": {"words": 500, "texts": 200},
    "few-words": {"size": 4},
    "copies": {"change": "copies"},
    "empty-and-missing": {"change": "gaps"},
    "tweets": {"words": 12, "change": "tweets"},
    "phrases": {"change": "phrases"},
    "wildcards": {"change": "wildcards"},
    "glob": {"glob": True, "change": "globs"},
    "negation": {"change": "negations"},
    "given-weights": {"change": "weights"},
    "french": {"language": "fr"},
    "german": {"language": "de"},
    "spanish": {"language": "es"},
    "turkish": {"language": "tr"},
    "greek": {"language": "any"},
    "unspaced-chinese": {"language": "zh", "size": 8},
    "unspaced-japanese": {"language": "ja", "size": 8},
    "unspaced-thai": {"language": "th", "size": 7},
}


def made(
    name: str, lists: int = 2, texts: int = 800, words: int = 30, size: int = 40, first: float = 1.0,
    clear: float = 0.75, language: str = "en", glob: bool = False, change: str = "",
) -> Corpus:  # fmt: skip
    """A corpus of invented words: texts have words of their list, words near to it that no list has, and others.

    `first` is how many times the first list has the texts of another, `clear` how often a word is of the text's list.
    """
    draw, known = random.Random(name), dict.fromkeys(UNSPACED.get(language, "").split())
    while language not in UNSPACED and len(known) < 1500:
        known["".join(draw.choices(SYLLABLES[language].split(), k=draw.randint(2, 4))).lower()] = None
    names = ["negative", "positive"] if lists == 2 else [f"list{number:02}" for number in range(1, lists + 1)]
    vocabulary, step = list(known), size + size // 4
    tables = {label: vocabulary[at * step : (at + 1) * step] for at, label in enumerate(names)}
    rest = vocabulary[lists * step :]
    ranks = list(accumulate(1 / (rank + 2) for rank in range(len(rest))))

    def word(label: str, before: list[str]) -> str:
        if before and draw.random() < 0.15:  # texts repeat their words
            return draw.choice(before)
        if draw.random() > 0.22:
            return draw.choices(rest, cum_weights=ranks)[0]
        at = draw.random() ** 1.5
        chance = 0.1 if 0.1 < at < 0.15 else clear  # some words say little about the label
        return tables[label if draw.random() < chance else draw.choice(names)][int(at * step * 7) % step]

    labels = draw.choices(names, [first] + [1.0] * (lists - 1), k=texts)
    written = []
    for label in labels:
        drawn: list[str] = []
        for _ in range(1 + int(draw.gammavariate(3, words / 3))):
            drawn.append(word(label, drawn))
        sentences = [drawn[at : at + 12] for at in range(0, len(drawn), 12)]
        blank = "" if language in UNSPACED else " "
        written.append(". ".join(blank.join(sentence) for sentence in sentences).capitalize() + ".")
    own: Lists = {label: table[:size] for label, table in tables.items()}
    changed, own = changed_corpus(change, draw, written, own)
    return Corpus(name, own, changed, labels, language, glob)


def changed_corpus(change: str, draw: random.Random, texts: list[Any], lists: Lists) -> tuple[list[Any], Lists]:
    """The texts and lists with what makes a corpus special."""
    words = [word for table in lists.values() for word in table]
    forms: dict[str, Callable[[str, int], Any]] = {
        "wildcards": lambda word, at: word if at % 3 else f"{word[:5]}*",
        "globs": lambda word, at: (word, f"{word[0]}?{word[2:]}", f"{word[:2]}*{word[-1]}")[at % 3],
        "phrases": lambda word, at: f"{word} {word[::-1]}",
    }
    other: dict[str, dict[str, str]] = {
        "phrases": {word: f"{word} {word[::-1]}" for word in words},
        "negations": {word: f"{('not', 'never')[at % 2]} {words[-1 - at]}" for at, word in enumerate(words)},
    }
    ends = (":-)", "😀😀", "<br />sooooo", "&amp; #fail", ":( !!!", "it's can't", "e-mail@a.org", "’tis")
    if change in forms:
        lists = {name: [forms[change](word, at) for at, word in enumerate(table)] for name, table in lists.items()}
    if change in other:
        swap = other[change]
        texts = [" ".join(swap.get(w, w) if draw.random() < 0.3 else w for w in text.split()) for text in texts]
    if change == "weights":
        signs = {"negative": -1, "positive": 1}
        lists = {name: {word: signs[name] * draw.uniform(0.5, 4) for word in lists[name]} for name in lists}
    if change == "tweets":
        texts = [f"@user{at} {text} #{at % 9}tag https://t.co/a{at} {ends[at % 8]}" for at, text in enumerate(texts)]
    if change == "copies":
        texts = [texts[at - at % 4] for at in range(len(texts))]
    if change == "gaps":
        texts = [(None, "", "   ", "...")[at // 5 % 4] if at % 5 == 0 else text for at, text in enumerate(texts)]
    return texts, lists


PAPER: dict[str, tuple[str, int, int, str, tuple[object, ...]]] = {
    **{f"amazon-{name}": ("amazon", 0, 2, "domain", (name,)) for name in ("books", "dvd", "electronics", "kitchen")},
    "cornell-first": ("cornell", 0, 4, "", ()),
    "cornell-second": ("cornell", 1, 4, "", ()),
    "imdb-first": ("imdb", 0, 50, "", ()),
    "imdb-second": ("imdb", 1, 50, "", ()),
    "cine-mild": ("corpuscine", 0, 3, "rank", (2, 4)),
    "cine-strong": ("corpuscine", 0, 2, "rank", (1, 5)),
}
"""The parts of the paper's corpora: a file, its first row, the step, and the values of a column."""
CORPORA = [*MADE, *PAPER]


def paper(name: str) -> Corpus:
    """A part of one of the paper's corpora, with the lexicon of the paper."""
    file, first, step, column, values = PAPER[name]
    rows = pq.read_table(DATA / f"{file}.parquet").to_pylist()[first::step]
    rows = [row for row in rows if not column or row[column] in values]
    language, words = ("es", "isol-{}.csv") if file == "corpuscine" else ("en", "liu-{}.txt")
    files = {label: DATA / "lexicons" / words.format(label) for label in ("negative", "positive")}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # some words are in both lists
        lists = {label: list(words) for label, words in problex.read_lexicon(**files).lists.items()}
    return Corpus(name, lists, [row["text"] for row in rows], [row["label"] for row in rows], language)


def corpus_of(name: str) -> Corpus:
    """A corpus by its name."""
    return made(name, **MADE[name]) if name in MADE else paper(name)


def write_inputs(corpus: Corpus) -> None:
    """The files that the commands read, in the current folder."""
    rows = corpus.rows()
    write_csv("texts.csv", rows)
    write_csv("semicolons.csv", rows, "cp1252", ";")
    write_csv("tabs.tsv", rows, "utf-16", "\t")
    Path("lines.txt").write_text("\n".join(" ".join((text or "").split()) for text in corpus.texts), encoding="utf-8")
    weighted = any(isinstance(words, dict) for words in corpus.lists.values())
    entries = [
        {"word": word, "list": name} | ({"weight": words[word]} if weighted else {})
        for name, words in corpus.lists.items()
        for word in words
    ]
    write_csv("lexicon.csv", entries)


Rows = Sequence[Mapping[str, Any]]


def write_csv(path: str | Path, rows: Rows, encoding: str = "utf-8", delimiter: str = ",") -> None:
    """A table as a file."""
    with open(path, "w", encoding=encoding, errors="replace", newline="") as file:
        writer = csv.DictWriter(file, rows[0], delimiter=delimiter)
        writer.writeheader()
        writer.writerows(rows)


def label_sheets(corpus: Corpus) -> None:
    """Fill in the sheets of audits as people would, with one label in ten drawn at random."""
    for sheet in (*Path().glob("sheet.csv"), *Path().glob("both.*.csv")):
        draw, rows = random.Random(sheet.name), list(csv.DictReader(sheet.open(encoding="utf-8-sig", newline="")))
        if not any(row["label"] for row in rows):
            for row in rows:
                row["label"] = draw.choice([corpus.labels[int(row["row"])]] * 9 + sorted(corpus.lists)[:1])
            write_csv(sheet, rows)
