"""`count_and_sample`, then `learn`: the job of learning that the classifier, the commands and Spark share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from problex.corpus import Batch
from problex.counting.counts import Counts, tokenizer_of
from problex.counting.streams import count
from problex.errors import check_choice
from problex.estimation.fitting import estimate
from problex.expansion.expanded_model import expand as expand_model
from problex.expansion.reservoir import SAMPLE_SIZE, ReservoirSample, check_sample
from problex.lexicon.lexicon import Lexicon
from problex.matching.tokens import Tokenizer
from problex.model.model import Model
from problex.model.rules import RULES
from problex.model.settings import DEFAULT, Settings


def sample_for(expand: bool | str, size: int | str = SAMPLE_SIZE) -> ReservoirSample | None:
    """An empty sample of so many bytes for what is to be expanded, None if nothing is; raises for other values.

    >>> sample_for(False) is None, sample_for("lexicon", "1MiB").limit
    (True, 1048576)
    """
    if isinstance(expand, str):
        check_choice("expand", expand, ["lexicon"], "or True or False")
    return ReservoirSample(check_sample(size)) if expand else None


def count_and_sample(
    documents: Any,
    lexicon: Lexicon,
    settings: Settings,
    sample: ReservoirSample | None,
    *,
    on_batch: Callable[[Batch], object] | None = None,
    **counting: Any,
) -> Counts:
    """Count texts for what the settings need, and add them to the sample, if there is one, in the same reading."""

    def add(batch: Batch) -> None:
        if on_batch is not None:
            on_batch(batch)
        if sample is not None:
            sample.add(batch.texts)

    watch = None if on_batch is None and sample is None else add
    return count(documents, lexicon, associations=RULES[settings.rule].all_words, on_batch=watch, **counting)


def learn(
    counts: Counts,
    lexicon: Lexicon,
    settings: Settings = DEFAULT,
    expand: bool | str = False,
    sample: ReservoirSample | None = None,
    *,
    tokenizer: Tokenizer | None = None,
    markup: bool = False,
) -> Model:
    """The model of counts, expanded by the sample that was taken while the texts were counted, if there is one.

    `expand` is False, True (all words get weights) or "lexicon" (only those of the lexicon, learned with the help of
    all others). A custom `tokenizer` must be given: counts have its name only.

    >>> lexicon, sample = Lexicon({"positive": ["good", "fine"], "negative": ["bad", "poor"]}), sample_for(True)
    >>> days = ["day", "week", "film", "walk", "story", "day in town", "week in town", "film in town", "short walk"]
    >>> texts = [f"{words} {day}" for words in ("good sunny", "fine sunny", "bad rainy", "poor rainy") for day in days]
    >>> counts = count_and_sample(texts * 2, lexicon, DEFAULT, sample)
    >>> learn(counts, lexicon).expansion is None, learn(counts, lexicon, expand=True, sample=sample).expansion is None
    (True, False)
    """
    known = tokenizer_of(counts, tokenizer.custom if tokenizer else None)
    model = estimate(counts, lexicon, tokenizer=known, **vars(settings))
    if sample is None:
        return model
    return expand_model(model, sample, words="all" if expand is True else str(expand), markup=markup)
