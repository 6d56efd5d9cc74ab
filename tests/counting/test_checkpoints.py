"""An interrupted count continues to the same counts, bit for bit, also if rare words are dropped to save memory."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from problex.corpus import batches
from problex.counting import streams
from problex.counting.checkpoints import Checkpoint, corpus_key
from problex.counting.pruning import prune_counts
from problex.counting.streams import count, count_batches
from problex.errors import ProblexError
from problex.lexicon.lexicon import Lexicon
from problex.matching.tokens import Tokenizer
from tests.work import made_up_words, peak_memory

LEXICON = Lexicon({"positive": ["good", "fine"], "negative": ["bad", "poor"]})


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """Few words that come often, and many that come once or twice, of letters only."""
    random = np.random.default_rng(0)
    common = np.array(["good", "fine", "bad", "poor", "the", "film", "a", "of"])
    texts = []
    for _ in range(3000):
        rare = ["".join(random.choice(list("abcdefghij"), 5)) for _ in range(3)]
        texts.append(" ".join([*random.choice(common, 12), *rare]))
    pq.write_table(pa.table({"text": texts}), tmp_path / "x.parquet", row_group_size=100)
    return tmp_path / "x.parquet"


@pytest.fixture
def segments(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small batches and a checkpoint after every few of them."""
    monkeypatch.setattr(streams, "SEGMENT_BYTES", 30_000)
    monkeypatch.setattr(streams, "choose_batch_bytes", lambda memory, threads: 5000)


@pytest.fixture(params=["much", "little"])
def memory(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """With little memory rare words are dropped, by the counters and in the sum."""
    if request.param == "little":
        monkeypatch.setattr(streams, "DEFAULT_WORD_BYTES", 150_000)
        monkeypatch.setattr(streams, "prune_counts", lambda counts, max_bytes: prune_counts(counts, max_bytes=100_000))
    return str(request.param)


class StopError(Exception):
    pass


def stopping(after: int) -> Callable[[Any], None]:
    """Raise in place of a later batch."""
    left = [after]

    def on_batch(batch: Any) -> None:
        if left[0] == 0:
            raise StopError
        left[0] -= 1

    return on_batch


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.usefixtures("segments")
def test_an_interrupted_count_continues_exactly(corpus: Path, memory: str, threads: int, tmp_path: Path) -> None:
    whole = count(corpus, LEXICON, threads, checkpoint=tmp_path / "whole")
    assert (whole.pruned > 0) == (memory == "little")
    stops = 0
    for _ in range(100):
        try:
            found = count(corpus, LEXICON, threads, checkpoint=tmp_path / "c", on_batch=stopping(11))
            break
        except StopError:
            stops += 1
    assert stops >= 5
    assert found == whole
    assert found.documents == 3000
    plain = count_batches(batches(corpus), LEXICON)
    for name in ("tokens", "squared_lengths", "documents"):
        assert getattr(found, name) == getattr(plain, name)
    if memory == "much":
        assert found == plain == count(corpus, LEXICON)
    else:
        assert len(found.words) < len(plain.words)


@pytest.mark.usefixtures("segments")
def test_a_checkpoint_of_another_run_is_refused(corpus: Path, tmp_path: Path) -> None:
    saved = tmp_path / "c"
    how: dict[str, Any] = {"threads": 1, "checkpoint": saved}
    with pytest.raises(StopError):
        count(corpus, LEXICON, on_batch=stopping(20), **how)
    other = Lexicon({"positive": ["good"], "negative": ["bad"]})
    begin = f"the checkpoint '{saved}' belongs to a different run: "
    advice = "Repeat the original command, delete the file to start over, or name another file."
    cases: list[tuple[Any, dict[str, Any], str]] = [
        ((corpus, other), {}, f"{begin}lexicon was "),
        ((corpus, LEXICON), {"markup": True}, f"{begin}markup was False and is now True. {advice}"),
        ((corpus, LEXICON), {"on_error": "skip"}, f"{begin}on_error was 'stop' and is now 'skip'."),
        ((corpus, LEXICON), {"tokenizer": Tokenizer("fr")}, f"{begin}"),
        ((corpus, LEXICON), {"threads": 2}, f"{begin}threads was 1 and is now 2."),
    ]
    for arguments, changes, expected in cases:
        with pytest.raises(ProblexError) as caught:
            count(*arguments, **how | changes)
        assert str(caught.value).startswith(expected)
    stamp = corpus.stat().st_mtime_ns
    os.utime(corpus, ns=(stamp, stamp + 1))
    with pytest.raises(ProblexError, match=r"belongs to a different run: file .*x.parquet was '.* bytes of "):
        count(corpus, LEXICON, **how)
    os.utime(corpus, ns=(stamp, stamp))
    assert count(corpus, LEXICON, **how) == count(corpus, LEXICON)


def test_what_is_no_checkpoint(corpus: Path, tmp_path: Path) -> None:
    (tmp_path / "c").write_text("something else")
    with pytest.raises(ProblexError, match=r"is not a checkpoint .*, expected the checkpoint of an interrupted run"):
        count(corpus, LEXICON, checkpoint=tmp_path / "c")
    os.mkfifo(tmp_path / "pipe.csv")
    with pytest.raises(ProblexError, match="can be read only once, but a checkpoint needs files"):
        corpus_key(tmp_path / "pipe.csv")


def test_a_checkpoint_loads_equal_and_a_failed_write_keeps_the_last(
    tmp_path: Path, texts: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    saved = Checkpoint(tmp_path / "c", {"a": (1, 2), "b": None})
    assert saved.load() is None
    counts = count(texts, LEXICON)
    saved.save(counts, (40, 1, 2))
    assert saved.load() == (counts, (40, 1, 2))

    def broken(table: pa.Table, path: Path, **options: object) -> None:
        Path(path).write_text("half")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(pq, "write_table", broken)
    with pytest.raises(ProblexError, match="could not be written: No space left on device"):
        saved.save(counts, (50,))
    assert saved.load() == (counts, (40, 1, 2))
    assert [path.name for path in tmp_path.iterdir()] == ["c"]


def test_pairs_take_as_much_memory_as_without_a_checkpoint(tmp_path: Path) -> None:
    """The counters of all threads are merged; to add up the matrices of each took three times as much."""
    listed, random = made_up_words(2000), np.random.default_rng(0)
    lexicon = Lexicon({"up": listed[::2], "down": listed[1::2]})
    texts = [" ".join(["not", *(listed[at] for at in random.integers(0, 2000, 300))]) for _ in range(300)]
    paths = [tmp_path / f"{part}.csv" for part in range(2)]  # a batch for each thread
    for part, path in enumerate(paths):
        path.write_text("\n".join(["text", *texts[part::2]]))
    plain = count(paths, lexicon, 2)
    assert plain.pairs.nnz > 900_000
    assert count(paths, lexicon, 2, checkpoint=tmp_path / "counts") == plain
    memory, more = (
        peak_memory(lambda options=options: count(paths, lexicon, 2, **options))  # type: ignore[misc]
        for options in ({}, {"checkpoint": tmp_path / "counts"})
    )
    assert more < 1.3 * memory
