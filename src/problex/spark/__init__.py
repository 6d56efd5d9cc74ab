"""`count`, `fit`, `predict`, `shares` and `lookup` on Spark.

Works on PySpark 4 DataFrames, classic and Spark Connect: everything is `mapInArrow`, nothing is an RDD. The Python of
the executors needs problex; Spark itself is not imported before it is used.
"""

from problex.spark.jobs import count, fit, lookup, predict, shares

__all__ = ["count", "fit", "lookup", "predict", "shares"]
