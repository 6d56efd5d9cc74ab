"""Scores of a remembered corpus: those of `score`, without reading the texts again."""

from __future__ import annotations

import numpy as np

from problex.counting.recounting import check_items
from problex.counting.remembered import Remembered
from problex.counting.tables import Rows
from problex.errors import ModelError
from problex.matching.negation import NEGATED
from problex.model.model import Model
from problex.scoring.scorer import Scorer, make_scorer
from problex.scoring.scores import Scores


def score_remembered(
    remembered: Remembered, model: Model, *, rule: str | None = None, temper: str | None = None
) -> Scores:
    """The scores of the remembered texts: those of `score(texts, model)`, up to rounding.

    The model must have the tokenizer, the phrases and the literals of the remembered corpus, and no learned words.

    >>> import pyarrow as pa
    >>> from problex import Lexicon, estimate, score
    >>> from problex.counting import recount, remember
    >>> texts = pa.array(["good fine day", "fine good film", "bad poor film", "poor bad day", "good bad"] * 20)
    >>> lexicon = Lexicon({"positive": ["good", "fine"], "negative": ["bad", "poor"]})
    >>> corpus = remember(texts, lexicon)
    >>> model = estimate(recount(corpus, lexicon), lexicon)
    >>> bool(np.allclose(score_remembered(corpus, model).values, score(texts, model).values))
    True
    """
    scorer = make_scorer(model, rule, temper)
    if scorer.expansion is not None:
        raise ModelError(
            "the model was expanded, and the features it learned are not remembered: score the texts with score, or "
            "give the model without its expansion"
        )
    if model.tokenizer != remembered.tokenizer:
        raise ModelError(
            f"the model was estimated with {model.tokenizer}, but the corpus was remembered with "
            f"{remembered.tokenizer}: estimate the model from recount of this corpus"
        )
    check_items(remembered.items, model.items)
    rows = _rows(remembered, scorer, model.evidence.entries)
    return scorer.finish(scorer.sums(rows), rows)


def _rows(remembered: Remembered, scorer: Scorer, entries: tuple[str, ...]) -> Rows:
    """The counts of the remembered texts over the columns of a scorer, of which the entries are the first."""
    names, per_text = scorer.words, (remembered.lengths, remembered.word_keys)
    if not scorer.rule.all_words:
        # items that do not occur are behind the entries, whose rows are known after a recount
        rows = remembered.rows(names if remembered.has_any(names[len(entries) :]) else entries)
        return Rows(rows.indptr, rows.indices, rows.data, *per_text)
    # words outside the lexicon are also counted where they are negated
    others = np.array([at for at, name in enumerate(names) if scorer.items.find(name) is None], dtype=np.int64)
    rows = remembered.rows((*names, *(NEGATED + names[at] for at in others)))
    columns = np.concatenate([np.arange(len(names)), others])
    return Rows(rows.indptr, columns[rows.indices], rows.data, *per_text)
