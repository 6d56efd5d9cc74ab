"""`LexiconClassifier`: `count`, `estimate` and `score` with the interface of scikit-learn."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from io import IOBase
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from problex._util.files import check_writable, write_atomically
from problex._util.records import Record
from problex.corpus import rereader
from problex.counting.counts import Counts
from problex.errors import DocumentError, EstimationError, EstimationWarning, ProblexError, opt, warn_caller, was_given
from problex.estimation.model_file import load_model
from problex.evaluation.metrics import correctness
from problex.expansion.learn import count_and_sample, learn, sample_for
from problex.expansion.reservoir import SAMPLE_SIZE, ReservoirSample
from problex.lexicon.lexicon import Lexicon
from problex.matching.negation import Negation
from problex.matching.tokens import Tokenizer
from problex.model.model import Model
from problex.model.settings import DEFAULT, PAPER, Settings, Shares
from problex.scoring.frames import add_columns, is_frame
from problex.scoring.scorer import score
from problex.scoring.scores import UNDECIDED, Scores

if TYPE_CHECKING:
    import pandas as pd

    from problex.explanation import Explanation
    from problex.shares.estimates import Sheets

AUTO = "auto"
"""`undecided` for lists by name; a class in any case for 0 and 1."""


class LexiconClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Classify texts by opposed word lists whose words are weighted without labels.

    `LexiconClassifier.paper(lexicon)` is the published method; the default settings are more accurate. `classes_` are
    the sorted names of the lists; for two, `decision_function` is the tempered log-odds of `classes_[1]`. With
    `expand=True` all words and pairs of neighbours get a weight, learned without labels from the lexicon's scores; with
    `expand="lexicon"` only the words of the lexicon have weights, but all words help to learn them. Both learn from at
    most `expand_sample` bytes of text (a number, or a size such as "256MiB"): beyond it, from a random sample.

    >>> lexicon = Lexicon({"positive": ["good", "fine"], "negative": ["bad", "poor"]})
    >>> texts = ["good fine day", "fine good film", "bad poor film", "poor bad day", "good bad"] * 20
    >>> clf = LexiconClassifier(lexicon).fit(texts)
    >>> clf.predict(["a fine film", "a poor day", "a long day"]).tolist()
    ['positive', 'negative', 'undecided']
    >>> clf.predict_proba(["a long day"]).tolist(), clf.score(["a fine film", "a long day"], ["positive", "negative"])
    ([[0.5, 0.5]], 0.75)

    `undecided` is the label of texts without a weighted word; None gives a class in any case, as metrics and voting
    need it. If the `y` of `fit`, which is not used for learning, has nothing but 0 and 1 (-1 and 1, False and True),
    these are the classes: 1 is the second of the two sorted names, and by default there is no `undecided`.

    >>> LexiconClassifier(lexicon).fit(texts, [1, 1, 0, 0, 1] * 20).predict(["a fine film", "a poor day"]).tolist()
    [1, 0]
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
        expand_sample: int | str = SAMPLE_SIZE,
        undecided: str | None = AUTO,
        language: str = "en",
        fold_accents: bool | None = None,
        negation: Negation | str | bool | None = "auto",
        tokenizer: Callable[[str], Sequence[str]] | None = None,
        glob: bool = False,
        keep_links: bool = False,
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
        self.expand_sample = expand_sample
        self.undecided = undecided
        self.language = language
        self.fold_accents = fold_accents
        self.negation = negation
        self.tokenizer = tokenizer
        self.glob = glob
        self.keep_links = keep_links
        self.markup = markup
        self.missing = missing
        self.threads = threads

    @classmethod
    def paper(cls, lexicon: Lexicon | Mapping[str, Sequence[str]], **changes: Any) -> LexiconClassifier:
        """The published method in its author's settings: equal balance, no shrinkage, ADMM stopped early."""
        return cls(lexicon, **{**vars(PAPER), "negation": None, **changes})

    @classmethod
    def from_model(cls, model: Model | str | PathLike[str], **changes: Any) -> LexiconClassifier:
        """A fitted classifier with a model, or with that of a file; `changes` are parameters such as `undecided`."""
        model = model if isinstance(model, Model) else load_model(model)
        tokenizer = model.tokenizer
        reading: Record = {"language": tokenizer.language, "fold_accents": tokenizer.fold_accents}
        reading |= {"tokenizer": tokenizer.custom, "negation": tokenizer.negation}
        reading |= {"glob": tokenizer.glob, "keep_links": tokenizer.keep_links}
        expand = True if model.expansion is not None else "lexicon" if model.cotrained is not None else False
        settings = {**vars(model.settings), **reading, "expand": expand}
        clf = cls(model.lexicon, **{**settings, **changes})
        clf.model_, clf.language_ = model, tokenizer.language
        clf.classes_ = np.array(model.classes, dtype=object)
        return clf

    def fit(self, X: Any, y: Any = None) -> LexiconClassifier:
        """Learn the weights from texts. `y` sets the type of the classes (see above) and is otherwise ignored."""
        lexicon = self.lexicon if isinstance(self.lexicon, Lexicon) else Lexicon(self.lexicon)
        sample = sample_for(self.expand, self.expand_sample)
        counts = self._count(X, lexicon, sample, self.language)
        self.model_: Model = self._learn(counts, lexicon, sample)
        self.counts_: Counts = counts
        self._texts = None if isinstance(X, Iterator | IOBase) else X
        self.language_: str = counts.settings["language"]
        self.classes_ = np.array(lexicon.names, dtype=object) if y is None else class_labels(lexicon.names, y)
        return self

    def partial_fit(self, X: Any, y: Any = None, classes: Any = None) -> LexiconClassifier:
        """Learn from more texts: the same as `fit` on all of them, in any order and any batches.

        If the texts do not yet suffice for a model, their counts are kept, and a warning says what is missing.
        """
        lexicon = self.lexicon if isinstance(self.lexicon, Lexicon) else Lexicon(self.lexicon)
        sample = sample_for(self.expand, self.expand_sample)
        if hasattr(self, "model_") and not hasattr(self, "counts_"):
            raise EstimationError("the classifier was made from a model, which has no counts to add to: call fit")
        if sample is not None:
            sample = self.sample_ = getattr(self, "sample_", sample)
        counts = self._count(X, lexicon, sample, getattr(self, "language_", self.language))
        self.counts_ = self.counts_ + counts if hasattr(self, "counts_") else counts
        self._texts = None
        self.language_ = counts.settings["language"]
        self.classes_ = class_labels(lexicon.names, y if classes is None else classes)
        try:
            self.model_ = self._learn(self.counts_, lexicon, sample)
        except EstimationError as error:
            warn_caller(f"there is no model yet, but the counts are kept: {error}", EstimationWarning)
        return self

    def _count(self, X: Any, lexicon: Lexicon, sample: ReservoirSample | None, language: str) -> Counts:
        options: Record = {"tokenizer": self._tokenizer(language), "missing": self.missing, "markup": self.markup}
        counts = count_and_sample(X, lexicon, self._settings(), sample, threads=self.threads, **options)
        if counts.documents == 0:
            raise DocumentError("there are no documents to learn from, expected at least one text")
        return counts

    def _settings(self) -> Settings:
        settings = {name: getattr(self, name) for name in vars(DEFAULT)}
        return Settings(**{**settings, "solver_options": dict(self.solver_options or {})})

    def _learn(self, counts: Counts, lexicon: Lexicon, sample: ReservoirSample | None) -> Model:
        tokenizer = self._tokenizer(counts.settings["language"])
        return learn(counts, lexicon, self._settings(), self.expand, sample, tokenizer=tokenizer, markup=self.markup)

    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """The log-odds of `classes_[1]` for two lists; a column per class for more."""
        return self._score(X).decision

    def predict(self, X: Any, *, undecided: str | None = AUTO, confidence: float | None = None) -> NDArray[Any]:
        """The best class; `undecided` for a text without a weighted word or with a tie (None: a class in any case).

        With a `confidence`, texts whose best class has a lower probability are undecided, too.
        """
        scores = self._score(X)
        has_names = self.classes_.dtype == object
        undecided = self.undecided if undecided == AUTO else undecided
        if undecided == AUTO:
            undecided = UNDECIDED if has_names or confidence is not None else None
        labels = scores.labels(undecided, confidence)
        if has_names:
            return labels
        class_of = dict(zip(self.model_.classes, self.classes_.tolist(), strict=True))
        mapped = [class_of.get(label, label) for label in labels]
        return np.array(mapped, dtype=self.classes_.dtype if undecided is None else object)

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """The accuracy: the share of right labels, where an `undecided` text counts 1 / K of K classes."""
        places = {label: at for at, label in enumerate(self.classes_.tolist())}
        pairs = zip(self.predict(X).tolist(), np.asarray(y).tolist(), strict=True)
        codes = np.array([(places.get(label, -1), places.get(true, -2)) for label, true in pairs])  # -2: never right
        return float(np.average(correctness(codes[:, 0], codes[:, 1], len(places)), weights=sample_weight))

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Probabilities in the order of `classes_`: for a text without a weighted word equal, or the prior if given.

        The most probable class is the label of `predict`.
        """
        return self._score(X).probabilities

    def predict_frame(self, X: Any, *, text: str | None = None) -> Any:
        """A frame with the columns of `X` and those of the predictions: label, score, probabilities, tokens, matches.

        `X` is a frame of pandas, polars or Arrow, whose column of texts is `text` or guessed, and the result is of the
        same library; for any other `X` it is a pandas frame with the predictions alone.
        """
        results = self._score(X, text=text).table()
        if is_frame(X):
            return add_columns(X, results)
        index = getattr(X, "index", None)  # that of a pandas series
        frame = results.to_pandas()
        return frame if index is None or callable(index) else frame.set_index(index)

    def explain(self, text: str) -> Explanation:
        """Why a text gets its label, word by word; a notebook shows it in colour."""
        from problex.explanation import explain

        check_is_fitted(self, "model_")
        return explain(text, self.model_)

    def report(
        self,
        path: str | PathLike[str],
        X: Any = None,
        *,
        by: str | None = None,
        title: str = "",
        audit: Sheets | None = None,
        force: bool = False,
    ) -> Path:
        """Write an HTML page about the model and texts, by the groups or dates in column `by`.

        Without `X` the texts are those of `fit`, if they can be read again: a list, a frame or a file, no iterator.
        `audit` are labelled sheets that were drawn from the texts: the page then has the shares of the true labels.
        """
        from problex.audit import score_sheets
        from problex.report import build, gather
        from problex.shares.estimates import SheetLabels, sheet_paths

        check_is_fitted(self, "model_")
        X = getattr(self, "_texts", None) if X is None else X
        if X is None:
            raise DocumentError(
                "the texts of fit are not kept with the classifier: give texts, clf.report(path, texts)"
            )
        target = Path(path)
        check_writable(target, force=force)
        read = rereader(X, keep=(by,) if by else (), missing=self.missing)
        labels = None if audit is None else SheetLabels.read(audit, self.model_, markup=self.markup)
        result = None if audit is None else score_sheets(sheet_paths(audit), model=self.model_)[0]
        options: Record = {"audit": result, "labels": labels, "markup": self.markup, "threads": self.threads}
        page = build(gather(read, self.model_, title=title, by=by, **options))
        write_atomically(target, lambda file: file.write_text(page.html, encoding="utf-8"), force=force)
        return target

    def shares(
        self,
        X: Any,
        *,
        by: Any = None,
        every: str | None = None,
        text: str | None = None,
        audit: Sheets | None = None,
        estimator: str | None = None,
    ) -> pd.DataFrame:
        """The share of each predicted label, and of undecided, among all texts: in all, or by the groups of `by`.

        `by` is the name of a column of `X`, or a value for each text; `every` is day, week, month, quarter or year.
        `audit` are labelled sheets that were drawn from `X`: the columns `estimate`, `low` and `high` are then the
        shares of the true labels with intervals of 95 %, by the `estimator` hierarchical (the default for groups) or
        difference.
        """
        import pandas as pd

        from problex.shares import share_estimates
        from problex.shares.counting import share_table

        check_is_fitted(self, "model_")
        options: Record = {"by": by, "every": every, "text": text, "threads": self.threads}
        options |= {"missing": self.missing, "markup": self.markup}
        if audit is not None:
            return pd.DataFrame(share_estimates(X, self.model_, audit, estimator=estimator, **options))
        if estimator is not None:
            raise ProblexError(
                f"{was_given('estimator', estimator)} without audit: give the labelled sheets as {opt('audit')}"
            )
        return pd.DataFrame(share_table(X, self.model_, **options))

    @property
    def weights_(self) -> pd.DataFrame:
        """A frame of all entries, largest weights first: count, cross counts, predictiveness, interval, weight."""
        import pandas as pd

        check_is_fitted(self, "model_")
        return pd.DataFrame(self.model_.records())

    def _score(self, X: Any, text: str | None = None) -> Scores:
        if not hasattr(self, "model_"):
            check_is_fitted(self, "model_")  # takes a while, and has the error's text
        return score(X, self.model_, text=text, missing=self.missing, markup=self.markup, threads=self.threads)

    def __getstate__(self) -> Record:
        """What is pickled: all but the texts, which are kept for `report` alone."""
        state: Record = super().__getstate__()
        return {name: value for name, value in state.items() if name != "_texts"}

    def _tokenizer(self, language: str) -> Tokenizer:
        return Tokenizer(language, self.fold_accents, self.tokenizer, self.negation, self.glob, self.keep_links)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        tags.input_tags.two_d_array = False
        tags.target_tags.required = False
        return tags


def class_labels(names: Sequence[str], y: Any) -> NDArray[Any]:
    """The classes: the sorted names of the lists, or 0 and 1 (-1 and 1, False and True) if `y` has nothing else.

    That needs two lists; the larger value is the second of them.

    >>> class_labels(["negative", "positive"], [1, 0, 1]).tolist(), class_labels(["left", "right"], ["left"]).tolist()
    ([0, 1], ['left', 'right'])
    """
    values = set() if y is None else set(np.asarray(y).ravel().tolist())
    for pair in ((False, True), (0, 1), (-1, 1)):
        same_type = all(isinstance(value, bool) == isinstance(pair[0], bool) for value in values)
        if values and len(names) == 2 and same_type and values <= set(pair):
            return np.array(pair)
    return np.array(names, dtype=object)
