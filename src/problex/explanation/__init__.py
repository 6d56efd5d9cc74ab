"""Explanations of scores: the contribution of each word, and its position in the text.

The views show an explanation in a terminal or as HTML.
"""

from problex.explanation.contributions import Contribution, Explanation, explain

__all__ = ["Contribution", "Explanation", "explain"]
