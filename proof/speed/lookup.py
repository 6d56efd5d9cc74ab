"""`lookup` beside quanteda, liwc-python and `count`: whether the cells are equal, and how fast it is in the same run.

`python proof/speed/lookup.py --texts reviews.parquet --json results/lookup.json` compares on the first texts of a file
with a column `text`. quanteda needs R with the packages quanteda and jsonlite; liwc-python needs `pip install liwc`;
without them they are left out. Seconds are those of the processor, because other programs may use the machine.
"""

from __future__ import annotations

import argparse
import collections
import csv
import json
import os
import platform
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

import problex
from problex import Lexicon
from problex.lexicon import read_dictionary
from problex.matching import Tokenizer

WORDS = Path(__file__).parent / "lookup_words.yml"
SCRIPT = Path(__file__).parent / "lookup.R"
PLAIN = Tokenizer("en", negation="none")
SCOPES = {"key": "category", "dictionary": "dictionary"}
"""quanteda's nested_scope, and the matching that is the same."""


def seconds(work: Callable[[], object], repeats: int = 3) -> float:
    """The least of some times of the processor."""
    times = []
    for _ in range(repeats):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def one_line(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip() or "."


def quanteda_tables(texts: Sequence[str], folder: Path, threads: int = 1) -> dict[str, Any]:
    """Run quanteda on the same tokens and on the texts; its times."""
    tokens, raw = folder / "tokens.txt", folder / "texts.txt"
    tokens.write_text("".join(" ".join(PLAIN(text)) + "\n" for text in texts), encoding="utf-8")
    raw.write_text("".join(one_line(text) + "\n" for text in texts), encoding="utf-8")
    command = ["Rscript", str(SCRIPT), str(tokens), str(raw), str(WORDS), str(folder), str(threads)]
    ran = subprocess.run(command, capture_output=True, text=True, check=True, env={**os.environ, "LC_ALL": "C.UTF-8"})
    return dict(json.loads(ran.stdout[ran.stdout.index("{") :]))


def read_cells(file: Path) -> dict[str, list[int]]:
    """The columns of one of quanteda's tables, by the names that ours have."""
    with file.open(encoding="utf-8") as lines:
        rows = list(csv.reader(lines))
    return {name.replace(".", "/"): [int(row[at]) for row in rows[1:]] for at, name in enumerate(rows[0])}


def compare(theirs: dict[str, list[int]], ours: pa.Table) -> dict[str, Any]:
    """How many cells there are, and how many differ, by category."""
    different = {
        name: number
        for name, values in theirs.items()
        if (number := int(np.sum(np.array(values) != ours[name].to_numpy())))
    }
    size = len(theirs) * ours.num_rows
    return {"cells": size, "different": sum(different.values()), "by_category": different}


def compare_with_quanteda(texts: Sequence[str]) -> dict[str, Any]:
    """Cells with the same tokens, in both scopes, at two levels and for words outside; and with its own tokens."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        times, result = quanteda_tables(texts, folder), dict[str, Any]()
        for scope, matching in SCOPES.items():
            lowest = problex.lookup(texts, WORDS, matching=matching, levels="lowest")
            result[scope] = compare(read_cells(folder / f"{scope}.csv"), lowest)
            upper = problex.lookup(texts, WORDS, matching=matching, levels=1)
            result[f"{scope}, levels = 1"] = compare(read_cells(folder / f"{scope}-level1.csv"), upper)
            left = np.rint(
                lowest["words"].to_numpy() * (100 - lowest["in_dictionary"].to_numpy(zero_copy_only=False)) / 100
            )
            unmatched = pa.table({"none": np.nan_to_num(left).astype(int)})
            none = {"none": read_cells(folder / f"{scope}-unmatched.csv")["none"]}
            result[f"{scope}, words that no entry matches"] = compare(none, unmatched)
        ours = problex.lookup(texts, WORDS, levels="lowest")
        for own in ("own-tokens", "own-tokens-split"):  # hyphens kept, as quanteda does by default, and split
            result[own] = compare(read_cells(folder / f"{own}.csv"), ours)
    in_ram = pa.array([one_line(text) for text in texts])
    spent = seconds(lambda: problex.lookup(in_ram, WORDS, levels="lowest", threads=1))
    theirs = {part: sum(times[part][:2]) for part in ("tokens", "lookup")}
    return {
        "version": times["version"],
        "cells": result,
        "seconds": {"problex": spent, **{f"quanteda {part}": value for part, value in theirs.items()}},
        "times_as_fast": sum(theirs.values()) / spent,
    }


def compare_with_liwc(texts: Sequence[str]) -> dict[str, Any] | None:
    """liwc-python on the entries of one word: times, and cells that differ."""
    if find_spec("liwc") is None:
        return None
    import liwc

    lists = {
        name: [word for word in words if " " not in word and not word.startswith("*")]
        for name, words in read_dictionary(WORDS).lists.items()
    }
    lists = {name: words for name, words in lists.items() if words}
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "words.dic"
        names = list(lists)
        numbers: dict[str, list[str]] = {}
        for at, name in enumerate(names, 1):
            for word in lists[name]:
                numbers.setdefault(word, []).append(str(at))
        head = "".join(f"{at}\t{name}\n" for at, name in enumerate(names, 1))
        body = "".join(f"{word}\t" + "\t".join(found) + "\n" for word, found in numbers.items())
        file.write_text(f"%\n{head}%\n{body}", encoding="utf-8")
        parse, _ = liwc.load_token_parser(str(file))

    def run() -> list[collections.Counter[str]]:
        return [collections.Counter(name for token in PLAIN(text) for name in parse(token)) for text in texts]

    found = run()
    cells = {name: [counts[name] for counts in found] for name in names}
    compared = {
        matching: compare(cells, problex.lookup(texts, lists, levels="lowest", matching=matching))
        for matching in ("category", "longest")
    }
    theirs, ours = seconds(run, 1), seconds(lambda: problex.lookup(texts, lists, levels="lowest", threads=1))
    return {"cells": compared, "seconds": {"liwc-python": theirs, "problex": ours}, "times_as_fast": theirs / ours}


def large_dictionary(texts: Sequence[str], categories: int = 100, entries: int = 10_000) -> dict[str, list[str]]:
    """Entries that occur, a sixth of them wildcards and a twentieth phrases, each in one to six of the categories."""
    draw = random.Random(1)
    known = collections.Counter(word for text in texts[:5000] for word in PLAIN(text))
    common = [word for word, _ in known.most_common(entries)]
    wild = [f"{word[: max(4, len(word) - 2)]}*" for word in common[-entries * 3 // 20 :]]
    phrases = [" ".join(draw.sample(common[:300], 2)) for _ in range(entries // 20)]
    words = common[: entries - len(wild) - len(phrases)]
    lists: dict[str, list[str]] = {f"category {at}": [] for at in range(categories)}
    for entry in [*words, *wild, *phrases]:
        for name in draw.sample(list(lists), draw.choice([1, 1, 2, 3, 4, 6])):
            lists[name].append(entry)
    return lists


def compare_with_count(texts: Sequence[str]) -> dict[str, Any]:
    """The time of `lookup` with many categories beside that of `count`: with the same entries, and with fewer."""
    lists = large_dictionary(texts)
    every = list(dict.fromkeys(word for words in lists.values() for word in words))
    small = [word for word in every[::5] if "*" not in word and " " not in word]
    lexicons = {
        "the same entries in two lists": Lexicon({"a": every[::2], "b": every[1::2]}),
        f"{len(small):,} words in two lists": Lexicon({"a": small[::2], "b": small[1::2]}),
    }
    column = pa.array(texts)
    spent = seconds(lambda: problex.lookup(column, lists, threads=1))
    times = {
        name: seconds(
            lambda lexicon=lexicon: problex.count(column, lexicon, 1, tokenizer=PLAIN), 1 if "same" in name else 3
        )  # type: ignore[misc]
        for name, lexicon in lexicons.items()
    }
    size = sum(len(text.encode()) for text in texts)
    return {
        "categories": len(lists),
        "entries": len(every),
        "megabytes": size / 1e6,
        "seconds": {"lookup": spent, **{f"count, {name}": value for name, value in times.items()}},
        "speed_of_lookup_by_that_of_count": {name: value / spent for name, value in times.items()},
        "megabytes_per_second": size / 1e6 / spent,
    }


def main() -> None:
    """Compare, print and keep the figures."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    options.add_argument("--texts", type=Path, required=True, metavar="FILE", help="A Parquet file with a column text.")
    options.add_argument("--size", type=int, default=25_000, help="How many texts of it.")
    options.add_argument("--compared", type=int, default=5_000, help="How many texts are compared cell by cell.")
    options.add_argument("--json", type=Path, metavar="FILE", help="Where the figures are kept.")
    given = options.parse_args()
    texts = pq.read_table(given.texts, columns=["text"])["text"].to_pylist()[: given.size]
    result: dict[str, Any] = {
        "machine": {"cores": os.cpu_count(), "python": platform.python_version(), "load": os.getloadavg()[0]},
        "texts": {"file": given.texts.name, "size": len(texts), "compared": min(given.compared, len(texts))},
    }
    if shutil.which("Rscript"):
        result["quanteda"] = compare_with_quanteda(texts[: given.compared])
    result["liwc-python"] = compare_with_liwc(texts[: given.compared])
    result["count"] = compare_with_count(texts)
    text = json.dumps(result, indent=1)
    if given.json is not None:
        given.json.write_text(text + "\n", encoding="utf-8")
    sys.stdout.write(text + "\n")


if __name__ == "__main__":
    main()
