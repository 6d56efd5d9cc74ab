"""Lexicon files: a reader and a writer for each format. A new one is a function and a line in each dictionary."""

from __future__ import annotations

from collections.abc import Callable

from problex.lexicon.dictionary import Dictionary
from problex.lexicon.formats.json_lists import read_json, write_json, write_json_long
from problex.lexicon.formats.lexicoder import read_lexicoder, write_lexicoder
from problex.lexicon.formats.liwc import read_liwc, write_liwc
from problex.lexicon.formats.plain import read_plain, write_plain
from problex.lexicon.formats.sniff import SAME, SIGNS, SUFFIXES, sniff
from problex.lexicon.formats.source import Source, read_source
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
from problex.lexicon.formats.written import DOES_NOT_FIT, Written
from problex.lexicon.formats.yaml_tree import read_yaml, write_yaml
from problex.lexicon.formats.yoshikoder import read_yoshikoder, write_yoshikoder

Reader = Callable[[Source], Dictionary]
Writer = Callable[[Dictionary], Written]

READERS: dict[str, Reader] = {
    "plain": read_plain,
    "csv": read_table,
    "tsv": read_table,
    "xlsx": read_xlsx,
    "json": read_json,
    "dic": read_liwc,
    "dicx": read_table,
    "yaml": read_yaml,
    "lc3": read_lexicoder,
    "lcd": read_yoshikoder,
    "ykd": read_yoshikoder,
    "cat": read_wordstat,
    "sentiws": read_sentiws,
}
"""Format -> reader. CSV and TSV tell their layouts apart by themselves, AFINN, VADER, NRC and Loughran-McDonald too."""

WRITERS: dict[str, Writer] = {
    "plain": write_plain,
    "csv": write_csv,
    "csv-wide": write_wide,
    "tsv": write_tsv,
    "xlsx": write_xlsx,
    "xlsx-wide": write_xlsx_wide,
    "json": write_json,
    "json-long": write_json_long,
    "dic": write_liwc,
    "dicx": write_dicx,
    "yaml": write_yaml,
    "lc3": write_lexicoder,
    "lcd": write_yoshikoder,
    "ykd": write_yoshikoder,
    "cat": write_wordstat,
    "afinn": write_afinn,
    "nrc": write_nrc,
}
"""Format -> writer of a tidy dictionary."""

__all__ = [
    "DOES_NOT_FIT",
    "READERS",
    "SAME",
    "SIGNS",
    "SUFFIXES",
    "WRITERS",
    "Source",
    "Written",
    "read_source",
    "sniff",
]
