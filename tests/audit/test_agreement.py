"""Agreement of coders, by hand from the definitions and against the package `krippendorff`."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from problex._util.arrays import IntArray
from problex.audit import coders
from problex.audit.coders import agreements, alpha_interval, cohen_kappa, coincidences, krippendorff_alpha


def table(*rows: str) -> IntArray:
    """Rows of digits, with a dot where a label is missing."""
    return np.array([[-1 if sign == "." else int(sign) for sign in row] for row in rows])


def test_coincidences_by_hand() -> None:
    """A document with the labels 0, 0, 1: six ordered pairs, each 1/2: 00 twice, 01 twice, 10 twice."""
    assert coincidences(table("0", "0", "1"), 2).tolist() == [[[1.0, 1.0], [1.0, 0.0]]]
    assert coincidences(table("0", ".", "."), 2).shape == (0, 2, 2)
    assert coincidences(table("01", "0."), 2).tolist() == [[[2.0, 0.0], [0.0, 0.0]]]


def test_alpha_of_krippendorff_s_example() -> None:
    """Two coders, ten documents, 0100000000 and 1110010010 (Krippendorff 2011, "Computing Krippendorff's
    Alpha-Reliability", A): o_01 = o_10 = 4, n_0 = 14, n_1 = 6, so alpha = 1 - 19 * 4 / (14 * 6) = .095."""
    codes = table("0100000000", "1110010010")
    assert coincidences(codes, 2).sum(axis=0).tolist() == [[10.0, 4.0], [4.0, 2.0]]
    assert krippendorff_alpha(codes, 2) == pytest.approx(1 - 19 * 4 / (14 * 6))


def test_alpha_of_four_coders_with_missing_labels() -> None:
    """Krippendorff 2011, C: four coders, twelve documents, nominal alpha .743."""
    codes = table("012210301...", "0122113014.2", ".2221231140.", "0122133014 0.".replace(" ", ""))
    assert krippendorff_alpha(codes, 5) == pytest.approx(0.743, abs=5e-4)


def test_kappa_by_hand() -> None:
    """Fifty documents, both yes 20, only the first 5, only the second 10, both no 15: p_o = .7, p_e = .5 * .6 + .5 * .4
    = .5, kappa = .4."""
    first = np.array([1] * 25 + [0] * 25)
    second = np.array([1] * 20 + [0] * 5 + [1] * 10 + [0] * 15)
    assert cohen_kappa(first, second) == pytest.approx(0.4)
    with_missing = np.concatenate([second, [-1, 0]]), np.concatenate([first, [1, -1]])
    assert cohen_kappa(*with_missing) == pytest.approx(0.4)


def test_undefined() -> None:
    assert krippendorff_alpha(table("000", "000"), 2) is None
    assert krippendorff_alpha(table("01.", "..0"), 2) is None
    assert cohen_kappa(table("000")[0], table("000")[0]) is None
    assert cohen_kappa(table("0.")[0], table(".1")[0]) is None
    (one,) = agreements({"a": [0, -1], "b": [-1, 1]}, 2)
    assert one.record() == {
        "coders": "a, b",
        "documents": 0,
        "agreement": None,
        "kappa": None,
        "alpha": None,
        "alpha_low": None,
        "alpha_high": None,
    }


@given(st.integers(0, 200), st.integers(2, 5), st.integers(2, 30), st.integers(2, 4), st.floats(0, 0.6))
def test_alpha_is_that_of_the_package(seed: int, coders: int, documents: int, classes: int, missing: float) -> None:
    krippendorff = pytest.importorskip("krippendorff")
    random = np.random.default_rng(seed)
    codes = random.integers(0, classes, (coders, documents))
    codes = np.where(random.random(codes.shape) < 0.5, codes[0], codes)
    codes[random.random(codes.shape) < missing] = -1
    mine = krippendorff_alpha(codes, classes)
    if mine is None:
        return
    data = np.where(codes < 0, np.nan, codes)
    assert mine == pytest.approx(krippendorff.alpha(data, level_of_measurement="nominal"))


def test_alpha_does_not_depend_on_the_order_of_coders_or_names_of_classes() -> None:
    codes = np.random.default_rng(1).integers(0, 3, (3, 40))
    alpha = krippendorff_alpha(codes, 3)
    assert krippendorff_alpha(codes[::-1], 3) == pytest.approx(alpha)
    assert krippendorff_alpha(2 - codes, 3) == pytest.approx(alpha)


def test_three_coders_are_compared_together_and_in_pairs() -> None:
    found = agreements({"ann": [0, 1, 1, 0], "ben": [0, 1, 0, 0], "eve": [0, 1, 1, -1]}, 2)
    assert [one.coders for one in found] == [("ann", "ben", "eve"), ("ann", "ben"), ("ann", "eve"), ("ben", "eve")]
    assert [one.documents for one in found] == [4, 4, 3, 3]
    assert [one.kappa for one in found][:3] == [None, pytest.approx(0.5), pytest.approx(1.0)]
    assert found[2].share == 1.0


def test_the_interval_covers_the_true_alpha(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two coders who each keep a true even label with probability .9: in the long run, they agree in .82, alpha .64."""
    monkeypatch.setattr(coders, "BOOTSTRAP_DRAWS", 300)  # for speed
    random, hits = np.random.default_rng(3), 0
    for _ in range(200):
        truth = random.integers(0, 2, 100)
        codes = np.where(random.random((2, 100)) < 0.9, truth, 1 - truth)
        low, high = alpha_interval(coincidences(codes, 2))
        assert low is not None
        assert high is not None
        hits += low <= 0.64 <= high
    assert hits >= 180
