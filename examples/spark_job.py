"""Learn word weights from a corpus on Spark, save the model, and label the same corpus. For spark-submit:

    spark-submit examples/spark_job.py reviews.parquet labelled.parquet --model model.json \
        --lexicon positive=pos.txt --lexicon negative=neg.txt

Any folder or file that Spark can read will do: Parquet, or JSON and CSV with --format.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from pyspark.sql import SparkSession

from problex import estimate, read_lexicon
from problex import spark as problex_spark


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Label texts by opposed word lists, without labels, on Spark.")
    parser.add_argument("texts", help="what Spark reads: a file, a folder, s3://...")
    parser.add_argument("output", help="a folder for the labelled texts, as Parquet")
    parser.add_argument("--lexicon", action="append", required=True, metavar="NAME=FILE", help="a word list")
    parser.add_argument("--model", type=Path, required=True, help="where the driver writes the model")
    parser.add_argument("--column", default="text", help="the column of texts")
    parser.add_argument("--format", default="parquet", help="the format of the texts")
    return parser.parse_args()


def main() -> None:
    given = options()
    lexicon = read_lexicon(**dict(entry.split("=", 1) for entry in given.lexicon))
    session = SparkSession.builder.appName("problex").getOrCreate()
    texts = session.read.load(given.texts, format=given.format)

    counts = problex_spark.count(texts, given.column, lexicon, missing="empty")
    print(f"{counts.documents:,} documents, {counts.tokens:,} tokens, {counts.missing:,} texts missing")

    model = estimate(counts, lexicon)  # or both in one: problex_spark.fit(texts, given.column, lexicon)
    model.save(given.model, force=True)
    for row in model.records()[:10]:
        print(f"{row['entry']:20} {row['list']:12} {row['weight']:.2f}")

    labelled = problex_spark.predict(texts, model, given.column, missing="empty")
    labelled.write.mode("overwrite").parquet(given.output)
    session.read.parquet(given.output).groupBy("label").count().orderBy("label").show()
    session.stop()


if __name__ == "__main__":
    main()
