"""Other libraries that count words or score texts, each as a function of a list of texts; and whether they agree.

A library that is not installed is left out: `pip install 'problex[bench]'` installs them all.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache
from importlib.util import find_spec
from typing import Any

import numpy as np

from problex.counting.tables import tabulate
from problex.lexicon.lexicon import Lexicon
from problex.matching.items import items_of
from problex.matching.tokens import Tokenizer

LETTERS = r"[^\W\d_]+"
"""Runs of letters, as near as Python's expressions come to it: ½ and ² are letters here, combining marks are not."""

Texts = Sequence[str]


def count_vectorizer(texts: Texts) -> Any:
    """scikit-learn's counts as a sparse matrix, as it comes."""
    from sklearn.feature_extraction.text import CountVectorizer

    return CountVectorizer().fit_transform(texts)


def hashing_vectorizer(texts: Texts) -> Any:
    """scikit-learn's hashed counts."""
    from sklearn.feature_extraction.text import HashingVectorizer

    return HashingVectorizer(alternate_sign=False, norm=None).fit_transform(texts)


def polars_sums(texts: Any) -> dict[str, tuple[int, int]]:
    """Occurrences and squares of every word: split, group by document and word, then by word, on all cores."""
    import polars as pl

    words = pl.col("text").str.to_lowercase().str.extract_all(r"\p{L}+").alias("word")
    frame = pl.LazyFrame({"text": texts}).with_row_index("document").select("document", words).explode("word")
    each = frame.drop_nulls("word").group_by("document", "word").agg(pl.len().cast(pl.Int64).alias("x"))
    sums = each.group_by("word").agg(pl.col("x").sum(), (pl.col("x") ** 2).sum().alias("q")).collect()
    return {word: (x, q) for word, x, q in sums.iter_rows()}


def nltk_counts(texts: Texts) -> Counter[str]:
    """NLTK's regular expression tokenizer and a `Counter`: nothing to download."""
    from nltk.tokenize import RegexpTokenizer

    tokenizer = RegexpTokenizer(LETTERS)
    counts: Counter[str] = Counter()
    for text in texts:
        counts.update(tokenizer.tokenize(text.lower()))
    return counts


@lru_cache
def _vader() -> Any:
    from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer

    return SentimentIntensityAnalyzer()


@lru_cache
def _afinn() -> Any:
    from afinn import Afinn

    return Afinn()


def vader(texts: Texts) -> np.ndarray:
    """VADER's compound score of the whole text."""
    return np.array([_vader().polarity_scores(text)["compound"] for text in texts])


def vader_by_sentence(texts: Texts) -> np.ndarray:
    """The mean of VADER's compound score over sentences, for which it was made."""
    sentences = [[part for part in re.split(r"(?<=[.!?])\s+|\n+", text) if part.strip()] or [""] for text in texts]
    return np.array([np.mean(vader(parts)) for parts in sentences])


def textblob(texts: Texts) -> np.ndarray:
    """TextBlob's polarity."""
    from textblob import TextBlob

    return np.array([TextBlob(text).sentiment.polarity for text in texts])


def afinn(texts: Texts) -> np.ndarray:
    """AFINN's sum of valences."""
    return np.array([_afinn().score(text) for text in texts])


COUNTING: dict[str, tuple[str, Callable[[Any], Any], int | None]] = {
    "CountVectorizer": ("sklearn", count_vectorizer, None),
    "HashingVectorizer": ("sklearn", hashing_vectorizer, None),
    "polars, all cores": ("polars", polars_sums, None),
    "NLTK": ("nltk", nltk_counts, 4000),
}
"""Peers that count: the package they need, the function, and how many documents suffice for a measurement."""

SCORING: dict[str, tuple[str, Callable[[Texts], np.ndarray], int | None]] = {
    "VADER": ("vaderSentiment", vader, 200),
    "TextBlob": ("textblob", textblob, 300),
    "AFINN": ("afinn", afinn, 1000),
}
"""Peers that score."""


def installed(family: dict[str, Any]) -> dict[str, Any]:
    """Those whose package is there."""
    return {name: peer for name, peer in family.items() if find_spec(peer[0]) is not None}


def our_totals(texts: Texts) -> Counter[str]:
    """Occurrences of every word, letters only: the rule for French parts words at apostrophes, as the peers do."""
    tokenizer = Tokenizer("fr", negation=None)
    nothing = items_of(Lexicon({"one": ["qqqq"], "two": ["qqqqq"]}), tokenizer)
    table = tabulate(texts, nothing, tokenizer)
    totals = np.asarray(table.matrix.sum(axis=0)).reshape(-1).tolist()
    return Counter({word: total for word, total in zip(table.words, totals, strict=True) if total})


def _vectorizer_totals(texts: Texts) -> Counter[str]:
    from sklearn.feature_extraction.text import CountVectorizer

    counter = CountVectorizer(token_pattern=LETTERS)
    totals = np.asarray(counter.fit_transform(texts).sum(axis=0)).reshape(-1)
    return Counter({word: int(totals[at]) for word, at in counter.vocabulary_.items()})


def _polars_totals(texts: Texts) -> Counter[str]:
    return Counter({word: x for word, (x, _) in polars_sums(list(texts)).items()})


TOTALS: dict[str, tuple[str, Callable[[Texts], Counter[str]]]] = {
    "CountVectorizer": ("sklearn", _vectorizer_totals),
    "polars, all cores": ("polars", _polars_totals),
    "NLTK": ("nltk", nltk_counts),
}
"""Peers that can be given our definition of a word, nearly."""


def same_tokens(texts: Texts) -> list[dict[str, Any]]:
    """For each peer: tokens of both, and the words whose totals differ, by whether the definitions explain it."""
    ours = our_totals(texts)
    records = []
    for name, (_, count) in installed(TOTALS).items():
        theirs = count(texts)
        differ = sorted(word for word in {*ours, *theirs} if ours[word] != theirs[word])
        odd = [word for word in differ if word.isascii() and not _beside_odd_letters(word, differ)]
        records.append(
            {
                "peer": name,
                "documents": len(texts),
                "tokens": ours.total(),
                "peer_tokens": theirs.total(),
                "words": len(ours),
                "words_that_differ": len(differ),
                "unexplained": odd[:20],
                "examples": differ[:10],
            }
        )
    return records


def _beside_odd_letters(word: str, differ: Sequence[str]) -> bool:
    """Whether a plain word differs because of another that is not plain: `film` where one reads `film²`."""
    others = [other for other in differ if not other.isascii()]
    return any(word in unicodedata.normalize("NFKD", other) or word in other for other in others)
