"""The page about the categories of a dictionary: sections in order, key figures, title."""

from __future__ import annotations

from problex._util.formatting import format_percent, pluralize
from problex.lookups.rules import MATCHING
from problex.lookups.statistics import GroupSums, LookupStatistics
from problex.report.blocks import Section
from problex.report.categories import sections
from problex.report.page import Page, check_packages, render_page
from problex.report.share_sections import KeyFigure


def build_lookup_page(
    statistics: LookupStatistics, groups: GroupSums | None, title: str, matching: str = "category"
) -> Page:
    """The page: which categories vary, their words, reliability, correlations, groups, and entries never found."""
    check_packages()
    made: dict[str, Section | None] = {
        "variation": sections.variation_section(statistics),
        "groups": None,
        "words": sections.carriers_section(statistics),
        "reliability": sections.reliability_section(statistics),
        "correlations": sections.correlations_section(statistics),
        "unmet": sections.unmet_section(statistics),
        "method": sections.method_section(statistics, MATCHING[matching].description),
    }
    if groups is not None:
        made["groups"] = sections.groups_section(groups.records(), groups.column, statistics.entries.categories)
    number = pluralize(statistics.sums.documents, "document")
    size = pluralize(len(statistics.entries.categories), "category", "categories")
    entries = pluralize(len(statistics.entries.items), "entry", "entries")
    shown = {name: section for name, section in made.items() if section is not None}
    return render_page(
        title, f"{number} and a dictionary of {entries} in {size}.", key_figures(statistics), shown, number
    )


def key_figures(statistics: LookupStatistics) -> list[KeyFigure]:
    """Documents, words, the share of dictionary words, and how much of the dictionary was found."""
    sums = statistics.sums
    found = len({*statistics.entries.pair_entries[sums.pair_present > 0].tolist()})
    return [
        KeyFigure("document" if sums.documents == 1 else "documents", f"{sums.documents:,}"),
        KeyFigure("words", f"{sums.words:,}"),
        KeyFigure("words in the dictionary", format_percent(sums.in_dictionary / max(sums.words, 1))),
        KeyFigure("entries found", format_percent(found / len(statistics.entries.items))),
    ]
