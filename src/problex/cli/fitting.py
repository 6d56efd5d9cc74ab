"""`problex fit`: from files and options to a model, and what is said about it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from problex._util.files import check_writable
from problex._util.formatting import pluralize
from problex._util.memory import parse_size
from problex._util.progress import progress_line
from problex.cli.commands import going_on
from problex.corpus import Batch, Paths, batches, list_files
from problex.counting.counts import Counts
from problex.counting.streams import count
from problex.errors import ProblexError
from problex.estimation.model import Model, estimate
from problex.estimation.model_file import save_model
from problex.estimation.settings import PAPER
from problex.lexicon.dictionary import Dictionary, parse_choices
from problex.lexicon.files import read_dictionary, read_lexicon
from problex.lexicon.lexicon import Lexicon
from problex.matching.language_guess import language_of
from problex.matching.tokens import Tokenizer
from problex.scoring.expanded_model import expand
from problex.scoring.reservoir import ReservoirSample


def lexicon_of(options: list[str], lists: Iterable[str] | None = None) -> Lexicon:
    """A lexicon from `NAME=FILE` options, or from one file, whose categories `lists` (`NAME=CATEGORY,...`) choose."""
    if lists:
        return _chosen(options, list(lists))
    named: dict[str, list[str]] = {}
    for option in options:
        name, sign, file = option.partition("=")
        if sign and not name:
            raise ProblexError(f"--lexicon {option} names no list, expected NAME=FILE")
        if sign and "/" not in name:
            named.setdefault(name, []).append(file)
        elif len(options) > 1:
            raise ProblexError(f"--lexicon {option} was given among others, expected NAME=FILE for each list")
    return read_lexicon(**named) if named else read_lexicon(options[0])


def _chosen(options: list[str], lists: list[str]) -> Lexicon:
    found = Dictionary(())
    for option in options:
        if "=" in option and not Path(option).exists():
            raise ProblexError(
                f"--lexicon {option} was given with --list, which chooses from --lexicon FILE: leave NAME= out"
            )
        found += read_dictionary(option)
    return found.choose(parse_choices(lists, found.categories)).lexicon()


def tokenizer_for(texts: Paths, language: str, negation: str, reading: dict[str, Any]) -> Tokenizer:
    """The tokenizer of a language, which `auto` guesses from the first texts; `none` switches negation off."""
    if language == "auto":
        if not all(file.is_file() or file.is_dir() for file in list_files(texts)):
            raise ProblexError("--language auto was given for texts that can be read only once: name the language")
        first = next(batches(texts, missing="empty", **{**reading, "on_error": "replace"}), None)
        language = "any" if first is None else language_of(first.texts)
    return Tokenizer(language, negation=None if negation == "none" else negation)


def fit(
    texts: Paths,
    lexicon: list[str],
    output: Path,
    language: str,
    negation: str,
    settings: dict[str, Any],
    reading: dict[str, Any],
    *,
    paper: bool,
    expanding: bool,
    markup: bool,
    threads: int | None,
    force: bool,
    lists: list[str] | None = None,
    memory: str,
    checkpoint: Path | None = None,
) -> tuple[Model, Counts]:
    """Count, estimate, expand if asked to, save."""
    check_writable(output, force=force)
    words, tokenizer = lexicon_of(lexicon, lists), tokenizer_for(texts, language, negation, reading)
    sample = ReservoirSample()
    if expanding and checkpoint is not None:
        raise ProblexError("--expand learns from texts as they go by, and --checkpoint skips some: give one of them")
    with going_on(checkpoint), progress_line("counting") as update:

        def on_batch(batch: Batch) -> None:
            update(batch)
            if expanding:
                sample.add(batch.texts)

        counts = count(
            texts,
            words,
            threads,
            tokenizer=tokenizer,
            missing="empty",
            markup=markup,
            memory=parse_size(memory),
            associations=settings.get("rule") == "pmi",
            checkpoint=checkpoint,
            on_batch=on_batch,
            **reading,
        )
    model = estimate(counts, words, tokenizer=tokenizer, **({**vars(PAPER), **settings} if paper else settings))
    if expanding:
        model = expand(model, sample, markup=markup, threads=threads)
    save_model(model, output, force=force)
    if checkpoint is not None:
        checkpoint.unlink(missing_ok=True)
    return model, counts


def summary(model: Model, counts: Counts) -> str:
    """What was learned from what, in one line, with all that was left out."""
    kept = int((model.predictiveness > 0).sum())
    parts = [
        f"{pluralize(counts.documents, 'document')}, {pluralize(counts.tokens, 'token')}",
        f"{kept:,} of {len(model.evidence.entries):,} entries carry weight",
        f"{int(model.evidence.discordant.sum()):,} meet the other lists too often",
        f"{int((model.evidence.occurrences == 0).sum()):,} were not found",
    ]
    found = model.calibration.prevalence
    if found is not None:
        parts.append(
            f"about {found.share:.0%} of the texts are taken for {model.classes[1]}, by counting {found.counted:.0%}"
        )
    losses = {"missing": counts.missing, "unreadable": counts.invalid, "empty": counts.empty}
    parts += [f"{pluralize(number, 'text')} {what}" for what, number in losses.items() if number]
    if counts.pruned:
        parts.append(f"{pluralize(counts.pruned, 'token')} of rare words forgotten to save memory")
    noted = Counter(problem.kind for problem in (*model.lexicon.problems, *model.items.problems))
    parts += [f"{pluralize(number, 'entry', 'entries')} {kind}" for kind, number in sorted(noted.items())]
    if model.expansion is not None:
        known = model.expansion
        told = f"{pluralize(len(known.weights), 'word or pair', 'words and pairs')} learned"
        parts.append(f"{told} from {pluralize(known.documents, 'document')} in {pluralize(known.rounds, 'round')}")
    return "; ".join(parts)
