"""The page as a whole: self-contained, escaped, with every section in it."""

from __future__ import annotations

import json
import re
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest
from jinja2 import UndefinedError

from problex import count, estimate
from problex._util.formatting import format_percent, template_environment
from problex.errors import OutputError, ProblexError
from problex.evaluation.forecasts import WARNING
from problex.report.page import SECTIONS, Page, build, save_charts
from tests.reports import LEXICON, NASTY, TEXTS, material, small_model, topics

VOID = {"meta", "br", "img", "link", "hr", "input"}


class Outline(HTMLParser):
    """Elements, attributes and text of a page; `open` has the elements that are not closed."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "script" not in self.open and "style" not in self.open:
            self.words.append(data)


@pytest.fixture(scope="module")
def page() -> Page:
    return build(material(title="Films & <b>more</b>", by="party"))


@pytest.fixture(scope="module")
def outline(page: Page) -> Outline:
    return Outline(page.html)


def test_nothing_is_loaded_from_the_network(page: Page, outline: Outline) -> None:
    assert not re.search(r"""(src|href)\s*=\s*["']?(https?:)?//""", re.sub("(?s)<script.*?</script>", "", page.html))
    assert not re.search(r'(src|href)="https?://', page.html)
    assert "@import" not in page.html
    for tag, attributes in outline.tags:
        assert tag not in ("link", "img", "iframe", "object", "embed")
        assert "src" not in attributes
        assert attributes.get("href", "#").startswith("#")  # type: ignore[union-attr]
    policy = next(a["content"] for _, a in outline.tags if a.get("http-equiv") == "Content-Security-Policy")
    assert "default-src 'none'" in str(policy)
    assert len(page.html.encode()) < 3_000_000


def test_texts_words_groups_and_titles_are_escaped(page: Page, outline: Outline) -> None:
    assert outline.open == []
    scripts = [attributes for tag, attributes in outline.tags if tag == "script"]
    assert len(scripts) == 3  # the charts, the library, the drawing: none of a text
    assert "alert('x')" in page.html.replace("&#39;", "'")  # the text is there
    assert "<script>alert" not in page.html
    assert "<b>green</b>" not in page.html
    assert "<b>more</b>" not in page.html
    text = "".join(outline.words)
    assert " <script>alert('x')</script> & " in text
    assert NASTY.partition(" ")[2][:40] in text


def test_the_answer_comes_first_and_the_method_last(outline: Outline) -> None:
    ids = [str(attributes["id"]) for tag, attributes in outline.tags if tag == "section"]
    assert ids[:4] == ["labels", "groups", "accuracy", "scores"]
    assert ids[-1] == "method"
    assert list(SECTIONS)[:3] == ["labels", "groups", "audit"]


def test_the_page_speaks_plain_english(outline: Outline) -> None:
    words = " ".join(" ".join(outline.words).split()).lower()
    for phrase in ("meetings", "company", "misfit", "have a say", "by the model", "parts the texts", "vouch"):
        assert phrase not in words
    assert "of the decided" not in words
    assert not re.search(r"\b1 (entries|words)\b", words)


def test_the_same_figure_is_the_same_everywhere() -> None:
    report_material, _ = topics()
    words = " ".join(" ".join(Outline(build(report_material).html).words).split())
    share = format_percent(report_material.overview.undecided / report_material.overview.documents)
    undecided = f"{report_material.overview.undecided:,}"
    assert f"{share} are undecided" in words
    assert f"undecided documents ({undecided} of 300, {share})" in words
    assert f"are undecided ({undecided}, {share})" in words
    assert "50 entries" in words


def test_every_section_is_there_and_linked(outline: Outline) -> None:
    ids = {attributes["id"] for tag, attributes in outline.tags if tag == "section"}
    assert ids == set(SECTIONS) - {"audit"}
    links = {str(attributes["href"])[1:] for tag, attributes in outline.tags if tag == "a"}
    assert links == ids
    words = " ".join(" ".join(outline.words).split())
    for phrase in (WARNING, "Eisenstein (2017)", "@inproceedings{eisenstein2017unsupervised", "@software{problex"):
        assert phrase in words
    for phrase in ("95% interval", "Least certain", "Findings of the doctor", "Most certain: positive"):
        assert phrase in words


def test_every_chart_has_its_data_its_place_its_caption_and_a_drawing(page: Page, outline: Outline) -> None:
    places = [attributes for _, attributes in outline.tags if "data-chart" in attributes]
    script = re.search(r'(?s)<script type="application/json" id="charts">(.*?)</script>', page.html)
    assert script
    specs = json.loads(script[1])
    assert [place["data-chart"] for place in places] == list(specs) == list(page.charts)
    assert all(place["aria-label"] for place in places)
    assert page.html.count("<noscript>") == page.html.count("<figcaption>") == len(specs)
    for spec in specs.values():
        assert spec["width"] == "container"
        assert spec["config"]["axis"]["labelColor"] == "currentColor"
    assert "words come in bursts" in json.dumps(specs["accuracy"])


def test_there_are_rules_for_dark_screens_paper_and_small_screens(page: Page) -> None:
    for rule in ("prefers-color-scheme: dark", "@media print", "max-width: 34rem", 'name="viewport"'):
        assert rule in page.html


def test_charts_are_saved_as_svg_and_png(page: Page, tmp_path: Path) -> None:
    some = {name: page.charts[name] for name in ("scores", "accuracy")}
    paths = list(save_charts(some, tmp_path / "charts"))
    assert {path.name for path in paths} == {"scores.svg", "scores.png", "accuracy.svg", "accuracy.png"}
    assert paths[1].read_bytes().startswith(b"\x89PNG")
    svg = (tmp_path / "charts" / "accuracy.svg").read_text(encoding="utf-8")
    assert " ".join(WARNING.split()[:5]) in svg  # a file keeps the warning of the chart
    (tmp_path / "file").write_text("")
    with pytest.raises(OutputError, match=r"file' is a file, expected a folder for the charts: choose another name"):
        list(save_charts(some, tmp_path / "file"))
    with pytest.raises(OutputError, match=r"charts' has charts already \(accuracy.png\): choose another"):
        list(save_charts(some, tmp_path / "charts", force=False))


def test_every_chart_for_a_file_has_a_title_and_the_number_of_documents(page: Page) -> None:
    titles = {name: chart.to_dict(validate=False)["title"] for name, chart in page.charts.items()}
    assert titles["scores"]["text"] == ["Certainty of the labels"]
    number = f"{len(TEXTS)} documents"
    assert {name for name, title in titles.items() if number not in " ".join(title["subtitle"])} <= {"accuracy"}


def test_a_model_without_a_forecast() -> None:
    assert material(small_model(rule="presence")).forecast is not None
    pmi = estimate(count(TEXTS, LEXICON, associations=True), LEXICON, rule="pmi")
    html = build(material(pmi)).html
    assert "Not available: the accuracy of the rule &#39;pmi&#39; cannot be forecast" in html
    assert 'id="size"' not in html


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    message = r"a report needs the package vl-convert-python: pip install 'problex\[report\]'"
    with pytest.raises(ProblexError, match=message):
        build(material())


def test_no_string_can_end_the_script_of_the_charts() -> None:
    environment = template_environment("problex.report")
    value = {"</script>": ["<!--", "&", "'"], "a": "é"}
    json_text = environment.from_string("{{ value|tojson }}").render(value=value)
    assert not set("<>&'") & set(json_text)
    assert list(json.loads(json_text).items()) == list(value.items())
    assert "é" in json_text


def test_a_missing_value_in_a_template_is_an_error() -> None:
    environment = template_environment("problex.report", "problex.explanation")
    with pytest.raises(UndefinedError):
        environment.get_template("page.html.jinja").render(title="x")
