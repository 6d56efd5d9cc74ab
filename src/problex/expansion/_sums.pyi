import numpy as np
from numpy.typing import NDArray

Ids = NDArray[np.int32]
Ints = NDArray[np.int64]
Singles = NDArray[np.float32]

def row_hashes(ends: Ints, columns: Ids, counts: Singles, numbers: NDArray[np.uint64]) -> NDArray[np.uint64]: ...
def column_sums(columns: Ids, counts: Singles, width: int) -> tuple[Ints, Ints]: ...
def sums_of_rows(ends: Ints, rows: Ids, row_ends: Ints, columns: Ids, values: Singles, width: int) -> Singles: ...
