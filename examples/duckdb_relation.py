"""Learn word weights from the texts of a DuckDB query, and write the labelled rows into a table, batch by batch.

    python examples/duckdb_relation.py reviews.duckdb "SELECT id, text FROM reviews" labelled

The texts stay in DuckDB: neither the query nor its result is held in memory as a whole.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator

import duckdb
import pyarrow as pa

from problex import Lexicon, Model, count, estimate
from problex.corpus import batches
from problex.scoring import score_batches

LEXICON = Lexicon({"positive": ["good", "fine"], "negative": ["bad", "poor"]})


def learn(relation: duckdb.DuckDBPyRelation, column: str, lexicon: Lexicon) -> Model:
    """A model from a column of a relation; missing texts are counted as empty."""
    return estimate(count(relation, lexicon, text=column, missing="empty"), lexicon)


def label(relation: duckdb.DuckDBPyRelation, column: str, model: Model, keep: list[str]) -> Iterator[pa.RecordBatch]:
    """The columns to keep with the predictions: label, score, probabilities, tokens and matches."""
    stream = batches(relation, text=column, keep=keep, missing="empty")
    for batch, scores in score_batches(stream, model):
        table = scores.table()
        for at, name in enumerate(keep):
            table = table.add_column(at, name, batch.columns[name])
        yield from table.combine_chunks().to_batches()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("database", help="a DuckDB file")
    parser.add_argument("query", help="what to label, with the columns id and text")
    parser.add_argument("table", help="the new table of labels")
    given = parser.parse_args()
    with duckdb.connect(given.database) as connection:
        reading = connection.cursor()  # one connection reads while the other writes
        model = learn(reading.sql(given.query), "text", LEXICON)
        parts = label(reading.sql(given.query), "text", model, keep=["id"])
        first = next(parts)
        labelled = pa.RecordBatchReader.from_batches(first.schema, (part for some in ([first], parts) for part in some))
        connection.register("labelled_rows", labelled)
        connection.table("labelled_rows").create(given.table)
        print(connection.table(given.table).aggregate("label, count(*) AS texts").order("label"))


if __name__ == "__main__":
    main()
