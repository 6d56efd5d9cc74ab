"""A session file that an earlier version wrote opens with its texts, steps and labels."""

from __future__ import annotations

import shutil
from pathlib import Path

from problex.workbench.loading import resume

GOLDEN = Path(__file__).parent / "golden" / "session.problex"


def test_a_session_of_an_earlier_version(tmp_path: Path) -> None:
    shutil.copy(GOLDEN, tmp_path / "session.problex")
    opened = resume(tmp_path / "session.problex", lambda *_: None)
    try:
        assert [step.kind for step in opened.log.steps] == ["edit", "edit", "settings", "undo"]
        lexicon = opened.log.lexicon(opened.log.state)
        assert "fine" not in lexicon.lists["positive"]
        assert "story" in lexicon.lists["negative"]
        assert opened.audits.require().labels() == {28: "positive", 27: "negative", 9: None, 1: "positive"}
        assert opened.result.labels[:8].tolist() == ["negative", "positive"] * 4
        assert (len(opened.bench.texts), opened.bench.texts.cell("id", 3)) == (40, "r3")
        assert opened.read_only is None
    finally:
        opened.close()
