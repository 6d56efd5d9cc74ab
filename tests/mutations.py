"""Damage to files: bytes flipped, removed and inserted, lines doubled, ends cut off."""

from __future__ import annotations

import random

INSERTIONS = (b"1e400", b"\\ud800", b'"', b"\xff\xfe", b"\0", b"\t", b",", b"[", b"{", b"<", b"%\n", b"NaN", b"9" * 30,
              b": *a", b"&a ")  # fmt: skip


def mutate(data: bytes, generator: random.Random) -> bytes:
    """The bytes with one to five changes."""
    for _ in range(generator.choice([1, 1, 2, 5])):
        at, size = generator.randrange(len(data) + 1), generator.randrange(1, 8)
        kind = generator.choice(["flip", "cut", "remove", "insert", "known", "double"])
        if kind == "flip" and at < len(data):
            data = data[:at] + bytes([data[at] ^ (1 << size)]) + data[at + 1 :]
        elif kind == "cut":
            data = data[:at]
        elif kind == "remove":
            data = data[:at] + data[at + size :]
        elif kind == "insert":
            data = data[:at] + generator.randbytes(size) + data[at:]
        elif kind == "known":
            data = data[:at] + generator.choice(INSERTIONS) + data[at:]
        elif lines := data.splitlines(keepends=True):
            lines.insert(generator.randrange(len(lines) + 1), generator.choice(lines))
            data = b"".join(lines)
    return data
