"""`expand`: from a lexicon model and unlabelled texts to a model that also knows the words outside the lexicon."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from problex._util.formatting import pluralize
from problex.corpus import Batch, batches, strip_markup
from problex.counting.tables import token_ids
from problex.errors import EstimationWarning
from problex.estimation.model import Model
from problex.expansion.expansion import learn
from problex.expansion.vocabulary import vocabulary_of
from problex.scoring.scores import score

LEAST_DOCUMENTS = 20
LEAST_AGREEMENT = 0.2
"""Below it, expansion fell behind the lexicon on short texts as often as it helped."""
SAMPLE_BYTES = 128 << 20


class TextSample:
    """A sample of texts within a bound on bytes, however many go by: each has the same chance to stay.

    The lexicon model is estimated from all texts, for it needs their sums only; the expansion learns from a sample.
    The default holds about 100,000 reviews: smaller corpora are kept whole.
    """

    def __init__(self, limit: int = SAMPLE_BYTES, seed: int = 0) -> None:
        self.limit = limit
        self.seen = 0
        self._random = np.random.default_rng(seed)
        self._chance = 1.0
        self._parts: list[tuple[pa.Array, NDArray[np.float64]]] = []

    def watch(self, stream: Iterable[Batch]) -> Iterator[Batch]:
        """Pass batches on, and keep a sample of what goes by."""
        for batch in stream:
            self.add(batch.texts)
            yield batch

    def add(self, texts: pa.Array) -> None:
        """Look at more texts."""
        ticket = self._random.random(len(texts))
        self.seen += len(texts)
        self._parts.append(_those(texts, ticket, self._chance))
        while sum(part.nbytes for part, _ in self._parts) > self.limit and self._chance > 1e-12:
            self._chance /= 2
            self._parts = [_those(part, tickets, self._chance) for part, tickets in self._parts]

    @property
    def texts(self) -> pa.Array:
        """The texts that were kept."""
        return (
            pa.concat_arrays([part.cast(pa.large_string()) for part, _ in self._parts])
            if self._parts
            else pa.array([], pa.large_string())
        )


def _those(texts: pa.Array, tickets: NDArray[np.float64], chance: float) -> tuple[pa.Array, NDArray[np.float64]]:
    if chance >= 1.0:
        return texts, tickets
    kept = tickets < chance
    return texts.filter(pa.array(kept)), tickets[kept]


def sample_of(documents: Any, **reading: Any) -> TextSample:
    """A sample of the texts of any source; the options are those of `batches`."""
    found = TextSample()
    for batch in batches(documents, **reading):
        found.add(batch.texts)
    return found


def expand(model: Model, documents: Any, *, markup: bool = False, threads: int | None = None, **reading: Any) -> Model:
    """The same model with an expansion: all words and pairs of neighbours, weighed without a label.

    `documents` are texts of any source, or a `TextSample` that was filled while they were counted. Where there is too
    little to learn from, the model comes back as it was, and a warning says so.

    >>> from problex import Lexicon, count, estimate
    >>> lexicon = Lexicon({"positive": ["good", "fine"], "negative": ["bad", "poor"]})
    >>> texts = ["good fine sunny day", "fine good sunny film", "bad poor rainy film", "poor bad rainy day"] * 20
    >>> model = expand(estimate(count(texts, lexicon), lexicon), texts)
    >>> from problex import score
    >>> score(["a sunny place", "a rainy place"], model).labels().tolist()
    ['positive', 'negative']
    """
    sample = documents if isinstance(documents, TextSample) else sample_of(documents, **reading)
    texts = strip_markup(sample.texts) if markup else sample.texts
    if len(texts) < LEAST_DOCUMENTS:
        return _unchanged(model, f"{pluralize(len(texts), 'document')} cannot teach the words outside the lexicon")
    plain = replace(model, expansion=None)
    scores = score(texts, plain, threads=threads)
    lexicon = scores.values - np.log(model.prior)
    # Tempered by burstiness, the evidence of a list grows with length as little as it can.
    evidence = score(texts, plain, temper="burstiness", threads=threads).values
    tokens = token_ids(texts, model.items, model.tokenizer)
    vocabulary = vocabulary_of(tokens)
    if len(vocabulary.first) < 2 or not np.all(evidence.std(axis=0) > 0):
        return _unchanged(model, "the texts have too few words in common, or say too little about the lists")
    decided = lexicon[~scores.undecided]
    share = float(np.mean(decided.argmax(axis=1) == 1)) if len(decided) else 0.5
    found = learn(tokens, vocabulary, evidence, lexicon, model.evidence.entries, share)
    if found.agreement < LEAST_AGREEMENT:
        told = f"the words outside the lexicon hardly agree with it ({found.agreement:.2f})"
        return _unchanged(model, f"{told} on texts they were not trained on")
    return replace(plain, expansion=found, platt=None)  # labels had calibrated the scores of the lexicon


def _unchanged(model: Model, reason: str) -> Model:
    advice = "the lexicon model is used alone. Give more or longer texts"
    warnings.warn(f"no expansion: {reason}; {advice}", EstimationWarning, stacklevel=3)
    return model


def suggestions(model: Model, top: int = 20) -> list[dict[str, Any]]:
    """Words and pairs outside the lexicon that speak most clearly for a list: candidates for adding to it.

    The heaviest come first; only those are shown that stand in at least one document of 500, and in five.
    """
    if model.expansion is None:
        return []
    least = max(5.0, model.expansion.documents / 500)
    known = model.expansion.records(model.classes, model.evidence.entries)
    found = [row for row in known if not row["in_lexicon"] and row["documents"] >= least]
    found.sort(key=lambda row: (-row["weight"], row["entry"]))
    rows = []
    for name in model.classes:
        own = [row for row in found if row["list"] == name]
        rows += [{key: row[key] for key in ("list", "entry", "documents", "weight")} for row in own[:top]]
    return rows
