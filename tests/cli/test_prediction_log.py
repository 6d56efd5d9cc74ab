"""Whatever is cut off the end of a log, what is whole comes back and the rest can be written again."""

from __future__ import annotations

import random
from hashlib import sha256
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from problex.cli import prediction_log
from problex.cli.prediction_log import DIGEST_BYTES, MAGIC, PredictionLog
from problex.errors import ProblexError

KEY = {"model": "abc", "keep": ("id",)}
PARTS: list[Any] = [
    (pa.table({"id": [f"n{at}", None], "score": [0.5 * at, -1.0]}), (2 * at + 2, at), {"rows": 2, "missing": at % 2})
    for at in range(6)
]


@pytest.fixture(autouse=True)
def eager(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prediction_log, "MAX_SECONDS", -1.0)


def test_a_log_cut_off_anywhere_goes_on(tmp_path: Path) -> None:
    log = PredictionLog(tmp_path / "log", KEY)
    assert log.resume() == ()
    log.extend(PARTS)
    whole = log.path.read_bytes()
    expected = [part[0] for part in PARTS]
    assert list(log.tables()) == expected
    for end in range(len(MAGIC), len(whole) + 1, 7):  # also within digests
        log.path.write_bytes(whole[:end])
        position = log.resume()
        done = position[1] + 1 if position else 0
        assert list(log.tables()) == expected[:done]
        log.extend(PARTS[done:])
        assert list(log.tables()) == expected
        assert log.tally() == {"rows": 12, "missing": 3}
    log.remove()
    assert not log.path.exists()


def test_only_whole_pieces_are_positions(tmp_path: Path) -> None:
    log = PredictionLog(tmp_path / "log", KEY)
    log.resume()
    log.extend([(PARTS[0][0], (), {}), (PARTS[1][0], (4, 1), {}), (PARTS[2][0], (), {}), (PARTS[3][0], (), {})])
    assert list(log.tables()) == [part[0] for part in PARTS[:4]]


def test_another_log_is_refused(tmp_path: Path) -> None:
    log = PredictionLog(tmp_path / "log", KEY)
    log.resume()
    log.extend(PARTS)
    with pytest.raises(ProblexError, match="belongs to a different run: model was 'abc' and is now 'abd'"):
        PredictionLog(tmp_path / "log", KEY | {"model": "abd"}).resume()
    (tmp_path / "log").write_text("something else, long enough to be read")
    with pytest.raises(ProblexError, match="is not a log of predictions, expected the log of an interrupted run"):
        log.resume()


@pytest.fixture
def log(tmp_path: Path) -> PredictionLog:
    log = PredictionLog(tmp_path / "log", KEY)
    log.resume()
    log.extend(PARTS)
    return log


def test_damaged_logs_are_refused_or_written_again(log: PredictionLog) -> None:
    """Whatever happens to the bytes, no row is lost, changed or written twice."""
    whole, expected, draw = log.path.read_bytes(), list(log.tables()), random.Random(1)
    refused = 0
    for _ in range(300):
        at, size = draw.randrange(len(whole)), draw.choice([1, 1, 8, 100, 700])
        log.path.write_bytes(whole[:at] + draw.randbytes(draw.choice([0, size])) + whole[at + size :])
        try:
            position = log.resume()
            log.extend(PARTS[position[1] + 1 if position else 0 :])
            assert list(log.tables()) == expected
            assert log.tally() == {"rows": 12, "missing": 3}
        except ProblexError:
            refused += 1
    assert refused > 200


def test_an_entry_that_is_missing_is_noticed(log: PredictionLog) -> None:
    data = log.path.read_bytes()
    first = len(MAGIC) + 8 + int.from_bytes(data[len(MAGIC) : len(MAGIC) + 8], "little") + DIGEST_BYTES
    log.path.write_bytes(MAGIC + data[first:])
    with pytest.raises(
        ProblexError, match=r"^the log of predictions '.*log' is damaged \(.*: delete it to start over$"
    ):
        log.resume()


@pytest.mark.parametrize("payload", [b"", b"nothing of the kind", b"\xff" * 40])
def test_entries_that_are_no_tables_are_refused(payload: bytes, log: PredictionLog) -> None:
    log.path.write_bytes(MAGIC + len(payload).to_bytes(8, "little") + payload + sha256(payload).digest())
    with pytest.raises(ProblexError, match=r"is damaged .*: delete it to start over"):
        log.resume()
