"""Checks of the entries of a lexicon: misplaced, dominant, unmatchable, unseen, rare, in two lists."""

from __future__ import annotations

import sys
import warnings
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import takewhile

import numpy as np
import pyarrow as pa
from scipy.special import ndtr

from problex._util.formatting import pluralize, with_article
from problex.counting.counts import Counts
from problex.doctor.associations import CAUTION, OUTSIDE, Change
from problex.doctor.findings import MIN_OCCURRENCES, Case, Finding
from problex.doctor.usage import Use
from problex.errors import EstimationError, EstimationWarning
from problex.estimation.fitting import estimate
from problex.estimation.published import evidence_of
from problex.expansion.constants import TUNED
from problex.expansion.learn import OutsideView, outside_view
from problex.lexicon.edits import Edit
from problex.lexicon.lexicon import Lexicon
from problex.matching.items import has_wildcard, item_of, items_of
from problex.matching.languages import LANGUAGES
from problex.matching.negation import NEGATED
from problex.matching.wildcards import Wildcard, is_glob
from problex.model.evidence import coverage

MIN_CERTAINTY = 0.75
"""Probability that an entry is associated with another list than its own, from which it is on the wrong side."""
MIN_NOISE_SHARE = 0.01
"""An entry with more than this share of the noise of a count, and ten times the mean share, is dominant."""
MAX_ERROR_RATIO = 2.0
"""So are words whose standard error is more than this many times the mean estimate of the list."""
MAX_WORDS_SHOWN = 8
MIN_STEM_LENGTH = 4
MAX_COVERAGE_RATIO = 1.5
"""Ratio of the coverage of two lists from which they are reported as imbalanced."""
SAMPLE_BYTES = 8 << 20
"""The texts on which lists of topics are tested: a random sample of so many bytes."""


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


def matches_of(entry: str, words: Sequence[str], *, glob: bool = False) -> Sequence[str]:
    """The words, of sorted ones, that a wildcard such as `happ*` matches.

    Without `glob`, stars inside a word (`f**k`) match nothing.

    >>> matches_of("happ*", ["happens", "happy", "unhappy"]), matches_of("*ful", ["joy", "joyful"])
    (['happens', 'happy'], ['joyful'])
    >>> matches_of("f**k", ["folk"])
    []
    >>> matches_of("f?l*", ["fall", "folk", "full"], glob=True)
    ['fall', 'folk', 'full']
    >>> matches_of("not happ*", ["happy", "not happy"])                 # phrases with wildcards match nothing here
    []
    """
    if glob and is_glob(entry) and " " not in entry:
        start = "".join(takewhile(lambda sign: sign not in "*?", entry))
        first, end = bisect_left(words, start), bisect_right(words, start + chr(sys.maxunicode))
        return list(filter(Wildcard(entry, glob=True).matches, words[first:end]))
    core = entry.removeprefix("*").removesuffix("*")
    if not core or "*" in core or core == entry or " " in core:
        return []
    if entry.startswith("*"):
        return [word for word in words if (core in word if entry.endswith("*") else word.endswith(core))]
    return words[bisect_left(words, core) : bisect_right(words, core + chr(sys.maxunicode))]


def broad_wildcards(case: Case) -> Iterator[Finding]:
    """Wildcards of which some matches are not associated with the list."""
    associations = case.associations
    for label, name in enumerate(associations.lists):
        for entry in case.lexicon.lists[name]:
            matches = matches_of(entry, associations.words, glob=case.tokenizer.glob)
            words = [associations.index[word] for word in matches if word not in case.written]
            words.sort(key=lambda word: -int(associations.occurrences[word]))
            unrelated = [word for word in words if _is_unrelated(case, word, label)]
            if unrelated and (finding := _replacement(case, entry, label, words, unrelated)).cost > 0:
                yield finding


def _is_unrelated(case: Case, word: int, label: int) -> bool:
    """Whether the estimate of a match plus its standard error is low, and its list uses it no more than others."""
    estimate, std_error = case.associations.entry_estimate(word, label)
    is_weak = bool(estimate + std_error < case.associations.list_mean[label] / 2)
    return is_weak and (case.associations.list_index[word] == OUTSIDE or case.use(word).may_be_chance)


def _is_related(case: Case, word: int, label: int) -> bool:
    """Whether the texts show that a match belongs: its share of the list is above chance by two standard errors."""
    associations = case.associations
    excess = associations.share[word, label] - associations.expected_share[word, label]
    is_frequent = associations.occurrences[word] >= MIN_OCCURRENCES
    return bool(is_frequent and excess > CAUTION * associations.share_error[word, label])


def _replacement(case: Case, entry: str, label: int, words: list[int], unrelated: list[int]) -> Finding:
    """The proposal to replace a wildcard by its related matches; the forecasts are with all matches and with these."""
    associations = case.associations
    kept = [word for word in words if word not in unrelated and _is_related(case, word, label)]
    name = associations.lists[label]
    examples = ", ".join(
        f"{associations.words[word]} ({associations.occurrences[word]:,})" for word in words[:MAX_WORDS_SHOWN]
    )
    rest = f" and {len(words) - MAX_WORDS_SHOWN} more" if len(words) > MAX_WORDS_SHOWN else ""
    names = [associations.words[word] for word in unrelated]
    related = [associations.words[word] for word in kept]
    text = (
        f"matches {examples}{rest}; not associated with {name}: {', '.join(names[:MAX_WORDS_SHOWN])}; associated with "
        f"it: {', '.join(related[:MAX_WORDS_SHOWN]) or 'none'}"
    )
    edits = (Edit(entry, name, None), *(Edit(word, None, name) for word in related))
    added = [Change(word, OUTSIDE, label, related=True) for word in words if associations.list_index[word] == OUTSIDE]
    lost = set(words) - set(kept)
    removed = [
        Change(word, label, OUTSIDE) for word in words if word in lost and associations.list_index[word] == label
    ]
    before = associations.forecast(added)
    after = associations.forecast([change for change in added if change.word not in lost] + removed)
    certainty = _certainty(case, unrelated, label)
    finding = Finding("wildcard", name, (entry, *names), text, edits, certainty, before, after)
    return case.tried(finding, removed)


def _certainty(case: Case, words: list[int], label: int) -> float:
    """The mean probability that the estimates of words are below half of the list's mean."""
    estimates = [case.associations.entry_estimate(word, label) for word in words]
    half = case.associations.list_mean[label] / 2
    return float(np.mean([ndtr((half - estimate) / std_error) for estimate, std_error in estimates]))


def missing_inflections(case: Case) -> Iterator[Finding]:
    """Inflected forms of entries that occur in the texts and are not in the lexicon."""
    associations = case.associations
    for family, words in _missing_forms(case).items():
        label = int(associations.list_index[associations.index[family[0]]])
        changes = [Change(word, OUTSIDE, label, related=True) for word in words]
        names = [associations.words[word] for word in words]
        forms = ", ".join(f"{associations.words[word]} ({associations.occurrences[word]:,})" for word in words)
        text = f"{associations.lists[label]} has {', '.join(family[:4])} but not {forms}, with the same association"
        finding = case.finding("inflections", label, names, text, changes)
        if finding.cost > 0:
            yield finding


def _missing_forms(case: Case) -> dict[tuple[str, ...], list[int]]:
    """Words outside the lexicon with the association of entries of the same family, by those entries."""
    associations = case.associations
    families, language = _entries_by_stem(case), case.tokenizer.language
    forms: dict[tuple[str, ...], list[int]] = {}
    for word in _words_outside(case):
        family = {entry for stem in stems(associations.words[word], language) for entry in families.get(stem, ())}
        labels = {int(associations.list_index[entry]) for entry in family}
        if len(labels) != 1:
            continue  # no family, or one in several lists
        label = labels.pop()
        if associations.entry_estimate(word, label)[0] > associations.list_mean[label] / 2 and case.is_mostly(
            word, label
        ):
            forms.setdefault(tuple(sorted(associations.words[entry] for entry in family)), []).append(word)
    return forms


def _words_outside(case: Case) -> list[int]:
    """Words in no list that occur often enough to be judged."""
    associations = case.associations
    outside = (associations.list_index == OUTSIDE) & (associations.occurrences >= MIN_OCCURRENCES)
    return list(np.flatnonzero(outside).tolist())


def stems(word: str, language: str) -> set[tuple[str, int]]:
    """The stems of a word: what is left without an ending, with the number of the set of endings.

    >>> sorted(stems("wastes", "en"))
    [('wast', 0), ('wast', 1), ('waste', 0), ('wastes', 0)]
    >>> sorted(stems("wars", "en"))                                     # "war" is too short to tell families apart
    [('wars', 0)]
    """
    families = [ends.split(" ") for ends in LANGUAGES[language].inflections]
    return {
        (word[: len(word) - len(end)], family)
        for family, ends in enumerate(families)
        for end in ends
        if word.endswith(end) and len(word) - len(end) >= MIN_STEM_LENGTH
    }


def _entries_by_stem(case: Case) -> dict[tuple[str, int], list[int]]:
    """The entries with at least half of the mean association of their list, by stem."""
    entries: dict[tuple[str, int], list[int]] = {}
    associations = case.associations
    for word in associations.entries.tolist():
        label = int(associations.list_index[word])
        strong = associations.estimate[word, label] > associations.list_mean[label] / 2
        if " " not in associations.words[word] and strong:
            for stem in stems(associations.words[word], case.tokenizer.language):
                entries.setdefault(stem, []).append(word)
    return entries


def candidate_words(case: Case) -> Iterator[Finding]:
    """Words outside the lexicon that qualify for one of its lists."""
    associations = case.associations
    for word in _words_outside(case):
        label = int(np.argmax(associations.estimate[word]))
        if not case.qualifies(word, label):
            continue
        change = Change(word, OUTSIDE, label)
        if associations.forecast([change]) > case.before:
            reason, certainty = describe_association(case, word, OUTSIDE), case.certainty(word, label)
            yield case.finding("candidate", label, [associations.words[word]], reason, [change], certainty)


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
        if support < TUNED.min_support:
            text = (
                f"{name} has little support: in the texts that it leads in, the other words give it a probability of "
                f"{support:.0%} on average, where {TUNED.min_support:.0%} or more is usual. Its topic may be absent, "
                "and its entries may mean something else here. Read some of these texts; if they are about other "
                "topics, leave the list out, or do not trust its share"
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
