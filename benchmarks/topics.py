"""Word lists for corpora of topics, written before the texts were looked at; the corpora are not in the repository.

Amazon's product domains are in the folder of the paper's corpora (PROBLEX_DATA). The others are read from the folder
PROBLEX_TOPICS, if it is set: NAME.parquet with the columns text and label.

    bbc         2,225 articles of BBC News of 2004 and 2005 (Greene and Cunningham 2006)
    newsgroups  9,543 posts of the training part of 20 Newsgroups without headers and quoted lines, in seven groups:
                comp.*, rec.autos and rec.motorcycles, rec.sport.*, sci.med, sci.space, talk.politics.*, and
                alt.atheism with soc.religion.christian and talk.religion.misc
    agnews      7,600 titles and descriptions, the test part of AG News (Zhang, Zhao and LeCun 2015)
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq

from problex.lexicon.lexicon import Lexicon
from problex.paper.datasets import DataSet, data_folder

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
