"""Rows of a file that could not be read: too many of them mean that the file is not what it was taken for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from problex.errors import DocumentError

MAX_SHARE = 0.1
MIN_INVALID = 3  # a title and a footer are no reason to stop
MAX_OF_FEW = 0.5  # unless they are more than half of the rows
MIN_ROWS = 1000  # before the end of a file is reached


@dataclass
class Losses:
    """The rows of the file that is being read, those of them that are invalid, and what is to be said about it.

    >>> losses = Losses("skip", rows=27)
    >>> losses.add(rows=3, invalid=3)
    >>> losses.check_end()
    Traceback (most recent call last):
    ...
    problex.errors.DocumentError: 3 of 30 rows could not be read, ...
    """

    on_error: str
    name: str = ""
    invalid: int = 0
    rows: int = 0
    describe: Callable[[], str] = str

    def begin(self, name: str, describe: Callable[[], str], *, is_new_file: bool) -> None:
        """Continue with rows of a file, or begin with a new one."""
        if is_new_file and self.rows:
            self.check_end()
            self.invalid = self.rows = 0
        self.name, self.describe = name, describe

    def add(self, rows: int, invalid: int) -> None:
        """Add some rows; raise if too many were invalid so far."""
        self.rows += rows
        self.invalid += invalid
        if self.rows >= MIN_ROWS:
            self.check_end()

    def check_end(self) -> None:
        """Raise if too many rows of the file were invalid."""
        is_few = self.invalid < MIN_INVALID or self.invalid < MAX_SHARE * self.rows
        if is_few and self.invalid <= MAX_OF_FEW * self.rows:
            return
        raise DocumentError(
            f"{f'{self.name}: ' if self.name else ''}{self.invalid:,} of {self.rows:,} rows could not be read, a tenth "
            f'or more, so that reading stops even with on_error="{self.on_error}". {self.describe()}'.strip()
        )
