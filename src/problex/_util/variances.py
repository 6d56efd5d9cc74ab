"""Empirical Bayes: how much of the variance of estimates is a true spread, and how much is noise."""

from __future__ import annotations

from problex._util.arrays import FloatArray

VARIANCE_ROUNDS = 20
MIN_DISPERSION, MIN_SPREAD = 0.5, 1e-6


def variances(
    deviations: FloatArray, effective: FloatArray, max_dispersion: float = float("inf")
) -> tuple[float, float]:
    """The spread A and the dispersion phi, by weighted least squares of e d^2 = phi + A e.

    `max_dispersion` is the bound that documents give: with few words it is better than what the words give.

    >>> random = np.random.default_rng(0)
    >>> e = random.uniform(1, 2000, 5000)
    >>> d = random.normal(0, np.sqrt(0.04 + 3.0 / e))
    >>> spread, dispersion = variances(d, e)
    >>> round(spread, 2), round(dispersion)
    (0.04, 3)
    """
    squares = effective * deviations**2
    spread, dispersion = 0.01, 1.0
    for _ in range(VARIANCE_ROUNDS if len(squares) else 0):
        weights = 1.0 / (dispersion + spread * effective) ** 2
        s0, s1, s2 = weights.sum(), (weights * effective).sum(), (weights * effective**2).sum()
        y0, y1 = (weights * squares).sum(), (weights * effective * squares).sum()
        determinant = s0 * s2 - s1 * s1
        if determinant > 1e-12 * s0 * s2:
            spread, dispersion = (s0 * y1 - s1 * y0) / determinant, (y0 * s2 - y1 * s1) / determinant
        else:  # all words have the same evidence, which cannot separate the two: all variance counts as noise
            spread, dispersion = 0.0, y0 / s0
        if dispersion <= MIN_DISPERSION:
            dispersion, spread = MIN_DISPERSION, (y1 - MIN_DISPERSION * s1) / s2
        if spread <= MIN_SPREAD:
            spread, dispersion = MIN_SPREAD, max(y0 / s0, MIN_DISPERSION)
    if dispersion <= max_dispersion:
        return float(spread), float(dispersion)
    spread = 0.01
    for _ in range(VARIANCE_ROUNDS if len(squares) else 0):
        weights = effective / (max_dispersion + spread * effective) ** 2
        spread = max(float((weights * (squares - max_dispersion)).sum() / (weights * effective).sum()), MIN_SPREAD)
    return spread, max_dispersion
