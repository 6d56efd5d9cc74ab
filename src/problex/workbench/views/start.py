"""The start screen: previews of files, and requests for a new session or an old one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from problex._util.records import Record
from problex.corpus import Preview, peek
from problex.errors import LexiconError, ProblexError, check_choice
from problex.matching import LANGUAGES, NEGATIONS
from problex.workbench.jobs import Job
from problex.workbench.loading import Learning, dictionary_of, lexicon_of
from problex.workbench.session import SUFFIX
from problex.workbench.texts import TextSource, known_names
from problex.workbench.views.forms import query_whole
from problex.workbench.workbench import Workbench

MAX_ROWS, SAMPLE = 100, 80
LIKELY = {"id": ("id", "doc_id", "document_id"), "group_by": ("date", "group", "source", "year", "month", "party")}
"""Names of columns that are proposed as the ones that name texts, and that group them."""
PROBLEMS_SHOWN = 200
WORDS_SHOWN = 8


def peek_texts(bench: Workbench, name: str, query: Mapping[str, Any]) -> Record:
    """The columns and first rows of a file that was sent."""
    upload = bench.uploads.find(name, "texts")
    rows = min(query_whole(query, "rows", 20), MAX_ROWS)
    with bench.peeking, known_names({upload.path: upload.name}):
        found = peek(upload.path, rows, text=str(query["text"]) if query.get("text") else None, on_error="skip")
    columns = [{"name": column, "sample": _first_value(found, column)} for column in found.columns]
    usable = [one for one in found.columns if one != found.text and found.columns.count(one) == 1]
    likely = {kind: next((one for one in usable if one.lower() in names), None) for kind, names in LIKELY.items()}
    return {
        "name": upload.name,
        "columns": columns or [{"name": "text", "sample": found.texts[0] if found.texts else ""}],
        "text": found.text if columns else "text",
        "guessed": found.guessed,
        "rows": list(found.rows) if columns else [{"text": text} for text in found.texts],
        "problems": [problem.replace(str(upload.path), upload.name) for problem in found.problems],
        **likely,
    }


def _first_value(found: Preview, column: str) -> str:
    """The first value of a column that is not empty."""
    return next((str(row[column])[:SAMPLE] for row in found.rows if row.get(column)), "")


def peek_lexicon(bench: Workbench, choice: Mapping[str, Any]) -> Record:
    """The lists of a lexicon, and what is wrong with its entries."""
    categories, needs_choice = None, False
    if not choice.get("demo"):
        dictionary = dictionary_of(choice, bench.uploads)
        categories = [{"name": row["category"], "entries": row["entries"]} for row in dictionary.records()]
        needs_choice = len(categories) != 2 and not choice.get("choose")
    try:
        lexicon = lexicon_of(choice, bench.uploads)
    except LexiconError:
        if not needs_choice:
            raise
        lists: list[Record] = []
        return {"lists": lists, "problems": [], "problem_count": 0, "categories": categories, "needs_choice": True}
    problems = [
        {"entry": issue.entry, "where": issue.where, "kind": issue.kind, "action": issue.action, "text": str(issue)}
        for issue in lexicon.problems[:PROBLEMS_SHOWN]
    ]
    return {
        "lists": [
            {"name": name, "entries": len(words), "first": list(words[:WORDS_SHOWN])}
            for name, words in lexicon.lists.items()
        ],
        "problems": problems,
        "problem_count": len(lexicon.problems),
        "categories": categories,
        "needs_choice": needs_choice,
    }


def learn(bench: Workbench, body: Mapping[str, Any]) -> Job:
    """Begin a session with the texts and the lexicon of a request."""
    source = text_source(bench, body)
    settings = {"language": body.get("language") or "en", "negation": body.get("negation") or "auto"}
    check_choice("language", settings["language"], [*LANGUAGES, "auto"])
    check_choice("negation", settings["negation"], ["auto", "none", *NEGATIONS])
    choice = body.get("lexicon")
    if not isinstance(choice, dict):
        raise ProblexError("no lexicon was given, expected a file or pasted words: choose one, or paste words")
    title = str(body.get("title") or Path(source.name).stem or "session")[:80]
    return bench.learn(Learning(source, lexicon_of(choice, bench.uploads), title, settings))


def text_source(bench: Workbench, body: Mapping[str, Any]) -> TextSource:
    """The texts that a request names: a file that was sent, the demo, pasted ones, or those of the command."""
    chosen = body.get("texts")
    chosen = chosen if isinstance(chosen, dict) else {}
    text, name, group = (str(body[key]) if body.get(key) else None for key in ("text", "id", "group_by"))
    if chosen.get("demo"):
        return TextSource("film reviews of the demo")
    if chosen.get("path") and bench.given is not None:
        return bench.given.source
    if chosen.get("pasted"):
        upload = bench.uploads.add_text("pasted texts", str(chosen["pasted"]))
    elif chosen.get("upload"):
        upload = bench.uploads.find(chosen["upload"], "texts")
    else:
        raise ProblexError("no texts were given, expected a file: choose one, or open the demo")
    path, markup = bench.keep(upload), bool(body.get("markup"))
    return TextSource(upload.name, (path,), text, name, group, markup, {"on_error": "skip"})


def sessions(bench: Workbench) -> Record:
    """The sessions of the data folder, the last one first."""
    files = sorted(bench.folder.glob(f"*{SUFFIX}"), key=lambda path: path.stat().st_mtime, reverse=True)
    current = None if bench.opened is None else bench.opened.session.path
    return {
        "sessions": [
            {
                "name": path.name,
                "title": path.stem,
                "changed": path.stat().st_mtime,
                "steps": None,
                "open": path == current,
            }
            for path in files[:100]
        ]
    }


def open_session(bench: Workbench, body: Mapping[str, Any]) -> Job:
    """Open a session of the data folder by its name, or one that was sent."""
    if body.get("upload"):
        upload = bench.uploads.find(body["upload"], "session")
        return bench.open(bench.adopt(upload))
    names = {path.name: path for path in bench.folder.glob(f"*{SUFFIX}")}
    if str(body.get("name")) not in names:
        raise ProblexError(f"there is no session {str(body.get('name'))[:80]!r}, expected one of the list")
    return bench.open(names[str(body["name"])])


def relink(bench: Workbench, body: Mapping[str, Any]) -> Job:
    """Give the open session, or the one that could not be opened, its texts: a file, or those that it names.

    What somebody else wrote is used only if the request repeats it, as the reader saw it: the paths, and the query.
    """
    path = bench.last_path
    if path is None:
        raise ProblexError("no session was opened, expected one whose texts are missing: open it first")
    before, is_own = bench.source_of(path)
    query = before.reading.get("query")
    if not is_own and body.get("query") != query:
        raise ProblexError(
            f"this session, which somebody else began, reads its texts with the query {query!r}, given was "
            f"{body.get('query')!r}: look at it, and agree to it or leave the session"
        )
    if body.get("paths"):
        if body["paths"] != [str(path) for path in before.paths]:
            raise ProblexError("the session names other files than those that you agreed to: open it again")
        return bench.open(path, before)
    upload = bench.uploads.find(body.get("upload"), "texts")
    return bench.open(path, replace(before, name=upload.name, paths=(bench.keep(upload),)))
