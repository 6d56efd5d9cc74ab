"""From what a person chose on the start screen, or gave to the command, to an open session."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, cast

import numpy as np
import pyarrow as pa

from problex._util.formatting import quote_all
from problex._util.records import Record
from problex.corpus import Reading
from problex.errors import ProblexError
from problex.lexicon import Dictionary, Lexicon, read_dictionary
from problex.lexicon.lexicon import Entry
from problex.matching.tokens import Tokenizer
from problex.workbench.open_session import OpenSession
from problex.workbench.requests import LexiconChoice
from problex.workbench.results import Results
from problex.workbench.session_file import SUFFIX, SessionFile, StoredSource
from problex.workbench.steps import Log
from problex.workbench.texts import DEMO, Progress, Texts, TextSource, known_names, read_texts
from problex.workbench.uploads import Uploads, private_folder

CHANGED = (
    "The texts have changed since this session was begun, so that nothing can be edited or labelled: give the texts as "
    "they were, or begin a new session with these."
)


class TextsNeededError(ProblexError):
    """A session whose texts the reader must give: they are not where they were, or somebody else says where they are.

    `needs` is what the page shows: the name of the texts, and the paths and the query of somebody else.
    """

    def __init__(self, source: TextSource, *, is_own: bool) -> None:
        paths = [] if is_own else [str(path) for path in source.paths]
        query = None if is_own else source.reading.get("query")
        self.needs: Record = {"name": source.name, "own": is_own, "paths": paths, "query": query}
        if is_own:
            message = f"the texts of this session, {source.name}, are not where they were: choose the file again, or "
            message += "put it back"
        else:
            message = "this session was begun by somebody else, or on another computer: choose its texts, "
            message += f"{source.name}, yourself"
            said = [f"the {'file' if len(paths) == 1 else 'files'} {', '.join(paths)}"] if paths else []
            said += [f"the query {query!r}"] if query else []
            message += f". It names {' and '.join(said)}. Nothing of this is used before you agree" if said else ""
        super().__init__(message)


@dataclass(frozen=True)
class Learning:
    """Texts, a lexicon, and how texts are tokenised: what a new session begins with."""

    source: TextSource
    lexicon: Lexicon
    title: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    path: Path | None = None
    """The file of the session; None: a new one in the data folder."""


def tokenizer_of(settings: Mapping[str, Any]) -> Tokenizer:
    """The tokenizer of a session's settings.

    >>> tokenizer = tokenizer_of({"language": "de", "negation": "none", "glob": True})
    >>> tokenizer.language, tokenizer.negation, tokenizer.glob, tokenizer_of({}).language
    ('de', None, True, 'en')
    """
    negation = settings.get("negation", "auto")
    negation = None if negation == "none" else negation
    glob, keep_links = (settings.get(name) is True for name in ("glob", "keep_links"))
    return Tokenizer(settings.get("language") or "en", negation=negation, glob=glob, keep_links=keep_links)


def begin(learning: Learning, folder: Path, progress: Progress) -> OpenSession:
    """Read the texts, learn, and begin a session; nothing is written if that fails."""
    texts = read_texts(learning.source, progress)
    for name, column in (("id", texts.id), ("group_by", texts.group_by)):
        if column is not None and column not in texts.column_names:
            raise ProblexError(
                f"{name}={column!r} was given, which is missing, the column of the texts, or the name of two columns; "
                f"expected one of {quote_all(texts.column_names) or 'none'}: choose another column, or none"
            )
    results = _count(texts, learning.lexicon, learning.settings, progress)
    log = Log(learning.lexicon, learning.settings)
    sha = learning.source.fingerprint()
    private_folder(folder)
    path = learning.path or free_path(folder, learning.title)
    source = stored(learning.source, texts, sha)
    file = SessionFile.create(path, learning.lexicon, title=learning.title, source=source, settings=learning.settings)
    try:
        session = OpenSession.of(results, file, log)
        session.source = learning.source
        return session
    except BaseException:
        file.close()
        path.unlink(missing_ok=True)
        raise


def _count(texts: Texts, lexicon: Lexicon, settings: Mapping[str, Any], progress: Progress) -> Results:
    """The texts with the words of a lexicon counted."""
    size = len(texts)
    progress("counting words", 0, size, "documents")
    results = Results(texts, tokenizer_of(settings))
    results.index(lexicon, lambda share: progress("counting words", int(share * size), size, "documents"))
    progress("learning weights")
    return results


def resume(
    path: Path, progress: Progress, source: TextSource | None = None, *, current: SessionFile | None = None
) -> OpenSession:
    """Open a session file: read its texts again, and go to its last state.

    A `source`, which the reader has given or confirmed, takes the place of the one in the file, which is used only if
    the session is the reader's own. `current` is the file if it is open already, because it can be open once only.
    """
    progress("opening the session")
    file = current or SessionFile.open(path)
    try:
        log = file.log()
        texts, read_only = _texts_of(file, progress, source)
        session = OpenSession.of(_count(texts, log.lexicon(log.state), log.settings, progress), file, log)
        session.read_only = read_only
        session.source = source or (None if file.has_texts else source_of(file.source()))
        return session
    except BaseException:
        if current is None:
            file.close()
        raise


def _texts_of(file: SessionFile, progress: Progress, source: TextSource | None) -> tuple[Texts, str | None]:
    """The texts of a session, and why nothing may be changed, if they are others than before."""
    if source is None and file.has_texts:
        return held_texts(file), None
    if source is None:
        check_source(file)
    chosen = source or source_of(file.source())
    texts = read_texts(chosen, progress)
    sha = chosen.fingerprint()
    if sha != file.source().sha256:
        return texts, CHANGED
    if source is not None:
        file.relink(stored(source, texts, sha))
    return texts, None


def check_source(file: SessionFile) -> None:
    """Raise if the texts that a session names must be given: those of somebody else, and those that are missing."""
    source, is_own = source_of(file.source()), file.is_own
    is_demo = source.is_demo and file.source().sha256 == DEMO
    if not (is_demo or file.has_texts or (is_own and source.paths and all(path.exists() for path in source.paths))):
        raise TextsNeededError(source, is_own=is_own)


def given_again(path: Path, given: TextSource) -> TextSource | None:
    """The source of somebody else's session, with the files that the reader gave; None for the reader's own.

    Its query must have been given, too: it is never taken from the session.
    """
    source, is_own = stored_source(path)
    if is_own:
        return None
    query, named = (one.reading.get("query") for one in (source, given))
    if query != named:
        raise ProblexError(
            f"{path.name} was begun by somebody else, or on another computer, and its query is {query!r}, given was "
            f"{named!r}: look at it, and give the same --query if you agree to it"
        )
    return replace(source, name=given.name, paths=given.paths)


def stored_source(path: Path) -> tuple[TextSource, bool]:
    """The source in a session's file, and whether the reader has said so."""
    with closing(SessionFile.open(path)) as file:
        return source_of(file.source()), file.is_own


def held_texts(file: SessionFile) -> Texts:
    """The texts that are in a session file."""
    rows, source = file.texts(), file.source()
    cells = [row.columns for row in rows if row.columns]
    return Texts(
        source.name,
        pa.array([row.text for row in rows], pa.large_string()),
        pa.Table.from_pylist(cells) if len(cells) == len(rows) and cells else None,
        np.array([row.place for row in rows], dtype=np.int64),
        source.total,
        id=source.ident,
        group_by=source.group_by,
    )


def stored(source: TextSource, texts: Texts, sha: str) -> StoredSource:
    """A source as the session's file has it."""
    paths = tuple(str(path.resolve()) for path in source.paths)
    columns = (source.text, source.id, source.group_by)
    return StoredSource(
        0, source.name, paths, sha, *columns, int(source.markup), dict(source.reading), len(texts), texts.total
    )


def source_of(stored: StoredSource) -> TextSource:
    """The source in a session's file."""
    paths, reading = tuple(map(Path, stored.paths)), cast(Reading, stored.reading)
    return TextSource(stored.name, paths, stored.text, stored.ident, stored.group_by, bool(stored.markup), reading)


def free_path(folder: Path, title: str) -> Path:
    """A name for a new session that no file has.

    >>> free_path(Path("nowhere"), "My words, at last").name
    'My-words-at-last.problex'
    """
    name = re.sub(r"[^\w-]+", "-", title).strip("-")[:60] or "session"
    for number in range(1, 10_000):
        path = folder / f"{name}{'' if number == 1 else f'-{number}'}{SUFFIX}"
        if not path.exists():
            return path
    raise ProblexError(f"{str(folder)!r} has too many sessions called {name!r}: delete some, or choose another title")


# -- lexicons


def dictionary_of(choice: LexiconChoice, uploads: Uploads) -> Dictionary:
    """The words that a person chose: a file, a file for each list, or pasted words.

    >>> dictionary_of(LexiconChoice(lists={"up": "good", "down": "bad"}), Uploads(Path("uploads"))).categories
    ('up', 'down')
    >>> dictionary_of(LexiconChoice(), Uploads(Path("uploads")))  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    problex.errors.ProblexError: no lexicon was given, expected a file or pasted words: ...
    """
    if choice.upload:
        return _uploaded(choice.upload, uploads)
    if choice.uploads:
        return sum((_uploaded(id, uploads, name) for name, id in choice.uploads.items()), Dictionary(()))
    if choice.lists:
        return pasted(choice.lists)
    raise ProblexError(
        "no lexicon was given, expected a file or pasted words: choose one, or paste words for each list"
    )


def _uploaded(id: str, uploads: Uploads, listed: str | None = None) -> Dictionary:
    """The words of a file that was sent; messages have the name that the person knows."""
    upload = uploads.find(id, "lexicon")
    with known_names({upload.path: upload.name}):
        return read_dictionary(upload.path, listed=listed)


def pasted(lists: Mapping[str, str]) -> Dictionary:
    """Pasted words, separated by line breaks, commas or semicolons.

    >>> pasted({"up": "good, fine", "down": "bad"}).lexicon()
    Lexicon(down: 1, up: 2)
    """
    entries = []
    for name, text in lists.items():
        if not name.strip():
            raise ProblexError("a list has no name: give it one, such as positive")
        for number, word in enumerate(re.split(r"[\n,;]", text), start=1):
            if word.strip():
                entries.append(Entry(word.strip(), name.strip(), f"{name}, word {number}"))
    if not entries:
        raise ProblexError("no words were pasted, expected some for each list")
    return Dictionary(tuple(entries))


def lexicon_of(choice: LexiconChoice, uploads: Uploads) -> Lexicon:
    """The lexicon that a person chose; `choose` names the categories of each list."""
    if choice.demo:
        return demo_lexicon()
    dictionary = dictionary_of(choice, uploads)
    if choice.choose:
        dictionary = dictionary.choose(choice.choose)
    return dictionary.lexicon()


def demo_lexicon() -> Lexicon:
    """The lexicon of the demo."""
    from problex._util.late import import_optional
    from problex.paper.datasets import vader_lexicon

    import_optional("vaderSentiment", "the demo")
    return vader_lexicon()


# -- the file of the session


def session_path(learning: Learning, chosen: Path | None) -> tuple[Path | None, bool]:
    """The file of a session that was begun with the same texts and words, and whether it exists; else a new name.

    A new one is beside the texts, or in the data folder (None) if nothing can be written there.
    """
    beside = learning.source.paths[0].resolve().parent
    path = chosen or beside / f"{learning.title}{SUFFIX}"
    if path.exists():
        if is_of(path, learning, of_others=chosen is not None):
            return path, True
        if chosen is not None:
            raise ProblexError(
                f"--session {chosen} was begun with other texts or words, expected a new name, or the command without "
                "TEXTS and --lexicon, which opens it as it is"
            )
        path = free_path(beside, learning.title)
    return (path if chosen is not None or os.access(path.parent, os.W_OK) else None), False


def is_of(path: Path, learning: Learning, *, of_others: bool) -> bool:
    """Whether a session was begun with these texts and this lexicon, by the reader or also by others."""
    with closing(SessionFile.open(path)) as file:
        is_same = file.source().sha256 == learning.source.fingerprint()
        is_same = is_same and file.loaded().fingerprint == learning.lexicon.fingerprint
        return is_same and (of_others or file.is_own)
