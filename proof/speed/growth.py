"""How the cost grows: with the lexicon, patterns, phrases, lists, length of texts, script and corpus.

Every axis has a few sizes; each is measured by the processor time of counting (`count`, one thread), of scoring
(`score`, rows of a model) and, for lists, of probabilities (`predict_proba`), the least of some repeats, which are
interleaved. The exponent is the slope of log(cost per token) on log(size): 0 is no growth, 1 is proportional growth.
Beyond the size of the corpus the tokens are the same for all sizes of an axis. Scripts are compared per byte: without
spaces, how many tokens a text has depends on the word breaker, whose own time is measured, too. All texts are invented,
so the figures need no data: `python proof/speed/growth.py --json proof/results/growth.json`, and `--plot
docs/growth.svg` draws them.
"""

from __future__ import annotations

import argparse
import json
import time
import warnings
from collections import deque
from collections.abc import Callable, Sequence
from functools import partial
from itertools import islice, product
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from problex import Lexicon, count, estimate, score
from problex.matching.segmentation import script_of, segment_all
from problex.matching.tokens import Tokenizer

Record = dict[str, Any]
LETTERS = "aeioubdfgklmnprst"
CHINESE = (
    "的一是不了人我在有他这中大来上个国到说们为子和你地出道也时年得就那要下以生会自着去之过家学对可她里后小么心多天而能好都然"
    "没日于起还发成事只作当想看文无开手十用主行方又如前所本见经头面公同三已老从动两长知民样现分将外但身些与高意进把法此实回二"
    "理美点月明其种声全工己话儿者向情部正名定女问力机给等几很业最间新什打便位因重被走电四第门相次东政海口使教西再平真听世气信"
    "北少关并内加化由却代军产入先山五太水万市眼体别处总才场师书比住员九笑性通目华报立马命张活难神数件安表原车白应路期叫死常提"
    "感金何更反合放做系计或司利受光王果亲界及今京务制解各任至清物台象记边共风战干接它许八特觉望直服毛林题建南度统色字请交爱让"
)
KANA = "".join(map(chr, range(0x3042, 0x3090)))
SCRIPTS = {
    "English": LETTERS,
    "English, emoji": LETTERS,
    "Spanish": "aeiouáéíóúñbdfglmnprst",
    "German": "aeiouäöüßbdfghklmnrst",
    "French": "aeiouéèêàçùbdflmnprst",
    "Greek": "αβγδεζηθικλμνξοπρστυφχψω",
    "Russian": "абвгдежзиклмнопрстуфхцчшыя",
    "Arabic": "ابتثجحخدذرزسشصضطظعغفقكلمنهوي",
    "Hindi": "कखगघचछजझटठडढणतथदधनपफबभमयरलवशसह",
    "Korean": "".join(map(chr, range(0xAC00, 0xD7A4, 7))),
    "Chinese": CHINESE,
    "Japanese": KANA + CHINESE,
    "Thai": "กขคงจชดตถทนบปพมยรลวสห",
}
"""The letters of invented words of a script."""
MARKS = {"Hindi": "ािीुूेो्", "Thai": "ะาิีึืุู"}
"""What follows the first letter of a word."""
LENGTHS = {"Korean": (2, 4), "Hindi": (3, 5), "Thai": (3, 5)}
"""The fewest and most letters of a word; others have 4 to 8."""
UNSPACED = {"Chinese": "，", "Japanese": "、", "Thai": " "}
"""Scripts without spaces between words, and what is behind each clause of twelve."""
SHORT_TEXTS = "lists, short texts"
JOBS = {
    "lists": ("count", "score", "probabilities"),
    SHORT_TEXTS: ("count", "score", "probabilities"),
    "script": ("count", "score", "words"),
}
"""Axes with other jobs than counting and scoring. Short texts have 15 words."""
EMOJI = ("😀", "👍🏽", "❤️", "👨‍👩‍👧")


def invented_words(size: int) -> list[str]:
    """Different words of five letters, mixed so that frequent ones are not alike."""
    words = ["".join(word) for word in islice(product(LETTERS, repeat=5), size)]
    return [words[at] for at in np.random.default_rng(1).permutation(len(words))]


def words_of_script(size: int, script: str) -> list[str]:
    """Different words of the letters of a script, of different lengths; Chinese ones are words of the word breaker."""
    if CHINESE in SCRIPTS[script]:
        pairs = segment_all(["".join(pair) for pair in product(SCRIPTS[script], repeat=2)])
        whole = [pair for pair in pairs if len(pair) == 2]
        return [whole[at] for at in np.random.default_rng(1).permutation(len(whole))]
    random, letters, marks = np.random.default_rng(1), SCRIPTS[script], MARKS.get(script, "")
    shortest, longest = LENGTHS.get(script, (4, 8))
    words: dict[str, None] = {}
    while len(words) < size:
        word = "".join(letters[at] for at in random.integers(0, len(letters), random.integers(shortest, longest + 1)))
        words[word[:1] + marks[len(words) % len(marks)] + word[1:] if marks else word] = None
    return list(words)


def invented_texts(words: Sequence[str], tokens: int, length: int = 200, seed: int = 0) -> list[str]:
    """Texts of so many tokens in all, whose words have a long tail of frequencies."""
    ranks = (np.random.default_rng(seed).pareto(0.8, tokens) * 20).astype(np.int64) % len(words)
    return [" ".join([words[at] for at in ranks[start : start + length]]) for start in range(0, tokens, length)]


def texts_of_script(script: str, words: Sequence[str], tokens: int) -> list[str]:
    """Texts as they are written in a script: with emoji, or without spaces."""
    texts = [text.split(" ") for text in invented_texts(words, tokens)]
    if script == "English, emoji":
        return [" ".join(w + f" {EMOJI[at % 4]}" * (at % 8 == 0) for at, w in enumerate(text)) for text in texts]
    if script not in UNSPACED:
        return [" ".join(text) for text in texts]
    return ["".join(w + UNSPACED[script] * (at % 12 == 11) for at, w in enumerate(text)) for text in texts]


Case = tuple[Sequence[str], Lexicon]


def lists_of(entries: Sequence[str], lists: int = 2) -> Lexicon:
    return Lexicon({f"list{at}": list(entries[at::lists]) for at in range(lists)})


def axes(tokens: int) -> dict[str, dict[Any, Callable[[], Case]]]:
    """The cases of every axis by size; a case is texts and a lexicon, made when it is measured."""
    words = invented_words(40_000)
    texts = invented_texts(words, tokens)
    many = invented_words(330_000)
    phrases = [f"{a} {b}" for a, b in zip(words[:20_000], words[20_000:], strict=True)]

    def in_script(script: str, spaced: bool = False) -> Case:
        own = words_of_script(8000, script)
        return (invented_texts if spaced else partial(texts_of_script, script))(own, tokens // 4), lists_of(own[:3000])

    known = words[:3000]
    return {
        "entries": {n: lambda n=n: (texts, lists_of([*known, *many[: n - 3000]])) for n in (3000, 30_000, 300_000)},
        "patterns": {
            n: lambda n=n: (texts, lists_of([*known, *sorted({f"{word[:4]}*" for word in many})[:n]]))
            for n in (50, 500, 5000)
        },
        "phrases": {n: lambda n=n: (texts, lists_of([*known, *phrases[:n]])) for n in (200, 2000, 20_000)},
        "lists": {n: lambda n=n: (texts, lists_of(known, n)) for n in (2, 10, 100)},
        SHORT_TEXTS: {n: lambda n=n: (invented_texts(words, tokens, 15), lists_of(known, n)) for n in (2, 10, 100)},
        "tokens of a text": {
            n: lambda n=n: (invented_texts(words, tokens, n), lists_of(known)) for n in (20, 200, 2000, 20_000, 10**6)
        },
        "script": {script: lambda script=script: in_script(script) for script in SCRIPTS}
        | {f"{script}, spaced": lambda script=script: in_script(script, spaced=True) for script in UNSPACED},
        "tokens of the corpus": {
            n: lambda n=n: (invented_texts(words, n), lists_of(known)) for n in (tokens // 10, tokens, 4 * tokens)
        },
    }


def measure(case: Case, repeats: int, probabilities: bool = False) -> Record:
    """Nanoseconds of counting, scoring, the word breaker and, if asked for, probabilities; and sizes.

    What happens once for a lexicon is left out.
    """
    texts, lexicon = case
    column, tokenizer = pa.array(texts, pa.large_string()), Tokenizer("any")
    counts = count(column, lexicon, 1, tokenizer=tokenizer)
    model = estimate(counts, lexicon)
    score(column[:1], model)
    jobs: dict[str, Callable[[], object]] = {
        "count": lambda: count(column, lexicon, 1, tokenizer=tokenizer),
        "score": lambda: score(column, model),
    }
    if probabilities:
        jobs["probabilities"] = lambda: model.predict_proba(column)
    if script_of(texts[0]):
        from icu4py.breakers import WordBreaker

        jobs["words"] = lambda: deque(WordBreaker("\n".join(texts), "en"), 0)
    found: dict[str, list[float]] = {name: [] for name in jobs}
    for _ in range(repeats):
        for name, call in jobs.items():
            began = time.process_time()
            call()
            found[name].append(time.process_time() - began)
    sizes = {"token": counts.tokens, "byte": sum(len(text.encode()) for text in texts)}
    return {name: 1e9 * min(times) for name, times in found.items()} | sizes


def exponent(sizes: Sequence[float], costs: Sequence[float]) -> float:
    """The slope of log(cost) on log(size).

    >>> round(exponent([1, 10, 100], [5, 50, 500]), 3)
    1.0
    """
    return float(np.polyfit(np.log(sizes), np.log(costs), 1)[0])


def grow(tokens: int, repeats: int, only: str | None = None) -> list[Record]:
    """A record per axis: its sizes, the cost at each, and exponents, or for scripts the ratio to English.

    The `words` of a script are the time of the word breaker alone, where there are no spaces, by counting of English.
    """
    records = []
    for axis, cases in axes(tokens).items():
        if only not in (None, axis):
            continue
        jobs, unit = JOBS.get(axis, ("count", "score")), "byte" if axis == "script" else "token"
        costs = [measure(make(), repeats, "probabilities" in jobs) for make in cases.values()]
        record: Record = {"axis": axis, "sizes": list(cases)}
        for job in jobs:
            each = [cost.get(job, 0) / cost[unit] for cost in costs]
            first = costs[0]["count" if job == "words" else job] / costs[0][unit]
            record[job] = {f"nanoseconds_per_{unit}": each, "ratios": [one / first for one in each]}
            if axis != "script":
                record[job]["exponent"] = exponent(list(cases), each)
        records.append(record)
        print(shown(record), flush=True)
    return records


def shown(record: Record) -> str:
    """A line per size of an axis, and one for the exponents."""
    jobs = [job for job in ("count", "score", "words", "probabilities") if job in record]
    lines = [f"\n{record['axis']:22}" + "".join(f"{job:>14}" for job in jobs)]
    for at, size in enumerate(record["sizes"]):
        lines.append(f"{size!s:>22}" + "".join(f"{record[job]['ratios'][at]:14.2f}" for job in jobs))
    if "exponent" in record["count"]:
        lines.append(f"{'exponent':>22}" + "".join(f"{record[job]['exponent']:14.2f}" for job in jobs))
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
    parser.add_argument("--axis", help="measure this one alone")
    parser.add_argument("--json", type=Path, help="where the figures go")
    parser.add_argument("--read", type=Path, help="the figures of an earlier run, instead of measuring")
    parser.add_argument("--plot", type=Path, help="where the chart goes")
    given = parser.parse_args()
    records = json.loads(given.read.read_text()) if given.read else grow(given.tokens, given.repeats, given.axis)
    if given.json:
        given.json.write_text(json.dumps(records, indent=1, ensure_ascii=False) + "\n")
    if given.plot:
        chart(records).save(given.plot)


if __name__ == "__main__":
    main()
