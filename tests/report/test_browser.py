"""The page in a browser: charts are drawn under a policy that forbids the network and code from strings."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from problex.report.page import build
from tests.reports import material

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


@pytest.mark.skipif(BROWSER is None, reason="needs Chromium")
def test_charts_are_drawn_and_the_policy_is_kept(tmp_path: Path) -> None:
    page = build(material(title="Films", by="party"))
    policy = re.findall('http-equiv="Content-Security-Policy" content="([^"]*)"', page.html)
    assert len(policy) == 1
    assert "unsafe-eval" not in policy[0]
    (tmp_path / "page.html").write_text(page.html, encoding="utf-8")
    options = ("--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr", "--virtual-time-budget=20000")
    command = [str(BROWSER), *options, f"--user-data-dir={tmp_path / 'profile'}", "--dump-dom"]
    ran = subprocess.run(
        [*command, (tmp_path / "page.html").as_uri()],
        capture_output=True, text=True, encoding="utf-8", errors="replace", timeout=120, check=False,
    )  # fmt: skip
    content = re.sub("(?s)<script.*?</script>", "", ran.stdout)
    drawn = [tag for tag in re.findall("<[^>]*data-chart=[^>]*>", content) if "vega-embed" in tag]
    assert len(drawn) == len(page.charts) > 3
    assert "could not be drawn" not in content
    assert "Content Security Policy" not in ran.stderr
    messages = [line for line in ran.stderr.splitlines() if "CONSOLE" in line]
    assert all("WARN Dropping" in line for line in messages), messages
