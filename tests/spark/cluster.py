"""What the tests of Spark need: where it is, and frames with texts in partitions."""

from __future__ import annotations

import shutil
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import problex

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

ROOT = Path(__file__).parents[2]
SOURCE = str(Path(problex.__file__).parents[1])
LACKS = [
    *(["pyspark is not installed: pip install 'problex[spark]'"] if find_spec("pyspark") is None else []),
    *(["Java is not here: apt-get install openjdk-17-jre-headless"] if shutil.which("java") is None else []),
]
HAS_CONNECT = find_spec("grpc") is not None and find_spec("grpc_status") is not None
"""Whether Spark Connect is installed."""
on_spark = [
    pytest.mark.skipif(bool(LACKS), reason="; ".join(LACKS)),
    pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas:FutureWarning"),
]
"""The marks of all tests that need Spark."""


def environment() -> dict[str, str]:
    """Where pip put Spark, and which Python the executors run: without either, a cluster of processes cannot start."""
    spec = find_spec("pyspark")
    assert spec is not None
    assert spec.origin is not None
    return {"SPARK_HOME": str(Path(spec.origin).parent), "PYSPARK_PYTHON": sys.executable, "PYTHONPATH": SOURCE}


def frame(session: SparkSession, texts: list[str], partitions: int) -> DataFrame:
    """Texts with their number, in partitions of unequal size, some of them empty."""
    rows = [(at, text, int(at**0.5) % partitions) for at, text in enumerate(texts)]
    df = session.createDataFrame(rows, "id long, text string, place int")
    return df.repartition(partitions, "place").drop("place")
