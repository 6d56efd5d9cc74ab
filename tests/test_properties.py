"""Properties of whole calls: names, orders and parts of the input change nothing but what they name.

Those of single steps are in the tests of their packages: see the table in docs/reliability.md.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from problex import (
    Lexicon,
    LexiconClassifier,
    count,
    estimate,
    explain,
    load_model,
    lookup,
    score,
)
from problex.audit import audit, draw
from problex.audit.design import expected_measures
from problex.corpus import batches
from problex.doctor.diagnosis import examine
from problex.lookups import MATCHING
from problex.model.rules import RULES
from problex.scoring import score_batches
from problex.shares import share_table

NAMES = ("alpha", "beta", "gamma", "delta")
LISTED = {name: [f"{name[:2]}{end}" for end in ("ono", "uno", "ino", "emo", "ato", "ube")] for name in NAMES}
BESIDE = {name: [f"{name[:2]}x{end}" for end in ("ly", "ish", "dom")] for name in NAMES}
COMMON = ["the", "and", "of", "not", "day"]
PARTS = ("value", "low", "high")
SEEDS = st.integers(0, 10_000)
FEW = settings(
    max_examples=4, deadline=None, phases=(Phase.explicit, Phase.generate)
)  # no seed is simpler than another


@cache
def corpus(seed: int, lists: int = 2, documents: int = 80) -> tuple[str, ...]:
    """Texts that each have words of one list, some beside them, and some of any list."""
    random = np.random.default_rng(seed)
    names = NAMES[:lists]
    every = [word for name in names for word in (*LISTED[name], *BESIDE[name])]
    chances = random.dirichlet([8.0] * lists)
    texts = []
    for name in random.choice(names, documents, p=chances):
        own = [*random.choice(LISTED[name], 3), *random.choice(BESIDE[name], 2)]
        words = [*own, *random.choice(every, random.integers(0, 4)), *random.choice(COMMON, random.integers(0, 6))]
        texts.append(" ".join(random.permutation(words)))
    return tuple(texts)


def lexicon_of(names: tuple[str, ...]) -> Lexicon:
    """The list at each place under another name; two entries are in the wrong list."""
    lists = {name: list(LISTED[own]) for own, name in zip(NAMES, names, strict=False)}
    lists[names[0]][5], lists[names[1]][5] = lists[names[1]][5], lists[names[0]][5]
    return Lexicon(lists)


KINDS: dict[str, dict[str, Any]] = {
    "default": {},
    "paper": {"shrinkage": 0.0, "solver": "exact", "calibration": "none"},
    "expand lexicon": {"expand": "lexicon"},
    "expand all": {"expand": True},
}
TOLERANCE = {"default": 1e-9, "paper": 1e-9, "expand lexicon": 1e-4, "expand all": 1e-2}


@pytest.mark.parametrize("kind", KINDS)
@given(SEEDS, st.integers(2, 4), st.randoms(use_true_random=False))
@FEW
def test_other_names_of_the_lists_only_rename_the_results(kind: str, seed: int, lists: int, random: Any) -> None:
    """For two lists: exchanging them mirrors every result."""
    texts, names = list(corpus(seed, lists)), NAMES[:lists]
    others = tuple(random.sample(names, lists))
    one, two = (LexiconClassifier(lexicon_of(chosen), **KINDS[kind]).fit(texts).model_ for chosen in (names, others))
    order = [two.classes.index(others[names.index(name)]) for name in one.classes]
    first, second = score(texts[:20], one), score(texts[:20], two)
    scale = max(np.abs(first.values).max(), 1.0)
    np.testing.assert_allclose(first.probabilities, second.probabilities[:, order], rtol=0, atol=TOLERANCE[kind])
    np.testing.assert_allclose(
        first.values - first.values.mean(axis=1, keepdims=True),
        (second.values - second.values.mean(axis=1, keepdims=True))[:, order],
        rtol=0,
        atol=TOLERANCE[kind] * scale,
    )
    weights = [{row["entry"]: row["weight"] for row in model.records()} for model in (one, two)]
    assert list(weights[0].values()) == pytest.approx(
        [weights[1][word] for word in weights[0]], abs=TOLERANCE[kind] * 9
    )


@pytest.mark.parametrize("kind", KINDS)
@given(SEEDS, st.integers(2, 4))
@FEW
def test_probabilities_labels_and_explanations_agree(kind: str, seed: int, lists: int) -> None:
    texts = list(corpus(seed, lists))
    model = LexiconClassifier(lexicon_of(NAMES[:lists]), **KINDS[kind]).fit(texts).model_
    scores = score([*texts[:8], "", "unknown"], model)
    assert np.isfinite(scores.probabilities).all()
    np.testing.assert_allclose(scores.probabilities.sum(axis=1), 1.0, rtol=0, atol=1e-12)
    for text, label, values in zip([*texts[:8], "", "unknown"], scores.labels(), scores.values, strict=True):
        why = explain(text, model)
        assert why.label == label
        parts = [part.values for part in why.contributions]
        np.testing.assert_allclose(np.sum([why.prior, *parts], axis=0), values, rtol=0, atol=1e-9)


@pytest.mark.parametrize("kind", KINDS)
@given(SEEDS, st.randoms(use_true_random=False), st.integers(1, 3), st.integers(50, 2000))
@FEW
def test_a_text_is_scored_as_it_would_be_alone(
    kind: str, seed: int, random: Any, threads: int, batch_bytes: int
) -> None:
    """Not by its place, nor by the texts, threads and batches beside it; twice if it is there twice."""
    texts = list(corpus(seed % 5))
    model = LexiconClassifier(lexicon_of(NAMES[:2]), **KINDS[kind]).fit(texts).model_
    alone = np.concatenate([score([text], model).values for text in texts[:12]])
    places = random.choices(range(12), k=30)
    among = score([texts[place] for place in places], model, threads=threads)
    assert np.array_equal(among.values, alone[places])
    parts = score_batches(batches([texts[place] for place in places], batch_bytes=batch_bytes), model, threads=threads)
    assert np.array_equal(np.concatenate([scores.values for _, scores in parts]), alone[places])


@given(SEEDS, st.randoms(use_true_random=False), st.integers(1, 3), st.integers(1, 4))
@FEW
def test_order_parts_threads_and_the_order_of_entries_give_the_same_model(
    seed: int, random: Any, threads: int, parts: int
) -> None:
    texts, lexicon = list(corpus(seed)), lexicon_of(NAMES[:2])
    expected = estimate(count(texts, lexicon), lexicon)
    turned = Lexicon({name: random.sample(words, len(words)) for name, words in reversed([*lexicon.lists.items()])})
    shuffled = random.sample(texts, len(texts))
    counts = [count(shuffled[at::parts], turned, threads=threads) for at in range(parts)]
    assert estimate(sum(counts[1:], counts[0]), turned) == expected


@given(SEEDS, st.sampled_from(["csv", "jsonl", "txt", "parquet", "frame", "arrow"]), st.integers(1, 3))
@FEW
def test_every_kind_of_input_gives_the_same_counts(tmp_path_factory: Any, seed: int, kind: str, threads: int) -> None:
    texts, lexicon = list(corpus(seed)), lexicon_of(NAMES[:2])
    path, frame = tmp_path_factory.mktemp("inputs") / f"x.{kind}", pd.DataFrame({"text": texts})
    given: Any = {"frame": frame, "arrow": pa.table({"text": texts})}.get(kind, path)
    if kind == "csv":
        frame.to_csv(path, index=False)
    elif kind == "jsonl":
        frame.to_json(path, orient="records", lines=True)
    elif kind == "txt":
        path.write_text("\n".join(texts) + "\n")
    elif kind == "parquet":
        pq.write_table(pa.table({"text": texts}), path)
    assert count(given, lexicon, threads=threads) == count(texts, lexicon)


@pytest.mark.parametrize(
    ("kind", "rule"), [*((kind, "dcm") for kind in KINDS), *(("default", name) for name in RULES if name != "dcm")]
)
@given(seed=SEEDS)
@FEW
def test_a_saved_model_scores_and_is_saved_the_same(
    tmp_path_factory: pytest.TempPathFactory, kind: str, rule: str, seed: int
) -> None:
    texts, folder = list(corpus(seed)), tmp_path_factory.mktemp("models")
    lexicon = lexicon_of(NAMES[:2])
    if RULES[rule].given:
        lexicon = Lexicon({name: dict.fromkeys(words, 1.5) for name, words in lexicon.lists.items()})
    model = LexiconClassifier(lexicon, rule=rule, **KINDS[kind]).fit(texts).model_
    model.save(folder / "one.json")
    loaded = load_model(folder / "one.json")
    loaded.save(folder / "two.json")
    assert (folder / "one.json").read_bytes() == (folder / "two.json").read_bytes()
    assert np.array_equal(score(texts, loaded).probabilities, score(texts, model).probabilities)


@given(SEEDS, st.sampled_from(list(MATCHING)), st.randoms(use_true_random=False), st.integers(1, 3))
@FEW
def test_a_lookup_does_not_depend_on_order_parts_and_threads(
    seed: int, matching: str, random: Any, threads: int
) -> None:
    texts = [text.replace("alono alu", "alono, alu") for text in corpus(seed, 3)[:30]]
    names = list(NAMES[:3])
    entries = {name: [*LISTED[name], f"{name[:2]}x*", f"{LISTED[name][0]} {LISTED[name][1]}"] for name in names}
    entries[names[0]] += LISTED[names[1]][:2]  # categories may overlap
    whole = lookup(texts, entries, matching=matching, threads=1).select(["words", *names]).to_pylist()
    places = random.choices(range(len(texts)), k=40)
    turned = {name: random.sample(entries[name], len(entries[name])) for name in random.sample(names, len(names))}
    found = lookup([texts[place] for place in places], turned, matching=matching, threads=threads)
    assert found.select(["words", *names]).to_pylist() == [whole[place] for place in places]


@given(SEEDS, st.randoms(use_true_random=False))
@FEW
def test_the_doctor_finds_the_same_under_other_names_and_in_any_order(seed: int, random: Any) -> None:
    texts, names = list(corpus(seed, documents=200)), NAMES[:2]
    back = dict(zip(reversed(names), names, strict=True))
    diagnoses = []
    for chosen, documents in ((names, texts), (names[::-1], random.sample(texts, len(texts)))):
        lexicon = lexicon_of(chosen)
        diagnoses.append(examine(count(documents, lexicon, associations=True), lexicon))
    one, two = (
        {
            (finding.kind, finding.words, rename.get(finding.list, finding.list)): (
                round(finding.cost, 9),
                {(edit.word, rename.get(edit.old, edit.old), rename.get(edit.new, edit.new)) for edit in finding.edits},
            )
            for finding in diagnosis.findings
        }
        for diagnosis, rename in zip(diagnoses, ({}, back), strict=True)
    )
    assert diagnoses[0].forecast == pytest.approx(diagnoses[1].forecast, abs=1e-12)
    assert one == two


@given(SEEDS)
@FEW
def test_shares_under_other_names(seed: int) -> None:
    texts, names = list(corpus(seed)), NAMES[:2]
    frame = pd.DataFrame({"text": texts, "party": [f"p{at % 3}" for at in range(len(texts))]})
    tables = []
    for chosen in (names, names[::-1]):
        lexicon = lexicon_of(chosen)
        rows = share_table(frame, estimate(count(texts, lexicon), lexicon), text="text", by="party")
        back = dict(zip(chosen, names, strict=True))
        tables.append({(row["group"], back.get(row["label"], row["label"])): row["share"] for row in rows})
    assert tables[0] == pytest.approx(tables[1], abs=1e-12)


@given(SEEDS)
@settings(FEW, max_examples=2)
def test_an_audit_under_other_names(seed: int) -> None:
    """The same documents with exchanged labels have the same accuracy, and exchanged shares and recalls."""
    texts, names = list(corpus(seed, documents=40)), NAMES[:2]
    truth = np.random.default_rng(seed).integers(0, 2, len(texts))
    found, expected = [], []
    for chosen in (names, names[::-1]):
        lexicon = lexicon_of(chosen)
        model = estimate(count(texts, lexicon), lexicon)
        scores, back = score(texts, model), {"": "", **dict(zip(chosen, names, strict=True))}
        sample = draw(scores, len(texts))
        result = audit(sample, [chosen[truth[row]] for row in sample.rows.tolist()])
        found.append(
            {(one.measure, back[one.label], at): getattr(one, at) for one in result.estimates for at in PARTS}
            | {("log loss", "", ""): result.log_loss[0]}  # the other one is cross-validated, in parts drawn by place
        )
        measures = expected_measures(scores)
        expected.append({(measure, back[label]): value for (measure, label), value in measures.items()})
    assert found[0] == pytest.approx(found[1], abs=1e-6)
    assert expected[0] == pytest.approx(expected[1], abs=1e-9)
