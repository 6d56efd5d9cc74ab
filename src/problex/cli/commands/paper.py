"""`problex demo` and `problex reproduce`: what is learned without labels, compared with labels and with the paper."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.text import Text
from sklearn.metrics import roc_auc_score

from problex._util.arrays import FloatArray
from problex._util.records import Record
from problex.cli.options import Force, Format, TableOutput, option
from problex.cli.output import as_json, printable_text, results_file, show, status, write_records
from problex.cli.terminal import printable, say, write_output
from problex.counting import count
from problex.estimation import estimate
from problex.explanation import Explanation, explain, views
from problex.model import Model
from problex.paper import paper_corpora
from problex.paper import reproduce as run_systems
from problex.paper.datasets import PAPER_DATA_SETS, DataSet, data_folder, demo_corpus
from problex.paper.reproduction import SystemResult
from problex.scoring import score

SAMPLE_SIZE = 1000
"""Reviews that VADER scores, which takes long."""
EXPLANATIONS_SHOWN = 10
MIN_OCCURRENCES = 200
"""Only words at least this frequent are shown."""


def demo(form: Format = "table") -> None:
    """Learn from 25,000 film reviews without labels, then compare with the labels."""
    with status("loading 25,000 film reviews") as update:
        results = run_demo(update)
    show_results(results, form)


@dataclass(frozen=True, eq=False)
class DemoResults:
    """The model, the AUC of the systems, some words, and reviews with their true labels and explanations."""

    model: Model
    systems: list[Record]
    words: list[Record]
    explanations: list[tuple[str, Explanation]]


def run_demo(update: Callable[[str], None] = lambda message: None) -> DemoResults:
    """Fit, then evaluate: the labels are not used before the model is finished."""
    data = demo_corpus()
    update(f"counting {len(data.texts):,} reviews")
    model = estimate(count(data.texts, data.lexicon), data.lexicon)
    update("scoring")
    scores = score(data.texts, model)
    word_counts = score(data.texts, model, rule="count").decision
    positive = data.labels == "positive"
    update(f"scoring {SAMPLE_SIZE:,} reviews with VADER")
    sample = np.random.default_rng(0).choice(len(data.texts), SAMPLE_SIZE, replace=False)
    vader = vader_scores([data.texts[row] for row in sample])
    vader_auc = round(float(roc_auc_score(positive[sample], vader)), 4)
    systems = [
        _auc_record("counting the words", word_counts, positive, sample),
        _auc_record("counting, per token", word_counts / np.maximum(scores.lengths, 1), positive, sample),
        {"system": "VADER itself", "auc": None, "auc_on_sample": vader_auc},
        _auc_record("problex, same words, learned weights", scores.decision, positive, sample),
    ]
    return DemoResults(model, systems, example_words(model), example_explanations(data, model))


def _auc_record(name: str, decision: FloatArray, positive: NDArray[np.bool_], sample: NDArray[np.int64]) -> Record:
    auc, sample_auc = roc_auc_score(positive, decision), roc_auc_score(positive[sample], decision[sample])
    return {"system": name, "auc": round(float(auc), 4), "auc_on_sample": round(float(sample_auc), 4)}


def vader_scores(texts: list[str]) -> list[float]:
    """The compound scores of VADER."""
    from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer

    analyzer = SentimentIntensityAnalyzer()
    return [analyzer.polarity_scores(text)["compound"] for text in texts]


def example_words(model: Model) -> list[Record]:
    """The frequent words of each list with the largest and the smallest weights."""
    columns = ("entry", "list", "count", "expected_cross_count", "cross_count", "predictiveness", "weight")
    frequent = [row for row in model.records() if row["count"] >= MIN_OCCURRENCES]
    rows: list[Record] = []
    for name in model.classes:
        of_list = [row for row in frequent if row["list"] == name]
        smallest = sorted(of_list, key=lambda row: (row["weight"], -row["count"]))[:6]
        rows += of_list[:8] + smallest
    return [{column: row[column] for column in columns} for row in rows]


def example_explanations(data: DataSet, model: Model) -> list[tuple[str, Explanation]]:
    """A random sample of short reviews, which fit on a screen, with their true labels."""
    short = [row for row, text in enumerate(data.texts) if 200 < len(text) < 500]
    rows = np.random.default_rng(1).choice(short, EXPLANATIONS_SHOWN, replace=False)
    return [(str(data.labels[row]), explain(data.texts[row], model)) for row in rows]


def show_results(results: DemoResults, form: str) -> None:
    """Print tables and coloured reviews; as JSON one object, as CSV only the comparison of systems."""
    if form == "json":
        write_output(as_json({"systems": results.systems, "words": results.words}))
        return
    show(results.systems, form, "AUC, after learning without labels (VADER on a sample: it is slow)")
    if form != "table":
        return
    show(results.words, form, "The most and the least predictive frequent words of each list")
    console = Console()
    for label, explanation in results.explanations:
        probability = max(explanation.probabilities)
        headline = f"\n{explanation.label} (probability {probability:.0%}); the true label is {label}"
        console.print(Text(printable(headline, keep="\n"), style="bold"))
        console.print(printable_text(views.as_rich_text(explanation.record())))


# -- the experiments of the paper


def reproduce(
    data: Annotated[
        Path | None,
        option("--data", "FOLDER", "The folder with the corpora.", default="$PROBLEX_DATA"),
    ] = None,
    corpus: Annotated[
        list[str] | None,
        option("--corpus", "NAME", f"Only this corpus: {', '.join(PAPER_DATA_SETS)}; repeat the option for more."),
    ] = None,
    output: TableOutput = None,
    force: Force = False,
    form: Format = "table",
) -> None:
    """Run the systems of the paper on its corpora, and compare their AUC with the published values."""
    target = results_file(output, raw=False, force=force)
    results: list[SystemResult] = []
    notes = []
    with status("reading") as update:
        for data_set in paper_corpora(data_folder(data), corpus or None):
            for result in run_systems(data_set, lambda step, name=data_set.name: update(f"{name}: {step}")):  # type: ignore[misc]
                results.append(result)
            if data_set.note:
                notes.append(f"{data_set.name}: {data_set.note}")
    records = [result.record() for result in results]
    if target is not None:
        write_records(records, target)
    else:
        show(paper_table(results) if form == "table" else records, form, "AUC: the paper's / ours", whole=True)
    for note in notes:
        say(note)


def paper_table(results: Iterable[SystemResult]) -> list[Record]:
    """The systems down and the corpora across: the paper's AUC, where it has one, beside ours.

    >>> paper_table([SystemResult("Amazon", "PMI", 0.793, 0.7941), SystemResult("Cine", "PMI", None, 0.66)])
    [{'system': 'PMI', 'Amazon': '.793 / .794', 'Cine': '.660'}]
    """
    rows: dict[str, Record] = {}
    for result in results:
        both = [f"{auc:.3f}".removeprefix("0") for auc in (result.paper, result.ours) if auc is not None]
        rows.setdefault(result.system, {"system": result.system})[result.corpus] = " / ".join(both)
    return list(rows.values())
