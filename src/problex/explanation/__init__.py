"""Why a text got its label: what each word adds to the score, and where it is in the text.

The views show an explanation in a terminal or as HTML.
"""

from problex.explanation.contributions import Contribution, Explanation, Span, explain

__all__ = ["Contribution", "Explanation", "Span", "explain"]
