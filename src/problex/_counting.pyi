from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

HAS_AVX2: bool

class Counter:
    error: BaseException | None
    def __init__(
        self,
        tokenizer: Any,
        characters: NDArray[np.uint32],
        joins: bool,
        words: list[str],
        items: NDArray[np.int64],
        lists: NDArray[np.int64],
        list_count: int,
        phrases: list[tuple[list[int], int]],
        closed: bool = ...,
        rows: bool = ...,
        fast: bool = ...,
    ) -> None: ...
    def add(self, texts: pa.Array) -> None: ...
    def merge(self, other: Counter) -> None: ...
    def prune(self, least: int) -> int: ...
    @property
    def size(self) -> int: ...
    @property
    def memory(self) -> int: ...
    def totals(self) -> dict[str, int]: ...
    def imputed_documents(self) -> NDArray[np.int64]: ...
    def sums(
        self,
    ) -> tuple[pa.Array, NDArray[np.int64], NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]: ...
    def pairs(self) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.int64]]: ...
    def rows(
        self,
    ) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.int32], NDArray[np.int64]]: ...
    def words(self) -> pa.Array: ...
