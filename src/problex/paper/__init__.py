"""The data sets and results of the paper, and the data set of the demo.

Only the commands `problex reproduce` and `problex demo` and the scripts in `proof` use this.
"""

from problex.paper.datasets import DataSet, demo_corpus, paper_corpora
from problex.paper.reproduction import reproduce

__all__ = ["DataSet", "demo_corpus", "paper_corpora", "reproduce"]
