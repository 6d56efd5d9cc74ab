"""The record of an explanation for people: coloured text in the terminal, HTML in notebooks and pages.

Both show the same record, and know nothing of models. Colour is never alone: a phrase is underlined, a negated word
struck through, and what each word adds stands in its tooltip and in the table.
"""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.text import Text

Record = Mapping[str, Any]
STYLES = ("red", "green", "blue", "magenta", "yellow", "cyan")
"""Terminal colours of the classes, in turn."""
COLOURS = ("213 94 0", "0 158 115", "0 114 178", "204 121 167", "230 159 0", "86 180 233")
"""The same for pages: Okabe and Ito's, which people who are colour-blind can tell apart."""
FAINT = 0.02
"""Below this share of the strongest word's contribution a word is not coloured."""

CSS = """
.problex-why { font: 15px/1.6 system-ui, sans-serif; max-width: 60rem; }
.problex-why p { margin: .5em 0; }
.problex-why .text { white-space: pre-wrap; overflow-wrap: anywhere; }
.problex-why mark { color: inherit; background: rgb(var(--c) / var(--a)); border-radius: .2em; padding: .05em .12em; }
.problex-why mark.none { background: none; border-bottom: 1px dotted currentColor; padding: 0; }
.problex-why mark.phrase { text-decoration: underline 2px; text-underline-offset: .2em; }
.problex-why mark.negated { text-decoration: line-through; }
.problex-why table { border-collapse: collapse; margin: .8em 0; font-variant-numeric: tabular-nums; }
.problex-why th { font-weight: 600; }
.problex-why th, .problex-why td { padding: .15em .7em; text-align: right; border: 0; }
.problex-why thead th { border-bottom: 1px solid rgb(128 128 128 / 60%); }
.problex-why tbody tr { background: none; }
.problex-why :is(th, td):first-child, .problex-why :is(th, td).word { text-align: left; }
.problex-why td:not(:first-child) { white-space: nowrap; }
.problex-why .bar { display: inline-block; height: .7em; background: rgb(var(--c)); border-radius: .15em; }
.problex-why small { opacity: .75; }
@media (max-width: 40rem) { .problex-why .wide { display: none; } }
"""


def coloured(record: Record) -> Text:
    """The text for a terminal: a class's colour, bold where a word says much, dim where little."""
    from rich.text import Text

    text = Text(record["text"])
    for piece in record["pieces"]:
        style = _style(piece, record["classes"])
        if style:
            text.stylize(style, piece["start"], piece["end"])
    return text


def _style(piece: Record, classes: list[str]) -> str:
    if not piece["entries"]:
        return ""
    marks = (" underline" if piece["phrase"] else "") + (" strike" if piece["negated"] else "")
    if piece["intensity"] < FAINT:
        return ("dim" + marks) if marks else ""
    strength = "bold " if piece["intensity"] > 2 / 3 else "" if piece["intensity"] > 1 / 4 else "dim "
    return strength + STYLES[classes.index(piece["towards"]) % len(STYLES)] + marks


def headline(record: Record) -> str:
    """The label, how sure the model is, and by what the log-odds were tempered.

    >>> headline({"label": "undecided", "probabilities": {"a": 0.5, "b": 0.5}, "calibrated": False, "tempering": 1.0,
    ...     "decision": 0.0, "tokens": 3, "unlocated": 0})
    'undecided (a 50%, b 50% by the model); decision +0.000; 3 tokens'
    """
    source = "calibrated by labels" if record["calibrated"] else "by the model"
    chances = ", ".join(f"{name} {chance:.0%}" for name, chance in record["probabilities"].items())
    parts = [f"{record['label']} ({chances} {source})"]
    if record["decision"] is not None:
        parts.append(f"decision {record['decision']:+.3f}")
    parts.append(f"{record['tokens']:,} token" + "s" * (record["tokens"] != 1))
    if record["tempering"] != 1.0:
        parts.append(f"tempered by {record['tempering']:.3f} for length")
    if record["unlocated"]:
        parts.append(f"{record['unlocated']} matched words are not marked: the tokenizer changed them")
    return "; ".join(parts)


def as_page(record: Record, title: str = "Why this label") -> str:
    """A page that stands alone, in the reader's light or dark."""
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width">\n<meta name="color-scheme" content="light dark">\n'
        f"<title>{escape(title)}</title>\n<style>body {{ margin: 1.5rem; }}</style>\n</head>\n"
        f"<body>\n{as_html(record)}\n</body>\n</html>"
    )


def as_html(record: Record) -> str:
    """A fragment with its own style, which takes text and background from where it stands. Everything is escaped."""
    label = escape(record["label"])
    shown = escape(headline(record).removeprefix(record["label"]))
    legend = " ".join(
        f'<mark style="{_colour(record["classes"], name, 0.45)}">{escape(name)}</mark>' for name in record["classes"]
    )
    notes = "<small>underlined: a phrase; struck through: negated; dotted: in the lexicon, without weight</small>"
    return (
        f'<div class="problex-why"><style>{CSS}</style>\n<p><b>{label}</b>{shown}</p>\n'
        f'<p class="text">{marked(record)}</p>\n<p>{legend} {notes}</p>\n'
        f"{_words(record)}\n{_sums(record)}\n</div>"
    )


def marked(record: Record) -> str:
    """The text alone, as HTML with `mark` elements; `CSS` styles them inside class `problex-why`."""
    return "".join(_piece(piece, record["classes"]) for piece in record["pieces"])


def _piece(piece: Record, classes: list[str]) -> str:
    text = escape(piece["text"])
    if not piece["entries"]:
        return text
    weak = piece["intensity"] < FAINT
    names = ["none"] * weak + ["phrase"] * piece["phrase"] + ["negated"] * piece["negated"]
    kind = f' class="{" ".join(names)}"' if names else ""
    colour = "" if weak else f' style="{_colour(classes, piece["towards"], 0.12 + 0.48 * piece["intensity"])}"'
    favours = f", for {piece['towards']}" if piece["towards"] else ""
    tip = escape(f"{', '.join(piece['entries'])}: {piece['contribution']:+.3f}{favours}", quote=True)
    return f'<mark{kind}{colour} title="{tip}">{text}</mark>'


def _colour(classes: list[str], name: str, alpha: float) -> str:
    return f"--c:{COLOURS[classes.index(name) % len(COLOURS)]};--a:{alpha:.2f}"


def _words(record: Record, most: int = 30) -> str:
    parts = record["contributions"]
    top = max([1e-12, *(abs(part["contribution"]) for part in parts)])
    rows = []
    for part in parts[:most]:
        width = f"{9 * abs(part['contribution']) / top:.2f}em"
        colour = _colour(record["classes"], part["towards"], 1.0) if part["towards"] else "--c:128 128 128"
        rows.append(
            f'<tr><td>{escape(part["entry"])}</td><td class="word">{escape(part["list"] or part["source"])}</td>'
            f'<td>{part["count"]}</td><td class="wide">{part["effective_count"]:.2f}</td>'
            f'<td class="wide">{part["weight"]:.3f}</td><td>{part["contribution"]:+.3f}</td>'
            f'<td class="word wide"><span class="bar" style="{colour};width:{width}"></span></td></tr>'
        )
    head = (
        '<tr><th>word</th><th class="word">list</th><th>count</th><th class="wide">effective count</th>'
        '<th class="wide">weight</th><th>adds</th><th class="wide"></th></tr>'
    )
    rest = len(parts) - most
    more = f"<p><small>and {rest} words more, all weaker</small></p>" if rest > 0 else ""
    body = "\n".join(rows)
    return f"<table><thead>{head}</thead><tbody>{body}</tbody></table>{more}" if rows else "<p>No word has a say.</p>"


def _sums(record: Record) -> str:
    columns = ["decision"] if record["decision"] is not None else record["classes"]
    head = "".join(f"<th>{escape(name)}</th>" for name in ["", "words", *columns])
    rows = []
    for row in record["sums"]:
        cells = "".join(f"<td>{row[name]:+.3f}</td>" for name in columns)
        words = "" if row["words"] is None else row["words"]
        rows.append(f"<tr><td>{escape(row['part'])}</td><td>{words}</td>{cells}</tr>")
    return f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"
