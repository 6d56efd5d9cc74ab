from __future__ import annotations

from pathlib import Path

import pytest

from problex.errors import OutputError, ProblexError
from problex.lexicon.dictionary import Dictionary
from problex.lexicon.files import read_dictionary, write_dictionary
from problex.lexicon.formats import WRITTEN_SUFFIXES
from problex.lexicon.lexicon import Entry

TINY = Dictionary((Entry("good ", "a", "f:1"), Entry("bad", "b", "f:2", -2.0)))


@pytest.mark.parametrize("suffix", sorted(suffix for suffix, name in WRITTEN_SUFFIXES.items() if name != "plain"))
def test_every_suffix_is_written_and_read_back(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"l{suffix}"
    write_dictionary(TINY, path)
    assert read_dictionary(path).lists == {"a": ("good",), "b": ("bad",)}


def test_what_does_not_fit_is_returned(tmp_path: Path) -> None:
    problems = write_dictionary(TINY, tmp_path / "l.yml")
    assert [str(issue) for issue in problems] == ["'bad' (f:2): weight not kept, the format cannot hold -2.0"]


def test_files_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "l.csv").write_text("mine")
    with pytest.raises(OutputError, match=r"exists: choose another name, or overwrite it with force=True"):
        write_dictionary(TINY, tmp_path / "l.csv")
    assert (tmp_path / "l.csv").read_text() == "mine"
    write_dictionary(TINY, tmp_path / "l.csv", force=True)
    with pytest.raises(
        OutputError, match=r"'l.doc' has no known suffix for lexicons, expected one of .xlsx, .*name the format"
    ):
        write_dictionary(TINY, tmp_path / "l.doc")
    with pytest.raises(ProblexError, match=r"format='doc' was given, expected one of xlsx, xlsx-wide"):
        write_dictionary(TINY, tmp_path / "l.doc", format="doc")
    with pytest.raises(OutputError, match=r"there is no entry to write to 'e.csv', expected at least one"):
        write_dictionary(Dictionary(()), tmp_path / "e.csv")
    with pytest.raises(OutputError, match=r"a plain list holds one category"):
        write_dictionary(TINY, tmp_path / "l.txt")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["l.csv"]
