"""`estimate`: from counts to a `Model`, and from a model to one under other settings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from problex._util._rows import winners
from problex._util.arrays import TIE, BoolArray, FloatArray, IntArray
from problex._util.formatting import pluralize
from problex.counting.counts import Counts, Sample, tokenizer_of
from problex.errors import EstimationError, EstimationWarning, opt, warn_caller
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
from problex.model.calibration import UNCALIBRATED
from problex.model.evidence import BalanceShift, Evidence, Solution, coverage
from problex.model.model import Model
from problex.model.rules import RULES, PmiTable, Rule, make_pmi_table, make_weights
from problex.model.settings import OTHER_BALANCE, Settings, Shares, make_shares

MIN_OWN_EVIDENCE = 0.05
"""The share of the weights that comes from the entries' own evidence, below which a warning is issued."""
MIN_SHIFT = 0.1
"""The difference between two shares of a list from which on it is said."""
MIN_TEXTS = 200
"""Texts that the shares need: of fewer, they differ by chance."""


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
    """The evidence of the default, by the stages that the published method does not have.

    Before them comes `learn_reversal`, after them `estimate_by_posterior` and `calibrate`. The docstring of each stage
    has what it pays in AUC (docs/accuracy.md has the corpora).
    """
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
            f"{opt('rule', 'pmi')}"
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
    calibration = UNCALIBRATED
    if settings.calibration != "none" and sample is not None and len(sample.lengths) >= MIN_DOCUMENTS:
        weights = make_weights(evidence, predictiveness, make_shares(settings.prior, "prior", lexicon.names), pmi)
        threshold = not solution.fallback
        calibration = calibrate(weights, sample, settings.rule, settings.temper, threshold=threshold)
    return Model(
        lexicon=lexicon,
        tokenizer=tokenizer,
        settings=settings,
        evidence=evidence,
        predictiveness=predictiveness,
        shares=shares,
        solution=solution,
        pmi=pmi,
        calibration=calibration,
        sample=sample,
        counts=counts,
    )


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


def check_evidence(evidence: Evidence, included: BoolArray) -> None:
    """Raise if no two words occur together, or if a list has no included entry that occurs in the corpus."""
    if evidence.documents == 0:
        raise EstimationError(
            "there are no documents, expected texts to learn from: check that the files are not empty"
        )
    if evidence.tokens == 0:
        raise EstimationError(
            f"none of {pluralize(evidence.documents, 'document')} has a word: check the column of the texts, "
            f"{opt('text')}"
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
                f"these words, too, with {opt('keep_discordant', True)}"
            )


def warn_of_weak_estimate(evidence: Evidence, predictiveness: FloatArray, solution: Solution) -> None:
    """Warn if the corpus shows no burstiness, or if the weights are hardly better than counting."""
    # If each of n texts contains one list or the other by the toss of a coin, all n agree with any rule with the
    # probability 2^(1 - n), which is below 5 % from 6 on.
    if evidence.documents < 6:
        warn_caller(
            f"{pluralize(evidence.documents, 'document is', 'documents are')} too few to learn weights from: in fewer "
            "than 6, words occur together or not by chance. Give more texts, or only count words with "
            f"{opt('rule', 'count')}",
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
            f"undecided. Give more texts, other lists, or {opt('rule', 'count')}",
            EstimationWarning,
        )


def find_shift(
    evidence: Evidence, settings: Settings, predictiveness: FloatArray, shares: FloatArray, sample: Sample
) -> BalanceShift | None:
    """The list whose share depends most on the balance, with `shares` by the other one; None if none by `MIN_SHIFT`."""
    if len(evidence.lists) < 3 or sample.repeats.sum() < MIN_TEXTS or RULES[settings.rule].all_words:
        return None
    balance = str(settings.balance)
    other, _ = estimate_by_posterior(evidence, shares, settings.max_predictiveness)
    labels = [_labels(RULES[settings.rule], sample, evidence, values) for values in (predictiveness, other)]
    repeats = sample.repeats / sample.repeats.sum()
    size = len(evidence.lists) + 1
    both = np.array([np.bincount(indexes + 1, repeats, size)[1:] for indexes in labels])
    more = (both[0] - both[1]) * (1.0 if balance == "coverage" else -1.0)
    # a list that gets more with "coverage" has the words that decide; else one that gets less
    index = int(np.argmax(more if more.max() >= MIN_SHIFT else -more))
    if abs(more[index]) < MIN_SHIFT:
        return None
    changed = (labels[0] == index) != (labels[1] == index)
    words = [evidence.entries[at] for at in _frequent_words(sample, changed, evidence.list_index == index)]
    here, there = both[:, index].tolist()
    return BalanceShift(evidence.lists[index], tuple(words), balance, here, OTHER_BALANCE[balance], there)


def _labels(rule: Rule, sample: Sample, evidence: Evidence, predictiveness: FloatArray) -> IntArray:
    """The list with the highest score of each text of the sample, -1 for undecided ones."""
    weights = make_weights(evidence, predictiveness, np.full(len(evidence.lists), 1.0 / len(evidence.lists)), None)
    ends, columns = (part.astype(np.int64) for part in (sample.matrix.indptr, sample.matrix.indices))
    single, factors = rule.entry_weights(weights), np.ones(len(sample))
    sums = rule.sums(weights, single, ends, columns, sample.matrix.data, factors)
    return winners(sums[0], sums[2], TIE)


def _frequent_words(sample: Sample, texts: BoolArray, own: BoolArray) -> list[int]:
    """The words of a list, the most frequent first, until half of some texts have one of them, or there are three.

    >>> from scipy import sparse
    >>> from problex.counting.counts import draw_sample
    >>> matrix = sparse.csr_array(np.array([[1, 0], [1, 0], [1, 1], [0, 1]]))
    >>> sample = draw_sample(np.arange(4, dtype=np.uint64), np.full(4, 9), matrix, limit=9)
    >>> _frequent_words(sample, np.ones(4, bool), np.ones(2, bool))    # the first is in more than half of the texts
    [0]
    >>> _frequent_words(sample, np.array([False, False, False, True]), np.ones(2, bool))
    [1]
    """
    present, repeats = (sample.matrix[texts] > 0).astype(np.int64) * own, sample.repeats[texts]
    reached, words = np.zeros(len(repeats), dtype=bool), list[int]()
    while len(words) < 3 and repeats[reached].sum() < repeats.sum() / 2:
        new = (repeats * ~reached) @ present
        if not new.any():
            break
        words.append(int(np.argmax(new)))
        reached |= present @ (np.arange(len(own)) == words[-1]) > 0
    return words
