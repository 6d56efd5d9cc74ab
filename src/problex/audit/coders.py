"""Sheets of several coders of the same sample: their agreement, their disagreements, and one label for each document.

Agreement is Krippendorff's alpha and Cohen's kappa of nominal labels. A label that a disagreement was settled with
counts before those of the coders; without it, the label on which all coders agree, or the majority of three and more.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import combinations
from operator import add
from pathlib import Path

import numpy as np

from problex._util.arrays import FloatArray, IntArray
from problex._util.files import write_atomically
from problex._util.formatting import pluralize
from problex._util.records import Record, to_csv
from problex.audit.design import Design, find_design, read_design
from problex.audit.sheets import ADJUDICATED, LABEL, FilledSheet, read_columns, read_filled
from problex.errors import ProblexError

BOOTSTRAP_DRAWS = 2000
TAILS = (0.025, 0.975)
MISSING = -1
"""The code of a document that a coder has not labelled."""
MAX_NAMED = 5
"""Rows that an error names."""
_RESERVED = ("row", "id", "text", LABEL, ADJUDICATED)


@dataclass(frozen=True)
class Agreement:
    """How far coders agree on the documents that two or more of them have labelled.

    `share` is the share of equal pairs of labels of a document, `kappa` is of two coders only. None is undefined: if
    no document has two labels, or all labels are the same, so that chance alone explains them.
    """

    coders: tuple[str, ...]
    documents: int
    share: float | None
    kappa: float | None
    alpha: float | None
    low: float | None
    high: float | None

    def record(self) -> Record:
        """The agreement as a row of a table."""
        numbers = {"agreement": self.share, "kappa": self.kappa, "alpha": self.alpha}
        numbers |= {"alpha_low": self.low, "alpha_high": self.high}
        rounded = {name: None if value is None else round(value, 4) for name, value in numbers.items()}
        return {"coders": ", ".join(self.coders), "documents": self.documents, **rounded}


def agreements(codes: Mapping[str, Sequence[int]], classes: int) -> list[Agreement]:
    """The agreement of all coders and, if they are more than two, of each pair.

    `codes` has a class per coder and document, -1 for none.

    >>> result = agreements({"anna": [0, 1], "ben": [0, 1], "eve": [1, -1]}, 2)    # all three: 1 of 3, and 2 of 2
    >>> [(len(one.coders), one.documents, one.share) for one in result]
    [(3, 2, 0.6), (2, 2, 1.0), (2, 1, 0.0), (2, 1, 0.0)]
    """
    result = [_agreement(tuple(codes), codes, classes)]
    if len(codes) > 2:
        result += [_agreement(pair, codes, classes) for pair in combinations(codes, 2)]
    return result


def _agreement(coders: tuple[str, ...], codes: Mapping[str, Sequence[int]], classes: int) -> Agreement:
    table = np.array([codes[coder] for coder in coders], dtype=np.int64)
    pairs = coincidences(table, classes)
    documents = len(pairs)
    share = float(np.einsum("tcc->", pairs) / pairs.sum()) if documents else None
    kappa = cohen_kappa(table[0], table[1]) if len(coders) == 2 else None
    low, high = alpha_interval(pairs)
    return Agreement(coders, documents, share, kappa, alpha_of(pairs.sum(axis=0)), low, high)


def krippendorff_alpha(codes: IntArray, classes: int) -> float | None:
    """Krippendorff's alpha of nominal labels, `codes` (coders x documents); None if it is undefined.

    .. math:: \\alpha = 1 - (n - 1) \\sum_{c \\ne k} o_{ck} / \\sum_{c \\ne k} n_c n_k

    o_ck are the coincidences, n_c their sums over k, n that of all.

    >>> codes = np.array([[0, 0, 1, 1, 0], [0, 0, 1, 0, 0]])    # four of five equal: o_01 = o_10 = 1, n_c = 7 and 3
    >>> round(krippendorff_alpha(codes, 2), 4)                  # 1 - 9 * 2 / (2 * 7 * 3)
    0.5714
    """
    return alpha_of(coincidences(codes, classes).sum(axis=0))


def coincidences(codes: IntArray, classes: int) -> FloatArray:
    """The coincidences (documents x classes x classes) of each document with two labels or more.

    Every ordered pair of its m labels counts 1 / (m - 1), so that the document counts m in all.

    >>> coincidences(np.array([[0, 0], [0, -1], [1, -1]]), 2)[0].tolist()    # 0, 0 and 1: six pairs of 1/2 each
    [[1.0, 1.0], [1.0, 0.0]]
    """
    counts = np.stack([np.sum(codes == at, axis=0) for at in range(classes)], axis=1).astype(np.float64)
    labels = counts.sum(axis=1)
    counts, labels = counts[labels > 1], labels[labels > 1]
    pairs = counts[:, :, None] * counts[:, None, :] - np.eye(classes) * counts[:, :, None]
    return np.asarray(pairs / (labels - 1.0)[:, None, None], dtype=np.float64)


def alpha_of(pairs: FloatArray) -> float | None:
    """Alpha from summed coincidences (classes x classes).

    >>> alpha_of(np.diag([6.0, 4.0])), alpha_of(np.diag([6.0, 0.0]))    # all equal; all of one class, too
    (1.0, None)
    >>> alpha_of(np.array([[0.0, 2.0], [2.0, 0.0]]))                    # never equal: 1 - 3 * 4 / (2 * 2 * 2)
    -0.5
    """
    sums = pairs.sum(axis=1)
    total = float(sums.sum())
    expected = total**2 - float(np.sum(sums**2))
    if total <= 1 or expected <= 0:
        return None
    return 1.0 - (total - 1.0) * (total - float(np.trace(pairs))) / expected


def alpha_interval(pairs: FloatArray) -> tuple[float | None, float | None]:
    """The interval of 95 % of alpha: documents are drawn again with replacement, with their coincidences.

    >>> same = np.array([[0, 1], [0, 1]])
    >>> alpha_interval(coincidences(same, 2)), alpha_interval(coincidences(same[:, :1], 2))    # one document: none
    ((1.0, 1.0), (None, None))
    """
    documents = len(pairs)
    if documents < 2:
        return None, None
    times = np.random.default_rng(0).multinomial(documents, np.full(documents, 1 / documents), BOOTSTRAP_DRAWS)
    sums = (times @ pairs.reshape(documents, -1)).reshape(-1, *pairs.shape[1:])
    values = [value for value in map(alpha_of, sums) if value is not None]
    if not values or alpha_of(pairs.sum(axis=0)) is None:
        return None, None
    low, high = np.quantile(values, TAILS)
    return float(low), float(high)


def cohen_kappa(first: IntArray, second: IntArray) -> float | None:
    """Cohen's kappa of two coders, on the documents that both labelled; None if it is undefined.

    kappa = (p_o - p_e) / (1 - p_e), with p_o the share of equal labels and p_e the sum over the classes of the
    product of the two coders' shares.

    >>> first, second = np.array([0, 0, 1, 1, 0]), np.array([0, 0, 1, 0, 0])
    >>> round(cohen_kappa(first, second), 4)                    # p_o = .8, p_e = .6 * .8 + .4 * .2 = .56
    0.5455
    """
    both = (first != MISSING) & (second != MISSING)
    first, second = first[both], second[both]
    if not len(first):
        return None
    expected = sum(float(np.mean(first == at) * np.mean(second == at)) for at in np.unique(first))
    return None if expected >= 1.0 else float((np.mean(first == second) - expected) / (1.0 - expected))


@dataclass(frozen=True)
class CodedDocument:
    """A document of a sample: its row, text and id, the label of each coder, and whether and how it was settled."""

    row: int
    text: str
    id: str | None
    labels: Mapping[str, str]
    is_settled: bool = False
    settled: str | None = None

    @property
    def is_disputed(self) -> bool:
        """Whether coders have given it different labels."""
        return len(set(self.labels.values())) > 1

    def label(self) -> str | None:
        """The label that counts, None without one; raise `LookupError` if the coders' labels leave it open.

        >>> CodedDocument(7, "so so", None, {"anna": "good", "ben": "bad", "eve": "good"}).label()
        'good'
        >>> CodedDocument(7, "so so", None, {"anna": "good", "ben": "bad"}, is_settled=True, settled="bad").label()
        'bad'
        """
        if self.is_settled:
            return self.settled
        votes = Counter(self.labels.values()).most_common(1)
        if votes and 2 * votes[0][1] <= len(self.labels):
            raise LookupError
        return votes[0][0] if votes else None


@dataclass(frozen=True)
class Coding:
    """The documents of one or more samples, which were drawn one after the other, as coders have labelled them.

    `coders` are those of each sample; `settled_by` is the sheet that settles disagreements, if there is one.
    """

    design: Design
    documents: tuple[CodedDocument, ...]
    coders: tuple[tuple[str, ...], ...]
    sheets: tuple[Path, ...]
    settled_by: Path | None = None

    @property
    def has_several_coders(self) -> bool:
        """Whether a sample has sheets of two coders or more."""
        return any(len(coders) > 1 for coders in self.coders)

    @property
    def disputed(self) -> tuple[CodedDocument, ...]:
        """The documents on which coders disagree."""
        return tuple(document for document in self.documents if document.is_disputed)

    def settled(self) -> list[str | None]:
        """The label of each document, None without one; raise if a disagreement is not settled."""
        labels: list[str | None] = []
        still_open: list[int] = []
        for document in self.documents:
            try:
                labels.append(document.label())
            except LookupError:
                still_open.append(document.row)
        if still_open:
            raise ProblexError(self._advice(still_open))
        return labels

    def _advice(self, rows: Sequence[int]) -> str:
        more = ", ..." if len(rows) > MAX_NAMED else ""
        start = (
            f"the coders disagree on {pluralize(len(rows), 'document')} (row "
            f"{', '.join(map(str, rows[:MAX_NAMED]))}{more}), expected one label for each: "
        )
        if self.settled_by is not None:
            return f"{start}{self.settled_by.name} does not have them, so write it again with problex audit agree"
        return (
            f"{start}problex audit agree {' '.join(map(str, self.sheets))} -o disagreements.csv lists them. Fill in "
            f"its column {ADJUDICATED!r}, and give disagreements.csv together with the sheets"
        )

    def agreements(self) -> list[Agreement]:
        """How far the coders agree; raise if there is only one."""
        if not self.has_several_coders:
            raise ProblexError(
                f"{pluralize(len(self.sheets), 'sheet was', 'sheets were')} given with one coder for each sample, "
                "expected sheets of two coders or more for the same sample, such as to_label.anna.csv and "
                "to_label.ben.csv: copies of one sheet, next to its to_label.audit.json"
            )
        names = dict.fromkeys(name for coders in self.coders for name in coders)
        classes = {name: at for at, name in enumerate(self.design.sample.classes)}
        codes = {
            coder: [classes.get(document.labels.get(coder, ""), MISSING) for document in self.documents]
            for coder in names
        }
        return agreements(codes, len(classes))

    def note(self) -> str:
        """A sentence on the coders and their agreement; empty if there is only one."""
        if not self.has_several_coders:
            return ""
        overall, disputed = self.agreements()[0], self.disputed
        alpha = "is undefined, since all labels are the same"
        if overall.alpha is not None and overall.low is not None:
            alpha = f"{overall.alpha:.3f} ({overall.low:.3f} to {overall.high:.3f})"
        settled = sum(document.is_settled for document in disputed)
        return (
            f"{len(overall.coders)} coders ({', '.join(overall.coders)}), {pluralize(overall.documents, 'document')} "
            f"with two labels or more: Krippendorff's alpha {alpha}; {pluralize(len(disputed), 'disagreement')}, "
            f"{settled} adjudicated"
        )


def read_coding(sheets: Sequence[Path], column: str = LABEL) -> Coding:
    """Read filled sheets, of one coder or several; a sheet with a column `adjudicated` settles disagreements."""
    settling = [sheet for sheet in sheets if _settles(sheet, column)]
    if len(settling) > 1:
        raise ProblexError(
            f"{settling[0].name} and {settling[1].name} both have a column {ADJUDICATED!r}: expected one such sheet"
        )
    filled = [sheet for sheet in sheets if sheet not in settling]
    if not filled:
        raise ProblexError(
            f"only {settling[0].name} was given, which settles disagreements: give it together with the sheets of the "
            "coders"
        )
    samples = _read_samples(filled, column)
    design = reduce(add, (sample.design for sample in samples))
    documents = [document for sample in samples for document in sample.documents()]
    if settling:
        settled = read_filled(settling[0], design, ADJUDICATED).labels
        documents = [
            replace(document, is_settled=at in settled, settled=settled.get(at))
            for at, document in enumerate(documents)
        ]
    coders = tuple(tuple(sample.sheets) for sample in samples)
    return Coding(design, tuple(documents), coders, tuple(filled), settling[0] if settling else None)


@dataclass(frozen=True)
class _Sample:
    """A sample with the sheet of each coder."""

    design: Design
    sheets: dict[str, FilledSheet]

    def documents(self) -> list[CodedDocument]:
        result = []
        for position, row in enumerate(self.design.sample.rows.tolist()):
            labels = {coder: sheet.labels.get(position) for coder, sheet in self.sheets.items()}
            present = [sheet for sheet in self.sheets.values() if position in sheet.texts]
            text, identity = (present[0].texts[position], present[0].ids.get(position)) if present else ("", None)
            result.append(CodedDocument(row, text, identity, {name: label for name, label in labels.items() if label}))
        return result


def _settles(sheet: Path, column: str) -> bool:
    """Whether a sheet has a column for settled labels; raise if it has one for those of a coder, too."""
    columns = read_columns(sheet)
    if ADJUDICATED in columns and column in columns and column != ADJUDICATED:
        raise ProblexError(
            f"{sheet.name} has the columns {column!r} and {ADJUDICATED!r}, expected the labels of one coder in the "
            f"first, or those that settle disagreements in the second: remove one of the two"
        )
    return ADJUDICATED in columns


def _read_samples(sheets: Sequence[Path], column: str) -> list[_Sample]:
    """The sheets by sample, in the order in which the samples are first named."""
    samples: list[_Sample] = []
    paths: dict[tuple[int, str], Path] = {}
    for path in sheets:
        design, coder = read_design(path), find_design(path)[1]
        at = next((at for at, sample in enumerate(samples) if sample.design.is_same(design)), len(samples))
        if (at, coder) in paths:
            raise ProblexError(
                f"{paths[at, coder]} and {path} are two sheets of the coder {coder!r} for the same sample, expected "
                "one sheet for each coder: leave one out or, if it is of another coder, rename it, for example to "
                f"{path.stem}.ben.csv"
            )
        paths[at, coder] = path
        if at == len(samples):
            samples.append(_Sample(design, {}))
        samples[at].sheets[coder] = read_filled(path, design, column)
    for at, sample in enumerate(samples):
        if len(sample.sheets) > 1:
            for coder, sheet in sample.sheets.items():
                _check_complete(paths[at, coder], sample.design, sheet)
    return samples


def _check_complete(path: Path, design: Design, sheet: FilledSheet) -> None:
    rows = design.sample.rows.tolist()
    missing = [row for position, row in enumerate(rows) if position not in sheet.texts]
    if missing:
        more = ", ..." if len(missing) > MAX_NAMED else ""
        raise ProblexError(
            f"{path.name} has {len(rows) - len(missing)} of the {len(rows)} documents of the sample (missing: row "
            f"{', '.join(map(str, missing[:MAX_NAMED]))}{more}), expected all of them in the sheets of several coders: "
            "put the missing rows back, with an empty label where there is none"
        )


def write_disagreements(coding: Coding, path: Path, *, force: bool = False, raw: bool = False) -> None:
    """Write the documents on which coders disagree, with their labels and an empty column `adjudicated`."""
    if path.suffix.lower() != ".csv":
        raise ProblexError(f"{path.name!r} was given for the disagreements, expected a name that ends in .csv")
    coders = list(dict.fromkeys(name for names in coding.coders for name in names))
    has_ids = any(document.id is not None for document in coding.disputed)
    columns = {coder: coder if coder not in _RESERVED else f"coder {coder}" for coder in coders}
    names = ["row", *(["id"] if has_ids else []), *columns.values(), ADJUDICATED, "text"]
    records: list[Record] = [
        {
            "row": document.row,
            "id": document.id or "",
            **{column: document.labels.get(coder, "") for coder, column in columns.items()},
            ADJUDICATED: document.settled or "",
            "text": document.text,
        }
        for document in coding.disputed
    ]
    sheet = to_csv([{name: record[name] for name in names} for record in records], names, raw=raw)
    write_atomically(path, lambda name: name.write_bytes(sheet.encode("utf-8-sig")), force=force)
