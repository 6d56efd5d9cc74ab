"""What the targets of `make fuzz` have in common: the type of a target, a folder for files, a lexicon and texts."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from problex import Lexicon
from problex.errors import ProblexError

FOLDER = [Path(tempfile.gettempdir())]
"""Where files are written to: proof/robustness/fuzz.py gives every target a folder of its own."""
LEXICON = Lexicon({"positive": ["good", "fine day", "happ*", ":)"], "negative": ["bad", "no good", "*less", "café"]})
TEXTS = ["A good, fine day :)", "not good, no good", "bad, hopeless, happy?", "Un café — bad", "", "nothing"] * 4


@dataclass(frozen=True)
class Target:
    """A function of bytes, and bytes to begin with, which it accepts: what is damaged must have been whole.

    `speed` is about how many executions take a second, of bytes up to `longest`; `timed` whether the bytes to begin
    with contain the time of their writing, so that no two runs are the same.
    """

    run: Callable[[bytes], object]
    seeds: Callable[[], Iterable[bytes]]
    speed: int = 1000
    longest: int = 4096
    timed: bool = False

    def __call__(self, data: bytes) -> bool:
        """Whether the bytes were accepted; False if they were refused with an error of this package."""
        try:
            self.run(data)
        except ProblexError as error:
            if "\n\n" in str(error) or not str(error):
                raise AssertionError(f"an error without a clear line: {error!r}") from error
            return False
        return True

    def whole(self) -> list[bytes]:
        """The bytes to begin with; an error if some are refused, since then most of a reader would never run."""
        seeds = list(self.seeds())
        for seed in seeds:
            try:
                self.run(seed)
            except ProblexError as error:
                raise AssertionError(f"{seed[:200]!r} to begin with, but they are refused: {error}") from error
        return seeds


def folder() -> Path:
    """The folder of the target at hand."""
    return FOLDER[0]


def file_of(suffix: str, data: bytes) -> Path:
    """A file with some bytes."""
    path = folder() / f"x{suffix}"
    path.write_bytes(data)
    return path
