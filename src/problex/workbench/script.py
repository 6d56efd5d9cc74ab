"""The work of a session as commands and as Python: either gives the model that the page shows."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from problex._util.records import Record
from problex.errors import check_choice
from problex.lexicon import Dictionary, write_dictionary
from problex.report import Script, Work, make_script
from problex.workbench.export import LABELS, Download, stem_of, write_labels, zipped
from problex.workbench.opened import Opened

LEXICON, TEXTS, MODEL = "lexicon.json", "texts.jsonl", "model.json"
STORED = """
from problex.audit import score_sheets, store_calibration

result, design = score_sheets([Path({labels!r})])
model = store_calibration(result, design, Path({model!r}))
"""
"""Python that moves the threshold by labels."""


def script_of(opened: Opened) -> Script:
    """The script of the present state; `files_of` has the files that it reads."""
    result, source = opened.result, opened.source
    own_texts = source is None or source.is_demo or opened.bench.texts.is_sample or opened.session.has_texts
    work = Work(
        texts=[TEXTS] if own_texts or source is None else [str(path.resolve()) for path in source.paths],
        lexicon=LEXICON,
        edits=opened.log.edits(opened.log.state),
        tokenizer=result.remembered.tokenizer,
        settings=result.model.settings,
        text="text" if own_texts or source is None else source.text,
        markup=False if own_texts or source is None else source.markup,
        reading={} if own_texts or source is None else source.reading,
    )
    script = make_script(work, MODEL)
    if opened.log.labels_of(opened.log.state) is None:
        return script
    stored = f"problex audit score {LABELS} --store {MODEL}\n"
    return Script(script.commands + stored, script.python + STORED.format(labels=LABELS, model=MODEL))


def files_of(opened: Opened) -> list[str]:
    """The files that the script reads, besides the texts at their own place."""
    has_labels = opened.log.labels_of(opened.log.state) is not None
    labels = [LABELS, LABELS.replace(".csv", ".audit.json")] if has_labels else []
    return [LEXICON, *([TEXTS] if TEXTS in script_of(opened).python else []), *labels]


def shown(opened: Opened) -> Record:
    """The script for the page."""
    script = script_of(opened)
    return {"commands": script.commands, "python": script.python, "files": files_of(opened)}


def export(opened: Opened, query: Mapping[str, Any]) -> Download:
    """The script as a file, or in an archive with all files that it reads."""
    form = str(query.get("form") or "zip")
    check_choice("form", form, ("commands", "python", "zip"))
    script = script_of(opened)
    names = {"commands": "commands.sh", "python": "script.py"}
    if form != "zip":
        download = Download(f"{stem_of(opened)}-{names[form]}")
        download.path.write_text(getattr(script, form), encoding="utf-8")
        return download
    download = Download(f"{stem_of(opened)}-script.zip")
    for kind, name in names.items():
        (download.folder.path / name).write_text(getattr(script, kind), encoding="utf-8")
    write_files(opened, download.folder.path, script)
    return zipped(download)


def write_files(opened: Opened, place: Path, script: Script) -> None:
    """Write the files that a script reads."""
    write_dictionary(Dictionary.of(opened.log.loaded), place / LEXICON)
    if TEXTS in script.python:
        with (place / TEXTS).open("w", encoding="utf-8") as file:
            file.writelines(json.dumps({"text": text}) + "\n" for text in opened.bench.texts.texts.to_pylist())
    used = opened.log.labels_of(opened.log.state)
    if used is not None:
        labelling = next(one for one in opened.audits.all if one.stored.id == used["audit"])
        write_labels(opened, labelling, place, used["last"])
