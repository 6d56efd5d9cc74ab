"""A web service that labels texts with a model, and explains its labels.

Install FastAPI and a server, name the model, and start it:

    pip install fastapi uvicorn
    PROBLEX_MODEL=model.json uvicorn service:app --app-dir examples
"""

from __future__ import annotations

import os
from typing import Any

from fastapi import Body, FastAPI

from problex import explain, load_model

app = FastAPI(title="problex")
model = load_model(os.environ.get("PROBLEX_MODEL", "model.json"))  # once: a call then takes well under a millisecond


@app.post("/label")
def label(texts: list[str]) -> list[dict[str, Any]]:
    """The label of each text, and the probability of each list."""
    if not texts:
        return []
    labels, probabilities = model.predict(texts), model.predict_proba(texts)
    return [
        {"label": name, "probabilities": dict(zip(model.classes, row.round(4).tolist(), strict=True))}
        for name, row in zip(labels, probabilities, strict=True)
    ]


@app.post("/explain")
def why(text: str = Body(embed=True)) -> dict[str, Any]:
    """What each word adds to the score of a text."""
    return explain(text, model).record()
