"""Word lists for corpora of topics, written before the texts were looked at; the corpora are not in the repository.

Amazon's product domains are in the folder of the paper's corpora (PROBLEX_DATA). The others are read from the folder
PROBLEX_TOPICS, if it is set: NAME.parquet with the columns text and label.

    bbc         2,225 articles of BBC News of 2004 and 2005 (Greene and Cunningham 2006)
    newsgroups  9,543 posts of the training part of 20 Newsgroups without headers and quoted lines, in seven groups:
                comp.*, rec.autos and rec.motorcycles, rec.sport.*, sci.med, sci.space, talk.politics.*, and
                alt.atheism with soc.religion.christian and talk.religion.misc
    agnews      7,600 titles and descriptions, the test part of AG News (Zhang, Zhao and LeCun 2015)

    python proof/accuracy/topics.py

prints the accuracy on these corpora, and how the time and the memory of each step grow with the number of lists on
texts that are made up. It writes both to proof/results/topics.json.
"""

from __future__ import annotations

import json
import os
import resource
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq

from problex._util.records import Record
from problex.cli.output import render
from problex.counting import count
from problex.estimation import estimate
from problex.evaluation import forecast
from problex.expansion import expand
from problex.lexicon.lexicon import Lexicon
from problex.model import Model
from problex.paper.datasets import DataSet, data_folder
from problex.scoring import score

TOPICS: dict[str, dict[str, str]] = {
    "domains": {
        "books": "book read author reading novel pages story chapter writing written reader characters plot fiction",
        "dvd": "movie film dvd watch actors scenes director acting cast episode show season comedy cinema",
        "electronics": "battery phone computer usb headphones camera speakers cable wireless software sound mouse "
        "router device",
        "kitchen": "kitchen knife cook pan oven coffee dishwasher stainless cooking recipe bake blender pot food",
    },
    "bbc": {
        "business": "company market shares profit economy bank growth sales firm investors prices oil stock trade deal",
        "entertainment": "film music actor award album band singer show star movie oscar song festival comedy "
        "television",
        "politics": "government minister party election labour tory parliament mp vote policy blair campaign law "
        "public",
        "sport": "match game player team win coach cup league goal season injury champion club final rugby",
        "tech": "computer software internet mobile phone technology users online digital network web games "
        "microsoft device",
    },
    "newsgroups": {
        "computing": "computer software windows program file disk card memory driver graphics screen monitor code "
        "server",
        "vehicles": "car bike engine drive dealer road ride speed tires brake motorcycle honda driver miles oil",
        "sport": "game team player season hockey baseball league score play win goal coach pitcher fans",
        "medicine": "doctor patient disease medical treatment drug symptoms pain health medicine diet infection blood",
        "space": "space nasa orbit launch moon shuttle satellite mission rocket earth planet solar lunar",
        "religion": "god jesus church christian bible faith sin belief religion christ atheist heaven prayer",
        "politics": "government president law gun israel rights police war weapons people state arab congress",
    },
    "agnews": {
        "world": "government president minister killed iraq troops election peace military attack leader war police",
        "sport": "team game win coach season cup player league victory championship olympic match final",
        "business": "company shares profit market oil prices sales stocks bank economy quarter earnings investors deal",
        "science": "software computer internet technology microsoft scientists space online web research users "
        "phone study",
    },
}
"""Corpus -> topic -> words."""


def topic_corpora() -> Iterator[DataSet]:
    """The corpora of topics that can be found, one at a time."""
    yield _data_set("domains", data_folder() / "amazon.parquet", "domain", ("title", "text"))
    folder = os.environ.get("PROBLEX_TOPICS")
    if folder:
        for name in ("bbc", "newsgroups", "agnews"):
            yield _data_set(name, Path(folder) / f"{name}.parquet", "label", ("text",))


def _data_set(name: str, path: Path, label: str, columns: tuple[str, ...]) -> DataSet:
    table = pq.read_table(path)
    texts = [
        " . ".join(part or "" for part in parts) for parts in zip(*(table[c].to_pylist() for c in columns), strict=True)
    ]
    lexicon = Lexicon({topic: words.split() for topic, words in TOPICS[name].items()})
    return DataSet(name, texts, np.array(table[label].to_pylist(), dtype=object), lexicon, "en")


def accuracy(model: Model, texts: list[str], labels: np.ndarray) -> float:
    """Share of the texts with the right label; an undecided text is wrong."""
    return float(np.mean(score(texts, model).labels() == labels))


def accuracies(data: DataSet) -> Record:
    """Accuracy of counting, of the lexicon model, of the expanded one, and of the latter fitted on the other half."""
    model = estimate(count(data.texts, data.lexicon), data.lexicon)
    half = np.random.default_rng(0).random(len(data.texts)) < 0.5
    seen, unseen = ([text for text, own in zip(data.texts, half == side, strict=True) if own] for side in (True, False))
    new = expand(estimate(count(seen, data.lexicon), data.lexicon), seen)
    return {
        "corpus": data.name,
        "texts": len(data.texts),
        "counting": float(np.mean(score(data.texts, model, rule="count").labels() == data.labels)),
        "lexicon": accuracy(model, data.texts, data.labels),
        "expanded": accuracy(expand(model, data.texts), data.texts, data.labels),
        "expanded, unseen half": accuracy(new, unseen, data.labels[~half]),
    }


NUMBERS = (2, 5, 20, 50, 100, 200)
"""Numbers of lists."""


def made_up(texts: int = 3_000, words: int = 20_000, topics: int = 200) -> tuple[list[str], list[list[str]]]:
    """Texts of 120 words, a quarter of them of their topic, and the 80 words of each topic."""
    random, parts = np.random.default_rng(0), [a + b for a in "bdfghklmnprstvz" for b in "aeiou"]
    names = np.array([parts[i % 75] + parts[i // 75 % 75] + parts[(i // 5625 + 7) % 75] for i in range(words)])
    rates = 1.0 / (np.arange(words) + 10)
    own = [random.choice(np.arange(100, words // 2), 80, replace=False) for _ in range(topics)]
    corpus = []
    for number in range(texts):
        size = random.poisson(120) + 5
        drawn = random.choice(words, size, p=rates / rates.sum())
        ids = np.where(random.random(size) < 0.25, random.choice(own[number % topics], size), drawn)
        corpus.append(" ".join(names[ids]))
    return corpus, [names[ids].tolist() for ids in own]


def lists_of(topics: list[list[str]], number: int) -> Lexicon:
    """So many lists of 12 to 50 words; a word is in one list only."""
    sizes, used = np.random.default_rng(1).integers(12, 51, number), set[str]()
    lists = {}
    for at, size in enumerate(sizes.tolist()):
        lists[f"topic{at:03}"] = [word for word in topics[at] if word not in used][:size]
        used.update(lists[f"topic{at:03}"])
    return Lexicon(lists)


def growth() -> list[Record]:
    """Processor time of each step by the number of lists, as multiples of that for 2 lists, and the peak of memory.

    "score, same words" has the words of 200 lists in all rows, divided among fewer lists.
    """
    corpus, topics = made_up()
    every = [word for words in lists_of(topics, max(NUMBERS)).lists.values() for word in words]
    rows: list[Record] = []
    for number in NUMBERS:
        lexicon = lists_of(topics, number)
        shared = Lexicon({f"topic{at:03}": every[at::number] for at in range(number)})
        counts, same = count(corpus, lexicon, threads=1), estimate(count(corpus, shared, threads=1), shared)
        model = estimate(counts, lexicon)
        expanded = expand(model, corpus, threads=1)
        steps: dict[str, Callable[[], object]] = {
            "count": lambda lexicon=lexicon: count(corpus, lexicon, threads=1),
            "estimate": lambda counts=counts, lexicon=lexicon: estimate(counts, lexicon),
            "score": lambda model=model: score(corpus, model, threads=1).table(),
            "score, same words": lambda same=same: score(corpus, same, threads=1).table(),
            "expand": lambda model=model: expand(model, corpus, threads=1),
            "score, expanded": lambda expanded=expanded: score(corpus, expanded, threads=1).table(),
            "forecast": lambda model=model: forecast(model),
        }
        times = {name: _seconds(step, 1 if name == "expand" else 3) for name, step in steps.items()}
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        rows.append({"lists": number, "entries": len(counts.entries)} | times | {"memory (MiB)": memory})
    first = dict(rows[0])
    names = [name for name in first if name not in ("lists", "entries", "memory (MiB)")]
    return [row | {name: round(row[name] / first[name], 1) for name in names} for row in rows]


def _seconds(step: Callable[[], object], times: int) -> float:
    """The least processor time of some runs."""
    used = []
    for _ in range(times):
        start = time.process_time()
        step()
        used.append(time.process_time() - start)
    return min(used)


def main() -> None:
    """Print both tables, and write them to a file."""
    warnings.simplefilter("ignore")
    tables = {"accuracy": [accuracies(data) for data in topic_corpora()], "growth": growth()}
    for rows in tables.values():
        print(render(rows, "csv"))
    path = Path(__file__).parents[1] / "results" / "topics.json"
    path.write_text(json.dumps(tables, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
