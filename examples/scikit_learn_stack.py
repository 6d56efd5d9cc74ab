# %% [markdown]
# # A lexicon and a few labels in one scikit-learn model
#
# A supervised classifier needs labels; a lexicon needs none. With 100 labels, both together are better than either:
# the score of the lexicon becomes one more feature beside the words.
#
# `pip install 'problex[demo]'`; run this file as a script, or open it as a notebook (`make notebooks`).

# %%
import numpy as np
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.pipeline import make_pipeline, make_union
from sklearn.preprocessing import FunctionTransformer

from problex import LexiconClassifier
from problex.paper import demo_corpus

# %% [markdown]
# 2,500 film reviews. Of 100 we use the label, of 1,250 others we hide it until the end.

# %%
corpus = demo_corpus()
texts = corpus.texts[::10]
truth = np.asarray(corpus.labels[::10]) == "positive"
chosen = np.random.default_rng(0).permutation(len(texts))
labelled, hidden = chosen[:100], chosen[len(texts) // 2 :]
some, others = [texts[at] for at in labelled], [texts[at] for at in hidden]

# %% [markdown]
# The lexicon learns from all texts, because it needs no label.

# %%
lexicon = LexiconClassifier(corpus.lexicon).fit(texts)


def lexicon_score(batch):
    """The score of each text, as a column of a matrix."""
    return lexicon.decision_function(batch)[:, None]


words = TfidfVectorizer(sublinear_tf=True, min_df=2)
both = make_union(words, FunctionTransformer(lexicon_score))
models = {
    "100 labels, words": make_pipeline(words, LogisticRegression(C=10)),
    "100 labels, words and lexicon": make_pipeline(both, LogisticRegression(C=10)),
}

# %%
auc = {"lexicon, no labels": roc_auc_score(truth[hidden], lexicon.decision_function(others))}
for name, model in models.items():
    model.fit(some, truth[labelled])
    auc[name] = roc_auc_score(truth[hidden], model.decision_function(others))
for name, value in auc.items():
    print(f"{name:30} AUC {value:.3f}")

# %% [markdown]
# Words alone need far more labels. With thousands of labels the order turns round: then leave the lexicon out.
