"""Without evidence no label is favoured; label, score, probability and explanation agree for every text."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from problex import Lexicon, LexiconClassifier, Model, count, estimate, explain, score
from problex._util.arrays import leads
from problex.expansion import learn, texts
from problex.model.calibration import AUDIT_LABELS, LABEL_FREE, Calibration
from problex.scoring import make_scorer
from tests.model.test_expansion import LEXICON, LISTS, STRENGTH, corpus

TOPICS = {
    "home": ["sofa", "lamp", "roof", "door"],
    "road": ["car", "lorry", "wheel", "tyre"],
    "sea": ["boat", "sail", "harbour", "tide"],
    "sky": ["cloud", "plane", "wing", "star"],
}
OUTSIDE = {name: [f"{name}{end}" for end in ("ly", "ish", "dom", "ward")] for name in TOPICS}


def topic_texts(names: list[str], documents: int = 600, seed: int = 0) -> list[str]:
    """Texts on topics of uneven frequency, each with words of its list, of its surroundings and of any other."""
    random = np.random.default_rng(seed)
    chances = np.arange(1, len(names) + 1) / sum(range(1, len(names) + 1))
    every = [word for name in names for word in (*TOPICS[name], *OUTSIDE[name])]
    texts = []
    for _ in range(documents):
        name = str(random.choice(names, p=chances))
        words = [*random.choice(TOPICS[name], 3), *random.choice(OUTSIDE[name], 4), *random.choice(every, 4)]
        texts.append(" ".join(random.permutation([*words, *random.choice(["the", "and", "of"], 5)])))
    return texts


@cache
def model_of(kind: str) -> Model:
    """Models of every kind, whose threshold or intercepts are not zero where they have any."""
    if kind.startswith("topics"):
        names = list(TOPICS)[: int(kind[6:7])]
        lexicon = Lexicon({name: TOPICS[name] for name in names})
        clf = LexiconClassifier(lexicon, expand="expanded" in kind, language="en")
        return clf.fit(topic_texts(names)).model_
    expand: bool | str = "lexicon" if kind == "tone lexicon" else kind == "tone expanded"
    prior = {"negative": 0.8, "positive": 0.2} if kind == "tone prior" else None
    with (
        patch.object(texts, "are_topics", return_value=False),
        patch.object(learn, "themes_are_the_lists", return_value=False),
    ):
        return LexiconClassifier(LEXICON, expand=expand, prior=prior).fit(corpus(share=0.7)[0]).model_


KINDS = ["tone", "tone lexicon", "tone expanded", "topics4", "topics4 expanded", "topics2", "topics2 expanded"]
WORDS = [*LISTS["positive"][:4], *LISTS["negative"][:4], *STRENGTH, "filleraa", "fillerab", "unknown"]
PLACES = [word for name in TOPICS for word in (*TOPICS[name][:2], *OUTSIDE[name][:2])] + ["the", "unknown"]


def texts_for(kind: str) -> st.SearchStrategy[str]:
    return st.lists(st.sampled_from(WORDS if kind.startswith("tone") else PLACES), max_size=30).map(" ".join)


def test_the_models_have_something_to_cap() -> None:
    assert model_of("tone").calibration.threshold != 0
    assert model_of("tone lexicon").cotrained is not None
    assert model_of("tone expanded").calibration.threshold != 0
    assert np.ptp(model_of("topics4 expanded").calibration.intercepts) > 0
    for kind in ("tone expanded", "topics4 expanded", "topics2 expanded"):
        expansion = model_of(kind).expansion
        assert expansion is not None
        assert expansion.kind == ("tone" if kind.startswith("tone") else "topics")
        assert not expansion.offset.any()
    assert {model_of(kind).calibration.source for kind in KINDS} == {LABEL_FREE}
    assert LABEL_FREE != AUDIT_LABELS


@pytest.mark.parametrize("kind", KINDS)
def test_without_evidence_all_classes_are_as_probable_and_the_text_is_undecided(kind: str) -> None:
    model = model_of(kind)
    scores = score(["", "unknown", "qwertz uiop"], model)
    np.testing.assert_allclose(scores.probabilities, 1 / len(model.classes), rtol=0, atol=1e-15)
    assert scores.labels().tolist() == ["undecided"] * 3
    assert scores.labels(None).tolist() == [model.classes[0]] * 3
    assert explain("unknown", model).threshold == (0.0,) * len(model.classes)


@pytest.mark.parametrize("kind", KINDS)
@given(data=st.data())
@settings(max_examples=60, deadline=None)
def test_label_score_probability_and_explanation_agree(kind: str, data: st.DataObject) -> None:
    text, model = data.draw(texts_for(kind)), model_of(kind)
    scores, why = score([text], model), explain(text, model)
    probabilities = scores.probabilities[0]
    assert np.all(np.isfinite(probabilities))
    assert probabilities.sum() == pytest.approx(1.0, abs=1e-12)
    label = scores.labels()[0]
    assert label == "undecided" or label == model.classes[int(probabilities.argmax())] == scores.labels(None)[0]
    assert scores.labels(None)[0] in model.classes
    assert why.label == label
    np.testing.assert_allclose(why.probabilities, probabilities, rtol=1e-12)
    total = np.sum([part.values for part in why.contributions], axis=0) + why.prior
    np.testing.assert_allclose(total, scores.values[0], rtol=0, atol=1e-9)
    limit = sum(leads(np.array([part.values]))[0] for part in why.contributions) / 2
    assert np.ptp(why.threshold) <= limit + 1e-12
    assert np.ptp(why.threshold) == pytest.approx(min(np.ptp(why.whole_threshold), limit), abs=1e-12)
    favoured = {part.towards for part in why.contributions if leads(np.array([part.values]))[0] > 1e-9}
    if len(favoured) == 1:
        assert label in favoured


@pytest.mark.parametrize("kind", ["tone", "tone lexicon", "topics4", "topics2"])
@given(data=st.data())
@settings(max_examples=40, deadline=None)
def test_words_of_one_list_give_its_label_or_none(kind: str, data: st.DataObject) -> None:
    model = model_of(kind)
    name = data.draw(st.sampled_from(model.classes))
    listed = data.draw(st.lists(st.sampled_from(model.lexicon.lists[name]), min_size=1, max_size=5))
    rest = data.draw(st.lists(st.sampled_from(["unknown", "the", "filleraa"]), max_size=40))
    assert score([" ".join([*rest, *listed])], model).labels()[0] in (name, "undecided")


def test_a_prior_is_added_whole() -> None:
    """Without evidence the probabilities are the prior; otherwise it is added to the log-odds without one."""
    model = model_of("tone prior")
    scores = score(["unknown", "good"], model)
    np.testing.assert_allclose(scores.probabilities[0], [0.8, 0.2])
    plain = replace(model, calibration=replace(model.calibration, threshold=0.0))
    factor = plain.calibration.length_factor(np.array([1]))[0] * plain.calibration.sharpness
    good = model.weights[model.evidence.entries.index("good")]
    assert scores.decision[1] == pytest.approx(factor * good + np.log(0.2 / 0.8))
    assert np.log(scores.probabilities[1, 1] / scores.probabilities[1, 0]) == pytest.approx(scores.decision[1])


@pytest.mark.parametrize("kind", ["tone", "tone lexicon", "tone expanded"])
def test_the_same_share_is_above_zero_as_without_the_cap(kind: str) -> None:
    model, texts = model_of(kind), corpus(share=0.7)[0]
    scorer = make_scorer(model)
    decision = score(texts, model).decision
    raw = score(texts, replace(model, calibration=replace(model.calibration, threshold=0.0))).decision
    assert model.calibration.prevalence is not None
    # a few texts have no entry, so that the threshold is a little nearer to zero
    assert np.mean(decision > 0) == pytest.approx(model.calibration.prevalence.share, abs=0.02)
    assert not np.array_equal(decision > 0, raw > 0)
    assert scorer.has_cap


@pytest.mark.parametrize(("expand", "tolerance"), [(False, 1e-9), ("lexicon", 1e-5), (True, 1e-2)])
def test_exchange_of_the_lists_mirrors_the_probabilities(expand: bool | str, tolerance: float) -> None:
    texts = corpus(share=0.7)[0]
    turned = Lexicon({"a": LISTS["positive"], "b": LISTS["negative"]})
    one = LexiconClassifier(LEXICON, expand=expand).fit(texts).predict_proba(texts[:200])
    two = LexiconClassifier(turned, expand=expand).fit(texts).predict_proba(texts[:200])
    np.testing.assert_allclose(one, two[:, ::-1], rtol=0, atol=tolerance)


@pytest.mark.parametrize("lists", [2, 3, 20, 200])
def test_probabilities_are_finite_and_sum_to_one_for_every_length_and_number_of_lists(lists: int) -> None:
    random = np.random.default_rng(lists)
    names = [f"{chr(97 + at // 26)}{chr(97 + at % 26)}" for at in range(lists)]
    words = {name: [f"{name}{end}" for end in ("one", "two", "three")] for name in names}
    lexicon = Lexicon(words)
    every = [word for own in words.values() for word in own]
    texts = []
    for at in range(max(600, 6 * lists)):
        own = words[names[at % lists]]
        texts.append(" ".join([*random.choice(own, 4), *random.choice(every, 3), "and", f"w{at % 5}x"]))
    model = estimate(count(texts, lexicon), lexicon)
    first = f"{names[0]}one"
    sizes = [1, 2, 100, 10**4, 10**6]
    long = [" ".join([first] * size) for size in sizes] + ["and " * (10**6 - 1) + first, "and " * 10**6]
    scores = score([*long, first + " " + f"{names[1]}two"], model)
    assert scores.lengths[:7].tolist() == [*sizes, 10**6, 10**6]
    assert np.all(np.isfinite(scores.probabilities))
    np.testing.assert_allclose(scores.probabilities.sum(axis=1), 1.0, rtol=0, atol=1e-12)
    assert scores.labels()[:6].tolist() == [names[0]] * 6
    assert scores.probabilities[:2].max() < 0.999
    assert scores.probabilities[:2].min() > 1e-6
    assert np.all(np.diff(scores.probabilities[:2, 0]) > 0)


@pytest.mark.parametrize("kind", KINDS)
def test_a_word_or_two_are_never_certain(kind: str) -> None:
    model = model_of(kind)
    words = WORDS if kind.startswith("tone") else PLACES
    pairs = [f"{one} {two}" for one in words for two in words]
    probabilities = score([*words, *pairs], model).probabilities
    assert probabilities.max() < 0.999
    assert probabilities.min() > 1e-4


def test_log_odds_of_many_lists_are_divided_by_the_root_of_one_plus_a_two_hundredth_of_the_length() -> None:
    """Half-length 200 and sharpness sqrt(200): sqrt(200) S / sqrt(N) sqrt(N / (N + 200)) = S / sqrt(1 + N / 200)."""
    model = model_of("topics4")
    assert model.calibration == Calibration(float(np.sqrt(200)), half_length=200)
    sofa = model.weights[model.evidence.entries.index("sofa")]
    odds = score(["sofa", "sofa" + " the" * 599], model).log_odds
    np.testing.assert_allclose(odds[:, 0] - odds[:, 1], [sofa / np.sqrt(1.005), sofa / 2])


def test_the_length_factor_by_hand() -> None:
    """sqrt(N / (N + 12)): of 4 tokens 1/2; without a token as of one; steepness 2: 9 / sqrt(9^2 + 12^2) = 3 / 5."""
    calibration = Calibration(half_length=12.0)
    np.testing.assert_allclose(calibration.length_factor(np.array([4, 0, 1, 36])) ** 2, [1 / 4, 1 / 13, 1 / 13, 3 / 4])
    assert replace(calibration, steepness=2.0).length_factor(np.array([9])) == pytest.approx([0.6])
    assert Calibration().length_factor(np.array([0, 1, 10**6])).tolist() == [1, 1, 1]


def test_there_is_no_threshold_where_a_tenth_of_the_texts_has_no_entry() -> None:
    """Such texts have the score zero: a threshold would move all others past them."""
    texts, sample = corpus(share=0.7)[0], []
    matched = [text for text, some in zip(texts, score(texts, model_of("tone")).matches > 0, strict=True) if some]
    for more in (0, len(matched) // 20, len(matched) // 8):  # 0, 4.8 and 11.1 % of all
        every = [*matched, *(f"nothing {'x' * at}" for at in range(more))]
        sample.append(abs(estimate(count(every, LEXICON), LEXICON).calibration.threshold))
    assert sample[0] > sample[1] > sample[2] == 0.0
