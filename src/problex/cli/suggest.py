"""`problex suggest`: words to add to the lists, as an expanded model has found them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from problex.cli.application import Format, Forms, ModelFile, app, show
from problex.errors import ProblexError


@app.command()
def suggest(
    model: ModelFile,
    top: Annotated[int, typer.Option("--top", min=1, help="So many for each list.")] = 20,
    form: Format = Forms.table,
) -> None:
    """Words outside the lists that an expanded MODEL found to speak for one of them: candidates to add."""
    show(candidates_of(model, top), form)


def candidates_of(file: Path, top: int) -> list[dict[str, Any]]:
    """Read a model and ask it."""
    from problex.estimation.model_file import load_model
    from problex.scoring.expanded_model import suggestions

    model = load_model(file)
    if model.expansion is None:
        raise ProblexError(f"{str(file)!r} knows the words of its lexicon only: make it with problex fit --expand")
    return suggestions(model, top)
