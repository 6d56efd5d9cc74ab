"""`amend`: a remembered corpus for a lexicon with other phrases or literals, from the documents that these change."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields, replace

import numpy as np
import pyarrow as pa

from problex._util.arrays import BoolArray, IntArray
from problex._util.arrow import pc
from problex._util.formatting import pluralize
from problex._util.late import sparse
from problex.counting.remembered import Remembered, narrow_type, remember, word_counter, words_of
from problex.errors import ProblexError
from problex.lexicon.lexicon import Lexicon
from problex.matching.items import Items, has_wildcard, items_of
from problex.matching.wildcards import Wildcard

MAX_SHARE = 0.5
"""The share of documents from which on all are counted again."""


def amend(remembered: Remembered, texts: pa.Array, lexicon: Lexicon) -> Remembered:
    """The corpus as `remember(texts, lexicon)` gives it, from a corpus of the same texts with another lexicon.

    Only documents that may have an added phrase or literal, or have a removed one, are counted again.

    >>> texts = pa.array(["a rip-off", "rip it off", "good film", "bad"])
    >>> corpus = remember(texts, Lexicon({"positive": ["good"], "negative": ["bad"]}))
    >>> lexicon = Lexicon({"positive": ["good"], "negative": ["bad", "rip off"]})
    >>> from problex.counting import count, recount
    >>> recount(amend(corpus, texts, lexicon), lexicon) == count(texts, lexicon)
    True
    """
    if len(texts) != len(remembered.lengths):
        given, have = pluralize(len(texts), "text"), pluralize(len(remembered.lengths), "text")
        raise ProblexError(f"{given} and a corpus of {have} were given, expected the texts that were remembered")
    items = items_of(lexicon, remembered.tokenizer)
    if items.segmented != remembered.items.segmented:
        return remember(texts, lexicon, remembered.tokenizer)
    rows = np.flatnonzero(_changed_documents(remembered, texts, items))
    if len(rows) > MAX_SHARE * len(texts):
        return remember(texts, lexicon, remembered.tokenizer)
    if not len(rows):
        return _with_items(remembered, items)
    own = texts.take(pa.array(rows))
    found = words_of([own], items, remembered.tokenizer)
    table = word_counter(items, remembered.tokenizer, found)(own)
    added = [word for word in found if word not in remembered.place]
    words = pa.concat_arrays([remembered.words, pa.array(added, pa.string())])
    place = remembered.place | {word: len(remembered.words) + at for at, word in enumerate(added)}
    columns = np.fromiter((place[word] for word in found), np.int64, len(found))
    columns = np.concatenate([columns, len(words) + columns])
    lengths = remembered.lengths.copy()
    lengths[rows] = table.lengths
    matrix = _with_rows(remembered.matrix, rows, table.matrix, columns, len(words))
    sampled = remembered.sample_rows
    in_sample = np.isin(sampled, rows)
    own_rows = sparse.csr_array(table.matrix[np.searchsorted(rows, sampled[in_sample])])
    sample_columns = _with_rows(remembered.sample_columns, np.flatnonzero(in_sample), own_rows, columns, len(words))
    word_keys = remembered.word_keys.copy()
    if table.keys is not None:
        word_keys[rows] = table.keys
    sample = replace(remembered.sample, lengths=lengths[sampled], word_keys=word_keys[sampled])
    return replace(
        remembered,
        items=items,
        words=words,
        matrix=matrix.astype(narrow_type(matrix)),
        lengths=lengths,
        word_keys=word_keys,
        sample=sample,
        sample_columns=sample_columns,
    )


def _with_items(remembered: Remembered, items: Items) -> Remembered:
    """The same corpus for items that change no document; what was computed from it is kept."""
    if all(set(getattr(items, name)) == set(getattr(remembered.items, name)) for name in ("phrases", "literals")):
        return remembered
    same = replace(remembered, items=items)
    own = {one.name for one in fields(same)} | {"single"}  # which depends on the literals
    vars(same).update({name: value for name, value in vars(remembered).items() if name not in own})
    return same


def _with_rows(
    matrix: sparse.csc_array, rows: IntArray, new: sparse.csr_array, columns: IntArray, words: int
) -> sparse.csc_array:
    """A matrix of `words` words in which some rows are new ones; column i of these becomes `columns[i]`."""
    before = (matrix.shape[1] - 1) // 2
    changed = np.zeros(matrix.shape[0], dtype=bool)
    changed[rows] = True
    kept = ~changed[matrix.indices]
    ends = np.concatenate([[0], np.cumsum(kept)])[matrix.indptr]
    more = words - before  # empty columns after the words, and after the negated words
    plain, negated = ends[: before + 1], ends[before + 1 : 2 * before + 1]
    ends = np.concatenate([plain, np.repeat(plain[-1:], more), negated, np.repeat(ends[-1:], more + 1)])
    shape = (matrix.shape[0], 2 * words + 1)
    rest = sparse.csc_array((matrix.data[kept], matrix.indices[kept], ends), shape=shape)
    coo = new.tocoo()
    places = (rows[coo.coords[0]], columns[coo.coords[1]])
    return sparse.csc_array(rest + sparse.csc_array((coo.data.astype(matrix.dtype), places), shape=shape))


def _changed_documents(remembered: Remembered, texts: pa.Array, items: Items) -> BoolArray:
    """Which documents may have other tokens with these items: no other can."""
    before, changed = remembered.items, np.zeros(len(texts), dtype=bool)
    removed = [" ".join(phrase) for phrase in set(before.phrases) - set(items.phrases)]
    for name in [*removed, *(set(before.literals) - set(items.literals))]:
        changed[remembered.documents_with(name)] = True
    new_literals = set(items.literals) - set(before.literals)
    for written, letters in remembered.tokenizer.letters if new_literals else ():
        texts = pc.replace_substring(texts, written, letters)
    for literal in new_literals:
        found = pc.match_substring(texts, literal, ignore_case=True)
        changed |= np.asarray(found.to_numpy(zero_copy_only=False), dtype=bool)
    for phrase in set(items.phrases) - set(before.phrases):
        has_all = np.ones(len(texts), dtype=bool)
        for word in set(phrase):
            has_word = np.zeros(len(texts), dtype=bool)
            for name in _names_with(remembered, word):
                has_word[remembered.documents_with(name)] = True
            has_all &= has_word
        changed |= has_all
    return changed


def _names_with(remembered: Remembered, word: str) -> Iterable[str]:
    """The words that a word of a phrase may stand for, and the phrases that may hide it."""
    glob = remembered.tokenizer.glob
    if has_wildcard(word, glob):
        yield from filter(Wildcard(word, glob=glob).matches, remembered.place)
    else:
        yield word
    for phrase in remembered.items.phrases:
        if any(_may_be_same(word, other, glob) for other in phrase):
            yield " ".join(phrase)


def _may_be_same(one: str, other: str, glob: bool) -> bool:
    """Whether some word matches both, of which either may be a wildcard."""
    wild = [word for word in (one, other) if has_wildcard(word, glob)]
    if len(wild) == 1:
        return Wildcard(wild[0], glob=glob).matches(other if wild[0] == one else one)
    return bool(wild) or one == other
