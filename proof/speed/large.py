"""The jobs of `bench.py` for large lexicons: a million entries, and frequent words with many pairs.

Both are ratios within one run. The times of a million entries are multiples of that of JSON for the same words; each
is measured once, in a process of its own, since most of it happens only the first time. The memory of pairs is bytes of
the counter for each.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
import warnings
from collections import Counter
from itertools import islice
from pathlib import Path
from typing import Any

from latency import made_up_words

from problex import Lexicon, count, estimate, load_model
from problex.paper.datasets import demo_corpus

ENTRIES = 1_000_000
FREQUENT = 72_000


def large_lexicon(entries: int = ENTRIES) -> list[dict[str, Any]]:
    """What a lexicon of so many entries takes, in a process of its own."""
    said = subprocess.run([sys.executable, __file__, str(entries)], capture_output=True, text=True, check=True).stdout
    return list(json.loads(said))


def measure(entries: int) -> list[dict[str, Any]]:
    """Processor seconds of every step, as a multiple of writing and reading the words as JSON."""
    words = list(islice(made_up_words(), entries))
    lists = {"one": words[::2], "two": words[1::2]}
    texts = [f"{a} the film {b} not {a}" for a, b in zip(words[:2000], words[2000:4000], strict=True)]
    count(texts[:10], Lexicon({"one": words[:10], "two": words[10:20]}), 1)  # imports
    took: list[tuple[str, float]] = []

    def timed(name: str, call: Any) -> Any:
        began = time.process_time()
        result = call()
        took.append((name, time.process_time() - began))
        return result

    timed("JSON of the words, written and read", lambda: json.loads(json.dumps(lists)))
    lexicon = timed("Lexicon", lambda: Lexicon(lists))
    counts = timed("first count", lambda: count(texts, lexicon, 1))
    timed("second count", lambda: count(texts, lexicon, 1))
    model = estimate(counts, lexicon)
    with tempfile.TemporaryDirectory() as folder:
        timed("save a model", lambda: model.save(Path(folder) / "model.json"))
        timed("load a model", lambda: load_model(Path(folder) / "model.json"))
    return [
        {"what": f"{name}, {entries:,} entries", "seconds": taken, "ratio": taken / took[0][1]} for name, taken in took
    ]


def bytes_of_pairs(documents: int | None = None, frequent: int = FREQUENT) -> dict[str, Any]:
    """How many pairs the most frequent words of film reviews have, and the bytes that each takes while counting."""
    from problex.corpus import batches
    from problex.counting.counters import sum_counter
    from problex.matching.items import items_of
    from problex.matching.tokens import Tokenizer

    texts, tokenizer = demo_corpus().texts[:documents], Tokenizer("en")
    words = [word for word, _ in Counter(word for text in texts for word in text.lower().split()).most_common()]
    words = [word for word in words if word.isascii() and word.isalpha()][:frequent]
    counter = sum_counter(items_of(Lexicon({"one": words[::2], "two": words[1::2]}), tokenizer), tokenizer)
    for batch in batches(texts):
        counter.add(batch.texts)
    pairs, size = counter.count_pairs()
    return {"what": f"pairs of {len(words):,} frequent words", "pairs": pairs, "bytes_per_pair": size / pairs}


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    print(json.dumps(measure(int(sys.argv[1]))))
