"""Damaged Parquet files, read by a process of their own: Arrow can end the process that reads them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

FLIP_EVERY_BIT = """
import json, sys, warnings
from pathlib import Path
from problex.corpus import batches
from problex.errors import DocumentError

warnings.simplefilter("ignore")
path, options = Path(sys.argv[1]), json.loads(sys.argv[2])
whole = path.read_bytes()
footer = len(whole) - 8 - int.from_bytes(whole[-8:-4], "little")
refused = set()
for bit in range(8 * footer, 8 * len(whole)):
    data = bytearray(whole)
    data[bit // 8] ^= 1 << bit % 8
    path.write_bytes(data)
    try:
        list(batches(path, **options))
    except DocumentError as error:
        refused.add(str(error))
print(json.dumps(sorted(refused)))
"""


@pytest.mark.parametrize("options", [{"text": "text", "keep": ["id"]}, {}])
def test_no_bit_of_the_metadata_ends_the_process(options: dict[str, object], tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    name = "text" if options else "long"
    table = pa.table({"id": ["1"], name: ["a text that is long enough to be guessed"]})
    pq.write_table(table, path, store_schema=False, compression="none")
    command = [sys.executable, "-c", FLIP_EVERY_BIT, str(path), json.dumps(options)]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=100, check=False)
    assert ran.returncode == 0, ran.stderr[-2000:]
    refused = json.loads(ran.stdout)
    assert any(message.startswith(f"{path} cannot be read: ") for message in refused)
