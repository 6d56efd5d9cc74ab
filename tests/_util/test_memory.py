from __future__ import annotations

import pytest

from problex._util.memory import check_memory, choose_batch_bytes, parse_size, vocabulary_memory
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
    with pytest.raises(ProblexError, match="memory=1,000 bytes was given, expected at least 64MiB"):
        check_memory(1000)


@pytest.mark.parametrize("threads", [1, 2, 16, 64])
def test_batches_and_words_fit_into_the_memory(threads: int) -> None:
    memory = 1 << 30
    assert choose_batch_bytes(memory, threads) * (3 * threads + 4) + 2.2 * vocabulary_memory(memory) < memory
