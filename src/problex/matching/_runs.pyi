from collections.abc import Callable, Iterable, Mapping

import pyarrow as pa

KINDS: Mapping[str, int]

class Runs:
    def __init__(
        self,
        kind_of: Callable[[str], int],
        words_of: Callable[[str], Iterable[tuple[int, int]]],
        mark: str,
        clause: str,
        most: int,
    ) -> None: ...
    @property
    def size(self) -> int: ...
    @property
    def memory(self) -> int: ...
    def segment(self, texts: pa.Array) -> pa.Array: ...
