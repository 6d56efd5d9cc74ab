"""Sources with the same texts, and a check of what holds for every batch."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from problex.corpus import Batch, batches
from problex.errors import ProblexError

TEXTS = [
    "a good film",
    "",
    "n'était pas bon: 映画 😀",
    'he said "no",\nand\r\nleft\t.',
    "\0nul\0",
    "  blanks  ",
    ",;\t",
]


Maker = Callable[[list[str]], Any]


def write_csv(path: Path, texts: Sequence[str], delimiter: str = ",") -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, delimiter=delimiter)
        writer.writerow(["id", "text"])
        writer.writerows((f"n{number}", text) for number, text in enumerate(texts))


def write_jsonl(path: Path, texts: Sequence[str]) -> None:
    lines = (json.dumps({"id": f"n{n}", "text": text}, ensure_ascii=n % 2 == 0) for n, text in enumerate(texts))
    path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")


def write_parquet(path: Path, texts: Sequence[str]) -> None:
    ids = pa.array([f"n{number}" for number in range(len(texts))], pa.string())
    pq.write_table(pa.table({"id": ids, "text": pa.array(texts, pa.string())}), path, row_group_size=3)


FILES: dict[str, Callable[[Path, Sequence[str]], None]] = {
    "x.csv": write_csv,
    "x.tsv": lambda path, texts: write_csv(path, texts, "\t"),
    "x.jsonl": write_jsonl,
    "x.parquet": write_parquet,
}


def read(documents: object, **options: Any) -> SimpleNamespace:
    """All batches as one, after checking what must hold for each."""
    texts: list[str] = []
    parts: list[Batch] = []
    for batch in batches(documents, **options):
        assert batch.texts.type in (pa.string(), pa.large_string())
        assert batch.texts.null_count == 0
        assert batch.first_row == len(texts)
        assert (batch.columns is None) == (not options.get("keep"))
        assert batch.columns is None or batch.columns.num_rows == len(batch.texts)
        batch.texts.validate(full=True)
        texts += batch.texts.to_pylist()
        parts.append(batch)
    return SimpleNamespace(
        texts=texts,
        missing=sum(batch.missing for batch in parts),
        invalid=sum(batch.invalid for batch in parts),
        columns=pa.concat_tables(batch.columns for batch in parts).to_pydict() if options.get("keep") else None,
        sizes=[len(batch.texts) for batch in parts],
    )


def error_of(documents: object, **options: Any) -> str:
    with pytest.raises(ProblexError) as caught:
        read(documents, **options)
    return str(caught.value)
