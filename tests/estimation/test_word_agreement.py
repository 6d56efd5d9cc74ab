"""Learned weights are kept as far as they make the words of the lists agree more."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy import sparse

from problex import Lexicon, count, estimate
from problex.errors import EstimationWarning
from problex.estimation.weight_checks import (
    WordRows,
    evidence_of_part,
    held_out_agreement,
    kept_differences,
)
from tests.synthetic import draw


def test_agreement_by_hand() -> None:
    """Sums 3, 1, 0, 0 with the weights 1 and 2: variance 10/4 - 1; alone (1 + 4 + 1)/4 - (1/2)^2 - (2/4)^2."""
    rows = sparse.csr_array(np.array([[1.0, 1.0], [1.0, 0.0], [0.0, 0.0], [0.0, 0.0]]))
    found = WordRows.of(rows).agreement(np.array([1.0, 2.0]))
    assert found == pytest.approx((1.5 - (6 / 4 - 1 / 4 - 1 / 4)) / 1.5)


def test_documents_without_variance_have_no_agreement() -> None:
    assert WordRows.of(sparse.csr_array(np.ones((3, 2)))).agreement(np.ones(2)) == 0.0


@pytest.mark.parametrize(
    ("learned", "kept"),
    [
        (0.6, 1.0),  # odds of 1.5: as much as expected
        (1.5**0.7 / (1 + 1.5**0.7), 1.4 - 2 / 3),  # .7 of that in logits: 2 * .7 - 2/3
        (0.5, 0.5),
        (0.4, 0.5),
        (0.0, 0.5),
        (-0.05, 0.4),  # a fifth of the way to -.25
        (-0.3, 0.0),
    ],
)
def test_the_share_that_is_kept_by_hand(learned: float, kept: float) -> None:
    """Under equal weights the agreement is .5, odds of 1."""
    assert kept_differences(0.5, learned, np.log(1.5)) == pytest.approx(kept, abs=1e-6)


def test_weights_that_make_words_agree_at_all_are_kept_whole() -> None:
    assert kept_differences(-0.1, 0.2, 0.5) == 1.0
    assert kept_differences(0.5, 0.5, 0.0) == 1.0  # they do not differ


def test_words_that_avoid_each_other_count_alike() -> None:
    """Nearly every text has one of ten insults, few a kind word: no differences and no discounts, as in counting."""
    insults, kind = [f"insult{i}" for i in range(10)], [f"kind{i}" for i in range(10)]
    texts = [f"{insult} text {n}" for n in range(40) for insult in insults]
    texts += [f"{word} {insult} text" for word, insult in zip(kind, insults, strict=True)]
    texts += [f"{word} text {n}" for n in range(4) for word in kind]
    lexicon = Lexicon({"insult": insults, "kind": kind})
    model = estimate(count(texts, lexicon), lexicon)
    assert model.evidence.kept_differences == 0
    assert model.evidence.discounts is None
    by_list = [set(model.predictiveness[model.evidence.list_index == at].tolist()) for at in (0, 1)]
    assert [len(values) for values in by_list] == [1, 1]
    assert by_list[0].pop() == pytest.approx(min(1.05 * by_list[1].pop(), 0.9))  # insults are more frequent


def test_the_expected_gain_is_that_of_documents_of_the_model() -> None:
    """Counts with rates m (1 + c w) and m (1 - c w) in documents of either label, with a small c."""
    random, weights = np.random.default_rng(3), np.tile([0.4, 1.0, 1.6], 20)
    label = np.where(np.arange(20_000) % 2 == 0, 1.0, -1.0)
    counts = random.poisson(0.05 * (1.0 + 0.3 * np.outer(label, weights))).astype(np.float64)
    rows = WordRows.of(sparse.csr_array(counts))
    one, two = (rows.agreement(values) for values in (np.ones(60), weights))
    gain = np.log(two / (1 - two)) - np.log(one / (1 - one))
    assert rows.expected_gain(np.ones(60), weights) == pytest.approx(np.log1p(0.24), abs=0.02)
    assert gain == pytest.approx(np.log1p(0.24), abs=0.06)


def test_the_evidence_of_all_documents_is_that_of_their_counts() -> None:
    """Different texts, all in the sample: sums over its rows are the sums that were counted."""
    truth = draw(300, [0.5, 0.5], seed=4)
    whole = estimate(truth.counts, truth.lexicon, sample=truth.sample).evidence
    part = evidence_of_part(whole, truth.sample, np.ones(len(truth.sample.lengths), dtype=bool))
    assert truth.sample.repeats.max() == 1
    for name in ("occurrences", "tokens", "squared_lengths", "documents"):
        assert np.array_equal(getattr(part, name), getattr(whole, name)), name
    assert part.weighted_cross_counts == pytest.approx(whole.weighted_cross_counts)


def test_entries_that_the_sample_does_not_have_change_nothing() -> None:
    """The agreement is that of the entries that occur; without any there is none."""
    truth = draw(300, [0.5, 0.5], seed=4)
    whole = estimate(truth.counts, truth.lexicon, sample=truth.sample).evidence
    size = len(whole.entries)
    more = replace(
        whole,
        entries=(*whole.entries, "absent"),
        list_index=np.append(whole.list_index, 1),
        partner_weights=np.append(whole.partner_weights, 1.0),
    )
    wider = truth.sample.with_columns(np.arange(size), size + 1)
    found = held_out_agreement(whole, truth.sample)
    assert found is not None
    assert held_out_agreement(more, wider) == pytest.approx(found, rel=1e-12)
    nothing = sparse.csr_array((len(wider), size + 1), dtype=np.int64)
    assert held_out_agreement(more, replace(wider, matrix=nothing)) is None


def test_half_is_kept_of_differences_that_other_documents_do_not_confirm() -> None:
    """All words of a list are alike, and few texts make them differ."""
    random = np.random.default_rng(1)
    names = [f"w{letter}{other}" for letter in "abcdefgh" for other in "abcdefgh"]
    lexicon = Lexicon({"negative": names[:32], "positive": names[32:]})
    sides = random.permutation([0, 32] * 30)
    texts = [" ".join([*random.choice(names[side : side + 32], 4), *random.choice(names, 3)]) for side in sides]
    assert estimate(count(texts, lexicon), lexicon).evidence.kept_differences == 0.5


@pytest.mark.parametrize("silent", [0.0, 0.3])
def test_weights_that_are_right_are_kept_whole(silent: float) -> None:
    """Documents of the model itself, up to lists that nearly always agree."""
    truth = draw(4_000, [0.5, 0.5], seed=2, silent=silent)
    assert estimate(truth.counts, truth.lexicon, sample=truth.sample).evidence.kept_differences == 1.0


@pytest.mark.parametrize("seed", [0, 2, 5])
def test_copies_are_in_one_half(seed: int) -> None:
    """Words by chance, each text in five ways of writing: weights of one copy seemed to help with the others (.05)."""
    random, letters = np.random.default_rng(seed), "abcdefghij"
    lists = {name: [name + letter for letter in letters] for name in ("bad", "good")}
    words, others = [*lists["bad"], *lists["good"]], [a + b for a in "klmnopqrst" for b in letters]
    texts = [" ".join([*random.choice(words, 4), *random.choice(others, 15)]) for _ in range(300)]
    counts = count(
        [way.format(text) for text in texts for way in ("{}", "RT {}", "{}!", "{}.", "“{}”")], Lexicon(lists)
    )
    with pytest.warns(EstimationWarning, match="not repeated"):
        evidence = estimate(counts, Lexicon(lists)).evidence
    found = held_out_agreement(evidence, counts.sample)
    assert found is not None
    equal, learned, _ = found
    assert learned - equal < 0.03
