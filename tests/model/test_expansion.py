"""Expansion recovers words outside the lexicon, keeps shares, survives a file, and does no harm."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from sklearn.metrics import roc_auc_score

from problex import Lexicon, LexiconClassifier, Model, count, estimate, expand, load_model, score
from problex.expansion.learn import suggestions
from problex.explanation.contributions import explain

LISTS = {
    "negative": ["bad", "poor", "awful", "weak", "dull", "sad", "ugly", "vile", "boring", "stale", "cheap", "wrong"],
    "positive": [
        "good",
        "fine",
        "great",
        "strong",
        "bright",
        "happy",
        "lovely",
        "superb",
        "fun",
        "fresh",
        "rich",
        "right",
    ],
}
STRENGTH = {"strongpos": 3.0, "mildpos": 1.7, "neutral": 1.0, "mildneg": 1 / 1.7, "strongneg": 1 / 3.0}
LEXICON = Lexicon(LISTS)


def corpus(
    documents: int = 800, share: float = 0.5, length: int = 60, seed: int = 0
) -> tuple[list[str], NDArray[np.bool_]]:
    """Texts in which words outside the lexicon carry the label too, by known odds; filler has weak ones.

    Every text has one of four subjects, whose words repeat; they have nothing to do with the label.
    """
    random = np.random.default_rng(seed)
    filler = [f"filler{chr(97 + at // 26)}{chr(97 + at % 26)}" for at in range(150)]
    subjects = [f"subject{chr(97 + at // 10)}{chr(97 + at % 10)}" for at in range(40)]
    words = [*LISTS["positive"], *LISTS["negative"], *STRENGTH, *filler, *subjects]
    rates = np.array([0.7] * 24 + [2.0] * 5 + [1.0] * 150 + [0.0] * 40)
    listed = np.linspace(1.2, 3.0, 12)
    weak = np.exp(np.random.default_rng(9).normal(0.0, 0.5, 150))
    odds = np.concatenate([listed, 1 / listed, list(STRENGTH.values()), weak, np.ones(40)])
    labels = random.random(documents) < share
    texts = []
    for label in labels:
        theta = rates * (np.sqrt(odds) if label else 1 / np.sqrt(odds))
        start = 179 + 10 * random.integers(4)
        theta[start : start + 10] = random.gamma(0.3, 8.0, 10)
        drawn = random.choice(len(words), length, p=theta / theta.sum())
        texts.append(" ".join(words[at] for at in drawn))
    return texts, labels


@pytest.fixture(scope="module")
def fitted() -> tuple[list[str], NDArray[np.bool_], Model]:
    texts, labels = corpus()
    return texts, labels, expand(estimate(count(texts, LEXICON), LEXICON), texts)


def decision(texts: list[str], model: Model) -> NDArray[np.float64]:
    return score(texts, model).decision


def test_words_outside_the_lexicon_get_their_sign_and_order(fitted: tuple[list[str], NDArray[np.bool_], Model]) -> None:
    *_, model = fitted
    assert model.expansion is not None
    signed = {
        row["entry"]: row["weight"] * (1 if row["list"] == "positive" else -1)
        for row in model.expansion.records(model.classes, model.evidence.entries)
    }
    found = [signed[word] for word in STRENGTH]
    assert found == sorted(found, reverse=True)
    assert found[1] > 0 > found[3]
    filler = [abs(value) for word, value in signed.items() if word.startswith("filler") and " " not in word]
    assert abs(signed["neutral"]) < found[0] / 3
    assert np.median(filler) < found[0] / 3


def test_expansion_is_better_than_the_lexicon_here_and_on_new_texts(
    fitted: tuple[list[str], NDArray[np.bool_], Model],
) -> None:
    texts, labels, model = fitted
    new, truth = corpus(seed=1)
    plain = replace(model, expansion=None)
    own = roc_auc_score(labels, decision(texts, model))
    assert own > roc_auc_score(labels, decision(texts, plain)) + 0.005
    assert roc_auc_score(truth, decision(new, model)) > own - 0.02


@pytest.mark.parametrize("share", [0.1, 0.3, 0.5, 0.7, 0.9])
def test_the_share_of_each_class_is_no_worse_than_the_lexicons_nor_is_the_accuracy(share: float) -> None:
    texts, labels = corpus(documents=800, share=share, seed=2)
    plain = estimate(count(texts, LEXICON), LEXICON)
    model = expand(plain, texts)
    before, after = decision(texts, plain), decision(texts, model)
    errors = [abs(float(np.mean(scores > 0)) - share) for scores in (before, after)]
    assert errors[1] < max(errors[0], 0.05) + 0.02
    assert np.mean((after > 0) == labels) > np.mean((before > 0) == labels) - 0.01
    assert roc_auc_score(labels, after) > roc_auc_score(labels, before) - 0.003


def test_a_given_prior_moves_the_decision_and_hardly_the_order(
    fitted: tuple[list[str], NDArray[np.bool_], Model],
) -> None:
    texts, _, model = fitted
    even, uneven = (
        replace(model, settings=replace(model.settings, prior={"positive": share, "negative": 1.0 - share}))
        for share in (0.5, 0.9)
    )
    nothing = ["zzz"]
    assert decision(nothing, uneven) - decision(nothing, even) == pytest.approx(np.log(9.0))
    before, after = decision(texts, even), decision(texts, uneven)
    assert np.corrcoef(before, after)[0, 1] > 0.9  # words weigh otherwise where their label is rare


def test_saved_and_loaded_scores_are_equal(fitted: tuple[list[str], NDArray[np.bool_], Model], tmp_path: Path) -> None:
    texts, _, model = fitted
    model.save(tmp_path / "m.json")
    again = load_model(tmp_path / "m.json")
    assert again == model
    assert np.array_equal(decision(texts, again), decision(texts, model))


def test_matches_are_no_more_than_the_tokens(fitted: tuple[list[str], NDArray[np.bool_], Model]) -> None:
    """Of "good strongpos good" every token, and the pairs of neighbours, have a weight: three matches, not six."""
    *_, model = fitted
    scores = score(["good strongpos good", "good unheard", "unheard"], model)
    assert scores.lengths.tolist() == [3, 2, 1]
    assert scores.matches.tolist() == [3, 2, 0]


def test_more_than_two_lists() -> None:
    random = np.random.default_rng(0)
    topics = {
        "sea": ("ship harbour", "sailor wave"),
        "sky": ("plane cloud", "pilot wing"),
        "land": ("car road", "wheel hill"),
    }
    lexicon = Lexicon({name: seeds.split() for name, (seeds, _) in topics.items()})
    texts, labels = [], []
    for _ in range(600):
        name = random.choice(list(topics))
        own = " ".join(topics[name]).split()
        every = " ".join(" ".join(pair) for pair in topics.values()).split()
        words = (
            random.choice(own, 5).tolist()
            + random.choice(every, 8).tolist()
            + [f"x{'abcdefgh'[random.integers(8)]}"] * 5
        )
        texts.append(" ".join(words))
        labels.append(name)
    plain = estimate(count(texts, lexicon), lexicon)
    model = expand(plain, texts)
    right = [float(np.mean(score(texts, m).labels() == np.array(labels))) for m in (plain, model)]
    assert right[1] > right[0]
    rows = {row["entry"]: row["list"] for row in suggestions(model, top=30)}
    assert {word: rows.get(word) for word in ("sailor", "pilot", "wheel")} == {
        "sailor": "sea",
        "pilot": "sky",
        "wheel": "land",
    }


def test_an_explanation_adds_up_and_shows_learned_words(fitted: tuple[list[str], NDArray[np.bool_], Model]) -> None:
    texts, _, model = fitted
    why = explain(texts[0], model)
    total = np.sum([part.values for part in why.contributions], axis=0) + why.prior
    assert np.allclose(total, why.scores)
    assert np.allclose(why.scores, score(texts[:1], model).values[0])
    learned = {part.entry for part in why.contributions if part.source != "lexicon"}
    assert set(STRENGTH) & learned
    assert set(STRENGTH) & {span.entry for span in why.spans}
    for part in why.contributions:
        assert part.strength == pytest.approx(part.weight * part.effective_count * why.tempering)


def test_every_learned_word_is_in_the_weights() -> None:
    texts, _ = corpus()
    clf = LexiconClassifier(LEXICON, expand=True).fit(texts)
    weights = clf.weights_
    learned = weights[weights.learned.astype(bool)]
    assert clf.model_.expansion is not None
    assert set(learned.entry) == set(clf.model_.expansion.vocabulary.names)
    assert set(weights[~weights.learned.astype(bool)].entry) == {word for words in LISTS.values() for word in words}
    assert learned[learned.entry == "strongpos"].list.item() == "positive"


def test_suggestions_name_words_outside_the_lexicon(fitted: tuple[list[str], NDArray[np.bool_], Model]) -> None:
    *_, model = fitted
    rows = suggestions(model, top=12)
    assert len(rows) == 24
    assert {"strongpos", "strongneg"} <= {row["entry"] for row in rows}
    assert not {row["entry"] for row in rows} & {word for words in LISTS.values() for word in words}


def test_a_suggestion_occurs_in_five_documents_and_in_one_of_five_hundred(
    fitted: tuple[list[str], NDArray[np.bool_], Model],
) -> None:
    *_, model = fitted
    assert model.expansion is not None
    for documents, least in ((800, 5), (2_500, 5), (5_000, 10)):
        larger = replace(model, expansion=replace(model.expansion, documents=documents))
        assert min(row["documents"] for row in suggestions(larger, top=100_000)) == least


def test_a_rule_that_is_given_scores_by_the_lexicon_alone(fitted: tuple[list[str], NDArray[np.bool_], Model]) -> None:
    texts, _, model = fitted
    plain = replace(model, expansion=None)
    assert np.array_equal(score(texts, model, rule="count").values, score(texts, plain, rule="count").values)
