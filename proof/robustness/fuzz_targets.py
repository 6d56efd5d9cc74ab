"""What `make fuzz` feeds with damaged bytes: every reader of files, and the compiled counter.

A target gets bytes and must end normally or with a `ProblexError`. Anything else is a finding: another exception, a
crash of the process, a result that differs from the reference. Targets of texts
are in fuzz_texts, those of the workbench in fuzz_sessions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache, partial
from pathlib import Path

import numpy as np
import pyarrow as pa
from proof.robustness.fuzz_base import LEXICON, TEXTS, Target, file_of, folder
from proof.robustness.fuzz_sessions import make_session, session_file, session_values, value_seeds
from proof.robustness.fuzz_texts import LONGEST_TABLE, TEXT_TARGETS, TIMED
from tests.lexicon.test_damaged_files import ENTRIES, OWN_FILES
from tests.lookups import naive

from problex import Counts, count, estimate, load_model, lookup, read_dictionary, score
from problex.audit import draw_sheet
from problex.audit.coders import read_coding
from problex.audit.design import read_design
from problex.cli.prediction_log import PredictionLog
from problex.corpus import rereader
from problex.counting.checkpoints import Checkpoint
from problex.counting.counters import sum_counter
from problex.lexicon import Dictionary
from problex.lexicon.edits import read_edits
from problex.lexicon.files import read_file
from problex.lexicon.formats import READERS, WRITERS
from problex.lexicon.formats.lexicon_file import LexiconFile
from problex.lookups import MATCHING
from problex.matching import Tokenizer
from problex.matching.items import Items, items_of
from problex.matching.reference import find_matches

WORDS = ("aa", "ab", "ba", "bb")
PATTERNS = ("aa", "ab", "ba", "bb", "a*", "*a", "b*", "*b*")
POSITION = (3, 100)
"""Where the reader of a checkpoint stopped."""
ONE_LIST = ("plain", "synsets")
"""Formats of which a file is one list, where a lexicon has two."""


def _lexicon(name: str, data: bytes) -> object:
    dictionary = read_file(LexiconFile(f"x.{name}", data), name).tidy()
    return dictionary if name in ONE_LIST else dictionary.lexicon()


def _any_lexicon(data: bytes) -> object:
    return read_file(LexiconFile("x.txt", data))


def _looked_up(data: bytes) -> object:
    return lookup(TEXTS[:3], read_dictionary(file_of(".txt", data)), threads=1, glob=bool(len(data) % 2))


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
    return LEXICON.edited(read_edits(file_of(".csv", data)))


def _lexicon_seeds(name: str) -> list[bytes]:
    return [OWN_FILES[name] if name in OWN_FILES else WRITERS[name](Dictionary(ENTRIES)).data]


def _all_lexicon_seeds() -> list[bytes]:
    return [seed for name in READERS for seed in _lexicon_seeds(name)]


def _model_text() -> bytes:
    path = folder() / "model.json"
    estimate(count(TEXTS, LEXICON), LEXICON).save(path, force=True)
    return path.read_bytes()


def _model(data: bytes) -> None:
    """What a model that is accepted predicts must be probabilities."""
    found = score(["good and bad", ""], load_model(file_of(".json", data))).probabilities
    if not (np.all((found >= 0) & (found <= 1)) and np.allclose(found.sum(axis=1), 1, rtol=0, atol=1e-9)):
        raise AssertionError(f"a damaged model was accepted, and predicts {found.tolist()}")


def _edited_model(data: bytes) -> object:
    """With the digest removed on purpose, so that every value is checked."""
    first, _, rest = data.partition(b"\n")
    return _model(b'{\n  "digest": null,\n' + rest.partition(b"\n")[2] if first == b"{" else data)


@cache
def _whole_counts() -> Counts:
    return count(TEXTS, LEXICON)


def _counts(data: bytes) -> None:
    """Counts that are accepted by their digest must be those that were written."""
    found = Counts.from_bytes(data)
    if b"digest" in data and found != _whole_counts():
        raise AssertionError("damaged counts were accepted")


def _checkpoint_seeds() -> Iterator[bytes]:
    checkpoint = Checkpoint(folder() / "seed.checkpoint", {"file": "x"})
    checkpoint.save(_whole_counts(), POSITION)
    yield checkpoint.path.read_bytes()


def _checkpoint(data: bytes) -> None:
    """A checkpoint that is accepted by its digest must have the counts and the position that were written."""
    found = Checkpoint(file_of(".checkpoint", data), {"file": "x"}).load()
    if b"digest" in data and found is not None and found != (_whole_counts(), POSITION):
        raise AssertionError("a damaged checkpoint was accepted")


def _log_seeds() -> Iterator[bytes]:
    path = folder() / "seed.log"
    path.unlink(missing_ok=True)
    log = PredictionLog(path, {"file": "x"})
    log.resume()
    for number in range(2):
        log.extend([(pa.table({"label": ["a", "b"]}), (number, 100), {"missing": 1})])
    yield path.read_bytes()


def _log(data: bytes) -> object:
    log = PredictionLog(file_of(".log", data), {"file": "x"})
    log.resume()
    return log.tally(), sum(len(table) for table in log.tables())


def _session() -> Path:
    path = folder() / "whole.problex"
    if not path.exists():
        make_session(path, TEXTS[:12], LEXICON)
    return path


def _sheet() -> tuple[Path, Path]:
    path, design = folder() / "sheet.csv", folder() / "sheet.audit.json"
    if not path.exists():
        draw_sheet(estimate(count(TEXTS, LEXICON), LEXICON), rereader(TEXTS), path, 6)
        labels = ("negative", "positive", "")
        head, *rows = path.read_text(encoding="utf-8-sig").splitlines()
        rows = [row.replace(",,", f",{labels[number % 3]},", 1) for number, row in enumerate(rows)]
        path.write_text("\n".join([head, *rows]), encoding="utf-8")
    return path, design


def _sheet_reading(data: bytes) -> object:
    path, _ = _sheet()
    whole = path.read_bytes()
    try:
        path.write_bytes(data)
        return read_coding([path])
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


TARGETS: dict[str, Target] = {
    **{
        f"lexicon {name}": Target(partial(_lexicon, name), partial(_lexicon_seeds, name), 2000, timed=name in TIMED)
        for name in READERS
    },
    "lexicon guessed": Target(_any_lexicon, _all_lexicon_seeds, 2000),
    "lexicon edits": Target(_edits, lambda: [b"word,from,to\ngood,positive,\nnice,,positive\n"], 3000),
    "lookup dictionary": Target(_looked_up, _all_lexicon_seeds, 200),
    "lookup rules": Target(_lookup_rules, lambda: [b"\0\6abcdefgh", bytes(range(40)), b"\2\5" + b"ijklm" * 4], 200),
    **TEXT_TARGETS,
    "model": Target(_model, lambda: [_model_text()], 1000, 1 << 14),
    "model edited": Target(_edited_model, lambda: [_model_text()], 500, 1 << 14),
    "counts": Target(_counts, lambda: [_whole_counts().to_bytes()], 1000, 1 << 14),
    "checkpoint": Target(_checkpoint, _checkpoint_seeds, 1000, 1 << 14),
    "predictions log": Target(_log, _log_seeds, 1000),
    "audit sheet": Target(_sheet_reading, lambda: [_sheet()[0].read_bytes()], 200),
    "audit design": Target(_design_reading, lambda: [_sheet()[1].read_bytes()], 1000),
    "session": Target(
        lambda data: session_file(folder() / "x.problex", data),
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
