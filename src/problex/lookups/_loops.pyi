import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Ids = NDArray[np.int32]

def count_columns(ids: Ids, ends: Ints, column_ends: Ints, columns: Ids, counts: Ints, matched: Ints) -> None: ...
def sum_columns(
    ids: Ids, ends: Ints, column_ends: Ints, columns: Ids, values: NDArray[np.float64], sums: NDArray[np.float64]
) -> None: ...
def hash_steps(steps: Ints, nodes: Ints) -> tuple[Ints, Ints]: ...
def find_phrases(
    ids: Ids,
    ends: Ints,
    roles: NDArray[np.uint8],
    element_ends: Ints,
    elements: Ints,
    steps: Ints,
    nodes: Ints,
    phrases: Ints,
    element_count: int,
) -> Ints: ...
def count_sentences(offsets: Ints, data: NDArray[np.uint8], signs: NDArray[np.uint8], least: int) -> Ints: ...
