"""Draw the figures of the README and the documents from the data of the demo. Run by `make figures`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import altair as alt

from problex import count, estimate
from problex.evaluation import effective_counts, size_forecast
from problex.paper import demo_corpus
from problex.report.charts import select_words

HERE = Path(__file__).parents[2] / "docs"
COLOURS = ("#c0392b", "#2471a3")
Records = Sequence[dict[str, Any]]


def weights_chart(records: Records) -> alt.Chart:
    """The weights of the heaviest words of two lists, and of frequent words without weight."""
    lists = sorted({row["list"] for row in records})
    rows = []
    for name, sign in zip(lists, (-1, 1), strict=True):
        words = select_words([row for row in records if row["list"] == name], heaviest=12, weightless=4)
        rows += [row | {"signed_weight": sign * row["weight"]} for row in words]
    title = f"log-odds that one occurrence adds, towards {lists[0]} or {lists[1]}"
    return (
        alt.Chart(alt.Data(values=rows), background="white")
        .mark_circle(opacity=0.9)
        .encode(
            x=alt.X("signed_weight:Q", title=title),
            y=alt.Y("entry:N", sort=alt.EncodingSortField("signed_weight", order="descending"), title=None),
            size=alt.Size("count:Q", title="occurrences", scale=alt.Scale(type="log", range=[20, 400])),
            color=alt.Color("list:N", title="list", scale=alt.Scale(domain=lists, range=list(COLOURS))),
        )
        .properties(width=420, height=alt.Step(15))
    )


def effective_counts_chart(records: Records) -> alt.Chart:
    """The effective count by count, a line for each concentration (a figure of the paper)."""
    rows = [row | {"concentration": f"{row['concentration']:g}"} for row in records]
    return (
        alt.Chart(alt.Data(values=rows), background="white")
        .mark_line(point=True)
        .encode(
            x=alt.X("count:Q", title="count"),
            y=alt.Y("effective_count:Q", title="effective count"),
            color=alt.Color("concentration:N", title="concentration", sort=None),
        )
        .properties(width=360, height=260)
    )


def dilemma_chart(records: Records, length: int) -> alt.Chart:
    """Expected accuracy by the size of the lexicon: few words or many, by counting and with weights."""
    scale = alt.Scale(domain=["learned weights", "counting"], range=[COLOURS[1], COLOURS[0]])
    return (
        alt.Chart(alt.Data(values=list(records)), background="white")
        .mark_line(point=True)
        .encode(
            x=alt.X("entries:Q", title="entries in use", scale=alt.Scale(type="log")),
            y=alt.Y(
                "accuracy:Q",
                title=f"expected accuracy, {length} tokens",
                axis=alt.Axis(format="%"),
                scale=alt.Scale(zero=False),
            ),
            color=alt.Color("rule:N", title="score", scale=scale),
            column=alt.Column("order:N", title=None),
        )
        .properties(width=250, height=260)
    )


def main() -> None:
    """Learn weights from the reviews of the demo and draw the figures."""
    corpus = demo_corpus()
    model = estimate(count(corpus.texts, corpus.lexicon), corpus.lexicon)
    weights_chart(model.records()).save(HERE / "weights.svg")
    length = round(model.evidence.tokens / model.evidence.documents)
    dilemma_chart(size_forecast(model, length), length).save(HERE / "dilemma.svg")
    records = effective_counts([1, 10, 100, 350, 1000, float("inf")])
    effective_counts_chart(records).save(HERE / "effective-counts.svg")


if __name__ == "__main__":
    main()
