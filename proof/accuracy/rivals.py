"""Other methods without labels on the same texts, most of them with the same words: `python proof/accuracy/rivals.py`.

`RIVALS[name].score(texts, lexicon, language)` gives a score per text, higher for the second list; zero is the threshold
of the method itself. All are for two lists. The table has AUC, accuracy at that threshold (undecided texts count as
wrong) and seconds of the processor, on samples of the paper's corpora (in the folder PROBLEX_DATA) and of the short
cases of `cases.py`; then our models on the same documents, and the supervised bound, which alone uses the labels.

`--json FILE` keeps the figures, beside those of other corpora and methods that the file has already; `--only METHOD`
measures some methods; `--read FILE` prints the figures of a file as Markdown. `pip install 'problex[rivals]'` installs
what is compared; a method whose package is missing is marked as missing in the table.
"""

from __future__ import annotations

import argparse
import json
import platform
import sys
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from problex._util.arrays import FloatArray

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[1] / "speed"))

import labelling
import peers
import seeded

from problex import LexiconClassifier
from problex.evaluation.metrics import evaluate, supervised_bound
from problex.lexicon.lexicon import Lexicon
from problex.matching.tokens import Tokenizer
from problex.paper.datasets import DataSet, data_folder, paper_corpora
from problex.scoring.scores import Scores

Score = Callable[[Sequence[str], Lexicon, str], FloatArray]
PAPER = ("Amazon", "Cornell", "Cine", "IMDB")
SHORT = (
    "rotten",
    "rotten, 2,000",
    "amazon, a sentence",
    "imdb, a sentence",
    "amazon, 60 words",
    "imdb, 60 words",
    "cine, 60 words",
)
"""The cases of `cases.py` with texts of a few words."""
SAMPLE = 4000
BOUND = "supervised bound"


@dataclass(frozen=True)
class Rival:
    """A method, the package that it needs (none: it is written here), and whether its words are English only."""

    score: Score
    package: str | None = None
    english: bool = False

    def missing(self, language: str) -> str | None:
        """Why it has no score here; None if it has one."""
        if self.package is not None and find_spec(self.package) is None:
            return "not installed"
        return "English only" if self.english and language != "en" else None


def tool(score: Callable[[Sequence[str]], FloatArray], package: str) -> Rival:
    """A tool with words of its own, all of them English."""
    return Rival(lambda texts, lexicon, language: score(texts), package, english=True)


def counting(texts: Sequence[str], lexicon: Lexicon, language: str) -> FloatArray:
    """Words of the second list less words of the first, negated words left aside."""
    table, sign = labelling.all_words(texts, lexicon, language)
    return np.asarray(table.matrix @ sign, dtype=np.float64)


def counting_per_token(texts: Sequence[str], lexicon: Lexicon, language: str) -> FloatArray:
    """The same by the length of the text."""
    table, sign = labelling.all_words(texts, lexicon, language)
    return np.asarray(table.matrix @ sign / np.maximum(table.lengths, 1), dtype=np.float64)


def ours(expand: bool | str) -> Rival:
    """Our model with its default settings."""

    def score(texts: Sequence[str], lexicon: Lexicon, language: str) -> FloatArray:
        fitted = LexiconClassifier(lexicon, language=language, expand=expand).fit(texts)  # type: ignore[arg-type]
        found = fitted._score(texts)
        return np.where(found.undecided, 0.0, found.decision)

    return Rival(score)


RIVALS: dict[str, Rival] = {
    "VADER": tool(peers.vader, "vaderSentiment"),
    "VADER by sentence": tool(peers.vader_by_sentence, "vaderSentiment"),
    "TextBlob": tool(peers.textblob, "textblob"),
    "AFINN": tool(peers.afinn, "afinn"),
    "WordLlama, zero-shot": Rival(seeded.static_embedding, "wordllama", english=True),
    "counting": Rival(counting),
    "counting per token": Rival(counting_per_token),
    "majority vote": Rival(labelling.majority),
    "label model": Rival(labelling.label_model),
    "label model by EM": Rival(labelling.label_model_em),
    "Snorkel's label model": Rival(labelling.snorkel, "snorkel"),
    "seeded LDA": Rival(seeded.seeded_lda, "tomotopy"),
    "keyATM's model": Rival(seeded.keyword_topics),
    "latent semantic scaling": Rival(seeded.latent_semantic_scaling),
    "counting -> logistic regression": Rival(labelling.trained_on_counting),
}
"""Who is compared; a new one is one function and one line."""

OURS: dict[str, Rival] = {
    "problex": ours(False),
    'problex, expand="lexicon"': ours("lexicon"),
    "problex, expand=True": ours(True),
}
"""Our three kinds of model."""

METHODS = (*RIVALS, *OURS, BOUND)
"""All rows of the table."""


@dataclass(frozen=True)
class Figures:
    """AUC with its interval by bootstrap over documents, accuracy, and the seconds of all processors.

    `missing` says why there are none.
    """

    auc: float = np.nan
    low: float = np.nan
    high: float = np.nan
    accuracy: float | None = None
    seconds: float | None = None
    missing: str | None = None


def available() -> dict[str, Rival]:
    """The rivals whose packages are installed."""
    return {name: rival for name, rival in RIVALS.items() if rival.missing("en") is None}


def sample(corpus: DataSet, most: int = SAMPLE) -> DataSet:
    """Some of its documents."""
    rows = np.sort(np.random.default_rng(0).permutation(len(corpus.texts))[:most])
    return replace(corpus, texts=[corpus.texts[int(row)] for row in rows], labels=corpus.labels[rows])


def figures(corpus: DataSet, rival: Rival) -> Figures:
    """A rival on a corpus of two lists; a rival that fails is missing with the name of its error."""
    missing = rival.missing(corpus.language)
    if missing is not None:
        return Figures(missing=missing)
    began = time.process_time()
    try:
        scores = rival.score(corpus.texts, corpus.lexicon, corpus.language)
    except Exception as error:  # packages of others: the table goes on, and says so
        return Figures(missing=f"failed: {type(error).__name__}")
    seconds = time.process_time() - began
    none = np.zeros(len(scores), np.int64)
    both = Scores(corpus.lexicon.names, np.stack([-scores / 2, scores / 2], axis=1), none, none + 1)
    found = {measure.name: measure for measure in evaluate(corpus.labels, both, resamples=100).measures}
    area = found["auc"]
    return Figures(area.value, area.low, area.high, found["accuracy"].value, seconds)


def areas(corpus: DataSet) -> dict[str, Figures]:
    """Every rival on a corpus of two lists."""
    return {name: figures(corpus, rival) for name, rival in RIVALS.items()}


def bound(corpus: DataSet) -> Figures:
    """Logistic regression with labels, five-fold: AUC only."""
    positive = np.asarray(corpus.labels == corpus.lexicon.names[1])
    value = supervised_bound(corpus.texts, positive, Tokenizer(corpus.language))
    return Figures(value, value, value)


def shown(found: Figures) -> str:
    """AUC as a cell of the table."""
    if found.missing is not None:
        return found.missing
    return f"{found.auc:.3f}" if found.low == found.high else f"{found.auc:.3f} ({found.low:.3f} {found.high:.3f})"


def corpora(names: Sequence[str]) -> Iterator[tuple[str, DataSet]]:
    """The corpora of the paper and the cases with these names, one at a time."""
    for name in names:
        if name in PAPER:
            yield name, next(iter(paper_corpora(data_folder(), [name])))
        else:
            from cases import CASES

            yield name, CASES[name]()


def measure(names: Sequence[str], only: Sequence[str], most: int, file: Path | None) -> None:
    """Print the figures of these methods on these corpora, and keep them in the file after every corpus."""
    for name, corpus in corpora(names):
        some, cells = sample(corpus, most), {}
        print(f"{name}, {len(some.texts):,} documents", flush=True)
        for method in only:
            of = bound(some) if method == BOUND else figures(some, (RIVALS | OURS)[method])
            cells[method] = {key: _rounded(value) for key, value in vars(of).items()}
            rest = "" if of.accuracy is None else f"  accuracy {of.accuracy:.3f}  {of.seconds:7.1f} s"
            print(f"    {method:32s} {shown(of):22s}{rest}", flush=True)
        if file is not None:
            keep(file, name, len(some.texts), cells)


def keep(file: Path, name: str, documents: int, cells: dict[str, dict[str, Any]]) -> None:
    """Put the figures of a corpus into a file, beside what it has; the order is that of the tables."""
    packages = sorted({rival.package for rival in RIVALS.values() if rival.package} | {"scikit-learn"})
    found = json.loads(file.read_text()) if file.is_file() else {"corpora": {}}
    before = found["corpora"].get(name, {"methods": {}})["methods"]
    methods = {
        method: cells.get(method, before.get(method)) for method in METHODS if method in cells or method in before
    }
    found["corpora"][name] = {"documents": documents, "methods": methods}
    found["corpora"] = {case: found["corpora"][case] for case in sorted(found["corpora"], key=_place)}
    found |= {"python": platform.python_version(), "versions": {package: _version(package) for package in packages}}
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(found, indent=1) + "\n")


def _place(name: str) -> int:
    return [*PAPER, *SHORT].index(name) if name in (*PAPER, *SHORT) else len(PAPER) + len(SHORT)


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"


def _rounded(value: float | str | None) -> float | str | None:
    if isinstance(value, float):
        return None if np.isnan(value) else round(value, 4)
    return value


def markdown(found: dict[str, Any], wanted: Sequence[str] = (*PAPER, *SHORT)) -> str:
    """AUC (accuracy) of every method on these corpora, and its mean seconds of the processor for 1,000 documents."""
    names = [name for name in found["corpora"] if name in wanted]
    head = [f"{name} ({found['corpora'][name]['documents']:,})" for name in names]
    lines = ["| AUC (accuracy) | " + " | ".join(head) + " | seconds per 1,000 texts |", "|---" * (len(names) + 2) + "|"]
    for method in METHODS:
        cells = [found["corpora"][name]["methods"].get(method, UNMEASURED) for name in names]
        timed = [(of["seconds"], found["corpora"][name]["documents"]) for name, of in zip(names, cells, strict=True)]
        timed = [(seconds, documents) for seconds, documents in timed if seconds is not None]
        each = f"{1000 * sum(s for s, _ in timed) / sum(d for _, d in timed):.2f}" if timed else ""
        lines.append(f"| {method} | " + " | ".join(_cell(of) for of in cells) + f" | {each} |")
    return "\n".join(lines)


UNMEASURED = vars(Figures(missing="not measured"))


def _cell(of: dict[str, Any]) -> str:
    if of["missing"] is not None:
        return str(of["missing"])
    area = f"{of['auc']:.3f}".removeprefix("0")
    return area if of["accuracy"] is None else f"{area} ({of['accuracy']:.3f})".replace("(0.", "(.")


def main() -> None:
    warnings.simplefilter("ignore")
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("corpora", nargs="*", default=[*PAPER, *SHORT])
    parser.add_argument("--most", type=int, default=SAMPLE, help="documents of each corpus")
    parser.add_argument("--only", action="append", choices=METHODS, help="a method; give it again for more")
    parser.add_argument("--json", type=Path, help="where the figures go")
    parser.add_argument("--read", type=Path, help="show the figures of an earlier run, as Markdown")
    given = parser.parse_args()
    if given.read:
        print(markdown(json.loads(given.read.read_text()), given.corpora))
        return
    measure(given.corpora, given.only or METHODS, given.most, given.json)


if __name__ == "__main__":
    main()
