from collections.abc import Iterable, Sequence
from typing import Any

from numpy.typing import NDArray

def read_columns(data: bytes, start: int, stop: int, between: bytes) -> list[Any] | None: ...
def write_rows(columns: Iterable[Sequence[Any] | NDArray[Any]], between: bytes, part: int = ...) -> list[bytes]: ...
