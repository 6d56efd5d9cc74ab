import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Ids = NDArray[np.int32]
Floats = NDArray[np.float64]

def distinct(values: Floats) -> tuple[Floats, Ints, Ints]: ...
def sum_rows(
    ends: Ints, columns: Ids, counts: Ids, amounts: Floats, lists: Ints, labels: int, factors: Floats
) -> tuple[Floats, Floats, Ints]: ...
def winners(values: Floats, matches: Ints, tie: float) -> Ints: ...
