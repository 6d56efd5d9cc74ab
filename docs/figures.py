"""Make the pictures of the README and the docs, from the demo's data. Run by `make figures`."""

from __future__ import annotations

from pathlib import Path

from problex import count, estimate
from problex.evaluation.forecasts import effective_counts
from problex.paper.datasets import demo_corpus
from problex.report.basic_charts import effective_counts_chart, save_chart, weights_chart

HERE = Path(__file__).parent


def main() -> None:
    """Learn from the demo's reviews and draw."""
    corpus = demo_corpus()
    model = estimate(count(corpus.texts, corpus.lexicon), corpus.lexicon)
    save_chart(weights_chart(model.records()), HERE / "weights.svg")
    records = effective_counts([1, 10, 100, 350, 1000, float("inf")])
    save_chart(effective_counts_chart(records), HERE / "effective-counts.svg")


if __name__ == "__main__":
    main()
