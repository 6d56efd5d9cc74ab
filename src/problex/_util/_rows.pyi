from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Ids = NDArray[np.int32]
Floats = NDArray[np.float64]

def sum_rows(
    ends: Ints,
    columns: Ids,
    counts: Ids,
    single: Floats,
    repeated: Callable[[Ids, Ids], Floats],
    lists: Ints,
    labels: int,
    factors: Floats,
    scale: float = ...,
) -> tuple[Floats, Floats, Ints]: ...
def capped(offsets: Floats, evidence: Floats) -> Floats: ...
def finish_rows(
    values: Floats, evidence: Floats, offsets: Floats, log_prior: Floats, certainty: Floats | None = ...
) -> Floats: ...
def add_features(
    values: Floats, evidence: Floats, matches: Ints, features: Floats, numbers: Ints, scale: float, lengths: Ints
) -> tuple[Floats, Floats, Ints]: ...
def winners(values: Floats, matches: Ints, tie: float) -> Ints: ...
