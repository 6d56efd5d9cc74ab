from collections.abc import Iterable
from typing import Any

import pyarrow as pa
from numpy.typing import NDArray

def string_array(values: Iterable[str], most: int = ...) -> pa.Array: ...
def numbers_of(array: pa.Array) -> NDArray[Any]: ...
