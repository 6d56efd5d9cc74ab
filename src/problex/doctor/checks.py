"""Checks of the entries of a lexicon: misplaced, dominant, unmatchable, unseen, rare, in two lists."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy.special import ndtr

from problex._util.formatting import pluralize, with_article
from problex.doctor.associations import OUTSIDE, Change
from problex.doctor.findings import MIN_OCCURRENCES, Case, Finding
from problex.doctor.usage import Use
from problex.doctor.wildcards import matches_of
from problex.lexicon.edits import Edit
from problex.matching.items import has_wildcard, item_of, items_of
from problex.matching.negation import NEGATED

MIN_CERTAINTY = 0.75
"""Probability that an entry is associated with another list than its own, from which it is on the wrong side."""
MIN_NOISE_SHARE = 0.01
"""An entry with more than this share of the noise of a count, and ten times the mean share, is dominant."""
MAX_ERROR_RATIO = 2.0
"""So are words whose standard error is more than this many times the mean estimate of the list."""
MAX_WORDS_SHOWN = 8


def misplaced_entries(case: Case) -> Iterator[Finding]:
    """Entries without which, or in another list, counting is expected to be more accurate."""
    associations = case.associations
    for word in associations.entries.tolist():
        label = int(associations.list_index[word])
        if associations.words[word] not in case.written or associations.occurrences[word] < MIN_OCCURRENCES:
            continue  # matches of a wildcard are judged together with the wildcard
        change = Change(word, label, _better_list(case, word, label))
        if associations.forecast([change]) <= case.before:
            continue
        use = case.use(word)
        if not use.is_elsewhere:
            continue
        kind, certainty = _kind_of_fault(case, word, label)
        reason = f"{describe_association(case, word, label)}; {describe_use(case, use, label)}"
        certainty = min(certainty, use.certainty)
        yield case.finding(kind, label, [associations.words[word]], reason, [change], certainty)


def _kind_of_fault(case: Case, word: int, label: int) -> tuple[str, float]:
    """The kind of fault, and the probability that the association is as weak as this kind says."""
    associations = case.associations
    estimate, std_error = associations.estimate[word, label], associations.std_error[word, label]
    certainty = float(ndtr(-estimate / std_error))
    if certainty >= MIN_CERTAINTY:
        return "wrong side", certainty
    repeated = estimate > associations.list_mean[label] / 2
    kind = "dominates" if repeated or _is_dominant(case, word) else "ambiguous"
    return kind, float(ndtr((associations.break_even(word) - estimate) / std_error))


def describe_use(case: Case, use: Use, label: int) -> str:
    """How often an entry occurs in a text in which another list leads, and in one of its own list."""
    lists, rates = case.associations.lists, use.rates
    return (
        f"it occurs {rates[use.rival]:.3f} times per text in which {lists[use.rival]} leads, {rates[label]:.3f} times "
        f"where {lists[label]} does"
    )


def _better_list(case: Case, word: int, label: int) -> int:
    """The list that a word qualifies for and that uses it most, or `OUTSIDE`."""
    best = int(np.argmax(case.associations.estimate[word]))
    qualifies = best != label and case.qualifies(word, best)
    return best if qualifies and best == case.use(word).rival else OUTSIDE


def _is_dominant(case: Case, word: int) -> bool:
    associations = case.associations
    return bool(associations.noise_share[word] > max(MIN_NOISE_SHARE, 10.0 / max(len(associations.entries), 1)))


def describe_association(case: Case, word: int, label: int) -> str:
    """The association of a word with the list that explains the finding, in words."""
    associations = case.associations
    excess = associations.share[word] - associations.expected_share[word]
    if label == OUTSIDE:
        described = int(np.argmax(excess))
    elif excess[label] < 0:
        described = int(np.argmax(np.where(np.arange(len(excess)) == label, -np.inf, excess)))
    else:
        described = label
    errors = excess[described] / associations.share_error[word, described]
    text = (
        f"{associations.share[word, described]:.1%} of the list words in its texts belong to "
        f"{associations.lists[described]}, {associations.expected_share[word, described]:.1%} by chance "
        f"({errors:+.1f} standard errors); {pluralize(int(associations.occurrences[word]), 'occurrence')}"
    )
    if label == OUTSIDE:
        return text
    text += f", {associations.noise_share[word]:.1%} of the noise"
    if associations.estimate[word, label] > associations.list_mean[label] / 2:
        text += ": it is repeated within texts, which adds more noise than signal"
    elif described == label:
        text += f": too weak an association for {with_article(associations.lists[label])} word"
    return text


def dominant_entries(case: Case) -> Iterator[Finding]:
    """Entries that make up much of the score and whose removal would not help: a note without edits."""
    associations = case.associations
    for label, name in enumerate(associations.lists):
        words = [
            word
            for word in associations.entries.tolist()
            if associations.list_index[word] == label
            and _is_dominant(case, word)
            and associations.forecast([Change(word, label, OUTSIDE)]) <= case.before
        ]
        if words:
            words.sort(key=lambda word: -associations.noise_share[word])
            shares = ", ".join(
                f"{associations.words[word]} {associations.noise_share[word]:.1%}" for word in words[:10]
            )
            text = (
                f"{name}: much of the score depends on a few words, which add more signal than noise: "
                f"{shares} of the noise"
            )
            yield case.finding("dominates", label, [associations.words[word] for word in words], text)


def unmatchable_entries(case: Case) -> Iterator[Finding]:
    """Entries that cannot match any text as they are written."""
    problems = items_of(case.lexicon, case.tokenizer).problems
    for name in case.lexicon.names:
        entries = [problem.entry for problem in problems if problem.kind == "not matchable" and problem.where == name]
        if entries:
            rest = len(entries) - MAX_WORDS_SHOWN
            examples = ", ".join(entries[:MAX_WORDS_SHOWN]) + (f" and {rest} more" if rest > 0 else "")
            text = f"{pluralize(len(entries), 'entry', 'entries')} of {name} cannot be matched as written: {examples}"
            yield Finding("not matchable", name, tuple(entries), text, _removals(entries, name))


def unseen_entries(case: Case) -> Iterator[Finding]:
    """Entries that do not occur in the texts."""
    unmatchable = {problem.entry for problem in items_of(case.lexicon, case.tokenizer).problems}
    for name, entries in case.lexicon.lists.items():
        unseen = [entry for entry in entries if entry not in unmatchable and not _occurs(entry, case)]
        if unseen:
            total = pluralize(len(entries), "entry", "entries")
            verb = "occurs, which does" if len(unseen) == 1 else "occur, which does"
            text = f"{len(unseen):,} of {total} in {name} never {verb} no harm"
            yield Finding("never seen", name, tuple(unseen), text, _removals(unseen, name))


def _removals(entries: list[str], name: str) -> tuple[Edit, ...]:
    return tuple(Edit(entry, name, None) for entry in entries)


def _occurs(entry: str, case: Case) -> bool:
    item, literal = item_of(entry, case.tokenizer)
    if has_wildcard(item, case.tokenizer.glob) and not literal:
        return bool(matches_of(item, case.associations.words, glob=case.tokenizer.glob))
    return item in case.associations.index


def rare_entries(case: Case) -> Iterator[Finding]:
    """Entries that occur too rarely to be assessed."""
    associations = case.associations
    for label, name in enumerate(associations.lists):
        members = associations.entries[associations.list_index[associations.entries] == label]
        uncertain = associations.share_error[members, label] > MAX_ERROR_RATIO * abs(associations.list_mean[label])
        rare = members[uncertain | (associations.occurrences[members] < MIN_OCCURRENCES)]
        if len(rare):
            total = max(float(associations.base_rates[members].sum()), 1e-300)
            words = tuple(associations.words[word] for word in rare.tolist())
            negated = sum(word.startswith(NEGATED) for word in words)
            forms = f" ({pluralize(negated, 'negated form')}, such as 'not good', included)" if negated else ""
            text = (
                f"{pluralize(len(rare), f'entry of {name} occurs', f'entries of {name} occur')} too rarely to be "
                f"assessed{forms}, {associations.base_rates[rare].sum() / total:.1%} of the matches of the list: use "
                f"more texts, or keep {'it' if len(rare) == 1 else 'them'}"
            )
            yield Finding("too rare", name, words, text)


def entries_in_two_lists(case: Case) -> Iterator[Finding]:
    """Entries that are in two lists, and therefore left out of both, with the list that they qualify for."""
    associations = case.associations
    for problem in (*case.lexicon.problems, *items_of(case.lexicon, case.tokenizer).problems):
        if problem.kind != "in two lists":
            continue
        item, _ = item_of(problem.entry, case.tokenizer)
        text = f"is in two lists ({problem.where}) and is left out of both"
        word = associations.index.get(item)
        if word is None:
            yield Finding("in both lists", "", (problem.entry,), f"{text}; it does not occur")
            continue
        best = int(np.argmax(associations.estimate[word]))
        changes = [Change(word, OUTSIDE, best)] if case.qualifies(word, best) else []
        text += f"; {describe_association(case, word, OUTSIDE)}"
        text += "" if changes else ": it is better left out"
        certainty = case.certainty(word, best) if changes else None
        yield case.finding("in both lists", OUTSIDE, [problem.entry], text, changes, certainty)
