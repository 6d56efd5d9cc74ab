"""What the name of a column says about its content."""

from __future__ import annotations

import re
from functools import lru_cache

WORD, LIST, WEIGHT, OTHER = "word", "list", "weight", "other"
"""The roles of columns; `OTHER` is never a category: an index, a frequency, a deviation, a part of speech, a note."""
WORD_COLUMNS: tuple[str, ...] = (
    "word", "entry", "term", "token", "phrase", "lemma", "pattern", "dicterm", "words", "terms", "entries", "tokens",
    "lemmas", "ngram", "ngrams", "unigram", "keyword", "keywords", "headword", "expression", "concept", "concepts",
    "emoji", "emoticon", "item", "form", "lexeme", "wort", "mot", "palabra", "palavra", "parola", "woord", "ord",
    "слово", "слова", "單詞", "单词", "词语", "詞語", "单語", "単語", "단어", "kata", "kelime", "słowo",
    "slovo", "lexicon", "text",
)  # fmt: skip
"""Names of the column of the words; of two, the earlier one counts."""
LIST_COLUMNS: tuple[str, ...] = (
    "list", "label", "category", "class", "polarity", "sentiment", "emotion", "topic", "affectcategory",
    "priorpolarity", "labels", "categories", "orientation", "valence class", "foundation", "dimension", "group",
    "kategorie",
    "catégorie", "categoría", "sentimiento", "emoción", "polaridad", "情感分类", "情感分類", "类别", "類別", "lexicon",
    "tags", "tag", "type",
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
    "idx",
    "num", "number", "nr", "seq", "position", "length", "len", "syllables", "source", "sources", "date", "year",
    "url", "link", "comment", "comments", "note", "notes", "example", "examples", "definition", "gloss", "pos",
    "postag",
    "postags", "upos", "stemmed", "rat", "ratings", "codepoint", "bigram", "subtlex", "lang", "language", "stereotype",
    "level", "ratio",
    "translation", "n", "unknown",
    "词性种类", "词义数", "词义序号", "词性", "辅助情感分类",
    "ci", "lower", "upper", "speech", "wordtype", "tagset", "lexiconfile",
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


@lru_cache(maxsize=1024)
def parts_of(name: str) -> tuple[str, ...]:
    """The words of the name of a column, in lower case.

    >>> parts_of("Emotion-Intensity-Score"), parts_of("HappRank"), parts_of("word1"), parts_of("V.SD.Sum")
    (('emotion', 'intensity', 'score'), ('happ', 'rank'), ('word',), ('v', 'sd', 'sum'))
    """
    split = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name.strip())
    parts = [part for part in re.split(r"[\s_.\-/:#()%]+", split.casefold()) if part]
    return tuple(re.sub(r"(?<=[a-z]{3})\d+$", "", part) for part in parts)


def role_of(name: str) -> str | None:
    """The role that a name gives to a column, or None.

    >>> [role_of(name) for name in ("Word", "Word Count", "Sentiment Class", "stddev", "polarity_score", "joy")]
    ['word', 'other', 'list', 'other', 'weight', None]
    """
    whole, parts = name.strip().casefold(), parts_of(name)
    for role, names in ((WORD, WORD_COLUMNS), (LIST, LIST_COLUMNS), (WEIGHT, WEIGHT_COLUMNS)):
        if whole in names or " ".join(parts) in names:
            return role
    if not parts or whole in OTHER_WHOLE or not OTHER_NAMES.isdisjoint(parts):
        return OTHER
    for part in reversed(parts):
        for role, names in ((WORD, WORD_COLUMNS[:-2]), (WEIGHT, WEIGHT_COLUMNS), (LIST, LIST_COLUMNS)):
            if part in names and part != "type":
                return role
    return None


def first_named(header: list[str], names: tuple[str, ...]) -> int | None:
    """The column whose name comes first in `names`: the whole name, or else a part of it.

    >>> first_named(["id", "Sentiment Class"], LIST_COLUMNS)
    1
    """
    folded = [name.strip().casefold() for name in header]
    joined = [" ".join(parts_of(name)) for name in header]
    for names_of_columns in (folded, joined):
        for name in names:
            if name in names_of_columns:
                return names_of_columns.index(name)
    parts = [() if role_of(name) == OTHER else parts_of(name) for name in header]
    return next((at for name in names for at, own in enumerate(parts) if name in own), None)
