from __future__ import annotations

from problex import __version__
from problex.model import RULES, TEMPERS
from problex.model.settings import PAPER
from problex.report.methods import BIBTEX, bibliography, methods
from problex.shares.estimates import ShareTable
from tests.reports import material, small_model


def test_the_paragraphs_describe_the_method() -> None:
    report_material = material()
    words = " ".join(methods(report_material.model, report_material.overview))
    for phrase in ("We classified 40 documents", "as negative or positive", "3 negative and 3 positive entries",
                 "learned from 40 unlabelled documents", "Eisenstein (2017)", "empirical Bayes",
                 "equally predictive on average", "negated entry", f"Computed with problex {__version__}"):  # fmt: skip
        assert phrase in words
    assert "are undecided (5, 12.5%)" in words
    assert "tokens, of which a phrase of the lexicon is one)" in words


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
    for name in set(RULES) - {"pmi", "given"}:
        words = " ".join(methods(small_model(rule=name), overview))
        assert RULES[name].description.split("(")[0] in words
    for name, temper in TEMPERS.items():
        assert temper.description in " ".join(methods(small_model(temper=name), overview))


def test_what_to_cite() -> None:
    assert BIBTEX.count("@") == 2
    assert BIBTEX.count("{") == BIBTEX.count("}")
    assert __version__ in BIBTEX


def test_the_estimator_of_the_shares_is_named_and_cited() -> None:
    report_material = material()
    rows = [{"group": name, "label": "positive"} for name in ("a", "b")]
    groups, whole = ShareTable(rows, "hierarchical", 80, 0, 0, 0), ShareTable(rows[:1], "difference", 80, 0, 0, 0)
    last = methods(report_material.model, report_material.overview, [whole, groups])[-1]
    assert last.startswith("The shares of the true labels were estimated from 80 labelled documents, drawn at random")
    assert "Those of all documents were estimated by the difference estimator: " in last
    assert "(Särndal, Swensson and Wretman (1992); Angelopoulos et al. (2023)); intervals are 95%." in last
    assert "Those of 2 groups were estimated by a hierarchical logistic regression" in last
    assert "Gelman and Hill (2007)" in last
    cited = bibliography([whole, groups])
    assert all(key in cited for key in ("eisenstein2017", "sarndal1992", "angelopoulos2023", "gelman2007"))
    assert "gelman2007" not in bibliography([whole])
    without = methods(report_material.model, report_material.overview)[-1]
    assert without.endswith(
        "Their distance from the shares of the true labels is not known, so they have no intervals."
    )
