"""Examples that were worked out on paper: constants and inequalities that simulations do not pin down."""

from __future__ import annotations

import warnings
from dataclasses import replace

import numpy as np
import pytest
from scipy import sparse
from scipy.special import expit, logit

from problex import Lexicon, count, estimate
from problex._util.arrays import FloatArray
from problex.errors import EstimationWarning
from problex.estimation.calibration import calibrate, coherence, prevalence
from problex.estimation.fitting import warn_of_weak_estimate
from problex.estimation.published import evidence_of
from problex.model.calibration import UNCALIBRATED, Prevalence
from problex.model.evidence import Solution, expected_cross_counts
from problex.model.rules import RULES, TEMPERS, Weights, make_pmi_table, make_weights
from tests.synthetic import draw

CHANCE = Lexicon({"a": ["p"], "b": ["n", "unseen"]})


def test_the_concentration_of_ten_documents() -> None:
    """N = 4 in all ten: A = 40, B = 160, B - A = 120; x has mu = 1/2 and q = 4 * 9 + 2 * 16 = 68, y 1/4 and 28.

    w_x = 1/4 and w_y = 3/16; mu B - q is 80 - 68 = 12 and 40 - 28 = 12; q - mu^2 (B - A) - mu A is 68 - 30 - 20 = 18
    and 28 - 7.5 - 10 = 10.5. So tau = (12 / 4 + 12 * 3 / 16) / (18 / 4 + 10.5 * 3 / 16) = 5.25 / 6.46875 = 56 / 69.
    """
    texts = ["x x x good"] * 4 + ["x x x x"] * 2 + ["y y y bad"] * 2 + ["y y y good", "y bad bad good"]
    counts = count(texts, Lexicon({"positive": ["good"], "negative": ["bad"]}))
    assert (counts.tokens, counts.squared_lengths) == (40, 160)
    assert evidence_of(counts).concentration == pytest.approx(56 / 69, rel=1e-12)


def test_documents_without_burstiness_have_no_concentration() -> None:
    """Five documents x x x y and five x y y y: q = 50 = mu^2 (B - A) + mu A = 30 + 20, as under a multinomial."""
    counts = count(["x x x y"] * 5 + ["x y y y"] * 5, Lexicon({"positive": ["good"], "negative": ["bad"]}))
    assert evidence_of(counts).concentration == float("inf")


def test_an_entry_exactly_at_chance_is_not_discordant() -> None:
    """s = 4 * 2 = 8, mu_p = 2/8 and M_b = 4/8, so e_p = 8 * 1/4 * 1/2 = 1, and p occurs together with n once."""
    evidence = evidence_of(count(["p n", "p w", "n n", "n w"], CHANCE))
    assert evidence.entries == ("p", "n", "unseen")
    assert evidence.cross_counts.tolist() == [1, 1, 0]
    assert expected_cross_counts(evidence, np.ones(3, dtype=bool)).tolist() == [1.0, 1.0, 0.0]
    assert evidence.discordant.tolist() == [False, False, False]


def test_an_entry_above_chance_is_discordant_and_its_partners_are_counted_without_it() -> None:
    """The same words in another order: p occurs together with n twice, and with `q` n has a concordant partner."""
    evidence = evidence_of(count(["p n", "p n", "n n", "w w"], CHANCE))
    assert evidence.discordant.tolist() == [True, True, False]
    lexicon = Lexicon({"a": ["p", "q"], "b": ["n"]})
    evidence = evidence_of(count(["p n", "p n", "n n", "w w", "q w", "q w"], lexicon))
    assert dict(zip(evidence.entries, evidence.discordant.tolist(), strict=True)) == {"p": True, "q": False, "n": True}
    assert dict(zip(evidence.entries, evidence.concordant_cross_counts.tolist(), strict=True))["n"] == 0


def documents(
    *kinds: tuple[str, int],
) -> tuple[sparse.csr_array, FloatArray, FloatArray, FloatArray, FloatArray]:
    """Documents of two tokens, a and c of the first list, b and d of the second; how often each kind occurs."""
    rows = np.array([[kind.count(word) for word in "acbd"] for kind, _ in kinds], dtype=np.float64)
    lists = np.array([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0], [0.0, 1.0]])
    signed = sparse.csr_array(rows * np.array([-1.0, -1.0, 1.0, 1.0]))
    times = np.array([number for _, number in kinds], dtype=np.float64)
    return signed, rows @ lists, (rows > 0) @ lists, np.full(len(kinds), 2.0), times


def test_the_coherence_of_four_kinds_of_documents() -> None:
    """Per token, ac is (1, 0), bd (0, 1), ab (1/2, 1/2): means 0.25 and 0.35, between -0.0875 + 0.1 / 4 = -0.0625.

    Within: 0.2 / 2 - 0.25^2 = 0.0375 and 0.3 / 2 - 0.35^2 = 0.0275. 0.0625 / sqrt(0.0375 * 0.0275) is above 1.
    """
    _, _, distinct, lengths, times = documents(("ac", 2), ("bd", 3), ("ab", 1), ("ww", 4))
    expected = np.sqrt(0.0375 * 0.0275) / 0.0625
    assert coherence(distinct, distinct, lengths, times) == pytest.approx(expected, rel=1e-12)


def trust(shares: Prevalence) -> float:
    """How far the share moved from counting to the skew, in log-odds."""
    counted, skewed, share = (float(logit(value)) for value in (shares.counted, shares.skewed, shares.share))
    return (share - counted) / (skewed - counted)


def test_a_share_that_moves_away_from_one_half_moves_by_the_square_of_the_coherence() -> None:
    """Of eleven documents bd are two and six are even, so counting gives 5/11; the skew gives less."""
    shares = prevalence(*documents(("ac", 1), ("bd", 2), ("a", 2), ("ww", 6)))
    assert shares.counted == pytest.approx(5 / 11)
    assert 0.5 > shares.counted > shares.skewed > expit(-3.0)
    assert trust(shares) == pytest.approx(shares.coherence**2, rel=1e-9)
    assert 0.6 < trust(shares) < 0.7


def test_a_share_that_moves_towards_one_half_moves_by_the_fourth_power_of_the_coherence() -> None:
    shares = prevalence(*documents(("ac", 1), ("bd", 4), ("ww", 4)))
    assert shares.counted == pytest.approx(6 / 9)
    assert shares.counted > shares.skewed > 0.5
    assert shares.coherence == pytest.approx(np.sqrt(7) / 4)
    assert trust(shares) == pytest.approx(49 / 256, rel=1e-9)


def test_a_share_that_moves_across_one_half_does_so_too() -> None:
    """Per token a is 1/2: means 1/6 and 1/3, between -1/18; within 1/18 - 1/36 = 1/36 and 1/6 - 1/9 = 1/18."""
    shares = prevalence(*documents(("ac", 1), ("bd", 3), ("a", 1), ("ww", 4)))
    assert shares.counted == pytest.approx(5 / 9)
    assert shares.skewed < 0.5
    assert shares.coherence == pytest.approx(np.sqrt(1 / 2))
    assert trust(shares) == pytest.approx(1 / 4, rel=1e-9)
    shares = prevalence(*documents(("ac", 1), ("bd", 3), ("a", 1), ("ab", 1), ("ww", 6)))
    assert logit(shares.skewed) < -logit(shares.counted) < 0  # it would end farther from one half than it began
    assert trust(shares) == pytest.approx(shares.coherence**4, rel=1e-9)


def test_a_share_that_leaves_one_half_moves_by_the_square_of_the_coherence() -> None:
    """Three documents for each label and four ties: counting gives one half exactly, which nothing moves towards."""
    shares = prevalence(*documents(("ac", 2), ("bd", 3), ("a", 1), ("ww", 4)))
    assert shares.counted == 0.5
    assert abs(logit(shares.skewed)) > 0.01
    assert 0 < shares.coherence < 1
    assert trust(shares) == pytest.approx(shares.coherence**2, rel=1e-9)


def test_shares_are_limited_to_log_odds_of_three() -> None:
    """All documents are of one label by counting, and words of a list that exclude each other have no coherence."""
    first, second = prevalence(*documents(("a", 2), ("c", 3))), prevalence(*documents(("b", 2), ("d", 3)))
    assert (first.counted, first.coherence, first.share) == pytest.approx((0.0, 0.0, expit(-3.0)))
    assert (second.counted, second.coherence, second.share) == pytest.approx((1.0, 0.0, expit(3.0)))


WEIGHTS = Weights(
    ("a", "b"), np.array([0, 1]), np.array([0.5, 0.5]), np.array([0.5, 0.25]), np.array([1.5, 1.5]),
    np.log([3.0, 3.0]), 4.0,
)  # fmt: skip


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        ("count", [[3, 0], [0, 1]]),
        ("presence", [[1, 0], [0, 1]]),
        ("multinomial", [[np.log(27), 0], [0, np.log(3)]]),
        # tau mu lift = 3 and tau mu (1 - gamma) = 1: log(3 * 4 * 5) - log(1 * 2 * 3).
        ("dcm", [[np.log(10), 0], [0, np.log(3)]]),
    ],
)
def test_three_occurrences_of_one_entry_and_one_of_another(rule: str, expected: list[list[float]]) -> None:
    table = RULES[rule].contribution(WEIGHTS, np.array([0, 1]), np.array([3, 1]))
    np.testing.assert_allclose(table, expected, rtol=1e-12)


def test_what_scores_are_multiplied_by_at_sixteen_tokens() -> None:
    factors = {name: float(temper.factor(np.array([16.0]), 4.0)[0]) for name, temper in TEMPERS.items()}
    assert factors == pytest.approx({"burstiness": 5 / 20, "root": 1 / 4, "tokens": 1 / 16.1, "none": 1.0})


def test_the_weight_of_an_entry_follows_from_its_predictiveness_and_the_prior() -> None:
    """pi = 1/4: lift = 1 + gamma (1 - pi) / pi = 1 + 3 gamma, and the weight is log(lift / (1 - gamma))."""
    lexicon = Lexicon({"a": ["good", "fine"], "b": ["bad", "poor"]})
    texts = ["good fine day", "fine good film", "bad poor film", "poor bad day", "good bad"] * 8
    model = estimate(count(texts, lexicon), lexicon, prior={"a": 1, "b": 3})
    gamma = model.predictiveness[model.evidence.list_index == 0]
    weights = model.weights[model.evidence.list_index == 0]
    np.testing.assert_allclose(weights, np.log((1 + 3 * gamma) / (1 - gamma)), rtol=1e-12)


def test_an_entry_that_does_not_occur_counts_as_half_an_occurrence() -> None:
    evidence = evidence_of(count(["p n", "p w", "n n", "n w"], CHANCE))
    weights = make_weights(evidence, np.zeros(3), np.array([0.5, 0.5]))
    assert weights.base_rates.tolist() == [2 / 8, 4 / 8, 0.5 / 8]


def test_a_word_with_five_occurrences_beside_a_label_has_a_mutual_information() -> None:
    texts = ["good often"] * 5 + ["good seldom"] * 4 + ["bad day"] * 5 + ["good bad tie"] * 9
    counts = count(texts, Lexicon({"positive": ["good"], "negative": ["bad"]}), associations=True)
    table = make_pmi_table(counts)
    assert table.words == ("bad", "day", "good", "often")
    assert table.imputed.tolist() == [[5, 0], [5, 0], [0, 9], [0, 5]]
    assert table.imputed_documents.tolist() == [5, 9]


def test_too_little_evidence_of_their_own_is_below_five_per_cent() -> None:
    evidence = replace(evidence_of(count(["p n", "p w", "n n", "n w"] * 2, CHANCE)), concentration=1.0)
    with pytest.warns(EstimationWarning, match=r"4\.9% of the weights comes from their own evidence"):
        warn_of_weak_estimate(evidence, np.ones(3), Solution(own_evidence=0.049))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warn_of_weak_estimate(evidence, np.ones(3), Solution(own_evidence=0.05))


def test_fewer_than_six_documents_teach_nothing() -> None:
    """All n of n fair coins agree with the probability 2^(1 - n): 1/16 for five, 1/32 for six."""
    texts = ["p n", "p w", "n n", "n w", "p p", "w w"]
    five, six = (replace(evidence_of(count(texts[:n], CHANCE)), concentration=1.0) for n in (5, 6))
    with pytest.warns(
        EstimationWarning, match=r"5 documents are too few to learn weights from: in fewer than 6, words"
    ):
        warn_of_weak_estimate(five, np.ones(3), Solution())
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warn_of_weak_estimate(six, np.ones(3), Solution())


def test_calibration_needs_two_hundred_documents() -> None:
    truth = draw(200, [0.4, 0.6], seed=1)
    model = estimate(truth.counts, truth.lexicon, sample=truth.sample)
    assert model.calibration != UNCALIBRATED
    sample, weights = truth.sample, model.entry_weights
    fewer = replace(
        sample, keys=sample.keys[1:], repeats=sample.repeats[1:], lengths=sample.lengths[1:], matrix=sample.matrix[1:]
    )
    assert calibrate(weights, sample, "dcm", "root") == model.calibration
    assert calibrate(weights, fewer, "dcm", "root") == UNCALIBRATED
