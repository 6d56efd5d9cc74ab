"""The jobs of `bench.py` for a text at a time, and the material of those for many wildcards."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import count, islice, product
from typing import Any

import numpy as np
from jobs import Job, plain
from peers import SCORING, installed

from problex import LexiconClassifier, Model, expand, score
from problex.lexicon.lexicon import Lexicon
from problex.matching.negation import NEGATED
from problex.paper.datasets import DataSet

TEXT = "A wonderful film, not bad at all: the story is well told and the actors are good."
CALLS = 200
"""The calls of a job: a single one is too short for the clock."""
LARGE = 300_000
WILDCARDS = 5000


def latency_jobs(corpus: DataSet, large: int = LARGE) -> list[Job]:
    """A label for one text, by problex and by others, as often as `CALLS`."""
    texts = list(corpus.texts[:5000])
    small, big = (_fitted(texts, lexicon) for lexicon in (corpus.lexicon, enlarged(corpus.lexicon, large)))
    expanded = expand(small.model_, texts)
    calls: dict[str, Callable[[], Any]] = {
        f"CountVectorizer and dot product, {_entries(model)}": _vectorizer(model)
        for model in (small.model_, big.model_)
    }
    if "VADER" in installed(SCORING):
        calls["VADER"] = lambda: SCORING["VADER"][1]([TEXT])
    calls |= {
        f"problex: predict, {_entries(small.model_)}": lambda: small.predict([TEXT]),
        f"problex: predict, {_entries(big.model_)}": lambda: big.predict([TEXT]),
        "problex: expanded model": lambda: score([TEXT], expanded).labels(),
    }
    return [Job(name, lambda call=call: _repeat(call), CALLS, 0) for name, call in calls.items()]  # type: ignore[misc]


def enlarged(lexicon: Lexicon, size: int) -> Lexicon:
    """The same with made-up words, as many in each list, up to a number of entries."""
    lists = {name: list(words) for name, words in lexicon.lists.items()}
    known = {word for words in lists.values() for word in words}
    new = islice((word for word in made_up_words() if word not in known), max(size - len(lexicon), 0))
    for number, word in enumerate(new):
        lists[lexicon.names[number % len(lists)]].append(word)
    return Lexicon(lists)


def wildcard_lexicon(texts: Sequence[str], size: int = WILDCARDS) -> Lexicon:
    """Wildcards as in LIWC, of the first letters of words that occur; made-up ones if there are too few."""
    words = (word[:6] for text in texts for word in text.lower().split() if word.isalpha() and len(word) > 5)
    letters = list(islice(dict.fromkeys(words), size))
    known = set(letters)
    letters += islice((word for word in made_up_words() if word not in known), size - len(letters))
    return Lexicon({"one": [f"{part}*" for part in letters[::2]], "two": [f"{part}*" for part in letters[1::2]]})


def matched_lexicon(model: Model) -> Lexicon:
    """The words that the wildcards of a model matched, as entries of a lexicon without wildcards."""
    evidence = model.evidence
    lists: dict[str, list[str]] = {name: [] for name in model.lexicon.names}
    for entry, place in zip(evidence.entries, evidence.list_index.tolist(), strict=True):
        if not entry.startswith(NEGATED) and "*" not in entry:
            lists[model.lexicon.names[place]].append(entry)
    return Lexicon(lists)


def made_up_words() -> Iterator[str]:
    """Words of five letters and more that no language has."""
    return ("".join(letters) for size in count(5) for letters in product("bdfgklmnprstvz", repeat=size))


def _fitted(texts: Sequence[str], lexicon: Lexicon) -> LexiconClassifier:
    return LexiconClassifier(lexicon).fit(texts)


def _entries(model: Model) -> str:
    return f"{len(model.lexicon):,} entries"


def _vectorizer(model: Model) -> Callable[[], Any]:
    """scikit-learn's counts of the single words of a lexicon, and their weighted sum."""
    from sklearn.feature_extraction.text import CountVectorizer

    words = sorted({word for words in plain(model.lexicon).lists.values() for word in words})
    counter, weights = CountVectorizer(vocabulary=words), np.linspace(-1, 1, len(words))
    return lambda: counter.transform([TEXT]) @ weights > 0


def _repeat(call: Callable[[], Any]) -> None:
    for _ in range(CALLS):
        call()
