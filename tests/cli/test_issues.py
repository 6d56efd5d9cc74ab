from __future__ import annotations

import pytest

from problex.cli.output import MAX_ISSUES_SHOWN, say_issues
from problex.lexicon.lexicon import Issue


def test_many_issues_of_a_kind_are_counted_and_none_is_dropped(capsys: pytest.CaptureFixture[str]) -> None:
    many = [Issue("rule", f"r{number}", f"f:{number}", "left out") for number in range(MAX_ISSUES_SHOWN + 3)]
    say_issues([*many, Issue("blank", "", "f:99", "left out")])
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == MAX_ISSUES_SHOWN + 2
    assert lines[0] == "'r0' (f:0): rule, left out"
    assert lines[MAX_ISSUES_SHOWN] == "and 3 more of the kind: rule"
    assert lines[-1] == "'' (f:99): blank, left out"
    say_issues(many[:MAX_ISSUES_SHOWN])
    assert capsys.readouterr().err.splitlines() == [str(issue) for issue in many[:MAX_ISSUES_SHOWN]]
