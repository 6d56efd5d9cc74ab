from __future__ import annotations

import io
from types import SimpleNamespace
from typing import Any

import pytest
from rich import console as rich_console

from problex.cli.output import progress


def shown(monkeypatch: pytest.MonkeyPatch, batches: list[Any], terminal: bool = True) -> str:
    screen = io.StringIO()
    real = rich_console.Console

    def console(**options: Any) -> rich_console.Console:
        return real(file=screen, force_terminal=terminal, width=160)

    monkeypatch.setattr(rich_console, "Console", console)
    assert list(progress(batches, "counting")) == batches
    return screen.getvalue()


def batch(first_row: int, read: int, total: int) -> Any:
    return SimpleNamespace(texts=["a"] * 500, first_row=first_row, bytes_read=read, bytes_total=total)


def test_bytes_documents_pace_and_time_left_are_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    said = shown(monkeypatch, [batch(0, 1_000_000, 4_000_000), batch(500, 4_000_000, 4_000_000)])
    assert "counting" in said
    assert "4.0/4.0 MB" in said
    assert "1,000 documents, " in said
    assert " per second" in said
    assert "0:00:00" in said


def test_without_a_size_there_is_no_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    said = shown(monkeypatch, [batch(0, 0, 0), batch(500, 0, 0)])
    assert "1,000 documents, " in said
    assert "MB" not in said
    assert "━" not in said


def test_what_was_read_before_an_interruption_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "3.0/4.0 MB" in shown(monkeypatch, [batch(1000, 3_000_000, 4_000_000)])


def test_nothing_is_shown_of_what_is_read_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    assert shown(monkeypatch, [batch(0, 4_000_000, 4_000_000)]) == ""


def test_nothing_is_shown_in_a_pipe_or_without_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    assert shown(monkeypatch, [batch(0, 1, 2)], terminal=False) == ""
    shown(monkeypatch, [])
