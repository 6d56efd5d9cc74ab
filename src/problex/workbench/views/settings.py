"""The settings of the estimate that can be changed on the page, and the labels that move the threshold."""

from __future__ import annotations

from typing import Any

from problex._util.records import Record
from problex.errors import ProblexError, check_choice
from problex.model import RULES, SOLVERS, Settings
from problex.model.settings import BALANCES
from problex.workbench.opened import Opened

CHOICES = {
    "rule": [name for name, rule in RULES.items() if not (rule.all_words or rule.given)],
    "balance": list(BALANCES),
    "solver": list(SOLVERS),
}
NAMES = ("rule", "balance", "shrinkage", "keep_discordant", "solver", "prior")


def settings(opened: Opened) -> Record:
    """The settings of the present state, and their choices."""
    present = opened.result.model.settings
    tokenizer = opened.result.model.tokenizer
    return {
        "settings": {name: getattr(present, name) for name in NAMES},
        "choices": CHOICES,
        "tokenizer": {
            "language": tokenizer.language,
            "negation": opened.log.settings.get("negation", "auto"),
        },
    }


def checked(given: Any) -> Record:
    """Settings of a request; raise if one has no such name or value."""
    if not isinstance(given, dict) or not given:
        raise ProblexError("no settings were given, expected at least one")
    for name, value in given.items():
        check_choice("the setting", name, NAMES)
        if name in CHOICES and value is not None:
            check_choice(name, value, CHOICES[name])
    Settings.from_options(**{name: value for name, value in given.items() if value is not None})
    return dict(given)


def labels_used(opened: Opened, *, on: bool) -> Record:
    """What a step says that uses the labels so far, or none."""
    if not on:
        return {"on": False}
    labelling = opened.audits.require()
    if not any(label is not None for label in labelling.labels().values()):
        raise ProblexError("no document has a label yet: label a few dozen first")
    return {"on": True, "audit": labelling.stored.id, "last": labelling.events[-1].number}
