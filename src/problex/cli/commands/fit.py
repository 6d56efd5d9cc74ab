"""`problex fit`: count texts, estimate a model, save it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

import typer

from problex._util.files import check_writable, is_left_over
from problex._util.formatting import pluralize
from problex._util.memory import check_memory, parse_size
from problex.cli.inputs import TextFiles, check_outputs
from problex.cli.lexicons import ALL_LISTS, ListChoice, chooses_lists
from problex.cli.options import (
    LANGUAGE,
    LEXICON,
    MEMORY,
    Checkpoint,
    ExpandSample,
    FoldAccents,
    Force,
    Glob,
    KeepLinks,
    Language,
    LexiconFiles,
    Memory,
    Threads,
)
from problex.cli.options import (
    choice as one_of,
)
from problex.cli.output import resumable
from problex.cli.progress import progress_line
from problex.cli.reading import reads_texts
from problex.cli.terminal import say
from problex.counting import Counts
from problex.counting.copies import describe_copies
from problex.counting.counts import words_of_texts
from problex.errors import ProblexError
from problex.estimation.model_file import save_model
from problex.evaluation.entry_counts import entry_counts
from problex.expansion.learn import count_and_sample, learn, sample_for
from problex.expansion.reservoir import sample_size
from problex.lexicon import Lexicon
from problex.lexicon.edits import read_edits
from problex.matching import NEGATIONS, Tokenizer
from problex.model import RULES, SOLVERS, Model, Settings
from problex.model.settings import BALANCES, CHOICES, DEFAULT, PAPER

ESTIMATION = "Estimation"


@reads_texts()
@chooses_lists("--lexicon-sheet")
def fit(
    texts: TextFiles,
    lexicon: LexiconFiles,
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="The model to write (JSON).")],
    choice: ListChoice = ALL_LISTS,
    edits: Annotated[
        Path | None,
        typer.Option(
            "--edits",
            metavar="FILE",
            help="Edit the lexicon first, by a CSV with the columns word, from and to, e.g. the log of doctor --fix.",
            rich_help_panel=LEXICON,
        ),
    ] = None,
    language: Language = "en",
    fold_accents: FoldAccents = None,
    glob: Glob = False,
    keep_links: KeepLinks = False,
    negation: Annotated[
        str,
        one_of(
            "--negation",
            among=["auto", "none", *NEGATIONS],
            help="Count negated words such as 'not good' separately, with the negators of a language: {choices}.",
            panel=LANGUAGE,
        ),
    ] = "auto",
    rule: Annotated[
        str | None,
        one_of(
            "--rule", among=RULES, help="How counts become a score: {choices}.", default=DEFAULT.rule, panel=ESTIMATION
        ),
    ] = None,
    solver: Annotated[
        str | None,
        one_of(
            "--solver",
            among=SOLVERS,
            panel=ESTIMATION,
            help="The solver, used if --shrinkage is a number: {choices}; the paper uses admm.",
            default=DEFAULT.solver,
        ),
    ] = None,
    shrinkage: Annotated[
        float | None,
        typer.Option(
            min=0,
            metavar="NUMBER",
            rich_help_panel=ESTIMATION,
            help="How strongly weights from little evidence are pulled towards the mean of their list; 0: not at all.",
            show_default="learned from the data",
        ),
    ] = None,
    shrink_to: Annotated[
        str | None,
        one_of(
            "--shrink-to",
            among=CHOICES["shrink_to"],
            panel=ESTIMATION,
            help="Where they are pulled to: {choices} (of their list; no weight, with a number for --shrinkage; the "
            "weight that the lexicon file gives the word).",
            default=DEFAULT.shrink_to,
        ),
    ] = None,
    balance: Annotated[
        str | None,
        one_of(
            "--balance",
            among=BALANCES,
            panel=ESTIMATION,
            help="How the lists are balanced: {choices}; the paper uses equal.",
            default=str(DEFAULT.balance),
        ),
    ] = None,
    keep_discordant: Annotated[
        bool,
        typer.Option(
            "--keep-discordant",
            help="Give a weight also to words that occur together with the other lists more often than expected.",
            show_default=False,
            rich_help_panel=ESTIMATION,
        ),
    ] = False,
    drop_discordant: Annotated[
        bool, typer.Option("--no-keep-discordant", help="Leave such words out, as by default.", hidden=True)
    ] = False,
    paper: Annotated[
        bool, typer.Option("--paper", help="Use the settings of the paper.", rich_help_panel=ESTIMATION)
    ] = False,
    expand: Annotated[
        bool,
        typer.Option("--expand", help="Also learn weights for words outside the lexicon.", rich_help_panel=ESTIMATION),
    ] = False,
    expand_lexicon: Annotated[
        bool,
        typer.Option(
            "--expand-lexicon",
            help="Learn better weights for the words of the lexicon with the help of all other words.",
            rich_help_panel=ESTIMATION,
        ),
    ] = False,
    expand_sample: ExpandSample = None,
    threads: Threads = None,
    memory: Memory = MEMORY,
    checkpoint: Checkpoint = None,
    force: Force = False,
) -> None:
    """Learn the weight of every word of a lexicon from TEXTS without labels."""
    words = words_to_learn(all_words=expand, lexicon=expand_lexicon, resumable=checkpoint is not None)
    check_outputs({"--output": output, "--checkpoint": checkpoint}, texts, *lexicon, *filter(None, [edits]))
    left_over = is_left_over(checkpoint, output)
    check_writable(output, force=force or left_over)
    options = FitOptions(
        choice.lexicon(lexicon).edited(read_edits(edits) if edits else ()),
        Tokenizer(
            language,
            fold_accents,
            negation=None if paper or negation == "none" else negation,
            glob=glob,
            keep_links=keep_links,
        ),
        choose_settings(
            rule,
            solver,
            shrinkage,
            balance,
            shrink_to,
            keep_discordant=keep_discordant and not drop_discordant,
            paper=paper,
        ),
        expand=words,
        expand_sample=size_of_sample(expand_sample, words, memory),
        threads=threads,
        memory=parse_size(memory),
        checkpoint=checkpoint,
    )
    model, counts = fit_files(texts, options)
    save_model(model, output, force=force, confirm=left_over)
    if checkpoint is not None:
        checkpoint.unlink(missing_ok=True)
    say(summarize(model, counts))
    say(f"wrote {output}")


@dataclass(frozen=True)
class FitOptions:
    """What to estimate, and how to count for it."""

    lexicon: Lexicon
    tokenizer: Tokenizer
    settings: Settings
    expand: bool | str
    expand_sample: int
    threads: int | None
    memory: int
    checkpoint: Path | None


def words_to_learn(*, all_words: bool, lexicon: bool, resumable: bool) -> bool | str:
    """Which words get weights from all words of the texts: a choice of `expand` of `LexiconClassifier`."""
    if all_words and lexicon:
        raise ProblexError(
            "--expand and --expand-lexicon were given, expected one of them: weights for all words, or only for those "
            "of the lexicon"
        )
    if (all_words or lexicon) and resumable:
        option = "--expand" if all_words else "--expand-lexicon"
        raise ProblexError(
            f"{option} and --checkpoint were given, expected one of them: a resumed run has not read all texts"
        )
    return "lexicon" if lexicon else all_words


def size_of_sample(size: str | None, words: bool | str, memory: str) -> int:
    """The bytes of text that an expansion learns from."""
    if size is not None and not words:
        raise ProblexError(
            f"--expand-sample {size} was given without --expand or --expand-lexicon: it is for these, give one of them"
        )
    return sample_size(size, check_memory(parse_size(memory)))


def choose_settings(
    rule: str | None,
    solver: str | None,
    shrinkage: float | None,
    balance: str | None,
    shrink_to: str | None = None,
    *,
    keep_discordant: bool,
    paper: bool,
) -> Settings:
    """The default settings, or those of the paper, with the options that were given."""
    base = PAPER if paper else DEFAULT
    if shrink_to == "zero" and shrinkage is None:
        raise ProblexError("--shrink-to zero also needs --shrinkage NUMBER, which sets how strongly weights are shrunk")
    return replace(
        base,
        rule=rule or base.rule,
        solver=solver or base.solver,
        shrinkage=base.shrinkage if shrinkage is None else shrinkage,
        shrink_to=shrink_to or base.shrink_to,
        balance=balance or base.balance,
        keep_discordant=keep_discordant,
    )


def fit_files(texts: TextFiles, options: FitOptions) -> tuple[Model, Counts]:
    """Count the texts and estimate a model; expand it with a sample of the texts if asked to."""
    lexicon, settings, expand = options.lexicon, options.settings, options.expand
    sample = sample_for(expand, options.expand_sample)
    with resumable(options.checkpoint), progress_line("counting") as update:
        counts = count_and_sample(
            texts.files,
            lexicon,
            settings,
            sample,
            threads=options.threads,
            text=texts.text,
            tokenizer=options.tokenizer,
            markup=texts.markup,
            memory=options.memory,
            checkpoint=options.checkpoint,
            on_batch=update,
            **texts.reading,
        )
    return learn(counts, lexicon, settings, expand, sample, markup=texts.markup), counts


def summarize(model: Model, counts: Counts) -> str:
    """Sentences on the size of the corpus, the entries with and without a weight, and what was left out."""
    losses = {"missing": counts.missing, "unreadable": counts.invalid, "empty": counts.empty}
    left_out = "".join(f"; {pluralize(number, 'text')} {kind}" for kind, number in losses.items() if number)
    size = words_of_texts(counts, model.items, model.tokenizer)
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
