"""The paper's corpora and its table of results, and the corpus of the demo.

Nothing else in the package needs this.
"""

from problex.paper.datasets import demo_corpus, paper_corpora
from problex.paper.reproduction import reproduce

__all__ = ["demo_corpus", "paper_corpora", "reproduce"]
