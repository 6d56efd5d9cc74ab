"""`make_script`: shell commands and Python that repeat what was done by hand, and give the same model."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from pprint import pformat
from typing import Any

from problex._util.records import to_json
from problex.corpus import Reading
from problex.errors import ProblexError, command_option
from problex.lexicon.edits import Edit, edits_csv
from problex.matching.languages import NEGATIONS
from problex.matching.negation import Negation
from problex.matching.tokens import Tokenizer
from problex.model.rules import RULES
from problex.model.settings import BALANCES, DEFAULT, Settings

WIDTH = 100
SETTING_OPTIONS = ("rule", "solver", "shrinkage", "shrink_to", "balance", "keep_discordant")
"""Settings that are options of `problex fit`."""
Lists = Mapping[str, Sequence[str]]


@dataclass(frozen=True)
class Work:
    """What a model was made from: texts, lexicon, edits in order, tokenizer and settings.

    `texts` are the paths of files, `text` their column of texts, `reading` the options that they were read with.
    `lexicon` is the path of one file; or `lexicon_files` has those of each list; or `lists` has the words themselves.
    """

    texts: Sequence[str]
    lexicon: str | None = None
    lexicon_files: Lists = field(default_factory=dict)
    lists: Lists = field(default_factory=dict)
    edits: Sequence[Edit] = ()
    tokenizer: Tokenizer = field(default_factory=Tokenizer)
    settings: Settings = DEFAULT
    text: str | None = None
    markup: bool = False
    reading: Reading = field(default_factory=lambda: Reading())


@dataclass(frozen=True)
class Script:
    """The same work twice: `commands` for a shell, and `python`. Either writes the model."""

    commands: str
    python: str


def make_script(work: Work, model: str = "model.json") -> Script:
    """A script that makes the model of some work and writes it to the file `model`.

    Settings that `problex fit` has no option for are possible in Python only: then the commands run that.

    >>> script = make_script(Work(["texts.csv"], "words.csv", edits=[Edit("hero", "positive", None)], text="review"))
    >>> print(script.commands)
    cat > edits.csv <<'END_OF_FILE'
    word,from,to
    hero,positive,
    END_OF_FILE
    problex fit texts.csv --text review --lexicon words.csv --edits edits.csv --output model.json
    <BLANKLINE>
    """
    given = [bool(work.lexicon), bool(work.lexicon_files), bool(work.lists)]
    if sum(given) != 1:
        raise ProblexError(
            f"{sum(given)} lexicons were given, expected one: a file (lexicon), a file for each list (lexicon_files) "
            "or the words (lists)"
        )
    if work.lists and (work.settings.shrink_to == "given" or RULES[work.settings.rule].given):
        raise ProblexError(
            "the settings need the weights of a lexicon, which lists of words lack, expected a file: give lexicon"
        )
    if work.tokenizer.custom is not None:
        raise ProblexError(
            f"the tokenizer {work.tokenizer.name} is a function, which cannot be written into a script, expected one "
            "of the languages"
        )
    python = _python(work, model)
    options = _fit_options(work)
    if options is None:
        return Script(_with_input("python -", python), python)
    return Script(_commands(work, model, options), python)


def _commands(work: Work, model: str, options: Sequence[str]) -> str:
    """Files with the pasted words and the edits, and the command that fits the model."""
    parts, words = [], ["problex", "fit", *map(_path, work.texts)]
    words += [] if work.text is None else ["--text", work.text]
    words += ["--markup"] if work.markup else []
    if work.lists:
        lists = {name: list(entries) for name, entries in work.lists.items()}
        parts.append(_with_input("cat > lexicon.json", to_json(lists)[0]))
    named = [f"{name}={file}" for name, files in work.lexicon_files.items() for file in files]
    for lexicon in named or [work.lexicon or "lexicon.json"]:
        words += ["--lexicon", lexicon]
    if work.edits:
        parts.append(_with_input("cat > edits.csv", edits_csv(work.edits)))
        words += ["--edits", "edits.csv"]
    return "".join([*parts, shlex.join([*words, *options, "--output", model]), "\n"])


def _with_input(command: str, content: str) -> str:
    """A command and its input, ended by a line that the input does not have.

    >>> print(_with_input("cat", "END_OF_FILE"), end="")
    cat <<'END_OF_FILE_'
    END_OF_FILE
    END_OF_FILE_
    """
    end, lines = "END_OF_FILE", set(content.splitlines())
    while end in lines:
        end += "_"
    return f"{command} <<'{end}'\n{content.removesuffix(chr(10))}\n{end}\n"


def _path(path: str) -> str:
    """A path that is not taken for an option.

    >>> _path("-x.csv"), _path("x.csv")
    ('./-x.csv', 'x.csv')
    """
    return f"./{path}" if path.startswith("-") else path


def _fit_options(work: Work) -> list[str] | None:
    """The options of `problex fit` for reading, tokenizer and settings; None if there is none for some of them.

    >>> german = Tokenizer("de", glob=True)
    >>> _fit_options(Work(["films.xlsx"], "words.csv", tokenizer=german, reading={"header": False, "sheet": "2004"}))
    ['--no-header', '--sheet', '2004', '--language', 'de', '--glob']
    >>> print(_fit_options(Work(["films.csv"], "words.csv", tokenizer=Tokenizer("de", fold_accents=False))))
    None
    """
    options: list[str] = []
    for name, value in work.reading.items():
        if name == "missing" or value is None:  # the command reads missing texts as empty ones
            continue
        option = command_option(name)
        options += [option if value else f"--no-{option[2:]}"] if isinstance(value, bool) else [option, str(value)]
    found = _tokenizer_arguments(work.tokenizer)
    if "fold_accents" in found or not isinstance(found.get("negation", ""), str):
        return None
    options += [] if work.tokenizer.language == "en" else ["--language", work.tokenizer.language]
    options += ["--negation", found["negation"]] if "negation" in found else []
    options += ["--glob"] if "glob" in found else []
    options += ["--keep-links"] if "keep_links" in found else []
    changed = _changed_settings(work.settings)
    if set(changed) - set(SETTING_OPTIONS) or changed.get("balance", "equal") not in BALANCES:
        return None
    for name, value in changed.items():
        options += [command_option(name)] if value is True else [command_option(name), str(value)]
    return options


def _changed_settings(settings: Settings) -> dict[str, Any]:
    """The settings that are not the default ones.

    >>> _changed_settings(DEFAULT), _changed_settings(Settings(rule="count"))
    ({}, {'rule': 'count'})
    """
    values = {one.name: getattr(settings, one.name) for one in fields(settings)}
    return {name: value for name, value in values.items() if value != getattr(DEFAULT, name)}


def _tokenizer_arguments(tokenizer: Tokenizer) -> dict[str, Any]:
    """What a tokenizer of this language must be given besides, by name.

    >>> _tokenizer_arguments(Tokenizer("en")), _tokenizer_arguments(Tokenizer("en", negation=None, keep_links=True))
    ({}, {'keep_links': True, 'negation': 'none'})
    """
    usual = Tokenizer(tokenizer.language)
    arguments: dict[str, Any] = {}
    if tokenizer.fold_accents != usual.fold_accents:
        arguments["fold_accents"] = tokenizer.fold_accents
    arguments |= {name: True for name in ("glob", "keep_links") if getattr(tokenizer, name)}
    if tokenizer.negation != usual.negation:
        own = tokenizer.negation
        named = next((code for code, negation in NEGATIONS.items() if negation == own), None)
        arguments["negation"] = "none" if own is None else named
        if isinstance(own, Negation) and named is None:
            arguments["negation"] = {
                "negators": list(own.negators),
                "ends": list(own.ends),
                "scope": own.scope,
                "exceptions": list(own.exceptions),
            }
    return arguments


def _python(work: Work, model: str) -> str:
    """The same in Python."""
    files = [f"Path({path!r})" for path in work.texts]
    documents = files[0] if len(files) == 1 else f"[{', '.join(files)}]"
    counting: dict[str, Any] = {} if work.text is None else {"text": work.text}
    counting |= {"markup": True} if work.markup else {}
    counting |= {"associations": True} if work.settings.rule == "pmi" else {}
    counting |= {"missing": "empty"} | {name: value for name, value in work.reading.items() if value is not None}
    tokenizer = _tokenizer_arguments(work.tokenizer)
    lines = [
        "from pathlib import Path",
        "",
        f"from problex import {'Lexicon, count, estimate' if work.lists else 'count, estimate, read_lexicon'}",
        *(["from problex.lexicon import Edit"] if work.edits else []),
        "from problex.matching import Tokenizer",
        "",
        f"lexicon = {_lexicon(work)}",
        *_edits(work.edits),
        f"tokenizer = Tokenizer({work.tokenizer.language!r}{_arguments(tokenizer)})",
        f"counts = count({documents}, lexicon, tokenizer=tokenizer{_arguments(counting)})",
        f"model = estimate(counts, lexicon, tokenizer=tokenizer{_arguments(_changed_settings(work.settings))})",
        f"model.save({model!r})",
    ]
    return "\n".join(lines) + "\n"


def _lexicon(work: Work) -> str:
    """The call that makes the lexicon: from pasted words, from one file, or from a file for each list.

    >>> _lexicon(Work([], "words.csv")), _lexicon(Work([], lexicon_files={"up": ["good.txt", "fine.txt"]}))
    ("read_lexicon('words.csv')", "read_lexicon(**{'up': ['good.txt', 'fine.txt']})")
    """
    if work.lists:
        return f"Lexicon(\n{pformat({name: list(words) for name, words in work.lists.items()}, width=WIDTH)}\n)"
    if work.lexicon:
        return f"read_lexicon({work.lexicon!r})"
    files = {name: list(files) for name, files in work.lexicon_files.items()}
    return f"read_lexicon(**{pformat(files, width=WIDTH)})"


def _edits(edits: Sequence[Edit]) -> list[str]:
    if not edits:
        return []
    rows = [f"    Edit({edit.entry!r}, {edit.old!r}, {edit.new!r})," for edit in edits]
    return ["edits = [", *rows, "]", "lexicon = lexicon.edited(edits)"]


def _arguments(values: Mapping[str, Any]) -> str:
    """Further arguments of a call, in the order that they have.

    >>> _arguments({"text": "review", "markup": True}), _arguments({})
    (", text='review', markup=True", '')
    """
    return "".join(
        f", {name}={dict(value) if isinstance(value, Mapping) else value!r}" for name, value in values.items()
    )
