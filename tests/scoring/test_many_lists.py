"""Many lists: scoring does the same work for 2 lists and for 60 of the same words, but for the scores themselves."""

from __future__ import annotations

from unittest.mock import PropertyMock, patch

import numpy as np

from problex import Lexicon, Model, count, estimate, expand, score
from problex.scoring import Scores
from tests.work import calls_of, made_up_words, peak_memory

WORDS = made_up_words(600)
LISTS = 60
ROWS = np.random.default_rng(0).integers(0, len(WORDS), (40, 500))
TEXTS = [" ".join(WORDS[at] for at in row) for row in ROWS]


def model_of(lists: int) -> Model:
    lexicon = Lexicon({f"list{at:03}": WORDS[at::lists] for at in range(lists)})
    return estimate(count(TEXTS, lexicon), lexicon)


def test_scoring_does_no_more_calls_and_needs_no_table_of_matches_and_lists() -> None:
    """40 texts of 340 different words each: a table of matches and 60 lists would be 6.5 MB, the scores are 19 kB."""
    calls, memory = [], []
    for lists in (2, LISTS):
        model = model_of(lists)
        score(TEXTS, model)
        calls.append(calls_of(lambda model=model: score(TEXTS, model)))  # type: ignore[misc]
        memory.append(peak_memory(lambda model=model: score(TEXTS, model)))  # type: ignore[misc]
    assert abs(calls[0] - calls[1]) < 5  # two lists have a threshold, which is limited by the evidence
    assert memory[1] < memory[0] + 200_000


def test_probabilities_are_computed_once_for_a_table() -> None:
    scores = score(TEXTS, model_of(LISTS))
    values = scores.probabilities
    with patch.object(Scores, "probabilities", PropertyMock(return_value=values)) as computed:
        table = scores.table()
    assert computed.call_count == 1
    assert np.array_equal(table["p_list007"], values[:, 7])


def test_a_text_has_the_same_score_alone_and_among_others() -> None:
    others = made_up_words(30, size=4)
    random, texts = np.random.default_rng(1), []
    for at in range(90):
        own = [WORDS[at % 3 :: 3][place] for place in random.integers(0, 200, 40)]
        texts.append(" ".join([*own, *random.choice(others[at % 3 :: 3], 20)]))
    lexicon = Lexicon({f"list{at}": WORDS[at::3] for at in range(3)})
    model = expand(estimate(count(texts, lexicon), lexicon), texts)
    assert model.expansion is not None
    alone = np.concatenate([score([text], model).values for text in texts])
    assert np.array_equal(score(texts, model).values, alone)
