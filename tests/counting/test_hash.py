"""The hash of texts, which draws the sample: specified here in Python, the same on every platform."""

from __future__ import annotations

import pyarrow as pa
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from problex.counting._counter import document_keys

MASK = (1 << 64) - 1
MULTIPLIER = 0x452821E638D01377


def mix(a: int, b: int) -> int:
    """The upper half of a product of 128 bits, exclusive or the lower half."""
    product = (a ^ 0x9E3779B97F4A7C15) * (b ^ 0xD1B54A32D192ED03)
    return product >> 64 ^ product & MASK


def key(text: bytes) -> int:
    """Four lanes take turns with eight bytes each: whole blocks of 32 bytes in one way, the rest in another."""
    n = len(text)
    lanes = [0x243F6A8885A308D3, 0x13198A2E03707344, 0xA4093822299F31D0 ^ n, (0x082EFA98EC4E6C89 + n) & MASK]
    whole = n // 32 * 32
    for at in range(0, whole, 8):
        lane = (lanes[at // 8 % 4] ^ int.from_bytes(text[at : at + 8], "little")) * MULTIPLIER & MASK
        lanes[at // 8 % 4] = lane ^ lane >> 29
    for at in range(whole, n, 8):
        lanes[at // 8 % 4] = mix(lanes[at // 8 % 4] ^ int.from_bytes(text[at : at + 8], "big"), MULTIPLIER)
    return mix(mix(lanes[0], lanes[1]), mix(lanes[2], lanes[3]))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", 0x86FEA0EE5FEB27B7),
        ("a", 0x0E7A19BAD6C50C4F),
        ("a good film", 0x5782C5A5EB2103A3),
        ("naïve été", 0x273F40C676E11AAC),
        ("x" * 32, 0xD4C19D5A7D83A62A),
        ("not a bad film, but not a good one either: " * 3, 0x20747CE5693F143A),
    ],
)
def test_keys_are_what_they_always_were(text: str, expected: int) -> None:
    """Stored samples have these keys: with others, counts made before and after could not be added."""
    assert document_keys(pa.array([text], pa.string())).tolist() == [expected]
    assert key(text.encode()) == expected


@given(st.lists(st.text(max_size=150), max_size=5))
@example(["x" * size for size in range(100)])
def test_keys_are_those_of_the_specification(texts: list[str]) -> None:
    assert document_keys(pa.array(texts, pa.string())).tolist() == [key(text.encode()) for text in texts]
