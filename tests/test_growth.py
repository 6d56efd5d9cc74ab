"""What must not grow, by the number of calls of Python functions instead of time: with the lexicon, script or texts."""

from __future__ import annotations

import sys
from collections.abc import Callable
from itertools import islice, product
from pathlib import Path
from types import FrameType

import numpy as np
import pyarrow as pa
import pytest

from problex import Lexicon, LexiconClassifier, count, estimate, load_model
from problex.counting.counters import sum_counter
from problex.matching.characters import character_table
from problex.matching.items import items_of
from problex.matching.tokens import Tokenizer
from tests.work import made_up_words, peak_memory

TEXTS = ["a good film, not bad at all", "a bad, bad day", "good and fine", "poor and bad", "good good day", "fine"] * 3


def calls(work: Callable[[], object]) -> int:
    """How many functions, of Python or of C, are called."""
    count = 0

    def note(frame: FrameType, event: str, argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(None)
    return count


def words(size: int) -> list[str]:
    return ["".join(letters) for letters in islice(product("bdfgklmnprst", repeat=4), size)]


def classifier(lists: dict[str, list[str]]) -> LexiconClassifier:
    return LexiconClassifier(lists).fit(TEXTS)


SMALL = {"up": ["good", "fine"], "down": ["bad", "poor"]}
LARGER = {
    "entries": {"up": [*SMALL["up"], *words(4000)[::2]], "down": [*SMALL["down"], *words(4000)[1::2]]},
    "patterns": {"up": [*SMALL["up"], *(f"{w}*" for w in words(1000))], "down": SMALL["down"]},
    "phrases": {"up": [*SMALL["up"], *(f"{w} film" for w in words(1000))], "down": SMALL["down"]},
}


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("what", LARGER)
def test_the_label_of_a_text_takes_as_many_calls_whatever_the_lexicon(what: str) -> None:
    taken = []
    for lists in (SMALL, LARGER[what]):
        fitted = classifier(lists)
        fitted.predict(["good"])  # which prepares the model
        taken.append(calls(lambda fitted=fitted: fitted.predict(["a good film, not bad"])))  # type: ignore[misc]
    assert taken[1] <= taken[0] + 5
    assert taken[0] < 65


def test_a_model_of_more_entries_is_loaded_with_as_many_calls(tmp_path: Path) -> None:
    """Its entries are read as columns, without an object for each value, and looked up all at once."""
    taken = []
    for size in (400, 4000):
        known = words(size)
        model = LexiconClassifier({"up": [*SMALL["up"], *known[::2]], "down": [*SMALL["down"], *known[1::2]]}).fit(
            TEXTS
        )
        model.model_.save(tmp_path / f"{size}.json")
        taken.append(calls(lambda size=size: load_model(tmp_path / f"{size}.json")))  # type: ignore[misc]
    assert taken[1] <= taken[0] + 50


def test_a_model_that_is_loaded_has_its_words_once(tmp_path: Path) -> None:
    """Entries are the words of the lexicon themselves, not equal ones, which would take as much memory again."""
    words = made_up_words(300)
    lexicon = Lexicon({"one": words[::2], "two": words[1::2]})
    texts = [f"{one} {two} not {one}" for one, two in zip(words[:40], words[40:80], strict=True)]
    estimate(count(texts, lexicon), lexicon).save(tmp_path / "model.json")
    model = load_model(tmp_path / "model.json")
    own = {id(word) for group in model.lexicon.lists.values() for word in group}
    entries = [entry for entry in model.evidence.entries if " " not in entry]
    assert len(model.evidence.entries) > len(entries) == len(words)
    assert all(id(entry) in own for entry in entries)


@pytest.mark.parametrize(
    "text",
    [
        "naïve façade “good”, don’t",
        "привет хороший Фильм",
        "नमस्ते लड़का पढ़ना",
        "안녕하세요 영화",
        "電影很好，不壞",
        "so 👍🏽 good 😀 ❤️",
        "e\u0301te\u0301 ΟΔΟΣ",
    ],
)
def test_no_text_goes_to_python_in_any_script(text: str) -> None:
    """Python looks up the blocks of its characters once; then texts with new words take as many calls as known ones."""
    tokenizer = Tokenizer("any")
    character_table.cache_clear()
    counter = sum_counter(items_of(Lexicon(SMALL), tokenizer), tokenizer)
    known = pa.array([text + text[::-1]], pa.string())
    first, again = (calls(lambda: counter.add(known)) for _ in range(2))
    assert first > again
    new = pa.array([text[at:] + text[:at] for at in range(len(text))], pa.string())
    assert calls(lambda: counter.add(new)) == again


def test_pairs_of_a_large_lexicon_take_a_few_bytes_each() -> None:
    """Frequent words have tens of millions of pairs, which at sixteen bytes filled the memory several times."""
    listed = words(2000)
    random = np.random.default_rng(0)
    texts = [" ".join([listed[at] for at in random.integers(0, 2000, 100)]) for _ in range(300)]
    tokenizer = Tokenizer("any")
    counter = sum_counter(items_of(Lexicon({"up": listed[::2], "down": listed[1::2]}), tokenizer), tokenizer)
    for start in (0, 150):
        counter.add(pa.array(texts[start : start + 150], pa.string()))
        pairs, size = counter.count_pairs()
    assert pairs > 300_000
    assert size < 3 * pairs


def test_estimation_takes_eight_bytes_for_a_pair() -> None:
    """The pairs of a large lexicon become floats once; copies of them took more memory than all counts."""
    listed, random = words(3000), np.random.default_rng(0)
    texts = [" ".join([listed[at] for at in random.integers(0, 3000, 300)]) for _ in range(300)]
    lexicon = Lexicon({"a": listed[::3], "b": listed[1::3], "c": listed[2::3]})
    counts = count(texts, lexicon)
    assert counts.pairs.nnz > 2_000_000
    estimate(counts, lexicon)  # which imports modules
    assert peak_memory(lambda: estimate(counts, lexicon)) < 12 * counts.pairs.nnz
