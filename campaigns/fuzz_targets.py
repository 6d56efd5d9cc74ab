"""What `make fuzz` feeds with damaged bytes: every reader of files, and the compiled counter.

A target gets bytes and must end normally or with a `ProblexError`. Anything else is a finding: another exception, a
crash of the process, a result that differs from the reference.
"""

from __future__ import annotations

import gzip
import json
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from problex import Counts, Lexicon, count, estimate, load_model, read_dictionary, score
from problex.audit import draw_sheet, read_design, read_sheet
from problex.corpus import batches, rereader
from problex.counting.checkpoints import Checkpoint
from problex.counting.pool import sum_counter
from problex.errors import ProblexError
from problex.lexicon import Dictionary, Entry
from problex.lexicon.formats import READERS, WRITERS
from problex.matching import Tokenizer
from problex.matching.items import items_of
from problex.matching.reference import find_matches

FOLDER = Path(tempfile.mkdtemp(prefix="problex-fuzz-"))
LEXICON = Lexicon({"positive": ["good", "fine day", "happ*", ":)"], "negative": ["bad", "no good", "*less", "café"]})
TEXTS = ["A good, fine day :)", "not good, no good", "bad, hopeless, happy?", "Un café — bad", "", "nothing"] * 4
ENTRIES = (
    Entry("good", "a/positive", "x", 2.0),
    Entry("fine day", "a/positive", "x", 1.5),
    Entry("happ*", "a/positive", "x", 1.0),
    Entry("bad", "negative", "x", -1.0),
    Entry("café", "negative", "x", -2.0),
)


@dataclass(frozen=True)
class Target:
    """A function of bytes, and bytes to begin with."""

    run: Callable[[bytes], object]
    seeds: Callable[[], Iterable[bytes]]

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
    return read_dictionary(_file(f".{name}", data), format=name).tidy().lexicon()


def _any_lexicon(data: bytes) -> object:
    return read_dictionary(_file(".txt", data))


def _lexicon_seeds(name: str) -> list[bytes]:
    own = {"sentiws": b"Gut|ADJX\t0.37\tguter,gute\nSchlecht|ADJX\t-0.7\n", "plain": b"good\nfine day\n# x\n;-)\n"}
    return [
        WRITERS[name](Dictionary(ENTRIES)).data
        if name in WRITERS
        else own.get(name, b"good\tpositive\nbad\tnegative\n")
    ]


def _texts(suffix: str, data: bytes) -> object:
    on_error = ("stop", "skip", "replace")[len(data) % 3]
    return sum(len(batch.texts) for batch in batches(_file(suffix, data), on_error=on_error, missing="empty"))


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


def _counter(data: bytes) -> None:
    """The compiled counter must have the words and items of the reference."""
    tokenizer = Tokenizer("en", fold_accents=bool(data[:1] and data[0] & 1))
    text = data[1:].decode("utf-8", "replace")
    items = items_of(LEXICON, tokenizer)
    counter = sum_counter(items, tokenizer)
    counter.add(pa.array([text], pa.string()))
    words, _, occurrences, _ = counter.sums()
    counted = {word: n for word, n in zip(words.to_pylist(), occurrences.tolist(), strict=True) if n}
    expected = Counter(match.name for match in find_matches(text, items, tokenizer))
    if counted != expected:
        raise AssertionError(f"{text!r}: counted {counted}, the reference has {dict(expected)}")


TARGETS: dict[str, Target] = {
    **{f"lexicon {name}": Target(partial(_lexicon, name), partial(_lexicon_seeds, name)) for name in READERS},
    "lexicon guessed": Target(_any_lexicon, lambda: [seed for name in READERS for seed in _lexicon_seeds(name)]),
    "texts csv": Target(partial(_texts, ".csv"), _csv_seeds),
    "texts jsonl": Target(partial(_texts, ".jsonl"), _jsonl_seeds),
    "texts txt": Target(partial(_texts, ".txt"), lambda: ["\n".join(TEXTS).encode()]),
    "texts gzip": Target(partial(_texts, ".csv.gz"), lambda: map(gzip.compress, _csv_seeds())),
    "texts parquet": Target(partial(_texts, ".parquet"), _parquet_seeds),
    "model": Target(_model, lambda: [_model_text()]),
    "model edited": Target(_edited_model, lambda: [_model_text()]),
    "counts": Target(_counts, lambda: [count(TEXTS, LEXICON).to_bytes()]),
    "checkpoint": Target(_checkpoint, _checkpoint_seeds),
    "audit sheet": Target(_sheet_reading, lambda: [_sheet()[0].read_bytes()]),
    "audit design": Target(_design_reading, lambda: [_sheet()[1].read_bytes()]),
    "counter": Target(_counter, lambda: [b"\x00" + text.encode() for text in TEXTS]),
}
"""By name. To fuzz another reader, add an entry."""
