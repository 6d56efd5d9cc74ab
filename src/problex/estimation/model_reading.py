"""A model from the parsed content of its file: every value is checked, so that a damaged file cannot predict nonsense.

Readers raise `DamagedValueError` with the name of the value; `problex.estimation.model_file` adds that of the file.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields as dataclass_fields
from dataclasses import replace
from typing import Any

import numpy as np

from problex._util._tables import ascents, places_of
from problex._util.arrays import FloatArray
from problex._util.json_values import (
    MAX_NUMBER,
    SHARES_TOLERANCE,
    Columns,
    DamagedValueError,
    Fields,
    check_number,
    check_texts,
    integer_array,
    number_array,
)
from problex.counting.serialization import TOKENIZER_SETTINGS, read_tokenizer
from problex.errors import ModelError, check_choice
from problex.lexicon.lexicon import Lexicon
from problex.matching.items import Items, given_weights, items_of
from problex.matching.negation import NEGATED
from problex.matching.tokens import Tokenizer
from problex.model.calibration import Platt, read_calibration
from problex.model.evidence import BalanceShift, Evidence, Reversal, Solution
from problex.model.expansion import KINDS, Cotrained, Expansion
from problex.model.model import Model
from problex.model.rules import RULES, PmiTable, are_weights_finite
from problex.model.settings import CHOICES, MIN_POSITIVE, OTHER_BALANCE, Settings, Shares, make_shares
from problex.model.vocabulary import Vocabulary

CustomTokenizer = Callable[[str], Sequence[str]]
HEAD = (
    *("format", "problex", "digest", "lexicon_hash", "tokens", "settings", "corpus", "shares", "solution"),
    *("calibration", "platt", "pmi_documents", "cotrained", "expansion"),
)
TABLES = ("lexicon", "given_weights", "columns", "entries", "pmi", "expansion_words", "expansion_features")
"""The names of a model file: objects and values, and tables with a line for each row."""
COLUMNS = (
    *("entry", "list", "count", "cross_count", "concordant_cross_count", "predictiveness"),
    *("partner_weight", "weighted_cross_count"),
)
DISCOUNT = "discount"
"""A column of some models: discounts for repetition."""
SOLUTION = tuple(field.name for field in dataclass_fields(Solution))
REVERSAL = ("turns_of_negation", "known_negation")
"""The names of `Solution`, and of both fields of `Reversal` beside them."""
CORPUS = ("documents", "tokens", "squared_lengths", "concentration", "dispersion", "kept_differences")
STANDARD_ERROR = "standard_error"
"""The column of the entries that has the standard errors of co-training."""
COTRAINED = ("documents", "agreement", "reliability")
EXPANSION = (*("kind", "lexicon_weight", "documents", "agreement", "rounds", "typical_length", "corpus", "support"),)


def read_model(file: Fields, custom: CustomTokenizer | None) -> Model:
    """The model of a file; `custom` is the tokenizer function that it was made with, if it was."""
    file.integer("format", 1)
    file.text("problex")
    lexicon = _read_lexicon(file)
    tokenizer = _read_tokenizer(file, custom)
    columns = _read_columns(file)
    evidence = _read_evidence(file, columns, lexicon.names)
    below_one = np.nextafter(1.0, 0.0)
    predictiveness = number_array("predictiveness", columns["predictiveness"], -below_one, below_one)
    items = items_of(lexicon, tokenizer)
    _check_items(evidence, items)
    settings = _read_settings(file, lexicon.names)
    if settings.shrink_to == "given" or RULES[settings.rule].given:
        evidence = _with_given(evidence, file, lexicon, tokenizer, settings)
    pmi = _read_pmi(file, evidence) if "pmi" in file.record or "pmi_documents" in file.record else None
    if RULES[settings.rule].all_words and pmi is None:
        raise DamagedValueError("'pmi' is missing")
    expanded = [name for name in file.record if name.startswith("expansion")]
    model = Model(
        lexicon=lexicon,
        tokenizer=tokenizer,
        settings=settings,
        evidence=evidence,
        predictiveness=predictiveness,
        shares=_read_shares(file, lexicon.names),
        solution=_read_solution(file, lexicon.names, evidence.entries, settings.balance),
        pmi=pmi,
        platt=_read_platt(file, lexicon.names) if "platt" in file.record else None,
        calibration=read_calibration(file, len(lexicon.names)),
        expansion=read_expansion(file, len(lexicon.names)) if expanded else None,
        cotrained=read_cotrained(file, columns) if "cotrained" in file.record else None,
    )
    prior = make_shares(settings.prior, "prior", lexicon.names)
    if not are_weights_finite(evidence.list_index, predictiveness, prior):
        raise DamagedValueError("the weights that follow from the predictiveness and the prior are not finite")
    return model


def _check_items(evidence: Evidence, items: Items) -> None:
    """Raise unless the entries are the items of the lexicon, and words that its wildcards and negation have matched."""
    if _are_names_and_forms(evidence, items):
        return
    if evidence.entries == items.names:  # as without wildcards and negation, where nothing need be looked up
        same = np.array_equal(evidence.list_index, items.list_index)
    else:
        same = [*map(items.find, evidence.entries)] == evidence.list_index.tolist()
        same = same and set(items.names) <= set(evidence.entries)
    if not same:
        raise DamagedValueError("'entries' does not match the words of the lexicon")


def _are_names_and_forms(evidence: Evidence, items: Items) -> bool:
    """Whether the entries are the names of two lists and negated forms of them; all are in order, so few are looked up.

    Negated forms are in the opposite list, and stand together there, since they begin alike.
    """
    if items.negation is None or items.wildcards or len(items.lists) != 2:
        return False
    middle, own_middle = (int(np.searchsorted(index, 1)) for index in (evidence.list_index, items.list_index))
    entries, names = evidence.entries, items.names
    behind = NEGATED[:-1] + chr(ord(NEGATED[-1]) + 1)  # in the order of names, after all negated items
    sides = [(entries[:middle], names[:own_middle]), (entries[middle:], names[own_middle:])]
    for (present, own), (_, others) in zip(sides, sides[::-1], strict=True):
        start, stop = bisect_left(present, NEGATED), bisect_left(present, behind)
        negated = {form.removeprefix(NEGATED) for form in present[start:stop]}
        if present[:start] + present[stop:] != own or len(negated.intersection(others)) < len(negated):
            return False
    return True


def _with_given(
    evidence: Evidence, file: Fields, lexicon: Lexicon, tokenizer: Tokenizer, settings: Settings
) -> Evidence:
    """The evidence with the weights that the lexicon gives, if the estimate uses them."""
    if "given_weights" not in file.record:
        raise DamagedValueError("'given_weights' is missing")
    given = given_weights(lexicon, tokenizer, evidence.entries)
    return replace(evidence, given=given if settings.shrink_to == "given" else None)


def _read_lexicon(file: Fields) -> Lexicon:
    rows = file.rows("lexicon", 2)
    check_texts("lexicon", [row[0] for row in rows])
    lists = {name: check_texts("lexicon", words, unique=False) for name, words in rows}
    lexicon = Lexicon(lists)
    if lexicon.problems:
        for words in lists.values():
            check_texts("lexicon", words)
    if "given_weights" in file.record:
        weights = _read_weights(file, lexicon)
        lexicon = Lexicon({name: {word: weights.get(word) for word in words} for name, words in lists.items()})
    if lexicon.fingerprint != file.text("lexicon_hash"):
        raise DamagedValueError("the lexicon inside was changed after it was saved")
    return lexicon


def _read_weights(file: Fields, lexicon: Lexicon) -> dict[str, float]:
    """The weights that the lexicon gives its words."""
    rows = file.rows("given_weights", 2)
    words = check_texts("given_weights", [row[0] for row in rows])
    if not set(words) <= set().union(*lexicon.lists.values()):
        raise DamagedValueError("'given_weights' has a word that is not in the lexicon")
    return dict(zip(words, number_array("given_weights", [row[1] for row in rows]).tolist(), strict=True))


def _read_tokenizer(file: Fields, custom: CustomTokenizer | None) -> Tokenizer:
    tokens = file.object("tokens", TOKENIZER_SETTINGS)
    name = tokens.get("custom")
    if (name is None) != (custom is None):
        hint = f"pass it: load_model(path, tokenizer={name})" if name else "leave tokenizer out"
        raise ModelError(f"the model was made with {name or 'the standard tokenizer'}: {hint}")
    return read_tokenizer(tokens, custom)


def _read_columns(file: Fields) -> Mapping[str, Sequence[Any]]:
    """The columns of the table of entries."""
    names = file.texts("columns")
    expected = COLUMNS + tuple(name for name in (DISCOUNT,) if name in names)
    if "cotrained" in file.record:
        expected += (STANDARD_ERROR,)
    if set(names) != set(expected):
        raise DamagedValueError(f"'columns' are {', '.join(names)[:200]}, expected {', '.join(expected)}")
    entries = file.get("entries")
    if isinstance(entries, Columns):
        if len(entries.values) != len(names):
            raise DamagedValueError(f"'entries' has a row that is not a list of {len(names)} values")
        return dict(zip(names, entries.values, strict=True))
    rows = file.rows("entries", len(names))
    if not rows:
        raise DamagedValueError("'entries' is empty")
    return {name: [row[at] for row in rows] for at, name in enumerate(names)}


def _read_evidence(file: Fields, columns: Mapping[str, Sequence[Any]], lists: tuple[str, ...]) -> Evidence:
    corpus = file.object("corpus", CORPUS)
    labels = check_texts("list", columns["list"], unique=False)
    place = {label: at for at, label in enumerate(lists)}
    if not set(labels) <= set(place):
        raise DamagedValueError("'entries' has an entry of a list that is not in the lexicon")
    crossed = integer_array("cross_count", columns["cross_count"])
    evidence = Evidence(
        lists=lists,
        entries=check_texts("entry", columns["entry"], unique=False),  # `_check_sums` notices repetitions
        list_index=places_of(labels, place),
        occurrences=integer_array("count", columns["count"]),
        cross_counts=crossed,
        concordant_cross_counts=integer_array("concordant_cross_count", columns["concordant_cross_count"]),
        documents=corpus.integer("documents", 1),
        tokens=corpus.integer("tokens", 1),
        squared_lengths=corpus.integer("squared_lengths", 1),
        concentration=_finite_or_infinite("corpus.concentration", corpus.get("concentration")),
        partner_weights=number_array("partner_weight", columns["partner_weight"], 0.0),
        weighted_cross_counts=number_array("weighted_cross_count", columns["weighted_cross_count"], 0.0),
        dispersion=_finite_or_infinite("corpus.dispersion", corpus.get("dispersion")),
        kept_differences=corpus.number("kept_differences", 0.0, 1.0),
        discounts=number_array(DISCOUNT, columns[DISCOUNT], MIN_POSITIVE, MAX_NUMBER) if DISCOUNT in columns else None,
        reversal=_read_reversal(file),
    )
    _check_sums(evidence)
    return evidence


def _finite_or_infinite(name: str, value: object) -> float:
    """A positive number; null is infinite."""
    return float("inf") if value is None else float(check_number(name, value, MIN_POSITIVE))


def _check_sums(evidence: Evidence) -> None:
    """Raise if the sums of the entries and of the corpus cannot be of the same documents."""
    tokens, squares = evidence.tokens, evidence.squared_lengths
    if not tokens <= squares <= tokens**2 or tokens**2 > squares * evidence.documents:
        raise DamagedValueError(
            f"{evidence.documents} documents, {tokens} tokens and {squares} as the sum of squared lengths cannot be of "
            "the same texts"
        )
    if evidence.occurrences.sum(dtype=np.float64) > tokens:
        raise DamagedValueError("'count' adds up to more than the tokens of the corpus")
    # For a document of N tokens, m_a of list a: sum_a m_a (sum_b m_b - m_a) <= N^2 - N.
    if evidence.cross_counts.sum(dtype=np.float64) > evidence.token_pairs * (1 + 1e-9):
        raise DamagedValueError("'cross_count' adds up to more than the pairs of tokens in the corpus")
    if np.any(evidence.concordant_cross_counts > evidence.cross_counts):
        raise DamagedValueError("'concordant_cross_count' is larger than the cross count of an entry")
    if np.any((evidence.occurrences == 0) & (evidence.cross_counts > 0)):
        raise DamagedValueError("an entry that never occurs has a cross count")
    names, later = evidence.entries, np.diff(evidence.list_index)
    if not np.all((later > 0) | ((later == 0) & ascents(names))):
        check_texts("entry", names)
        raise DamagedValueError("'entries' are not ordered by list and name")


def _read_settings(file: Fields, lists: tuple[str, ...]) -> Settings:
    names = [field.name for field in dataclass_fields(Settings)]
    part = file.object("settings", names)
    for name in CHOICES:
        part.text(name)
    part.number("max_predictiveness", 0.0, 1.0)
    part.boolean("keep_discordant")
    if part.get("shrinkage") != "auto":
        part.number("shrinkage", 0.0)
    for name in ("balance", "prior"):
        if isinstance(part.get(name), Mapping):
            shares = part.object(name, lists)
            for label in lists:
                shares.number(label, MIN_POSITIVE)
            make_shares(shares.record, name, lists)
    if part.get("prior") is not None:
        part.object("prior")
    for name, value in part.object("solver_options").record.items():
        if not isinstance(value, bool | str | None):
            check_number(f"settings.solver_options.{name}", value)
    return Settings.from_options(**{name: part.get(name) for name in names})


def _read_shares(file: Fields, lists: tuple[str, ...]) -> FloatArray:
    part = file.object("shares", lists)
    shares = np.array([part.number(label, 0.0, 1.0) for label in lists], dtype=np.float64)
    if abs(shares.sum() - 1.0) > SHARES_TOLERANCE:
        raise DamagedValueError(f"'shares' add up to {shares.sum():g}, expected 1")
    return shares


def _read_solution(file: Fields, lists: tuple[str, ...], entries: Sequence[str], balance: Shares) -> Solution:
    """How the estimate was found; a number that is not finite is null."""
    part = file.object("solution", (*SOLUTION, *REVERSAL))
    part.boolean("converged")
    values = {name: part.get(name) for name in SOLUTION if name in part.record}
    for name, value in values.items():
        if name in ("converged", "fallback"):
            part.boolean(name)
        elif name == "residuals":
            values[name] = tuple(_number_or_nan("solution.residuals", one) for one in part.values(name, 2))
        elif name != "balance_shift":
            values[name] = _number_or_nan(f"solution.{name}", value)
    if "balance_shift" in values:
        values["balance_shift"] = _read_shift(values["balance_shift"], lists, entries, balance)
    return Solution(**values)


def _number_or_nan(name: str, value: object) -> float:
    return float("nan") if value is None else check_number(name, value)


def _read_shift(value: object, lists: tuple[str, ...], entries: Sequence[str], balance: Shares) -> BalanceShift:
    match value:
        case [int(index), float(share), float(other), *words] if 0 <= index < len(lists) and isinstance(balance, str):
            named = tuple(entries[at] for at in words if isinstance(at, int) and 0 <= at < len(entries))
            if len(named) == len(words):
                return BalanceShift(lists[index], named, balance, share, OTHER_BALANCE[balance], other)
    raise DamagedValueError("'solution.balance_shift' is not a list with its shares and its words")


def _read_reversal(file: Fields) -> Reversal | None:
    """What negation does to the words of two lists."""
    part = file.object("solution")
    if not any(name in part.record for name in REVERSAL):
        return None
    turns, known = (number_array(f"solution.{name}", part.values(name, 2)) for name in REVERSAL)
    return Reversal(tuple(turns.tolist()), tuple(known.tolist()))


def _read_platt(file: Fields, lists: tuple[str, ...]) -> Platt:
    part = file.object("platt", ("slope", "intercepts", "labels"))
    intercepts = part.object("intercepts", lists)
    for label in lists:
        intercepts.number(label)
    part.number("slope", MIN_POSITIVE)
    part.integer("labels")
    return Platt.from_record(dict(part.record), lists)


def _read_pmi(file: Fields, evidence: Evidence) -> PmiTable:
    lists = len(evidence.lists)
    rows = file.rows("pmi", 1 + lists)
    words = check_texts("pmi", [row[0] for row in rows])
    imputed = [integer_array("pmi", [row[1 + at] for row in rows], high=evidence.tokens) for at in range(lists)]
    documents = integer_array("pmi_documents", file.values("pmi_documents", lists), high=evidence.documents)
    if documents.sum() > evidence.documents or np.any(np.sum(imputed, axis=0, dtype=np.float64) > evidence.tokens):
        raise DamagedValueError("'pmi' counts more documents or tokens than the corpus has")
    return PmiTable(words, np.stack(imputed, axis=1).reshape(len(rows), lists), documents)


def read_cotrained(file: Fields, columns: Mapping[str, Sequence[Any]]) -> Cotrained:
    """How the weights of the lexicon's entries were learned."""
    part = file.object("cotrained", COTRAINED)
    reliability = part.get("reliability")
    return Cotrained(
        number_array(STANDARD_ERROR, columns[STANDARD_ERROR], 0.0),
        part.integer("documents"),
        _correlation(part, "agreement"),
        float("nan") if reliability is None else _correlation(part, "reliability"),
    )


def read_expansion(file: Fields, lists: int) -> Expansion:
    """The expansion of a model."""
    figures = file.object("expansion", EXPANSION)
    kind = figures.text("kind")
    check_choice("'expansion.kind'", kind, KINDS)
    support = None if figures.get("support") is None else figures.values("support", lists)
    vocabulary, weights = _read_features(file, figures.integer("corpus", 1), lists)
    return Expansion(
        vocabulary,
        weights,
        figures.number("lexicon_weight"),
        np.zeros(lists),
        figures.integer("documents"),
        _correlation(figures, "agreement"),
        figures.integer("rounds"),
        figures.number("typical_length", MIN_POSITIVE, MAX_NUMBER),
        kind,
        None if support is None else number_array("expansion.support", support, 0.0, 1.0 + SHARES_TOLERANCE),
    )


def _read_features(file: Fields, corpus: int, lists: int) -> tuple[Vocabulary, FloatArray]:
    """The features of an expansion and their weights for each list."""
    words = file.texts("expansion_words")
    width = 4 + lists
    rows = file.rows("expansion_features", width)
    first, second, seen, discounts, *weights = ([row[at] for row in rows] for at in range(width))
    place: dict[str | None, int] = {word: at for at, word in enumerate(words)}
    try:
        left = np.fromiter(map(place.__getitem__, first), np.int64, len(rows))
        place[None] = -1  # no next word
        right = np.fromiter(map(place.__getitem__, second), np.int64, len(rows))
    except (LookupError, TypeError):
        raise DamagedValueError("'expansion_features' has a word that is not in 'expansion_words'") from None
    if len(np.unique(left * (len(words) + 1) + right + 1)) < len(rows):
        raise DamagedValueError("'expansion_features' has a feature twice")
    columns = [number_array("expansion_features", column) for column in weights]
    factors = number_array("expansion_features", discounts, MIN_POSITIVE, MAX_NUMBER)
    vocabulary = Vocabulary(words, left, right, integer_array("expansion_features", seen, 0, corpus), corpus, factors)
    return vocabulary, np.ascontiguousarray(np.stack(columns, axis=1))


def _correlation(part: Fields, name: str) -> float:
    return part.number(name, -1.0 - SHARES_TOLERANCE, 1.0 + SHARES_TOLERANCE)
