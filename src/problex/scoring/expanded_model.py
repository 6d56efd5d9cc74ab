"""`expand`: from a lexicon model and unlabelled texts to a model with weights for words outside the lexicon, too."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from problex._util.formatting import pluralize
from problex._util.records import Record
from problex.corpus import batches, strip_markup
from problex.counting.tables import token_ids
from problex.errors import EstimationWarning, warn_caller
from problex.estimation.model import Model
from problex.expansion.expansion import learn
from problex.expansion.vocabulary import vocabulary_of
from problex.scoring.reservoir import ReservoirSample
from problex.scoring.scorer import score

MIN_DOCUMENTS = 20
MIN_AGREEMENT = 0.2
"""Below this agreement, expansion made short texts worse as often as it made them better."""
MIN_SUGGESTION_DOCUMENTS = 5
SUGGESTION_DOCUMENTS = 500
"""A suggested word must occur in at least one of this many documents."""


def expand(model: Model, documents: Any, *, markup: bool = False, threads: int | None = None, **reading: Any) -> Model:
    """The same model with an expansion: weights for all words and pairs of neighbours, learned without labels.

    `documents` are texts of any source, or a `ReservoirSample` that was filled while they were counted; `reading` are
    options of `batches`. Where there is too little to learn from, the model is returned unchanged, with a warning.

    >>> from problex import Lexicon, count, estimate
    >>> lexicon = Lexicon({"positive": ["good", "fine"], "negative": ["bad", "poor"]})
    >>> texts = ["good fine sunny day", "fine good sunny film", "bad poor rainy film", "poor bad rainy day"] * 20
    >>> model = expand(estimate(count(texts, lexicon), lexicon), texts)
    >>> from problex import score
    >>> score(["a sunny place", "a rainy place"], model).labels().tolist()
    ['positive', 'negative']
    """
    if isinstance(documents, ReservoirSample):
        sample = documents
    else:
        sample = ReservoirSample()
        for batch in batches(documents, **reading):
            sample.add(batch.texts)
    texts = strip_markup(sample.texts) if markup else sample.texts
    if len(texts) < MIN_DOCUMENTS:
        return _unchanged(model, f"{pluralize(len(texts), 'document is', 'documents are')} too few to learn from")
    plain = replace(model, expansion=None)
    scores = score(texts, plain, threads=threads)
    lexicon = scores.values - np.log(model.prior)
    # Tempered by burstiness, the evidence of a list depends least on the length.
    evidence = score(texts, plain, temper="burstiness", threads=threads).values
    tokens = token_ids(texts, model.items, model.tokenizer)
    vocabulary = vocabulary_of(tokens)
    if len(vocabulary.first) < 2 or not np.all(evidence.std(axis=0) > 0):
        return _unchanged(model, "the texts have too few words in common, or too few words of the lists")
    decided = lexicon[~scores.undecided]
    share = float(np.mean(decided.argmax(axis=1) == 1)) if len(decided) else 0.5
    expansion = learn(tokens, vocabulary, evidence, lexicon, model.evidence.entries, share)
    if expansion.agreement < MIN_AGREEMENT:
        reason = f"the scores of the words outside the lexicon hardly correlate with it ({expansion.agreement:.2f})"
        return _unchanged(model, f"{reason} on held-out texts")
    return replace(plain, expansion=expansion, platt=None)  # the labels of an audit are for the scores of the lexicon


def _unchanged(model: Model, reason: str) -> Model:
    advice = "only the lexicon is used. Give more or longer texts"
    warn_caller(f"the model was not expanded: {reason}; {advice}", EstimationWarning)
    return model


def suggestions(model: Model, top: int = 20) -> list[Record]:
    """Words and pairs outside the lexicon with the largest weights for each list: candidates for adding to it.

    The largest weights come first; a word must occur in at least one of 500 documents, and in five.
    """
    if model.expansion is None:
        return []
    least = max(MIN_SUGGESTION_DOCUMENTS, model.expansion.documents / SUGGESTION_DOCUMENTS)
    features = model.expansion.records(model.classes, model.evidence.entries)
    candidates = [row for row in features if not row["in_lexicon"] and row["documents"] >= least]
    candidates.sort(key=lambda row: (-row["weight"], row["entry"]))
    rows = []
    for name in model.classes:
        own = [row for row in candidates if row["list"] == name]
        rows += [{key: row[key] for key in ("list", "entry", "documents", "weight")} for row in own[:top]]
    return rows
