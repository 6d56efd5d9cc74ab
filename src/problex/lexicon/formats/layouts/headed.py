"""Tables with a header: names decide, and where they are unknown, the cells."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from problex.errors import LexiconError, opt
from problex.lexicon.formats.layouts.columns import (
    DIMENSIONS,
    LABELS,
    LIST_COLUMNS,
    WEIGHT,
    WEIGHT_COLUMNS,
    WORD,
    WORD_COLUMNS,
    TableColumn,
    columns_of,
    first_named,
    name_words,
    role_of,
)
from problex.lexicon.formats.layouts.entries import WordTable, cell_of

LOUGHRAN = (
    "negative", "positive", "uncertainty", "litigious", "strong_modal", "weak_modal", "moderate_modal", "modal",
    "constraining", "complexity", "interesting", "superfluous", "harvard_iv",
)  # fmt: skip
"""The categories of the Loughran-McDonald master dictionary, whose cells hold the year in which a word was added."""
PLAIN_WEIGHTS = frozenset({"weight", "score", "polarity", "sentiment", "pol"})
"""Names of a weight beside which other numbers are no rivals."""
SIGNS = (("pos", "neg"), ("positive", "negative"), ("positivity", "negativity"))
LARGE = 20
"""Rows from which on the cells of a column count for more than its name."""
MIN_DISTINCT, MIN_SHARE = 20, 0.02
"""Different texts, and their share of the rows, from which on a column may hold words or keys."""
LEAST_PAIRS = 8
"""Rows from which on columns of equal length are pairs of words, not lists."""


@dataclass(frozen=True)
class Header:
    """A table without the row of names, its columns, and what they are by name."""

    table: WordTable
    columns: list[TableColumn]

    @cached_property
    def word(self) -> TableColumn:
        """The column of the words: by its name, or the first whose cells hardly repeat."""
        columns, rivals = self.columns, [column for column in self.columns if column.is_words]
        at = first_named([column.name for column in columns], WORD_COLUMNS)
        named = None if at is None else columns[at]
        if named and (named.is_text or named.rows < LARGE or not rivals) and not named.may_be_sentences:
            return named
        best = [column for column in rivals if not column.is_other or column.name.startswith("column ")] or rivals
        if not best:
            raise unknown(self.table.name, [column.name for column in columns])
        return max(best, key=lambda column: (round(column.distinct / max(1, len(column.cells)), 1), -column.at))

    @cached_property
    def others(self) -> list[TableColumn]:
        """The columns beside it that hold something."""
        return [column for column in self.columns if column is not self.word and column.cells]

    @cached_property
    def marked(self) -> list[TableColumn]:
        """The columns of marks and numbers."""
        others = [column for column in self.others if column.is_membership and not column.is_index]
        return [column for column in others if column.repeats_its_name or not column.is_other]

    @cached_property
    def rated(self) -> list[TableColumn]:
        """Those of numbers that are not all 0 or 1."""
        return [column for column in self.marked if column.is_number and not column.is_flag]

    @cached_property
    def flags(self) -> list[TableColumn]:
        """The columns of marks alone. `pos` is positive, not a part of speech, only if there is `neg`."""
        names = {column.name.casefold() for column in self.others}
        signs = {"pos", "neg"} if names >= {"pos", "neg"} else set()
        return [
            column
            for column in self.others
            if column.is_flag and (column in self.marked or column.name.casefold() in signs)
        ]

    @cached_property
    def signs(self) -> list[TableColumn]:
        """Two columns of numbers whose names differ by pos and neg only: `score_pos`, `score_neg`."""
        names = {name_words(one.name): one for one in self.others if one.is_number and not one.is_index}
        pairs = []
        for words, column in names.items():
            for positive, negative in SIGNS:
                other = tuple(negative if word == positive else word for word in words)
                if len(words) > 1 and other != words and other in names:
                    pairs.append([column, names[other]])
        return pairs[0] if len(pairs) == 1 else []

    @cached_property
    def lists(self) -> list[TableColumn]:
        """The columns that name lists: one, and those with the same name and a number, `category_1`, `category_2`."""
        texts = [
            column
            for column in self.others
            if not column.is_number
            and (column.name.casefold() in LIST_COLUMNS[:4] or not (column.rows >= LARGE and column.is_words))
        ]
        at = first_named([column.name for column in texts], LIST_COLUMNS)
        if at is None or (texts[at].rows >= LARGE and 2 * len(texts[at].cells) < texts[at].rows):  # remarks
            return [column for column in texts if column.is_known_label][:1]
        return [column for column in texts if name_words(column.name) == name_words(texts[at].name)]

    @cached_property
    def weight(self) -> TableColumn | None:
        """The column that is named as the weight and holds numbers."""
        numbers = [
            column
            for column in self.others
            if (column.is_number and not column.is_index) or column.name.casefold() == "weight"
        ]
        at = first_named([column.name for column in numbers], WEIGHT_COLUMNS)
        return None if at is None else numbers[at]

    def ignore_all_but(self, used: Sequence[TableColumn]) -> None:
        """Report the columns that are neither the words nor used."""
        self.table.ignore([column.name for column in self.others if column not in used])

    def read_words(self) -> None:
        """Read the words as one list."""
        self.ignore_all_but([])
        self.table.add_words(self.word.at)

    def read_wide(self, columns: Sequence[TableColumn], labels: Sequence[TableColumn] = ()) -> None:
        """Read each column as a category of its name, and the first of the labels as the names of lists."""
        self.ignore_all_but([*columns, *labels])
        self.table.add_wide(self.word.at, {column.at: column.name for column in columns})
        if labels:
            self.table.add_long(self.word.at, [labels[0].at])

    def read_signed(self, weight: TableColumn, rivals: Sequence[TableColumn] = ()) -> None:
        """Read one weight: two lists by sign; one list if all weights have the same sign, without a midpoint."""
        table, name = self.table, weight.name.casefold()
        self.ignore_all_but([weight])
        if rivals:
            names = ", ".join(column.name for column in [weight, *rivals])
            table.doubt(names, f"{weight.name!r} was read as the weight: name another with {opt('weight')}")
        one_list = None
        if table.options.midpoint is None and len(weight.signs) == 1:
            one_list = table.default_list if name in WEIGHT_COLUMNS and name not in DIMENSIONS else weight.name
        if one_list is not None and not agrees(one_list, positive=True in weight.signs):
            low, high = min(weight.values), max(weight.values)
            table.doubt(
                weight.name,
                f"all weights are from {low:g} to {high:g}, so there is one list, {one_list!r}: "
                f"{opt('midpoint')} makes two, of the words above and below it",
            )
        table.add_signed(self.word.at, weight.at, one_list)

    def doubt_words(self) -> None:
        """Say that there are other columns of words: those named so, and those of keys and texts of unknown names."""
        word, others = self.word, [column for column in self.others if column not in self.lists]
        named = [column for column in others if column.is_words and role_of(column.name) == WORD]
        if word.name.casefold() in WORD_COLUMNS[:8]:
            named = [column for column in named if column.name.casefold() in WORD_COLUMNS and not is_like(column, word)]
        keys = [column for column in others if word.name.casefold() not in WORD_COLUMNS and _holds_texts(column, word)]
        if rivals := list(dict.fromkeys([*named, *keys])):
            names = ", ".join(column.name for column in [word, *rivals])
            self.table.doubt(names, f"the words were read from {word.name!r}: name another column with {opt('word')}")


def read_with_header(table: WordTable, header: list[str]) -> None:
    """Read a table whose first row was a header."""
    folded = [name.casefold() for name in header]
    if folded in (["word", "list"], ["word", "list", "weight"]) and not table.is_one_list:
        table.add_long(0, [1], 2 if len(header) > 2 else None, flags=False, missing={""})  # as problex writes them
        return
    sheet = Header(table, columns_of(table.rows, header))
    word = sheet.word.at
    if {"negative", "positive"} <= {*folded} and any(name.startswith(("seq", "word count")) for name in folded):
        categories = {at: name for at, name in enumerate(header) if name.casefold().replace(" ", "_") in LOUGHRAN}
        table.ignore([name for at, name in enumerate(header) if at != word and at not in categories])
        table.add_years(word, categories)
        return
    sheet.doubt_words()
    if table.is_one_list and not sheet.lists and sheet.weight is None:
        sheet.read_words()
    elif sheet.signs and not sheet.lists and all(column in sheet.signs for column in sheet.marked):
        sheet.read_wide(sheet.signs)
    elif len(sheet.flags) >= (3 if sheet.lists else 2):
        _read_marks(sheet)
    elif sheet.lists:
        _read_lists(sheet)
    else:
        _read_numbers(sheet)


def _read_marks(sheet: Header) -> None:
    """Read a column of marks for each category, maybe beside one column of polarities or emotions."""
    unnamed = [column for column in sheet.marked if role_of(column.name) is None]
    wide = [column for column in sheet.others if column in sheet.flags or column in unnamed]
    labels = [one for one in sheet.others if one not in wide and one.is_known_label and one.distinct > 1]
    if len(labels) > 1:
        marks = ", ".join(column.name for column in wide[:4])
        action = f"left out, as the lists were read from {marks}: name one with {opt('label')} if it is meant"
        sheet.table.doubt(", ".join(column.name for column in labels), action)
    sheet.read_wide(wide, labels if len(labels) == 1 else ())


def _read_lists(sheet: Header) -> None:
    """Read the columns of lists, maybe with weights: 0 and 1 are membership if the column is not called weight."""
    lists, weight = sheet.lists, sheet.weight
    left = [one for one in sheet.marked if one is not weight and one.is_number and not one.is_flag]
    if len(left) > 2 or (len(lists) > 1 and left):
        read = ", ".join(column.name for column in lists[:4])
        action = f"left out, as the lists were read from {read}: name a column with {opt('weight')} or {opt('label')}"
        sheet.table.doubt(_first_names(left), action)
    sheet.ignore_all_but([*lists, *([weight] if weight else [])])
    flags = weight is None or weight.name.casefold() != "weight"
    sheet.table.add_long(sheet.word.at, [one.at for one in lists], weight.at if weight else None, flags=flags)


def _read_numbers(sheet: Header) -> None:
    """Read one number of each word as a weight; several are categories, unless one of them is named as the weight."""
    marked, rated, weight = sheet.marked, sheet.rated, sheet.weight
    is_dimension = weight is not None and not DIMENSIONS.isdisjoint(name_words(weight.name)) and len(rated) > 1
    if weight is not None and not is_dimension and not weight.is_flag:
        is_plain = weight.name.casefold() in PLAIN_WEIGHTS or len(rated) < 2
        sheet.read_signed(weight, () if is_plain else [column for column in rated if column is not weight])
    elif len(marked) == 1 and marked == rated and len(rated[0].values) == len(rated[0].cells):
        sheet.read_signed(rated[0])
    elif len(marked) == 1 and role_of(marked[0].name) == WEIGHT:
        sheet.read_words()  # every weight is 1
    elif marked:
        sheet.read_wide(marked)
        _doubt_categories(sheet.table, marked, rated)
    else:
        _read_texts(sheet)


def _doubt_categories(table: WordTable, marked: Sequence[TableColumn], rated: Sequence[TableColumn]) -> None:
    """Say that columns of numbers are categories; raise if there is a midpoint, which would be that of one of them."""
    if table.options.midpoint is not None and len(rated) > 1:
        names = ", ".join(repr(column.name) for column in rated)
        midpoint = opt("midpoint", f"{table.options.midpoint:g}")
        raise LexiconError(
            f"{midpoint} was given, but {table.name} has {len(rated)} columns of numbers "
            f"({names}), expected one: name it with {opt('weight')}"
        )
    if len(rated) > 1:
        action = (
            f"each column of numbers was read as a category with weights; {opt('weight')} and {opt('midpoint')} "
            "make two lists of one of them"
        )
        table.doubt(_first_names(rated), action)
    elif len(marked) == 1 and marked[0].holds_all and marked[0].name.casefold() not in LABELS:
        table.doubt(marked[0].name, f"it was read as the category of all words: name the list with {opt('label')}")


def _read_texts(sheet: Header) -> None:
    """Read texts that repeat as the lists, unless a column has numbers above and below 0, whatever its name.

    Texts that do not repeat are another language or spelling.
    """
    others = sheet.others
    signed = [one for one in others if one.is_number and one.is_filled and not one.is_index and len(one.signs) > 1]
    labels = [one for one in others if one.is_known_label]
    labels = labels or [one for one in others if one.is_label and not one.is_other and one.distinct > 1]
    if len(signed) == 1:
        sheet.read_signed(signed[0])
    elif labels:
        sheet.ignore_all_but(labels[:1])
        if len(labels) > 1:
            names = ", ".join(column.name for column in labels)
            sheet.table.doubt(names, f"{labels[0].name!r} was read as the lists: name another with {opt('label')}")
        sheet.table.add_long(sheet.word.at, [labels[0].at])
    else:
        refuse_pairs(sheet.table, [sheet.word, *others])
        if not all(column.is_other or column.is_index or column.has_sentences for column in others):
            raise unknown(sheet.table.name, [sheet.word.name, *(column.name for column in others)])
        sheet.read_words()


def _first_names(columns: Sequence[TableColumn]) -> str:
    return ", ".join(column.name for column in columns[:6]) + (", ..." if len(columns) > 6 else "")


def _holds_texts(column: TableColumn, word: TableColumn) -> bool:
    """Whether a column has many different texts that are not those of the words."""
    many = column.distinct > MIN_DISTINCT and column.distinct > MIN_SHARE * len(column.cells)
    is_plain = column.is_text and column.is_filled and not column.is_index and not column.has_sentences
    same = sum(one == other for one, other in zip(column.cells, word.cells, strict=False))
    return many and is_plain and not column.is_other and 2 * same < len(column.cells)


def is_like(column: TableColumn, word: TableColumn) -> bool:
    """Whether a column has the same words, or their lemmas: half of its cells are those of the other."""
    return 2 * len(set(column.cells) & set(word.cells)) > len(set(column.cells))


def agrees(name: str, *, positive: bool) -> bool:
    """Whether the name of a list says the sign of its weights.

    >>> agrees("neg_words", positive=False), agrees("neg_words", positive=True), agrees("joy", positive=True)
    (True, False, False)
    """
    return any(word.startswith("pos" if positive else "neg") for word in name_words(name.replace("~", " ")))


def refuse_pairs(table: WordTable, columns: Sequence[TableColumn]) -> None:
    """Raise if two columns hold a word, or a text about it, in nearly every row: spellings, or a translation."""
    full = [column for column in columns if len(column.cells) > 0.95 * column.rows and not column.is_index]
    words = [column for column in full if column.is_text and not column.is_label and not column.is_part_of_speech]
    if len(words) < 2 or words[0].rows < LEAST_PAIRS:
        return
    rows = "; ".join(
        " | ".join(cell_of(row, column.at).strip()[:30] for column in words[:3]) for _, row in table.rows[:3]
    )
    raise LexiconError(
        f"{table.name} has a text in {len(words)} columns of each row ({rows}), as tables of spellings or translations "
        f"have, expected a word and its list: name the columns with {opt('word')} and {opt('label')}, or only "
        f"{opt('word')}"
    )


def unknown(name: str, columns: list[str]) -> LexiconError:
    """The error for columns that are not understood."""
    shown = ", ".join(repr(cell.strip()) for cell in columns[:12]) + (", ..." if len(columns) > 12 else "")
    return LexiconError(
        f"{name} has the columns {shown}: expected one for the word ({', '.join(WORD_COLUMNS[:4])}, ...) and one for "
        f"its list ({', '.join(LIST_COLUMNS[:4])}, ...); name them with {opt('word')} and {opt('label')}, or "
        "name the list: positive=file"
    )
