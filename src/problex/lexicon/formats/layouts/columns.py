"""What the cells, the names and the columns of a table of words mean."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

MARKS = frozenset({"x", "✓", "✔", "true", "yes"})
"""Cells that put a word into the category of their column."""
MISSING = frozenset({"", "-", "--", "—", "na", "n/a", "nan", "null", "none", "."})
"""Cells that hold nothing."""


def as_number(cell: str) -> float | None:
    """The number in a cell, with a comma or a point, or None.

    >>> as_number("-0,05"), as_number(" 2 "), as_number("two"), as_number("nan")
    (-0.05, 2.0, None, None)
    """
    text = cell.strip()
    if not text or text[-1] not in "0123456789.":
        return None
    try:
        value = float(text.replace(",", ".") if text.count(",") == 1 and "." not in text else text)
    except ValueError:
        return None
    return value if math.isfinite(value) and "_" not in text else None


def membership(cell: str, name: str = "") -> tuple[bool, float | None] | None:
    """Whether a mark puts a word into a category, and with what weight; None for a cell that is neither.

    In the General Inquirer, the mark is the `name` of the category.

    >>> membership("X"), membership("0"), membership("0.5"), membership("hello"), membership("Negativ", "Negativ")
    ((True, None), (False, None), (True, 0.5), None, (True, None))
    """
    text = cell.strip().casefold()
    if text in MARKS or (text and text == name.strip().casefold()):
        return True, None
    if text in MISSING or text in ("false", "no"):
        return False, None
    number = as_number(text)
    return None if number is None else (number != 0, number or None)


WORD, LIST, WEIGHT, OTHER = "word", "list", "weight", "other"
"""The roles of columns; `OTHER` is never a category: an index, a frequency, a deviation, a part of speech, a note."""
WORD_COLUMNS: tuple[str, ...] = (
    "word", "entry", "term", "token", "phrase", "lemma", "pattern", "dicterm", "words", "terms", "entries", "tokens",
    "lemmas", "ngram", "ngrams", "unigram", "keyword", "keywords", "headword", "expression", "concept", "concepts",
    "emoji", "emoticon", "item", "form", "lexeme", "wort", "mot", "palabra", "palavra", "parola", "woord", "ord",
    "слово", "слова", "單詞", "单词", "词语", "詞語", "单語", "単語", "단어", "kata", "kelime", "słowo", "slovo",
    "lexicon", "text",
)  # fmt: skip
"""Names of the column of the words; of two, the earlier one counts."""
LIST_COLUMNS: tuple[str, ...] = (
    "list", "label", "category", "class", "polarity", "sentiment", "emotion", "topic", "affectcategory",
    "priorpolarity", "labels", "categories", "orientation", "valence class", "foundation", "dimension", "group",
    "kategorie", "catégorie", "categoría", "sentimiento", "emoción", "polaridad", "情感分类", "情感分類", "类别",
    "類別", "lexicon", "tags", "tag", "type",
)  # fmt: skip
WEIGHT_COLUMNS: tuple[str, ...] = (
    "weight", "score", "value", "polarity", "pol", "sentiment", "valence", "association", "associationflag", "scores",
    "weights", "values", "rating", "happiness", "wert", "poids", "peso", "puntuacion", "puntuación", "punteggio",
    "强度", "強度", "intensity", "strength",
)  # fmt: skip
DIMENSIONS = frozenset({"valence", "arousal", "dominance", "concreteness", "imageability", "happiness"})
"""Ratings of words that are not amounts of a label: a table with several of them has a category for each."""
OTHER_NAMES = frozenset({
    "rank", "sd", "std", "stdev", "stddev", "dev", "deviation", "se", "variance", "freq", "frequency", "frq",
    "freqlist", "frqlist", "count", "counts", "occurrences", "total", "percent", "pct", "idf", "tf", "id", "index",
    "idx", "num", "number", "nr", "seq", "position", "length", "len", "syllables", "source", "sources", "date", "year",
    "url", "link", "comment", "comments", "note", "notes", "example", "examples", "definition", "gloss", "pos",
    "postag", "postags", "upos", "stemmed", "rat", "ratings", "codepoint", "bigram", "subtlex", "lang", "language",
    "stereotype", "level", "ratio", "translation", "n", "unknown", "词性种类", "词义数", "词义序号", "词性",
    "辅助情感分类", "ci", "lower", "upper", "speech", "wordtype", "tagset", "lexiconfile",
})  # fmt: skip
OTHER_WHOLE = frozenset({"no", "no."})
"""The same for whole names only: `no_result` is no number of a row."""
POLARITIES = frozenset({
    "positive", "negative", "neutral", "pos", "neg", "neu", "both", "mixed", "positiv", "negativ", "positif", "négatif",
    "positivo", "negativo", "positivi", "negativi", "p", "n", "положительный", "отрицательный", "позитив", "негатив",
})  # fmt: skip
"""Names of lists that are known as such."""
EMOTIONS = frozenset({
    "anger", "anticipation", "disgust", "fear", "joy", "sadness", "surprise", "trust", "love", "happiness", "sad",
    "angry", "happy",
})  # fmt: skip
LABELS = POLARITIES | EMOTIONS
LOOSE_NAMES = frozenset({"text", "lexicon", "item", "form", "entry", "type"})
"""Names of columns of words that columns of sentences have, too."""


@lru_cache(maxsize=1024)
def name_words(name: str) -> tuple[str, ...]:
    """The words of the name of a column, in lower case.

    >>> name_words("Emotion-Intensity-Score"), name_words("HappRank"), name_words("word1"), name_words("V.SD.Sum")
    (('emotion', 'intensity', 'score'), ('happ', 'rank'), ('word',), ('v', 'sd', 'sum'))
    """
    split = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name.strip())
    words = [word for word in re.split(r"[\s_.\-/:#()%]+", split.casefold()) if word]
    return tuple(re.sub(r"(?<=[a-z]{3})\d+$", "", word) for word in words)


def role_of(name: str) -> str | None:
    """The role that a name gives to a column, or None.

    >>> [role_of(name) for name in ("Word", "Word Count", "Sentiment Class", "stddev", "polarity_score", "joy")]
    ['word', 'other', 'list', 'other', 'weight', None]
    """
    whole, words = name.strip().casefold(), name_words(name)
    for role, names in ((WORD, WORD_COLUMNS), (LIST, LIST_COLUMNS), (WEIGHT, WEIGHT_COLUMNS)):
        if whole in names or " ".join(words) in names:
            return role
    if not words or whole in OTHER_WHOLE or not OTHER_NAMES.isdisjoint(words):
        return OTHER
    for word in reversed(words):
        for role, names in ((WORD, WORD_COLUMNS[:-2]), (WEIGHT, WEIGHT_COLUMNS), (LIST, LIST_COLUMNS)):
            if word in names and word != "type":
                return role
    return None


def first_named(header: Sequence[str], names: Sequence[str]) -> int | None:
    """The column whose name comes first in `names`: the whole name, or else a word of it.

    >>> first_named(["id", "Sentiment Class"], LIST_COLUMNS)
    1
    """
    folded = [name.strip().casefold() for name in header]
    joined = [" ".join(name_words(name)) for name in header]
    for names_of_columns in (folded, joined):
        for name in names:
            if name in names_of_columns:
                return names_of_columns.index(name)
    words = [() if role_of(name) == OTHER else name_words(name) for name in header]
    return next((at for name in names for at, words_of_name in enumerate(words) if name in words_of_name), None)


MOST = 0.9
"""Share of the cells that must be alike for a column to be of a kind."""
MAX_LABELS = 60
"""Different values that a column of labels may have in a large table."""
PARTS_OF_SPEECH = frozenset({
    "n", "v", "a", "r", "s", "adj", "adv", "noun", "verb", "adjective", "adverb", "nn", "vv", "ad", "anypos", "nnp",
    "vb", "jj", "rb", "prep", "pron", "conj", "vvinf", "adja", "adjd", "ne", "sb.", "adj.", "vb.", "adv.", "名詞",
    "動詞", "形容詞", "副詞", "助動詞",
})  # fmt: skip
LEAST_INDEX = 20
"""Rows from which on different whole numbers in any order number the rows."""
LEAST_CODE = 10_000
"""Different whole numbers from this on are codes."""
Row = tuple[str, list[str]]
"""A position and its cells."""


@dataclass(frozen=True, eq=False)
class TableColumn:
    """The position, the name and the cells of a column that hold something."""

    at: int
    name: str
    cells: list[str]
    rows: int

    @cached_property
    def values(self) -> list[float]:
        """The numbers in its cells."""
        return [number for cell in self.cells if (number := as_number(cell)) is not None]

    @cached_property
    def signs(self) -> set[bool]:
        """Whether some of them are above 0, and some below."""
        return {value > 0 for value in self.values if value}

    @property
    def is_number(self) -> bool:
        """Whether it holds numbers."""
        return 2 * len(self.values) > len(self.cells)

    @cached_property
    def is_index(self) -> bool:
        """Whether it numbers the rows, in any order: 1, 2, 3, or codes such as EN12.

        >>> TableColumn(0, "", ["1", "2", "3"], 3).is_index, TableColumn(0, "", ["1", "3", "3"], 3).is_index
        (True, False)
        """
        if len(self.cells) < max(3, MOST * self.rows):
            return False
        if self.is_number:
            if self.values in ([*range(len(self.values))], [*range(1, len(self.values) + 1)]):
                return True
            whole = {value for value in self.values if value == int(value)}
            if len(self.cells) < LEAST_INDEX or len(whole) < MOST * len(self.cells):
                return False
            if min(whole) >= LEAST_CODE:
                return True
            return min(whole) >= 0 and max(whole) - min(whole) < 1.2 * len(self.cells)
        codes = sum(bool(re.fullmatch(r"[A-Z]{1,4}-?\d+|0x[0-9a-f]+", cell)) for cell in self.cells)
        return codes >= MOST * len(self.cells)

    @cached_property
    def is_membership(self) -> bool:
        """Whether every cell is a mark, a number, or the name of the column.

        >>> [TableColumn(1, "joy", cells, 2).is_membership for cells in (["X", "Joy"], ["X", "glad"])]
        [True, False]
        """
        unknown = sum(membership(cell, self.name) is None for cell in self.cells)
        return bool(self.cells) and (not unknown or (unknown < 0.02 * len(self.cells) and len(self.cells) > 100))

    @cached_property
    def is_flag(self) -> bool:
        """Whether it only says that words are in a category or not: 0 and 1, X, or the name of the column."""
        meanings = {membership(cell, self.name) for cell in self.cells}
        return bool(meanings) and meanings <= {(True, None), (False, None), (True, 1.0)}

    @property
    def holds_all(self) -> bool:
        """Whether every word is in its category, so that it says nothing."""
        return (
            self.is_flag and self.is_filled and all(membership(one, self.name) != (False, None) for one in self.cells)
        )

    @property
    def repeats_its_name(self) -> bool:
        """Whether some cells are the name of the column, as in the General Inquirer."""
        return bool(self.name) and any(cell.casefold() == self.name.casefold() for cell in self.cells)

    @cached_property
    def distinct(self) -> int:
        """How many different cells it has."""
        return len({cell.casefold() for cell in self.cells})

    @cached_property
    def is_known_label(self) -> bool:
        """Whether its cells are names of polarities or emotions."""
        known = sum(cell.casefold() in LABELS for cell in self.cells)
        return self.is_text and self.is_filled and known >= 0.8 * len(self.cells)

    @cached_property
    def is_part_of_speech(self) -> bool:
        """Whether its cells are parts of speech."""
        known = sum(cell.casefold() in PARTS_OF_SPEECH for cell in self.cells)
        return bool(self.cells) and known >= 0.8 * len(self.cells) and not self.is_known_label

    @property
    def is_filled(self) -> bool:
        """Whether nearly every row has a cell here: remarks are in some rows only."""
        return len(self.cells) >= MOST * self.rows

    @property
    def is_text(self) -> bool:
        """Whether it holds text, not numbers."""
        return bool(self.cells) and len(self.values) < 0.5 * len(self.cells)

    @cached_property
    def is_label(self) -> bool:
        """Whether its cells are a few texts that repeat.

        >>> [TableColumn(1, "", cells, 3).is_label for cells in (["up", "down", "up"], ["good", "bad", "fine"])]
        [True, False]
        """
        if not self.is_filled:
            return False
        few = self.distinct <= min(MAX_LABELS, max(2, len(self.cells) // 3))
        return self.is_text and few and not self.is_part_of_speech and not self.has_sentences

    @cached_property
    def has_sentences(self) -> bool:
        """Whether its cells are longer than entries: examples, definitions."""
        spaces = sum(cell.count(" ") for cell in self.cells)
        return spaces > 4 * len(self.cells)

    @cached_property
    def is_words(self) -> bool:
        """Whether its cells are texts that hardly repeat."""
        return self.is_text and self.distinct > 0.3 * len(self.cells) and not self.has_sentences and not self.is_index

    @property
    def may_be_sentences(self) -> bool:
        """Whether it has sentences, and a name that such columns have, too."""
        return self.has_sentences and self.name.casefold() in LOOSE_NAMES

    @property
    def is_other(self) -> bool:
        """Whether its name says that it is neither a category nor a weight."""
        return role_of(self.name) == OTHER if self.name else False


def columns_of(rows: Sequence[Row], header: Sequence[str] = ()) -> list[TableColumn]:
    """The columns of some rows, named by a header."""
    width = max([len(header), *(len(row) for _, row in rows)], default=0)
    columns = []
    for at in range(width):
        cells = [cell for _, row in rows if at < len(row) and (cell := row[at].strip()).casefold() not in MISSING]
        columns.append(TableColumn(at, header[at].strip() if at < len(header) else "", cells, len(rows)))
    return columns


def _is_sparse(column: TableColumn) -> bool:
    """Whether a column has one value in some rows."""
    return column.distinct == 1 and not column.is_filled


def has_header(rows: Sequence[Row]) -> bool:
    """Whether the first row names the columns.

    >>> rows = [("a:1", ["word", "list"]), ("a:2", ["good", "up"]), ("a:3", ["bad", "down"])]
    >>> has_header(rows), has_header(rows[1:])
    (True, False)
    """
    first = [cell.strip() for cell in rows[0][1]]
    rest = columns_of(rows[1:])
    if len(first) > 1 and not first[0] and all(as_number(cell) == at for at, cell in enumerate(first[1:])):
        return True  # as pandas writes columns without names
    if any(as_number(cell) is not None for cell in first):
        return False
    if any(role_of(cell) == "word" for cell in first):
        return True
    if not rest or len(rows) < 3:
        return False
    if first[0] == "" and all(first[1:]) and len(first) > 1:
        return True  # an index, or the words, without a name
    named = [(first[column.at], column) for column in rest if column.at < len(first) and first[column.at]]
    if any(column.is_number and len(column.cells) > 1 for _, column in named):
        return True
    if sum(name.casefold() in map(str.casefold, column.cells) for name, column in named if _is_sparse(column)) > 1:
        return True  # the General Inquirer
    labels = [(name, column) for name, column in named if column.is_label and len(column.cells) > 9]
    return bool(labels) and all(name.casefold() not in map(str.casefold, column.cells) for name, column in labels)
