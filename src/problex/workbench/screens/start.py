"""The start screen: previews of files, and requests for a new session or an old one."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from problex._util.records import Record
from problex.corpus.documents import Preview, peek
from problex.errors import LexiconError, ProblexError, check_choice
from problex.matching import LANGUAGES, NEGATIONS
from problex.workbench.background import Job
from problex.workbench.loading import Learning, dictionary_of, lexicon_of
from problex.workbench.requests import MAX_SHOWN, Learn, LexiconChoice, Open, Peek, Relink
from problex.workbench.server_state import ServerState
from problex.workbench.session_file import SUFFIX
from problex.workbench.texts import TextSource, known_names

MAX_ROWS, SAMPLE = 100, 80
LIKELY = {"id": ("id", "doc_id", "document_id"), "group_by": ("date", "group", "source", "year", "month", "party")}
"""Names of columns that are proposed as the ones that name texts, and that group them."""
PROBLEMS_SHOWN = 200
WORDS_SHOWN = 8


def peek_texts(state: ServerState, query: Peek) -> Record:
    """The columns and first rows of a file that was sent."""
    upload = state.uploads.find(query.name, "texts")
    with state.peeking, known_names({upload.path: upload.name}):
        found = peek(upload.path, min(query.rows, MAX_ROWS), text=query.text or None, on_error="skip")
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


def peek_lexicon(state: ServerState, choice: LexiconChoice) -> Record:
    """The lists of a lexicon, and what is wrong with its entries."""
    categories, needs_choice = None, False
    if not choice.demo:
        dictionary = dictionary_of(choice, state.uploads)
        categories = [{"name": row["category"], "entries": row["entries"]} for row in dictionary.records()]
        needs_choice = len(categories) != 2 and not choice.choose
    try:
        lexicon = lexicon_of(choice, state.uploads)
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


def learn(state: ServerState, form: Learn) -> Job:
    """Begin a session with the texts and the lexicon of a request."""
    source = _text_source(state, form)
    settings = {"language": form.language or "en", "negation": form.negation or "auto"}
    check_choice("language", settings["language"], [*LANGUAGES, "auto"])
    check_choice("negation", settings["negation"], ["auto", "none", *NEGATIONS])
    if form.lexicon is None:
        raise ProblexError("no lexicon was given, expected a file or pasted words: choose one, or paste words")
    title = (form.title or Path(source.name).stem or "session")[:MAX_SHOWN]
    return state.learn(Learning(source, lexicon_of(form.lexicon, state.uploads), title, settings))


def _text_source(state: ServerState, form: Learn) -> TextSource:
    """The texts that a request names: a file that was sent, the demo, or pasted ones."""
    if form.texts.demo:
        return TextSource("film reviews of the demo")
    if form.texts.pasted:
        upload = state.uploads.add_text("pasted texts", form.texts.pasted)
    elif form.texts.upload:
        upload = state.uploads.find(form.texts.upload, "texts")
    else:
        raise ProblexError("no texts were given, expected a file: choose one, or open the demo")
    columns = (form.text or None, form.id or None, form.group_by or None)
    return TextSource(upload.name, (state.keep(upload),), *columns, form.markup, {"on_error": "skip"})


def languages() -> Record:
    """The languages that texts can have."""
    known = [{"code": code, "name": language.name} for code, language in LANGUAGES.items()]
    return {"languages": known, "negations": list(NEGATIONS)}


def demo(state: ServerState) -> Job:
    """Open the demo."""
    return state.demo()


def sessions(state: ServerState) -> Record:
    """The sessions of the data folder, the last one first."""
    files = sorted(state.folder.glob(f"*{SUFFIX}"), key=lambda path: path.stat().st_mtime, reverse=True)
    current = None if state.opened is None else state.opened.file.path
    return {
        "sessions": [
            {
                "name": path.name,
                "title": path.stem,
                "changed": path.stat().st_mtime,
                "open": path == current,
            }
            for path in files[:100]
        ]
    }


def open_session(state: ServerState, form: Open) -> Job:
    """Open a session of the data folder by its name, or one that was sent."""
    if form.upload:
        return state.open(state.adopt(state.uploads.find(form.upload, "session")))
    paths = {path.name: path for path in state.folder.glob(f"*{SUFFIX}")}
    if form.name not in paths:
        raise ProblexError(f"there is no session {str(form.name)[:MAX_SHOWN]!r}, expected one of the list")
    return state.open(paths[form.name])


def relink(state: ServerState, form: Relink) -> Job:
    """Give the open session, or the one that could not be opened, its texts: a file, or those that it names.

    What somebody else wrote is used only if the request repeats it, as the reader saw it: the paths, and the query.
    """
    path = state.last_path
    if path is None:
        raise ProblexError("no session was opened, expected one whose texts are missing: open it first")
    before, is_own = state.source_of(path)
    query = before.reading.get("query")
    if not is_own and form.query != query:
        raise ProblexError(
            f"this session, which somebody else began, reads its texts with the query {query!r}, given was "
            f"{form.query!r}: look at it, and agree to it or leave the session"
        )
    if form.paths:
        if form.paths != tuple(map(str, before.paths)):
            raise ProblexError("the session names other files than those that you agreed to: open it again")
        return state.open(path, before)
    upload = state.uploads.find(form.upload, "texts")
    return state.open(path, replace(before, name=upload.name, paths=(state.keep(upload),)))
