"""The table of file formats of lexicons. A new format is a reader, a writer, or both, and one line here.

The choices of the command line and the suffixes follow from it; `proof/documents/cli_page.py` writes the table in
docs/lexicons.md. Readers use `LexiconReading`, and `as_number` of `layouts.columns` for weights; writers use `Output`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from problex.lexicon.dictionary import Dictionary
from problex.lexicon.formats.json_lists import is_json, read_json, write_json, write_json_long
from problex.lexicon.formats.lexicoder_wordstat import (
    is_lexicoder,
    is_wordstat,
    read_lexicoder,
    read_wordstat,
    write_lexicoder,
    write_wordstat,
)
from problex.lexicon.formats.lexicon_file import LexiconFile, Output
from problex.lexicon.formats.liwc import is_liwc, read_liwc, write_liwc
from problex.lexicon.formats.plain import SUFFIXES as PLAIN_SUFFIXES
from problex.lexicon.formats.plain import is_comma_line, is_word_list, read_plain, write_plain
from problex.lexicon.formats.records import (
    is_fields,
    is_sentiwordnet,
    is_synsets,
    read_fields,
    read_sentiwordnet,
    read_synsets,
)
from problex.lexicon.formats.spreadsheet import is_excel, read_xlsx, write_xlsx, write_xlsx_wide
from problex.lexicon.formats.table import (
    has_columns,
    is_dicx,
    is_sentiws,
    is_tab_table,
    is_table,
    read_sentiws,
    read_table,
    write_afinn,
    write_csv,
    write_dicx,
    write_nrc,
    write_wide,
)
from problex.lexicon.formats.xml import is_xml, is_yoshikoder, read_xml, read_yoshikoder, write_yoshikoder
from problex.lexicon.formats.yaml_tree import is_yaml, read_yaml, write_yaml

Reader = Callable[[LexiconFile], Dictionary]
Writer = Callable[[Dictionary], Output]


@dataclass(frozen=True)
class LexiconFormat:
    """A file format of lexicons.

    `matches` recognises the content; without it a file has the format only by its suffix. Content of another format
    of the same `family` is not reported. `recognised_by` and `holds` are for the documentation.
    """

    description: str
    suffixes: tuple[str, ...] = ()
    read: Reader | None = None
    write: Writer | None = None
    matches: Callable[[LexiconFile], bool] | None = None
    family: str = ""
    recognised_by: str = ""
    holds: str = "lists"


FORMATS: dict[str, LexiconFormat] = {
    "xlsx": LexiconFormat(
        "Excel", (".xlsx",), read_xlsx, write_xlsx, is_excel,
        recognised_by="its first bytes", holds="lists, weights",
    ),
    "xlsx-wide": LexiconFormat(
        "Excel, a column for each list; read as `xlsx`", write=write_xlsx_wide, holds="lists, weights"
    ),
    "ykd": LexiconFormat(
        "Yoshikoder", (".ykd",), read_yoshikoder, write_yoshikoder, is_yoshikoder, "xml",
        recognised_by="XML with `cnode` or `pnode`", holds="nested lists, weights",
    ),
    "xml": LexiconFormat(
        "Pattern, TextBlob, ML-SentiCon, LMF", (".xml", ".lmf"), read_xml, None, is_xml, "xml",
        recognised_by="other XML", holds="lists, weights",
    ),
    "fields": LexiconFormat(
        "MPQA clues, lines of `key=value`", (".tff",), read_fields, None, is_fields,
        recognised_by="`word1=good ...`", holds="lists, weights",
    ),
    "sentiwordnet": LexiconFormat(
        "SentiWordNet", (), read_sentiwordnet, None, is_sentiwordnet,
        recognised_by="two scores and `able#1`", holds="two lists, weights",
    ),
    "synsets": LexiconFormat(
        "WordNet-Affect", (), read_synsets, None, is_synsets,
        recognised_by="`n#05588321 wrath anger`", holds="one list",
    ),
    "lcd": LexiconFormat(
        "Lexicoder 2", (".lcd",), read_yoshikoder, write_yoshikoder, family="xml",
        recognised_by="suffix; read as `ykd`", holds="nested lists, weights",
    ),
    "json": LexiconFormat(
        "JSON, a list of words for each name", (".json",), read_json, write_json, is_json, "tree",
        recognised_by="it begins with `{` or `[` and is JSON", holds="nested lists, weights",
    ),
    "json-long": LexiconFormat(
        "JSON, a record for each entry; read as `json`", write=write_json_long, holds="lists, weights"
    ),
    "dic": LexiconFormat(
        "LIWC 2001 to 2015", (".dic",), read_liwc, write_liwc, is_liwc, recognised_by="its first line is `%`"
    ),
    "dicx": LexiconFormat(
        "LIWC-22", (".dicx",), read_table, write_dicx, is_dicx, "table",
        recognised_by="its first cell is `DicTerm`", holds="lists, weights",
    ),
    "sentiws": LexiconFormat(
        "SentiWS", (), read_sentiws, None, is_sentiws, "table",
        recognised_by="a bar and a part of speech after each word", holds="two lists, weights",
    ),
    "lc3": LexiconFormat(
        "Lexicoder 3", (".lc3",), read_lexicoder, write_lexicoder, is_lexicoder,
        recognised_by="suffix, or `+name#AA0000` first",
    ),
    "cat": LexiconFormat(
        "WordStat", (".cat",), read_wordstat, write_wordstat, is_wordstat,
        recognised_by="indented lines that end in `(1)`", holds="nested lists, weights",
    ),
    "tsv": LexiconFormat(
        "a table with tabs", (".tsv", ".tab"), read_table, partial(write_csv, mark="\t"), is_tab_table, "table",
        recognised_by="suffix, or words and numbers with tabs", holds="lists, weights",
    ),
    "afinn": LexiconFormat(
        "AFINN, VADER: words and weights; read as `tsv`", write=write_afinn, holds="two lists, weights"
    ),
    "nrc": LexiconFormat("NRC: words, lists, 0 or 1; read as `tsv`", write=write_nrc),
    "yaml": LexiconFormat(
        "quanteda", (".yml", ".yaml"), read_yaml, write_yaml, is_yaml, "tree",
        recognised_by="a name, a colon, a list", holds="nested lists",
    ),
    "csv": LexiconFormat(
        "a table with commas or semicolons", (".csv",), read_table, write_csv, family="table",
        recognised_by="suffix, or a header with `word`, `term`, ...", holds="lists, weights",
    ),
    "csv-wide": LexiconFormat("CSV, a column for each list; read as `csv`", write=write_wide, holds="lists, weights"),
    "plain": LexiconFormat(
        "an entry per line", PLAIN_SUFFIXES, read_plain, write_plain, is_comma_line,
        recognised_by="nothing else matches", holds="one list",
    ),
}  # fmt: skip
"""Format by name, in the order in which the content of a file is compared with them."""

READERS: dict[str, Reader] = {name: format.read for name, format in FORMATS.items() if format.read}
WRITERS: dict[str, Writer] = {name: format.write for name, format in FORMATS.items() if format.write}
SUFFIXES: dict[str, str] = {suffix: name for name, format in FORMATS.items() for suffix in format.suffixes}
"""Suffix -> format, to choose a reader for a file whose content matches no format."""
WRITTEN_SUFFIXES: dict[str, str] = {suffix: name for suffix, name in SUFFIXES.items() if name in WRITERS}
"""Suffix -> format, to choose a writer."""


def detect_format(file: LexiconFile) -> str | None:
    r"""The format of a file by its content, else by its suffix; None if neither is known.

    >>> [detect_format(LexiconFile(name, b"good\t1\nbad\t-1")) for name in ("a.txt", "a.csv")]
    ['tsv', 'tsv']
    """
    if not is_excel(file) and is_word_list(file):
        return "plain"
    for name, format in FORMATS.items():
        if format.matches is not None and format.matches(file):
            return name
    by_suffix = SUFFIXES.get(file.suffix)
    is_unnamed = by_suffix in ("plain", "fields", None) and is_table(file)
    is_polarity_table = by_suffix == "dic" and has_columns(file) == ":"  # Japanese ones
    return "csv" if is_unnamed or is_polarity_table else by_suffix


def is_expected(name: str, suffix: str) -> bool:
    """Whether files with this suffix often hold the format: plain suffixes are used for all formats.

    >>> is_expected("yaml", ".json"), is_expected("yaml", ".txt"), is_expected("yaml", ".dic")
    (True, True, False)
    """
    by_suffix = SUFFIXES.get(suffix, name)
    family = FORMATS[name].family
    return by_suffix in ("plain", name) or bool(family and FORMATS[by_suffix].family == family)
