"""What negation does to a list is learned from whom its negated words meet."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy import sparse

from problex import Lexicon, count, estimate, explain, load_model, score
from problex.counting.counts import Sample
from problex.estimation.reversal import reversal_of, turn_of_list, unturned_entries, weigh_negated
from problex.model.evidence import Reversal

ENTRIES = ("NOT good", "bad", "NOT bad", "good")
LISTS = np.array([0, 0, 1, 1])


def test_the_turn_by_hand() -> None:
    """Own, other and negated tokens of four documents of ten tokens, repeated so often that nothing is shrunk."""
    plain = np.array([[3.0, 0.0], [0.0, 3.0], [2.0, 1.0], [1.0, 2.0]])
    negated, lengths, repeats = np.array([0.0, 2.0, 1.0, 0.0]), np.full(4, 10.0), np.full(4, 1e9)
    chance = 6 / 12
    beside_plain = (0 + 0 + 2 + 2) / (3 * 2 + 0 + 2 * 2 + 1 * 2) - chance  # 4 / 12 - 1 / 2
    beside_negated = (2 * 3 + 1 * 1) / (2 * 3 + 1 * 3) - chance  # 7 / 9 - 1 / 2
    turn, known = turn_of_list(plain, negated, lengths, repeats)
    assert turn == pytest.approx(-beside_negated / beside_plain, abs=1e-6)
    assert known == pytest.approx(1.0)


def test_little_evidence_is_shrunk_towards_three_tenths() -> None:
    """The same documents four times: the variance is that of 36 pairs at a chance of one half, or of the scatter."""
    plain = np.array([[3.0, 0.0], [0.0, 3.0], [2.0, 1.0], [1.0, 2.0]])
    negated, lengths, repeats = np.array([0.0, 2.0, 1.0, 0.0]), np.full(4, 10.0), np.full(4, 4.0)
    rate, beside_plain = 7 / 9, -1 / 6
    scatter = ((2 * (3 - rate * 3)) ** 2 + (1 - rate * 3) ** 2) / 81 / 4
    variance = max(scatter, 0.25 / 36) / beside_plain**2
    expected = 0.3 + 0.1 / (0.1 + variance) * ((rate - 0.5) * 6 - 0.3)
    assert turn_of_list(plain, negated, lengths, repeats) == pytest.approx((expected, 36 / (36 + 20)))


def test_lists_must_oppose_each_other_by_more_than_noise() -> None:
    """The same documents once: 1/6 below chance, with a standard error of 0.16 over four documents.

    Influences on a = 1/3 - 1/2, with 12 pairs, and 10 x 12 met tokens: own (other - (both - 1) / 3) / 12 less
    10 (other - both / 2) / 120, for each document.
    """
    plain = np.array([[3.0, 0.0], [0.0, 3.0], [2.0, 1.0], [1.0, 2.0]])
    negated, lengths = np.array([0.0, 2.0, 1.0, 0.0]), np.full(4, 10.0)
    influence = np.array([3 * -2 / 3, 0.0, 2 * (1 - 2 / 3), 2 - 2 / 3]) / 12 - np.array([-1.5, 1.5, -0.5, 0.5]) / 12
    error = np.sqrt(np.sum(influence**2))
    assert 1.645 * error > 1 / 6
    unopposed = 0.3 + 9 / 109 * (-1.0 - 0.3)
    assert turn_of_list(plain, negated, lengths, np.ones(4))[0] == pytest.approx(unopposed)
    enough = (1.645 * error * 6) ** 2  # so many times the same documents have a smaller error by its root
    below, above = (turn_of_list(plain, negated, lengths, np.full(4, enough * part))[0] for part in (0.99, 1.01))
    assert below < 0.3 < above


def test_lists_that_do_not_oppose_each_other_show_nothing_and_count_as_in_counting() -> None:
    """Two words of the other list beside every own word, in every document: as many as by chance, 2 / 3, or more."""
    plain, negated = np.tile([1.0, 2.0], (100, 1)), np.where(np.arange(100) % 3 == 0, 2.0, 0.0)
    pairs = float(negated.sum() * 3)
    expected = 0.3 + pairs / (pairs + 100) * (-1.0 - 0.3)
    found = turn_of_list(plain, negated, np.full(100, 9.0), np.ones(100))
    assert found == pytest.approx((expected, pairs / (pairs + 20)))


def test_without_negated_words_the_prior_is_all_there_is() -> None:
    rows = sparse.csr_array((0, 4), dtype=np.int64)
    empty = Sample(*(np.zeros(0, np.uint64),) * 2, *(np.zeros(0, np.int64),) * 2, rows, 9)
    nothing = Reversal((0.3, 0.3), (0.0, 0.0))
    assert reversal_of(empty, ENTRIES, LISTS) == nothing
    assert reversal_of(None, ENTRIES, LISTS) == nothing


def test_only_the_items_of_an_unturned_list_move_to_their_word() -> None:
    """`NOT bad` is nominally of the second list and its word of the first: the first turn is its own."""
    reversal = Reversal((-0.5, 0.4))
    assert unturned_entries(ENTRIES, LISTS, reversal).tolist() == [False, False, True, False]
    values = np.array([0.2, 0.6, 0.3, 0.4])
    moved = weigh_negated(values, ENTRIES, LISTS, np.ones(4, np.int64), reversal)
    assert moved == pytest.approx([0.2, 0.6, -0.5 * 0.6, 0.4])
    whole = weigh_negated(values, ENTRIES, LISTS, np.ones(4, np.int64), Reversal((-3.0, 0.4)))
    assert whole[2] == pytest.approx(-0.6)


def test_without_evidence_negated_words_count_half_as_their_words_do() -> None:
    """Half known: half of what was learned, and a quarter of the word, which is of the opposite list."""
    values, reversal = np.array([0.2, 0.6, 0.3, 0.4]), Reversal((-0.5, 0.4), (0.5, 0.5))
    moved = weigh_negated(values, ENTRIES, LISTS, np.ones(4, np.int64), reversal)
    assert moved == pytest.approx([(0.2 - 0.4 / 2) / 2, 0.6, (-0.5 * 0.6 - 0.6 / 2) / 2, 0.4])
    unknown = weigh_negated(values, ENTRIES, LISTS, np.ones(4, np.int64), Reversal((-0.5, 0.4), (0.0, 0.0)))
    assert unknown == pytest.approx([-0.2, 0.6, -0.3, 0.4])


def test_a_negated_word_without_its_word_counts_as_the_mean_of_the_list() -> None:
    """The first list has `vile` (0.6, three times) and `poor` (0.2, once): mean 0.5."""
    entries, lists = ("poor", "vile", "NOT bad", "good"), np.array([0, 0, 1, 1])
    moved = weigh_negated(np.array([0.2, 0.6, 0.3, 0.4]), entries, lists, np.array([1, 3, 5, 5]), Reversal((-1.0, 0.4)))
    assert moved[2] == pytest.approx(-0.5)


def insults(documents: int = 600, *, turned: bool) -> list[str]:
    """Texts of insults and of civil words; `no` stands before a tenth of the insults, or turns those in civil texts."""
    random = np.random.default_rng(0)
    lists = (["idiot", "fool", "moron", "clown"], ["thanks", "please", "welcome", "glad"])
    texts = []
    for _ in range(documents):
        side = int(random.random() < 0.5)
        words = random.choice(lists[side], 3).tolist() + random.choice(lists[1 - side], random.integers(2)).tolist()
        where = side if turned else 1 - side  # in civil texts, or in those of insults
        words += ["not", random.choice(lists[0])] if where == 1 and random.random() < 0.3 else []
        texts.append(". ".join(words).replace("not.", "not"))
    return texts


LEXICON = Lexicon({"civil": ["thanks", "please", "welcome", "glad"], "rude": ["idiot", "fool", "moron", "clown"]})


def test_negated_insults_stay_insults_where_they_meet_insults(tmp_path: Path) -> None:
    texts = insults(turned=False)
    model = estimate(count(texts, LEXICON), LEXICON)
    weights = {row["entry"]: row for row in model.records()}
    assert weights["NOT fool"]["predictiveness"] < 0
    assert weights["NOT fool"]["low"] < weights["NOT fool"]["predictiveness"] < weights["NOT fool"]["high"]
    assert all(row["predictiveness"] >= 0 for name, row in weights.items() if not name.startswith("NOT"))
    decisions = score(["not fool", "fool", "glad"], model).decision  # of rude
    assert decisions[0] > decisions[2]
    model.save(tmp_path / "m.json")
    assert load_model(tmp_path / "m.json") == model
    assert model.reestimate() == model
    why = explain("you are not a fool", model)
    assert [part.towards for part in why.contributions] == ["rude"]
    total = np.sum([part.values for part in why.contributions], axis=0) + why.prior
    assert np.allclose(total, why.scores)


def test_negated_words_that_turn_round_keep_their_learned_weights() -> None:
    model = estimate(count(texts := insults(turned=True), LEXICON), LEXICON)
    assert len(texts) == 600
    assert np.all(model.predictiveness >= 0)
    assert model.evidence.reversal is not None
    assert model.evidence.reversal.turns[1] > 0


def test_the_turn_does_not_depend_on_the_order_of_the_lists() -> None:
    turned = Lexicon({"a": LEXICON.lists["rude"], "b": LEXICON.lists["civil"]})
    texts = insults(turned=False)
    one, two = (estimate(count(texts, lexicon), lexicon).evidence.reversal for lexicon in (LEXICON, turned))
    assert one is not None
    assert two is not None
    assert one.turns == pytest.approx(two.turns[::-1])
