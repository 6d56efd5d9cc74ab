"""Sheets of several coders of the same sample: their agreement, their disagreements, and one label for each document.

A label that a disagreement was settled with counts before those of the coders; without it, the label on which all
coders agree, or the majority of three and more.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from operator import add
from pathlib import Path

from problex._util.files import write_atomically
from problex._util.formatting import pluralize
from problex._util.records import Record, to_csv
from problex.audit.agreement import MISSING, Agreement, agreements
from problex.audit.sheet_reading import ADJUDICATED, FilledSheet, read_columns, read_filled
from problex.audit.sheets import LABEL, Design, find_design, read_design
from problex.errors import ProblexError

MAX_NAMED = 5
"""Rows that an error names."""


@dataclass(frozen=True)
class Document:
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
        """The label that counts, None without one; raise `LookupError` if the coders' labels leave it open."""
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
    documents: tuple[Document, ...]
    coders: tuple[tuple[str, ...], ...]
    sheets: tuple[Path, ...]
    settled_by: Path | None = None

    @property
    def has_several_coders(self) -> bool:
        """Whether a sample has sheets of two coders or more."""
        return any(len(coders) > 1 for coders in self.coders)

    @property
    def disputed(self) -> tuple[Document, ...]:
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
        found = (
            f"the coders disagree on {pluralize(len(rows), 'document')} (row "
            f"{', '.join(map(str, rows[:MAX_NAMED]))}{more}), expected one label for each: "
        )
        if self.settled_by is not None:
            return f"{found}{self.settled_by.name} does not have them, so write it again with problex audit agree"
        return (
            f"{found}problex audit agree {' '.join(map(str, self.sheets))} -o disagreements.csv lists them. Fill in "
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

    def documents(self) -> list[Document]:
        found = []
        for place, row in enumerate(self.design.sample.rows.tolist()):
            labels = {coder: sheet.labels.get(place) for coder, sheet in self.sheets.items()}
            present = [sheet for sheet in self.sheets.values() if place in sheet.texts]
            text, identity = (present[0].texts[place], present[0].ids.get(place)) if present else ("", None)
            found.append(Document(row, text, identity, {name: label for name, label in labels.items() if label}))
        return found


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
    missing = [row for place, row in enumerate(rows) if place not in sheet.texts]
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


_RESERVED = ("row", "id", "text", LABEL, ADJUDICATED)
