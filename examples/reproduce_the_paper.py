# %% [markdown]
# # The paper in ten minutes
#
# Eisenstein ("Unsupervised Learning for Lexicon-Based Classification", AAAI 2017) compares six systems on four
# corpora. The corpora are not in a Python package; `problex reproduce --data FOLDER` runs all of them if you have
# them. This notebook runs the same six systems on film reviews that pip installs: the 25,000 *training* reviews of
# IMDB, with the words of VADER instead of the lexicon of the paper. So expect the order of the systems, not the
# figures.
#
# `pip install 'problex[demo]'`; `TEXTS=25000` in the environment takes all reviews (ten minutes), the default 2,500.

# %%
import os

from problex.paper import DataSet, demo_corpus, reproduce

corpus = demo_corpus()
step = max(1, len(corpus.texts) // int(os.environ.get("TEXTS", "2500")))
reviews = DataSet("film reviews", corpus.texts[::step], corpus.labels[::step], corpus.lexicon, corpus.language)

# %% [markdown]
# AUC of each system. Lexicon counts words, Lex-Presence counts each word once, PMI learns all words from the labels
# of counting, ProbLex is the method of the paper, LogReg has the labels (five folds). The last rows are problex's own
# settings.

# %%
auc = {result.system: result.ours for result in reproduce(reviews)}
for system, value in auc.items():
    print(f"{system:22} {value:.3f}")

# %% [markdown]
# The finding of the paper: learned weights are better than counting, without a label.

# %%
assert auc["ProbLex-DCM"] > auc["Lexicon"]
assert auc["problex expanded"] > auc["problex default"] > auc["Lexicon"]
