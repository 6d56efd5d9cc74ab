"""JSON: categories with their entries (wide), words with their weights, or records with a word and its list (long)."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

from problex._util.records import Record
from problex.errors import LexiconError
from problex.lexicon.dictionary import Dictionary, category_of
from problex.lexicon.formats.layouts.columns import WORD, as_number, role_of
from problex.lexicon.formats.layouts.reading import read_rows
from problex.lexicon.formats.lexicon_file import CategoryTree, LexiconFile, Output, drop_unit_weights, format_weight
from problex.lexicon.formats.table import records_of
from problex.lexicon.lexicon import Entry, Issue

NOTES = frozenset({"description", "source", "title", "name", "version", "author", "license", "url", "language", "date"})
WEIGHTS = frozenset({"polarity", "pol", "score", "sentiment", "valence", "label", "weight", "value"})
"""Fields of records, one of which is enough to know that they are records."""
NOT_A_WORD = "left out: expected a word in quotes"


class _Pairs(list[tuple[str, Any]]):
    """An object of JSON as its pairs, so that repeated names are kept."""


def is_json(file: LexiconFile) -> bool:
    """An object or array that can be parsed, or that has a number too long to be converted."""
    if not file.text.lstrip().startswith(("{", "[")):
        return False
    try:
        json.loads(file.text)
    except (json.JSONDecodeError, RecursionError):
        return False
    except ValueError:
        return True
    return True


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


def _is_array(value: object) -> bool:
    return isinstance(value, list) and not isinstance(value, _Pairs)


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


# -- shapes of the whole file


def _are_weights(root: _Pairs) -> bool:
    """`{"good": 1.9, "bad": -2.5}`."""
    return all(_is_number(value) for _, value in root)


def _from_weights(file: LexiconFile, root: _Pairs) -> Dictionary:
    return _from_rows(file, [("", ["word", "weight"]), *((repr(word), [word, repr(value)]) for word, value in root)])


def _are_keyed_records(root: _Pairs) -> bool:
    """`{"good": {"pos": "a", "polarity": 0.7}}`: an object of fields for each word, the same for most."""
    objects = [value for _, value in root if isinstance(value, _Pairs)]
    if len(objects) < len(root) or len(root) < 3:
        return False
    names = [frozenset(name for name, _ in value) for value in objects]
    usual = max(set(names), key=names.count)
    has_texts = any(isinstance(value, str) for fields in objects[:20] for _, value in fields)
    return names.count(usual) > 0.5 * len(names) and len(usual) > 1 and (has_texts or bool(WEIGHTS & usual))


def _from_keyed_records(file: LexiconFile, root: _Pairs) -> Dictionary:
    fields = [(word, [pair for pair in value if pair[0] not in ("word", "form")]) for word, value in root]
    return _from_records(file, [_Pairs([("word", word), *pairs]) for word, pairs in fields])


def _are_labels(root: _Pairs) -> bool:
    """`{"good": ["joy", "trust"]}` for many words: the names are words, and the items a few labels."""
    items = [item for _, value in root if _is_array(value) for item in value]
    is_text = len(root) >= 10 and all(_is_array(value) for _, value in root) and all(isinstance(i, str) for i in items)
    return is_text and 0 < len(set(items)) < min(100, 0.2 * len(root))


def _from_labels(file: LexiconFile, root: _Pairs) -> Dictionary:
    pairs = [(word, name) for word, names in root for name in names]
    return file.dictionary([Entry(word, category_of([name]), f"{file.name}, {word!r}") for word, name in pairs], [])


def _are_ratings(root: _Pairs) -> bool:
    """`{"good": [1.9, 0.8]}`: a list of numbers for each word."""
    return len(root) > 2 and all(_is_array(value) and value and all(map(_is_number, value)) for _, value in root)


def _from_ratings(file: LexiconFile, root: _Pairs) -> Dictionary:
    return _from_rows(file, [(repr(word), [word, *map(repr, values)]) for word, values in root])


def _are_records(root: list[Any]) -> bool:
    """`[{"word": "good", "list": "positive"}]`."""
    return all(isinstance(item, _Pairs) for item in root)


def _from_records(file: LexiconFile, root: list[_Pairs]) -> Dictionary:
    """Records as rows; a field that holds an object is as many fields."""
    flat = [dict(_flatten(record)) for record in root]
    header = list(dict.fromkeys(name for record in flat for name in record))
    rows = [("", header)]
    for at, cells in enumerate(flat, start=1):
        row = ["" if cells.get(name) is None else _text(_joined(name, cells[name]), file, at) for name in header]
        rows.append((f"record {at}", row))
    return _from_rows(file, rows)


def _are_rows(root: list[Any]) -> bool:
    """`[["good", 1], ["bad", -1]]`."""
    if len(root) < 2 or not all(map(_is_array, root)) or len(root[0]) < 2:
        return False
    return all(len(row) == len(root[0]) and all(isinstance(cell, (str, int, float)) for cell in row) for row in root)


def _from_arrays(file: LexiconFile, root: list[Any]) -> Dictionary:
    rows = enumerate(root, start=1)
    return _from_rows(file, [(f"row {at}", [_text(cell, file, at) for cell in row]) for at, row in rows])


Shape = tuple[Callable[[Any], bool], Callable[[LexiconFile, Any], Dictionary]]
LISTS: tuple[Shape, ...] = ((_are_records, _from_records), (_are_rows, _from_arrays))
OBJECTS: tuple[Shape, ...] = (
    (_are_weights, _from_weights),
    (_are_keyed_records, _from_keyed_records),
    (_are_labels, _from_labels),
    (_are_ratings, _from_ratings),
)
"""What a list, or an object, can be, and how it is read; the first that fits is taken."""


def _from_rows(file: LexiconFile, rows: list[tuple[str, list[str]]]) -> Dictionary:
    """The dictionary of a table; the position of a row begins with the name of the file."""
    table = read_rows(file, [(f"{file.name}, {where}" if where else file.name, row) for where, row in rows])
    return file.dictionary(table.entries, table.issues)


def _text(value: object, file: LexiconFile, at: int) -> str:
    if isinstance(value, (list, dict)):
        raise LexiconError(f"{file.name}, record {at} holds a list or object, expected a word, a list or a number")
    return value if isinstance(value, str) else json.dumps(value)


def _joined(name: str, value: object) -> object:
    """A list of labels as one cell, `anger;fear`; other values as they are.

    >>> _joined("emotions", ["anger", "fear"]), _joined("emotions", ["a;b", "c"])
    ('anger;fear', ['a;b', 'c'])
    """
    are_labels = isinstance(value, list) and all(isinstance(item, str) and ";" not in item for item in value)
    return ";".join(value) if isinstance(value, list) and are_labels and role_of(name) != WORD else value


def _flatten(record: _Pairs, depth: int = 0) -> Iterator[tuple[str, Any]]:
    """The fields of a record and of the objects in it, by the last word of their names: `marl:polarity` is polarity.

    >>> list(_flatten(_Pairs([("marl:polarity", "marl:Positive"), ("form", _Pairs([("@value", "good")]))])))
    [('polarity', 'Positive'), ('form', 'good')]
    """
    for name, value in record:
        short = re.split(r"[:#/]", name)[-1] or name
        if _is_array(value) and len(value) == 1:
            value = value[0]
        if isinstance(value, _Pairs) and depth < 4:
            for inner, inner_value in _flatten(value, depth + 1):
                yield short if inner in ("@value", "value") else inner, inner_value
        elif isinstance(value, str) and name.startswith("marl:"):
            yield short, value.split(":")[-1]
        else:
            yield short, value


def _unwrap(root: Any) -> Any:
    """The list of records in an object that holds nothing else but notes: `{"@context": ..., "entries": [...]}`."""
    if not isinstance(root, _Pairs):
        return root
    arrays = [value for _, value in root if isinstance(value, list)]
    lists = [value for value in arrays if _is_array(value) and len(value) > 1 and _are_records(value)]
    is_wrapped = len(lists) == 1 and (len(arrays) == 1 or any(name.startswith("@") for name, _ in root))
    return lists[0] if is_wrapped else root


# -- categories and their entries


def _names_lists(root: _Pairs) -> bool:
    """Whether the values are names of lists, which repeat: `{"good": "positive", ...}`.

    >>> _names_lists(_Pairs([("good", "up"), ("fine", "up")])), _names_lists(_Pairs([("good", "up"), ("bad", "down")]))
    (True, False)
    """
    values = [value for _, value in root]
    return all(isinstance(value, str) for value in values) and len(set(values)) < len(values)


def _without_notes(root: _Pairs, file: LexiconFile, issues: list[Issue]) -> _Pairs:
    """An object without the texts beside its lists: a description, a source."""
    texts = [(name, value) for name, value in root if isinstance(value, str)]
    notes = [name for name, text in texts if " " in text or "://" in text or name in NOTES]
    if not notes or not any(isinstance(value, list) for _, value in root):
        return root
    issues.append(Issue("note", ", ".join(notes), file.name, "left out: it is a text beside lists"))
    return _Pairs([(name, value) for name, value in root if name not in notes])


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
        if sum(map(_has_fields, node)) > 1:
            action = "each field was read as a category: write a table with the columns word and list instead"
            is_first = not any(issue.loud for issue in issues)
            issues.append(Issue("records in a list", category, file.name, action, loud=is_first))
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
