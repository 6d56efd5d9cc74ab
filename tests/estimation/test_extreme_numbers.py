"""Extreme inputs against arithmetic of 60 digits (mpmath): what floating point must not lose."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import mpmath as mp
import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from problex import Counts, Lexicon, count, estimate, score
from problex._util.arrays import FloatArray
from problex.counting.counts import SAMPLE_SIZE, Sample
from problex.errors import ProblexError
from problex.estimation.least_squares import RidgeProblem as Problem
from problex.estimation.least_squares import exact
from problex.estimation.published import concentration, evidence_of
from problex.estimation.shrinkage import deficits, posterior, standard_errors
from problex.matching.tokens import Tokenizer
from problex.model.calibration import Platt
from problex.model.evidence import Evidence, expected_cross_counts
from problex.model.rules import RULES, Weights, are_weights_finite, log_rising_ratio, make_weights
from problex.scoring.scores import Scores
from problex.shares.counting import share_records

mp.mp.dps = 60
LEXICON = Lexicon({"positive": ["good", "fine"], "negative": ["bad", "poor"]})
TEXTS = ["good fine day", "fine good film", "bad poor film", "poor bad day", "good bad", "a day"] * 20
LARGEST = 2**63 - 1


def close(found: object, expected: Any, relative: float, absolute: float = 0.0) -> bool:
    """Whether numbers are those of mpmath."""
    pairs = zip(np.ravel(np.asarray(found)).tolist(), np.ravel(np.array(expected, dtype=object)).tolist(), strict=True)
    return all(abs(mp.mpf(one) - two) <= relative * abs(two) + absolute for one, two in pairs)


# -- repeated words


@pytest.mark.parametrize("start", [1e-13, 1e-9, 1e-4, 0.5, 30.0, 200.0, 9e3, 1e6, 1e13])
@pytest.mark.parametrize("ratio", [1.0000001, 1.5, 19.0, 1e4])
def test_what_repetitions_add(start: float, ratio: float) -> None:
    counts = np.array([1, 2, 3, 50, 10**4, 10**7, 2**40, 2**62])
    own, other = np.full(len(counts), start * ratio), np.full(len(counts), start)
    exactly = [
        mp.loggamma(a + x) - mp.loggamma(a) - mp.loggamma(b + x) + mp.loggamma(b)
        for a, b, x in ((mp.mpf(float(own[0])), mp.mpf(start), mp.mpf(int(x))) for x in counts)
    ]
    absolute = 1e-12 if start < 1e4 else 1e-8  # words are never that frequent: the concentration is below 1e4
    assert close(log_rising_ratio(own, other, counts), exactly, 1e-13, absolute)
    assert close(log_rising_ratio(other, own, counts), [-value for value in exactly], 1e-13, absolute)


def test_a_word_ten_million_times_in_one_document() -> None:
    texts = [f"{text} {text.split()[-1]}" for text in TEXTS]
    model = estimate(count(texts, LEXICON), LEXICON, temper="none", calibration="none")
    scores = score(["good " * 10**7], model)
    assert scores.lengths.tolist() == [10**7]
    weights = make_weights(model.evidence, model.predictiveness, np.array([0.5, 0.5]))
    assert np.isfinite(weights.concentration)
    at = model.evidence.entries.index("good")
    alpha = mp.mpf(weights.concentration) * mp.mpf(float(weights.base_rates[at]))
    own, other = alpha * mp.mpf(float(weights.lift[at])), alpha * (1 - mp.mpf(float(weights.predictiveness[at])))
    x = 10**7
    exactly = mp.loggamma(own + x) - mp.loggamma(own) - mp.loggamma(other + x) + mp.loggamma(other)
    assert close(scores.decision, [exactly], 1e-11)
    assert np.isfinite(scores.probabilities).all()


@pytest.mark.parametrize("predictiveness", [1e-15, 1e-9, 0.3, 0.9, 1 - 1e-12])
@pytest.mark.parametrize("prior", [1e-6, 0.5, 1 - 1e-6])
def test_the_log_odds_of_one_occurrence(predictiveness: float, prior: float) -> None:
    evidence = evidence_of(count(TEXTS, LEXICON))
    found = make_weights(evidence, np.full(4, predictiveness), np.array([prior, 1.0 - prior])).log_odds[0]
    gamma, pi = mp.mpf(predictiveness), mp.mpf(prior)
    assert close([found], [mp.log(1 + gamma * (1 - pi) / pi) - mp.log(1 - gamma)], 1e-9)


# -- sums near 2^63


def huge_counts(scale: int) -> Counts:
    """Counts in which squares are near 2^63, and one word, `rare`, has one occurrence."""
    words = ["bad", "fine", "good", "poor", "rare", "film", "day"]
    occurrences = np.array([3 * scale, 2 * scale, 5 * scale, scale, 1, 40 * scale, 9 * scale], dtype=np.int64)
    tokens = int(occurrences.sum())
    size = np.array([7, 5, 11, 3, 0, 190, 30], dtype=np.int64) * (scale * 10**6) + occurrences
    plain = count(TEXTS, LEXICON)
    pairs = sparse.csr_array(np.array([[0, 0, 2, 9], [0, 0, 4, 1], [0, 0, 0, 0], [0, 0, 0, 0]]) * (scale * 10**4))
    none = np.zeros(0, np.int64)
    rows = sparse.csr_array((0, 4), dtype=np.int64)
    return replace(
        plain,
        words=pa.array(words),
        occurrences=occurrences,
        squares=size,
        pairs=pairs,
        sample=Sample(*(none.astype(np.uint64),) * 2, none, none, rows, SAMPLE_SIZE),
        tokens=tokens,
        squared_lengths=336 * scale * 10**6,
        documents=10**7,
    )


@pytest.mark.parametrize("scale", [1, 10**6, 25 * 10**9])
def test_the_concentration_from_sums_near_the_largest_integer(scale: int) -> None:
    counts = huge_counts(scale)
    assert counts.squared_lengths < LARGEST
    lexical = np.array([0, 1, 2, 3])
    total, squared = mp.mpf(counts.tokens), mp.mpf(counts.squared_lengths)
    missing, excess = mp.mpf(0), mp.mpf(0)
    for at in (4, 5, 6):
        rate, square = mp.mpf(int(counts.occurrences[at])) / total, mp.mpf(int(counts.squares[at]))
        weight = rate * (1 - rate)
        missing += weight * (rate * squared - square)
        excess += weight * (square - rate**2 * (squared - total) - rate * total)
    assert close([concentration(counts, lexical)], [missing / excess], 1e-11)


@pytest.mark.parametrize("scale", [1, 25 * 10**9])
def test_deficits_and_their_errors_from_large_sums(scale: int) -> None:
    evidence = evidence_of(huge_counts(scale))
    tokens, pairs = mp.mpf(evidence.tokens), mp.mpf(evidence.token_pairs)
    rates = [mp.mpf(int(n)) / tokens for n in evidence.occurrences]
    other = [rates[2] + rates[3]] * 2 + [rates[0] + rates[1]] * 2
    expected = [pairs * rate * partners for rate, partners in zip(rates, other, strict=True)]
    assert close(expected_cross_counts(evidence, np.ones(4, dtype=bool)), expected, 1e-14)
    crossed = [mp.mpf(int(n)) for n in evidence.cross_counts]
    deficit = [1 - c / e for c, e in zip(crossed, expected, strict=True)]
    found, effective = deficits(evidence)
    assert close(found, deficit, 1e-14, 1e-14)
    assert close(effective, expected, 1e-13)
    result = posterior(evidence)
    spread, dispersion = mp.mpf(result.spread), mp.mpf(result.dispersion)
    errors = [mp.sqrt(1 / (1 / spread + e / dispersion)) for e in expected]
    assert close(result.std_error, errors, 1e-12)
    share = [e / (e + mp.mpf(result.strength)) for e in expected]
    centre = [(rates[0] * deficit[0] + rates[1] * deficit[1]) / (rates[0] + rates[1])] * 2
    centre += [(rates[2] * deficit[2] + rates[3] * deficit[3]) / (rates[2] + rates[3])] * 2
    means = [own * d + (1 - own) * c for own, d, c in zip(share, deficit, centre, strict=True)]
    assert close(result.mean, means, 1e-12)
    assert np.isfinite(standard_errors(evidence, np.full(4, 0.3), float("nan"))).all()


def test_sums_beyond_the_largest_integer_are_refused_not_wrapped() -> None:
    counts = huge_counts(25 * 10**9)
    whole = replace(counts, squared_lengths=LARGEST)
    with pytest.raises(ProblexError, match=r"2\^63"):
        whole + whole


def test_shares_of_counts_near_the_largest_integer() -> None:
    rows = share_records({("a", "bad"): LARGEST - 2, ("a", "good"): 1, ("a", "undecided"): 1}, ("bad", "good"))
    exactly = [mp.mpf(n) / LARGEST for n in (LARGEST - 2, 1, 1)]
    assert close([row["share"] for row in rows], exactly, 1e-15)
    assert rows[0]["documents"] == LARGEST


# -- rare words and many of them


def solved(problem: Problem) -> list[Any]:
    """The optimum by bisection in 60 digits: of V, and for each V of the level of each list."""
    total = sum(mp.mpf(float(rate)) for rate in problem.base_rates)
    lists = []
    for share, rows in zip(problem.shares, problem.members, strict=True):
        rates = [mp.mpf(float(problem.base_rates[at])) / total for at in rows]
        pull = [-mp.mpf(float(problem.residuals[at])) / (mp.mpf(problem.token_pairs) * total**2) for at in rows]
        tops = [mp.mpf(float(problem.upper[at])) for at in rows]
        lists.append((mp.mpf(float(share)), rates, pull, tops))

    def at_volume(part: Any, volume: Any) -> tuple[list[Any], Any]:
        share, rates, pull, tops = part
        others, ceilings = 1 - share, [top * rate * mp.sqrt(volume) for top, rate in zip(tops, rates, strict=True)]

        def filled(level: Any) -> list[Any]:
            raw = [(target - level) / others for target in pull]
            return [min(max(value, 0), top) for value, top in zip(raw, ceilings, strict=True)]

        low, high = min(pull) - others * max(ceilings) - 1, max(pull) + 1
        for _ in range(150):
            middle = (low + high) / 2
            low, high = (middle, high) if sum(filled(middle)) > share * volume else (low, middle)
        h = filled(low)
        pressed = [others * max(t - low - others * c, 0) for t, c in zip(pull, ceilings, strict=True)]
        slope = -others * share * low - sum(p * c for p, c in zip(pressed, ceilings, strict=True)) / (2 * volume)
        return h, slope

    top = min(sum(t * r for t, r in zip(tops, rates, strict=True)) / share for share, rates, _, tops in lists) ** 2
    low, high = top * mp.mpf("1e-18"), top
    for _ in range(90):
        middle = (low + high) / 2
        rising = sum(at_volume(part, middle)[1] for part in lists) > 0
        low, high = (low, middle) if rising else (middle, high)
    best: list[Any] = [mp.mpf(0)] * len(problem.base_rates)
    for part, rows in zip(lists, problem.members, strict=True):
        h, _ = at_volume(part, low)
        for at, value, rate in zip(rows.tolist(), h, part[1], strict=True):
            best[at] = value / (rate * mp.sqrt(low))
    return best


def test_the_solver_with_base_rates_down_to_a_billionth_of_a_thousandth() -> None:
    rates = np.array([1e-1, 1e-4, 1e-8, 1e-12, 5e-2, 1e-5, 1e-9, 1e-12])
    lists, pairs = np.repeat([0, 1], 4), 1e15
    other = np.where(lists == 0, rates[4:].sum(), rates[:4].sum())
    expected = pairs * rates * other
    residuals = -expected * np.array([0.3, 0.2, 0.25, 0.3, 0.25, 0.3, 0.2, 0.25])
    covered = np.array([rates[:4].sum(), rates[4:].sum()])
    problem = Problem(
        residuals=residuals,
        base_rates=rates,
        list_index=lists,
        shares=covered / covered.sum(),
        token_pairs=pairs,
        upper=np.full(8, 0.9),
        ridge=np.zeros(8),
    )
    solution = exact(problem)
    assert solution.converged
    assert close(solution.x, solved(problem), 1e-7)


def many_entries(size: int) -> tuple[Evidence, FloatArray]:
    random = np.random.default_rng(0)
    plain = evidence_of(count(TEXTS, LEXICON))
    occurrences = np.exp(random.uniform(0, 27, size)).astype(np.int64)
    lists = np.repeat([0, 1], size // 2)
    evidence = replace(
        plain,
        entries=("x",) * size,
        list_index=lists,
        occurrences=occurrences,
        tokens=10 * int(occurrences.sum()),
        squared_lengths=2**62,
        partner_weights=np.ones(size),
    )
    expected = expected_cross_counts(evidence, np.ones(size, dtype=bool))
    return evidence, expected


def test_a_million_entries() -> None:
    """Sums over a million entries whose base rates differ by 11 orders of magnitude."""
    evidence, expected = many_entries(10**6)
    half = [int(evidence.occurrences[evidence.list_index == side].sum()) for side in (0, 1)]
    tokens, pairs = mp.mpf(evidence.tokens), mp.mpf(evidence.token_pairs)
    for at in (0, 1, 499_999, 500_000, 999_999):
        other = half[1 - int(evidence.list_index[at])]
        assert close([expected[at]], [pairs * int(evidence.occurrences[at]) / tokens * other / tokens], 1e-12)
    evidence = replace(evidence, weighted_cross_counts=0.75 * expected)
    result = posterior(evidence)
    assert close(result.centre, [mp.mpf("0.25")] * 2, 1e-12)
    assert close(result.mean[[0, 1, 999_999]], [mp.mpf("0.25")] * 3, 1e-11)
    assert np.isfinite(result.std_error).all()


# -- probabilities


def test_probabilities_of_two_hundred_lists() -> None:
    random = np.random.default_rng(1)
    values = np.concatenate([random.normal(0, 3, (3, 200)), random.normal(0, 1e4, (3, 200)), np.zeros((1, 200))])
    names = tuple(f"l{number:03}" for number in range(200))
    tokens = np.full(len(values), 5)
    for platt in (None, Platt(1e-3, tuple(random.normal(0, 1, 200).tolist()))):
        scores = Scores(names, values, tokens, tokens, platt=platt)
        for row, found in zip(values, scores.probabilities, strict=True):
            shifted = row if platt is None else platt.slope * row + np.array(platt.intercepts)
            parts = [mp.e ** mp.mpf(float(value)) for value in shifted]
            assert close(found, [part / sum(parts) for part in parts], 1e-11, 1e-300)
            assert abs(mp.fsum(found.tolist()) - 1) < 1e-14


def test_a_model_of_two_hundred_lists_is_finite_and_decides_by_its_own_words() -> None:
    lists = {f"l{number:03}": [f"w{number}x", f"w{number}y"] for number in range(200)}
    texts = [f"w{number}x w{number}y film" for number in range(200)] * 3
    texts += [f"w{number}x w{(number + 1) % 200}y" for number in range(200)]
    lexicon = Lexicon(lists)
    model = estimate(count(texts, lexicon), lexicon)
    scores = score(texts[:200], model)
    assert np.isfinite(scores.values).all()
    assert scores.labels().tolist() == list(lists)
    assert np.allclose(scores.probabilities.sum(axis=1), 1.0, atol=1e-12)


def test_rules_at_base_rates_of_a_billionth_of_a_thousandth() -> None:
    rates = np.array([1e-12, 1e-12])
    weights = Weights(
        ("a", "b"),
        np.array([0, 1]),
        np.array([0.5, 0.5]),
        rates,
        np.array([1.5, 1.5]),
        np.log(np.array([3.0, 3.0])),
        250.0,
    )
    counts = np.array([1, 4])
    found = RULES["dcm"].amounts(weights, np.array([0, 1]), counts)
    alpha = mp.mpf(250.0) * mp.mpf(1e-12)
    own, other = alpha * mp.mpf(1.5), alpha * mp.mpf(0.5)
    exactly = [mp.log(3), mp.log(mp.rf(own, 4)) - mp.log(mp.rf(other, 4))]
    assert close(found, exactly, 1e-12)


EXTREMES = (0.0, 5e-324, 1e-308, 1e-17, 0.5, float(np.nextafter(1.0, 0.0)), 1.0)
PREDICTIVENESS = st.sampled_from([sign * value for sign in (-1, 1) for value in EXTREMES])


@given(st.lists(PREDICTIVENESS, min_size=4, max_size=4), st.sampled_from(EXTREMES), st.sampled_from([1, 2, 4]))
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_weights_are_finite_if_those_of_the_ends_of_lists_are(values: list[float], prior: float, first: int) -> None:
    """The check of a model file, which looks at the least and the largest predictiveness of each list only."""
    lexicon = Lexicon({"a": ["ant", "ape"], "b": ["bat", "bee"]})
    evidence = evidence_of(count(["ant bat", "ape bee"], lexicon, tokenizer=Tokenizer(negation=None)))
    evidence = replace(evidence, list_index=np.repeat([0, 1], [first, 4 - first]))
    predictiveness, priors = np.array(values), np.array([prior, 1.0 - prior])
    expected = bool(np.all(np.isfinite(make_weights(evidence, predictiveness, priors).log_odds)))
    assert are_weights_finite(evidence.list_index, predictiveness, priors) == expected
