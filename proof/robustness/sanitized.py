"""Run the compiled code, built with address and undefined-behaviour sanitizers, against references: `make sanitize`.

Random texts of all scripts, counted in one part and in several that are merged, by one thread and by four; random
dictionaries looked up by every rule; words and pairs of neighbours of random texts, as expansion counts and adds them;
sums over rows; tables of JSON and of CSV, whole and damaged.
The first fault ends the process with the sanitizer's report.
"""

from __future__ import annotations

import argparse
import contextlib
import csv
import importlib.util
import io
import json
import random
import sys
import time
from collections import Counter
from itertools import pairwise
from pathlib import Path

ROOT = Path(__file__).parents[2]
MODULES = (
    "problex._util._memoryviews",  # the others need it
    "problex._util._arrow",
    "problex.counting._counter",
    "problex.lookups._loops",
    "problex.model._features",
    "problex.estimation._sums",
    "problex._util._rows",
    "problex._util._tables",
    "problex.tables._cells",
)
PIECES = [
    *("good", "bad", "not", "no", "fine", "day", "happy", "less", "hopeless", "café", "é", "ß", "İ", "ﬁ", "😀", ":)"),
    *("Привет", "世界", "مرحبا", "नमस्ते", "한국어", "…", "'", "-", ".", ",", "\n", "\0", "\u200d", "\u0301", "x" * 300),
]


def use_compiled(folder: Path) -> None:
    """Import the compiled modules from a folder instead of the installed ones."""
    import numpy  # noqa: F401
    import pyarrow  # noqa: F401

    built = {path.name.partition(".")[0] for path in folder.rglob("*.so")}
    assert built == {name.rpartition(".")[2] for name in MODULES}, f"{built}: name all compiled modules in MODULES"
    for name in MODULES:
        (path,) = folder.rglob(f"{name.rpartition('.')[2]}*.so")
        spec = importlib.util.spec_from_file_location(name, path)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        spec.loader.exec_module(module)


def random_text(draw: random.Random) -> bytes:
    """Words, symbols and sometimes any characters."""
    parts = [draw.choice(PIECES) for _ in range(draw.randrange(60))]
    if draw.random() < 0.3:
        parts += [chr(draw.choice([draw.randrange(0xD800), draw.randrange(0xE000, 0x110000)])) for _ in range(20)]
    return b"\x01" + draw.choice(["", " "]).join(parts).encode()


def random_ids(draw: random.Random, large: bool) -> tuple[list[list[int]], int]:
    """Texts as numbers of words, -1 for none, and how many words there are; a large text makes the tables grow."""
    words = draw.choice([1, 6, 70, 5000])
    lengths = [draw.randrange(40) for _ in range(20)] + [40_000] * large
    return [[draw.randrange(-1, words) for _ in range(length)] for length in lengths], words


def compare_features(texts: list[list[int]], words: int) -> None:
    """Words and pairs of texts, their counts and the sums of their weights, against plain Python."""
    import numpy as np

    from problex.counting.tables import TokenIds
    from problex.model.expansion import Expansion
    from problex.model.vocabulary import vocabulary_of

    ends = np.cumsum([0, *map(len, texts)]).astype(np.int64)
    ids = np.array([number for text in texts for number in text], np.int32)
    tokens = TokenIds(tuple(f"w{number}" for number in range(words)), ids, ends)
    expected = [
        Counter(
            [f"w{number}" for number in text if number >= 0]
            + [f"w{left} w{right}" for left, right in pairwise(text) if left >= 0 and right >= 0]
        )
        for text in texts
    ]
    vocabulary = vocabulary_of(tokens, min_documents=1)
    names = vocabulary.names
    seen = Counter(name for features in expected for name in features)
    assert dict(zip(names, vocabulary.documents.tolist(), strict=True)) == seen
    found = vocabulary.count(tokens)
    for start, end, features in zip(found.ends, found.ends[1:], expected, strict=False):
        columns = [names[column] for column in found.columns[start:end]]
        assert dict(zip(columns, found.counts[start:end].tolist(), strict=True)) == features
    weights = np.random.default_rng(1).normal(size=(len(names), 3))
    sums = Expansion(vocabulary, weights, 1.0, np.zeros(3), 10, 0.5, 2, 1.0).sums(tokens)[0][:, 1:]
    assert np.allclose(sums, vocabulary.rows(tokens).astype(np.float64) @ weights, rtol=0, atol=1e-9)


def compare_tables(draw: random.Random) -> None:
    """Columns of a table of JSON against `json.loads`; a damaged one only has to be read without a fault."""
    import numpy as np
    from tests.mutations import mutate

    from problex._util._tables import read_columns, write_rows

    ends = [[draw.randrange(-9, 10**9), draw.gauss(0, 1)] for _ in range(3)]  # most rows end as the one before
    rows = [["".join(draw.choices(PIECES, k=2)), *ends[draw.randrange(40) // 15]] for _ in range(20)]
    data = ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows).encode()
    texts, *numbers = read_columns(data, 0, len(data), b",\n")
    assert b"".join(write_rows([texts, *map(np.asarray, numbers)], b",\n", draw.choice([1, 50, 1 << 20]))) == data
    assert [texts, *(column.tolist() for column in numbers)] == [list(column) for column in zip(*rows, strict=True)]
    damaged = mutate(data, draw)
    with contextlib.suppress(ValueError):
        read_columns(damaged, 0, len(damaged), b",\n")


def compare_cells(draw: random.Random) -> None:
    """Cells of a CSV file against those that were written; a damaged one only has to be read without a fault."""
    import pyarrow as pa
    from tests.mutations import mutate

    from problex.tables._cells import split_cells

    table = [[f"n{n}", "".join(draw.choices([*PIECES, '"', "\r"], k=3)), "z"] for n in range(20)]
    written = io.StringIO(newline="")
    csv.writer(written, quoting=csv.QUOTE_ALL).writerows(table)
    data = written.getvalue().encode()
    end, rows, [(ends, cells)], _ = split_cells(data, 3, [1], b",", b'"', b"id,text,z", pa.allocate_buffer)
    found = pa.Array.from_buffers(pa.binary(), rows, [None, ends, cells])
    assert (end, found.to_pylist()) == (len(data), [row[1].encode() for row in table])
    split_cells(mutate(data, draw), 3, [2, 1], b",", b'"', b"id,text,z", pa.allocate_buffer)


def compare_rows(seed: int) -> None:
    """Sums over the words of rows, their scores, and the highest of them, against NumPy."""
    import numpy as np

    from problex._util._rows import finish_rows, sum_rows, winners

    generator = np.random.default_rng(seed)
    lists = generator.integers(0, 3, 9)
    ends = np.concatenate([[0], np.cumsum(generator.integers(0, 5, 20))])
    columns, counts = (generator.integers(*limits, ends[-1], dtype=np.int32) for limits in ((0, 9), (1, 4)))
    single = generator.normal(size=9)
    amounts = counts * single[columns]
    repeated = lambda columns, counts: counts * single[columns]  # noqa: E731
    values, evidence, matches = sum_rows(ends, columns, counts, single, repeated, lists, 3, np.ones(20))
    places = np.arange(20).repeat(np.diff(ends)) * 3 + lists[columns]
    assert np.array_equal(values, np.bincount(places, weights=amounts, minlength=60).reshape(20, 3))
    offsets = generator.normal(size=3)
    expected = values + np.minimum(1.0, evidence / (2.0 * np.ptp(offsets)))[:, None] * offsets
    assert np.array_equal(finish_rows(values, evidence, offsets, np.zeros(3)), expected)
    best = winners(values, matches, 0.0)
    assert np.array_equal(best[best >= 0], values.argmax(axis=1)[best >= 0])


def compare_sums(seed: int) -> None:
    """Sums over sparse rows and columns, against NumPy and SciPy."""
    import numpy as np
    from scipy import sparse

    from problex.estimation._sums import column_sums, row_hashes, sums_of_rows, weigh_pairs
    from problex.expansion.texts import arrays_of

    generator = np.random.default_rng(seed)
    rows = sparse.csr_array(generator.poisson(0.6, (12, 9)).astype(np.float32))
    ends, columns, counts = arrays_of(rows)
    assert np.array_equal(column_sums(columns, counts, 9)[0], rows.toarray().sum(axis=0))
    assert len(row_hashes(ends, columns, counts, generator.integers(1, 2**63, 9, dtype=np.uint64))) == 12
    chosen = generator.integers(0, 12, 5, dtype=np.int32)
    found = sums_of_rows(np.array([0, 5], np.int64), chosen, ends, columns, counts, 9)
    assert np.array_equal(found[0], rows.toarray()[chosen].sum(axis=0))
    pairs, weights = sparse.csr_array(generator.poisson(0.6, (9, 9))), generator.normal(size=9)
    assert np.allclose(weigh_pairs(pairs, weights), (pairs + pairs.T) @ weights)


def compare_sentences(texts: list[str]) -> None:
    """Sentences of texts one by one, each in bytes of its own, and of all of them at once."""
    import pyarrow as pa

    from problex.lookups.matcher import count_sentences

    alone = [int(count_sentences(pa.array([text]))[0]) for text in texts]
    assert count_sentences(pa.array(texts)).tolist() == alone
    assert all(count or not text.strip() for count, text in zip(alone, texts, strict=True))


def compare_row_pairs(seed: int) -> None:
    """Pairs of the columns of a matrix, by two threads, against NumPy."""
    import numpy as np
    from scipy import sparse

    from problex.counting.counters import row_pairs

    generator = np.random.default_rng(seed)
    matrix = sparse.csr_array(generator.integers(0, 3, (30, 12), dtype=np.int32))
    lists = np.arange(12) // 4
    product = (matrix.T.astype(np.int64) @ matrix).toarray() * (lists[:, None] < lists[None, :])
    assert np.array_equal(row_pairs(matrix, lists, 3, threads=2).toarray(), product)


def main() -> int:
    """Compare for a time, and say how many texts were counted."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="the folder with the compiled counter")
    parser.add_argument("--seconds", type=float, default=60)
    given = parser.parse_args()
    use_compiled(given.folder)

    from proof.robustness.fuzz_targets import LEXICON, TARGETS

    from problex import count

    draw, number, merged, end = random.Random(0), 0, 0, time.monotonic() + given.seconds
    while time.monotonic() < end:
        texts = [random_text(draw) for _ in range(50)]
        for text in texts:
            TARGETS["counter"](text)
        for _ in range(10):
            TARGETS["lookup rules"](draw.randbytes(40))
        decoded = [text.decode() for text in texts]
        cut = draw.randrange(len(texts))
        first, second = (count(part, LEXICON, 1, associations=True) for part in (decoded[:cut], decoded[cut:]))
        assert count(decoded, LEXICON, 2, associations=True) == first + second
        number += len(texts)
        compare_features(*random_ids(draw, large=number % 250 == 0))
        compare_tables(draw)
        compare_cells(draw)
        compare_rows(number)
        compare_sums(number)
        compare_row_pairs(number)
        compare_sentences(decoded)
        if number % 250 == 0:
            many, merged = decoded * 100, merged + 1  # enough for several threads and a merge of their counters
            assert count(many, LEXICON, 4, associations=True) == count(many, LEXICON, 1, associations=True)
    symbols = b"".join(path.read_bytes() for path in given.folder.rglob("_*.so"))
    kinds = [kind for kind in ("asan", "ubsan", "tsan") if f"__{kind}_".encode() in symbols]
    work = f"{number:,} texts counted, {number // 5:,} looked up, {merged} times 5,000 texts counted by 4 threads"
    work += f", features of {number // 50 * 20 + merged:,} texts, {number // 50:,} tables each and sums of rows"
    print(f"{work}, with {' and '.join(kinds) or 'no sanitizer'}: equal to the reference, no fault")
    return not kinds


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    sys.exit(main())
