"""Words by ICU's dictionaries and by its C functions, against those of its Python object."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from itertools import pairwise
from threading import Barrier

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from problex.matching import icu, segmentation
from problex.matching._runs import CLASSES, Dictionary, Runs, Segmenter
from problex.matching.segmentation import SCRIPTS, UNSPACED, WORD_BREAK, forget_runs, segment_all, segment_array

NUMBERS = {area.file: number for number, area in enumerate(icu.AREAS)}
FREQUENT = "的一是不了人我在有他这中大来上个国到说们为子和你地出道也时年得就那要下以生会自着去之过家学对可"
KANA = "".join(map(chr, range(0x3041, 0x3097)))
KATAKANA = "".join(map(chr, [*range(0x30A1, 0x30FB), 0x30FC]))
POOLS = {
    area.file: [
        "".join(map(chr, icu._points(area.classes["member"]))),
        *map("".join, zip(*area.sentences, strict=False)),
    ]
    for area in icu.AREAS
}
POOLS["cjdict"] += [FREQUENT, KANA, KATAKANA, FREQUENT + KANA + "々ー"]
PIECES = [
    *"的一是不了人我在有喜欢电影好吃かなたのしいスマートフォンー々ゝヽ〇〆〡〻゠ヿゟ〱〵㐀䶵龥鿿",
    *"ｱｶﾞﾊﾟｰﾞﾟ\uf900⺀⼀𠀀𪚥が\u3099\u309a゛゜",
    *"กขไม่สนุกๆฯ฿๏๐",
    *"ຂ້ອຍບໍ່ໆ໐ໜ",
    *"ខ្ញុំចូល។ៗ\u17b4",
    *"ရုပ်ရှင်၀ၐ႐ꩠ",
    *"aé ,.-_'1２Ａ。、・\u3000\n\u0301\u200d\u200c\ufe0f😀한",
    *(sentence for area in icu.AREAS for sentence in area.sentences),
]


@pytest.fixture(autouse=True)
def _without_known_runs() -> Iterator[None]:
    forget_runs()
    yield
    forget_runs()


def ends_of(runs: Sequence[str]) -> list[list[int]]:
    """Where the words of runs end, by ICU's Python object, which gets them a line each."""
    ends = icu._ends("\n".join(runs))
    starts = np.cumsum([0, *(len(run) + 1 for run in runs)]).tolist()
    places = np.searchsorted(ends, starts, side="right").tolist()
    parts = zip(pairwise(places), pairwise(starts), strict=True)
    return [[end - start for end in ends[a:b] if end < next_] for (a, b), (start, next_) in parts]


def words_of(text: str, ends: Sequence[int]) -> list[str]:
    return [text[start:end] for start, end in pairwise([0, *ends])]


@settings(max_examples=400, deadline=None)
@given(st.lists(st.lists(st.sampled_from(PIECES), max_size=25).map("".join), max_size=4), st.booleans())
def test_texts_of_all_scripts_have_the_words_of_the_python_object(texts: list[str], is_new: bool) -> None:
    if is_new:
        forget_runs()
    assert segment_array(pa.array(texts, pa.string())).to_pylist() == segment_all(texts)


@settings(max_examples=300, deadline=None)
@given(
    st.lists(
        st.text(st.sampled_from([c for name in SCRIPTS.values() for c in map(chr, icu._points(name))]), max_size=9)
    )
)
def test_any_letters_have_the_words_of_the_python_object(texts: list[str]) -> None:
    assert segment_array(pa.array(texts, pa.string())).to_pylist() == segment_all(texts)


@pytest.mark.parametrize("file", NUMBERS)
def test_random_runs_are_cut_by_the_dictionary_as_by_icu(file: str) -> None:
    """First of random characters, then of the words that were found among these."""
    draw, dictionary = random.Random(file), icu.dictionary_of(NUMBERS[file])
    assert dictionary is not None
    pieces: list[Sequence[str]] = [*POOLS[file]]
    for _ in range(4):
        chosen = [draw.choice(pieces) for _ in range(1500)]
        runs = ["".join(draw.choices(pool, k=draw.randint(1, 24))) for pool in chosen]
        found = [dictionary.ends(run) for run in runs]
        assert sum(ends is not None for ends in found) > 1000
        expected = ends_of(runs)
        assert [ends or right for ends, right in zip(found, expected, strict=True)] == expected
        words = {
            word for run, ends in zip(runs, expected, strict=True) for word in words_of(run, ends) if len(word) > 1
        }
        pieces = [*POOLS[file][:1], *3 * [sorted(words)]]


@pytest.mark.parametrize("file", NUMBERS)
def test_every_member_is_cut_as_by_icu(file: str) -> None:
    """Behind and before others: it is in ICU's set of characters, breaks by no other rule and is not normalised."""
    dictionary = icu.dictionary_of(NUMBERS[file])
    assert dictionary is not None
    members, others = POOLS[file][0], icu.AREAS[NUMBERS[file]].sentences[0][:4]
    runs = [text for c in members for text in (c, c + others, others + c + others, others[0] + c * 3, others + c)]
    expected = ends_of(runs)
    assert [dictionary.ends(run) or ends for run, ends in zip(runs, expected, strict=True)] == expected


def test_all_members_are_letters_without_spaces() -> None:
    assert all(UNSPACED.fullmatch(pools[0]) for pools in POOLS.values())
    assert [area.end for area in icu.AREAS] == sorted(area.end for area in icu.AREAS)


def test_characters_that_icu_changes_or_breaks_by_other_rules_are_not_for_the_dictionary() -> None:
    dictionary, thai = icu.dictionary_of(NUMBERS["cjdict"]), icu.dictionary_of(NUMBERS["thaidict"])
    assert dictionary is not None
    assert thai is not None
    for run in ("ｱｲ", "か\u3099", "好ﾞ", "\uf900", "𠀀", "好ก", "a好", "ヿ", "", "好" * (2**20 + 1)):
        assert dictionary.ends(run) is None
    assert thai.ends("\u0e34กข") is None
    assert thai.ends("ก好") is None


def test_long_runs_are_cut_as_by_icu() -> None:
    draw = random.Random(1)
    runs = ["".join(draw.choices(FREQUENT + KATAKANA, k=5000)), "".join(draw.choices(POOLS["thaidict"][1], k=5000))]
    runs += ["ア" * size for size in range(1, 45)] + ["ー" * 5000, "ก" * 5000, "好" * 5000]
    assert segment_array(pa.array(runs)).to_pylist() == segment_all(runs)


def test_long_runs_before_a_mark_leave_nothing_behind() -> None:
    """A text that has marks stays as it is, and the words of its runs are not those of the next text."""
    first, second = "我喜欢这部电影但是服务员的态度很差", "中华人民共和国国家主席今天在人民大会堂"
    texts = [first, f"{first}，{second}，{WORD_BREAK}好", second, f"{second} {first}", f"{WORD_BREAK}{first}", first]
    assert segment_array(pa.array(texts)).to_pylist() == segment_all(texts)


def test_short_runs_are_kept_and_long_ones_are_not() -> None:
    short, long = "很好吃的电影很好", "很好吃的电影很好吃"
    segment_array(pa.array([short, long, f"{long} {short}"]))
    assert [runs.size for runs in segmentation._IDLE] == [1]


def some_texts(count: int = 3000) -> list[str]:
    draw = random.Random(2)
    return ["".join(draw.choices(PIECES, k=draw.randint(1, 20))) for _ in range(count)]


def without_dictionaries(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(icu, "dictionary_of", lambda number: None)


def without_functions(patch: pytest.MonkeyPatch) -> None:
    """As with a build of icu4py that does not show them."""
    patch.setattr(icu, "_functions", lambda *names: ())
    patch.setattr(icu, "_checked", icu._checked.__wrapped__)


def with_another_version(patch: pytest.MonkeyPatch) -> None:
    patch.setattr("icu4py.icu_version_info", (1, 0, 0, 0), raising=False)
    for name in ("_checked", "_functions", "_is_breaker_right"):
        patch.setattr(icu, name, getattr(icu, name).__wrapped__)


def with_other_words(patch: pytest.MonkeyPatch) -> None:
    """The Python object finds other words than the dictionaries and functions."""
    patch.setattr(icu, "_ends", lambda text: [len(text)])
    for name in ("_checked", "_is_breaker_right"):
        patch.setattr(icu, name, getattr(icu, name).__wrapped__)


def with_another_format(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(icu, "_FORMAT", (b"Dict", 2))
    patch.setattr(icu, "_checked", icu._checked.__wrapped__)


def with_bad_data(patch: pytest.MonkeyPatch) -> None:
    def fail(*values: object) -> Dictionary:
        raise ValueError("a dictionary of 2 bytes is in no known format")

    patch.setattr(icu, "Dictionary", fail)
    patch.setattr(icu, "Breaker", fail)
    for name in ("_checked", "_is_breaker_right"):
        patch.setattr(icu, name, getattr(icu, name).__wrapped__)


@pytest.mark.parametrize(
    ("change", "has_breaker"),
    [
        (without_dictionaries, True),
        (without_functions, False),
        (with_another_version, False),
        (with_other_words, False),
        (with_another_format, True),
        (with_bad_data, False),
    ],
)
def test_icu_itself_is_asked_where_something_is_missing_or_not_as_expected(
    change: Callable[[pytest.MonkeyPatch], None], has_breaker: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = some_texts()
    expected = segment_array(pa.array(texts)).to_pylist()
    assert expected == segment_all(texts)
    forget_runs()
    change(monkeypatch)
    assert all(icu.dictionary_of(number) is None for number in NUMBERS.values())
    assert (icu.breaker_of() is not None) == has_breaker
    calls: list[str] = []

    def word_places(text: str) -> Iterable[tuple[int, int]]:
        calls.append(text)
        return icu.word_places(text)

    monkeypatch.setattr(segmentation, "word_places", word_places)
    assert segment_array(pa.array(texts)).to_pylist() == expected
    assert len(calls) == (not has_breaker)


def test_runs_go_to_icu_in_parts_that_it_can_read(monkeypatch: pytest.MonkeyPatch) -> None:
    without_dictionaries(monkeypatch)
    texts = [chr(0x4E00 + at % 5000) + chr(0x4E00 + at // 5000) * 700 + "喜欢" for at in range(4000)]
    assert segment_array(pa.array(texts)).to_pylist() == segment_all(texts)


def test_a_damaged_dictionary_is_an_error_or_another_dictionary() -> None:
    """Whatever its bytes say, nothing outside them is read."""
    draw = random.Random(3)
    letters, classes = [*map(chr, range(0x3000, 0x3040))], bytes([CLASSES["member"]]) * 64
    for size in [*range(60), *(draw.randint(60, 5000) for _ in range(400))]:
        for offset in (0, 0x3000):
            data = np.frombuffer(draw.randbytes(size) + b"\0", dtype=np.uint8)
            with suppress(ValueError):  # in no known format
                dictionary = Dictionary(data.ctypes.data, size, 0x3000, classes, offset, 4 * bool(offset))
                assert (dictionary.ends("".join(draw.choices(letters, k=30))) or [])[-1] == 30
    with pytest.raises(ValueError, match="a dictionary of 0 bytes is in no known format"):
        Dictionary(0, 0, 0x3000, classes)


def test_threads_have_runs_of_their_own() -> None:
    barrier, parts = Barrier(4), [some_texts(500)[at::4] for at in range(4)]

    def work(texts: list[str]) -> list[str]:
        barrier.wait()
        return [text for _ in range(5) for text in segment_array(pa.array(texts)).to_pylist()]

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(work, parts)) == [5 * segment_all(part) for part in parts]
    assert 1 <= len(segmentation._IDLE) <= 4


def test_the_tables_take_little_memory() -> None:
    dictionaries = [icu.dictionary_of(number) for number in NUMBERS.values()]
    assert all(dictionary is not None and dictionary.memory < 10 * 2**20 for dictionary in dictionaries)


def test_what_a_segmenter_and_runs_expect() -> None:
    with pytest.raises(ValueError, match="9 areas of characters, expected at most 8"):
        Segmenter(range(9), icu.dictionary_of, icu.breaker_of, icu.word_places)
    segmenter = Segmenter([], icu.dictionary_of, icu.breaker_of, icu.word_places)
    with pytest.raises(ValueError, match="a mark of 1 bytes, expected 3"):
        Runs(segmentation._kind_of, segmenter, "|", "。", 100)


def test_icu_that_cannot_be_imported_is_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """A thread may be at work while the package is being installed, or a test hides it."""
    with monkeypatch.context() as patch:
        for name in ("_checked", "_functions"):
            getattr(icu, name).cache_clear()
        patch.setattr(icu, "import_module", lambda name: (_ for _ in ()).throw(ImportError(name)))
        assert icu.breaker_of() is None
        assert icu.dictionary_of(0) is None
    assert icu.breaker_of() is not None
    assert icu.dictionary_of(0) is not None


def test_words_were_compared_for_the_installed_version_of_icu() -> None:
    """If this fails: compare the words of the new version (the tests above), and add it to `VERSIONS`."""
    import icu4py

    assert icu4py.icu_version_info[0] in icu.VERSIONS


def test_another_version_of_icu_is_asked_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    icu._checked.cache_clear()
    monkeypatch.setattr(icu, "VERSIONS", (1,))
    assert all(icu.dictionary_of(number) is None for number in NUMBERS.values())
    icu._checked.cache_clear()


def test_a_dictionary_that_cuts_one_beginning_otherwise_is_not_used() -> None:
    area = icu.AREAS[NUMBERS["thaidict"]]
    wrong = icu.Area(area.file, area.end, area.low, area.classes, area.sentences, area.least - 3)
    dictionary = icu._read(wrong)
    assert dictionary is not None
    assert all(dictionary.ends(sentence) == icu._ends(sentence) for sentence in area.sentences)
    assert not icu._cuts_alike(dictionary, area.sentences)
