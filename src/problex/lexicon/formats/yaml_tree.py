"""quanteda's YAML dictionaries (.yml): names of categories, each with entries, with categories of its own, or both.

Every value is read as text, so `no`, `yes`, `on` and `1.0` stay words. Nothing but text, lists and mappings is built,
and aliases are refused, so no file can run code or grow without end.
"""

from __future__ import annotations

import re

import yaml

from problex.errors import LexiconError
from problex.lexicon.dictionary import Dictionary, category_of
from problex.lexicon.formats.json_lists import read_json
from problex.lexicon.formats.lexicon_file import MAX_DEPTH, CategoryTree, LexiconFile, LexiconReading, Output

_NAME = re.compile(r"(?:---[^\S\n]*\n|#[^\n]*\n|[^\S\n]*\n)*+[^\s:#][^:\n]*+:(?P<space>\s*+)(?P<start>\[|- |\S+:)?")
"""The first name, and what follows its colon. Nothing is tried twice, so that blank lines cost no more than others."""
MAX_BAD_LINES = 20
"""Lines that are left out before a file is refused."""


def is_yaml(file: LexiconFile) -> bool:
    r"""A name, a colon and a list, or a nested name.

    >>> [is_yaml(LexiconFile("a.txt", data)) for data in (b"up:\n  - good\n", b"up: [good]\n", b"up: good\n")]
    [True, True, False]
    """
    name = _NAME.match(file.text)
    if name is None:
        return False
    space, start = name["space"], name["start"] or ""
    if start in ("[", "- "):
        return start == "[" or "\n" in space
    return bool(start) and "\n" in space[:-1]


class _Composer(yaml.BaseLoader):
    """The loader that reads every value as text, without aliases and deep nesting."""

    depth = 0

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        if self.check_event(yaml.AliasEvent):
            event = self.peek_event()  # type: ignore[no-untyped-call]
            raise yaml.MarkedYAMLError(
                problem=f"the alias *{event.anchor} was found; put an entry such as *less in quotes, write others out",
                problem_mark=event.start_mark,
            )
        self.depth += 1
        if self.depth > MAX_DEPTH:
            mark = self.peek_event().start_mark  # type: ignore[no-untyped-call]
            problem = f"it is nested too deeply, expected at most {MAX_DEPTH} levels"
            raise yaml.MarkedYAMLError(problem=problem, problem_mark=mark)
        node = super().compose_node(parent, index)
        self.depth -= 1
        return node


def read_yaml(file: LexiconFile) -> Dictionary:
    """Read a mapping of categories, nested to any depth."""
    reading = LexiconReading(file)
    try:
        root = _compose(reading)
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        if file.suffix == ".json":  # damaged JSON, which looks like YAML
            return read_json(file)
        raise LexiconError(f"{file.name} is not YAML that can be read: {str(error).splitlines()[0]}") from None
    if not isinstance(root, (yaml.MappingNode, yaml.SequenceNode)):
        raise LexiconError(f"{file.name} contains no categories, expected lines such as `positive: [good, fine]`")
    _walk(root, (), reading)
    _report_records(root, reading)
    _report_comments(reading)
    return reading.dictionary()


def _compose(reading: LexiconReading) -> yaml.Node | None:
    """Parse the file; tabs that indent are read as spaces, and a few lines that cannot be read are left out."""
    lines = [re.sub(r"^[ \t]+", lambda blank: blank[0].expandtabs(4), line) for line in reading.file.lines]
    while True:
        try:
            root: yaml.Node | None = yaml.compose("\n".join(lines), Loader=_Composer)
            return root
        except yaml.MarkedYAMLError as error:
            at = error.problem_mark.line if error.problem_mark else 0
            is_entry = at < len(lines) and re.match(r"\s*- ", lines[at])
            if "alias" in str(error.problem) or not is_entry or len(reading.issues) >= MAX_BAD_LINES:
                raise LexiconError(f"{reading.file.where(at + 1)} is not YAML: {error.problem}") from None
            reading.report("bad line", lines[at].strip()[:60], f"left out: it is not YAML: {error.problem}", at + 1)
            lines[at] = ""


def _walk(node: yaml.Node, path: tuple[str, ...], reading: LexiconReading) -> None:
    """Read the entries of a node and of those below it."""
    line, category = node.start_mark.line + 1, category_of(path)
    if isinstance(node, yaml.ScalarNode):
        if node.value.strip():
            reading.add(node.value, category or reading.file.default_list, line)
        else:
            action = "left out: a # begins a comment in YAML, put an entry such as #metoo in quotes"
            reading.report("blank", category, action, line)
    elif not node.value:
        reading.report("empty category", category, "left out: it has no entry", line)
    elif isinstance(node, yaml.SequenceNode):
        for item in node.value:
            _walk(item, path, reading)
    else:
        for key, value in node.value:
            if not isinstance(key, yaml.ScalarNode):
                where = reading.file.where(key.start_mark.line + 1)
                raise LexiconError(f"{where} has a list or mapping where the name of a category was expected")
            _walk(value, (*path, key.value), reading)


def _report_records(root: yaml.Node, reading: LexiconReading) -> None:
    """Report a list of mappings with the same names, which are fields of records, not categories."""
    items = [item for item in root.value if isinstance(item, yaml.MappingNode)]
    names = [{key.value for key, _ in item.value} for item in items if isinstance(root, yaml.SequenceNode)]
    if len(names) > 1 and len(names[0] & names[1]) > 1:
        fields = ", ".join(sorted(map(str, names[0] & names[1])))
        action = "the fields of records were each read as a category: write a table with the columns word and list"
        reading.report("records in a list", fields, action, loud=True)


def _report_comments(reading: LexiconReading) -> None:
    """Report comments that may have been meant as entries: `#metoo`, not `# a remark`."""
    texts = "\n".join(entry.text for entry in reading.entries)
    for at, line in enumerate(reading.file.lines, start=1):
        mark = re.search(r"(?:^|\s)(#\w\S*)", line)
        if mark and mark[1].rstrip("\"',]") not in texts:
            reading.report("doubtful comment", mark[1], "read as a comment: put it in quotes if it is an entry", at)


def write_yaml(dictionary: Dictionary) -> Output:
    """Write nested categories; the entries of a category that also has categories are under an empty name."""
    text = yaml.safe_dump(_plain(CategoryTree.of(dictionary.entries)), allow_unicode=True, sort_keys=False, width=10**9)
    return Output.from_text(text, (), dictionary, weights=False)


def _plain(tree: CategoryTree) -> dict[str, object]:
    node: dict[str, object] = {"": [entry.text for entry in tree.entries]} if tree.entries else {}
    for name, child in tree.items():
        node[name] = _plain(child) if child else [entry.text for entry in child.entries]
    return node
