"""`LexiconClassifier`: `count`, `estimate` and `score` with the interface of scikit-learn."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from problex.counting.counts import Counts
from problex.counting.streams import count
from problex.errors import DocumentError, EstimationError, EstimationWarning, check_choice, warn_caller
from problex.estimation.model import Model, estimate
from problex.estimation.settings import DEFAULT, PAPER, Shares
from problex.lexicon.lexicon import Lexicon
from problex.matching.negation import Negation
from problex.matching.tokens import Tokenizer
from problex.scoring.expanded_model import expand
from problex.scoring.reservoir import ReservoirSample
from problex.scoring.scorer import score
from problex.scoring.scores import UNDECIDED, Scores

if TYPE_CHECKING:
    import pandas as pd


class LexiconClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Classify texts by opposed word lists whose words are weighted without labels.

    `LexiconClassifier.paper(lexicon)` is the published method; the default settings are more accurate. `classes_` are
    the sorted names of the lists; for two, `decision_function` is the tempered log-odds of `classes_[1]`. With
    `expand=True` all words and pairs of neighbours get a weight, learned without labels from the lexicon's scores; with
    `expand="lexicon"` only the words of the lexicon have weights, but all words help to learn them.

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
        expand: bool | str = False,
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
        """Learn the weights from texts. `y` is accepted for compatibility with scikit-learn and ignored."""
        if isinstance(self.expand, str):
            check_choice("expand", self.expand, ["lexicon"], "or True or False")
        lexicon, sample = self._lexicon(), ReservoirSample() if self.expand else None
        counts = self._count(X, lexicon, sample, self.language)
        self.model_: Model = self._estimate(counts, lexicon, sample)
        self.counts_: Counts = counts
        self.language_: str = counts.settings["language"]
        self.classes_ = np.array(lexicon.names, dtype=object)
        return self

    def partial_fit(self, X: Any, y: Any = None, classes: Any = None) -> LexiconClassifier:
        """Learn from more texts: the same as `fit` on all of them, in any order and any batches.

        If the texts do not yet suffice for a model, their counts are kept, and a warning says what is missing.
        """
        if isinstance(self.expand, str):
            check_choice("expand", self.expand, ["lexicon"], "or True or False")
        lexicon = self._lexicon()
        if self.expand and not hasattr(self, "sample_"):
            self.sample_ = ReservoirSample()
        sample = self.sample_ if self.expand else None
        counts = self._count(X, lexicon, sample, getattr(self, "language_", self.language))
        self.counts_ = self.counts_ + counts if hasattr(self, "counts_") else counts
        self.language_ = counts.settings["language"]
        self.classes_ = np.array(lexicon.names, dtype=object)
        try:
            self.model_ = self._estimate(self.counts_, lexicon, sample)
        except EstimationError as error:
            warn_caller(f"there is no model yet, but the counts are kept: {error}", EstimationWarning)
        return self

    def _count(self, X: Any, lexicon: Lexicon, sample: ReservoirSample | None, language: str) -> Counts:
        counts = count(
            X,
            lexicon,
            self.threads,
            tokenizer=self._tokenizer(language),
            missing=self.missing,
            markup=self.markup,
            associations=self.rule == "pmi",
            on_batch=sample.add_batch if sample else None,
        )
        if counts.documents == 0:
            raise DocumentError("there are no documents to learn from, expected at least one text")
        return counts

    def _estimate(self, counts: Counts, lexicon: Lexicon, sample: ReservoirSample | None) -> Model:
        settings = {name: getattr(self, name) for name in vars(DEFAULT)}
        settings["solver_options"] = dict(self.solver_options or {})
        model = estimate(counts, lexicon, tokenizer=self._tokenizer(counts.settings["language"]), **settings)
        if sample is None:
            return model
        words = "all" if self.expand is True else str(self.expand)
        return expand(model, sample, words=words, markup=self.markup, threads=self.threads)

    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """The log-odds of `classes_[1]` for two lists; a column per class for more."""
        return self._score(X).decision

    def predict(
        self, X: Any, *, undecided: str | None = UNDECIDED, confidence: float | None = None
    ) -> NDArray[np.object_]:
        """The best class; `undecided` for a text without a weighted word or with a tie (None: a class in any case).

        With a `confidence`, texts whose best class has a lower probability are undecided, too.
        """
        return self._score(X).labels(undecided, confidence)

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Probabilities in the order of `classes_`: the prior for a text without a weighted word."""
        return self._score(X).probabilities

    @property
    def weights_(self) -> pd.DataFrame:
        """A frame of all entries, largest weights first: count, cross counts, predictiveness, interval, weight."""
        import pandas as pd

        check_is_fitted(self, "model_")
        return pd.DataFrame(self.model_.records())

    def _score(self, X: Any) -> Scores:
        check_is_fitted(self, "model_")
        return score(X, self.model_, missing=self.missing, markup=self.markup, threads=self.threads)

    def _lexicon(self) -> Lexicon:
        return self.lexicon if isinstance(self.lexicon, Lexicon) else Lexicon(self.lexicon)

    def _tokenizer(self, language: str) -> Tokenizer:
        return Tokenizer(language, self.fold_accents, self.tokenizer, self.negation)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        tags.input_tags.two_d_array = False
        tags.target_tags.required = False
        return tags
