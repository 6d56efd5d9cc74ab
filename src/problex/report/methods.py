"""A methods paragraph for a paper, and what to cite."""

from __future__ import annotations

from collections.abc import Sequence

from problex._util.formatting import format_percent, join_with_or, pluralize
from problex._version import __version__
from problex.matching.negation import NEGATED
from problex.model.calibration import UNCALIBRATED
from problex.model.model import Model
from problex.model.rules import RULES, TEMPERS
from problex.model.settings import BALANCES, SOLVERS
from problex.report.overview import Overview
from problex.shares.estimates import ShareTable
from problex.shares.estimators import ESTIMATORS

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


REFERENCES = {
    "hierarchical": """@book{gelman2007data,
  author    = {Gelman, Andrew and Hill, Jennifer},
  title     = {Data Analysis Using Regression and Multilevel/Hierarchical Models},
  publisher = {Cambridge University Press},
  year      = {2007}
}""",
    "difference": """@book{sarndal1992model,
  author    = {S{\\"a}rndal, Carl-Erik and Swensson, Bengt and Wretman, Jan},
  title     = {Model Assisted Survey Sampling},
  publisher = {Springer},
  year      = {1992}
}

@article{angelopoulos2023prediction,
  author  = {Angelopoulos, Anastasios N. and Bates, Stephen and Fannjiang, Clara and Jordan, Michael I. and
             Zrnic, Tijana},
  title   = {Prediction-Powered Inference},
  journal = {Science},
  volume  = {382},
  number  = {6671},
  pages   = {669--674},
  year    = {2023}
}""",
}
"""What to cite for each estimator of shares."""


def methods(model: Model, overview: Overview, shares: Sequence[ShareTable] = ()) -> list[str]:
    """Paragraphs: data and lexicon, how weights were learned, how documents were scored, how shares were estimated."""
    parts = [_data(model, overview), _learning(model), _expansion(model), _scoring(model, overview), _shares(shares)]
    return [part for part in parts if part]


def bibliography(shares: Sequence[ShareTable] = ()) -> str:
    """What to cite, as BibTeX."""
    return "\n\n".join([BIBTEX, *(REFERENCES[name] for name in dict.fromkeys(one.estimator for one in shares))])


def _shares(shares: Sequence[ShareTable]) -> str:
    if not shares:
        return (
            "Shares are those of predicted labels. Their distance from the shares of the true labels is not known, so "
            "they have no intervals."
        )
    parts = [
        f"The shares of the true labels were estimated from {pluralize(shares[0].labelled, 'labelled document')}, "
        "drawn at random with known probabilities."
    ]
    for table in {table.estimator: table for table in shares}.values():
        number = len({row["group"] for row in table.records})
        whose = "Those of all documents" if number == 1 else f"Those of {number:,} groups"
        estimator = ESTIMATORS[table.estimator]
        parts.append(f"{whose} were estimated by {estimator.description} ({estimator.citation}); intervals are 95%.")
    return " ".join(parts)


def _data(model: Model, overview: Overview) -> str:
    sizes = [f"{len(words):,} {name}" for name, words in sorted(model.lexicon.lists.items())]
    lists = ", ".join(sizes[:-1]) + f" and {sizes[-1]}"
    return (
        f"We classified {pluralize(overview.documents, 'document')} ({pluralize(overview.tokens, 'token')}) as "
        f"{join_with_or(model.classes)} with a lexicon of {lists} entries. "
        f"The weight of every entry was learned from {pluralize(model.evidence.documents, 'unlabelled document')} "
        f"({pluralize(model.evidence.tokens, 'token')}, of which a phrase of the lexicon is one); no "
        "labelled documents were used for this."
    )


def _learning(model: Model) -> str:
    settings = model.settings
    shrinkage: float | str = settings.shrinkage
    parts = []
    if RULES[settings.rule].given:
        return "The weights of the entries were those of the lexicon; nothing was learned."
    if not RULES[settings.rule].log_odds:
        return "All entries had the same weight, as in ordinary dictionary counting."
    parts.append(
        "Weights were learned by the method of moments of Eisenstein (2017): an entry that occurs together with "
        "entries of the other lists in the same document less often than by chance is predictive of its own list."
    )
    if shrinkage == "auto":
        towards = "the weights that the lexicon gives" if settings.shrink_to == "given" else "the mean of their list"
        parts.append(f"Estimates were shrunk towards {towards} by empirical Bayes.")
    else:
        parts.append(f"The equations were solved by {SOLVERS[settings.solver]}.")
        if shrinkage:
            towards = "the mean of their list" if settings.shrink_to == "mean" else "zero"
            parts.append(
                f"Estimates with small expected cross counts were shrunk towards {towards} (kappa {shrinkage:g})."
            )
        if not settings.keep_discordant:
            number = int(model.evidence.discordant.sum())
            parts.append(
                f"Entries that occur together with the other lists more often than by chance got no weight "
                f"({pluralize(number, 'entry', 'entries')})."
            )
    if model.solution.fallback:
        same = "the weights of the lexicon" if settings.shrink_to == "given" else "the same weight"
        parts.append(f"The lists occurred together as often as expected by chance, so all entries have {same}.")
    balance = (
        BALANCES.get(settings.balance)
        if isinstance(settings.balance, str)
        else "the shares of the lists were set by the user"
    )
    parts.append(f"For the balance between the lists, {balance}.")
    if any(entry.startswith(NEGATED) for entry in model.evidence.entries):
        parts.append("A negated entry was counted as a separate item of the opposed list, with its own weight.")
    return " ".join(parts)


def _expansion(model: Model) -> str:
    parts, entries, learned = [], model.cotrained, model.expansion
    if entries is not None:
        parts.append(
            f"The weights of the entries were then improved by co-training: a linear model of all other words, trained "
            f"on the scores of the lexicon in {_sampled(entries.documents, model)}, not on labels, scored "
            "documents that it was not trained on, and an entry is the stronger, the more the documents that have it "
            f"lean to its list. These scores correlate with those of the lexicon by {entries.agreement:.2f}."
        )
    if learned is not None:
        source = "lists of topics by naive Bayes and ridge regression" if learned.kind == "topics" else "the lexicon"
        parts.append(
            f"A linear model was also trained on the scores of {source} in "
            f"{_sampled(learned.documents, model)}, not on labels. It gave weights to "
            f"{len(learned.vocabulary.names):,} words and pairs of neighbouring words, whose scores were added to "
            "those of the lexicon."
        )
    return " ".join(parts)


def _sampled(learned: int, model: Model) -> str:
    """The documents that an expansion was learned from: a sample if the lexicon model was learned from more."""
    return ("a random sample of " if learned < model.evidence.documents else "") + pluralize(learned, "document")


def _scoring(model: Model, overview: Overview) -> str:
    tau = model.evidence.concentration
    rule = RULES[model.settings.rule]
    parts = [rule.description.format(tau=f"{tau:,.0f}" if tau < float("inf") else "infinite: no discount")]
    if rule.log_odds:
        parts.append(TEMPERS[model.settings.temper].description)
    if model.calibration.labels:
        parts.append(
            f"The threshold between the labels and the probabilities were fitted to {model.calibration.labels:,} "
            "labels of an audit, with those from the distribution of the scores as the prior."
        )
    elif model.calibration != UNCALIBRATED:
        parts.append(
            "The threshold between the labels and the scale of the scores were set from the distribution of the "
            "scores, without labels."
        )
    if model.platt is not None:
        parts.append("Probabilities were calibrated with the labels of an audit.")
    share = overview.undecided / max(overview.documents, 1)
    parts.append(
        f"Documents without a weighted word, or with a tie, are undecided ({overview.undecided:,}, "
        f"{format_percent(share)}). Computed with problex {__version__}."
    )
    return " ".join(part for part in parts if part)
