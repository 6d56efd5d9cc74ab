"""Negated words and matches of wildcards that occur only in new texts count there."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from problex import Lexicon, Model, count, estimate, explain, score
from problex.counting.tables import tabulate, tabulate_slowly
from problex.matching.items import items_of
from problex.matching.tokens import Tokenizer
from problex.model.evidence import Reversal
from problex.scoring.scorer import make_scorer, with_unseen_items

LEXICON = Lexicon({"negative": ["bad", "*less", "poor"], "positive": ["good", "happ*"]})
TEXTS = ["a good, happy day", "happy and good", "bad and useless", "useless, a bad day", "poor bad", "good bad"] * 20


@pytest.fixture(scope="module")
def model() -> Model:
    return estimate(count(TEXTS, LEXICON), LEXICON)


def test_unseen_items_by_hand(model: Model) -> None:
    """Half known, a turn of .4: .5 * .4 - .5 * .5 = -.05 of the word; the other list turns by 1 and is known."""
    reversal = Reversal((0.4, 1.0), (0.5, 1.0))
    evidence, values = with_unseen_items(model.evidence, model.predictiveness, model.items, reversal)
    found = dict(zip(evidence.entries, values.tolist(), strict=True))
    lists = dict(zip(evidence.entries, evidence.list_index.tolist(), strict=True))
    mean = np.average([found["bad"], found["poor"], found["useless"]], weights=[80, 20, 40])
    assert found["NOT bad"] == pytest.approx(-0.05 * found["bad"])
    assert found["NOT happy"] == pytest.approx(found["happy"])
    assert (found["*less"], found["NOT *less"]) == pytest.approx((mean, -0.05 * mean))
    assert [lists[name] for name in ("NOT bad", "NOT happy", "*less", "NOT *less")] == [1, 0, 0, 1]
    assert evidence.entries[: len(model.evidence.entries)] == model.evidence.entries
    assert not evidence.occurrences[len(model.evidence.entries) :].any()


def test_without_negation_there_are_no_negated_items() -> None:
    tokenizer = Tokenizer(negation=None)
    plain = estimate(count(TEXTS, LEXICON, tokenizer=tokenizer), LEXICON, tokenizer=tokenizer)
    entries = with_unseen_items(plain.evidence, plain.predictiveness, plain.items, None)[0].entries
    assert entries[len(plain.evidence.entries) :] == ("*less", "happ*")


def test_a_new_match_of_a_wildcard_decides_as_its_list_does(model: Model) -> None:
    scores = score(["a hopeless case", "happiness", "a case"], model)
    assert scores.labels().tolist() == ["negative", "positive", "undecided"]
    assert scores.matches.tolist() == [1, 1, 0]


def test_counting_counts_new_items(model: Model) -> None:
    found = score(["happier, hopeless and not happiest", "not poor"], model, rule="count").values
    assert found.tolist() == [[2.0, 1.0], [0.0, 1.0]]


def test_an_explanation_names_the_wildcard_and_marks_the_word(model: Model) -> None:
    why = explain("a hopeless day, not happiest", model)
    assert {part.entry: part.count for part in why.contributions} == {"*less": 1, "NOT happ*": 1}
    assert [(span.entry, span.start, span.end) for span in why.spans] == [("*less", 2, 10), ("NOT happ*", 20, 28)]
    total = np.sum([part.values for part in why.contributions], axis=0) + np.array(why.prior)
    assert total == pytest.approx(why.scores)


WORDS = st.sampled_from(
    ["good", "bad", "useless", "hopeless", "happy", "happiest", "not", "but", "film", "less", "é", "."]
)


@settings(max_examples=60, deadline=None)
@given(texts=st.lists(st.lists(WORDS, max_size=12).map(" ".join), max_size=6))
def test_new_matches_are_counted_as_by_the_reference(texts: list[str]) -> None:
    """Also words that were met before: those that match no wildcard are remembered."""
    items, tokenizer = items_of(LEXICON, Tokenizer()), Tokenizer()
    words = ["good", "NOT good", "useless", "NOT useless", "NOT bad", "*less", "NOT *less", "happ*", "NOT happ*"]
    columns, given_twice = {name: at for at, name in enumerate(words)}, pa.array(2 * texts, pa.large_string())
    fast, slow = (make(given_twice, items, tokenizer, columns) for make in (tabulate, tabulate_slowly))
    assert fast.matrix.toarray().tolist() == slow.matrix.toarray().tolist()
    assert fast.lengths.tolist() == slow.lengths.tolist()


def test_a_prior_does_not_break_items_on_the_side_of_their_word() -> None:
    """A negated word of predictiveness -g is 1 - g as frequent under its nominal label, and under the other one
    1 + g pi / (1 - pi)."""
    model = estimate(count(TEXTS, LEXICON), LEXICON, prior={"negative": 0.9, "positive": 0.1})
    scorer = make_scorer(model)
    at, word = scorer.columns["NOT good"], scorer.columns["good"]  # nominally of the first list
    g = 0.5 * model.predictiveness[model.evidence.entries.index("good")]
    assert scorer.weights.log_odds[at] == pytest.approx(np.log(1 - g) - np.log(1 + g * 0.9 / 0.1))
    assert np.isfinite(scorer.weights.log_odds).all()
    assert scorer.weights.log_odds[word] > 0
