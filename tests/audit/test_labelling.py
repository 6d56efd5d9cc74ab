"""Labels one by one: the beginning of the order is a sample itself, and the width does not show the accuracy."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from problex import Lexicon, count, estimate, score
from problex.audit import audit, draw
from problex.audit.intervals import share_estimates
from problex.audit.results import labelled_texts, prediction_groups, running_width
from problex.audit.sample import Groups, labelling_order
from problex.audit.thresholds import with_labels
from problex.errors import ProblexError
from tests.populations import Population, populations

EVEN, THREE = populations()[0], populations()[-1]


@settings(max_examples=30)
@given(seed=st.integers(0, 99), size=st.integers(1, 90), by=st.booleans())
def test_every_beginning_has_each_stratum_in_proportion(seed: int, size: int, by: bool) -> None:
    names = np.array(["x", "y", "z"], dtype=object)[np.arange(len(THREE.codes)) % 3]
    sample = draw(THREE.scores, max(size, 3), seed=seed, groups=Groups("g", names) if by else None)
    order = labelling_order(sample, seed)
    assert sorted(order.tolist()) == list(range(len(sample.rows)))
    assert np.array_equal(order, labelling_order(sample, seed))
    whole = np.bincount(sample.stratum, minlength=len(sample.strata))
    places = np.stack([np.cumsum(sample.stratum[order] == at) for at in range(len(sample.strata))], axis=1)
    expected = np.arange(1, len(order) + 1)[:, None] * whole / len(order)
    assert np.all(np.abs(places - expected) <= 2.5)


@pytest.mark.parametrize(
    ("population", "labelled"),
    [(EVEN, 25), (populations()[3], 25), (populations()[7], 40)],
    ids=lambda part: str(getattr(part, "name", part)),
)
def test_intervals_cover_the_truth_wherever_one_stops(population: Population, labelled: int) -> None:
    """Of 100 intervals at 95 %, fewer than 86 with the truth in them has a chance of two in 10,000."""
    truth, times, errors = population.truth, 100, []
    hits = dict.fromkeys([("accuracy", ""), ("prevalence", "b"), ("precision", "a")], 0)
    for seed in range(times):
        sample = draw(population.scores, 60, seed=seed)
        first = labelling_order(sample, seed)[:labelled]
        groups = prediction_groups(sample, population.codes[sample.rows[first]], sample.stratum[first])
        found = {(one.measure, one.label): one for one in share_estimates(sample.classes, groups)}
        for name in hits:
            hits[name] += found[name].low - 1e-9 <= truth[name] <= found[name].high + 1e-9
        errors.append(found["accuracy", ""].value - truth["accuracy", ""])
    assert min(hits.values()) >= 86
    assert abs(np.mean(errors)) < 4 * np.std(errors) / np.sqrt(times), "no part of the scores comes first"


def test_the_next_document_cannot_be_foreseen() -> None:
    """A strict turn of two predictions would alternate; here the same prediction follows in about a third of cases."""
    same = []
    for seed in range(20):
        sample = draw(EVEN.scores, 60, seed=seed)
        labels = np.array([sample.strata[at].label for at in sample.stratum[labelling_order(sample, seed)]])
        same.append(np.mean(labels[1:] == labels[:-1]))
    assert 0.3 < np.mean(same) < 0.6


def test_the_width_is_that_of_the_audit() -> None:
    sample = draw(EVEN.scores, 60)
    labels: list[str | None] = [None] * 60
    assert running_width(sample, labels) is None
    widths: list[float] = []
    for number, at in enumerate(labelling_order(sample), start=1):
        labels[at] = EVEN.scores.classes[EVEN.codes[sample.rows[at]]]
        if number % 10 == 0:
            found = audit(sample, labels)["accuracy"]
            widths.append(running_width(sample, labels) or 0.0)
            assert widths[-1] == pytest.approx((found.high - found.low) / 2)
    assert widths[-1] < 0.7 * widths[0]


def test_labels_survive_an_edit() -> None:
    """After an edit the same labels judge the new scores, with the weights that they were drawn with."""
    sample = draw(EVEN.scores, 60)
    labels = [EVEN.scores.classes[code] for code in EVEN.codes[sample.rows]]
    turned = EVEN.scores.take(sample.rows)
    assert turned.labels().tolist() == EVEN.scores.labels()[sample.rows].tolist()
    found = audit(sample, labels, scores=turned)["accuracy"]
    assert found.value == pytest.approx(audit(sample, labels)["accuracy"].value, abs=0.02)
    assert running_width(sample, labels, turned) == pytest.approx((found.high - found.low) / 2)


def test_texts_of_labels_for_the_threshold() -> None:
    texts = ["good fine day", "fine good film", "bad poor film", "poor bad day", "good bad fine", "poor good bad"] * 20
    lexicon = Lexicon({"a": ["good", "fine"], "b": ["bad", "poor"]})
    model = estimate(count(texts, lexicon), lexicon)
    sample = draw(score(texts, model), 20)
    drawn = [texts[row] for row in sample.rows]
    labels: list[str | None] = ["a"] * 19 + [None]
    found = labelled_texts(sample, labels, drawn)
    assert list(found.texts) == drawn[:19]
    assert with_labels(model, found).calibration.labels == 19
    with pytest.raises(ProblexError, match="3 texts were given for a sample of 20, expected one for each"):
        labelled_texts(sample, labels, drawn[:3])
