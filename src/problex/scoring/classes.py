"""The classes of a classifier: the names of the lists, or 0 and 1."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray


def class_labels(names: Sequence[str], y: Any) -> NDArray[Any]:
    """The classes: the sorted names of the lists, or 0 and 1 (-1 and 1, False and True) if `y` has nothing else.

    That needs two lists; the larger value is the second of them.

    >>> class_labels(["negative", "positive"], [1, 0, 1]).tolist(), class_labels(["left", "right"], ["left"]).tolist()
    ([0, 1], ['left', 'right'])
    """
    values = set() if y is None else set(np.asarray(y).ravel().tolist())
    for pair in ((False, True), (0, 1), (-1, 1)):
        same_type = all(isinstance(value, bool) == isinstance(pair[0], bool) for value in values)
        if values and len(names) == 2 and same_type and values <= set(pair):
            return np.array(pair)
    return np.array(names, dtype=object)
