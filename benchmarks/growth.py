"""How the cost grows: with the lexicon, patterns, phrases, lists, length of texts, script and corpus.

Every axis has a few sizes; each is measured by the processor time of counting (`count`, one thread) and of scoring
(`score`, rows of a model), the least of some repeats, which are interleaved. The exponent is the slope of log(cost per
token) on log(size): 0 is no growth, 1 is proportional growth. Beyond the size of the corpus the tokens are the same for
all sizes of an axis. All texts are invented, so the figures need no data: `python benchmarks/growth.py --json
benchmarks/results/growth.json`, and `--plot docs/growth.svg` draws them.
"""

from __future__ import annotations

import argparse
import json
import time
import warnings
from collections.abc import Callable, Sequence
from itertools import islice, product
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from problex import Lexicon, count, estimate, score
from problex.matching.tokens import Tokenizer

Record = dict[str, Any]
LETTERS = "aeioubdfgklmnprst"
SCRIPTS = {
    "English": (LETTERS, 5),
    "English, emoji": (LETTERS, 5),
    "Spanish": ("aeiouáéíóúñbdfglmnprst", 5),
    "Greek": ("αβγδεζηθικλμνξοπρστυφχψω", 5),
    "Russian": ("абвгдежзиклмнопрстуфхцчшыя", 5),
    "Arabic": ("ابتثجحخدذرزسشصضطظعغفقكلمنهوي", 5),
    "Hindi": ("कखगघचछजझटठडढणतथदधनपफबभमयरलवशसह", 4),
    "Korean": ("가나다라마바사아자차카타파하거너더러", 3),
    "Chinese": ("的一是不了人我在有他这中大来上个国到说们为", 2),
}
"""The letters of invented words of a script, and how many a word has."""
MATRAS = "ािीुूेो्"
EMOJI = ("😀", "👍🏽", "❤️", "👨‍👩‍👧")


def invented_words(size: int, script: str = "English") -> list[str]:
    """Different words, mixed so that frequent ones are not alike."""
    letters, length = SCRIPTS[script]
    words = ["".join(word) for word in islice(product(letters, repeat=length), size)]
    if script == "Hindi":
        words = [word[:1] + MATRAS[at % 8] + word[1:] for at, word in enumerate(words)]
    return [words[at] for at in np.random.default_rng(1).permutation(len(words))]


def invented_texts(words: Sequence[str], tokens: int, length: int = 200, seed: int = 0) -> list[str]:
    """Texts of so many tokens in all, whose words have a long tail of frequencies."""
    ranks = (np.random.default_rng(seed).pareto(0.8, tokens) * 20).astype(np.int64) % len(words)
    return [" ".join([words[at] for at in ranks[start : start + length]]) for start in range(0, tokens, length)]


Case = tuple[Sequence[str], Lexicon]


def lists_of(entries: Sequence[str], lists: int = 2) -> Lexicon:
    return Lexicon({f"list{at}": list(entries[at::lists]) for at in range(lists)})


def axes(tokens: int) -> dict[str, dict[Any, Callable[[], Case]]]:
    """The cases of every axis by size; a case is texts and a lexicon, made when it is measured."""
    words = invented_words(40_000)
    texts = invented_texts(words, tokens)
    many = invented_words(330_000)
    phrases = [f"{a} {b}" for a, b in zip(words[:20_000], words[20_000:], strict=True)]

    def in_script(script: str) -> Case:
        own = invented_words(8000, script)
        found = invented_texts(own, tokens)
        if script == "English, emoji":
            found = [" ".join(w + f" {EMOJI[at % 4]}" * (at % 8 == 0) for at, w in enumerate(t.split())) for t in found]
        return found, lists_of(own[:3000])

    known = words[:3000]
    return {
        "entries": {n: lambda n=n: (texts, lists_of([*known, *many[: n - 3000]])) for n in (3000, 30_000, 300_000)},
        "patterns": {
            n: lambda n=n: (texts, lists_of([*known, *sorted({f"{word[:4]}*" for word in many})[:n]]))
            for n in (50, 500, 5000)
        },
        "phrases": {n: lambda n=n: (texts, lists_of([*known, *phrases[:n]])) for n in (200, 2000, 20_000)},
        "lists": {n: lambda n=n: (texts, lists_of(known, n)) for n in (2, 10, 100)},
        "tokens of a text": {
            n: lambda n=n: (invented_texts(words, tokens, n), lists_of(known)) for n in (20, 200, 2000, 20_000)
        },
        "script": {script: lambda script=script: in_script(script) for script in SCRIPTS},
        "tokens of the corpus": {
            n: lambda n=n: (invented_texts(words, n), lists_of(known)) for n in (tokens // 10, tokens, 4 * tokens)
        },
    }


def measure(case: Case, repeats: int) -> Record:
    """Nanoseconds per token of counting and of scoring, without what happens once for a lexicon."""
    texts, lexicon = case
    column, tokenizer = pa.array(texts, pa.large_string()), Tokenizer("any")
    counts = count(column, lexicon, 1, tokenizer=tokenizer)
    model = estimate(counts, lexicon)
    score(column[:1], model)
    found: dict[str, list[float]] = {"count": [], "score": []}
    for _ in range(repeats):
        for name, call in (
            ("count", lambda: count(column, lexicon, 1, tokenizer=tokenizer)),
            ("score", lambda: score(column, model)),
        ):
            began = time.process_time()
            call()
            found[name].append(time.process_time() - began)
    return {name: 1e9 * min(times) / counts.tokens for name, times in found.items()}


def exponent(sizes: Sequence[float], costs: Sequence[float]) -> float:
    """The slope of log(cost) on log(size).

    >>> round(exponent([1, 10, 100], [5, 50, 500]), 3)
    1.0
    """
    return float(np.polyfit(np.log(sizes), np.log(costs), 1)[0])


def grow(tokens: int, repeats: int) -> list[Record]:
    """A record per axis: its sizes, the cost at each, and exponents, or for scripts the ratio to English."""
    records = []
    for axis, cases in axes(tokens).items():
        costs = [measure(make(), repeats) for make in cases.values()]
        record: Record = {"axis": axis, "sizes": list(cases)}
        for job in ("count", "score"):
            each = [cost[job] for cost in costs]
            record[job] = {"nanoseconds_per_token": each, "ratios": [one / each[0] for one in each]}
            if axis != "script":
                record[job]["exponent"] = exponent(list(cases), each)
        records.append(record)
        print(shown(record), flush=True)
    return records


def shown(record: Record) -> str:
    """A few lines for an axis."""
    lines = [f"\n{record['axis']:22}" + "".join(f"{size:>16}" for size in record["sizes"]) + f"{'exponent':>10}"]
    for job in ("count", "score"):
        ratios = "".join(f"{ratio:16.2f}" for ratio in record[job]["ratios"])
        slope = record[job].get("exponent")
        lines.append(f"  {job:20}{ratios}" + (f"{slope:10.2f}" if slope is not None else ""))
    return "\n".join(lines)


def chart(records: Sequence[Record]) -> Any:
    """Cost per token by size, as a ratio to the first, a panel per axis."""
    import altair as alt

    rows = [
        {"axis": record["axis"], "size": size, "ratio": ratio, "job": job}
        for record in records
        if record["axis"] != "script"
        for job in ("count", "score")
        for size, ratio in zip(record["sizes"], record[job]["ratios"], strict=True)
    ]
    line = alt.Chart().mark_line(point=True)
    panel = line.encode(
        x=alt.X("size:Q", scale=alt.Scale(type="log"), title=None),
        y=alt.Y("ratio:Q", title="time per token, first = 1", scale=alt.Scale(domainMin=0)),
        color=alt.Color("job:N", title=None),
    ).properties(width=170, height=120)
    data = alt.Data(values=rows)
    return panel.facet(facet=alt.Facet("axis:N", title=None), columns=3, data=data).resolve_scale(x="independent")


def main() -> None:
    warnings.simplefilter("ignore")
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--tokens", type=int, default=1_000_000)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--json", type=Path, help="where the figures go")
    parser.add_argument("--read", type=Path, help="the figures of an earlier run, instead of measuring")
    parser.add_argument("--plot", type=Path, help="where the chart goes")
    given = parser.parse_args()
    records = json.loads(given.read.read_text()) if given.read else grow(given.tokens, given.repeats)
    if given.json:
        given.json.write_text(json.dumps(records, indent=1, ensure_ascii=False) + "\n")
    if given.plot:
        chart(records).save(given.plot)


if __name__ == "__main__":
    main()
