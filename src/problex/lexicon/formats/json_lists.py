"""JSON: categories with their entries (wide), words with their weights, or records with a word and its list (long)."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

from problex._util.records import Record
from problex.errors import LexiconError
from problex.lexicon.dictionary import Dictionary, category_of
from problex.lexicon.formats.lexicon_file import LexiconFile, drop_unit_weights
from problex.lexicon.formats.output import CategoryTree, Output, format_weight
from problex.lexicon.formats.table import records_of
from problex.lexicon.formats.tables.names import WORD, role_of
from problex.lexicon.formats.tables.reading import Table, as_number, read_rows
from problex.lexicon.lexicon import Entry, Issue

NOTES = frozenset({"description", "source", "title", "name", "version", "author", "license", "url", "language", "date"})


NOT_A_WORD = "left out: expected a word in quotes"


class _Pairs(list[tuple[str, Any]]):
    """An object of JSON as its pairs, so that repeated names are kept."""


def read_json(file: LexiconFile) -> Dictionary:
    """Read `{"positive": ["good"]}`, nested or with weights, `{"positive": {"good": 1.9}}`, words alone, or records."""
    root = _unwrap(_parse(file))
    if not isinstance(root, list):
        raise LexiconError(f"{file.name} is a single {type(root).__name__}, expected an object or a list")
    for has_shape, read in OBJECTS if isinstance(root, _Pairs) else LISTS:
        if root and has_shape(root):
            return read(file, root)
    issues: list[Issue] = []
    if isinstance(root, _Pairs):
        root = _without_notes(root, file, issues)
    if isinstance(root, _Pairs) and _names_lists(root):
        entries = [Entry(word, category_of([name]), f"{file.name}, {word!r}") for word, name in root]
    else:
        entries = list(_walk(root, (), file, issues))
    return file.dictionary(drop_unit_weights(entries), issues)


def _parse(file: LexiconFile) -> Any:
    try:
        return json.loads(file.text, object_pairs_hook=_Pairs)
    except json.JSONDecodeError as error:
        raise LexiconError(
            f"{file.where(error.lineno)} is not valid JSON: {error.msg} (column {error.colno}). Correct the file, or "
            "write the words as a plain list, one in each line"
        ) from None
    except ValueError:  # Python refuses to convert it
        raise LexiconError(
            f"{file.name} has a number of thousands of digits, expected words and their weights"
        ) from None
    except RecursionError:
        raise LexiconError(f"{file.name} is nested too deeply, expected categories with lists of words") from None


# -- shapes of the whole file


def _from_weights(file: LexiconFile, root: _Pairs) -> Dictionary:
    rows = [(f"{file.name}, {word!r}", [word, repr(value)]) for word, value in root]
    return _from_rows(file, [(file.name, ["word", "weight"]), *rows])


def _from_keyed_records(file: LexiconFile, root: _Pairs) -> Dictionary:
    others = [(word, [pair for pair in value if pair[0] not in ("word", "form")]) for word, value in root]
    return _records(file, [_Pairs([("word", word), *pairs]) for word, pairs in others])


def _from_labels(file: LexiconFile, root: _Pairs) -> Dictionary:
    pairs = [(word, name) for word, names in root for name in names]
    return file.dictionary([Entry(word, category_of([name]), f"{file.name}, {word!r}") for word, name in pairs], [])


def _from_numbers(file: LexiconFile, root: _Pairs) -> Dictionary:
    return _from_rows(file, [(f"{file.name}, {word!r}", [word, *map(repr, values)]) for word, values in root])


def _from_lists(file: LexiconFile, root: list[Any]) -> Dictionary:
    rows = enumerate(root, start=1)
    return _from_rows(file, [(f"{file.name}, row {at}", [_text(cell, file, at) for cell in row]) for at, row in rows])


def _from_rows(file: LexiconFile, rows: list[tuple[str, list[str]]]) -> Dictionary:
    table = read_rows(Table(file.name, rows, file.default_list, file.is_one_list, file.options))
    return file.dictionary(table.entries, table.issues)


def _records(file: LexiconFile, root: list[_Pairs]) -> Dictionary:
    """Records as rows; a field that holds an object is as many fields."""
    flat = [dict(_flatten(record)) for record in root]
    header = list(dict.fromkeys(name for record in flat for name in record))
    rows = [(file.name, header)]
    for at, cells in enumerate(flat, start=1):
        row = ["" if cells.get(name) is None else _text(_joined(name, cells[name]), file, at) for name in header]
        rows.append((f"{file.name}, record {at}", row))
    return _from_rows(file, rows)


def _joined(name: str, value: object) -> object:
    """A list of labels as one cell, `anger;fear`; other values as they are."""
    are_labels = isinstance(value, list) and all(isinstance(item, str) and ";" not in item for item in value)
    return ";".join(value) if isinstance(value, list) and are_labels and role_of(name) != WORD else value


def _flatten(record: _Pairs, depth: int = 0) -> Iterator[tuple[str, Any]]:
    """The fields of a record and of the objects in it, by the last part of their names: `marl:polarity` is polarity."""
    for name, value in record:
        short = re.split(r"[:#/]", name)[-1] or name
        if isinstance(value, list) and not isinstance(value, _Pairs) and len(value) == 1:
            value = value[0]
        if isinstance(value, _Pairs) and depth < 4:
            yield from (
                item if item[0] not in ("@value", "value") else (short, item[1]) for item in _flatten(value, depth + 1)
            )
        elif isinstance(value, str) and ":" in value and name.startswith("marl:"):
            yield short, value.split(":")[-1]
        else:
            yield short, value


def _unwrap(root: Any) -> Any:
    """The list of records in an object that holds nothing else but notes: `{"@context": ..., "entries": [...]}`."""
    if not isinstance(root, _Pairs):
        return root
    lists = [value for _, value in root if _is_list_of_records(value)]
    others = [value for _, value in root if isinstance(value, list) and not _is_list_of_records(value)]
    is_wrapped = len(lists) == 1 and (not others or any(name.startswith("@") for name, _ in root))
    return lists[0] if is_wrapped else root


def _is_list_of_records(value: Any) -> bool:
    plain = isinstance(value, list) and not isinstance(value, _Pairs)
    return plain and len(value) > 1 and all(isinstance(item, _Pairs) for item in value)


def _are_rows(root: list[Any]) -> bool:
    """Whether the items are rows: `[["good", 1], ["bad", -1]]`."""
    plain = [item for item in root if isinstance(item, list) and not isinstance(item, _Pairs)]
    scalars = all(isinstance(cell, (str, int, float)) for item in plain for cell in item)
    return len(plain) == len(root) > 1 and scalars and all(len(item) == len(plain[0]) > 1 for item in plain)


def _are_records(root: _Pairs) -> bool:
    """Whether each word has an object of fields, the same for most: `{"good": {"pos": "a", "polarity": 0.7}}`."""
    objects = [value for _, value in root if isinstance(value, _Pairs)]
    if len(objects) < len(root) or len(root) < 3:
        return False
    names = [frozenset(name for name, _ in value) for value in objects]
    usual = max(set(names), key=names.count)
    mixed = any(isinstance(value, str) for one in objects[:20] for _, value in one)
    known = {"polarity", "pol", "score", "sentiment", "valence", "label", "weight", "value"}
    return names.count(usual) > 0.5 * len(names) and len(usual) > 1 and (mixed or bool(known & usual))


def _are_labelled(root: _Pairs) -> bool:
    """Whether the names are words and the items their labels: few different labels for many words."""
    values = [value for _, value in root]
    if len(root) < 10 or not all(isinstance(value, list) and not isinstance(value, _Pairs) for value in values):
        return False
    items = [item for value in values for item in value]
    labels = {item for item in items if isinstance(item, str)}
    return (
        bool(items)
        and all(isinstance(item, str) for item in items)
        and len(labels) < 0.2 * len(root)
        and len(labels) < 100
    )


def _are_numbered(root: _Pairs) -> bool:
    """Whether each word has a list of numbers."""
    values = [value for _, value in root]
    lists = all(isinstance(value, list) and value and all(_is_number(item) for item in value) for value in values)
    return len(root) > 2 and lists


def _without_notes(root: _Pairs, file: LexiconFile, issues: list[Issue]) -> _Pairs:
    """An object without the texts beside its lists: a description, a source."""
    if not any(isinstance(value, list) for _, value in root):
        return root
    notes = [
        name for name, value in root if isinstance(value, str) and (" " in value or "://" in value or name in NOTES)
    ]
    if notes:
        issues.append(Issue("note", ", ".join(notes), file.name, "left out: it is a text beside lists"))
    return _Pairs([(name, value) for name, value in root if name not in notes])


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
        if sum(_has_fields(item) for item in node) > 1:
            action = "each field was read as a category: write a table with the columns word and list instead"
            issues.append(Issue("records in a list", category, file.name, action, loud=not _has_loud(issues)))
        for at, item in enumerate(node, start=1):
            if isinstance(item, str):
                yield Entry(item, category, f"{where}, entry {at}")
            elif isinstance(item, list):
                yield from _walk(item, path, file, issues, depth + 1)
            else:
                issues.append(Issue("bad entry", json.dumps(item)[:60], f"{where}, entry {at}", NOT_A_WORD))
    else:
        issues.append(Issue("bad entry", json.dumps(node)[:60], where, NOT_A_WORD))


def _has_fields(item: object) -> bool:
    """Whether an item is an object with two texts or more: a record, not categories of words."""
    return isinstance(item, _Pairs) and sum(isinstance(value, str) for _, value in item) > 1


def _has_loud(issues: list[Issue]) -> bool:
    return any(issue.loud for issue in issues)


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _names_lists(root: _Pairs) -> bool:
    """Whether the values are names of lists, which repeat: `{"good": "positive", ...}`."""
    values = [value for _, value in root]
    return all(isinstance(value, str) for value in values) and len(set(values)) < len(values)


LISTS: tuple[tuple[Callable[[Any], bool], Callable[[LexiconFile, Any], Dictionary]], ...] = (
    (lambda root: all(isinstance(item, _Pairs) for item in root), _records),
    (_are_rows, _from_lists),
)
OBJECTS: tuple[tuple[Callable[[Any], bool], Callable[[LexiconFile, Any], Dictionary]], ...] = (
    (lambda root: all(_is_number(value) for _, value in root), _from_weights),
    (_are_records, _from_keyed_records),
    (_are_labelled, _from_labels),
    (_are_numbered, _from_numbers),
)
"""What a list, or an object, can be, and how it is read; the first that fits is taken."""


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
