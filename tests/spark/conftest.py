"""A cluster of two executors, each a process of its own, for all tests of Spark, and texts."""

from __future__ import annotations

import random
import socket
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from tests.spark.cluster import HAS_CONNECT, environment

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@pytest.fixture(scope="package")
def session() -> Iterator[SparkSession]:
    from pyspark.sql import SparkSession

    with pytest.MonkeyPatch.context() as patch:
        for name, value in environment().items():
            patch.setenv(name, value)
        quiet = {"spark.ui.enabled": "false", "spark.ui.showConsoleProgress": "false", "spark.log.level": "OFF"}
        small = {"spark.sql.shuffle.partitions": "4", "spark.sql.execution.arrow.maxRecordsPerBatch": "50"}
        small |= {"spark.task.maxFailures": "2"}  # one for the processes that tests kill; others fail at once
        hasty = {f"spark.{who}.extraJavaOptions": "-XX:TieredStopAtLevel=1" for who in ("driver", "executor")}
        if HAS_CONNECT:  # in the same process of Java
            with socket.create_server(("localhost", 0)) as free:
                small["spark.connect.grpc.binding.port"] = str(free.getsockname()[1])
            small["spark.plugins"] = "org.apache.spark.sql.connect.SparkConnectPlugin"
        builder = SparkSession.builder.master("local-cluster[2,1,1024]").appName("problex tests")
        for key, value in (quiet | small | hasty).items():
            builder = builder.config(key, value)
        started = builder.getOrCreate()
        yield started
        started.stop()


@pytest.fixture(scope="module")
def corpus() -> list[str]:
    """Texts of our own making: phrases, other alphabets, empty ones."""
    draw = random.Random(5)
    words = [
        "good",
        "fine",
        "not",
        "well-made",
        "bad",
        "poor",
        "rip off",
        "day",
        "film",
        "Ünïcode’s",
        "東京",
        "don't",
        "x²",
    ]
    return [" ".join(draw.choices(words, k=draw.randrange(12))) for _ in range(600)]
