"""`problex workbench`: a local page to build, check and audit a lexicon."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

from problex._util.memory import MAX_MEMORY, format_size, parse_size
from problex.cli.inputs import LexiconOptions, OptionalTexts
from problex.cli.options import LEXICON_OPTION, Glob, KeepLinks, Language, Needs, flag, option, options
from problex.cli.terminal import say
from problex.errors import ProblexError
from problex.workbench.loading import Learning, TextsNeededError, check_source, given_again, session_path
from problex.workbench.serve import Options, serve
from problex.workbench.session_file import SessionFile
from problex.workbench.texts import TextSource

PAGE = "Page"


@options
def workbench(
    *,
    lexicon: Annotated[
        list[str] | None, LEXICON_OPTION, Needs("TEXTS", "give both, or neither to open the demo")
    ] = None,
    language: Language = "en",
    glob: Glob = False,
    keep_links: KeepLinks = False,
    id_column: Annotated[
        str | None,
        option("--id", "COLUMN", "The column that names the texts.", "Reading"),
    ] = None,
    by: Annotated[
        str | None,
        option("--by", "COLUMN", "The column of groups or dates.", "Reading"),
    ] = None,
    session: Annotated[
        Path | None,
        option("--session", "FILE", "The session file to open, or to create if there is none (.problex)."),
    ] = None,
    port: Annotated[int, option("--port", "N", "The port.", default="any free one", min=0, max=65535)] = 0,
    no_open: Annotated[bool, flag("--no-open", "Print the address, but do not open it in a browser.")] = False,
    max_upload: Annotated[
        str, option("--max-upload", "SIZE", "The largest file that can be dropped on the page.")
    ] = "2GiB",
    origin: Annotated[
        list[str] | None,
        option("--origin", "ADDRESS", "The address in the browser if you use a tunnel, e.g. http://localhost:9000."),
    ] = None,
    lists: LexiconOptions,
    texts: OptionalTexts,
) -> None:
    """Open a page on this computer on which you build, check and audit a lexicon. Without TEXTS it shows a demo."""
    if (largest := parse_size(max_upload)) > MAX_MEMORY:
        raise ProblexError(f"--max-upload is too large, expected at most {format_size(MAX_MEMORY)}")
    options = Options(port=port, open_browser=not no_open, max_upload=largest, origins=tuple(origin or ()))
    if not texts.files:
        if session is not None:
            _look_at(session)  # raises before the page is opened
        serve(replace(options, session=session, demo=session is None), say)
        return
    if not lexicon:
        raise ProblexError("TEXTS was given without --lexicon, expected both: problex workbench texts.csv -l words.csv")
    source = TextSource(
        ", ".join(path.name for path in texts.files),
        tuple(texts.files),
        texts.text_column,
        id_column,
        by,
        texts.markup,
        texts.reading,
    )
    words = lists.lexicon(lexicon)
    chosen = {name: True for name, is_chosen in (("glob", glob), ("keep_links", keep_links)) if is_chosen}
    learning = Learning(source, words, texts.files[0].stem, {"language": language} | chosen)
    found, resumed = session_path(learning, session)
    if resumed and found is not None:
        serve(replace(options, session=found, source=given_again(found, source)), say)
    else:
        serve(replace(options, learning=replace(learning, path=found)), say)


def _look_at(path: Path) -> None:
    """Raise if a file is no session; say if the page will ask for its texts."""
    file = SessionFile.open(path)
    try:
        check_source(file)
    except TextsNeededError as error:
        say(f"{path.name}: {error}. The page asks for them.")
    finally:
        file.close()
