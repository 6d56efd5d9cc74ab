from __future__ import annotations

from problex.cli.lexicon_commands import SHOWN, report
from problex.lexicon.lexicon import Issue


def test_many_problems_of_a_kind_are_counted_and_none_is_dropped() -> None:
    many = [Issue("rule", f"r{at}", f"f:{at}", "left out") for at in range(SHOWN + 3)]
    lines = report([*many, Issue("blank", "", "f:99", "left out")])
    assert len(lines) == SHOWN + 2
    assert lines[0] == "'r0' (f:0): rule, left out"
    assert lines[SHOWN] == "and 3 more of the kind: rule"
    assert lines[-1] == "'' (f:99): blank, left out"
    assert report(many[:SHOWN]) == [str(problem) for problem in many[:SHOWN]]
