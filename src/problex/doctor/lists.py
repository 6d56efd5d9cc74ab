"""Findings about whole lists: how much they cover, whether their topic is in the texts, whether they are opposed."""

from __future__ import annotations

import warnings
from collections.abc import Iterator

import numpy as np
import pyarrow as pa

from problex._util.formatting import pluralize
from problex.counting.counts import Counts
from problex.doctor.findings import Case, Finding
from problex.errors import EstimationError, EstimationWarning
from problex.estimation.fitting import estimate
from problex.estimation.published import evidence_of
from problex.expansion.expanded_model import OutsideView, outside_view
from problex.expansion.topics import MIN_SUPPORT
from problex.lexicon.lexicon import Lexicon
from problex.matching.negation import NEGATED
from problex.model.evidence import coverage

MAX_COVERAGE_RATIO = 1.5
"""Ratio of the coverage of two lists from which they are reported as imbalanced."""
SAMPLE_BYTES = 8 << 20
"""The texts on which lists of topics are tested: a random sample of so many bytes."""


def view_of_texts(counts: Counts, lexicon: Lexicon, texts: pa.Array) -> OutsideView | None:
    """What the words outside the lists say about texts; None for two lists of tone, or if too little is known."""
    if unseen_lists(counts):
        return None
    try:
        with warnings.catch_warnings():  # the doctor describes the same in its own words
            warnings.simplefilter("ignore", EstimationWarning)
            return outside_view(estimate(counts, lexicon), texts)
    except EstimationError:
        return None


def unseen_lists(counts: Counts) -> list[str]:
    """The lists without any entry in the texts."""
    seen = np.bincount(counts.list_index, evidence_of(counts).occurrences, minlength=len(counts.lists))
    return [name for name, number in zip(counts.lists, seen.tolist(), strict=True) if number == 0]


def absent_topics(case: Case) -> Iterator[Finding]:
    """Lists whose topic seems to be absent from the texts: the other words do not support them."""
    for name in unseen_lists(case.counts):
        text = (
            f"no entry of {name} occurs in the texts: check the language and the spelling of the list, or leave it out"
        )
        yield Finding("absent topic", name, (), text, support=0.0)
    for name, support in case.support.items():
        if support < MIN_SUPPORT:
            text = (
                f"{name} has little support: in the texts that it leads in, the other words give it a probability of "
                f"{support:.0%} on average, where {MIN_SUPPORT:.0%} or more is usual. Its topic may be absent, and its "
                "entries may mean something else here. Read some of these texts; if they are about other topics, leave "
                "the list out, or do not trust its share"
            )
            yield Finding("absent topic", name, (), text, support=support)


def list_coverage(case: Case) -> Iterator[Finding]:
    """The coverage of each list, and whether the lists are imbalanced."""
    evidence = evidence_of(case.counts)
    shares = coverage(evidence, evidence.occurrences >= 0)
    own = np.array([not entry.startswith(NEGATED) for entry in evidence.entries], dtype=bool)
    for label, name in enumerate(evidence.lists):
        occurrences = evidence.occurrences[(evidence.list_index == label) & own]
        total = pluralize(len(occurrences), "entry", "entries")
        text = f"{name}: {int((occurrences > 0).sum()):,} of {total} occur, {shares[label]:.2%} of all tokens"
        support = case.support.get(name)
        text += "" if support is None else f"; support by other words {support:.0%}"
        yield Finding("coverage", name, (), text, support=support)
    most, least = int(shares.argmax()), int(shares.argmin())
    if shares[least] * MAX_COVERAGE_RATIO < shares[most]:
        share = case.counts.imputed_documents[most] / max(case.counts.documents, 1)
        median = "compare scores with their median instead of zero, or " if len(evidence.lists) == 2 else ""
        advice = f"{median}let problex fit learn weights"
        text = (
            f"{evidence.lists[most]} covers {shares[most] / max(shares[least], 1e-300):.1f} times as many tokens as "
            f"{evidence.lists[least]}, so counting gives it {share:.0%} of the documents: {advice}"
        )
        yield Finding("imbalance", "", (), text)


def list_opposition(case: Case) -> Iterator[Finding]:
    """Whether entries occur more often with their own list than with the others."""
    if case.before <= 0.5:
        text = (
            "the entries of a list do not occur more often with their own list than with the others, so they cannot be "
            "assessed: use more texts, or check that the lists are in the language of the texts and oppose each other"
        )
        yield Finding("not opposed", "", (), text)
