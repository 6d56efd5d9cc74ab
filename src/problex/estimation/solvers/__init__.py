"""Solvers of the moment equations: the exact one, and ADMM as it was published.

Which equations they solve for a corpus is in `problex.estimation.least_squares`.
"""

from problex.estimation.solvers.exact import Problem, Solution, exact

__all__ = ["Problem", "Solution", "exact"]
