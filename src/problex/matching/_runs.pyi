from collections.abc import Callable, Iterable, Mapping, Sequence

import pyarrow as pa

KINDS: Mapping[str, int]
CLASSES: Mapping[str, int]
FUNCTIONS: tuple[str, ...]
LOCALE: bytes

class Dictionary:
    def __init__(self, address: int, size: int, low: int, classes: bytes, offset: int = 0, least: int = 0) -> None: ...
    @property
    def memory(self) -> int: ...
    def ends(self, text: str) -> list[int] | None: ...

class Breaker:
    def __init__(self, open_: int, set_text: int, next_: int, close: int) -> None: ...
    def ends(self, text: str) -> list[int]: ...

class Segmenter:
    def __init__(
        self,
        areas: Sequence[int],
        dictionary_of: Callable[[int], Dictionary | None],
        breaker_of: Callable[[], Breaker | None],
        words_of: Callable[[str], Iterable[tuple[int, int]]],
    ) -> None: ...

class Runs:
    def __init__(
        self,
        kind_of: Callable[[str], int],
        segmenter: Segmenter,
        mark: str,
        clause: str,
        most: int,
    ) -> None: ...
    @property
    def size(self) -> int: ...
    @property
    def memory(self) -> int: ...
    def segment(self, texts: pa.Array) -> pa.Array: ...
