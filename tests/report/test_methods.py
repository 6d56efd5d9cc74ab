from __future__ import annotations

from problex import __version__
from problex.estimation import RULES, TEMPERS
from problex.estimation.settings import PAPER
from problex.report.methods import BIBTEX, methods
from tests.reports import material, small_model


def test_the_paragraphs_say_what_was_done() -> None:
    given = material()
    words = " ".join(methods(given.model, given.overview))
    for said in ("We classified 40 documents", "as negative or positive", "3 negative and 3 positive entries",
                 "learned from 40 unlabelled documents", "Eisenstein (2017)", "empirical Bayes",
                 "equally predictive on average", "negated entry", f"Computed with problex {__version__}"):  # fmt: skip
        assert said in words
    assert "stayed undecided (5, 12.5%)" in words


def test_other_settings_are_said_too() -> None:
    given = material()
    paper = " ".join(methods(small_model(**vars(PAPER)), given.overview))
    assert "the published ADMM" in paper
    assert "equal weight in all, as published" in paper
    assert "shrunk" not in paper
    counting = " ".join(methods(small_model(rule="count"), given.overview))
    assert "the same weight, as in ordinary dictionary counting" in counting
    ridge = " ".join(methods(small_model(shrinkage=300.0), given.overview))
    assert "an exact solver" in ridge
    assert "(kappa 300)" in ridge
    kept = " ".join(
        methods(
            small_model(shrinkage=0.0, keep_discordant=True, balance={"positive": 0.4, "negative": 0.6}), given.overview
        )
    )
    assert "got no weight" not in kept
    assert "the shares of the lists were given" in kept


def test_every_rule_and_tempering_has_its_sentence() -> None:
    overview = material().overview
    for name in set(RULES) - {"pmi"}:
        words = " ".join(methods(small_model(rule=name), overview))
        assert RULES[name].description.split("(")[0] in words
    for name, temper in TEMPERS.items():
        assert temper.description in " ".join(methods(small_model(temper=name), overview))


def test_what_to_cite() -> None:
    assert BIBTEX.count("@") == 2
    assert BIBTEX.count("{") == BIBTEX.count("}")
    assert __version__ in BIBTEX
