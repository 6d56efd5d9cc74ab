"""JSON: categories with their entries (wide), words with their weights, or records with a word and its list (long)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from problex._util.records import Record
from problex.errors import LexiconError
from problex.lexicon.dictionary import Dictionary, category_of
from problex.lexicon.formats.lexicon_file import LexiconFile, drop_unit_weights
from problex.lexicon.formats.output import CategoryTree, Output, format_weight
from problex.lexicon.formats.table import records_of
from problex.lexicon.formats.table_rows import Table, as_number, read_rows
from problex.lexicon.lexicon import Entry, Issue


class _Pairs(list[tuple[str, Any]]):
    """An object of JSON as its pairs, so that repeated names are kept."""


def read_json(file: LexiconFile) -> Dictionary:
    """Read `{"positive": ["good"]}`, nested or with weights, `{"positive": {"good": 1.9}}`, words alone, or records."""
    try:
        root = json.loads(file.text, object_pairs_hook=_Pairs)
    except json.JSONDecodeError as error:
        raise LexiconError(f"{file.where(error.lineno)} is not JSON: {error.msg} at column {error.colno}") from None
    except ValueError as error:  # a number of thousands of digits
        raise LexiconError(f"{file.name} is not JSON that can be read: {error}") from None
    except RecursionError:
        raise LexiconError(f"{file.name} is nested too deeply, expected categories with lists of words") from None
    if isinstance(root, list) and root and all(isinstance(item, _Pairs) for item in root):
        return _records(file, root)
    if not isinstance(root, list):
        raise LexiconError(f"{file.name} is a single {type(root).__name__}, expected an object or a list")
    issues: list[Issue] = []
    if isinstance(root, _Pairs) and root and all(_is_number(value) for _, value in root):
        rows = [(file.name, ["word", "weight"])]
        rows += [(f"{file.name}, {word!r}", [word, repr(value)]) for word, value in root]
        table = read_rows(Table(file.name, rows, file.default_list, file.is_one_list))
        return file.dictionary(table.entries, table.issues)
    if isinstance(root, _Pairs) and _names_lists(root):
        entries = [Entry(word, category_of([name]), f"{file.name}, {word!r}") for word, name in root]
    else:
        entries = list(_walk(root, (), file, issues))
    return file.dictionary(drop_unit_weights(entries), issues)


def _records(file: LexiconFile, root: list[_Pairs]) -> Dictionary:
    header = list(dict.fromkeys(name for record in root for name, _ in record))
    rows = [(file.name, header)]
    for at, record in enumerate(root, start=1):
        cells = dict(record)
        row = ["" if cells.get(name) is None else _text(cells[name], file, at) for name in header]
        rows.append((f"{file.name}, record {at}", row))
    table = read_rows(Table(file.name, rows, file.default_list, file.is_one_list))
    return file.dictionary(table.entries, table.issues)


def _text(value: object, file: LexiconFile, at: int) -> str:
    if isinstance(value, (list, dict)):
        raise LexiconError(f"{file.name}, record {at} holds a list or object, expected a word, a list or a number")
    return value if isinstance(value, str) else json.dumps(value)


def _walk(node: Any, path: tuple[str, ...], file: LexiconFile, issues: list[Issue], depth: int = 0) -> Iterator[Entry]:
    file.check_depth(depth, 1)
    category = category_of(path) or file.default_list
    where = f"{file.name}, {category!r}"
    if isinstance(node, str):
        yield Entry(node, category, where)
    elif isinstance(node, list) and not node:
        issues.append(Issue("empty category", category, file.name, "left out: it has no entry"))
    elif isinstance(node, _Pairs) and path and all(value is None or _is_number(value) for _, value in node):
        for word, value in node:
            weight = None if value is None else as_number(repr(value))
            if value is not None and weight is None:
                issues.append(Issue("not a number", word, where, f"the weight {repr(value)[:40]} is left out"))
            yield Entry(word, category, where, weight)
    elif isinstance(node, _Pairs):
        for name, value in node:
            yield from _walk(value, (*path, name), file, issues, depth + 1)
    elif isinstance(node, list):
        for at, item in enumerate(node, start=1):
            if isinstance(item, str):
                yield Entry(item, category, f"{where}, entry {at}")
            else:
                yield from _walk(item, path, file, issues, depth + 1)
    else:
        raise LexiconError(f"{where} holds {json.dumps(node)}, expected a word in quotes")


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _names_lists(root: _Pairs) -> bool:
    """Whether the values are names of lists, which repeat: `{"good": "positive", ...}`."""
    values = [value for _, value in root]
    return all(isinstance(value, str) for value in values) and len(set(values)) < len(values)


def write_json(dictionary: Dictionary) -> Output:
    """Write categories with lists of entries, or with objects of weights if there are weights."""
    text = json.dumps(_plain(CategoryTree.of(dictionary.entries)), ensure_ascii=False, indent=1)
    return Output.from_text(f"{text}\n", (), dictionary, weights=True)


def _plain(tree: CategoryTree) -> Any:
    entries: Any = [entry.text for entry in tree.entries]
    if any(entry.weight is not None for entry in tree.entries):
        entries = {
            entry.text: None if entry.weight is None else json.loads(format_weight(entry.weight))
            for entry in tree.entries
        }
    if not tree:
        return entries
    return ({"": entries} if entries else {}) | {name: _plain(below) for name, below in tree.items()}


def write_json_long(dictionary: Dictionary) -> Output:
    """Write one record per entry: its word, list and weight."""
    header, rows = records_of(dictionary)
    records = []
    for row in rows:
        record: Record = dict(zip(header, row, strict=True))
        if "weight" in record:
            record["weight"] = json.loads(record["weight"] or "null")
        records.append(record)
    return Output.from_text(f"{json.dumps(records, ensure_ascii=False, indent=1)}\n", (), dictionary, weights=True)
