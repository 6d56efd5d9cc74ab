"""Scores of an indexed corpus: those of `score`, without reading the texts again."""

from __future__ import annotations

import numpy as np

from problex.counting.tables import Rows
from problex.errors import ModelError
from problex.index.word_index import WordIndex
from problex.matching.negation import NEGATED
from problex.model.model import Model
from problex.scoring.scorer import Scorer, make_scorer
from problex.scoring.scores import Scores


def score_indexed(index: WordIndex, model: Model, *, rule: str | None = None, temper: str | None = None) -> Scores:
    """The scores of the texts of an index: those of `score(texts, model)`, up to rounding.

    The model must have the tokenizer, the phrases and the literals of the index, and no learned words.

    >>> import pyarrow as pa
    >>> from problex import Lexicon, estimate, score
    >>> from problex.index import WordIndex
    >>> texts = pa.array(["good fine day", "fine good film", "bad poor film", "poor bad day", "good bad"] * 20)
    >>> lexicon = Lexicon({"positive": ["good", "fine"], "negative": ["bad", "poor"]})
    >>> index = WordIndex.of(texts, lexicon)
    >>> model = estimate(index.counts(lexicon), lexicon)
    >>> bool(np.allclose(score_indexed(index, model).values, score(texts, model).values))
    True
    """
    scorer = make_scorer(model, rule, temper)
    if scorer.expansion is not None:
        raise ModelError(
            "the model was expanded, and the features it learned are not in the index: score the texts with score, or "
            "give the model without its expansion"
        )
    if model.tokenizer != index.tokenizer:
        raise ModelError(
            f"the model was estimated with {model.tokenizer}, but the index was made with "
            f"{index.tokenizer}: estimate the model from the counts of this index"
        )
    index.check_items(model.items)
    rows = _rows(index, scorer, model.evidence.entries)
    return scorer.finish(scorer.sums(rows), rows)


def _rows(index: WordIndex, scorer: Scorer, entries: tuple[str, ...]) -> Rows:
    """The counts of the texts over the columns of a scorer, of which the entries are the first."""
    names, per_text = scorer.words, (index.lengths, index.word_keys)
    if not scorer.rule.all_words:
        # items that do not occur are behind the entries, whose rows are known after `counts`
        rows = index.rows(names if index.has_any(names[len(entries) :]) else entries)
        return Rows(rows.indptr, rows.indices, rows.data, *per_text)
    # words outside the lexicon are also counted where they are negated
    others = np.array([at for at, name in enumerate(names) if scorer.items.find(name) is None], dtype=np.int64)
    rows = index.rows((*names, *(NEGATED + names[at] for at in others)))
    columns = np.concatenate([np.arange(len(names)), others])
    return Rows(rows.indptr, columns[rows.indices], rows.data, *per_text)
