"""`LexiconClassifier`: the scikit-learn contract over count, estimate and score, nothing more."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from problex.corpus import batches
from problex.counting.counts import Counts
from problex.counting.streams import FILE_BATCH, MEMORY_BATCH, count_batches
from problex.errors import DocumentError, EstimationError, EstimationWarning
from problex.estimation.model import Model, estimate
from problex.estimation.settings import DEFAULT, PAPER, Shares
from problex.lexicon.lexicon import Lexicon
from problex.matching.languages import language_of
from problex.matching.negation import Negation
from problex.matching.tokens import Tokenizer
from problex.scoring.expanded_model import TextSample, expand
from problex.scoring.scores import UNDECIDED, Scores, score

if TYPE_CHECKING:
    import pandas as pd


class LexiconClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Classify texts by opposed word lists whose words are weighted without labels.

    The default is the best label-free model; `LexiconClassifier.paper(lexicon)` is the published one. `classes_` are
    the sorted names of the lists; for two, `decision_function` is the tempered log-odds of `classes_[1]`. With
    `expand=True` all words and pairs of neighbours get a weight, learned from what the lexicon says, without labels.

    >>> lexicon = Lexicon({"positive": ["good", "fine"], "negative": ["bad", "poor"]})
    >>> texts = ["good fine day", "fine good film", "bad poor film", "poor bad day", "good bad"] * 20
    >>> clf = LexiconClassifier(lexicon).fit(texts)
    >>> clf.predict(["a fine film", "a poor day", "a long day"]).tolist()
    ['positive', 'negative', 'undecided']
    """

    def __init__(
        self,
        lexicon: Lexicon | Mapping[str, Sequence[str]],
        rule: str = DEFAULT.rule,
        *,
        solver: str = DEFAULT.solver,
        shrinkage: float | str = DEFAULT.shrinkage,
        shrink_to: str = DEFAULT.shrink_to,
        max_predictiveness: float = DEFAULT.max_predictiveness,
        keep_discordant: bool = DEFAULT.keep_discordant,
        balance: Shares = DEFAULT.balance,
        prior: Mapping[str, float] | None = DEFAULT.prior,
        temper: str = DEFAULT.temper,
        calibration: str = DEFAULT.calibration,
        solver_options: Mapping[str, Any] | None = None,
        expand: bool = False,
        language: str = "en",
        fold_accents: bool | None = None,
        negation: Negation | str | bool | None = "auto",
        tokenizer: Callable[[str], Sequence[str]] | None = None,
        markup: bool = False,
        missing: str = "error",
        threads: int | None = None,
    ) -> None:
        self.lexicon = lexicon
        self.rule = rule
        self.solver = solver
        self.shrinkage = shrinkage
        self.shrink_to = shrink_to
        self.max_predictiveness = max_predictiveness
        self.keep_discordant = keep_discordant
        self.balance = balance
        self.prior = prior
        self.temper = temper
        self.calibration = calibration
        self.solver_options = solver_options
        self.expand = expand
        self.language = language
        self.fold_accents = fold_accents
        self.negation = negation
        self.tokenizer = tokenizer
        self.markup = markup
        self.missing = missing
        self.threads = threads

    @classmethod
    def paper(cls, lexicon: Lexicon | Mapping[str, Sequence[str]], **changes: Any) -> LexiconClassifier:
        """The published method in its author's settings: equal balance, no shrinkage, ADMM stopped early."""
        return cls(lexicon, **{**vars(PAPER), "negation": None, **changes})

    def fit(self, X: Any, y: Any = None) -> LexiconClassifier:
        """Learn the weights from texts. `y` is accepted for scikit-learn's sake and ignored."""
        sample = TextSample() if self.expand else None
        self.language_ = self.language
        counts = self._count(X, sample)
        self.model_: Model = self._estimate(counts, sample)
        self.counts_: Counts = counts
        self.classes_ = np.array(self._lexicon().names, dtype=object)
        return self

    def partial_fit(self, X: Any, y: Any = None, classes: Any = None) -> LexiconClassifier:
        """Learn from more texts: the same as `fit` on all of them, in any order and any batches.

        Batches that do not suffice for a model yet are kept, and a warning says what is missing.
        """
        if not hasattr(self, "language_"):
            self.language_ = self.language
        if self.expand and not hasattr(self, "sample_"):
            self.sample_ = TextSample()
        counts = self._count(X, self.sample_ if self.expand else None)
        self.counts_ = self.counts_ + counts if hasattr(self, "counts_") else counts
        self.classes_ = np.array(self._lexicon().names, dtype=object)
        try:
            self.model_ = self._estimate(self.counts_, self.sample_ if self.expand else None)
        except EstimationError as error:
            warnings.warn(f"no model yet, the counts are kept: {error}", EstimationWarning, stacklevel=2)
        return self

    def _count(self, X: Any, sample: TextSample | None) -> Counts:
        size = FILE_BATCH if isinstance(X, Path) else MEMORY_BATCH
        stream = batches(X, missing=self.missing, batch_bytes=size)
        if self.language_ == "auto" and (first := next(stream, None)) is not None:
            self.language_ = language_of(first.texts)
            stream = chain([first], stream)
        counts = count_batches(
            sample.watch(stream) if sample else stream,
            self._lexicon(),
            self.threads,
            tokenizer=self._tokenizer(),
            markup=self.markup,
            associations=self.rule == "pmi",
        )
        if counts.documents == 0:
            raise DocumentError("there are no documents to learn from, expected at least one text")
        return counts

    def _estimate(self, counts: Counts, sample: TextSample | None) -> Model:
        own = {name: getattr(self, name) for name in vars(DEFAULT) if name != "solver_options"}
        options = dict(self.solver_options or {})
        model = estimate(counts, self._lexicon(), tokenizer=self._tokenizer(), solver_options=options, **own)
        return expand(model, sample, markup=self.markup, threads=self.threads) if sample else model

    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """The log-odds of `classes_[1]` for two lists; a column per class for more."""
        return self._score(X).decision

    def predict(
        self, X: Any, *, undecided: str | None = UNDECIDED, confidence: float | None = None
    ) -> NDArray[np.object_]:
        """The best class; texts with no word that has a say, or a tie, get `undecided` (None: a class all the same).

        With a `confidence`, so do texts whose best class has a lower probability than that.
        """
        return self._score(X).labels(undecided, confidence)

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Probabilities in the order of `classes_`: the prior where nothing speaks."""
        return self._score(X).probabilities

    @property
    def weights_(self) -> pd.DataFrame:
        """A frame of all entries, heaviest first: count, cross counts, predictiveness with its interval, weight."""
        import pandas as pd

        check_is_fitted(self, "model_")
        return pd.DataFrame(self.model_.records())

    def _score(self, X: Any) -> Scores:
        check_is_fitted(self, "model_")
        return score(X, self.model_, missing=self.missing, markup=self.markup, threads=self.threads)

    def _lexicon(self) -> Lexicon:
        return self.lexicon if isinstance(self.lexicon, Lexicon) else Lexicon(self.lexicon)

    def _language(self) -> str:
        found = getattr(self, "language_", self.language)
        return "any" if found == "auto" else found  # there was no text to guess from

    def _tokenizer(self) -> Tokenizer:
        return Tokenizer(self._language(), self.fold_accents, self.tokenizer, self.negation)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        tags.input_tags.two_d_array = False
        tags.target_tags.required = False
        return tags
