"""Made-up corpora of known truth, scored by a model without labels, from which groups are drawn."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa

from problex import Lexicon, Model, count, estimate
from problex._util.arrays import FloatArray, IntArray
from problex._util.records import Record
from problex.corpus import batches
from problex.counting.tables import Rows
from problex.grouping.grouping import Grouping
from problex.scoring.scorer import make_scorer, score_batches
from problex.scoring.scores import Scores
from problex.shares.differences import share_differences
from problex.shares.grid import GridCounter

NAMES = np.array(["a", "b"], dtype=object)


@dataclass(frozen=True, eq=False)
class Corpus:
    """Scored texts of two classes and their true ones."""

    scores: Scores
    codes: IntArray
    leads: FloatArray

    @classmethod
    def of(cls, texts: list[str], codes: IntArray, model: Model) -> Corpus:
        """Texts under a model."""
        (scores,) = (scores for _, scores in score_batches(batches(texts, batch_bytes=1 << 30), model, rows=True))
        return cls(scores, codes, make_scorer(model).word_leads)

    def part(self, rows: IntArray) -> Scores:
        """Some of the texts, with their words."""
        assert self.scores.rows is not None
        ends, columns, counts, lengths = (np.asarray(part) for part in self.scores.rows[:4])
        sizes = np.diff(ends)[rows]
        places = np.repeat(ends[rows] - np.cumsum(sizes) + sizes, sizes) + np.arange(sizes.sum())
        own = Rows(np.concatenate([[0], np.cumsum(sizes)]), columns[places], counts[places], lengths[rows])
        return replace(self.scores.take(rows), rows=own)

    def differences(self, rows: IntArray, groups: IntArray) -> list[Record]:
        """What is said about groups 0 and 1 of some texts."""
        counter = GridCounter(2, Grouping("group", "value"), "all", compared=True)
        counter.add(self.part(rows), pa.array(NAMES[groups]))
        return share_differences(counter.counts().joined({}, ("a", "b")), self.scores.classes, self.leads)

    def sample_with_copies(self, kind: str, size: int, random: np.random.Generator) -> IntArray:
        """Texts each once, five times, or as often as retweets (Zipf's law)."""
        if kind == "none":
            return random.choice(len(self.codes), size, replace=False)
        if kind == "five":
            return np.repeat(random.choice(len(self.codes), size // 5, replace=False), 5)
        times = np.minimum(random.zipf(2.0, size), size // 4)
        return np.repeat(random.choice(len(self.codes), size, replace=False), times)[:size]

    def recomposed(
        self, shares: tuple[float, float], size: int, random: np.random.Generator
    ) -> tuple[IntArray, IntArray]:
        """Two groups of so many texts, with these shares of the second class."""
        rows = []
        for share in shares:
            numbers = (size - round(share * size), round(share * size))
            rows += [random.choice(np.flatnonzero(self.codes == at), numbers[at], replace=False) for at in range(2)]
        return np.concatenate(rows), np.repeat([0, 1], size)


def in_letters(number: int) -> str:
    """A word for each number; texts that differ only in digits are copies."""
    return "x" + "".join(chr(97 + int(digit)) for digit in str(number))


def made_up(size: int, seed: int) -> Corpus:
    """Texts of about twelve words: two or three are in the lists, of which three in ten are of the wrong one."""
    random = np.random.default_rng(seed)
    lists = [[start + in_letters(at) for at in range(60)] for start in ("bad", "good")]
    frequency = 1 / np.arange(1, 61) ** 0.7
    codes = random.integers(2, size=size)
    texts = []
    for number, code in enumerate(codes):
        of_list = np.where(random.random(random.poisson(2.5)) < 0.7, code, 1 - code)
        words = [str(random.choice(lists[own], p=frequency / frequency.sum())) for own in of_list]
        others = [in_letters(at) for at in (*random.integers(500, size=9).tolist(), 1000 + number)]
        texts.append(" ".join([*words, *others]))
    lexicon = Lexicon({"bad": lists[0], "good": lists[1]})
    return Corpus.of(texts, codes, estimate(count(texts, lexicon), lexicon))
