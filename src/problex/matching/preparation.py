"""What is done to texts before they are cut into tokens, in the few languages that need it.

Letters that a language writes in two ways are written in one (`Tokenizer.letters`), and text without spaces is
segmented. The reference matcher and the compiled counter both cut texts that were prepared here.
"""

from __future__ import annotations

import pyarrow as pa

from problex._util.arrow import pc
from problex.matching.items import Items
from problex.matching.reference import literal_pattern
from problex.matching.segmentation import segment_all
from problex.matching.tokens import Tokenizer


def prepare_texts(texts: pa.Array, items: Items, tokenizer: Tokenizer) -> pa.Array:
    """Texts as they are counted; prepared texts stay as they are.

    >>> from problex.lexicon.lexicon import Lexicon
    >>> from problex.matching.items import items_of
    >>> items = items_of(Lexicon({"a": ["ILIK"], "b": ["İyi"]}), Tokenizer("tr"))
    >>> prepare_texts(pa.array(["ILIK mı, İyi mi?"]), items, Tokenizer("tr")).to_pylist()
    ['ıLıK mı, iyi mi?']
    """
    if tokenizer.custom is not None:
        return texts
    for written, letters in tokenizer.letters:
        texts = pc.replace_substring(texts, written, letters)
    if not items.segmented:
        return texts
    return pa.array(_segment_around_literals(list(map(tokenizer.prepare, texts.to_pylist())), items), texts.type)


def _segment_around_literals(texts: list[str], items: Items) -> list[str]:
    """Segment texts, but not the literals in them."""
    pattern = literal_pattern(items)
    if pattern is None:
        return segment_all(texts)
    literals = [pattern.findall(text) for text in texts]
    parts = iter(segment_all([part for text in texts for part in pattern.split(text)]))
    return ["".join([*(next(parts) + one for one in found), next(parts)]) for found in literals]
