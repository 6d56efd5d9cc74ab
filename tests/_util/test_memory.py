from __future__ import annotations

import pytest

from problex._util.memory import check_memory, choose_batch_bytes, format_size, parse_size, vocabulary_memory
from problex.errors import ProblexError


@pytest.mark.parametrize(
    ("given", "expected"),
    [("1GiB", 1 << 30), ("512MB", 512_000_000), ("1.5g", 3 << 29), (" 64 k ", 65536), ("100", 100), (7, 7)],
)
def test_sizes_as_people_write_them(given: str | int, expected: int) -> None:
    assert parse_size(given) == expected


@pytest.mark.parametrize("given", ["", "much", "1 GG", "-1GiB", "1,5GB"])
def test_what_is_no_size(given: str) -> None:
    with pytest.raises(ProblexError, match="was given as a size, expected a number with a unit such as 512MiB"):
        parse_size(given)


def test_too_little_memory() -> None:
    assert check_memory(1 << 30) == 1 << 30
    with pytest.raises(ProblexError, match=r"memory=1000 \(bytes\) was given, expected at least 64MiB"):
        check_memory(1000)


@pytest.mark.parametrize("threads", [1, 2, 16, 64])
def test_batches_and_words_fit_into_the_memory(threads: int) -> None:
    memory = 1 << 30
    assert choose_batch_bytes(memory, threads) * (3 * threads + 4) + 2.2 * vocabulary_memory(memory) < memory


def test_the_least_memory_is_64_mebibytes() -> None:
    assert check_memory(64 << 20) == 64 << 20
    with pytest.raises(ProblexError, match="expected at least 64MiB"):
        check_memory((64 << 20) - 1)


def test_the_share_of_words_by_hand() -> None:
    """Two fifths of what the program leaves, or of a quarter."""
    assert vocabulary_memory(1 << 30) == 2 * (768 << 20) // 5
    assert vocabulary_memory(256 << 20) == 2 * (64 << 20) // 5


def test_the_size_of_a_batch_by_hand() -> None:
    """An eighth of the memory for 3 batches per thread and 4 more; from 256 KiB to 8 MiB."""
    assert choose_batch_bytes(560 << 20, 2) == 7 << 20
    assert choose_batch_bytes(4 << 30, 2) == 8 << 20
    assert choose_batch_bytes(64 << 20, 64) == 256 << 10


@pytest.mark.parametrize("size", [1 << 40, 3 << 29, 512 << 20, 64 << 10, 1000, 1])
def test_a_formatted_size_is_parsed_again(size: int) -> None:
    assert parse_size(format_size(size)) == size


def test_more_memory_than_any_machine_has_is_refused() -> None:
    for memory in (10**400, parse_size("9" * 400), parse_size("9" * 400 + "GiB"), (1 << 60) + 1):
        with pytest.raises(ProblexError, match="the memory given is too large, expected at most 1048576TiB"):
            check_memory(memory)
    assert check_memory(1 << 60) == 1 << 60
