"""Small pieces by hand: the objective, Platt scaling, intervals, settings and checks."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from problex import Lexicon, Model, count, estimate
from problex.errors import EstimationError, ModelError, ProblexError
from problex.estimation.calibration import fit_platt
from problex.estimation.least_squares import RidgeProblem as Problem
from problex.estimation.least_squares import estimate_by_solver, exact
from problex.estimation.published import evidence_of
from problex.model import Settings
from problex.model.calibration import Platt
from problex.model.evidence import coverage
from problex.model.expansion import Expansion
from problex.model.settings import PAPER, make_shares
from problex.model.vocabulary import Vocabulary

LEXICON = Lexicon({"negative": ["bad", "poor"], "positive": ["good", "fine"]})
TEXTS = ["good fine day", "fine good film", "bad poor film", "poor bad day", "good bad"] * 20


def test_the_objective_with_and_without_a_ridge() -> None:
    """mu = (0.1, 0.1 | 0.2), gamma = (0.5, 0.1 | 0.3), s = 100: G = 0.06 and 0.06, slopes 0.6, 0.6 and 1.2.

    Fitted: -1 + 0.3, 2 + 0.06 and -3 + 0.36. A ridge of 2 towards zero adds 2 (0.3^2 + 0.06^2 + 0.36^2); towards the
    mean 0.3 of both lists, 2 (0.12^2 + 0.12^2).
    """
    problem = Problem(
        residuals=np.array([-1.0, 2.0, -3.0]),
        base_rates=np.array([0.1, 0.1, 0.2]),
        list_index=np.array([0, 0, 1]),
        shares=np.full(2, 0.5),
        token_pairs=100.0,
        upper=np.full(3, 0.9),
        ridge=np.zeros(3),
    )
    x = np.array([0.5, 0.1, 0.3])
    plain = (0.49 + 2.06**2 + 2.64**2) / 2
    assert problem.objective(x) == pytest.approx(plain, rel=1e-12)
    ridge = replace(problem, ridge=np.full(3, 2.0))
    assert ridge.objective(x) == pytest.approx(plain + 0.09 + 0.0036 + 0.1296, rel=1e-12)
    assert replace(ridge, towards_mean=True).objective(x) == pytest.approx(plain + 2 * 0.0144, rel=1e-12)
    # A word with the upper bound zero is not pulled.
    fixed = replace(ridge, upper=np.array([0.9, 0.0, 0.9]))
    assert [rows.tolist() for rows in fixed.members] == [[0], [2]]
    assert fixed.objective(x) == pytest.approx(plain + 0.09 + 0.1296, rel=1e-12)


def test_a_solution_on_the_bound_has_no_steepness_and_one_inside_has_a_root() -> None:
    """With r = -6 and s mu^2 = 10, G = sqrt(6 / 1000); with r = -10 both words reach 0.9."""
    inside = Problem(
        residuals=np.full(2, -6.0),
        base_rates=np.full(2, 0.1),
        list_index=np.array([0, 1]),
        shares=np.full(2, 0.5),
        token_pairs=1000.0,
        upper=np.full(2, 0.9),
        ridge=np.zeros(2),
    )
    solution = exact(inside)
    assert solution.x == pytest.approx(np.full(2, np.sqrt(0.6)))
    assert solution.objective == pytest.approx(0, abs=1e-9)
    assert solution.iterations > 3
    assert max(solution.residuals[0]) < 1e-9
    top = exact(replace(inside, residuals=np.full(2, -10.0)))
    assert top.x.tolist() == pytest.approx([0.9, 0.9])
    assert (top.iterations, top.residuals[0][1]) == (1, 0.0)
    none = exact(replace(inside, residuals=np.full(2, 1.0)))
    assert none.x.tolist() == [0, 0]
    assert (none.iterations, none.residuals) == (2, ((0.0, 0.0),))
    assert none.objective == pytest.approx(1.0)


def test_platt_scaling_is_where_likelihood_and_prior_balance() -> None:
    """The derivatives of the log posterior by log slope and intercepts are zero: deviations 0.7 and 1.5."""
    values = np.array([[0.0, 2.0], [0.0, -1.0], [0.5, 0.0], [0.0, 3.0], [1.0, 0.0]])
    codes = np.array([1, 0, 1, 0, 0])
    result = fit_platt(values, codes)
    wrong = result.probabilities(values) - np.eye(2)[codes]
    assert np.log(result.slope) / 0.7**2 == pytest.approx(-result.slope * np.sum(wrong * values), abs=1e-4)
    np.testing.assert_allclose(np.array(result.intercepts) / 1.5**2, -wrong.sum(axis=0), atol=1e-4)
    assert abs(np.log(result.slope)) > 0.05
    assert result.labels == 5
    assert Platt(1.0, (0.0, 0.0)).labels == 0


def test_a_stored_scaling_needs_a_positive_slope_and_finite_numbers() -> None:
    names = ("a", "b")
    stored = Platt(0.5, (1.0, 2.0), 3).record(names)
    assert Platt.from_record(stored, names) == Platt(0.5, (1.0, 2.0), 3)
    for change in ({"slope": 0.0}, {"slope": float("inf")}, {"intercepts": {"a": 0.0, "b": float("nan")}}):
        with pytest.raises(ModelError, match="has no positive slope or is not finite"):
            Platt.from_record(stored | change, names)
    with pytest.raises(ProblexError, match="3 labels were given"):
        fit_platt(np.zeros(3), np.zeros(3, dtype=np.int64))


@pytest.fixture(scope="module")
def model() -> Model:
    return estimate(count(TEXTS, LEXICON), LEXICON)


def test_an_interval_is_1_96_standard_errors_on_both_sides(model: Model) -> None:
    narrow = replace(model, predictiveness=np.full(4, 0.5))
    vars(narrow)["standard_errors"] = np.array([0.1, 0.2, 0.3, 0.1])
    rows = {row["entry"]: (row["low"], row["high"]) for row in narrow.records()}
    assert rows[model.evidence.entries[0]] == pytest.approx((0.5 - 0.1959964, 0.5 + 0.1959964))
    assert rows[model.evidence.entries[1]] == pytest.approx((0.5 - 0.3919928, 0.5 + 0.3919928))
    assert rows[model.evidence.entries[2]] == (0.0, 1.0)


def test_records_are_in_the_order_of_weight_count_and_entry(model: Model) -> None:
    even = replace(model, predictiveness=np.array([0.5, 0.5, 0.5, 0.7]))
    by_count = replace(even.evidence, occurrences=np.array([60, 40, 60, 10]))
    entries = even.evidence.entries
    rows = replace(even, evidence=by_count).records()
    assert [row["entry"] for row in rows] == [entries[3], *sorted([entries[0], entries[2]]), entries[1]]
    assert "learned" not in rows[0]
    vocabulary = Vocabulary(("sunny",), np.array([0]), np.array([-1]), np.array([9]), 9)
    expansion = Expansion(vocabulary, np.array([[0.0, 9.0]]), 1.0, np.zeros(2), 9, 0.5, 1, 1.0)
    first, *rest = replace(even, expansion=expansion).records()
    assert (first["entry"], first["learned"], first["count"], first["list"]) == ("sunny", True, 9, "positive")
    assert first["predictiveness"] is None
    assert [row["learned"] for row in rest] == [False] * 4


def test_settings_at_their_limits() -> None:
    assert Settings(shrinkage=0).kappa == 0
    assert np.isnan(Settings().kappa)
    assert (Settings().max_predictiveness, Settings().keep_discordant) == (0.9, False)
    assert (PAPER.shrinkage, PAPER.keep_discordant) == (0.0, False)
    wrong: list[dict[str, Any]] = [
        {"max_predictiveness": 0},
        {"max_predictiveness": 1},
        {"max_predictiveness": "0.5"},
        {"max_predictiveness": 1.5},
        {"shrinkage": True},
        {"shrinkage": -0.5},
        {"shrinkage": [1]},
    ]
    for options in wrong:
        with pytest.raises(ProblexError, match="was given, expected"):
            Settings(**options)
    assert Settings(max_predictiveness=0.01).max_predictiveness == 0.01
    assert Settings(shrinkage=0.5).kappa == 0.5


def test_shares_are_positive_and_sum_to_one() -> None:
    assert make_shares(None, "prior", ("a", "b", "c", "d")).tolist() == [0.25] * 4
    assert make_shares({"b": 1, "a": 3}, "prior", ("a", "b")).tolist() == [0.75, 0.25]
    assert make_shares({"b": 0.5, "a": 0.5}, "prior", ("a", "b")).tolist() == [0.5, 0.5]
    for bad in (0.0, -1.0, float("nan"), float("inf")):
        with pytest.raises(ProblexError, match="expected a positive number"):
            make_shares({"a": 1.0, "b": bad}, "prior", ("a", "b"))


def test_a_wrong_prior_is_refused_when_the_model_is_estimated() -> None:
    with pytest.raises(ProblexError, match="prior names"):
        estimate(count(TEXTS, LEXICON), LEXICON, prior={"positive": 1.0}, calibration="none")
    with pytest.raises(EstimationError, match="Counts and dict, expected Counts"):
        estimate(count(TEXTS, LEXICON), {"a": ["b"]})  # type: ignore[arg-type]


def test_a_list_that_does_not_occur_is_named_with_its_first_sixty_letters() -> None:
    words = [f"missing{letter}" for letter in "abcdefghij"]  # of nine letters with a comma: the sixth ends at 58
    lexicon = Lexicon({"negative": words, "positive": ["good"]})
    with pytest.raises(EstimationError) as caught:
        estimate(count(["good day", "fine day"], lexicon), lexicon)
    assert f"({', '.join(words)[:60]}) was found in 2 documents" in str(caught.value)


def test_one_document_of_two_words_and_one_occurrence_of_each_list_are_enough() -> None:
    """Two tokens give two pairs of tokens; entries that occur once count as seen."""
    lexicon = Lexicon({"negative": ["bad"], "positive": ["good"]})
    with pytest.warns(Warning, match="every entry has the same weight"):
        model = estimate(count(["good bad"], lexicon), lexicon)
    assert model.evidence.occurrences.tolist() == [1, 1]
    assert model.predictiveness.tolist() == [0.1, 0.1]


def test_coverage_is_that_of_the_included_entries() -> None:
    evidence = evidence_of(count(["p p z x", "q x x", "z z"], Lexicon({"a": ["p", "q"], "b": ["z"]})))
    assert coverage(evidence, np.array([True, False, True])).tolist() == pytest.approx([2 / 9, 3 / 9])


def test_an_entry_that_does_not_occur_has_the_mean_of_its_list_only_with_shrinkage_to_the_mean() -> None:
    """The mean of a list over tokens: sum mu gamma / sum mu."""
    lexicon = Lexicon({"negative": ["bad", "poor"], "positive": ["good", "fine", "unseen"]})
    evidence = evidence_of(count([*TEXTS, "fine", "good good day"], lexicon))
    included, shares = np.ones(5, dtype=bool), np.full(2, 0.5)
    unseen = evidence.entries.index("unseen")

    def solve(**options: Any) -> np.ndarray:
        return estimate_by_solver(evidence, included, shares, Settings(keep_discordant=True, **options))[0]

    x = solve(shrinkage=0.5)
    own = (evidence.list_index == evidence.list_index[unseen]) & (evidence.occurrences > 0)
    assert np.ptp(x[own]) > 1e-3
    assert x[unseen] == pytest.approx(np.average(x[own], weights=evidence.base_rates[own]), rel=1e-9)
    assert solve(shrinkage=0.0)[unseen] == 0
    assert solve(shrinkage=0.5, shrink_to="zero")[unseen] == 0


def test_an_entry_that_occurs_once_is_part_of_the_problem() -> None:
    lexicon = Lexicon({"negative": ["bad", "poor"], "positive": ["good", "fine", "once"]})
    evidence = evidence_of(count([*TEXTS, "once upon a day"], lexicon))
    x, _ = estimate_by_solver(evidence, np.ones(5, dtype=bool), np.full(2, 0.5), Settings(shrinkage=0.0))
    assert x[evidence.entries.index("once")] > 0


def test_a_prior_that_leaves_nothing_for_the_other_lists_is_refused() -> None:
    """One share is 1 after rounding, and a word of negative predictiveness would have a weight that is no number."""
    lexicon = Lexicon({"up": ["good"], "down": ["bad"]})
    counts = count(["good good bad", "bad bad good", "good bad day"], lexicon)
    message = "prior of list 'up' is more than 10.15 times that of the others, expected less"
    with pytest.raises(ProblexError, match=message):
        estimate(counts, lexicon, prior={"up": 2.0**63, "down": 0.5})
