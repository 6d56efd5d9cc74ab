"""Learn word weights from a polars LazyFrame and label it, batch by batch: any query that polars can stream.

    python examples/polars_lazyframe.py 'reviews/*.parquet' labelled.parquet

The texts are read twice, by polars, and the whole frame is never in memory.
"""

from __future__ import annotations

import argparse

import polars as pl

from problex import Lexicon, LexiconClassifier, count, estimate

LEXICON = Lexicon({"positive": ["good", "fine"], "negative": ["bad", "poor"]})


def learn(frame: pl.LazyFrame, column: str, lexicon: Lexicon) -> LexiconClassifier:
    """A classifier from a column of a lazy frame; missing texts are counted as empty."""
    model = estimate(count(frame, lexicon, text=column, missing="empty"), lexicon)
    return LexiconClassifier.from_model(model, missing="empty")


def label(frame: pl.LazyFrame, column: str, classifier: LexiconClassifier) -> pl.LazyFrame:
    """The frame with the predictions: label, score, probabilities, tokens and matches; lazy."""
    new = classifier.predict_frame(pl.DataFrame({column: ["one text"]}), text=column).schema
    schema = pl.Schema({**frame.collect_schema(), **new})
    return frame.map_batches(
        lambda part: classifier.predict_frame(part, text=column) if len(part) else schema.to_frame(),
        schema=schema,
        streamable=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("texts", help="Parquet files with a column text")
    parser.add_argument("output", help="the labelled Parquet file")
    given = parser.parse_args()
    reviews = pl.scan_parquet(given.texts)
    classifier = learn(reviews, "text", LEXICON)
    label(reviews, "text", classifier).sink_parquet(given.output)
    print(pl.scan_parquet(given.output).group_by("label").len().sort("label").collect())


if __name__ == "__main__":
    main()
