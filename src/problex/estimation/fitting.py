"""`estimate`: from counts to a `Model`, and from a model to one under other settings."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from problex.counting.counts import Counts, tokenizer_of
from problex.counting.sample import Sample
from problex.errors import EstimationError, EstimationWarning, opt, warn_caller
from problex.estimation.balances import NAME as SHIFT
from problex.estimation.balances import find_shift, shares_of
from problex.estimation.calibration import MIN_DOCUMENTS, calibrate
from problex.estimation.checks import check_evidence, warn_of_weak_estimate
from problex.estimation.least_squares import estimate_by_solver, included_entries
from problex.estimation.moments import evidence_of, leave_out
from problex.estimation.negated_items import Turns, turns_of_negation, unturned_entries, weigh_negated
from problex.estimation.shrinkage import estimate_by_posterior, weight_partners
from problex.lexicon.lexicon import Lexicon
from problex.matching.given_weights import check_weights, given_weights, warn_of_missing_weights
from problex.matching.items import items_of
from problex.matching.languages import LANGUAGES
from problex.matching.negation import NEGATED
from problex.matching.tokens import Tokenizer
from problex.model.calibration import UNCALIBRATED
from problex.model.evidence import Evidence
from problex.model.model import Model
from problex.model.rules import RULES, PmiTable, make_pmi_table, make_weights
from problex.model.settings import Settings, make_shares


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
    from problex.estimation.weight_checks import MIN_ENTRIES, judge_weights  # loading a model does not need these

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
        from problex.matching.inflection import warn_of_inflected_forms

        warn_of_inflected_forms(counts.words, counts.occurrences, items_of(lexicon, tokenizer), language)
    chosen = Settings.from_options(**settings)
    pmi = make_pmi_table(counts) if RULES[chosen.rule].all_words else None
    sample = sample if sample is not None else counts.sample
    # Also where shrinkage is a number: standard errors and `reestimate` need the weighted cross counts.
    evidence, turns = evidence_of(counts), None
    if len(counts.lists) == 2 and any(entry.startswith(NEGATED) for entry in counts.entries):
        turns = turns_of_negation(sample, counts.entries, counts.list_index)
        evidence = leave_out(evidence, unturned_entries(counts.entries, counts.list_index, turns), counts.pairs)
    evidence = weight_partners(evidence, counts.pairs, sample)
    if len(counts.lists) == 2 and np.sum(evidence.occurrences > 0) >= MIN_ENTRIES and len(sample.lengths):
        evidence = judge_weights(evidence, counts, sample)
    return _fit(evidence, lexicon, tokenizer, chosen, pmi, sample, turns)


def reestimate(model: Model, **changes: Any) -> Model:
    """The model of the same counts under other settings: see `Model.reestimate`."""
    settings = Settings.from_options(**{**vars(model.settings), **changes})
    turns = Turns.from_record(dict(model.solution))
    new = _fit(model.evidence, model.lexicon, model.tokenizer, settings, model.pmi, model.sample, turns)
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


def _fit(
    evidence: Evidence,
    lexicon: Lexicon,
    tokenizer: Tokenizer,
    settings: Settings,
    pmi: PmiTable | None,
    sample: Sample | None,
    turns: Turns | None = None,
) -> Model:
    if RULES[settings.rule].all_words and pmi is None:
        raise EstimationError(
            "the rule 'pmi' needs the counts of all words, which a model does not have: estimate from counts with "
            f"{opt('rule', 'pmi')}"
        )
    uses_given = settings.shrink_to == "given"
    if uses_given or RULES[settings.rule].given:
        check_weights(lexicon)
        warn_of_missing_weights(lexicon)
    if uses_given or evidence.given is not None:
        given = given_weights(lexicon, tokenizer, evidence.entries) if uses_given else None
        evidence = replace(evidence, given=given)
    if settings.prior is not None:
        make_shares(settings.prior, "prior", lexicon.names)  # so that a wrong prior is refused now, not when scoring
    by_posterior = settings.shrinkage == "auto"
    included = evidence.partner_weights > 0 if by_posterior else included_entries(evidence, settings)
    check_evidence(evidence, included)
    shares = shares_of(settings.balance, evidence, included)
    if by_posterior:
        predictiveness, solution = estimate_by_posterior(evidence, shares, settings.max_predictiveness)
    else:
        predictiveness, solution = estimate_by_solver(evidence, included, shares, settings)
    warn_of_weak_estimate(evidence, predictiveness, solution)
    if turns is not None:
        figures = (evidence.entries, evidence.list_index, evidence.occurrences, turns)
        predictiveness = weigh_negated(predictiveness, *figures)
        solution = {**solution, **turns.record()}
    if by_posterior and sample is not None and isinstance(settings.balance, str) and settings.prior is None:
        shift = find_shift(evidence, settings, predictiveness, included, sample)
        solution = {**solution, **({SHIFT: shift} if shift else {})}
    calibration = UNCALIBRATED
    if settings.calibration != "none" and sample is not None and len(sample.lengths) >= MIN_DOCUMENTS:
        prior = make_shares(settings.prior, "prior", lexicon.names)
        weights = make_weights(evidence, predictiveness, prior, pmi)
        has_threshold = not solution.get("fallback")
        calibration = calibrate(weights, sample, settings.rule, settings.temper, threshold=has_threshold)
    learned = (predictiveness, shares, solution, pmi)
    return Model(lexicon, tokenizer, settings, evidence, *learned, calibration=calibration, sample=sample)
