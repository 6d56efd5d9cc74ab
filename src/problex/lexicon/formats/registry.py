"""The table of file formats. A new format is a reader, a writer, or both, and one line here.

The command line's choices, the suffixes and the table in docs/lexicons.md are derived from it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from problex.lexicon.dictionary import Dictionary
from problex.lexicon.formats import sniff
from problex.lexicon.formats.json_lists import read_json, write_json, write_json_long
from problex.lexicon.formats.lexicoder import read_lexicoder, write_lexicoder
from problex.lexicon.formats.lexicon_file import LexiconFile
from problex.lexicon.formats.liwc import read_liwc, write_liwc
from problex.lexicon.formats.output import Output
from problex.lexicon.formats.plain import read_plain, write_plain
from problex.lexicon.formats.records import (
    is_fields,
    is_sentiwordnet,
    is_synsets,
    read_fields,
    read_sentiwordnet,
    read_synsets,
)
from problex.lexicon.formats.spreadsheet import read_xlsx, write_xlsx, write_xlsx_wide
from problex.lexicon.formats.table import (
    read_sentiws,
    read_table,
    write_afinn,
    write_csv,
    write_dicx,
    write_nrc,
    write_tsv,
    write_wide,
)
from problex.lexicon.formats.wordstat import read_wordstat, write_wordstat
from problex.lexicon.formats.xml.sentiment import read_xml
from problex.lexicon.formats.xml.yoshikoder import read_yoshikoder, write_yoshikoder
from problex.lexicon.formats.yaml_tree import read_yaml, write_yaml

Reader = Callable[[LexiconFile], Dictionary]
Writer = Callable[[Dictionary], Output]


@dataclass(frozen=True)
class Format:
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


FORMATS: dict[str, Format] = {
    "xlsx": Format(
        "Excel", (".xlsx",), read_xlsx, write_xlsx, sniff.is_excel,
        recognised_by="its first bytes", holds="lists, weights",
    ),
    "xlsx-wide": Format("Excel, a column for each list; read as `xlsx`", write=write_xlsx_wide, holds="lists, weights"),
    "ykd": Format(
        "Yoshikoder", (".ykd",), read_yoshikoder, write_yoshikoder, sniff.is_yoshikoder, "xml",
        recognised_by="XML with `cnode` or `pnode`", holds="nested lists, weights",
    ),
    "xml": Format(
        "Pattern, TextBlob, ML-SentiCon, LMF", (".xml", ".lmf"), read_xml, None, sniff.is_xml, "xml",
        recognised_by="other XML", holds="lists, weights",
    ),
    "fields": Format(
        "MPQA clues, lines of `key=value`", (".tff",), read_fields, None, is_fields,
        recognised_by="`word1=good ...`", holds="lists, weights",
    ),
    "sentiwordnet": Format(
        "SentiWordNet", (), read_sentiwordnet, None, is_sentiwordnet,
        recognised_by="two scores and `able#1`", holds="two lists, weights",
    ),
    "synsets": Format(
        "WordNet-Affect", (), read_synsets, None, is_synsets,
        recognised_by="`n#05588321 wrath anger`", holds="one list",
    ),
    "lcd": Format(
        "Lexicoder 2", (".lcd",), read_yoshikoder, write_yoshikoder, family="xml",
        recognised_by="suffix; read as `ykd`", holds="nested lists, weights",
    ),
    "json": Format(
        "JSON, a list of words for each name", (".json",), read_json, write_json, sniff.is_json, "tree",
        recognised_by="it begins with `{` or `[` and is JSON", holds="nested lists, weights",
    ),
    "json-long": Format("JSON, a record for each entry; read as `json`", write=write_json_long, holds="lists, weights"),
    "dic": Format(
        "LIWC 2001 to 2015", (".dic",), read_liwc, write_liwc, sniff.is_liwc, recognised_by="its first line is `%`"
    ),
    "dicx": Format(
        "LIWC-22", (".dicx",), read_table, write_dicx, sniff.is_dicx, "table",
        recognised_by="its first cell is `DicTerm`", holds="lists, weights",
    ),
    "sentiws": Format(
        "SentiWS", (), read_sentiws, None, sniff.is_sentiws, "table",
        recognised_by="a bar and a part of speech after each word", holds="two lists, weights",
    ),
    "lc3": Format(
        "Lexicoder 3", (".lc3",), read_lexicoder, write_lexicoder, sniff.is_lexicoder,
        recognised_by="suffix, or `+name#AA0000` first",
    ),
    "cat": Format(
        "WordStat", (".cat",), read_wordstat, write_wordstat, sniff.is_wordstat,
        recognised_by="indented lines that end in `(1)`", holds="nested lists, weights",
    ),
    "tsv": Format(
        "a table with tabs", (".tsv", ".tab"), read_table, write_tsv, sniff.is_tab_table, "table",
        recognised_by="suffix, or words and numbers with tabs", holds="lists, weights",
    ),
    "afinn": Format("AFINN, VADER: words and weights; read as `tsv`", write=write_afinn, holds="two lists, weights"),
    "nrc": Format("NRC: words, lists, 0 or 1; read as `tsv`", write=write_nrc),
    "yaml": Format(
        "quanteda", (".yml", ".yaml"), read_yaml, write_yaml, sniff.is_yaml, "tree",
        recognised_by="a name, a colon, a list", holds="nested lists",
    ),
    "csv": Format(
        "a table with commas or semicolons", (".csv",), read_table, write_csv, family="table",
        recognised_by="suffix, or a header with `word`, `term`, ...", holds="lists, weights",
    ),
    "csv-wide": Format("CSV, a column for each list; read as `csv`", write=write_wide, holds="lists, weights"),
    "plain": Format(
        "an entry per line", (".txt", ".lst", ".words", ""), read_plain, write_plain, sniff.is_comma_separated,
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
    """The format of a file by its content, else by its suffix; None if neither is known."""
    for name, format in FORMATS.items():
        if format.matches is not None and format.matches(file):
            return name
    by_suffix = SUFFIXES.get(file.suffix)
    if by_suffix in ("plain", "fields", None) and sniff.is_table(file):
        return "csv"
    if by_suffix == "dic" and sniff.has_columns(file) == ":":
        return "csv"  # Japanese polarity tables
    return by_suffix


def is_expected(name: str, suffix: str) -> bool:
    """Whether files with this suffix often hold the format: plain suffixes are used for all formats."""
    by_suffix = SUFFIXES.get(suffix, name)
    family = FORMATS[name].family
    return by_suffix in ("plain", name) or bool(family and FORMATS[by_suffix].family == family)
