"""The page in a browser: charts are drawn under a policy that forbids the network and code from strings."""

from __future__ import annotations

import html
import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from problex.report.page import build
from tests.browsers import find_chromium
from tests.reports import material, topics

BROWSER = find_chromium()
OPTIONS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr", "--virtual-time-budget=20000"),
    *("--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update"),
)
MEASURE = """<script>setTimeout(() => {
  const texts = [...document.querySelectorAll(".role-axis-label text")];
  const visible = texts.filter(text => text.textContent && +getComputedStyle(text).opacity);
  const groups = Map.groupBy(visible, text => text.closest(".role-axis-label"));
  const meets = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
  const collisions = [...groups.values()].flatMap(texts => texts.slice(1).flatMap((text, at) =>
    meets(texts[at].getBoundingClientRect(), text.getBoundingClientRect()) ? [text.textContent] : []));
  parent.postMessage({ width: document.scrollingElement.scrollWidth, labels: visible.length, collisions }, "*");
}, 5000);</script>"""
FRAME = """<!doctype html><body><iframe src="page.html" width="400" height="900" style="border:0"></iframe>
<script>onmessage = message => { document.body.dataset.result = JSON.stringify(message.data); };</script>"""


def load(page: Path, profile: Path) -> subprocess.CompletedProcess[str]:
    """The content of a page after its scripts have run, and what the browser has logged."""
    return subprocess.run(
        [str(BROWSER), *OPTIONS, f"--user-data-dir={profile}", "--dump-dom", page.as_uri()],
        capture_output=True, text=True, encoding="utf-8", errors="replace", timeout=120, check=False,
    )  # fmt: skip


@pytest.mark.skipif(BROWSER is None, reason="needs Chromium")
def test_charts_are_drawn_and_the_policy_is_kept(tmp_path: Path) -> None:
    page = build(material(title="Films", by="party"))
    policy = re.findall('http-equiv="Content-Security-Policy" content="([^"]*)"', page.html)
    assert len(policy) == 1
    assert "unsafe-eval" not in policy[0]
    (tmp_path / "page.html").write_text(page.html, encoding="utf-8")
    ran = load(tmp_path / "page.html", tmp_path / "profile")
    content = re.sub("(?s)<script.*?</script>", "", ran.stdout)
    drawn = [tag for tag in re.findall("<[^>]*data-chart=[^>]*>", content) if "vega-embed" in tag]
    assert len(drawn) == len(page.charts) > 3
    assert "could not be drawn" not in content
    assert "Content Security Policy" not in ran.stderr
    messages = [line for line in ran.stderr.splitlines() if "CONSOLE" in line]
    assert all("WARN Dropping" in line for line in messages), messages


def on_a_phone(page: str, folder: Path) -> dict[str, Any]:
    """What a page measures in a frame of 400 pixels: its width, and the labels of axes that overlap."""
    start, tag, end = page.rpartition("</body>")
    (folder / "page.html").write_text(start + MEASURE + tag + end, encoding="utf-8")
    (folder / "frame.html").write_text(FRAME, encoding="utf-8")
    ran = load(folder / "frame.html", folder / "profile")
    result = re.search('data-result="([^"]*)"', ran.stdout)
    assert result, ran.stderr
    measured: dict[str, Any] = json.loads(html.unescape(result[1]))
    return measured


@pytest.mark.skipif(BROWSER is None, reason="needs Chromium")
@pytest.mark.parametrize("by", ["date", "paper"])
def test_on_a_phone_nothing_overflows_and_no_labels_collide(tmp_path: Path, by: str) -> None:
    measured = on_a_phone(build(topics(by=by)[0]).html, tmp_path)
    assert measured["width"] <= 400
    assert measured["labels"] > 50
    assert measured["collisions"] == []


@pytest.mark.skipif(BROWSER is None, reason="needs Chromium")
def test_two_lists_on_a_phone(tmp_path: Path) -> None:
    measured = on_a_phone(build(material(title="Films", by="party")).html, tmp_path)
    assert measured["width"] <= 400
    assert measured["collisions"] == []
