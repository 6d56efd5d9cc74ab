"""Pictures of commands in a terminal, of the workbench and of reports: `make figures`.

Needs Chromium and problex[demo,workbench].

python proof/documents/screens.py [terminal] [workbench] [report]
"""

from __future__ import annotations

import csv
import os
import random
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, expect
from rich.console import Console
from rich.terminal_theme import MONOKAI
from rich.text import Text

from problex.paper import demo_corpus

sys.path.insert(0, str(Path(__file__).parents[2]))
from tests.workbench.browser.starting import chromium, workbench_process

IMAGES = Path(__file__).parents[2] / "docs" / "images"
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
    ("workbench-documents", "#/documents", "light", 1280),
    ("workbench-audit", "#/audit", "light", 1280),
)
"""Name of the picture, screen, colour scheme, width."""

WORDS = {
    "culture": "film novel museum opera painting concert",
    "economy": "market prices trade bank shares jobs",
    "health": "doctor hospital vaccine nurse disease clinic",
    "sport": "match goal coach league team race",
    "weather": "rain storm sunshine snow wind frost",
}
COMMON_WORDS = "people said today they would come again after many years with their friends and others"
PAPERS = {"Courier": "culture", "Evening Post": "weather", "Gazette": "economy", "Herald": "sport"}
"""Newspapers, each with the subject that it writes about more than the others."""
STORIES = 2000
REPORTS = {"report-groups": ("paper", "labels"), "report-dates": ("date", "groups")}
"""Name of the picture, the column of the groups, and the first section that is shown; the last is "groups"."""


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


def open_page(browser: Browser, address: str, scheme: Any, width: int) -> Page:
    """The page of the workbench, once the texts are read and the doctor has looked at them."""
    page = browser.new_page(viewport={"width": width, "height": 800}, color_scheme=scheme)
    page.goto(address)
    expect(page.get_by_role("grid")).to_be_visible(timeout=600_000)
    running = "fetch('/api/state').then(r => r.json()).then(s => s.doctor.running)"
    while page.evaluate(running):
        page.wait_for_timeout(500)
    return page


def go(page: Page, place: str) -> None:
    """Show a screen, and wait until it is drawn."""
    page.evaluate("place => { location.hash = place }", place)
    page.wait_for_load_state("networkidle")
    page.wait_for_timeout(2000)
    expect(page.get_by_text("Drawing", exact=True)).to_have_count(0, timeout=120_000)


def change_a_word(page: Page) -> None:
    """Switch off a word, and show the documents whose label it changed."""
    go(page, "#/word/like")
    page.get_by_role("button", name="Switch off").click()
    expect(page.get_by_role("region", name="What is known of the word")).to_contain_text("not in a list")
    go(page, "#/documents?by=changed")
    page.get_by_role("listbox", name="Documents").focus()
    for _ in range(3):
        page.keyboard.press("ArrowDown")
    page.wait_for_timeout(1000)


def label_some(page: Page) -> None:
    """Draw a sample, and label twelve documents of it."""
    page.get_by_role("button", name="Draw the sample").click()
    for number in range(1, 13):
        expect(page.get_by_role("article")).to_have_attribute("aria-label", re.compile(f"^Document {number} of"))
        page.keyboard.press("ArrowRight" if number % 2 else "ArrowLeft")
    expect(page.get_by_role("article")).to_have_attribute("aria-label", re.compile("^Document 13 of"))


def draw_workbench() -> None:
    """Each screen with the data of the demo."""
    with workbench_process() as (address, _), chromium() as browser:
        for name, place, scheme, width in SCREENS:
            page = open_page(browser, address, scheme, width)
            go(page, place)
            PREPARATIONS.get(name, lambda page: None)(page)
            page.screenshot(path=IMAGES / f"{name}.png")
            page.close()


PREPARATIONS: dict[str, Callable[[Page], None]] = {
    "workbench-documents": change_a_word,
    "workbench-audit": label_some,
}
"""What to do on a screen before its picture. It changes the session, so these screens are the last."""


def write_stories(folder: Path) -> None:
    """Texts of five subjects with a newspaper and a date each, none of August 2004; and the words of the subjects."""
    draw = random.Random(0)
    subjects, common = {name: words.split() for name, words in WORDS.items()}, COMMON_WORDS.split()
    months = [f"{year}-{month:02}" for year in (2004, 2005) for month in range(1, 13) if (year, month) != (2004, 8)]
    with (folder / "stories.csv").open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["paper", "date", "text"])
        for number in range(STORIES):
            month = months[number * len(months) // STORIES]
            summer = 3 if month[5:] in ("06", "07", "08") else 1
            paper = draw.choice(list(PAPERS))
            parts = dict(zip(subjects, (2, 2, 2, 3 * summer, 4 - summer), strict=True))
            parts[PAPERS[paper]] *= 2
            subject = draw.choices(list(parts), list(parts.values()))[0]
            words = draw.choices(subjects[subject], k=draw.randrange(4)) + draw.choices(common, k=12)
            words += draw.choices(subjects[draw.choice(list(subjects))], k=draw.randrange(2))
            draw.shuffle(words)
            rows.writerow([paper, f"{month}-{draw.randrange(1, 29):02}", " ".join(words)])
    with (folder / "subjects.csv").open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["word", "list"])
        rows.writerows((word, name) for name, words in subjects.items() for word in words)


def draw_reports() -> None:
    """The shares of a report by group and by date."""
    with tempfile.TemporaryDirectory() as name, chromium() as browser:
        folder = Path(name)
        write_stories(folder)
        run = [sys.executable, "-m", "problex"]
        fit = ["fit", "stories.csv", "--lexicon", "subjects.csv", "-o", "model.json"]
        subprocess.run([*run, *fit], cwd=folder, check=True)
        for picture, (column, first) in REPORTS.items():
            report = ["report", "model.json", "stories.csv", "--by", column, "-o", f"{picture}.html"]
            subprocess.run([*run, *report], cwd=folder, check=True)
            page = browser.new_page(viewport={"width": 760, "height": 1000}, color_scheme="light")
            page.goto((folder / f"{picture}.html").as_uri())
            expect(page.locator("#groups svg").first).to_be_visible(timeout=60_000)
            page.wait_for_timeout(2000)
            top, bottom = page.locator(f"#{first}").bounding_box(), page.locator("#groups").bounding_box()
            assert top, first
            assert bottom, "groups"
            clip = {"x": 0, "y": top["y"], "width": 760, "height": bottom["y"] + bottom["height"] - top["y"]}
            page.screenshot(path=IMAGES / f"{picture}.png", full_page=True, clip=clip)


def draw_terminal() -> None:
    """Each command with what it printed."""
    with tempfile.TemporaryDirectory() as folder:
        write_files(Path(folder))
        for name, command in COMMANDS.items():
            (IMAGES / f"{name}.svg").write_text(record(command, Path(folder)), encoding="utf-8")


def main() -> None:
    """Draw what is named, or everything."""
    parts = {"terminal": draw_terminal, "workbench": draw_workbench, "report": draw_reports}
    for name in sys.argv[1:] or parts:
        parts[name]()


if __name__ == "__main__":
    main()
