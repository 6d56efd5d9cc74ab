"""Material for the tests of reports: a small corpus with HTML in its texts, and the text of sections."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from functools import cache
from random import Random
from typing import Any

import pandas as pd

from problex import Lexicon, LexiconClassifier, count, estimate
from problex.corpus import batches
from problex.model.model import Model
from problex.report.material import Material, gather
from tests.model.test_expansion import LEXICON as WIDER
from tests.model.test_expansion import corpus

NASTY = 'good <script>alert(\'x\')</script> & "fine" </style><!-- --> <img src="http://example.org/x.png" onerror=y>'
LEXICON = Lexicon({"positive": ["good", "fine", "well made"], "negative": ["bad", "poor", "rip off"]})
TEXTS = [
    "a good, fine day with good friends",
    "fine and good and well made",
    "a bad day and a poor film",
    "poor, bad: a rip off",
    "good but bad",
    "nothing to see here",
    "the film was not good, really, and poorly made",
    NASTY,
] * 5
FRAME = pd.DataFrame({"text": TEXTS, "party": ["left", "right", "<b>green</b>", ""] * 10})


def small_model(**settings: Any) -> Model:
    return estimate(count(TEXTS, LEXICON), LEXICON, **settings)


def material(model: Model | None = None, **options: Any) -> Material:
    keep = tuple(filter(None, [options.get("by")]))
    return gather(lambda: batches(FRAME, text="text", keep=keep), model or small_model(), **options)


TOPICS = {
    "business": ["market", "profit", "bank", "trade", "merger", "sales", "stock", "tariff", "export", "growth"],
    "entertainment": ["film", "actor", "music", "album", "singer", "comedy", "theatre", "drama", "band", "concert"],
    "politics": ["election", "minister", "vote", "party", "policy", "cabinet", "lords", "tax", "speech", "campaign"],
    "sport": ["match", "team", "coach", "goal", "league", "player", "cup", "rugby", "tennis", "medal"],
    "tech": ["software", "mobile", "internet", "computer", "digital", "phone", "data", "network", "virus", "chip"],
}
FILLER = [a + b for a in ("ba", "ce", "di", "fo", "gu", "ka", "le", "mi", "no") for b in ("lan", "ter", "nis", "mor")]


def topic_frame(documents: int = 300) -> pd.DataFrame:
    """Texts of five topics: words of their own list, a few of others, and filler; with a date and a newspaper."""
    random = Random(5)
    rows = []
    for at in range(documents):
        topic = random.choice(list(TOPICS))
        own = random.sample(TOPICS[topic], random.randint(0, 4))
        other = random.sample(TOPICS[random.choice(list(TOPICS))], random.randint(0, 2))
        words = random.sample([*own, *own, *other, *random.choices(FILLER, k=40)], 40 + 2 * len(own) + len(other))
        paper = random.choice(["The Courier", "Herald", "Evening Post, late edition with a long name"])
        rows.append({"text": " ".join(words), "date": f"{2004 + at % 2}-{at % 12 + 1:02}-15", "paper": paper})
    return pd.DataFrame(rows)


@cache
def topics(by: str | None = None) -> tuple[Material, pd.DataFrame]:
    """The material of a report on five topics, and the texts."""
    frame, lexicon = topic_frame(), Lexicon(TOPICS)
    model = estimate(count(frame["text"].tolist(), lexicon), lexicon)
    keep = (by,) if by else ()
    return gather(lambda: batches(frame, text="text", keep=keep), model, title="Topics", by=by), frame


class Plain(Model):
    """A model whose records have no intervals."""

    def records(self) -> list[dict[str, Any]]:
        return [{key: row[key] for key in row if key not in ("low", "high")} for row in super().records()]


def plain() -> Model:
    return Plain(**vars(replace(small_model())))


def expanded() -> tuple[Model, list[str]]:
    """A model that has learned words beyond its lexicon, and the texts."""
    texts, _ = corpus()
    return LexiconClassifier(WIDER, expand=True).fit(texts).model_, texts


def text_of(value: object) -> str:
    """All strings in a section or another value, in order."""
    return "\n".join(_strings(value))


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif is_dataclass(value):
        for field in fields(value):
            yield from _strings(getattr(value, field.name))
    elif isinstance(value, tuple | list):
        for part in value:
            yield from _strings(part)
