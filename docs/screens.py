"""Pictures of the workbench and of commands in a terminal: `make figures`. Needs Chromium and problex[demo,workbench].

python docs/screens.py [terminal] [workbench]
"""

from __future__ import annotations

import csv
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from io import StringIO
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, expect, sync_playwright
from rich.console import Console
from rich.terminal_theme import MONOKAI
from rich.text import Text

from problex.paper import demo_corpus

IMAGES = Path(__file__).parent / "images"
WIDTH = 80
REVIEWS = 2000
COMMANDS = {
    "terminal-classify": "problex classify reviews.csv --lexicon vader.csv --by stars -o labelled.xlsx",
    "terminal-weights": "problex weights labelled.model.json --top 8",
    "terminal-explain": "problex explain labelled.model.json reviews.csv --row 3",
}
"""Name of the picture, and the command that is shown; they are run one after the other."""
SCREENS = (
    ("workbench-lexicon", "#/lexicon", "light", 1280),
    ("workbench-lexicon-dark", "#/lexicon", "dark", 1280),
    ("workbench-word", "#/word/waste", "light", 1280),
    ("workbench-charts", "#/charts", "dark", 1280),
    ("workbench-charts-light", "#/charts", "light", 1280),
    ("workbench-narrow", "#/lexicon", "light", 400),
)
"""Name of the picture, screen, colour scheme, width."""


def write_files(folder: Path) -> None:
    """Reviews of the demo with a column for groups, and VADER's words, as CSV."""
    corpus = demo_corpus()
    step = len(corpus.texts) // REVIEWS
    with (folder / "reviews.csv").open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["id", "stars", "text"])
        for number, at in enumerate(range(0, len(corpus.texts), step)):
            stars = "4 or 5" if corpus.labels[at] == "positive" else "1 or 2"
            rows.writerow([number + 1, stars, corpus.texts[at]])
    with (folder / "vader.csv").open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["word", "list"])
        rows.writerows((word, name) for name, words in corpus.lexicon.lists.items() for word in words)


def record(command: str, folder: Path) -> str:
    """What a command prints, at 80 columns, as a picture."""
    environment = {**os.environ, "COLUMNS": str(WIDTH), "TERM": "xterm-256color"}
    if "explain" in command:  # the others would show every step of their progress bars
        environment["FORCE_COLOR"] = "1"
    words = [sys.executable, "-m", *command.split()]
    ran = subprocess.run(
        words, cwd=folder, env=environment, text=True, check=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    console = Console(record=True, width=WIDTH, file=StringIO(), force_terminal=True, color_system="truecolor")
    console.print(Text.from_ansi(f"$ {command}\n{ran.stdout.rstrip()}"), soft_wrap=False)
    picture = console.export_svg(title="problex", theme=MONOKAI, unique_id="terminal")
    return re.sub(r"@font-face \{.*?\}\s*", "", picture, flags=re.S)  # no fonts from the network


@contextmanager
def workbench() -> Iterator[str]:
    """The address of a workbench with the demo."""
    with tempfile.TemporaryDirectory() as folder:
        process = subprocess.Popen(
            [sys.executable, "-m", "problex", "workbench", "--no-open"],
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env={**os.environ, "PROBLEX_WORKBENCH": folder, "PYTHONUNBUFFERED": "1"},
        )
        try:
            assert process.stdout is not None
            yield next(word for line in process.stdout for word in line.split() if word.startswith("http"))
        finally:
            process.terminate()
            process.wait(60)


def open_page(browser: Browser, address: str, scheme: Any, width: int) -> Page:
    """The page of the workbench, once the texts are read and the doctor has looked at them."""
    page = browser.new_page(viewport={"width": width, "height": 800}, color_scheme=scheme)
    page.goto(address)
    expect(page.get_by_role("grid")).to_be_visible(timeout=600_000)
    running = "fetch('/api/state').then(r => r.json()).then(s => s.doctor.running)"
    while page.evaluate(running):
        page.wait_for_timeout(500)
    return page


def draw_workbench() -> None:
    """Each screen with the data of the demo."""
    program = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))))
    flags = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    with workbench() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=flags)
        for name, place, scheme, width in SCREENS:
            page = open_page(browser, address, scheme, width)
            page.evaluate("place => { location.hash = place }", place)
            page.wait_for_load_state("networkidle")
            page.wait_for_timeout(2000)
            expect(page.get_by_text("Drawing", exact=True)).to_have_count(0, timeout=120_000)
            page.screenshot(path=IMAGES / f"{name}.png")
            page.close()
        browser.close()


def draw_terminal() -> None:
    """Each command with what it printed."""
    with tempfile.TemporaryDirectory() as folder:
        write_files(Path(folder))
        for name, command in COMMANDS.items():
            (IMAGES / f"{name}.svg").write_text(record(command, Path(folder)), encoding="utf-8")


def main() -> None:
    """Draw what is named, or everything."""
    chosen = sys.argv[1:] or ["terminal", "workbench"]
    if "terminal" in chosen:
        draw_terminal()
    if "workbench" in chosen:
        draw_workbench()


if __name__ == "__main__":
    main()
