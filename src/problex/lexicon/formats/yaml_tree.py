"""quanteda's YAML dictionaries (.yml): names of categories, each with entries, with categories of its own, or both.

Every value is read as text, so `no`, `yes`, `on` and `1.0` stay words. Nothing but text, lists and mappings is built,
and aliases are refused, so no file can run code or grow without end.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import yaml

from problex.errors import LexiconError
from problex.lexicon.dictionary import Dictionary, category_of
from problex.lexicon.formats.source import Source
from problex.lexicon.formats.written import Tree, Written, tree_of
from problex.lexicon.lexicon import Entry, Problem


class _Composer(yaml.BaseLoader):
    """The loader that knows no types, without aliases."""

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        if self.check_event(yaml.AliasEvent):
            event = self.peek_event()  # type: ignore[no-untyped-call]
            raise yaml.MarkedYAMLError(
                problem=f"the alias *{event.anchor} was found; put an entry such as *less in quotes, write others out",
                problem_mark=event.start_mark,
            )
        return super().compose_node(parent, index)


def read_yaml(source: Source) -> Dictionary:
    """Read a mapping of categories, nested as deep as need be."""
    try:
        root = yaml.compose(source.text, Loader=_Composer)
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise LexiconError(f"{source.where(line)} is not YAML: {error.problem}") from None
    except (yaml.YAMLError, RecursionError) as error:
        raise LexiconError(f"{source.name} is not YAML that can be read: {str(error).splitlines()[0]}") from None
    if not isinstance(root, (yaml.MappingNode, yaml.SequenceNode)):
        raise LexiconError(f"{source.name} holds no categories, expected lines such as `positive: [good, fine]`")
    problems: list[Problem] = []
    entries = list(_walk(root, (), source, problems))
    return source.result(entries, problems + _comments(source, entries))


def _walk(node: yaml.Node, path: tuple[str, ...], source: Source, problems: list[Problem]) -> Iterator[Entry]:
    where = source.where(node.start_mark.line + 1)
    if isinstance(node, yaml.ScalarNode):
        if node.value.strip():
            yield Entry(node.value, category_of(path) or source.only_list, where)
        else:
            action = "left out: a # begins a comment in YAML, put an entry such as #metoo in quotes"
            problems.append(Problem("blank", category_of(path), where, action))
    elif not node.value:
        problems.append(Problem("empty category", category_of(path), where, "left out: it has no entry"))
    elif isinstance(node, yaml.SequenceNode):
        for item in node.value:
            yield from _walk(item, path, source, problems)
    else:
        for key, value in node.value:
            if not isinstance(key, yaml.ScalarNode):
                line = source.where(key.start_mark.line + 1)
                raise LexiconError(f"{line} has a list or mapping where the name of a category was expected")
            yield from _walk(value, (*path, key.value), source, problems)


def _comments(source: Source, entries: list[Entry]) -> list[Problem]:
    """Comments that may have been meant as entries: `#metoo`, not `# a remark`."""
    texts = "\n".join(entry.text for entry in entries)
    found = []
    for number, line in enumerate(source.lines, start=1):
        mark = re.search(r"(?:^|\s)(#\w\S*)", line)
        if mark and mark[1].rstrip("\"',]") not in texts:
            action = "taken as a comment: put it in quotes if it is an entry"
            found.append(Problem("doubtful comment", mark[1], source.where(number), action))
    return found


def write_yaml(dictionary: Dictionary) -> Written:
    """Write nested categories; where one has entries and categories, its own entries stand under an empty name."""
    text = yaml.safe_dump(_plain(tree_of(dictionary.entries)), allow_unicode=True, sort_keys=False, width=10**9)
    return Written.of_text(text, (), dictionary, weights=False)


def _plain(tree: Tree) -> dict[str, Any]:
    node: dict[str, Any] = {"": [entry.text for entry in tree.entries]} if tree.entries else {}
    for name, below in tree.items():
        node[name] = _plain(below) if below else [entry.text for entry in below.entries]
    return node
