from __future__ import annotations

from problex import __version__
from problex.estimation import RULES, TEMPERS
from problex.estimation.settings import PAPER
from problex.report.methods import BIBTEX, methods
from tests.reports import material, small_model


def test_the_paragraphs_describe_the_method() -> None:
    report_material = material()
    words = " ".join(methods(report_material.model, report_material.overview))
    for phrase in ("We classified 40 documents", "as negative or positive", "3 negative and 3 positive entries",
                 "learned from 40 unlabelled documents", "Eisenstein (2017)", "empirical Bayes",
                 "equally predictive on average", "negated entry", f"Computed with problex {__version__}"):  # fmt: skip
        assert phrase in words
    assert "are undecided (5, 12.5%)" in words


def test_other_settings_are_described_too() -> None:
    report_material = material()
    paper = " ".join(methods(small_model(**vars(PAPER)), report_material.overview))
    assert "the published ADMM" in paper
    assert "the same total weight, as published" in paper
    assert "shrunk" not in paper
    counting = " ".join(methods(small_model(rule="count"), report_material.overview))
    assert "the same weight, as in ordinary dictionary counting" in counting
    ridge = " ".join(methods(small_model(shrinkage=300.0), report_material.overview))
    assert "an exact solver" in ridge
    assert "(kappa 300)" in ridge
    kept = " ".join(
        methods(
            small_model(shrinkage=0.0, keep_discordant=True, balance={"positive": 0.4, "negative": 0.6}),
            report_material.overview,
        )
    )
    assert "got no weight" not in kept
    assert "the shares of the lists were set by the user" in kept


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
