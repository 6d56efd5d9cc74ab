"""`problex fit`: count texts, estimate a model, save it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

from problex._util.files import check_writable, is_left_over
from problex.cli.inputs import LexiconOptions, TextFiles, check_outputs
from problex.cli.learning import learn_files, summarize
from problex.cli.options import (
    LANGUAGE,
    LEXICON,
    MEMORY,
    Checkpoint,
    Excludes,
    ExpandSample,
    Force,
    LexiconFiles,
    Memory,
    Threads,
    TokenizerOptions,
    choice,
    flag,
    option,
    options,
)
from problex.cli.terminal import say
from problex.errors import ProblexError
from problex.estimation.model_file import save_model
from problex.lexicon.edits import read_edits
from problex.matching import NEGATIONS
from problex.model import RULES, SOLVERS, Settings
from problex.model.settings import BALANCES, CHOICES, DEFAULT, PAPER

ESTIMATION = "Estimation"
NOT_RESUMED = Excludes("--checkpoint", "a resumed run has not read all texts. Leave one of the two out")


@dataclass(frozen=True)
class SettingsOptions:
    """How weights are estimated; None is the default, or the setting of the paper."""

    rule: Annotated[
        str | None, choice("--rule", RULES, "How counts become a score: {choices}.", ESTIMATION, DEFAULT.rule)
    ] = None
    solver: Annotated[
        str | None,
        choice(
            "--solver",
            SOLVERS,
            "The solver, used if --shrinkage is a number: {choices}; the paper uses admm.",
            ESTIMATION,
            DEFAULT.solver,
        ),
    ] = None
    shrinkage: Annotated[
        float | None,
        option(
            "--shrinkage",
            "NUMBER",
            "How strongly weights from little evidence are pulled towards the mean of their list; 0: not at all.",
            ESTIMATION,
            "learned from the data",
            min=0,
        ),
    ] = None
    shrink_to: Annotated[
        str | None,
        choice(
            "--shrink-to",
            CHOICES["shrink_to"],
            "Where they are pulled to: {choices} (of their list; no weight, with a number for --shrinkage; the weight "
            "that the lexicon file gives the word).",
            ESTIMATION,
            DEFAULT.shrink_to,
        ),
    ] = None
    balance: Annotated[
        str | None,
        choice(
            "--balance",
            BALANCES,
            "How the lists are balanced: {choices}; the paper uses equal.",
            ESTIMATION,
            str(DEFAULT.balance),
        ),
    ] = None
    keep_discordant: Annotated[
        bool,
        flag(
            "--keep-discordant",
            "Give a weight also to words that occur together with the other lists more often than expected.",
            ESTIMATION,
            show_default=False,
        ),
    ] = False
    drop_discordant: Annotated[
        bool, flag("--no-keep-discordant", "Leave such words out, as by default.", hidden=True)
    ] = False
    paper: Annotated[bool, flag("--paper", "Use the settings of the paper.", ESTIMATION)] = False

    def settings(self) -> Settings:
        """The default settings, or those of the paper, with the options that were given."""
        if self.shrink_to == "zero" and self.shrinkage is None:
            raise ProblexError(
                "--shrink-to zero also needs --shrinkage NUMBER, which sets how strongly weights are shrunk"
            )
        names = ("rule", "solver", "shrinkage", "shrink_to", "balance")
        chosen = {name: getattr(self, name) for name in names if getattr(self, name) is not None}
        keep = self.keep_discordant and not self.drop_discordant
        return replace(PAPER if self.paper else DEFAULT, keep_discordant=keep, **chosen)


@options
def fit(
    *,
    lexicon: LexiconFiles,
    output: Annotated[Path, option("--output -o", "FILE", "The model to write (JSON).")],
    edits: Annotated[
        Path | None,
        option(
            "--edits",
            "FILE",
            "Edit the lexicon first, by a CSV with the columns word, from and to, e.g. the log of doctor --fix.",
            LEXICON,
        ),
    ] = None,
    tokens: TokenizerOptions,
    negation: Annotated[
        str,
        choice(
            "--negation",
            ["auto", "none", *NEGATIONS],
            "Count negated words such as 'not good' separately, with the negators of a language: {choices}.",
            LANGUAGE,
        ),
    ] = "auto",
    estimation: SettingsOptions,
    expand: Annotated[
        bool,
        flag("--expand", "Also learn weights for words outside the lexicon.", ESTIMATION),
        Excludes(
            "--expand-lexicon", "weights for all words, or only for those of the lexicon. Leave one of the two out"
        ),
        NOT_RESUMED,
    ] = False,
    expand_lexicon: Annotated[
        bool,
        flag(
            "--expand-lexicon",
            "Learn better weights for the words of the lexicon with the help of all other words.",
            ESTIMATION,
        ),
        NOT_RESUMED,
    ] = False,
    expand_sample: ExpandSample = None,
    threads: Threads = None,
    memory: Memory = MEMORY,
    checkpoint: Checkpoint = None,
    force: Force = False,
    lists: LexiconOptions,
    texts: TextFiles,
) -> None:
    """Learn the weight of every word of a lexicon from TEXTS without labels."""
    check_outputs({"--output": output, "--checkpoint": checkpoint}, texts, *lexicon, *filter(None, [edits]))
    left_over = is_left_over(checkpoint, output)
    check_writable(output, force=force or left_over)
    model, counts = learn_files(
        texts,
        lists.lexicon(lexicon).edited(read_edits(edits) if edits else ()),
        tokens.tokenizer(negation=None if estimation.paper or negation == "none" else negation),
        estimation.settings(),
        expand="lexicon" if expand_lexicon else expand,
        expand_sample=expand_sample,
        memory=memory,
        threads=threads,
        checkpoint=checkpoint,
    )
    save_model(model, output, force=force, confirm=left_over)
    if checkpoint is not None:
        checkpoint.unlink(missing_ok=True)
    say(summarize(model, counts), f"wrote {output}")
