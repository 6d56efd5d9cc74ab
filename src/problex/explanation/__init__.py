"""Explanations of scores: the contribution of each word, and its position in the text.

The views show an explanation in a terminal or as HTML. `keyword_lines` has the places of an entry in a corpus.
"""

from problex.explanation.contributions import Contribution, Explanation, Span, explain
from problex.explanation.keywords import KeywordLine, KeywordPage, keyword_lines

__all__ = ["Contribution", "Explanation", "KeywordLine", "KeywordPage", "Span", "explain", "keyword_lines"]
