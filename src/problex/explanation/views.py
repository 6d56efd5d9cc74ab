"""Views of the record of an explanation: coloured text in a terminal, HTML in notebooks and pages.

Both show the same record and do not depend on the model. Colour is never the only mark: phrases are underlined, negated
words struck through, and the contribution of each word is in its tooltip and in the table.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from problex._util.formatting import pluralize, template_environment

if TYPE_CHECKING:
    from rich.text import Text

Record = Mapping[str, Any]
TERMINAL_COLOURS = ("red", "green", "blue", "magenta", "yellow", "cyan")
"""Terminal colours of the classes, in turn."""
COLOURS = (
    *("213 94 0", "0 158 115", "0 114 178", "204 121 167", "230 159 0", "86 180 233"),
    *("170 68 153", "120 120 30", "120 94 240", "160 110 60", "50 170 170", "190 60 90"),
)
"""Colours of the classes in pages, as RGB: first the palette of Okabe and Ito, safe for colour-blind readers."""
GREY = "128 128 128"
MIN_INTENSITY = 0.02
"""Words with less than this share of the strongest contribution are not coloured."""
MIN_CERTAINTY = 0.95
"""Below this factor between score and log-odds, the headline names it."""
MAX_WORDS_SHOWN = 30
BAR_WIDTH = 9
"""Width of the longest bar of the table, in em."""


@dataclass(frozen=True)
class Mark:
    """A piece of a text; pieces with a `title` are matches, marked by CSS `classes` and `style`."""

    text: str
    title: str = ""
    classes: str = ""
    style: str = ""


def as_rich_text(record: Record) -> Text:
    """The text for a terminal, in the colours of the classes: bold for strong contributions, dim for weak ones."""
    from rich.text import Text

    text = Text(record["text"])
    for piece in record["pieces"]:
        style = _terminal_style(piece, record["classes"])
        if style:
            text.stylize(style, piece["start"], piece["end"])
    return text


def _terminal_style(piece: Record, classes: Sequence[str]) -> str:
    """The style of a piece: the colour of its class, bold or dim by its strength.

    >>> piece = {"entries": ["not bad"], "towards": "up", "intensity": 0.9, "phrase": False, "negated": True}
    >>> [_terminal_style(piece | {"intensity": value}, ["down", "up"]) for value in (0.9, 0.5, 0.1, 0.0)]
    ['bold green strike', 'green strike', 'dim green strike', 'dim strike']
    """
    if not piece["entries"]:
        return ""
    marks = (" underline" if piece["phrase"] else "") + (" strike" if piece["negated"] else "")
    if piece["intensity"] < MIN_INTENSITY:
        return ("dim" + marks) if marks else ""
    strength = "bold " if piece["intensity"] > 2 / 3 else "" if piece["intensity"] > 1 / 4 else "dim "
    return strength + TERMINAL_COLOURS[classes.index(piece["towards"]) % len(TERMINAL_COLOURS)] + marks


def headline(record: Record) -> str:
    """The label, the probabilities, the tempering and the threshold, if little is said, in one line.

    >>> none = {"a": 0.0, "b": 0.0}
    >>> headline({"label": "undecided", "probabilities": {"a": 0.5, "b": 0.5}, "calibrated": False, "tempering": 1.0,
    ...     "decision": 0.0, "tokens": 3, "unlocated": 0, "threshold": none, "whole_threshold": none, "certainty": 1.0})
    'undecided (a 50%, b 50%, estimated without labels); score +0.000; 3 tokens'
    """
    source = "calibrated with labels" if record["calibrated"] else "estimated without labels"
    probabilities = ", ".join(f"{name} {probability:.0%}" for name, probability in record["probabilities"].items())
    parts = [f"{record['label']} ({probabilities}, {source})"]
    if record["decision"] is not None:
        parts.append(f"score {record['decision']:+.3f}")
    parts.append(pluralize(record["tokens"], "token"))
    if record["tempering"] != 1.0:
        parts.append(f"scaled by {record['tempering']:.3f} for length")
    if record["threshold"] != record["whole_threshold"]:
        parts.append("threshold limited to half of what the words say")
    if record["certainty"] < MIN_CERTAINTY:
        parts.append(f"log-odds are {record['certainty']:.2f} of the score, because the text is short")
    if record["unlocated"]:
        parts.append(
            f"{pluralize(record['unlocated'], 'match is', 'matches are')} not marked: the tokenizer changed the words"
        )
    return "; ".join(parts)


def as_page(record: Record, title: str = "Why this label") -> str:
    """A self-contained page, for light and dark screens."""
    return _render("explanation_page.html.jinja", record, title=title)


def as_html(record: Record) -> str:
    """A fragment with its own style, which takes the colours of text and background from its surroundings."""
    return _render("explanation.html.jinja", record)


def _render(template: str, record: Record, **values: object) -> str:
    classes = record["classes"]
    return (
        template_environment("problex.explanation")
        .get_template(template)
        .render(
            label=record["label"],
            headline=headline(record).removeprefix(record["label"]),
            marks=text_marks(record["pieces"], classes),
            legend=[(name, _colour(classes, name, 0.45)) for name in classes],
            words=_table_words(record),
            more_words=len(record["contributions"]) - MAX_WORDS_SHOWN,
            sum_columns=["decision"] if record["decision"] is not None else classes,
            sums=record["sums"],
            **values,
        )
    )


def text_marks(pieces: Sequence[Record], classes: Sequence[str]) -> list[Mark]:
    """The pieces of a text with their marks, for the macro `marked_text`."""
    return [_mark(piece, classes) if piece["entries"] else Mark(piece["text"]) for piece in pieces]


def _mark(piece: Record, classes: Sequence[str]) -> Mark:
    """A piece with matches: what they add together in its tooltip, its colour by their strength.

    >>> piece = {"text": "good", "entries": ["good"], "towards": "up", "intensity": 1.0, "contribution": 1.5}
    >>> mark = _mark(piece | {"phrase": False, "negated": False}, ["down", "up"])
    >>> mark.title, mark.style
    ('good: +1.500, for up', '--c:0 158 115;--a:0.60')
    """
    visible = piece["intensity"] >= MIN_INTENSITY
    flags = {"none": not visible, "phrase": piece["phrase"], "negated": piece["negated"]}
    towards = f", for {piece['towards']}" if piece["towards"] else ""
    return Mark(
        text=piece["text"],
        title=f"{', '.join(piece['entries'])}: {piece['contribution']:+.3f}{towards}",
        classes=" ".join(name for name, applies in flags.items() if applies),
        style=_colour(classes, piece["towards"], 0.12 + 0.48 * piece["intensity"]) if visible else "",
    )


def word_mark(part: Record, classes: Sequence[str]) -> Mark:
    """A word and the size of its contribution, in the colour of the label that it supports.

    >>> mark = word_mark({"entry": "dull", "contribution": -1.236, "towards": "down"}, ["down", "up"])
    >>> mark.text, mark.title
    ('dull 1.24', 'dull: adds 1.236 for down')
    """
    return Mark(
        text=f"{part['entry']} {abs(part['contribution']):.2f}",
        title=f"{part['entry']}: adds {abs(part['contribution']):.3f} for {part['towards']}",
        style=_colour(classes, part["towards"], 0.35),
    )


def _colour(classes: Sequence[str], name: str, alpha: float) -> str:
    return f"--c:{COLOURS[classes.index(name) % len(COLOURS)]};--a:{alpha:.2f}"


def _table_words(record: Record) -> list[tuple[Record, str]]:
    """The strongest contributions, each with the style of its bar.

    >>> words = [{"contribution": 2.0, "towards": "up"}, {"contribution": -1.0, "towards": "down"}]
    >>> [style.split(";")[-1] for _, style in _table_words({"contributions": words, "classes": ["down", "up"]})]
    ['width:9.00em', 'width:4.50em']
    """
    contributions = record["contributions"]
    largest = max([1e-12, *(abs(part["contribution"]) for part in contributions)])
    rows = []
    for part in contributions[:MAX_WORDS_SHOWN]:
        colour = _colour(record["classes"], part["towards"], 1.0) if part["towards"] else f"--c:{GREY}"
        rows.append((part, f"{colour};width:{BAR_WIDTH * abs(part['contribution']) / largest:.2f}em"))
    return rows
