"""The demo: learn from film reviews without a label, then open the labels and show what came out."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from rich.console import Console
from rich.text import Text
from sklearn.metrics import roc_auc_score

from problex.cli.output import render
from problex.counting.streams import count
from problex.estimation.model import Model, estimate
from problex.explanation import views as explain_views
from problex.explanation.contributions import Explanation, explain
from problex.paper.datasets import Corpus, demo_corpus
from problex.scoring.scorer import score

SAMPLE = 1000
SHOWN = 10


@dataclass(frozen=True, eq=False)
class Demo:
    """What the demo shows."""

    model: Model
    systems: list[dict[str, Any]]
    words: list[dict[str, Any]]
    explanations: list[tuple[str, Explanation]]


def run(update: Callable[[str], None] = lambda message: None) -> Demo:
    """Fit, then evaluate: no label is looked at before the model is finished."""
    corpus = demo_corpus()
    update(f"counting {len(corpus.texts):,} reviews")
    model = estimate(count(corpus.texts, corpus.lexicon), corpus.lexicon)
    update("scoring")
    scores = score(corpus.texts, model)
    counted = score(corpus.texts, model, rule="count").decision
    positive = corpus.labels == "positive"
    update(f"asking VADER about {SAMPLE:,} reviews")
    sample = np.random.default_rng(0).choice(len(corpus.texts), SAMPLE, replace=False)
    vader = _vader([corpus.texts[at] for at in sample])
    per_token = counted / np.maximum(scores.lengths, 1)
    systems = [
        _system("counting the words", counted, positive, sample),
        _system("counting, per token", per_token, positive, sample),
        {
            "system": "VADER itself",
            "auc": None,
            "auc_on_sample": round(float(roc_auc_score(positive[sample], vader)), 4),
        },
        _system("problex, same words, learned weights", scores.decision, positive, sample),
    ]
    return Demo(model, systems, _words(model), _explanations(corpus, model))


def _system(name: str, decision: Any, positive: Any, sample: Any) -> dict[str, Any]:
    whole, part = roc_auc_score(positive, decision), roc_auc_score(positive[sample], decision[sample])
    return {"system": name, "auc": round(float(whole), 4), "auc_on_sample": round(float(part), 4)}


def _vader(texts: list[str]) -> list[float]:
    from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer

    analyzer = SentimentIntensityAnalyzer()
    return [analyzer.polarity_scores(text)["compound"] for text in texts]


def _words(model: Model) -> list[dict[str, Any]]:
    """The heaviest words of each list, and the frequent ones that turned out to say nothing."""
    columns = ("entry", "list", "count", "expected_cross_count", "cross_count", "predictiveness", "weight")
    common = [row for row in model.records() if row["count"] >= 200]
    shown = []
    for name in model.classes:
        mine = [row for row in common if row["list"] == name]
        idle = sorted(mine, key=lambda row: (row["weight"], -row["count"]))[:6]
        shown += mine[:8] + idle
    return [{column: row[column] for column in columns} for row in shown]


def _explanations(corpus: Corpus, model: Model) -> list[tuple[str, Explanation]]:
    """Short reviews, chosen by chance, so that they fit on a screen."""
    short = [at for at, text in enumerate(corpus.texts) if 200 < len(text) < 500]
    picked = np.random.default_rng(1).choice(short, SHOWN, replace=False)
    return [(str(corpus.labels[at]), explain(corpus.texts[at], model)) for at in picked]


def coloured(explanation: Explanation) -> Text:
    """The text with its weighted words in colour: green for the second class, red for the first."""
    return explain_views.as_rich_text(explanation.record())


def show(demo: Demo, form: str) -> None:
    """Print the demo: tables, then reviews in colour; as JSON one object, as CSV the comparison alone."""
    console = Console()
    if form == "json":
        print(json.dumps({"systems": demo.systems, "words": demo.words}, indent=2))
        return
    console.out(render(demo.systems, form, "AUC, after learning without labels (VADER on a sample: it is slow)"))
    if form == "table":
        console.out(render(demo.words, form, "The most and the least predictive frequent words of each list"))
        for truth, why in demo.explanations:
            chance = max(why.probabilities)
            console.print(Text(f"\n{why.label} ({chance:.0%} by the model); the label says {truth}", style="bold"))
            console.print(coloured(why))
