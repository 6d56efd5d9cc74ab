"""What is wrong with a lexicon on a corpus, ranked by what it costs, and the edits that would mend it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from problex._util.formatting import pluralize
from problex.corpus.documents import Batch, batches
from problex.counting.counts import Counts
from problex.counting.streams import count_batches
from problex.doctor.associations import company_of
from problex.doctor.candidates import candidates, inflections
from problex.doctor.checks import in_both, loud, misplaced, rare, unmatchable, unseen, wildcards
from problex.doctor.concordance import Survey, survey
from problex.doctor.findings import Case, Finding
from problex.errors import EstimationError, check_choice
from problex.estimation.moments import coverage, evidence_of
from problex.lexicon.lexicon import Lexicon
from problex.matching.items import items_of
from problex.matching.tokens import Tokenizer

KINDS = ("wrong side", "ambiguous", "dominates", "wildcard", "in both lists", "inflections", "candidate",
         "not matchable", "never seen", "too rare", "coverage", "imbalance", "not opposed", "no match")  # fmt: skip
"""What findings are called."""
UNEVEN = 1.5
"""How much more one list may cover than another before it is worth a word."""


def covered(case: Case) -> Iterator[Finding]:
    """How much of the texts each list covers, and whether one outweighs another."""
    evidence = evidence_of(case.counts)
    shares = coverage(evidence, evidence.occurrences >= 0)
    for label, name in enumerate(evidence.lists):
        mine = evidence.occurrences[evidence.list_index == label]
        text = f"{name}: {int((mine > 0).sum()):,} of {pluralize(len(mine), 'entry', 'entries')} occur, "
        yield Finding("coverage", name, (), text + f"{shares[label]:.2%} of all tokens")
    most, least = int(shares.argmax()), int(shares.argmin())
    if shares[least] * UNEVEN < shares[most]:
        given = case.counts.imputed_documents[most] / max(case.counts.documents, 1)
        text = (
            f"{evidence.lists[most]} covers {shares[most] / max(shares[least], 1e-300):.1f} times as many tokens as "
            f"{evidence.lists[least]}, so counting gives it {given:.0%} of the documents: compare scores with their "
            "middle and not with zero, or let problex fit learn weights"
        )
        yield Finding("imbalance", "", (), text)


def opposed(case: Case) -> Iterator[Finding]:
    """Whether the lists part the texts at all."""
    if case.before <= 0.5:
        text = (
            "words of a list do not meet their own list more than the others, so nothing can be said about which of "
            "them fit: give more texts, or check that the lists are of this language and oppose each other"
        )
        yield Finding("not opposed", "", (), text)


CHECKS: dict[str, Callable[[Case], Iterator[Finding]]] = {
    "misplaced": misplaced,
    "wildcards": wildcards,
    "in_both": in_both,
    "inflections": inflections,
    "candidates": candidates,
    "loud": loud,
    "unmatchable": unmatchable,
    "unseen": unseen,
    "rare": rare,
    "covered": covered,
    "opposed": opposed,
}
"""A check takes a case and gives findings; a new one is a function and a line."""


@dataclass(frozen=True)
class Diagnosis:
    """All findings: faults, the costliest first; words that are missing; and what is only to know."""

    lexicon: Lexicon
    forecast: float
    findings: tuple[Finding, ...]
    summary: str = ""

    @property
    def faults(self) -> tuple[Finding, ...]:
        """What is wrong and can be mended, the costliest first."""
        return tuple(finding for finding in self.findings if finding.rank[0] == 0)

    @property
    def lacks(self) -> tuple[Finding, ...]:
        """Words that could be added, the most promising first."""
        return tuple(finding for finding in self.findings if finding.rank[0] == 1)

    @property
    def notes(self) -> tuple[Finding, ...]:
        """What costs nothing, but is good to know."""
        return tuple(finding for finding in self.findings if finding.rank[0] == 2)

    def top(self, number: int) -> Diagnosis:
        """The first so many faults and as many words to add, and all notes."""
        return replace(self, findings=(*self.faults[:number], *self.lacks[:number], *self.notes))

    def records(self) -> list[dict[str, Any]]:
        """A record per finding."""
        return [finding.record() for finding in self.findings]


def examine(counts: Counts, lexicon: Lexicon, *, tokenizer: Tokenizer | None = None) -> Diagnosis:
    """Check a lexicon against the counts of a corpus: every finding but what only the texts can tell.

    >>> from problex import count
    >>> lexicon = Lexicon({"positive": ["good", "fine", "odd"], "negative": ["bad", "poor"]})
    >>> texts = ["good fine day", "bad poor odd film", "poor bad odd day", "fine good film"] * 100
    >>> found = examine(count(texts, lexicon, associations=True), lexicon).findings[0]
    >>> found.kind, found.edit
    ('wrong side', "move 'odd' from positive to negative")
    """
    tokenizer = tokenizer or Tokenizer(counts.settings["language"], counts.settings["fold_accents"])
    if counts.token_pairs == 0:
        raise EstimationError(
            f"no document of {counts.documents:,} has two words, and words are judged by which others they meet: give "
            "longer texts, or join them"
        )
    case = Case(lexicon, tokenizer, counts, company_of(counts))
    findings = [finding for check in CHECKS.values() for finding in check(case)]
    findings = _once(sorted(findings, key=lambda finding: finding.rank))
    return Diagnosis(lexicon, case.before, tuple(findings), _summary(counts))


def _summary(counts: Counts) -> str:
    """What was read, and what was lost of it."""
    parts = [f"{pluralize(counts.documents, 'document')}, {pluralize(counts.tokens, 'token')}"]
    losses = {"missing": counts.missing, "unreadable": counts.invalid, "empty": counts.empty}
    return "; ".join(parts + [f"{pluralize(number, 'text')} {what}" for what, number in losses.items() if number])


def _once(findings: Iterable[Finding]) -> list[Finding]:
    """Drop a proposal for a word that a costlier finding has one for already."""
    edited: set[tuple[str, str | None]] = set()
    kept = []
    for finding in findings:
        words = {(edit.word, edit.old) for edit in finding.edits}
        if not finding.edits or not words <= edited:
            kept.append(finding)
            edited |= words
    return kept


def doctor(
    documents: Any,
    lexicon: Lexicon,
    *,
    top: int = 20,
    kinds: Sequence[str] | None = None,
    text: str | None = None,
    tokenizer: Tokenizer | None = None,
    markup: bool = False,
    missing: str = "error",
    on_error: str = "stop",
    threads: int | None = None,
) -> Diagnosis:
    """Check a lexicon against texts, which are read twice: to count, and to show the words in context."""
    options: dict[str, Any] = {"text": text, "missing": missing, "on_error": on_error}
    return diagnose(
        lambda: batches(documents, **options), lexicon, top=top, kinds=kinds, tokenizer=tokenizer, markup=markup,
        threads=threads,
    )  # fmt: skip


def diagnose(
    stream: Callable[[], Iterable[Batch]],
    lexicon: Lexicon,
    *,
    top: int = 20,
    kinds: Sequence[str] | None = None,
    tokenizer: Tokenizer | None = None,
    markup: bool = False,
    threads: int | None = None,
) -> Diagnosis:
    """The same for batches of texts that can be had as often as `stream` is called."""
    wanted = _known(kinds or KINDS)
    tokenizer = tokenizer or Tokenizer()
    counts = count_batches(stream(), lexicon, threads, tokenizer=tokenizer, markup=markup, associations=True)
    found = examine(counts, lexicon, tokenizer=tokenizer)
    found = replace(found, findings=tuple(finding for finding in found.findings if finding.kind in wanted))
    shown = found.top(top)
    words = [word for finding in shown.findings for word in _shown_in_context(finding)]
    words = list(dict.fromkeys(words))
    seen = survey(stream(), items_of(lexicon, tokenizer), tokenizer, words, entries=counts.entries, markup=markup)
    with_lines = {finding: _with_contexts(finding, seen) for finding in shown.findings}
    findings = tuple(with_lines.get(finding, finding) for finding in found.findings)
    return replace(found, findings=(*findings, *(_unmatched(seen) if "no match" in wanted else ())))


def _known(kinds: Sequence[str]) -> Sequence[str]:
    for kind in kinds:
        check_choice("kind", kind, KINDS)
    return kinds


def _shown_in_context(finding: Finding) -> Sequence[str]:
    """The words whose lines a finding shows: of a wildcard its strangers, of a long list the first."""
    words = finding.words[1:] if finding.kind == "wildcard" else finding.words
    return [] if finding.kind == "never seen" else [word.lower() for word in words[:3]]


def _with_contexts(finding: Finding, seen: Survey) -> Finding:
    """Three lines for a finding: of its words in turn."""
    lines = [seen.contexts.get(word, ()) for word in _shown_in_context(finding)]
    turns = [some[turn] for turn in range(3) for some in lines if turn < len(some)]
    return replace(finding, contexts=tuple(turns[:3]))


def _unmatched(seen: Survey) -> Iterator[Finding]:
    share = seen.unmatched / max(seen.documents, 1)
    text = (
        f"{seen.unmatched:,} of {pluralize(seen.documents, 'document')} ({share:.1%}) have no entry of any list in them"
    )
    yield Finding("no match", "", (), text)


def mend(lexicon: Lexicon, fixes: Sequence[Finding]) -> tuple[Lexicon, list[dict[str, Any]]]:
    """A lexicon with the edits of some findings made, and the log of changes: a record per entry.

    The last entry of a list is never taken away; entries that stood in two lists are in the log as left out.
    """
    lists = {name: set(words) for name, words in lexicon.lists.items()}
    log = []
    first: dict[str, int] = {}
    for number, finding in enumerate(fixes, start=1):
        for edit in finding.edits:
            done = str(edit)
            if first.setdefault(edit.word, number) != number:
                done = f"nothing: fix {first[edit.word]} has changed it"
            elif edit.old is not None and lists[edit.old] == {edit.word}:
                done = "nothing: it is the last of its list"
            else:
                for name, words in lists.items():
                    (words.add if name == edit.new else words.discard)(edit.word)
            log.append(_line(number, edit.word, edit.old, edit.new, finding, done))
    edited = Lexicon({name: sorted(words) for name, words in lists.items()})
    mended = {edit.word for finding in fixes for edit in finding.edits}
    for problem in lexicon.problems:
        if problem.kind == "in two lists" and problem.entry not in mended:
            finding = Finding("in both lists", "", (problem.entry,), f"stood in two lists ({problem.where})")
            log.append(_line(None, problem.entry, None, None, finding, "left out of both, as it was"))
    return edited, log


def _line(
    number: int | None, word: str, old: str | None, new: str | None, finding: Finding, done: str
) -> dict[str, Any]:
    """An entry of the log of changes."""
    forecasts = [round(value, 6) if value > 0 else None for value in (finding.before, finding.after)]
    return {
        "fix": number,
        "word": word,
        "from": old,
        "to": new,
        "done": done,
        "kind": finding.kind,
        "why": finding.why,
        "forecast_before": forecasts[0],
        "forecast_after": forecasts[1],
    }
