"""Models of every kind that a file can hold, learned from a few hundred made-up texts."""

from __future__ import annotations

import warnings
from dataclasses import replace
from functools import cache

from problex import Lexicon, LexiconClassifier, Model, count, estimate, expand
from problex.matching.languages import LANGUAGES
from problex.matching.tokens import Tokenizer
from problex.model.calibration import AUDIT_LABELS, Platt
from tests.model.test_expansion import LISTS, corpus

NAMES = ("default", "paper", "prior", "pmi", "three", "given", "labels", "cotrained", "tone", "topics", "counting")
LEXICON = Lexicon({name: [*words[:6], f"{words[6][:3]}*", f"very {words[7]}"] for name, words in LISTS.items()})
TOPICS = ["rain sun cloud wind storm", "goal ball team match score", "vote party law election bill"]


@cache
def make(name: str) -> Model:
    """The model of a name; the texts, and so all values, are the same in every run."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return _make(name)


def _make(name: str) -> Model:
    texts = [f"not {text} :)" if at % 7 == 0 else text for at, text in enumerate(corpus(300, length=40)[0])]
    tokenizer = Tokenizer("en", negation=LANGUAGES["en"].negation, glob=True)
    if name in ("default", "prior", "pmi", "labels"):
        prior = {"positive": 0.7, "negative": 0.3} if name == "prior" else None
        counts = count(texts, LEXICON, tokenizer=tokenizer, associations=name == "pmi")
        rule = "pmi" if name == "pmi" else "dcm"
        model = estimate(counts, LEXICON, tokenizer=tokenizer, rule=rule, prior=prior)
        before = replace(model.calibration, half_length=12.0)
        moved = replace(before, threshold=0.3, source=AUDIT_LABELS, labels=40, before=before)
        return replace(model, calibration=moved, platt=Platt(0.8, (0.1, -0.1), 40)) if name == "labels" else model
    if name == "paper":
        return LexiconClassifier.paper(LEXICON).fit(texts).model_
    if name == "given":
        weights = {label: {word: 1.0 + at for at, word in enumerate(words)} for label, words in LISTS.items()}
        return estimate(count(texts, Lexicon(weights)), Lexicon(weights), shrink_to="given")
    if name in ("three", "topics"):
        words = [line.split() for line in TOPICS]
        texts = [" ".join([*group[at % 4 :], *group[: at % 3], f"day{at % 5}"]) for at in range(60) for group in words]
        lexicon = Lexicon({group[0]: group[:4] for group in words})
        model = estimate(count(texts, lexicon), lexicon)
        return expand(model, texts) if name == "topics" else model
    lexicon = Lexicon(LISTS)
    model = estimate(count(texts, lexicon), lexicon, rule="count" if name == "counting" else "dcm")
    return expand(model, texts, words="lexicon" if name == "cotrained" else "all")
