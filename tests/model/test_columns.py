"""The columns of a model are the values of its records."""

from __future__ import annotations

from problex import Lexicon, count, estimate


def test_columns_are_the_records_in_the_order_of_the_entries(lexicon: Lexicon, texts: list[str]) -> None:
    model = estimate(count(texts, lexicon), lexicon)
    columns = {name: values.tolist() for name, values in model.columns().items()}
    rows = [dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True)]
    assert tuple(columns["entry"]) == model.evidence.entries
    assert sorted(rows, key=lambda row: row["entry"]) == sorted(model.records(), key=lambda row: row["entry"])
    assert [model.classes.index(name) for name in columns["list"]] == model.evidence.list_index.tolist()
    best = max(rows, key=lambda row: row["weight"])
    assert model.records()[0]["weight"] == best["weight"] > 0
    assert all(row["low"] <= row["predictiveness"] <= row["high"] for row in rows)
