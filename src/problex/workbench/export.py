"""What a person takes away: lexicon, model, scored texts, report, labels, session, and the work as a script."""

from __future__ import annotations

import json
import re
import zipfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
import pyarrow as pa

from problex._util.files import TemporaryFolder
from problex._util.formatting import pluralize
from problex._util.records import Record
from problex.audit.sheets import write_sheet
from problex.corpus import Batch
from problex.errors import ProblexError, check_choice
from problex.lexicon import Dictionary, Lexicon, write_dictionary
from problex.lexicon.formats import FORMATS, WRITERS
from problex.lexicon.lexicon import Issue
from problex.matching.negation import NEGATED
from problex.report import Script, Work, make_script
from problex.scoring import score_batches
from problex.scoring.frames import scored_table
from problex.tables.write import SUFFIXES, TableFile
from problex.workbench.audits import Labelling
from problex.workbench.open_session import OpenSession
from problex.workbench.requests import LexiconExport, ScoresFile, ScriptFile, SessionCopy
from problex.workbench.session_file import SUFFIX, HeldText
from problex.workbench.texts import Progress

DIGITS = 4
"""Decimals of scores and probabilities."""
LABELS = "labels.csv"
PLAIN = "plain"
"""The format that holds one list in a file: several are sent as an archive."""
LEXICON, TEXTS, MODEL = "lexicon.json", "texts.jsonl", "model.json"
STORED = """
from problex.audit import score_sheets, store_calibration

result, design = score_sheets([Path({labels!r})])
model = store_calibration(result, design, Path({model!r}))
"""
"""Python that moves the threshold by labels."""
NO_WEIGHTS = "No weights are kept: plain lists have words alone"


@dataclass(frozen=True)
class Download:
    """A file to send, in a folder of its own that is deleted afterwards."""

    name: str
    notes: tuple[str, ...] = ()
    folder: TemporaryFolder = field(default_factory=TemporaryFolder)

    @property
    def path(self) -> Path:
        """Where the file is."""
        return self.folder.path / self.name

    def remove(self) -> None:
        """Delete it."""
        self.folder.remove()


@dataclass(eq=False)
class Downloads:
    """Files that jobs have made, until they are fetched or the server stops."""

    files: dict[str, Download] = field(default_factory=dict)

    def add(self, name: str, download: Download) -> Record:
        """Keep a file under a name; returns what the page needs to fetch it."""
        self.files[name] = download
        size = download.path.stat().st_size
        return {"address": f"/api/downloads/{name}", "name": download.name, "bytes": size, "notes": download.notes}

    def find(self, name: str) -> Download:
        """A file by its name."""
        if name not in self.files:
            raise ProblexError("the file is not here any more: make it again")
        return self.files[name]

    def remove(self) -> None:
        """Delete all files."""
        for download in self.files.values():
            download.remove()


def stem_of(session: OpenSession) -> str:
    """A file name from the title of the session."""
    return re.sub(r"[^\w-]+", "-", session.file.meta().get("title", "")).strip("-") or "problex"


def options(session: OpenSession) -> Record:
    """What can be exported, and in which formats."""
    suffix_of = {name: next(iter(format.suffixes), "") for name, format in FORMATS.items()}
    texts = session.texts
    return {
        "lexicon_formats": [
            {"name": name, "title": FORMATS[name].description.split(";")[0], "suffix": suffix_of[name]}
            for name in WRITERS
        ],
        "table_formats": [{"name": suffix[1:], "suffix": suffix} for suffix in SUFFIXES],
        "columns": texts.column_names,
        "has_labels": bool(session.audits.open and session.audits.open.labels()),
        "documents": len(texts),
        "sampled_from": texts.total if texts.is_sample else None,
    }


def lexicon(session: OpenSession, query: LexiconExport) -> Download:
    """The lexicon as it is now, with the weights of its file or the learned ones."""
    check_choice("format", query.format, WRITERS)
    name, weighted, chosen = query.format, query.weights, session.result.model.lexicon
    dictionary = with_learned_weights(session) if weighted else Dictionary.of(chosen)
    if name == PLAIN:
        return _plain_lists(chosen, stem_of(session), (NO_WEIGHTS,) if weighted else ())
    suffix = next(iter(FORMATS[name].suffixes), "") or f".{name.partition('-')[0]}"
    download = Download(f"{stem_of(session)}-lexicon{suffix}")
    issues = write_dictionary(dictionary, download.path, format=name)
    return replace(download, notes=(*issue_notes(issues), *(unweighted_notes(dictionary) if weighted else ())))


def issue_notes(issues: Sequence[Issue]) -> tuple[str, ...]:
    """What a format could not hold: one sentence for each kind of problem.

    >>> issue_notes([Issue("weight not kept", word, "a", "the format cannot hold 2.0") for word in ("good", "fine")])
    ("2 entries: weight not kept; for example 'good', the format cannot hold 2.0",)
    """
    numbers = Counter(issue.kind for issue in issues)
    first = {issue.kind: issue for issue in reversed(issues)}
    return tuple(
        f"{pluralize(number, 'entry', 'entries')}: {kind}; for example {first[kind].entry!r}, {first[kind].action}"
        for kind, number in numbers.items()
    )


def unweighted_notes(dictionary: Dictionary) -> list[str]:
    """A sentence on the entries that have no weight of their own, if there are such.

    >>> dictionary = Dictionary.of(Lexicon({"up": ["good", "enjoy*"], "down": ["bad"]}))
    >>> weighted = [entry._replace(weight=None if "*" in entry.text else 1.0) for entry in dictionary.entries]
    >>> unweighted_notes(replace(dictionary, entries=tuple(weighted)))[0][:60]
    "1 entry has no learned weight; for example 'enjoy*': it does"
    """
    without = [entry.text for entry in dictionary.entries if entry.weight is None]
    if not without:
        return []
    has = pluralize(len(without), "entry has", "entries have")
    why = "it does not occur, or is a wildcard, whose matches have a weight each"
    return [f"{has} no learned weight; for example {without[0]!r}: {why}"]


def _plain_lists(chosen: Lexicon, stem: str, notes: tuple[str, ...]) -> Download:
    """An archive with a file for each list."""
    download = Download(f"{stem}-lexicon.zip", notes)
    with zipfile.ZipFile(download.path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, words in chosen.lists.items():
            archive.writestr(f"{safe_name(name)}.txt", "\n".join(words) + "\n")
    return download


def safe_name(name: str) -> str:
    """A list's name as the name of a file.

    >>> safe_name("../a b/ü")
    'a-b-ü'
    """
    return re.sub(r"[^\w-]+", "-", name).strip("-") or "list"


def with_learned_weights(session: OpenSession) -> Dictionary:
    """The lexicon with the learned weight of every entry that occurs."""
    model = session.result.model
    pairs = zip(model.evidence.entries, model.weights.tolist(), model.evidence.occurrences, strict=True)
    learned = {entry: weight for entry, weight, count in pairs if count and not entry.startswith(NEGATED)}
    plain = Dictionary.of(model.lexicon)
    entries = [
        entry._replace(weight=learned.get(session.table.item(entry.text)[0], entry.weight)) for entry in plain.entries
    ]
    return replace(plain, entries=tuple(entries))


def model(session: OpenSession) -> Download:
    """The model file, as `problex fit` writes it."""
    download = Download(f"{stem_of(session)}-model.json")
    session.result.model.save(download.path)
    return download


def reader(
    session: OpenSession, keep: Iterable[str] = (), *, text: bool = False
) -> tuple[Callable[[], Iterable[Batch]], bool]:
    """A function that returns the texts in batches, and whether they have markup: all texts, also of a sample."""
    texts, columns = session.texts, list(keep)
    for name in columns:
        check_choice("keep", name, texts.column_names)
    if texts.is_sample and session.source is not None:
        source = session.source
        kept = [*columns, *([source.text] if text and source.text else [])]
        return lambda: source.batches(kept), source.markup
    table = None if texts.columns is None or not columns else texts.columns.select(columns)
    if text:
        named = {"text": texts.texts}
        table = pa.table(named) if table is None else table.append_column("text", texts.texts)
    return lambda: _one_batch(texts.texts, table, texts.missing, texts.invalid), False


def _one_batch(texts: pa.Array, table: pa.Table | None, missing: int, invalid: int) -> Iterator[Batch]:
    yield Batch(texts, 0, missing, invalid, table)


def scores(session: OpenSession, query: ScoresFile, progress: Progress = lambda *_: None) -> Download:
    """A table with the label, the score and the probabilities of every text, also of those that are not held."""
    suffix = f".{query.format or 'csv'}"
    check_choice("format", suffix, SUFFIXES)
    read, markup = reader(session, query.keep, text=query.text)
    download = Download(f"{stem_of(session)}-scores{suffix}")
    target = TableFile(download.path)
    target.check()
    total = session.texts.total

    def tables() -> Iterator[pa.Table]:
        for batch, found in score_batches(iter(read()), session.result.model, markup=markup):
            progress("scoring", batch.first_row + len(batch.texts), total, "documents")
            yield scored_table(batch, found, DIGITS)

    notes = target.write(tables())
    return replace(download, notes=tuple(notes))


def report(session: OpenSession, progress: Progress) -> Download:
    """The report as one HTML page."""
    from problex.report import build, check_packages, gather

    check_packages()
    texts, by = session.texts, session.texts.group_by
    read, markup = reader(session, [by] if by else [])
    labelling = session.audits.open
    looked = labelling is not None and labelling.stored.looks > 0
    material = gather(
        read,
        session.result.model,
        title=session.file.meta().get("title") or f"Report on {texts.name}",
        by=by,
        audit=labelling.evaluate(session.result) if labelling is not None and looked else None,
        markup=markup,
        on_step=progress,
    )
    download = Download(f"{stem_of(session)}-report.html")
    download.path.write_text(build(material, progress).html, encoding="utf-8")
    return download


def labels(session: OpenSession) -> Download:
    """The labelled sheet and its design, as `problex audit` reads them."""
    labelling, download = session.audits.require(), Download(f"{stem_of(session)}-labels.zip")
    write_labels(session, labelling, download.folder.path)
    return zipped(download)


def write_labels(session: OpenSession, labelling: Labelling, place: Path, last: int | None = None) -> None:
    """Write labels.csv and its design; only labels up to an event, if it is given."""
    texts, given = session.texts, labelling.labels(last)
    documents: list[Record] = [{"label": given.get(row) or "", "text": texts.text(row)} for row in labelling.rows]
    if texts.id:
        documents = [one | {"id": texts.name_of(row)} for one, row in zip(documents, labelling.rows, strict=True)]
    sample = labelling.design.sample
    design = replace(labelling.design, sample=replace(sample, rows=np.asarray(texts.rows[sample.rows], dtype=np.int64)))
    write_sheet(place / LABELS, design, documents)


def zipped(download: Download) -> Download:
    """A file that is an archive of all others in its folder."""
    files = sorted(download.folder.path.iterdir())
    with zipfile.ZipFile(download.path, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in files:
            archive.write(file, file.name)
    return download


def session_copy(session: OpenSession, query: SessionCopy) -> Download:
    """A copy of the session, with its texts for somebody who does not have them."""
    download = Download(f"{stem_of(session)}{SUFFIX}")
    texts, rows = session.texts, None
    if query.texts:
        columns = [None] * len(texts) if texts.columns is None else texts.columns.to_pylist()
        cells = zip(texts.rows.tolist(), texts.texts.to_pylist(), columns, strict=True)
        rows = [HeldText(row, *values) for row, values in enumerate(cells)]
    session.file.copy(download.path, rows)
    return download


# -- the work as commands and as Python: either gives the model that the page shows


def script_of(session: OpenSession) -> Script:
    """The script of the present state; `files_of` has the files that it reads."""
    result, source = session.result, session.source
    own_texts = source is None or source.is_demo or session.texts.is_sample or session.file.has_texts
    work = Work(
        texts=[TEXTS] if own_texts or source is None else [str(path.resolve()) for path in source.paths],
        lexicon=LEXICON,
        edits=session.log.edits(session.log.state),
        tokenizer=result.index.tokenizer,
        settings=result.model.settings,
        text="text" if own_texts or source is None else source.text,
        markup=False if own_texts or source is None else source.markup,
        reading={} if own_texts or source is None else source.reading,
    )
    script = make_script(work, MODEL)
    if session.log.labels_of(session.log.state) is None:
        return script
    stored = f"problex audit score {LABELS} --store {MODEL}\n"
    return Script(script.commands + stored, script.python + STORED.format(labels=LABELS, model=MODEL))


def files_of(session: OpenSession) -> list[str]:
    """The files that the script reads, besides the texts at their own place."""
    has_labels = session.log.labels_of(session.log.state) is not None
    labels = [LABELS, LABELS.replace(".csv", ".audit.json")] if has_labels else []
    return [LEXICON, *([TEXTS] if TEXTS in script_of(session).python else []), *labels]


def shown_script(session: OpenSession) -> Record:
    """The script for the page."""
    work = script_of(session)
    return {"commands": work.commands, "python": work.python, "files": files_of(session)}


def script(session: OpenSession, query: ScriptFile) -> Download:
    """The script as a file, or in an archive with all files that it reads."""
    check_choice("form", query.form, ("commands", "python", "zip"))
    work, stem = script_of(session), stem_of(session)
    names = {"commands": "commands.sh", "python": "script.py"}
    if query.form != "zip":
        download = Download(f"{stem}-{names[query.form]}")
        download.path.write_text(getattr(work, query.form), encoding="utf-8")
        return download
    download = Download(f"{stem}-script.zip")
    for kind, name in names.items():
        (download.folder.path / name).write_text(getattr(work, kind), encoding="utf-8")
    write_files(session, download.folder.path, work)
    return zipped(download)


def write_files(session: OpenSession, place: Path, work: Script) -> None:
    """Write the files that a script reads."""
    write_dictionary(Dictionary.of(session.log.loaded), place / LEXICON)
    if TEXTS in work.python:
        with (place / TEXTS).open("w", encoding="utf-8") as file:
            file.writelines(json.dumps({"text": text}) + "\n" for text in session.texts.texts.to_pylist())
    used = session.log.labels_of(session.log.state)
    if used is not None:
        write_labels(session, session.audits.by_id(used["audit"]), place, used["last"])
