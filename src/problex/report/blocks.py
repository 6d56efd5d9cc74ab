"""The content of a report as values: sections of paragraphs, tables and figures, which the templates turn into HTML.

Each kind of block has a template `templates/blocks/<kind>.html.jinja`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

from problex._util.formatting import format_value
from problex._util.records import Record
from problex.explanation.views import Mark
from problex.report.chart_style import Spec, for_page, to_svg

NUMBER_TYPES = (int, float, type(None))
_NUMBERS = re.compile(r"(?:[<>]?\d[\d.,]*%?(?: to | )?|\(.*\)|–)+")


@dataclass(frozen=True)
class Block:
    """A part of a section; `kind` is the name of its template."""

    kind: ClassVar[str]

    def parts(self) -> Sequence[Block]:
        """The blocks inside this one."""
        return ()


@dataclass(frozen=True)
class Paragraph(Block):
    """A paragraph; `style` is "", "lead", "note" or "callout"."""

    kind = "paragraph"
    text: str
    style: str = ""


@dataclass(frozen=True)
class Heading(Block):
    """A heading inside a section."""

    kind = "heading"
    text: str


@dataclass(frozen=True)
class Quote(Block):
    """Paragraphs to copy."""

    kind = "quote"
    paragraphs: tuple[str, ...]


@dataclass(frozen=True)
class Code(Block):
    """Preformatted text."""

    kind = "code"
    text: str


@dataclass(frozen=True)
class Bullets(Block):
    """A list of sentences."""

    kind = "bullets"
    items: tuple[str, ...]


@dataclass(frozen=True)
class Column:
    """A column of a table; numbers are aligned to the right."""

    heading: str
    numeric: bool


@dataclass(frozen=True)
class Table(Block):
    """A table of text cells."""

    kind = "table"
    columns: tuple[Column, ...]
    rows: tuple[tuple[str, ...], ...]

    @classmethod
    def of(cls, records: Sequence[Record], headings: Mapping[str, str]) -> Table:
        """The fields of records that have a heading.

        >>> Table.of([{"word": "good", "share": "5.0%", "n": 1200, "x": None}], {"word": "word", "n": "number"})
        Table(columns=(Column(heading='word', numeric=False), Column(heading='number', numeric=True)), \
rows=(('good', '1,200'),))
        """
        columns = [
            Column(heading, all(_is_numeric(row[name]) for row in records)) for name, heading in headings.items()
        ]
        rows = [tuple(format_value(row[name], missing="–") for name in headings) for row in records]
        return cls(tuple(columns), tuple(rows))


def _is_numeric(value: object) -> bool:
    """Whether a cell is a number, a share or an interval.

    >>> [_is_numeric(value) for value in (1.5, None, "5.0%", "1.0% to >99.9%", "5.0% (4.1 to 6.2)", "2 words", "good")]
    [True, True, True, True, True, False, False]
    """
    return isinstance(value, NUMBER_TYPES) or _NUMBERS.fullmatch(str(value)) is not None


@dataclass(frozen=True, eq=False)
class Figure(Block):
    """A chart with a caption; `svg` is shown where scripts do not run.

    `legend` has names and colours, shown above the chart in place of the chart's own legend, which cannot wrap.
    """

    kind = "figure"
    name: str
    caption: str
    chart: Any
    width: int = 560
    legend: tuple[tuple[str, str], ...] = ()

    @cached_property
    def spec(self) -> Spec:
        """The chart for the script of the page."""
        return for_page(self.chart, legend=not self.legend)

    @cached_property
    def svg(self) -> str:
        """The chart as a drawing."""
        return to_svg(self.chart, self.width, legend=not self.legend)


@dataclass(frozen=True)
class SideBySide(Block):
    """Blocks next to each other, below each other on small screens."""

    kind = "side_by_side"
    blocks: tuple[Block, ...]

    def parts(self) -> Sequence[Block]:
        """The blocks."""
        return self.blocks


@dataclass(frozen=True)
class Details(Block):
    """A block that is shown on demand."""

    kind = "details"
    summary: str
    block: Block

    def parts(self) -> Sequence[Block]:
        """The hidden block."""
        return (self.block,)


@dataclass(frozen=True)
class MarkedDocument(Block):
    """Parts of a document with its matches marked; `characters_left` is the number of characters that are not shown.

    `reasons` are the strongest words for the label, and those for other labels, by a heading each.
    """

    kind = "document"
    heading: str
    marks: tuple[Mark, ...]
    characters_left: int
    reasons: tuple[tuple[str, tuple[Mark, ...]], ...]


@dataclass(frozen=True)
class FindingItem:
    """A finding of the doctor, as text."""

    words: str
    kind: str
    reason: str
    edit: str
    contexts: tuple[str, ...]


@dataclass(frozen=True)
class FindingList(Block):
    """Findings of the doctor, numbered."""

    kind = "findings"
    items: tuple[FindingItem, ...]


@dataclass(frozen=True)
class Section:
    """A section of a report."""

    title: str
    blocks: tuple[Block, ...]

    @property
    def figures(self) -> list[Figure]:
        """The figures in all blocks, in order."""
        return [block for block in _all_blocks(self.blocks) if isinstance(block, Figure)]


def _all_blocks(blocks: Sequence[Block]) -> Iterator[Block]:
    """Blocks and all blocks inside them, in the order of the page.

    >>> inner = Paragraph("inside")
    >>> [type(block).__name__ for block in _all_blocks([SideBySide((inner, inner)), Heading("after")])]
    ['SideBySide', 'Paragraph', 'Paragraph', 'Heading']
    """
    for block in blocks:
        yield block
        yield from _all_blocks(block.parts())
