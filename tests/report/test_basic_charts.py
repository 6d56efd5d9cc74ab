from __future__ import annotations

from pathlib import Path

import pytest

from problex import Lexicon, count, estimate
from problex.errors import ProblexError
from problex.evaluation.forecasts import effective_counts, forecast
from problex.report.basic_charts import effective_counts_chart, forecast_chart, save_chart, weights_chart


def test_every_chart_is_drawn_offline(tmp_path: Path, lexicon: Lexicon, texts: list[str]) -> None:
    model = estimate(count(texts, lexicon), lexicon)
    found = forecast(model)
    charts = {
        "weights": weights_chart(model.records()),
        "counts": effective_counts_chart(effective_counts([1, 300, float("inf")])),
        "forecast": forecast_chart(found.records(), found.warning),
    }
    for name, chart in charts.items():
        for suffix in (".svg", ".png", ".html", ".json"):
            path = tmp_path / f"{name}{suffix}"
            save_chart(chart, path)
            assert path.stat().st_size > 500
    page = (tmp_path / "weights.html").read_text(encoding="utf-8")
    assert 'src="http' not in page
    svg = (tmp_path / "weights.svg").read_text(encoding="utf-8")
    assert "good" in svg
    assert "expects" in (tmp_path / "forecast.svg").read_text(encoding="utf-8")


def test_two_lists_face_each_other_and_idle_words_are_shown() -> None:
    rows = [
        {"entry": entry, "list": name, "count": 50, "weight": weight, "predictiveness": weight / 3}
        for entry, name, weight in [("bad", "a", 1.5), ("idle", "a", 0.0), ("good", "b", 1.0)]
    ]
    values = weights_chart(rows).to_dict()["data"]["values"]
    assert {row["entry"]: row["pull"] for row in values} == {"bad": -1.5, "idle": 0, "good": 1.0}


def test_an_unknown_format_is_refused(tmp_path: Path) -> None:
    rows = [{"entry": "x", "list": "a", "count": 5, "weight": 1.0, "predictiveness": 0.3}]
    with pytest.raises(ProblexError, match=r"chart format='.bmp' was given, expected one of .html, .svg, .png, .json"):
        save_chart(weights_chart(rows), tmp_path / "x.bmp")
