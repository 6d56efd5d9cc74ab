"""Properties of the tables of the commands `weights`, `forecast`, `suggest` and `compare`, and of the report."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from markupsafe import escape

from problex import Lexicon, LexiconClassifier
from problex.cli.commands.model import largest_weights
from problex.corpus import batches
from problex.evaluation.comparison import agreement, compare_weights
from problex.evaluation.forecasts import corpus_forecast, forecast
from problex.expansion import suggestions
from problex.model import Model
from problex.report import gather
from problex.report.page import SECTIONS, render_page
from problex.report.share_sections import key_figures
from tests.test_properties import BESIDE, COMMON, FEW, LISTED, NAMES, SEEDS, corpus, lexicon_of

TWO = NAMES[:2]
OTHER = {TWO[0]: TWO[1], TWO[1]: TWO[0]}
LENGTHS = [1, 5, 20, 100]


def exchanged_models(seed: int, **options: Any) -> tuple[Model, Model]:
    """Models of the same texts, of two lists and of the same lists with their names exchanged."""
    texts = list(corpus(seed))
    one, two = (LexiconClassifier(lexicon_of(names), **options).fit(texts).model_ for names in (TWO, TWO[::-1]))
    return one, two


@given(SEEDS, st.integers(1, 6))
@FEW
def test_exchanged_lists_have_exchanged_weights(seed: int, top: int) -> None:
    one, two = exchanged_models(seed)
    for name in TWO:
        first, second = largest_weights(one, top, name), largest_weights(two, top, OTHER[name])
        assert [row["weight"] for row in first] == pytest.approx([row["weight"] for row in second], abs=1e-8)
        assert len(first) == top
        assert first == largest_weights(one, None, name)[:top]
        assert [row for row in largest_weights(one, top, None) if row["list"] == name] == first


@given(SEEDS, st.randoms(use_true_random=False))
@FEW
def test_a_forecast_depends_neither_on_the_order_of_texts_nor_on_the_names_of_lists(seed: int, random: Any) -> None:
    texts = list(corpus(seed))
    one, two = exchanged_models(seed)
    shuffled = LexiconClassifier(lexicon_of(TWO)).fit(random.sample(texts, len(texts))).model_
    records = [forecast(model, LENGTHS).records() for model in (one, two, shuffled)]
    assert records[0] == records[2]
    for row, mirrored in zip(*records[:2], strict=True):
        assert row == pytest.approx(mirrored, abs=1e-4)
        assert 0.5 <= row["multinomial"] <= 1
    sizes = [len(text.split()) for text in texts]
    assert corpus_forecast(one, sizes) == corpus_forecast(one, random.sample(sizes, len(sizes)))
    assert corpus_forecast(one, [20] * 9)[0] == pytest.approx(forecast(one, [20]).records()[0]["multinomial"], abs=1e-4)


@given(SEEDS)
@FEW
def test_suggestions_are_words_of_texts_outside_the_lists_and_exchange_with_them(seed: int) -> None:
    one, two = (
        {(row["list"], row["entry"]): row["weight"] for row in suggestions(model, 100)}
        for model in exchanged_models(seed, expand=True)
    )
    assert not {word for _, word in one} & {word for words in LISTED.values() for word in words}
    assert one == pytest.approx({(OTHER[name], word): weight for (name, word), weight in two.items()}, abs=1e-5)


def tied_texts(seed: int) -> tuple[list[str], list[list[str]]]:
    """Texts in pairs that mirror each other, and some in which two lists tie; and the lists."""
    random, ends, beside = np.random.default_rng(seed), LISTED["alpha"], BESIDE["alpha"]
    texts, mirror = [], {"al": "be", "be": "al"}
    for _ in range(60):
        words = [*random.choice(beside, 3), "the", "day"]
        if random.random() < 0.3:
            texts.append(" ".join([*words, ends[0], "be" + ends[0][2:]]))
            continue
        words = [*words, *[random.choice(ends)] * 2]
        texts.append(" ".join(words))
        texts.append(" ".join(mirror.get(word[:2], word[:2]) + word[2:] for word in words))
    return texts, [ends, ["be" + word[2:] for word in ends]]


def tone_texts(seed: int) -> tuple[list[str], list[list[str]]]:
    """Texts on several subjects, each with words of one of two lists of tone and some beside them; and the lists."""
    random = np.random.default_rng(seed)
    lists, beside = ([list(words[name]) for name in TWO] for words in (LISTED, BESIDE))
    lists[0][5], lists[1][5] = lists[1][5], lists[0][5]
    subjects = [[f"s{subject}{letter}" for letter in "abcdefghijkl"] for subject in "pqrst"]
    share, texts = random.uniform(0.3, 0.7), []
    for _ in range(250):
        tone = int(random.random() < share)
        words = [*random.choice(subjects[random.integers(5)], 6), *random.choice(COMMON, 4)]
        for chosen, number, right in ((lists, random.integers(1, 4), 0.85), (beside, random.integers(1, 5), 0.9)):
            words += [random.choice(chosen[tone if random.random() < right else 1 - tone]) for _ in range(number)]
        texts.append(" ".join(random.permutation(words)))
    return texts, lists


@pytest.mark.parametrize(("make", "kind"), [(tied_texts, "topics"), (tone_texts, "tone")])
@given(SEEDS)
@FEW
def test_suggestions_are_exchanged_with_lists_that_tie_and_with_lists_of_tone(make: Any, kind: str, seed: int) -> None:
    texts, lists = make(seed)
    models = [
        LexiconClassifier(Lexicon(dict(zip(names, lists, strict=True))), expand=True).fit(texts).model_
        for names in (TWO, TWO[::-1])
    ]
    assume(all(model.expansion is not None and model.expansion.kind == kind for model in models))
    one, two = ({(row["list"], row["entry"]): row["weight"] for row in suggestions(model, 100)} for model in models)
    assert one == pytest.approx({(OTHER[name], word): weight for (name, word), weight in two.items()}, abs=1e-3)
    weights = [{row["entry"]: row["weight"] for row in model.records()} for model in models]
    assert weights[0] == pytest.approx(weights[1], abs=1e-3)


@given(SEEDS, st.randoms(use_true_random=False))
@FEW
def test_a_comparison_of_weights_is_exchanged_with_the_lists(seed: int, random: Any) -> None:
    one, two = exchanged_models(seed)
    weights = {word: random.uniform(0.1, 4) for words in lexicon_of(TWO).lists.values() for word in words}
    tables = []
    for model, names in ((one, TWO), (two, TWO[::-1])):
        lists = lexicon_of(names).lists
        weighted = {name: {word: weights[word] for word in words} for name, words in lists.items()}
        tables.append(compare_weights(model, Lexicon(weighted)))
    first, second = ({row["entry"]: row for row in table} for table in tables)
    assert set(first) == set(second)
    for word, row in first.items():
        assert OTHER[row["list"]] == second[word]["list"]
        assert row["count"] == second[word]["count"]
    correlations = [{row["list"]: row["rank_correlation"] for row in agreement(table)} for table in tables]
    assert correlations[0] == pytest.approx({OTHER[name]: rho for name, rho in correlations[1].items()}, abs=1e-6)


@given(st.lists(st.text("<>&\"'/ab", max_size=6), min_size=2, max_size=2, unique=True))
@settings(max_examples=2, deadline=None)
def test_a_report_has_every_label_escaped(ends: list[str]) -> None:
    names = [f"<qz{end}" for end in ends]
    lexicon = Lexicon(dict(zip(names, (LISTED[name] for name in TWO), strict=True)))
    model = LexiconClassifier(lexicon).fit(list(corpus(1))).model_
    about = gather(lambda: batches(list(corpus(1))), model, title=names[0])
    made = {name: SECTIONS[name](about) for name in ("labels", "coverage", "method")}
    sections = {name: section for name, section in made.items() if section is not None}
    html = render_page(names[1], "", key_figures(about), sections, "80 documents").html
    outside = re.sub("(?s)<script.*?</script>", "", html)
    assert "<qz" not in html
    for name in names:
        assert str(escape(name)) in outside
