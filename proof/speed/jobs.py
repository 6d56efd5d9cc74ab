"""The jobs that `bench.py` times: counting, scoring and estimation, by problex and by other libraries."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
from peers import COUNTING, SCORING, installed

from problex import LexiconClassifier, count, estimate, expand
from problex.counting.counters import row_counter
from problex.errors import ProblexError
from problex.estimation.least_squares import RidgeProblem, exact
from problex.estimation.published import admm, evidence_of, problem_of
from problex.index import WordIndex
from problex.lexicon.lexicon import Lexicon
from problex.matching.items import items_of
from problex.matching.tokens import Tokenizer
from problex.model.settings import AUTHOR, Settings
from problex.paper.datasets import DataSet, data_folder, demo_corpus, paper_corpora


@dataclass(frozen=True)
class Job:
    """Something to time: on all documents or on a number of them; `wanted` is the ratio to CountVectorizer to reach."""

    name: str
    call: Callable[[], Any]
    documents: int
    size: int
    wanted: float | None = None


def load(documents: int | None = None) -> DataSet:
    """The corpus, or its first documents."""
    try:
        corpus = next(paper_corpora(data_folder(), ["IMDB"]))
    except ProblexError:
        corpus = demo_corpus()
    rows = np.random.default_rng(0).permutation(len(corpus.texts))[:documents]
    texts = [corpus.texts[int(at)] for at in rows]
    return DataSet(corpus.name, texts, corpus.labels[rows], corpus.lexicon, corpus.language)


def plain(lexicon: Lexicon) -> Lexicon:
    """Its single words alone."""
    return Lexicon({name: [word for word in words if word.isalpha()] for name, words in lexicon.lists.items()})


def csr(texts: pa.Array, lexicon: Lexicon, tokenizer: Tokenizer) -> Any:
    """The counts of all words of all documents as the arrays of a CSR matrix."""
    counter = row_counter(items_of(lexicon, tokenizer), tokenizer)
    counter.add(texts)
    return counter.rows()


def counting_jobs(corpus: DataSet) -> list[Job]:
    """Ours and theirs on the same texts."""
    texts, column = list(corpus.texts), pa.array(corpus.texts, pa.large_string())
    sizes = np.cumsum([len(text.encode()) for text in texts])
    tokenizer, lexicon = Tokenizer(corpus.language), corpus.lexicon
    bare, words = Tokenizer(corpus.language, negation=None), plain(lexicon)
    fitted = {threads: LexiconClassifier(lexicon, threads=threads).fit(texts) for threads in (1, 2)}
    model = expand(fitted[2].model_, texts)
    expanded = {threads: LexiconClassifier.from_model(model, threads=threads) for threads in (1, 2)}

    def job(name: str, call: Callable[[], Any], wanted: float | None = None, documents: int | None = None) -> Job:
        used = min(documents or len(texts), len(texts))
        return Job(name, call, used, int(sizes[used - 1]), wanted)

    jobs = []
    for name, (_, peer, most) in {**installed(COUNTING), **installed(SCORING)}.items():
        given = texts[:most]
        jobs.append(job(name, lambda peer=peer, given=given: peer(given), documents=most))  # type: ignore[misc]
    jobs += [
        job("problex: sums, one core", lambda: count(column, words, 1, tokenizer=bare), 25),
        job("problex: sums, two cores", lambda: count(column, words, 2, tokenizer=bare), 40),
        job("problex: sums, one core, phrases and negation", lambda: count(column, lexicon, 1, tokenizer=tokenizer)),
        job("problex: sums, two cores, phrases and negation", lambda: count(column, lexicon, 2, tokenizer=tokenizer)),
        job("problex: sums, one core, from a list of str", lambda: count(texts, words, 1, tokenizer=bare)),
        job("problex: CSR rows, one core", lambda: csr(column, words, bare), 20),
        job("problex: CSR rows, one core, phrases and negation", lambda: csr(column, lexicon, tokenizer)),
        job("problex: decision_function, one core", lambda: fitted[1].decision_function(texts), 20),
        job("problex: decision_function, two cores", lambda: fitted[2].decision_function(texts), 20),
        job("problex: decision_function, one core, expanded", lambda: expanded[1].decision_function(texts)),
        job("problex: decision_function, two cores, expanded", lambda: expanded[2].decision_function(texts)),
    ]
    return jobs


def estimation_jobs(corpus: DataSet) -> list[Job]:
    """Solvers on the problem of this corpus, and a new model after a change of the lexicon."""
    column, lexicon, tokenizer = pa.array(corpus.texts, pa.large_string()), corpus.lexicon, Tokenizer(corpus.language)
    counts, corpus_words = count(column, lexicon, tokenizer=tokenizer), WordIndex.of(column, lexicon, tokenizer)
    question = problem(counts)
    changes = iter(changed(lexicon, corpus_words.counts(lexicon).words.to_pylist()))

    def again(lists: dict[str, list[str]]) -> Any:
        new = Lexicon(lists)
        return estimate(corpus_words.counts(new), new, tokenizer=tokenizer)

    def from_texts(lists: dict[str, list[str]]) -> Any:
        new = Lexicon(lists)
        return estimate(count(column, new, tokenizer=tokenizer), new, tokenizer=tokenizer)

    calls = {
        "exact solver": lambda: exact(question),
        "ADMM in the author's settings": lambda: admm(question, **AUTHOR),  # type: ignore[arg-type]
        "ADMM to convergence": lambda: admm(question),
        "new lexicon to new model, remembered corpus": lambda: again(next(changes)),
        "new lexicon to new model, texts counted again": lambda: from_texts(next(changes)),
    }
    return [Job(name, call, len(corpus.texts), 0) for name, call in calls.items()]


def problem(counts: Any) -> RidgeProblem:
    """What the solvers are given: the paper's problem, without shrinkage."""
    evidence = evidence_of(counts)
    plain = problem_of(evidence, ~evidence.discordant, np.full(2, 0.5), Settings(balance="equal"))
    return RidgeProblem(**vars(plain), ridge=np.zeros(len(plain.base_rates)))


def changed(lexicon: Lexicon, words: Sequence[str]) -> Iterable[dict[str, list[str]]]:
    """The lists with a new word in the first and one word less in the last, another one each time."""
    known = {word for listed in lexicon.lists.values() for word in listed}
    first, *_, last = lexicon.names
    single = [at for at, word in enumerate(lexicon.lists[last]) if word.isalpha()]
    for number, word in enumerate(word for word in words if word.isalpha() and word.islower() and word not in known):
        lists = {name: list(listed) for name, listed in lexicon.lists.items()}
        lists[first].append(word)
        del lists[last][single[number % len(single)]]
        yield lists
