"""Material for the tests of reports: a small corpus with HTML in its texts, and the text of sections."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from typing import Any

import pandas as pd

from problex import Lexicon, LexiconClassifier, count, estimate
from problex.corpus import batches
from problex.estimation.model import Model
from problex.report.material import Material, gather
from tests.expansion.test_expansion import LEXICON as WIDER
from tests.expansion.test_expansion import corpus

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
