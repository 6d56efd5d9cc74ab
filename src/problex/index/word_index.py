"""`WordIndex`: how often every document of a corpus has every word, so that a lexicon may change without the texts.

`counts` selects the columns of a lexicon and sums them; the result equals `count` with that lexicon. Single words,
wildcards and negation may change. Phrases and literals change the tokens of a text, so they must be those of the
lexicon that the index was made with: `updated` counts again the documents that other ones change.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from itertools import compress
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from problex._util.arrays import BoolArray, IntArray
from problex._util.arrow import pc
from problex._util.formatting import pluralize
from problex._util.late import sparse
from problex.counting._counter import document_keys
from problex.counting.copies import smallest_keys
from problex.counting.counters import row_counter, row_pairs
from problex.counting.counts import SAMPLE_SIZE, Counts, Sample, draw_sample
from problex.counting.tables import CountTable, list_associations, tabulate_slowly, tabulator
from problex.errors import LexiconError, ProblexError
from problex.lexicon.lexicon import Lexicon
from problex.matching.items import Items, has_wildcard, item_of, items_of, warn_of_problems
from problex.matching.language_guess import resolve_language
from problex.matching.negation import NEGATED, opposite_lists
from problex.matching.reference import prepare_texts
from problex.matching.tokens import Tokenizer
from problex.matching.wildcards import Wildcard, matching_words

CHUNK_BYTES = 1 << 20
"""About as many bytes of text are counted at once, so that progress can be shown and work cancelled."""
MAX_CHANGED = 0.5
"""The share of documents from which on `updated` counts all of them again."""
MAX_NEW_ENTRIES = 100
"""The new entries up to which pairs are computed from those of the last lexicon."""
LAST_CHARACTER = "\U0010ffff"
UNLISTED = -1
"""The list of a word that is in none, and the column of one that no document has."""


@dataclass(frozen=True)
class Completion:
    """A word of a corpus, how often it occurs, negated or not, and in how many documents."""

    word: str
    count: int
    documents: int


@dataclass(frozen=True, eq=False)
class WordIndex:
    """A corpus as counts of all its words: `matrix` has a column per word, one per negated word, and an empty one.

    `keys` are hashes of the texts, `word_keys` those of their words, which copies have in common; `sample` are the
    documents in the sample of every `Counts` of this corpus, and `sample_columns` their counts over the same columns.
    `last` has the rows and the pairs of the last lexicon: after an edit, little of them changes.
    """

    tokenizer: Tokenizer
    items: Items
    words: pa.Array
    matrix: sparse.csc_array
    lengths: IntArray
    keys: NDArray[np.uint64]
    word_keys: NDArray[np.uint64]
    sample: Sample
    sample_columns: sparse.csc_array
    last: dict[str, Any] = field(default_factory=dict, init=False, repr=False)

    @classmethod
    def of(
        cls,
        texts: pa.Array,
        lexicon: Lexicon,
        tokenizer: Tokenizer | None = None,
        *,
        progress: Callable[[float], None] | None = None,
    ) -> WordIndex:
        """Count every word of every text, with the phrases and literals of a lexicon; `counts` then needs no texts.

        `progress` is called now and then with the share of the work that is done, from 0 to 1. To cancel, raise an
        exception in it: the call ends with that.

        >>> first = Lexicon({"positive": ["good"], "negative": ["bad", "rip off"]})
        >>> texts = pa.array(["good film", "not good, a rip-off", "bad dull film"])
        >>> index = WordIndex.of(texts, first)
        >>> second = Lexicon({"positive": ["good", "fi*"], "negative": ["dull", "rip off"]})
        >>> from problex.counting import count
        >>> index.counts(second) == count(texts, second)
        True
        """
        tokenizer = resolve_language(tokenizer or Tokenizer(), texts)
        items = items_of(lexicon, tokenizer)
        texts = prepare_texts(texts, items, tokenizer)
        chunks, report = _chunks(texts), progress or (lambda share: None)
        # Which words there are, then how often: the second time takes about twice as long.
        words = words_of(chunks, items, tokenizer, lambda share: report(share / 3))
        count_words, tables = _word_counter(items, tokenizer, words), []
        for at, chunk in enumerate(chunks, 1):
            tables.append(count_words(chunk))
            report((1 + 2 * at / len(chunks)) / 3)
        lengths = np.concatenate([table.lengths for table in tables])
        rows = sparse.vstack([table.matrix for table in tables], format="csr")
        rows = sparse.csr_array((rows.data, rows.indices, rows.indptr), shape=(len(lengths), 2 * len(words) + 1))
        keys, matrix = document_keys(texts), sparse.csc_array(rows)
        word_keys = np.concatenate([table.keys for table in tables if table.keys is not None])
        sample = draw_sample(keys, lengths, rows, SAMPLE_SIZE, word_keys)
        return cls(
            tokenizer=tokenizer,
            items=items,
            words=pa.array(words, pa.string()),
            matrix=matrix.astype(narrow_type(matrix)),
            lengths=lengths,
            keys=keys,
            word_keys=word_keys,
            sample=replace(sample, matrix=sparse.csr_array((len(sample), 0), dtype=np.int64)),
            sample_columns=sparse.csc_array(sample.matrix),
        )

    # ---- words and documents ----

    @cached_property
    def position(self) -> dict[str, int]:
        """The column of each word."""
        return {word: at for at, word in enumerate(self.words.to_pylist())}

    def column(self, name: str) -> int:
        """The column of a word, or of a negated word by its name; the empty column for a word that never occurs."""
        negated = name.startswith(NEGATED)
        at = self.position.get(name.removeprefix(NEGATED) if negated else name)
        return self.matrix.shape[1] - 1 if at is None else at + negated * len(self.words)

    def documents_with(self, word: str) -> IntArray:
        """The documents that have a word, negated or not, in order.

        >>> index = WordIndex.of(pa.array(["good", "bad", "not good"]), Lexicon({"up": ["good"], "down": ["bad"]}))
        >>> index.documents_with("good").tolist(), index.documents_with("film").tolist()
        ([0, 2], [])
        """
        ends, rows = self.matrix.indptr, self.matrix.indices
        columns = [self.column(word), self.column(NEGATED + word)]
        return np.unique(np.concatenate([rows[ends[at] : ends[at + 1]] for at in columns])).astype(np.int64)

    def has_any(self, names: Iterable[str]) -> bool:
        """Whether any document has one of these words, by their names.

        >>> index = WordIndex.of(pa.array(["not good", "bad"]), Lexicon({"up": ["good"], "down": ["bad"]}))
        >>> index.has_any(["good", "film"]), index.has_any(["NOT good"])
        (False, True)
        """
        return not self._occurring.isdisjoint(names)

    @cached_property
    def _occurring(self) -> frozenset[str]:
        """The names of the words that occur, and of those that occur negated."""
        plain, negated = np.split(np.diff(self.matrix.indptr)[:-1] > 0, 2)
        words = self.position  # in the order of the columns
        return frozenset((*compress(words, plain.tolist()), *map(NEGATED.__add__, compress(words, negated.tolist()))))

    def rows(self, names: tuple[str, ...], columns: IntArray | None = None) -> sparse.csr_array:
        """How often every document has each of these words, by their names; `columns` are theirs, if known.

        The last result is kept: an edit of a lexicon needs it for the counts, and again for the scores.

        >>> index = WordIndex.of(pa.array(["good, good", "not good"]), Lexicon({"up": ["good"], "down": ["bad"]}))
        >>> index.rows(("good", "NOT good", "absent")).toarray().tolist()
        [[2, 0, 0], [0, 1, 0]]
        """
        if self.last.get("names") != names:
            if columns is None:
                columns = np.fromiter(map(self.column, names), np.int64, len(names))
            self.last.update(names=names, rows=sparse.csr_array(self.matrix[:, columns]))
        rows: sparse.csr_array = self.last["rows"]
        return rows

    @cached_property
    def negated_words(self) -> pa.Array:
        """The names of the negated words."""
        return pc.binary_join_element_wise(NEGATED, self.words, "")

    @cached_property
    def single(self) -> BoolArray:
        """Which of the words are one token: only these can match wildcards."""
        literal = pc.is_in(self.words, pa.array(self.items.literals, pa.string()))
        phrase = pc.match_substring(self.words, " ")
        return ~np.asarray(pc.or_(literal, phrase).to_numpy(zero_copy_only=False), dtype=bool)

    @cached_property
    def _sorted_words(self) -> tuple[list[str], IntArray]:
        """The words in the order of their letters, and their columns."""
        order = pc.array_sort_indices(self.words)
        return self.words.take(order).to_pylist(), np.asarray(order.to_numpy(), dtype=np.int64)

    def completions(self, prefix: str, number: int = 20) -> list[Completion]:
        """The words that start with a prefix, for a person who types one: the word itself, then the most frequent ones.

        Upper case and accents are treated as in the texts.

        >>> texts = pa.array(["fine film", "film after film", "not fine, finest"])
        >>> index = WordIndex.of(texts, Lexicon({"up": ["good"], "down": ["bad"]}))
        >>> [(result.word, result.count, result.documents) for result in index.completions("Fi", 2)]
        [('film', 3, 2), ('fine', 2, 2)]
        """
        written = prefix.strip(" *")
        item, literal = item_of(written, self.tokenizer, self.items.segmented) if written else ("", False)
        start = written.lower() if literal else item
        words, columns = self._sorted_words
        first, end = bisect_left(words, start), bisect_left(words, start + LAST_CHARACTER)
        counts = self.occurrences[columns[first:end]] + self.occurrences[len(words) + columns[first:end]]
        order = np.argsort(-counts, kind="stable")
        order = order[counts[order] > 0]
        if first < end and words[first] == start:
            order = np.concatenate([order[order == 0], order[order != 0]])
        return [
            Completion(words[first + at], int(counts[at]), len(self.documents_with(words[first + at])))
            for at in order[: max(number, 0)].tolist()
        ]

    # ---- sums over documents ----

    @cached_property
    def occurrences(self) -> IntArray:
        """The sum of every column."""
        return self._column_sums(self.matrix.data)

    @cached_property
    def squares(self) -> IntArray:
        """The sum of squares of every column."""
        return self._column_sums(self.matrix.data.astype(np.int64) ** 2)

    @cached_property
    def negated_products(self) -> IntArray:
        """For the column of each negated word, the sum of its products with the same word where it is not negated."""
        size, products = len(self.words), np.zeros(self.matrix.shape[1], dtype=np.int64)
        both = self.matrix[:, :size].multiply(self.matrix[:, size : 2 * size])
        products[size : 2 * size] = np.asarray(both.sum(axis=0), dtype=np.int64).reshape(-1)
        return products

    def _column_sums(self, values: IntArray) -> IntArray:
        """The sums over columns of values of the stored counts."""
        return np.diff(np.concatenate([[0], np.cumsum(values, dtype=np.int64)])[self.matrix.indptr])

    @cached_property
    def sample_rows(self) -> IntArray:
        """The documents of the sample."""
        return np.unique(self.keys, return_index=True)[1][: self.sample.limit].astype(np.int64)

    @cached_property
    def smallest_keys(self) -> NDArray[np.uint64]:
        """The keys of every `Counts` of this corpus."""
        return smallest_keys(self.word_keys[self.lengths > 0])

    # ---- other lexicons ----

    def check_items(self, items: Items) -> None:
        """Raise if the phrases or literals differ from those of the lexicon that the index was made with."""
        if self.items.segmented != items.segmented:
            raise LexiconError(
                "only one of this lexicon and the one given to WordIndex.of has words of a language without spaces: "
                "count the texts again, or call WordIndex.of with this lexicon"
            )
        for what in ("phrases", "literals"):
            old, new = (set(getattr(one, what)) for one in (self.items, items))
            if old != new:
                different = [item if isinstance(item, str) else " ".join(item) for item in sorted(old ^ new)]
                examples = ", ".join(map(repr, different[:5]))
                raise LexiconError(
                    f"the {what} of the lexicon differ from those of the lexicon given to WordIndex.of ({examples}), "
                    "expected the same: count the texts again, or call updated with this lexicon"
                )

    def counts(self, lexicon: Lexicon, threads: int | None = None, *, associations: bool = False) -> Counts:
        """The counts of the texts for a lexicon, equal to those of `count`.

        `associations` are those of every word with each list, as the doctor needs them.

        >>> texts = pa.array(["good film", "not good", "bad film"])
        >>> index = WordIndex.of(texts, Lexicon({"up": ["good"], "down": ["bad"]}))
        >>> counts = index.counts(Lexicon({"up": ["good", "film"], "down": ["bad"]}))
        >>> counts.entries, counts.documents
        (('NOT good', 'bad', 'film', 'good'), 3)
        """
        items = items_of(lexicon, self.tokenizer)
        if items.problems:
            warn_of_problems(items)
        self.check_items(items)
        written = np.array([self.position.get(name, UNLISTED) for name in items.names], dtype=np.int64)
        lists = self._lists_of_words(items, written)
        entries, list_index, columns = self._entries(items, written, lists)
        words, first, second = self._merged(lists != UNLISTED)
        rows = self.rows(entries, columns)
        none = Counts.none(lexicon, self.tokenizer, associations=associations)
        products, imputed, imputed_documents = none.list_products, none.imputed, none.imputed_documents
        if associations:
            products, imputed, imputed_documents = list_associations(self.matrix, rows, list_index, len(items.lists))
            products, imputed = products[first] + products[second], imputed[first] + imputed[second]
        return replace(
            none,
            entries=entries,
            list_index=list_index,
            words=words,
            occurrences=self.occurrences[first] + self.occurrences[second],
            squares=self.squares[first] + self.squares[second] + 2 * self.negated_products[second],
            pairs=self._pairs(rows, columns, list_index, len(items.lists), threads),
            sample=replace(self.sample, matrix=sparse.csr_array(self.sample_columns[:, columns]).astype(np.int64)),
            keys=self.smallest_keys,
            documents=len(self.lengths),
            tokens=int(self.lengths.sum()),
            squared_lengths=int((self.lengths**2).sum()),
            empty=int(np.sum(self.lengths == 0)),
            list_products=products,
            imputed=imputed,
            imputed_documents=imputed_documents,
        )

    def _lists_of_words(self, items: Items, written: IntArray) -> IntArray:
        """The list of each word of the corpus, or `UNLISTED`."""
        lists = np.full(len(self.words), UNLISTED, dtype=np.int64)
        for wildcard in reversed(items.wildcards):  # the most specific one is last, and replaces the others
            lists[matching_words(wildcard, self.words) & self.single] = wildcard.list
        lists[written[written >= 0]] = items.list_index[written >= 0]
        return lists

    def _entries(
        self, items: Items, written: IntArray, lists_of_words: IntArray
    ) -> tuple[tuple[str, ...], IntArray, IntArray]:
        """The entries by list and name, their lists and columns: items of the lexicon, and others that occurred."""
        size, empty = len(self.words), self.matrix.shape[1] - 1
        opposite = np.array([UNLISTED if of is None else of for of in opposite_lists(items.lists)])
        listed = np.flatnonzero(lists_of_words != UNLISTED)
        is_written = np.zeros(size + 1, dtype=bool)  # the last for those that no document has
        is_written[written] = True
        matched = listed[(self.occurrences[listed] > 0) & ~is_written[listed]]
        negated = listed[(self.occurrences[size + listed] > 0) & (opposite[lists_of_words[listed]] != UNLISTED)]
        names = [pa.array(items.names, pa.string())]
        names += [self.words.take(pa.array(matched)), self.negated_words.take(pa.array(negated))]
        lists = np.concatenate([items.list_index, lists_of_words[matched], opposite[lists_of_words[negated]]])
        columns = np.concatenate([np.where(written >= 0, written, empty), matched, size + negated])
        table = pa.table({"list": lists, "name": pa.concat_arrays(names)})
        order = pc.sort_indices(table, [("list", "ascending"), ("name", "ascending")])
        return tuple(table["name"].take(order).to_pylist()), lists[order.to_numpy()], columns[order.to_numpy()]

    def _merged(self, is_item: BoolArray) -> tuple[pa.Array, IntArray, IntArray]:
        """The words that occurred, and the two columns whose sum each has.

        Negated items are words of their own, whose second column is the empty one, as that of the items themselves;
        all other words have their occurrences together, negated or not.
        """
        size, empty = len(self.words), self.matrix.shape[1] - 1
        plain, negated = np.split(self.occurrences[:empty] > 0, 2)
        occurring = np.flatnonzero(plain | (negated & ~is_item))
        items = np.flatnonzero(negated & is_item)
        words = [self.words.take(pa.array(occurring)), self.negated_words.take(pa.array(items))]
        second = np.where(is_item[occurring], empty, size + occurring)
        none = np.full(len(items), empty)
        return pa.concat_arrays(words), np.concatenate([occurring, size + items]), np.concatenate([second, none])

    def _pairs(
        self, rows: sparse.csr_array, columns: IntArray, list_index: IntArray, lists: int, threads: int | None
    ) -> sparse.csr_array:
        """The pairs of these entries; from the last ones if few entries are new."""
        matrix = None
        last: _Pairs | None = self.last.get("pairs")
        if last is not None and last.lists == lists:
            positions = last.positions(columns, list_index)
            is_new = np.ones(len(columns), dtype=bool)
            is_new[positions[positions >= 0]] = False
            new = np.flatnonzero(is_new & (self.matrix.indptr[columns + 1] > self.matrix.indptr[columns]))
            if len(new) <= MAX_NEW_ENTRIES:
                matrix = last.moved(positions, len(columns))
                if len(new):
                    matrix = sparse.csr_array(matrix + _pairs_with(rows, new, list_index))
        if matrix is None:
            matrix = row_pairs(rows, list_index, lists, threads)
        self.last["pairs"] = _Pairs(columns, list_index, lists, matrix)
        return matrix

    def updated(self, texts: pa.Array, lexicon: Lexicon) -> WordIndex:
        """The index as `WordIndex.of(texts, lexicon)` gives it, from that of the same texts with another lexicon.

        Only documents that may have an added phrase or literal, or have a removed one, are counted again.

        >>> texts = pa.array(["a rip-off", "rip it off", "good film", "bad"])
        >>> index = WordIndex.of(texts, Lexicon({"positive": ["good"], "negative": ["bad"]}))
        >>> lexicon = Lexicon({"positive": ["good"], "negative": ["bad", "rip off"]})
        >>> from problex.counting import count
        >>> index.updated(texts, lexicon).counts(lexicon) == count(texts, lexicon)
        True
        """
        if len(texts) != len(self.lengths):
            given, have = pluralize(len(texts), "text"), pluralize(len(self.lengths), "text")
            raise ProblexError(f"{given} and a corpus of {have} were given, expected the texts of the index")
        items = items_of(lexicon, self.tokenizer)
        changed = None if items.segmented != self.items.segmented else self._changed_documents(texts, items)
        if changed is None or changed.sum() > MAX_CHANGED * len(texts):
            return WordIndex.of(texts, lexicon, self.tokenizer)
        if not changed.any():
            return self._with_items(items)
        return self._with_documents(np.flatnonzero(changed), texts, items)

    def _with_documents(self, rows: IntArray, texts: pa.Array, items: Items) -> WordIndex:
        """The index after some documents were counted again."""
        chosen = texts.take(pa.array(rows))
        words_there = words_of([chosen], items, self.tokenizer)
        table = _word_counter(items, self.tokenizer, words_there)(chosen)
        # Words that are new come behind the others.
        added = [word for word in words_there if word not in self.position]
        words = pa.concat_arrays([self.words, pa.array(added, pa.string())])
        position = self.position | {word: len(self.words) + at for at, word in enumerate(added)}
        columns = np.fromiter((position[word] for word in words_there), np.int64, len(words_there))
        columns = np.concatenate([columns, len(words) + columns])
        lengths, word_keys = self.lengths.copy(), self.word_keys.copy()
        lengths[rows] = table.lengths
        if table.keys is not None:
            word_keys[rows] = table.keys
        matrix = _with_rows(self.matrix, rows, table.matrix, columns, len(words))
        sampled = self.sample_rows
        in_sample = np.isin(sampled, rows)
        sample_rows = sparse.csr_array(table.matrix[np.searchsorted(rows, sampled[in_sample])])
        return replace(
            self,
            items=items,
            words=words,
            matrix=matrix.astype(narrow_type(matrix)),
            lengths=lengths,
            word_keys=word_keys,
            sample=replace(self.sample, lengths=lengths[sampled], word_keys=word_keys[sampled]),
            sample_columns=_with_rows(self.sample_columns, np.flatnonzero(in_sample), sample_rows, columns, len(words)),
        )

    def _with_items(self, items: Items) -> WordIndex:
        """The same index for items that change no document; what was computed from it is kept."""
        if all(set(getattr(items, name)) == set(getattr(self.items, name)) for name in ("phrases", "literals")):
            return self
        same = replace(self, items=items)
        changed = {one.name for one in fields(same) if one.init} | {"single"}  # which depends on the literals
        vars(same).update({name: value for name, value in vars(self).items() if name not in changed})
        return same

    def _changed_documents(self, texts: pa.Array, items: Items) -> BoolArray:
        """Which documents may have other tokens with these items: no other can."""
        before, changed = self.items, np.zeros(len(texts), dtype=bool)
        removed = [" ".join(phrase) for phrase in set(before.phrases) - set(items.phrases)]
        for name in [*removed, *(set(before.literals) - set(items.literals))]:
            changed[self.documents_with(name)] = True
        new_literals = set(items.literals) - set(before.literals)
        for written, letters in self.tokenizer.letters if new_literals else ():
            texts = pc.replace_substring(texts, written, letters)
        for literal in new_literals:
            result = pc.match_substring(texts, literal, ignore_case=True)
            changed |= np.asarray(result.to_numpy(zero_copy_only=False), dtype=bool)
        for phrase in set(items.phrases) - set(before.phrases):
            has_all = np.ones(len(texts), dtype=bool)
            for word in set(phrase):
                has_word = np.zeros(len(texts), dtype=bool)
                for name in self._names_with(word):
                    has_word[self.documents_with(name)] = True
                has_all &= has_word
            changed |= has_all
        return changed

    def _names_with(self, word: str) -> Iterable[str]:
        """The words that a word of a phrase may stand for, and the phrases that may hide it."""
        glob = self.tokenizer.glob
        if has_wildcard(word, glob):
            yield from filter(Wildcard(word, glob=glob).matches, self.position)
        else:
            yield word
        for phrase in self.items.phrases:
            if word in phrase or any(has_wildcard(one, glob) for one in (word, *phrase)):
                yield " ".join(phrase)


def _chunks(texts: pa.Array) -> list[pa.Array]:
    """Consecutive texts of about `CHUNK_BYTES` bytes."""
    rows = max(len(texts) * CHUNK_BYTES // max(texts.nbytes, 1), 1)
    return [texts.slice(start, rows) for start in range(0, len(texts), rows)] or [texts]


def words_of(
    chunks: Sequence[pa.Array], items: Items, tokenizer: Tokenizer, report: Callable[[float], None] | None = None
) -> list[str]:
    """The items and the words of texts, without negated ones."""
    counter = None if tokenizer.custom is not None else row_counter(items, tokenizer)
    words: dict[str, None] = {}
    for at, chunk in enumerate(chunks, 1):
        if counter is None:
            words |= dict.fromkeys([*items.names, *tabulate_slowly(chunk, items, tokenizer).words])
        else:
            counter.add(chunk)
            counter.rows()
        if report is not None:
            report(at / len(chunks))
    names = words if counter is None else dict.fromkeys(counter.words().to_pylist())
    return [name for name in names if not name.startswith(NEGATED)]


def _word_counter(items: Items, tokenizer: Tokenizer, words: Sequence[str]) -> Callable[[pa.Array], CountTable]:
    """A function that counts each word in texts, and each negated word, in the columns after those."""
    # every word is an item here, so that its negated occurrences have a column of their own
    all_items = replace(items, names=tuple(words), list_index=np.zeros(len(words), np.int64), wildcards=())
    columns = {name: at for at, name in enumerate([*words, *(NEGATED + word for word in words)])}
    return tabulator(all_items, tokenizer, columns)


def narrow_type(matrix: sparse.csc_array) -> type[np.int32] | type[np.int64]:
    """32-bit integers, if no sum of products of two columns can exceed them, else 64-bit ones.

    >>> narrow_type(sparse.csc_array(np.array([[2**15]]))) is np.int32
    True
    >>> narrow_type(sparse.csc_array(np.array([[2**15], [2**15]]))) is np.int32    # 2 * 2^30 = 2^31
    False
    """
    wide = sparse.csc_array((matrix.data.astype(np.int64) ** 2, matrix.indices, matrix.indptr), shape=matrix.shape)
    largest = int(wide.sum(axis=0).max()) if wide.nnz else 0
    # the sum of products of two columns is at most the larger of their sums of squares (Cauchy-Schwarz)
    return np.int32 if largest < 2**31 else np.int64


def _with_rows(
    matrix: sparse.csc_array, rows: IntArray, new: sparse.csr_array, columns: IntArray, words: int
) -> sparse.csc_array:
    """A matrix of `words` words in which some rows are new ones; column i of these becomes `columns[i]`.

    >>> matrix = sparse.csc_array(np.array([[1, 0, 0], [2, 3, 0]]))    # a word, the word negated, and no word
    >>> _with_rows(matrix, np.array([0]), sparse.csr_array(np.array([[5]])), np.array([1]), 2).toarray().tolist()
    [[0, 5, 0, 0, 0], [2, 0, 3, 0, 0]]
    """
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
    cells = (rows[coo.coords[0]], columns[coo.coords[1]])
    return sparse.csc_array(rest + sparse.csc_array((coo.data.astype(matrix.dtype), cells), shape=shape))


@dataclass(frozen=True, eq=False)
class _Pairs:
    """The pairs of a lexicon, with the columns and lists of its entries, from which those after an edit follow."""

    columns: IntArray
    list_index: IntArray
    lists: int
    matrix: sparse.csr_array

    def positions(self, columns: IntArray, list_index: IntArray) -> IntArray:
        """The position of each of these entries among others; -1 if they lack it, or have it in another list.

        >>> pairs = _Pairs(np.array([4, 7, 9]), np.array([0, 1, 1]), 2, sparse.csr_array((3, 3)))
        >>> pairs.positions(np.array([2, 4, 9]), np.array([0, 0, 0])).tolist()    # 7 is gone, 9 has changed its list
        [1, -1, -1]
        """
        size = max(int(self.columns.max(initial=0)), int(columns.max(initial=0))) + 1
        position = np.full(size, -1, dtype=np.int64)
        position[columns] = np.arange(len(columns))
        now = position[self.columns]
        same = (now >= 0) & (list_index[np.maximum(now, 0)] == self.list_index)
        return np.where(same, now, -1)

    def moved(self, positions: IntArray, size: int) -> sparse.csr_array:
        """The pairs of those entries that have a position among `size` others, which are in the same order.

        >>> pairs = _Pairs(np.array([4, 7]), np.array([0, 1]), 2, sparse.csr_array(np.array([[0, 5], [0, 0]])))
        >>> pairs.moved(np.array([0, 2]), 3).toarray().tolist(), pairs.moved(np.array([0, -1]), 1).toarray().tolist()
        ([[0, 0, 5], [0, 0, 0], [0, 0, 0]], [[0]])
        """
        ends, positions = self.matrix.indptr, positions.astype(self.matrix.indices.dtype)
        # Each pair gets the new column of its second entry; those of removed entries are dropped.
        targets, data = np.take(positions, self.matrix.indices), self.matrix.data
        row_lengths = np.diff(ends).astype(np.int64)
        if (positions < 0).any():
            kept = targets >= 0
            for row in np.flatnonzero(positions < 0).tolist():
                kept[ends[row] : ends[row + 1]] = False
            without = np.searchsorted(ends, np.flatnonzero(~kept), side="right") - 1
            row_lengths -= np.bincount(without, minlength=len(row_lengths))
            targets, data = targets[kept], data[kept]
        # The order of the entries stays, so that rows only move.
        lengths = np.zeros(size, dtype=np.int64)
        lengths[positions[positions >= 0]] = row_lengths[positions >= 0]
        return sparse.csr_array((data, targets, np.concatenate([[0], np.cumsum(lengths)])), shape=(size, size))


def _pairs_with(rows: sparse.csr_array, new: IntArray, list_index: IntArray) -> sparse.csr_array:
    """The pairs of some entries with those of other lists; the entry of the earlier list is the row.

    >>> rows = sparse.csr_array(np.array([[2, 3, 1]]))    # the second and the third are of one list
    >>> _pairs_with(rows, np.array([1]), np.array([0, 1, 1])).toarray().tolist()
    [[0, 6, 0], [0, 0, 0], [0, 0, 0]]
    """
    size = len(list_index)
    products = sparse.coo_array(sparse.csc_array(rows[:, new]).T @ rows)
    first, second = new[products.coords[0]], products.coords[1].astype(np.int64)
    is_new = np.zeros(size, dtype=bool)
    is_new[new] = True
    below, above = list_index[first] < list_index[second], list_index[first] > list_index[second]
    kept = below | (above & ~is_new[second])  # a pair of two new entries is there twice
    cells = np.where(below, first, second)[kept], np.where(below, second, first)[kept]
    return sparse.csr_array((products.data[kept].astype(np.int64), cells), shape=(size, size))
