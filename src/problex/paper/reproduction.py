"""The systems of the paper on a data set, with the published AUC of each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.metrics import roc_auc_score

from problex._util.records import Record
from problex.classifier import LexiconClassifier
from problex.counting.counts import Counts
from problex.counting.tables import CountTable, sum_table, token_ids
from problex.estimation.fitting import estimate
from problex.evaluation.metrics import supervised_bound
from problex.lexicon.lexicon import Lexicon
from problex.matching.items import Items, items_of
from problex.matching.tokens import APOSTROPHES, Tokenizer
from problex.model.model import Model
from problex.model.settings import PAPER
from problex.paper.datasets import DataSet
from problex.scoring.scorer import make_scorer

VOCABULARY_SIZE = 50_000
SPLIT = str.maketrans(dict.fromkeys(APOSTROPHES, " "))
"""A text with blanks for apostrophes has the tokens of `PlainTokens`: the compiled counter can count them."""

PAPER_AUC: dict[str, dict[str, float]] = {
    "Lexicon": {"Amazon": 0.820, "Cornell": 0.765, "Cine": 0.636, "IMDB": 0.807},
    "Lex-Presence": {"Amazon": 0.820, "Cornell": 0.770, "Cine": 0.638, "IMDB": 0.805},
    "PMI": {"Amazon": 0.793, "Cornell": 0.761, "Cine": 0.638, "IMDB": 0.868},
    "ProbLex-Mult": {"Amazon": 0.832, "Cornell": 0.810, "Cine": 0.644, "IMDB": 0.884},
    "ProbLex-DCM": {"Amazon": 0.836, "Cornell": 0.824, "Cine": 0.645, "IMDB": 0.884},
    "LogReg": {"Amazon": 0.897, "Cornell": 0.914, "Cine": 0.889, "IMDB": 0.955},
}
"""AUC in Eisenstein (2017), table 3."""

RULE_OF_SYSTEM = {
    "Lexicon": "count",
    "Lex-Presence": "presence",
    "PMI": "pmi",
    "ProbLex-Mult": "multinomial",
    "ProbLex-DCM": "dcm",
}


@dataclass(frozen=True)
class SystemResult:
    """The AUC of a system on a corpus: in the paper (None: not in the paper), and ours."""

    corpus: str
    system: str
    paper: float | None
    ours: float

    def record(self) -> Record:
        """The row as plain values.

        >>> results = SystemResult("Amazon", "PMI", 0.793, 0.79412), SystemResult("Cine", "PMI", None, 0.66)
        >>> [(row["ours"], row["difference"]) for row in (result.record() for result in results)]
        [(0.7941, 0.0011), (0.66, None)]
        """
        return {
            "corpus": self.corpus,
            "system": self.system,
            "paper": self.paper,
            "ours": round(self.ours, 4),
            "difference": None if self.paper is None else round(self.ours - self.paper, 4),
        }


def reproduce(
    data: DataSet, on_step: Callable[[str], None] = lambda step: None, *, supervised: bool = True
) -> Iterator[SystemResult]:
    """All six systems of the paper on one corpus, and three that are not in it: the default and its expansions."""
    positive = data.labels == "positive"
    tokenizer = PlainTokens(data.language)
    on_step("counting words")
    words = Lexicon(
        {name: [word for word in entries if word.isalpha()] for name, entries in data.lexicon.lists.items()}
    )
    table, counts = _paper_counts(data.texts, words, tokenizer)
    paper = estimate(counts, words, tokenizer=tokenizer.tokenizer, **{**vars(PAPER), "rule": "pmi"})
    for system, rule in RULE_OF_SYSTEM.items():
        on_step(system)
        yield SystemResult(data.name, system, PAPER_AUC[system].get(data.name), _auc(table, paper, rule, positive))
    yield SystemResult(data.name, "Lexicon, raw count", None, _auc(table, paper, "count", positive, per_token=False))
    kinds: dict[str, bool | str] = {
        "problex default": False,
        "problex listed words": "lexicon",
        "problex expanded": True,
    }
    for name, expand in kinds.items():
        on_step(name)
        classifier = LexiconClassifier(data.lexicon, language=data.language, expand=expand).fit(data.texts)
        yield SystemResult(
            data.name, name, None, float(roc_auc_score(positive, classifier.decision_function(data.texts)))
        )
    if supervised:
        on_step("LogReg, five folds with labels")
        bound = supervised_bound(data.texts, positive, tokenizer, vocabulary=VOCABULARY_SIZE)
        yield SystemResult(data.name, "LogReg", PAPER_AUC["LogReg"].get(data.name), bound)


class PlainTokens:
    """The tokens of the paper: runs of letters in lower case, split at apostrophes."""

    def __init__(self, language: str) -> None:
        self.folding = Tokenizer(language, negation=None, keep_links=True)
        self.tokenizer = Tokenizer(language, custom=self, negation=None)

    def __call__(self, text: str) -> list[str]:
        """The tokens of a text.

        >>> PlainTokens("en")("I don't know, it's Bob's")
        ['i', 'don', 't', 'know', 'it', 's', 'bob', 's']
        """
        return [part for token in self.folding(text) for part in token.split("'")]


def _paper_counts(texts: Sequence[str], lexicon: Lexicon, tokens: PlainTokens) -> tuple[CountTable, Counts]:
    """The counts of the 50,000 most frequent words in each text, and the sums of the single words of the lexicon."""
    items = items_of(lexicon, tokens.tokenizer)
    whole = tabulate_plain(texts, items, tokens)
    totals = np.asarray(whole.matrix.sum(axis=0)).reshape(-1)
    most_frequent = np.argsort(-totals, kind="stable")[:VOCABULARY_SIZE]
    matrix = whole.matrix[:, most_frequent]
    lengths = np.asarray(matrix.sum(axis=1)).reshape(-1)
    table = CountTable([whole.words[index] for index in most_frequent], matrix, lengths)
    none = Counts.none(lexicon, tokens.tokenizer, associations=True)
    return table, sum_table(table, items, none)


def tabulate_plain(texts: Sequence[str], items: Items, tokens: PlainTokens) -> CountTable:
    """The counts of plain tokens by the compiled counter, words in the order in which they come first.

    >>> lexicon, tokens = Lexicon({"up": ["good"], "down": ["bad"]}), PlainTokens("en")
    >>> table = tabulate_plain(["a good, good film", "film"], items_of(lexicon, tokens.tokenizer), tokens)
    >>> table.words, table.matrix.toarray().tolist()
    (['a', 'good', 'film'], [[1, 2, 1], [0, 0, 1]])
    """
    found = token_ids([text.translate(SPLIT) for text in texts], items, tokens.folding)
    used, first, numbers = np.unique(found.ids, return_index=True, return_inverse=True)
    order = np.argsort(first)
    place = np.empty(len(used), dtype=np.int64)
    place[order] = np.arange(len(used))
    cells = (np.ones(len(numbers), np.int64), place[numbers], found.ends.astype(np.int64))
    matrix = sparse.csr_array(cells, shape=(len(found.ends) - 1, len(used)))
    matrix.sum_duplicates()
    return CountTable([found.words[at] for at in used[order]], matrix, np.diff(found.ends).astype(np.int64))


def _auc(table: CountTable, model: Model, rule: str, positive: NDArray[np.bool_], *, per_token: bool = True) -> float:
    """AUC of a rule; the paper divides the scores of every system by length."""
    scorer = make_scorer(model, rule, "none")
    decision = scorer.score_table(table.project(scorer.columns)).decision
    return float(roc_auc_score(positive, decision / (table.lengths + 0.1) if per_token else decision))
