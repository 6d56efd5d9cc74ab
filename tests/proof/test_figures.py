"""Figures in the documents are those that the benchmarks wrote."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]


def results(name: str) -> Any:
    return json.loads((ROOT / "proof" / "results" / f"{name}.json").read_text(encoding="utf-8"))


def page(name: str) -> str:
    return " ".join((ROOT / name).read_text(encoding="utf-8").split())


def rows(name: str, head: str) -> list[list[str]]:
    """The cells of the table whose first line begins with `head`."""
    lines = (ROOT / name).read_text(encoding="utf-8").splitlines()
    first = next(at for at, line in enumerate(lines) if line.startswith(head))
    table = []
    for line in lines[first:]:
        if not line.startswith("|"):
            break
        table.append([cell.strip() for cell in line.strip("|").split("|")])
    return [table[0], *table[2:]]


def decimals(value: float, digits: int = 3) -> str:
    """The page writes .804 for 0.804."""
    return f"{value:.{digits}f}".removeprefix("0")


SPEED = {
    "problex, learning: count the words of the lists": ("sums, one core", "sums, two cores"),
    "problex, the same with phrases and negation": (
        "sums, one core, phrases and negation",
        "sums, two cores, phrases and negation",
    ),
    "problex, labelling (`decision_function`)": ("decision_function, one core", "decision_function, two cores"),
    "problex, a table of all words by document": ("CSR rows, one core", None),
    "polars": (None, "polars, all cores"),
}
"""The rows of the README whose names in the file of results differ, on one core and on two."""


def ratio(name: str | None, ratios: dict[str, float]) -> str:
    """As the README writes it: 33, 4.2, .70."""
    if name is None:
        return ""
    value = ratios[name]
    return f"{value:.0f}" if value >= 10 else f"{value:.1f}" if value >= 1 else decimals(value, 2)


def test_speed_in_the_readme() -> None:
    ratios = {row["what"].removeprefix("problex: "): row["ratio"]["median"] for row in results("speed")["speed"]}
    table = rows("README.md", "| | one core | two cores")[1:]
    assert len(table) == 11
    for what, *cells in table:
        assert cells == [ratio(name, ratios) for name in SPEED.get(what, (what, None))], what


def test_times_in_the_readme() -> None:
    found = results("speed")
    latency = {row["what"]: row["microseconds"]["median"] for row in found["latency"]}
    estimation = {row["what"]: row["milliseconds"]["median"] for row in found["estimation"]}
    said = re.search(r"takes (\d+) µs \(VADER: (\d+) µs\).* new weights take (\d+) ms", page("README.md"))
    assert said is not None
    measured = (latency["problex: predict, 6,783 entries"], latency["VADER"])
    again = estimation["new lexicon to new model, remembered corpus"]
    assert list(said.groups()) == [f"{value:.0f}" for value in (*measured, again)]


def test_growth() -> None:
    measured = {row["axis"]: row for row in results("growth")}
    for what, sizes, *figures in rows("docs/speed.md", "| what grows")[1:]:
        row = measured[what]
        assert sizes == f"{row['sizes'][0]:,} to {row['sizes'][-1]:,}"
        for figure, kind in zip(figures, ("count", "score"), strict=True):
            assert figure == f"{row[kind]['ratios'][-1]:.1f} ({row[kind]['exponent']:.2f})"
    scripts, text = measured["script"], page("docs/speed.md")
    for at, script in enumerate(scripts["sizes"]):
        count, score = (scripts[kind]["ratios"][at] for kind in ("count", "score"))
        assert f" {script} {count:.1f} and {score:.1f}" in text
    short = measured["lists, short texts"]["probabilities"]["ratios"][-1]
    assert f"The probabilities of 100 lists for texts of 15 words take {short:.1f} times" in text


@pytest.mark.parametrize("head", ["| AUC (accuracy) | Amazon", "| AUC (accuracy) | rotten"])
def test_rivals(head: str) -> None:
    corpora = results("rivals")["corpora"]
    first, *others = rows("docs/accuracy.md", head)
    names = [name.rsplit(" (", 1)[0] for name in first[1:-1]]
    assert [f"{name} ({corpora[name]['documents']:,})" for name in names] == first[1:-1]
    for method, *cells in others:
        for name, cell in zip(names, cells[:-1], strict=True):
            found = corpora[name]["methods"][method]
            expected = found["missing"] or decimals(found["auc"])
            if not found["missing"] and found["accuracy"] is not None:
                expected += f" ({decimals(found['accuracy'])})"
            assert cell == expected, (method, name)


def test_topics() -> None:
    measured = {f"{row['texts']:,}": row for row in results("topics")["accuracy"]}
    for _, texts, *cells in rows("docs/accuracy.md", "| accuracy | texts | counting")[1:]:
        kinds = ("counting", "lexicon", "expanded", "expanded, unseen half")
        assert [float(cell) for cell in cells] == pytest.approx([measured[texts][kind] for kind in kinds], abs=0.00051)


def test_kills() -> None:
    text = page("docs/reliability.md")
    assert f"{sum(results('torture')['killed commands']['kills'].values())} kills; results equal" in text
    kills = results("workbench")["kills"]
    assert f"{kills['kills']} kills; {kills['steps']} edits and {kills['labels']} labels" in text
    assert kills["lost"] == 0


def test_the_table_of_given_weights_is_that_of_its_benchmark() -> None:
    found = {(one["corpus"], one["lexicon"], one["texts"], one["system"]): one for one in results("given_weights")}
    table = rows("docs/accuracy.md", "| corpus, lexicon | texts |")[1:]
    systems = ("counting", "weighted counting", "default", "given")
    assert len(table) * len(systems) == len(found)
    for case, texts, *cells, gain in table:
        corpus, lexicon = case.split(", ")
        ones = [found[corpus, lexicon, int(texts.replace(",", "")), system] for system in systems]
        assert cells == [f"{decimals(one['auc'])} ({decimals(one['accuracy'])})" for one in ones]
        assert float(gain.split()[0]) == pytest.approx(ones[-1]["gain"], abs=0.00051)


def test_scale() -> None:
    found = results("scale")
    measured = {(row["gigabytes"], row["command"]): row for row in found["commands"]}
    commands = ("fit", "fit, checkpoints", "predict")
    table = rows("docs/scale.md", "| text | fit | with a checkpoint")[1:]
    assert len(table) * len(commands) == len(measured)
    for text, *times, peaks in table:
        ones = [measured[round(float(text.removesuffix(" GB"))), command] for command in commands]
        assert times == [f"{one['seconds']:.1f} s" for one in ones]
        assert peaks == ", ".join(f"{one['peak_mib']:,.0f}" for one in ones) + " MiB"
    growth = [measured[10, command]["seconds"] / measured[1, command]["seconds"] for command in commands]
    text = page("docs/scale.md")
    assert f"Ten times the text takes {min(growth):.1f} to {max(growth):.1f} times as long" in text
    without = found["forgetting"]["peak_mib_without_a_ceiling"]
    assert f"peak memory {found['forgetting']['peak_mib']:,.0f} MiB, {without:,.0f} MiB without a limit" in text
    fit, _, predict = (measured[10, command] for command in commands)
    said = f"10 GB of text takes {fit['seconds']:.0f} s and {fit['peak_mib']:.0f} MiB of memory, "
    said += f"and labelling it {predict['seconds']:.0f} s and {predict['peak_mib']:.0f} MiB"
    assert said in page("README.md")


def test_executions_of_the_fuzzed_readers() -> None:
    """All executions by engine, and how many targets there are."""
    engines: dict[str, dict[str, int]] = results("fuzz")
    text = page("docs/reliability.md")
    guided, random, kernel = (sum(engines[name].values()) for name in ("atheris", "random", "libfuzzer"))
    assert f"{guided + random:,} executions of {len(engines['atheris'] | engines['random'])} targets" in text
    assert f"{guided:,} of them guided by coverage and {random:,} changed at random" in text
    assert f"{kernel:,} executions of {len(engines['libfuzzer'])} programs" in text
    assert f"{guided + random + kernel:,} executions in all" in text
