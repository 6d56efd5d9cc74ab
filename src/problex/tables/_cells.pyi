from collections.abc import Callable, Sequence
from typing import Any

def split_cells(
    rows: bytes,
    width: int,
    columns: Sequence[int],
    delimiter: bytes,
    quote: bytes,
    header: bytes,
    allocate: Callable[[int], Any],
) -> tuple[int, int, list[tuple[Any, Any]], list[list[int]]] | None: ...
