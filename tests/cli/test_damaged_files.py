"""Files that are damaged, or small and costly: commands end with one line of error, and lose nothing silently."""

from __future__ import annotations

import gzip
import subprocess
from pathlib import Path

import pytest

from tests.commands import run_command


def run(*arguments: object) -> subprocess.CompletedProcess[str]:
    return run_command(*map(str, arguments))


def error_of(*arguments: object) -> str:
    """The error of a command that fails: status 1 or 2, one line, no traceback."""
    result = run(*arguments)
    assert result.returncode in (1, 2), (result.returncode, result.stdout, result.stderr)
    assert "Traceback" not in result.stderr, result.stderr
    errors = [line for line in result.stderr.splitlines() if line.startswith("problex: error:")]
    assert len(errors) == 1, result.stderr
    return errors[0]


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("model")
    (folder / "pos.txt").write_text("good\nfine\n")
    (folder / "neg.txt").write_text("bad\npoor\n")
    (folder / "texts.txt").write_text("good fine day\nfine good film\nbad poor film\npoor bad day\ngood bad\n" * 20)
    lists = ("-l", f"positive={folder / 'pos.txt'}", "-l", f"negative={folder / 'neg.txt'}")
    result = run("fit", folder / "texts.txt", *lists, "-o", folder / "model.json")
    assert result.returncode == 0, result.stderr
    return folder / "model.json"


def test_a_compressed_row_larger_than_the_memory_is_refused(model: Path, tmp_path: Path) -> None:
    with gzip.open(tmp_path / "bomb.csv.gz", "wb", compresslevel=0) as file:
        file.write(b"text\n")
        file.writelines(b"a" * (1 << 20) for _ in range(40))
    command = ("predict", model, tmp_path / "bomb.csv.gz", "-o", tmp_path / "o.csv", "--memory", "128MiB")
    error = error_of(*command)
    assert "bomb.csv.gz has a row of over 32MiB; expected at most a quarter of --memory 128MiB" in error
    assert error.endswith("or give more with --memory")
    assert not (tmp_path / "o.csv").exists()


def test_hidden_files_of_a_folder_are_not_labelled(model: Path, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("good film")
    (tmp_path / ".hidden.txt").write_text("bad film")
    assert len(run("predict", model, tmp_path, "--format", "csv").stdout.splitlines()) == 2
