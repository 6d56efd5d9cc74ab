"""What `fit` and `classify` have in common: learn from files, and say what was learned."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from problex._util.formatting import pluralize
from problex._util.memory import check_memory, parse_size
from problex.cli.inputs import TextFiles
from problex.cli.output import progress_line, resumable
from problex.counting import Counts
from problex.counting.copies import describe_copies
from problex.counting.counts import words_of_texts
from problex.evaluation.entry_counts import entry_counts
from problex.expansion.learn import count_and_sample, learn, sample_for
from problex.expansion.reservoir import sample_size
from problex.lexicon import Lexicon
from problex.matching import Tokenizer
from problex.model import Model, Settings
from problex.model.settings import DEFAULT


def learn_files(
    texts: TextFiles,
    lexicon: Lexicon,
    tokenizer: Tokenizer,
    settings: Settings = DEFAULT,
    *,
    expand: bool | str,
    expand_sample: str | None,
    memory: str,
    threads: int | None,
    checkpoint: Path | None = None,
) -> tuple[Model, Counts]:
    """Count the texts and estimate a model; expand it with a sample of the texts if asked to."""
    available = parse_size(memory)
    sample = sample_for(expand, sample_size(expand_sample, check_memory(available)))
    with resumable(checkpoint), progress_line("counting") as update:
        counts = count_and_sample(
            texts.files,
            lexicon,
            settings,
            sample,
            threads=threads,
            text=texts.text_column,
            tokenizer=tokenizer,
            markup=texts.markup,
            memory=available,
            checkpoint=checkpoint,
            on_batch=update,
            **texts.reading,
        )
    return learn(counts, lexicon, settings, expand, sample, markup=texts.markup), counts


def summarize(model: Model, counts: Counts) -> str:
    """Sentences on the size of the corpus, the entries with and without a weight, and what was left out."""
    size = words_of_texts(counts, model.items, model.tokenizer)
    losses = {"missing": counts.missing, "unreadable": counts.invalid, "empty": counts.empty}
    left_out = "".join(f"; {pluralize(number, 'text')} {kind}" for kind, number in losses.items() if number)
    sentences = [
        f"{pluralize(counts.documents, 'document')}, {pluralize(size, 'word')}{left_out}",
        *filter(None, [describe_copies(counts.keys, counts.with_words)]),
        *_entry_sentences(model),
    ]
    issues = Counter(issue.kind for issue in (*model.lexicon.problems, *model.items.problems))
    issues.pop("in two lists", None)  # a note has named these
    if issues:
        problems = [f"{kind} ({number:,})" for kind, number in sorted(issues.items())]
        sentences.append(f"Problems in the lexicon: {', '.join(problems)}")
    if counts.pruned:
        sentences.append(f"{pluralize(counts.pruned, 'token')} of rare words dropped to save memory")
    if model.cotrained is not None and model.expansion is None:
        documents = sampled_documents(model.cotrained.documents, counts.documents)
        sentences.append(f"Weights learned with the help of all words of {documents}")
    if model.expansion is not None:
        words = pluralize(len(model.expansion.weights), "word or word pair", "words and word pairs")
        documents = sampled_documents(model.expansion.documents, counts.documents)
        rounds = pluralize(model.expansion.rounds, "round")
        sentences.append(f"{words} outside the lexicon learned from {documents} in {rounds}")
        if model.expansion.support is not None:
            support = zip(model.classes, model.expansion.support.tolist(), strict=True)
            sentences.append("Support of the lists by other words: " + ", ".join(f"{k} {v:.0%}" for k, v in support))
    prevalence = model.calibration.prevalence
    if prevalence is not None:
        share, counted = f"{prevalence.share:.0%}", f"{prevalence.counted:.0%}"
        texts = f"about {share} of the texts are {model.classes[1]}"
        sentences.append(f"By the model, without labels, {texts} ({counted} by counting words)")
    if model.balance_shift is not None:
        sentences.append(model.balance_shift.describe())
    return ". ".join(sentences) + "."


def sampled_documents(learned: int, documents: int) -> str:
    """How many documents an expansion was learned from, and of how many if that is a sample.

    >>> sampled_documents(20, 20), sampled_documents(12, 2000)
    ('20 documents', 'a sample of 12 of 2,000 documents, for whose size see --expand-sample,')
    """
    if learned >= documents:
        return pluralize(learned, "document")
    return f"a sample of {learned:,} of {pluralize(documents, 'document')}, for whose size see --expand-sample,"


def _entry_sentences(model: Model) -> list[str]:
    """How many entries occur and have a weight; negated forms, which nobody wrote, are counted apart."""
    rows = entry_counts(model)
    names = ("entries", "found", "weighted", "discordant", "negated")
    entries, found, weighted, discordant, negated = (sum(getattr(row, name) for row in rows) for name in names)
    without = found - weighted
    sentences = [f"{found:,} of {pluralize(entries, 'entry', 'entries')} {'occurs' if found == 1 else 'occur'}"]
    if not without:
        sentences[0] += " and has a weight" if found == 1 else ", and all of them have a weight" if found else ""
    else:
        sentences[0] += f"; {weighted:,} of them {'has' if weighted == 1 else 'have'} a weight"
        subject = "it occurs" if without == 1 else "they occur"
        reason = f", because {subject} together with other lists more often than by chance" * (discordant >= without)
        sentences[0] += f" and {without:,} {'has' if without == 1 else 'have'} none{reason}"
    if negated:
        forms = pluralize(negated, "negated form such as 'not good' has", "negated forms such as 'not good' have")
        sentences.append(f"{forms} a weight, too")
    return sentences
