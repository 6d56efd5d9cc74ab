"""`estimate`: from counts to a `Model`, and from a model to one under other settings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from problex._util.arrays import BoolArray, FloatArray
from problex._util.formatting import pluralize
from problex.counting.counts import Counts, tokenizer_of
from problex.counting.sample import Sample
from problex.errors import EstimationError, EstimationWarning, warn_caller
from problex.estimation.balances import find_shift
from problex.estimation.calibration import MIN_DOCUMENTS, calibrate
from problex.estimation.least_squares import estimate_by_solver
from problex.estimation.published import estimate_published, evidence_of
from problex.estimation.reversal import learn_reversal, weigh_negated
from problex.estimation.shrinkage import estimate_by_posterior, weight_partners
from problex.lexicon.lexicon import Lexicon
from problex.matching.items import check_weights, given_weights, items_of, warn_of_missing_weights
from problex.matching.languages import LANGUAGES
from problex.matching.negation import NEGATED
from problex.matching.tokens import Tokenizer
from problex.model.calibration import UNCALIBRATED, Calibration
from problex.model.evidence import Evidence, coverage
from problex.model.model import Model
from problex.model.rules import RULES, PmiTable, make_pmi_table, make_weights
from problex.model.settings import OTHER_BALANCE, Settings, Shares, make_shares
from problex.model.solution import Solution

MIN_OWN_EVIDENCE = 0.05
"""The share of the weights that comes from the entries' own evidence, below which a warning is issued."""
FEW_DOCUMENTS = 6
"""Documents below which nothing can be learned: if each of n contains one list or the other by the toss of a coin, all
n agree with any rule with the probability 2^(1 - n), which is below 5 % from 6 on."""


def estimate(
    counts: Counts,
    lexicon: Lexicon,
    *,
    tokenizer: Tokenizer | None = None,
    sample: Sample | None = None,
    **settings: Any,
) -> Model:
    """Estimate the predictiveness of every entry from counts, without labels or texts.

    `sample` has documents as rows of entries, for the calibration; by default those of the counts. `settings` are
    those of `Settings`.

    >>> lexicon = Lexicon({"positive": ["good", "fine"], "negative": ["bad", "poor"]})
    >>> from problex import count
    >>> texts = ["good fine day", "fine good film", "bad poor film", "poor bad day", "good bad"] * 20
    >>> model = estimate(count(texts, lexicon), lexicon)
    >>> [row["entry"] for row in model.records()]
    ['fine', 'poor', 'bad', 'good']
    """
    if not isinstance(counts, Counts) or not isinstance(lexicon, Lexicon):
        types = f"{type(counts).__name__} and {type(lexicon).__name__}"
        raise EstimationError(f"estimate was given {types}, expected Counts (the result of count) and a Lexicon")
    tokenizer = tokenizer or tokenizer_of(counts)
    expected = Counts.none(lexicon, tokenizer).settings
    if counts.settings != expected:
        raise EstimationError(
            f"the counts were made with {dict(counts.settings)}, but the lexicon and tokenizer given are {expected}: "
            "count the texts again with this lexicon"
        )
    if (language := LANGUAGES[tokenizer.language]).infinitives:
        from problex.matching.language_guess import warn_of_inflected_forms

        warn_of_inflected_forms(counts.words, counts.occurrences, items_of(lexicon, tokenizer), language)
    chosen = Settings.from_options(**settings)
    pmi = make_pmi_table(counts) if RULES[chosen.rule].all_words else None
    sample = sample if sample is not None else counts.sample
    evidence = evidence_of(counts)
    if len(counts.lists) == 2 and any(entry.startswith(NEGATED) for entry in counts.entries):
        evidence = learn_reversal(evidence, counts, sample)
    return _fit(evidence, counts, lexicon, tokenizer, chosen, pmi, sample)


def reestimate(model: Model, **changes: Any) -> Model:
    """The model of the same counts under other settings: see `Model.reestimate`."""
    settings = Settings.from_options(**{**vars(model.settings), **changes})
    new = _fit(model.evidence, model.counts, model.lexicon, model.tokenizer, settings, model.pmi, model.sample)
    if model.sample is not None or model.calibration == UNCALIBRATED:
        return new
    if set(changes) <= {"prior"}:
        return replace(new, calibration=model.calibration.label_free)
    warn_caller(
        "a model file has no sample of documents, from which the threshold and the sharpness of the scores are "
        "estimated, so the model has neither: estimate from counts to get both",
        EstimationWarning,
    )
    return new


def refine(evidence: Evidence, counts: Counts, sample: Sample) -> Evidence:
    """The evidence of the default: the stages that the published method does not have."""
    from problex.estimation.weight_checks import judge_weights  # loading a model does not need these

    evidence = weight_partners(evidence, counts.pairs, sample)
    return judge_weights(evidence, counts, sample)


def _fit(
    evidence: Evidence,
    counts: Counts | None,
    lexicon: Lexicon,
    tokenizer: Tokenizer,
    settings: Settings,
    pmi: PmiTable | None,
    sample: Sample | None,
) -> Model:
    """The model of evidence that the stages still have to refine, if there are counts."""
    if RULES[settings.rule].all_words and pmi is None:
        raise EstimationError(
            "the rule 'pmi' needs the counts of all words, which a model does not have: estimate from counts with "
            "rule='pmi'"
        )
    if settings.shrinkage == "auto" and counts is not None and sample is not None:
        evidence, counts = refine(evidence, counts, sample), None
    uses_given = settings.shrink_to == "given"
    if uses_given or RULES[settings.rule].given:
        check_weights(lexicon)
        warn_of_missing_weights(lexicon)
    if uses_given or evidence.given is not None:
        given = given_weights(lexicon, tokenizer, evidence.entries) if uses_given else None
        evidence = replace(evidence, given=given)
    if settings.prior is not None:
        make_shares(settings.prior, "prior", lexicon.names)  # so that a wrong prior is refused now, not when scoring
    predictiveness, shares, solution = _solve(evidence, settings, sample)
    model = Model(
        lexicon=lexicon,
        tokenizer=tokenizer,
        settings=settings,
        evidence=evidence,
        predictiveness=predictiveness,
        shares=shares,
        solution=solution,
        pmi=pmi,
        sample=sample,
        counts=counts,
    )
    if settings.calibration != "none" and sample is not None and len(sample.lengths) >= MIN_DOCUMENTS:
        model = replace(model, calibration=_calibration(model, sample))
    return model


def _solve(evidence: Evidence, settings: Settings, sample: Sample | None) -> tuple[FloatArray, FloatArray, Solution]:
    """The predictiveness of the entries, the shares of the lists, and how both were found."""
    by_posterior = settings.shrinkage == "auto"
    included = evidence.partner_weights > 0
    if not by_posterior and not settings.keep_discordant:
        included &= ~evidence.discordant
    check_evidence(evidence, included)
    shares = shares_of(settings.balance, evidence, included)
    if by_posterior:
        predictiveness, solution = estimate_by_posterior(evidence, shares, settings.max_predictiveness)
    elif settings.solver == "admm" and settings.shrinkage == 0:
        predictiveness, solution = estimate_published(evidence, included, shares, settings)
    else:
        predictiveness, solution = estimate_by_solver(evidence, included, shares, settings)
    warn_of_weak_estimate(evidence, predictiveness, solution)
    if evidence.reversal is not None:
        figures = evidence.entries, evidence.list_index, evidence.occurrences
        predictiveness = weigh_negated(predictiveness, *figures, evidence.reversal)
    by_name = isinstance(settings.balance, str) and settings.prior is None
    if by_posterior and len(evidence.lists) > 2 and sample is not None and by_name:
        others = shares_of(OTHER_BALANCE[str(settings.balance)], evidence, included)
        shift = find_shift(evidence, settings, predictiveness, others, sample)
        solution = replace(solution, balance_shift=shift)
    return predictiveness, shares, solution


def shares_of(balance: Shares, evidence: Evidence, included: BoolArray) -> FloatArray:
    """The share of each list in the weighted coverage of all lists that a balance assumes."""
    if isinstance(balance, Mapping):
        return make_shares(balance, "balance", evidence.lists)
    covered = coverage(evidence, included) if balance == "coverage" else np.ones(len(evidence.lists))
    return np.asarray(covered / covered.sum(), dtype=np.float64)


def _calibration(model: Model, sample: Sample) -> Calibration:
    weights = make_weights(model.evidence, model.predictiveness, model.prior, model.pmi)
    rule, temper = model.settings.rule, model.settings.temper
    return calibrate(weights, sample, rule, temper, threshold=not model.solution.fallback)


def check_evidence(evidence: Evidence, included: BoolArray) -> None:
    """Raise if no two words occur together, or if a list has no included entry that occurs in the corpus."""
    if evidence.documents == 0:
        raise EstimationError(
            "there are no documents, expected texts to learn from: check that the files are not empty"
        )
    if evidence.tokens == 0:
        raise EstimationError(
            f"none of {pluralize(evidence.documents, 'document')} has a word: check the column of the texts, text=..."
        )
    if evidence.token_pairs == 0:
        raise EstimationError(
            f"none of {pluralize(evidence.documents, 'document')} has two words, but weights are learned from words "
            "that occur together: give longer texts, or join them"
        )
    for index, name in enumerate(evidence.lists):
        members = evidence.list_index == index
        seen = members & (evidence.occurrences > 0)
        if not seen.any():
            examples = ", ".join(entry for entry, own in zip(evidence.entries, members, strict=True) if own)[:60]
            raise EstimationError(
                f"no entry of list {name!r} ({examples}) was found in {pluralize(evidence.documents, 'document')}: "
                "check the list, the language of the texts, or the column of the texts"
            )
        if not (seen & included).any():
            raise EstimationError(
                f"{pluralize(int(seen.sum()), 'entry', 'entries')} of list {name!r} found in "
                f"{pluralize(evidence.documents, 'document')}, none of which occurs together with the other lists less "
                "often than by chance, so no weight can be learned: give more or longer texts, or give a weight to "
                "these words, too, with keep_discordant=True"
            )


def warn_of_weak_estimate(evidence: Evidence, predictiveness: FloatArray, solution: Solution) -> None:
    """Warn if the corpus shows no burstiness, or if the weights are hardly better than counting."""
    if evidence.documents < FEW_DOCUMENTS:
        warn_caller(
            f"{pluralize(evidence.documents, 'document is', 'documents are')} too few to learn weights from: in fewer "
            f"than {FEW_DOCUMENTS}, words occur together or not by chance. Give more texts, or only count words with "
            "rule='count'",
            EstimationWarning,
        )
    if not np.isfinite(evidence.concentration):
        warn_caller(
            "words are not repeated within texts more often than by chance, so repetitions count in full (the "
            "multinomial rule)",
            EstimationWarning,
        )
    own_evidence = 1.0 if solution.own_evidence is None else solution.own_evidence
    fallback = "the same weight, as in counting" if evidence.given is None else "the weight of the lexicon alone"
    if solution.fallback:
        warn_caller(
            f"the lists occur together as often as expected by chance, so every entry has {fallback}. Give more or "
            "longer texts, or other lists",
            EstimationWarning,
        )
    elif evidence.given is None and own_evidence < MIN_OWN_EVIDENCE:
        warn_caller(
            f"the words can hardly be distinguished: {own_evidence:.1%} of the weights comes from their "
            "own evidence, the rest from the mean of their list, so decisions are close to those of counting. Give "
            "more or longer texts",
            EstimationWarning,
        )
    elif not np.any(predictiveness > 0):
        warn_caller(
            "no entry has a weight, because the lists occur together as often as expected by chance, so every text is "
            "undecided. Give more texts, other lists, or rule='count'",
            EstimationWarning,
        )
