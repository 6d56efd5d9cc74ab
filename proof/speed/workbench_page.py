"""The workbench in Chromium: from a key to the settled page on 25,000 reviews, and scrolling 100,000 rows.

    python proof/speed/workbench_page.py [--edits 12] [--json FILE]

Needs problex[workbench,demo], playwright and chromium. Wall clock means little on a busy machine, so that processor
time stands beside it, and the time of `WordIndex.counts` and `estimate` alone in the same run.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import pyarrow as pa
from latency import enlarged
from playwright.sync_api import Browser, Page, expect

from problex import estimate
from problex.index import WordIndex
from problex.lexicon import Edit
from problex.paper.datasets import DataSet, demo_corpus

sys.path.insert(0, str(Path(__file__).parents[2]))
from tests.workbench.browser.starting import chromium, workbench_process

ROWS = 100_000
QUIET = 250
"""Milliseconds without a change after which the page is settled."""
WATCH = """() => {
  window.seen = {down: 0, frame: 0, last: performance.now()};
  addEventListener("keydown", () => { seen.down = performance.now(); }, true);
  new MutationObserver(() => {
    seen.last = performance.now();
    requestAnimationFrame(() => { seen.frame = performance.now(); });
  }).observe(document.body, {subtree: true, childList: true, attributes: true, characterData: true});
}"""
FRAMES = """() => {
  window.frames_seen = []; let before = performance.now();
  const next = (now) => { frames_seen.push(now - before); before = now; requestAnimationFrame(next); };
  requestAnimationFrame(next);
}"""


def processor_seconds(process: int) -> float:
    """Processor time of a process so far."""
    fields = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def main_thread_seconds(session: Any) -> float:
    """Processor time of the page's main thread so far."""
    metrics = {one["name"]: one["value"] for one in session.send("Performance.getMetrics")["metrics"]}
    return float(metrics["TaskDuration"])


def open_page(browser: Browser, address: str) -> Page:
    """The lexicon, after the texts were read."""
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    page.goto(address)
    expect(page.get_by_role("grid")).to_be_visible(timeout=180_000)
    return page


def settle(page: Page) -> None:
    """Wait until everything is saved and the page has not changed for a while."""
    expect(page.locator(".saved")).to_have_text("saved", timeout=60_000)
    while page.evaluate("performance.now() - seen.last") < QUIET:
        time.sleep(0.02)


def measure_edits(browser: Browser, number: int) -> tuple[list[str], list[dict[str, float]]]:
    """Switch off the most frequent words one by one; the words, and the times of each."""
    with workbench_process() as (address, process):
        page = open_page(browser, address)
        session = page.context.new_cdp_session(page)
        session.send("Performance.enable", {"timeDomain": "threadTicks"})
        page.evaluate(WATCH)
        words, edits = [], []
        for _ in range(number):
            wait_for_doctor(page)
            words.append(page.locator("[aria-selected=true] bdi").inner_text())
            server, thread = processor_seconds(process), main_thread_seconds(session)
            page.keyboard.press("Space")
            settle(page)
            edits.append(
                {
                    "wall": page.evaluate("seen.frame - seen.down"),
                    "server": 1000 * (processor_seconds(process) - server),
                    "page": 1000 * (main_thread_seconds(session) - thread),
                }
            )
            page.keyboard.press("ArrowDown")
        check_queue(page)
    return words, edits


def wait_for_doctor(page: Page) -> None:
    """The doctor works a while after each edit; the next edit is measured when it is done."""
    while page.evaluate("fetch('/api/state').then(r => r.json()).then(s => s.doctor.running)"):
        time.sleep(0.2)


def check_queue(page: Page) -> None:
    """Three edits at once: none is lost."""
    off = page.locator(".grid-row.off:not([hidden])")
    page.keyboard.press("Home")
    before = page.evaluate("fetch('/api/state').then(r => r.json()).then(s => s.revision)")
    for key in ("Space", "ArrowDown", "Space", "ArrowDown", "Space"):
        page.keyboard.press(key)
    settle(page)
    after = page.evaluate("fetch('/api/state').then(r => r.json()).then(s => s.revision)")
    assert after == before + 3, f"{after - before} of 3 edits were kept"
    expect(off.first).to_be_attached()


def measure_kernel(corpus: DataSet, words: list[str]) -> list[float]:
    """Processor time of counting again and estimating, for the same edits."""
    remembered, lexicon = WordIndex.of(pa.array(corpus.texts), corpus.lexicon), corpus.lexicon
    homes = {word: name for name, words in lexicon.lists.items() for word in words}
    times = []
    for word in words:
        lexicon = lexicon.edited([Edit(word, homes[word], None)])
        start = time.process_time()
        estimate(remembered.counts(lexicon), lexicon)
        times.append(1000 * (time.process_time() - start))
    return times


def main_thread_tasks(trace: dict[str, Any]) -> list[float]:
    """Milliseconds of processor time of each task of the page's main thread; waiting for a processor does not count."""
    events = trace["traceEvents"]
    names = {(one["pid"], one["tid"]): one["args"]["name"] for one in events if one.get("name") == "thread_name"}
    return [
        one["tdur"] / 1000
        for one in events
        if one.get("name", "").endswith("RunTask")
        and "tdur" in one
        and names.get((one["pid"], one["tid"])) == "CrRendererMain"
    ]


def measure_scrolling(browser: Browser, corpus: DataSet, folder: Path) -> dict[str, float]:
    """Frames while a person turns the wheel over 100,000 rows."""
    large = enlarged(corpus.lexicon, ROWS)
    lexicon, texts = folder / "large.json", folder / "texts.jsonl"
    lexicon.write_text(json.dumps({name: list(words) for name, words in large.lists.items()}), "utf-8")
    texts.write_text("".join(json.dumps({"text": text}) + "\n" for text in corpus.texts[:300]), "utf-8")
    with workbench_process(str(texts), "--lexicon", str(lexicon)) as (address, _):
        page = open_page(browser, address)
        page.get_by_role("button", name="never occur").click()
        rows = int(page.get_by_role("grid").get_attribute("aria-rowcount") or 0) - 1
        page.get_by_role("grid").hover()
        page.wait_for_timeout(2500)
        page.evaluate(FRAMES)
        browser.start_tracing(page=page, categories=["toplevel"])
        for step in range(120):
            page.mouse.wheel(0, 700 if step % 40 < 30 else -2000)
            page.wait_for_timeout(16)
        frames = sorted(page.evaluate("frames_seen"))
        tasks = main_thread_tasks(json.loads(browser.stop_tracing()))
    return {
        "rows": rows,
        "frames": len(frames),
        "median": statistics.median(frames),
        "p95": frames[int(0.95 * len(frames))],
        "longest": frames[-1],
        "longest_task_processor": max(tasks, default=float("nan")),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--edits", type=int, default=12)
    parser.add_argument("--json", type=Path)
    chosen = parser.parse_args()
    corpus = demo_corpus()
    with chromium() as browser, tempfile.TemporaryDirectory() as folder:
        words, edits = measure_edits(browser, chosen.edits)
        scrolling = measure_scrolling(browser, corpus, Path(folder))
    kernel = statistics.median(measure_kernel(corpus, words))
    median = {name: round(statistics.median(edit[name] for edit in edits), 1) for name in edits[0]}
    result = {
        "edit_ms": median,
        "best_wall_ms": round(min(edit["wall"] for edit in edits), 1),
        "recount_and_estimate_ms": round(kernel, 1),
        "ratio_of_processor_time": round((median["server"] + median["page"]) / kernel, 2),
        "scrolling_ms": {name: round(value, 1) for name, value in scrolling.items()},
        "load": os.getloadavg()[0],
    }
    print(json.dumps(result, indent=2))
    if chosen.json:
        chosen.json.write_text(json.dumps(result, indent=2) + "\n", "utf-8")


if __name__ == "__main__":
    main()
