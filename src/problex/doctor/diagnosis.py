"""All findings about a lexicon on a corpus, ranked by the accuracy that their edits are expected to gain."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Unpack

from problex._util.files import write_atomically
from problex._util.formatting import format_percent, pluralize
from problex._util.records import Record, to_csv
from problex.corpus import Batch, Reading, rereader, strip_markup
from problex.counting.counts import Counts, tokenizer_of, words_of_texts
from problex.counting.streams import count_batches
from problex.doctor.associations import measure_associations
from problex.doctor.checks import (
    SAMPLE_BYTES,
    absent_topics,
    broad_wildcards,
    candidate_words,
    dominant_entries,
    entries_in_two_lists,
    list_coverage,
    list_opposition,
    misplaced_entries,
    missing_inflections,
    rare_entries,
    unmatchable_entries,
    unseen_entries,
    view_of_texts,
)
from problex.doctor.concordance import Concordance, read_concordance
from problex.doctor.findings import Case, Finding
from problex.errors import EstimationError, LexiconWarning, check_choice
from problex.expansion.learn import OutsideView
from problex.expansion.reservoir import ReservoirSample
from problex.lexicon.dictionary import Dictionary
from problex.lexicon.edits import Edit
from problex.lexicon.files import write_dictionary
from problex.lexicon.lexicon import Issue, Lexicon
from problex.matching.items import items_of
from problex.matching.tokens import Tokenizer

KINDS = (
    "wrong side",
    "ambiguous",
    "dominates",
    "wildcard",
    "in both lists",
    "inflections",
    "candidate",
    "not matchable",
    "never seen",
    "too rare",
    "coverage",
    "absent topic",
    "imbalance",
    "not opposed",
    "no match",
)
"""The kinds of findings."""
MAX_CONTEXTS = 3
"""Contexts of a finding, and words that they are taken from."""
CHECKS: dict[str, Callable[[Case], Iterator[Finding]]] = {
    "misplaced": misplaced_entries,
    "wildcards": broad_wildcards,
    "in_both": entries_in_two_lists,
    "inflections": missing_inflections,
    "candidates": candidate_words,
    "dominant": dominant_entries,
    "unmatchable": unmatchable_entries,
    "unseen": unseen_entries,
    "rare": rare_entries,
    "absent": absent_topics,
    "coverage": list_coverage,
    "opposition": list_opposition,
}
"""A check takes a case and yields findings; a new check is a function and a line here."""
LOG_COLUMNS = ("fix", "word", "from", "to", "done", "kind", "why", "forecast_before", "forecast_after")


@dataclass(frozen=True)
class Diagnosis:
    """All findings, sorted: faults by cost, words to add by gain, notes.

    `left_out` is the number of faults and words to add that would gain less than `MIN_GAIN`, or did not raise the
    accuracy when they were tried.
    """

    lexicon: Lexicon
    forecast: float
    findings: tuple[Finding, ...]
    summary: str = ""
    left_out: int = 0

    @property
    def faults(self) -> tuple[Finding, ...]:
        """Findings about entries whose edits are expected to help, the costliest first."""
        return tuple(finding for finding in self.findings if finding.rank[0] == 0)

    @property
    def additions(self) -> tuple[Finding, ...]:
        """Words that could be added, the largest gain first."""
        return tuple(finding for finding in self.findings if finding.rank[0] == 1)

    @property
    def notes(self) -> tuple[Finding, ...]:
        """Findings without an expected gain."""
        return tuple(finding for finding in self.findings if finding.rank[0] == 2)

    def top(self, number: int) -> Diagnosis:
        """The first `number` faults, the first `number` additions, and all notes.

        >>> kinds = ("ambiguous", "wildcard", "candidate")
        >>> found = [Finding(kind, "", (), "", before=0.5, after=0.6) for kind in kinds]
        >>> diagnosis = Diagnosis(Lexicon({"a": ["x"], "b": ["y"]}), 0.5, (*found, Finding("coverage", "", (), "")))
        >>> [finding.kind for finding in diagnosis.top(1).findings]
        ['ambiguous', 'candidate', 'coverage']
        """
        return replace(self, findings=(*self.faults[:number], *self.additions[:number], *self.notes))

    def records(self) -> list[Record]:
        """A record per finding."""
        return [finding.record() for finding in self.findings]


def examine(
    counts: Counts,
    lexicon: Lexicon,
    *,
    tokenizer: Tokenizer | None = None,
    view: OutsideView | None = None,
) -> Diagnosis:
    """Check a lexicon against the counts of a corpus: all findings except those that need the texts themselves.

    With a `view` of texts by the words outside the lists, edits are tried on these texts.

    >>> from problex import count
    >>> lexicon = Lexicon({"positive": ["good", "fine", "odd"], "negative": ["bad", "poor"]})
    >>> texts = ["good fine day", "bad poor odd film", "poor bad odd day", "fine good film"] * 100
    >>> finding = examine(count(texts, lexicon, associations=True), lexicon).findings[0]
    >>> finding.kind, finding.edit
    ('wrong side', "move 'odd' from positive to negative")
    """
    tokenizer = tokenizer or tokenizer_of(counts)
    if counts.token_pairs == 0:
        raise EstimationError(
            f"none of {pluralize(counts.documents, 'document')} has two words, but the doctor assesses words by the "
            "words they occur with: use longer texts, or join them"
        )
    case = Case(lexicon, tokenizer, counts, measure_associations(counts), view)
    findings = [finding for check in CHECKS.values() for finding in check(case)]
    findings = _drop_covered(sorted(map(_without_small_edits, findings), key=lambda finding: finding.rank))
    worthwhile = [finding for finding in findings if finding.is_worthwhile]
    return Diagnosis(lexicon, case.before, tuple(worthwhile), _summary(case), left_out=len(findings) - len(worthwhile))


def _without_small_edits(finding: Finding) -> Finding:
    """An entry in two lists is a finding without any gain, too; then it has no edits."""
    if finding.kind != "in both lists" or finding.is_worthwhile:
        return finding
    return replace(finding, edits=(), after=finding.before)


def _summary(case: Case) -> str:
    """The size of the corpus, and the texts that were left out."""
    counts, items = case.counts, items_of(case.lexicon, case.tokenizer)
    words = words_of_texts(counts, items, case.tokenizer)
    parts = [f"{pluralize(counts.documents, 'document')}, {pluralize(words, 'word')}"]
    left_out = {"missing": counts.missing, "unreadable": counts.invalid, "empty": counts.empty}
    return "; ".join(parts + [f"{pluralize(number, 'text')} {kind}" for kind, number in left_out.items() if number])


def _drop_covered(findings: Iterable[Finding]) -> list[Finding]:
    """Drop findings whose entries are all edited by findings before them.

    >>> first = Finding("wildcard", "up", ("good*",), "", (Edit("good*", "up", None),))
    >>> second = Finding("ambiguous", "up", ("good*",), "", (Edit("good*", "up", None),))
    >>> [finding.kind for finding in _drop_covered([first, second])]
    ['wildcard']
    """
    edited: set[tuple[str, str | None]] = set()
    remaining = []
    for finding in findings:
        entries = {(edit.word, edit.old) for edit in finding.edits}
        if not finding.edits or not entries <= edited:
            remaining.append(finding)
            edited |= entries
    return remaining


def doctor(
    documents: Any,
    lexicon: Lexicon,
    *,
    top: int = 20,
    kinds: Sequence[str] | None = None,
    text: str | None = None,
    tokenizer: Tokenizer | None = None,
    markup: bool = False,
    threads: int | None = None,
    **reading: Unpack[Reading],
) -> Diagnosis:
    """Check a lexicon against texts, which are read twice: to count, and to find the words in context.

    `documents` may also be a function that returns their batches anew in each call. Iterators and streams can be read
    once only, so their texts are kept in memory. The first `top` faults and additions and all notes get contexts; other
    `kinds` of findings are left out.
    """
    stream = documents if callable(documents) else rereader(documents, text=text, hint_markup=not markup, **reading)
    kinds = kinds or KINDS
    for kind in kinds:
        check_choice("kind", kind, KINDS)
    tokenizer = tokenizer or Tokenizer()
    sample = ReservoirSample(SAMPLE_BYTES)
    counts = count_batches(
        _sampled(stream(), sample), lexicon, threads, tokenizer=tokenizer, markup=markup, associations=True
    )
    texts = strip_markup(sample.texts) if markup else sample.texts
    diagnosis = examine(counts, lexicon, tokenizer=tokenizer, view=view_of_texts(counts, lexicon, texts))
    diagnosis = replace(diagnosis, findings=tuple(finding for finding in diagnosis.findings if finding.kind in kinds))
    selected = diagnosis.top(top).findings
    words = list(dict.fromkeys(word for finding in selected for word in _words_in_context(finding)))
    items = items_of(lexicon, tokenizer)
    concordance = read_concordance(stream(), items, tokenizer, words, entries=counts.entries, markup=markup)
    in_context = {finding: _with_contexts(finding, concordance) for finding in selected}
    findings = [in_context.get(finding, finding) for finding in diagnosis.findings]
    if "no match" in kinds:
        findings.append(_unmatched_documents(concordance))
    return replace(diagnosis, findings=tuple(findings))


def _sampled(stream: Iterable[Batch], sample: ReservoirSample) -> Iterator[Batch]:
    for batch in stream:
        sample.add_batch(batch)
        yield batch


def _words_in_context(finding: Finding) -> Sequence[str]:
    """The words of a finding that are shown in context: of a wildcard the unrelated matches, of others the first.

    >>> [_words_in_context(Finding(kind, "up", ("hero*", "Heroin"), "")) for kind in ("wildcard", "never seen")]
    [['heroin'], []]
    """
    words = finding.words[1:] if finding.kind == "wildcard" else finding.words
    return [] if finding.kind == "never seen" else [word.lower() for word in words[:MAX_CONTEXTS]]


def _with_contexts(finding: Finding, concordance: Concordance) -> Finding:
    """A finding with contexts of its words in turn."""
    by_word = [concordance.contexts.get(word, ()) for word in _words_in_context(finding)]
    in_turn = [contexts[turn] for turn in range(MAX_CONTEXTS) for contexts in by_word if turn < len(contexts)]
    return replace(finding, contexts=tuple(in_turn[:MAX_CONTEXTS]))


def _unmatched_documents(concordance: Concordance) -> Finding:
    """The note on documents without a match.

    >>> _unmatched_documents(Concordance(8, 2, {})).why
    '2 of 8 documents (25.0%) contain no entry of any list'
    """
    share = concordance.unmatched / max(concordance.documents, 1)
    total = pluralize(concordance.documents, "document")
    text = f"{concordance.unmatched:,} of {total} ({format_percent(share)}) contain no entry of any list"
    return Finding("no match", "", (), text)


def forecast_auc(
    stream: Iterable[Batch],
    lexicon: Lexicon,
    *,
    tokenizer: Tokenizer | None = None,
    markup: bool = False,
    threads: int | None = None,
) -> float:
    """AUC of counting that is forecast for a lexicon, such as an edited one, from texts that are counted for it."""
    tokenizer = tokenizer or Tokenizer()
    with warnings.catch_warnings():  # the entries were reported with the first count
        warnings.simplefilter("ignore", LexiconWarning)
        counts = count_batches(stream, lexicon, threads, tokenizer=tokenizer, markup=markup, associations=True)
    return measure_associations(counts).forecast()


def apply_edits(lexicon: Lexicon, findings: Sequence[Finding]) -> tuple[Lexicon, list[Record]]:
    """Apply the edits of findings to a lexicon; return the edited lexicon and a log with a record per edit.

    The first edit of an entry is applied, later ones are not. The last entry of a list is not removed. The log
    also has the entries that were left out because they are in two lists.

    >>> finding = Finding("wrong side", "positive", ("hero",), "", (Edit("hero", "positive", "negative"),))
    >>> edited, log = apply_edits(Lexicon({"positive": ["good", "hero"], "negative": ["bad"]}), [finding])
    >>> edited.lists["negative"], log[0]["done"]
    (('bad', 'hero'), "move 'hero' from positive to negative")
    >>> finding = Finding("never seen", "negative", ("bad",), "", (Edit("bad", "negative", None),))
    >>> apply_edits(Lexicon({"positive": ["good"], "negative": ["bad"]}), [finding])[1][0]["done"]
    'nothing: it is the last entry of its list'
    """
    lists = {name: set(words) for name, words in lexicon.lists.items()}
    log = []
    first_finding: dict[str, int] = {}
    for number, finding in enumerate(findings, start=1):
        for edit in finding.edits:
            action = str(edit)
            if first_finding.setdefault(edit.word, number) != number:
                action = f"nothing: fix {first_finding[edit.word]} changed it already"
            elif edit.old is not None and lists[edit.old] == {edit.word}:
                action = "nothing: it is the last entry of its list"
            else:
                _apply(lists, edit)
            log.append(_log_record(number, edit, finding, action))
    edited = Lexicon({name: sorted(words) for name, words in lists.items()})
    for problem in lexicon.problems:
        if problem.kind == "in two lists" and problem.entry not in first_finding:
            finding = Finding("in both lists", "", (problem.entry,), f"is in two lists ({problem.where})")
            log.append(_log_record(None, Edit(problem.entry, None, None), finding, "left out of both, as before"))
    return edited, log


def _apply(lists: dict[str, set[str]], edit: Edit) -> None:
    """Remove the entry from all lists but the new one.

    >>> lists = {"up": {"a", "b"}, "down": {"c"}}
    >>> _apply(lists, Edit("b", "up", "down"))
    >>> sorted(lists["up"]), sorted(lists["down"])
    (['a'], ['b', 'c'])
    """
    for words in lists.values():
        words.discard(edit.word)
    if edit.new is not None:
        lists[edit.new].add(edit.word)


def _log_record(number: int | None, edit: Edit, finding: Finding, action: str) -> Record:
    before, after = (round(value, 6) if value > 0 else None for value in (finding.before, finding.after))
    values = (number, edit.word, edit.old, edit.new, action, finding.kind, finding.why, before, after)
    return dict(zip(LOG_COLUMNS, values, strict=True))


def write_edits(
    edited: Lexicon,
    log: Sequence[Record],
    lexicon_path: Path,
    log_path: Path,
    *,
    force: bool = False,
    raw: bool = False,
) -> list[Issue]:
    """Write an edited lexicon and its log of changes (CSV); return what the lexicon's format could not hold."""
    issues = list(write_dictionary(Dictionary.of(edited), lexicon_path, force=force))
    text = to_csv(log, LOG_COLUMNS, raw=raw)
    write_atomically(log_path, lambda path: path.write_text(text, "utf-8"), force=force)
    return issues
