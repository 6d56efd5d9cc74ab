"""What `make fuzz` feeds with damaged bytes: every reader of files, and the compiled counter.

A target gets bytes and must end normally or with a `ProblexError`. Anything else is a finding: another exception, a
crash of the process, a result that differs from the reference. Targets of the workbench are in fuzz_sessions.
"""

from __future__ import annotations

import gzip
import json
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from itertools import count as numbers
from pathlib import Path
from unittest.mock import patch

import pyarrow as pa
import pyarrow.parquet as pq
from campaigns.fuzz_sessions import make_session, session_file, session_values, value_seeds
from tests.categories import naive
from tests.corpus.binary.writing import FILES, TABLE
from tests.lexicon.test_damaged_files import ENTRIES

from problex import Counts, Lexicon, count, estimate, load_model, lookup, read_dictionary, score
from problex._util.foreign.process import ForeignProcess
from problex.audit import draw_sheet, read_coding, read_design, read_sheet
from problex.categories import MATCHING
from problex.cli.prediction_log import PredictionLog
from problex.corpus import batches, rereader
from problex.corpus.binary import statistics, workbook
from problex.counting.checkpoints import Checkpoint
from problex.counting.pool import sum_counter
from problex.errors import ProblexError
from problex.lexicon import Dictionary
from problex.lexicon.edit_files import read_edits
from problex.lexicon.files import read_file
from problex.lexicon.formats import READERS, WRITERS, LexiconFile
from problex.matching import Tokenizer
from problex.matching.items import Items, items_of
from problex.matching.reference import find_matches

FOLDER = Path(tempfile.gettempdir())
"""Where files are written to: campaigns/fuzz.py gives every target a folder of its own."""
NUMBERS = numbers()
LITTLE_MEMORY = 64 << 20
"""What a damaged file may take: the process that reads it ends all the sooner."""
PROCESSES: list[ForeignProcess] = []
LEXICON = Lexicon({"positive": ["good", "fine day", "happ*", ":)"], "negative": ["bad", "no good", "*less", "café"]})
WORDS = ("aa", "ab", "ba", "bb")
PATTERNS = ("aa", "ab", "ba", "bb", "a*", "*a", "b*", "*b*")
TEXTS = ["A good, fine day :)", "not good, no good", "bad, hopeless, happy?", "Un café — bad", "", "nothing"] * 4


@dataclass(frozen=True)
class Target:
    """A function of bytes, and bytes to begin with.

    `speed` is about how many executions take a second, of bytes up to `longest`; `timed` whether the bytes to begin
    with contain the time of their writing, so that no two runs are the same.
    """

    run: Callable[[bytes], object]
    seeds: Callable[[], Iterable[bytes]]
    speed: int = 1000
    longest: int = 4096
    timed: bool = False

    def __call__(self, data: bytes) -> bool:
        """Whether the bytes were accepted; False if they were refused with an error of this package."""
        try:
            self.run(data)
        except ProblexError as error:
            if "\n\n" in str(error) or not str(error):
                raise AssertionError(f"an error without a clear line: {error!r}") from error
            return False
        return True


def _file(suffix: str, data: bytes) -> Path:
    path = FOLDER / f"x{suffix}"
    path.write_bytes(data)
    return path


def _lexicon(name: str, data: bytes) -> object:
    return read_file(LexiconFile(f"x.{name}", data), name).tidy().lexicon()


def _any_lexicon(data: bytes) -> object:
    return read_file(LexiconFile("x.txt", data))


def _looked_up(data: bytes) -> object:
    return lookup(TEXTS[:3], read_dictionary(_file(".txt", data)), threads=1, glob=bool(len(data) % 2))


def _lookup_rules(data: bytes) -> None:
    """Texts and dictionaries of a few words, made from the bytes: the result must be that of plain loops."""
    numbers = [*data[:64], 0, 0]
    matching = tuple(MATCHING)[numbers[0] % len(MATCHING)]
    size = numbers[1] % 12
    words = [WORDS[number % len(WORDS)] for number in numbers[2 : 2 + size]]
    entries: dict[str, list[str]] = {}
    rest = numbers[2 + size :] or [0]
    while rest:
        length = 1 + rest[0] % 3
        parts = [PATTERNS[number % len(PATTERNS)] for number in rest[1 : 1 + length]] or ["a*"]
        entries.setdefault("xyz"[rest[0] // 4 % 3], []).append(" ".join(parts))
        rest = rest[1 + length :]
    row = lookup([" ".join(words)], entries, matching=matching, threads=1).select(list(entries)).to_pylist()[0]
    expected, _ = naive.RULES[matching](words, entries)
    if row != expected:
        raise AssertionError(f"{matching}, {words}, {entries}: {row}, the plain loops have {expected}")


def _edits(data: bytes) -> object:
    return LEXICON.edited(read_edits(_file(".csv", data)))


def _lexicon_seeds(name: str) -> list[bytes]:
    own = {"sentiws": b"Gut|ADJX\t0.37\tguter,gute\nSchlecht|ADJX\t-0.7\n", "plain": b"good\nfine day\n# x\n;-)\n"}
    return [
        WRITERS[name](Dictionary(ENTRIES)).data
        if name in WRITERS and name not in own
        else own.get(name, b"good\tpositive\nbad\tnegative\n")
    ]


def _texts(suffix: str, data: bytes) -> object:
    on_error = ("stop", "skip", "replace")[len(data) % 3]
    return sum(len(batch.texts) for batch in batches(_file(suffix, data), on_error=on_error, missing="empty"))


def _kept_process(memory: int) -> ForeignProcess:
    """The process that read the file before, or a new one if that file ended it."""
    if not PROCESSES or not PROCESSES[-1].is_running:
        PROCESSES[:] = [ForeignProcess(memory)]
    return PROCESSES[-1]


def _foreign_texts(suffix: str, data: bytes) -> object:
    """Read with a process of its own, which is kept for the next bytes: to start one takes longer than to read."""
    path = FOLDER / f"{next(NUMBERS)}{suffix}"
    path.write_bytes(data)
    try:
        with (
            patch.object(workbook, "ForeignProcess", _kept_process),
            patch.object(statistics, "ForeignProcess", _kept_process),
        ):
            return sum(len(batch.texts) for batch in batches(path, missing="empty", memory=LITTLE_MEMORY))
    finally:
        path.unlink()


def _table_seed(name: str) -> Iterator[bytes]:
    path = FOLDER / f"seed-{name}"
    path.unlink(missing_ok=True)
    FILES[name](path, {column: list(values) for column, values in TABLE.items()})
    yield path.read_bytes()


def _csv_seeds() -> Iterator[bytes]:
    for delimiter in (",", ";", "\t"):
        rows = [f'{number}{delimiter}"{text}"' for number, text in enumerate(TEXTS[:6])]
        yield "\n".join([f"id{delimiter}text", *rows]).encode()
    yield "id;text\n1;café noir\n2;très bien\n".encode("cp1252")
    yield "id;text\n1;café noir\n2;très bien\n".encode("utf-16")


def _parquet_seeds() -> Iterator[bytes]:
    for codec in ("none", "snappy", "zstd"):
        sink = pa.BufferOutputStream()
        pq.write_table(pa.table({"id": range(len(TEXTS)), "text": TEXTS}), sink, compression=codec)
        yield sink.getvalue().to_pybytes()


def _jsonl_seeds() -> Iterator[bytes]:
    yield "\n".join(json.dumps({"id": number, "text": text}) for number, text in enumerate(TEXTS)).encode()


def _model_text() -> bytes:
    path = FOLDER / "model.json"
    estimate(count(TEXTS, LEXICON), LEXICON).save(path, force=True)
    return path.read_bytes()


def _model(data: bytes) -> object:
    model = load_model(_file(".json", data))
    return score(["good and bad", ""], model).probabilities.sum()


def _edited_model(data: bytes) -> object:
    """With the digest removed on purpose, so that every value is checked."""
    first, _, rest = data.partition(b"\n")
    return _model(b'{\n  "digest": null,\n' + rest.partition(b"\n")[2] if first == b"{" else data)


def _counts(data: bytes) -> object:
    return Counts.from_bytes(data).documents


def _checkpoint_seeds() -> Iterator[bytes]:
    checkpoint = Checkpoint(FOLDER / "seed.checkpoint", {"file": "x"})
    checkpoint.save(count(TEXTS, LEXICON), (3, 100))
    yield checkpoint.path.read_bytes()


def _checkpoint(data: bytes) -> object:
    return Checkpoint(_file(".checkpoint", data), {"file": "x"}).load()


def _log_seeds() -> Iterator[bytes]:
    path = FOLDER / "seed.log"
    path.unlink(missing_ok=True)
    log = PredictionLog(path, {"file": "x"})
    log.resume()
    for number in range(2):
        log.extend([(pa.table({"label": ["a", "b"]}), (number, 100), {"missing": 1})])
    yield path.read_bytes()


def _log(data: bytes) -> object:
    log = PredictionLog(_file(".log", data), {"file": "x"})
    log.resume()
    return log.tally(), sum(len(table) for table in log.tables())


def _session() -> Path:
    path = FOLDER / "whole.problex"
    if not path.exists():
        make_session(path, TEXTS[:12], LEXICON)
    return path


def _sheet() -> tuple[Path, Path]:
    path, design = FOLDER / "sheet.csv", FOLDER / "sheet.audit.json"
    if not path.exists():
        draw_sheet(estimate(count(TEXTS, LEXICON), LEXICON), rereader(TEXTS), path, 6)
    return path, design


def _sheet_reading(data: bytes) -> object:
    path, _ = _sheet()
    whole = path.read_bytes()
    try:
        path.write_bytes(data)
        read_coding([path])
        return read_sheet(path)
    finally:
        path.write_bytes(whole)


def _design_reading(data: bytes) -> object:
    path, design = _sheet()
    whole = design.read_bytes()
    try:
        design.write_bytes(data)
        return read_design(path)
    finally:
        design.write_bytes(whole)


@cache
def _items(fold_accents: bool) -> tuple[Tokenizer, Items]:
    tokenizer = Tokenizer("en", fold_accents=fold_accents)
    return tokenizer, items_of(LEXICON, tokenizer)


def _counter(data: bytes) -> None:
    """The compiled counter must have the words and items of the reference."""
    tokenizer, items = _items(bool(data[:1] and data[0] & 1))
    text = data[1:].decode("utf-8", "replace")
    counter = sum_counter(items, tokenizer)
    counter.add(pa.array([text], pa.string()))
    words, _, occurrences, _ = counter.sums()
    counted = {word: n for word, n in zip(words.to_pylist(), occurrences.tolist(), strict=True) if n}
    expected = Counter(match.name for match in find_matches(text, items, tokenizer))
    if counted != expected:
        raise AssertionError(f"{text!r}: counted {counted}, the reference has {dict(expected)}")


FOREIGN_FILES = {"xls": 100, "ods": 100, "dta": 100, "sav": 100}
"""Tables that a process of its own reads, with the speed of reading."""
TABLE_FILES = {
    "xlsx": 50,
    "rds": 100,
    "sqlite": 300,
    "duckdb": 20,
    "feather": 500,
    "arrow": 500,
}
"""Tables in the formats of other programs, with the speed of reading."""
LONGEST_TABLE = 1 << 16
TIMED = ("xlsx", "rds", "duckdb")

TARGETS: dict[str, Target] = {
    **{
        f"lexicon {name}": Target(partial(_lexicon, name), partial(_lexicon_seeds, name), 2000, timed=name in TIMED)
        for name in READERS
    },
    "lexicon guessed": Target(_any_lexicon, lambda: [seed for name in READERS for seed in _lexicon_seeds(name)], 2000),
    "lexicon edits": Target(_edits, lambda: [b"word,from,to\ngood,positive,\nnice,,positive\n"], 3000),
    "lookup dictionary": Target(_looked_up, lambda: [seed for name in READERS for seed in _lexicon_seeds(name)], 200),
    "lookup rules": Target(_lookup_rules, lambda: [b"\0\6abcdefgh", bytes(range(40)), b"\2\5" + b"ijklm" * 4], 200),
    "texts csv": Target(partial(_texts, ".csv"), _csv_seeds, 300),
    "texts jsonl": Target(partial(_texts, ".jsonl"), _jsonl_seeds, 500),
    "texts txt": Target(partial(_texts, ".txt"), lambda: ["\n".join(TEXTS).encode()], 500),
    "texts gzip": Target(partial(_texts, ".csv.gz"), lambda: map(gzip.compress, _csv_seeds()), 500, timed=True),
    "texts parquet": Target(partial(_texts, ".parquet"), _parquet_seeds, 300),
    **{
        f"texts {kind}": Target(
            partial(_texts, f".{kind}"), partial(_table_seed, f"x.{kind}"), speed, LONGEST_TABLE, kind in TIMED
        )
        for kind, speed in TABLE_FILES.items()
    },
    **{
        f"texts {kind}": Target(
            partial(_foreign_texts, f".{kind}"), partial(_table_seed, f"x.{kind}"), speed, LONGEST_TABLE, timed=True
        )
        for kind, speed in FOREIGN_FILES.items()
    },
    "model": Target(_model, lambda: [_model_text()], 1000, 1 << 14),
    "model edited": Target(_edited_model, lambda: [_model_text()], 500, 1 << 14),
    "counts": Target(_counts, lambda: [count(TEXTS, LEXICON).to_bytes()], 1000, 1 << 14),
    "checkpoint": Target(_checkpoint, _checkpoint_seeds, 1000, 1 << 14),
    "predictions log": Target(_log, _log_seeds, 1000),
    "audit sheet": Target(_sheet_reading, lambda: [_sheet()[0].read_bytes()], 200),
    "audit design": Target(_design_reading, lambda: [_sheet()[1].read_bytes()], 1000),
    "session": Target(
        lambda data: session_file(FOLDER / "x.problex", data),
        lambda: [_session().read_bytes()],
        300,
        LONGEST_TABLE,
        True,
    ),
    "session values": Target(
        lambda data: session_values(_session(), data), lambda: value_seeds(_session()), 500, timed=True
    ),
    "counter": Target(_counter, lambda: [b"\x00" + text.encode() for text in TEXTS], 2000, 512),
}
"""By name. To fuzz another reader, add an entry."""
