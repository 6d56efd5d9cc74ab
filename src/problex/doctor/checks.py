"""Checks of the entries of a lexicon against the texts: on the wrong side, too loud, unseen, rare, in both lists."""

from __future__ import annotations

import sys
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence

import numpy as np
from scipy.special import ndtr

from problex._util.formatting import pluralize
from problex.doctor.associations import OUTSIDE, Change
from problex.doctor.findings import Case, Edit, Finding
from problex.matching.items import item_of, items_of

WRONG = 0.75
"""How probable it must be that a word leans away from its list to say so; the finding has the probability."""
LOUD = 0.01
"""A word that brings more than this share of the noise of a count, and ten times the mean, dominates it."""
FEW, RARE = 5, 2.0
"""Words seen less often, or with an error of more than so many times the average leaning, are too rare to judge."""


def misplaced(case: Case) -> Iterator[Finding]:
    """Entries that counting would be better off without, or with on the other side."""
    company = case.company
    loud = max(LOUD, 10.0 / max(len(company.entries), 1)) * company.spread[company.entries].sum()
    for word in company.entries.tolist():
        label = int(company.list_index[word])
        if company.words[word] not in case.written or company.occurrences[word] < FEW:
            continue  # what a wildcard has caught is judged with the wildcard
        leaning, doubt = company.leaning[word, label], company.doubt[word, label]
        change = Change(word, label, _better_list(case, word, label))
        if company.forecast([change]) <= case.before:
            continue
        certainty = float(ndtr(-leaning / doubt))
        if certainty >= WRONG:
            kind = "wrong side"
        else:
            repeated = leaning > company.average[label] / 2
            kind = "dominates" if repeated or company.spread[word] > loud else "ambiguous"
            certainty = float(ndtr((company.bar(word) - leaning) / doubt))
        yield case.finding(kind, label, [company.words[word]], why(case, word, label), [change], certainty)


def _better_list(case: Case, word: int, label: int) -> int:
    """The list that a word would surely earn its place in, or none."""
    best = int(np.argmax(case.company.leaning[word]))
    return best if best != label and case.company.earns_a_place(word, best) else OUTSIDE


def why(case: Case, word: int, label: int) -> str:
    """The company of a word, in words."""
    company = case.company
    excess = company.share[word] - company.chance[word]
    other = int(np.argmax(np.where(np.arange(len(excess)) == label, -np.inf, excess)))
    shown = other if excess[label] < 0 or label == OUTSIDE else label
    shown = int(np.argmax(excess)) if label == OUTSIDE else shown
    errors = excess[shown] / company.errors[word, shown]
    text = (
        f"{company.share[word, shown]:.1%} of the list words in its texts are {company.lists[shown]}, "
        f"{company.chance[word, shown]:.1%} by chance ({errors:+.1f} standard errors)"
    )
    text += f"; seen {pluralize(int(company.occurrences[word]), 'time')}"
    if label == OUTSIDE:
        return text
    noise = company.spread[word] / max(float(company.spread[company.entries].sum()), 1e-300)
    text += f", {noise:.1%} of the noise"
    if company.leaning[word, label] > company.average[label] / 2:
        text += ": it is repeated more than it tells"
    elif shown == label:
        text += f": too little for a {company.lists[label]} word"
    return text


def loud(case: Case) -> Iterator[Finding]:
    """Entries that are worth their place, but on which much of the score hangs: to know, not to edit."""
    company = case.company
    noise = company.spread / max(float(company.spread[company.entries].sum()), 1e-300)
    least = max(LOUD, 10.0 / max(len(company.entries), 1))
    for label, name in enumerate(company.lists):
        mine = [at for at in company.entries.tolist() if company.list_index[at] == label and noise[at] > least]
        mine = [at for at in mine if company.forecast([Change(at, label, OUTSIDE)]) <= case.before]
        if mine:
            mine.sort(key=lambda at: -noise[at])
            shares = ", ".join(f"{company.words[at]} {noise[at]:.1%}" for at in mine[:10])
            text = f"much of the score hangs on few words, which earn it: {shares} of the noise"
            yield case.finding("dominates", label, [company.words[at] for at in mine], f"{name}: {text}")


def unmatchable(case: Case) -> Iterator[Finding]:
    """Entries that cannot be found in any text as they are written."""
    problems = items_of(case.lexicon, case.tokenizer).problems
    for name in case.lexicon.names:
        lost = [problem.entry for problem in problems if problem.kind == "not matchable" and problem.where == name]
        if lost:
            shown = ", ".join(lost[:8]) + (f" and {len(lost) - 8} more" if len(lost) > 8 else "")
            text = f"{pluralize(len(lost), 'entry', 'entries')} of {name} cannot be matched as written: {shown}"
            yield Finding("not matchable", name, tuple(lost), text, tuple(Edit(entry, name, None) for entry in lost))


def unseen(case: Case) -> Iterator[Finding]:
    """Entries that do not occur."""
    known = {problem.entry for problem in items_of(case.lexicon, case.tokenizer).problems}
    for name, entries in case.lexicon.lists.items():
        lost = [entry for entry in entries if entry not in known and not _occurs(entry, case)]
        if lost:
            text = (
                f"{len(lost):,} of {pluralize(len(entries), 'entry', 'entries')} in {name} never occur: they do no harm"
            )
            yield Finding("never seen", name, tuple(lost), text, tuple(Edit(entry, name, None) for entry in lost))


def _occurs(entry: str, case: Case) -> bool:
    item, literal = item_of(entry, case.tokenizer)
    if "*" in item and not literal:
        return bool(caught(item, case.company.words))
    return item in case.company.place


def rare(case: Case) -> Iterator[Finding]:
    """Entries that occur too seldom to be judged."""
    company = case.company
    for label, name in enumerate(company.lists):
        mine = company.entries[company.list_index[company.entries] == label]
        unsure = company.errors[mine, label] > RARE * abs(company.average[label])
        few = mine[unsure | (company.occurrences[mine] < FEW)]
        if len(few):
            mass = company.rates[few].sum() / max(float(company.rates[mine].sum()), 1e-300)
            text = (
                f"{pluralize(len(few), 'entry', 'entries')} of {name} occur too seldom to be judged, together "
                f"{mass:.1%} of what the list counts: give more texts, or leave them"
            )
            yield Finding("too rare", name, tuple(company.words[at] for at in few.tolist()), text)


def in_both(case: Case) -> Iterator[Finding]:
    """Entries that stand in two lists, and are therefore left out of both, with the list that they would fit."""
    problems = (*case.lexicon.problems, *items_of(case.lexicon, case.tokenizer).problems)
    company = case.company
    for problem in problems:
        if problem.kind != "in two lists":
            continue
        item, _ = item_of(problem.entry, case.tokenizer)
        text = f"stands in two lists ({problem.where}) and is left out of both"
        word = company.place.get(item)
        if word is None:
            yield Finding("in both lists", "", (problem.entry,), f"{text}; it does not occur")
            continue
        best = int(np.argmax(company.leaning[word]))
        change = [Change(word, OUTSIDE, best)] if company.earns_a_place(word, best) else []
        text += f"; {why(case, word, OUTSIDE)}" + ("" if change else ": it is better left out")
        yield case.finding("in both lists", OUTSIDE, [problem.entry], text, change)


def caught(entry: str, words: Sequence[str]) -> Sequence[str]:
    """The words, out of sorted ones, that a wildcard such as `happ*` meets; stars for letters (`f**k`) are none.

    >>> caught("happ*", ["happens", "happy", "unhappy"]), caught("*ful", ["joy", "joyful"]), caught("f**k", ["folk"])
    (['happens', 'happy'], ['joyful'], [])
    """
    core = entry.removeprefix("*").removesuffix("*")
    if not core or "*" in core or core == entry or " " in core:
        return []
    if entry.startswith("*"):
        return [word for word in words if (core in word if entry.endswith("*") else word.endswith(core))]
    return words[bisect_left(words, core) : bisect_right(words, core + chr(sys.maxunicode))]


def wildcards(case: Case) -> Iterator[Finding]:
    """Wildcards that catch words which do not keep the company of the list."""
    company = case.company
    for label, name in enumerate(company.lists):
        for entry in case.lexicon.lists[name]:
            found = [company.place[word] for word in caught(entry, company.words) if word not in case.written]
            found.sort(key=lambda at: -int(company.occurrences[at]))
            strange = [at for at in found if _strange(case, at, label)]
            if strange:
                yield _mend(case, entry, label, found, strange)


def _strange(case: Case, word: int, label: int) -> bool:
    """Whether a word that a wildcard caught very probably tells less than half of what the list's average does."""
    leaning, doubt = case.company.as_entry(word, label)
    return bool(leaning + doubt < case.company.average[label] / 2)


def _mend(case: Case, entry: str, label: int, found: list[int], strange: list[int]) -> Finding:
    """A wildcard replaced by those of its words that fit; the forecast is with all of them against with these."""
    company = case.company
    shown = ", ".join(f"{company.words[at]} ({company.occurrences[at]:,})" for at in found[:8])
    more = f" and {len(found) - 8} more" if len(found) > 8 else ""
    names = [company.words[at] for at in strange]
    text = f"catches {shown}{more}; strangers to {company.lists[label]}: {', '.join(names[:8])}"
    fitting = [company.words[at] for at in found if at not in strange]
    edits = (Edit(entry, company.lists[label], None), *(Edit(word, None, company.lists[label]) for word in fitting))
    joined = [Change(at, OUTSIDE, label, kin=True) for at in found if company.list_index[at] == OUTSIDE]
    parted = [Change(at, label, OUTSIDE) for at in strange if company.list_index[at] == label]
    before = company.forecast(joined)
    after = company.forecast([change for change in joined if change.word not in strange] + parted)
    certainty = float(np.mean([ndtr((company.average[label] / 2 - lean) / doubt)
                               for lean, doubt in (company.as_entry(at, label) for at in strange)]))  # fmt: skip
    return Finding("wildcard", company.lists[label], (entry, *names), text, edits, certainty, before, after)
