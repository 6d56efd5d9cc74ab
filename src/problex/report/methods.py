"""What was done, in words to paste into a paper: a paragraph on the method, and what to cite."""

from __future__ import annotations

from problex._util.formatting import format_percent, pluralize
from problex._version import __version__
from problex.estimation.calibration import UNCALIBRATED
from problex.estimation.model import Model
from problex.estimation.rules import RULES, TEMPERS
from problex.estimation.settings import BALANCES, SOLVERS
from problex.evaluation.corpus_overview import Overview
from problex.matching.negation import NEGATED

BIBTEX = f"""@inproceedings{{eisenstein2017unsupervised,
  author    = {{Eisenstein, Jacob}},
  title     = {{Unsupervised Learning for Lexicon-Based Classification}},
  booktitle = {{Proceedings of the {{AAAI}} Conference on Artificial Intelligence}},
  year      = {{2017}}
}}

@software{{problex,
  author  = {{{{The problex developers}}}},
  title   = {{problex: weighted lexicons without labels}},
  version = {{{__version__}}}
}}"""


def methods(model: Model, seen: Overview) -> list[str]:
    """Paragraphs: data and lexicon, how weights were learned, how documents were scored."""
    parts = [_data(model, seen), _learning(model), _expansion(model), _scoring(model, seen)]
    return [part for part in parts if part]


def _data(model: Model, seen: Overview) -> str:
    sizes = [f"{len(words):,} {name}" for name, words in sorted(model.lexicon.lists.items())]
    lists = ", ".join(sizes[:-1]) + f" and {sizes[-1]}"
    return (
        f"We classified {pluralize(seen.documents, 'document')} ({pluralize(seen.tokens, 'word')}) as "
        f"{_either(model.classes)} with a lexicon of {lists} entries. No labelled documents were used. The weight of "
        f"every entry was learned from {pluralize(model.evidence.documents, 'unlabelled document')} "
        f"({pluralize(model.evidence.tokens, 'word')})."
    )


def _learning(model: Model) -> str:
    settings = model.settings
    shrinkage: float | str = settings.shrinkage
    parts = []
    if not RULES[settings.rule].log_odds:
        return "All entries had the same weight, as in ordinary dictionary counting."
    parts.append(
        "Weights were learned by the method of moments of Eisenstein (2017): an entry that meets entries of the "
        "opposed list in the same document less often than chance is predictive of its own list."
    )
    if shrinkage == "auto":
        parts.append("Estimates were shrunk towards the mean of their list, as far as the data tell (empirical Bayes).")
    else:
        parts.append(f"The equations were solved by {SOLVERS[settings.solver].description}.")
        if shrinkage:
            towards = "the mean of their list" if settings.shrink_to == "mean" else "zero"
            parts.append(f"Estimates that rest on few meetings were shrunk towards {towards} (kappa {shrinkage:g}).")
        if not settings.keep_discordant:
            number = int(model.evidence.discordant.sum())
            parts.append(
                f"Entries that meet the opposed list more often than chance got no weight "
                f"({pluralize(number, 'entry', 'entries')})."
            )
    if model.solution.get("fallback"):
        parts.append("The lists met each other as often as chance has it, so that every entry weighs the same.")
    balance = (
        BALANCES.get(settings.balance) if isinstance(settings.balance, str) else "the shares of the lists were given"
    )
    parts.append(f"For the balance between them, {balance}.")
    if any(entry.startswith(NEGATED) for entry in model.evidence.entries):
        parts.append("A negated entry was an item of its own in the opposed list, with a weight of its own.")
    return " ".join(parts)


def _expansion(model: Model) -> str:
    learned = model.expansion
    if learned is None:
        return ""
    return (
        f"The scores of the lexicon in {pluralize(learned.documents, 'document')}, not labels, then taught a linear "
        f"model weights for {len(learned.vocabulary.names):,} words and pairs of neighbouring words, whose scores were "
        "added to those of the lexicon."
    )


def _scoring(model: Model, seen: Overview) -> str:
    tau = model.evidence.concentration
    rule = RULES[model.settings.rule]
    parts = [rule.description.format(tau=f"{tau:,.0f}" if tau < float("inf") else "infinite: no discount")]
    if rule.log_odds:
        parts.append(TEMPERS[model.settings.temper].description)
    if model.calibration != UNCALIBRATED:
        parts.append(
            "The threshold between the labels and the scale of the scores were set by how the scores are spread, "
            "without labels."
        )
    if model.platt is not None:
        parts.append("Probabilities were calibrated by the labels of an audit.")
    share = seen.undecided / max(seen.documents, 1)
    parts.append(
        f"Documents without a weighted word, or with a tie, stayed undecided ({seen.undecided:,}, "
        f"{format_percent(share)}). Computed with problex {__version__}."
    )
    return " ".join(part for part in parts if part)


def _either(names: tuple[str, ...]) -> str:
    return ", ".join(names[:-1]) + f" or {names[-1]}"
