"""Whatever is cut off the end of a log, what is whole comes back and the rest can be written again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from problex.cli import prediction_log
from problex.cli.prediction_log import MAGIC, PredictionLog
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
    for end in range(len(MAGIC), len(whole) + 1, 7):
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
