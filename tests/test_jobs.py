"""Three jobs from end to end, on files as people have them: odd encodings, delimiters, dates and sheets."""

from __future__ import annotations

import codecs
import gzip
import json
import random
from pathlib import Path

import openpyxl
import pandas as pd
import pytest
from sklearn.ensemble import VotingClassifier
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline

from problex import LexiconClassifier, load_model, read_lexicon
from tests.cli.runs import problex

TOPICS = {
    "economy": "market bank tax price trade budget inflation wage company export debt loan",
    "sport": "match goal team coach player league stadium race medal champion season referee",
    "health": "doctor patient hospital nurse vaccine disease clinic surgery therapy symptom drug diet",
    "culture": "film music actor painter novel theatre concert gallery poem singer museum dancer",
    "weather": "rain storm sunshine snow wind cloud frost drought flood temperature forecast hail",
}
FILLER = "the a and of it was here there yesterday people said about new some café naïve über during week"


def topic_texts(number: int, seed: int = 0) -> list[tuple[str, str]]:
    """Texts with the topic of each: most of the topic's words, some of others, and fillers."""
    chance, rows = random.Random(seed), []
    for _ in range(number):
        topic = chance.choice(sorted(TOPICS))
        words = chance.choices(TOPICS[topic].split(), k=5) + chance.choices(" ".join(TOPICS.values()).split(), k=1)
        words += chance.choices(FILLER.split(), k=12)
        chance.shuffle(words)
        rows.append((" ".join(words).capitalize() + ".", topic))
    return rows


def review_texts(number: int, seed: int) -> list[tuple[str, bool]]:
    chance, rows = random.Random(seed), []
    good, bad = ["good", "fine", "lovely", "superb", "well-made"], ["bad", "poor", "awful", "broken", "useless"]
    for _ in range(number):
        positive = chance.random() < 0.6
        own, other = (good, bad) if positive else (bad, good)
        words = chance.choices(own, k=3) + chance.choices(other, k=chance.random() < 0.3)
        words += chance.choices(FILLER.split(), k=9)
        chance.shuffle(words)
        rows.append((" ".join(words), positive))
    return rows


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def call(*words: str) -> str:
    """Run a command; returns what it tells on standard error."""
    ran = problex(*words)
    assert ran.returncode == 0, ran.stderr
    return ran.stderr


def test_content_analysis_with_a_codebook(folder: Path) -> None:
    """Five topics from an Excel codebook; a semicolon-separated Latin-1 export with dates such as 24/12/2004."""
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.append(["word", "category"])
    for topic, words in TOPICS.items():
        for word in words.split():
            sheet.append([word, topic])
    book.save("codebook.xlsx")
    chance, rows = random.Random(1), topic_texts(600)
    lines = ["Nr;Datum;Quelle;Text"]
    for number, (text, _) in enumerate(rows):
        day, month = chance.randint(1, 28), chance.randint(1, 12)
        lines.append(f'{number};{day:02}/{month:02}/2004;Zürich;"{text} ""Zitat""; und mehr"')
    Path("export.csv").write_bytes("\r\n".join(lines).encode("latin-1"))

    told = call("classify", "export.csv", "--lexicon", "codebook.xlsx", "--by", "Datum", "-o", "labelled.xlsx")
    assert "semicolon" in told
    labelled = pd.read_excel("labelled.xlsx", sheet_name="texts", engine="openpyxl")
    assert list(labelled)[:5] == ["row", "Nr", "Datum", "Quelle", "Text"]
    assert labelled["Quelle"].unique().tolist() == ["Zürich"]
    assert labelled["Text"][0].endswith('"Zitat"; und mehr')
    truth = [topic for _, topic in rows]
    assert (labelled["label"] == truth).mean() > 0.9
    shares = pd.read_excel("labelled.xlsx", sheet_name="shares", engine="openpyxl")
    months = shares["group"].unique().tolist()
    assert months == sorted(months)
    assert months[0].startswith("2004")
    assert shares.groupby("group")["share"].sum().round(6).eq(1).all()
    assert shares.groupby("label")["hits"].sum()["sport"] == (labelled["label"] == "sport").sum()
    page = Path("labelled.html").read_text(encoding="utf-8")
    assert all(topic in page for topic in TOPICS)
    assert load_model("labelled.model.json").classes == tuple(sorted(TOPICS))

    call("shares", "labelled.model.json", "export.csv", "--by", "Datum", "-o", "shares.csv", "--chart", "shares.png")
    assert pd.read_csv("shares.csv")["hits"].sum() == 600
    assert Path("shares.png").read_bytes().startswith(b"\x89PNG")


def write_exports(rows: list[tuple[str, bool]]) -> list[str]:
    """The same kind of reviews as five shops export them."""
    fifth = len(rows) // 5
    parts = [rows[at * fifth : (at + 1) * fifth] for at in range(5)]
    first = [
        "id;review;stars",
        *(f'{at};"{text}, schön";{4 if good else 2}' for at, (text, good) in enumerate(parts[0])),
    ]
    Path("shop1.csv").write_bytes("\n".join(first).encode("latin-1"))
    second = ["Review;Date", *(f"{text} – “so”;24.12.2019" for text, _ in parts[1])]
    Path("shop2.csv").write_bytes("\r\n".join(second).encode("cp1252"))
    third = ["review\trating", *(f"{text}\t{5 if good else 1}" for text, good in parts[2])]
    Path("shop3.txt.tsv").write_bytes(codecs.BOM_UTF16_LE + "\r\n".join(third).encode("utf-16-le"))
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.append(["Review", "Country"])
    for text, _ in parts[3]:
        sheet.append([text, "CH"])
    book.save("shop4.xlsx")
    with gzip.open("shop5.jsonl.gz", "wt", encoding="utf-8") as file:
        for text, good in parts[4]:
            file.write(json.dumps({"review": text + "<br />", "meta": {"good": good}}, ensure_ascii=False) + "\n")
    return ["shop1.csv", "shop2.csv", "shop3.txt.tsv", "shop4.xlsx", "shop5.jsonl.gz"]


LISTS = ("--lexicon", "positive=pos.txt", "--lexicon", "negative=neg.txt")


def write_lists() -> None:
    Path("pos.txt").write_text("good\nfine\nlovely\nsuperb\nwell-made\n")
    Path("neg.txt").write_text("bad\npoor\nawful\nbroken\nuseless\n")


def test_product_analysis_of_five_exports(folder: Path) -> None:
    """Five files of different shapes as one corpus, in one table with the file of each row."""
    write_lists()
    rows = review_texts(500, seed=2)
    files = write_exports(rows)
    call("fit", *files, *LISTS, "-o", "model.json")
    told = call("predict", "model.json", *files, "--keep", "file", "-o", "labelled.sqlite")
    assert "wrote 500 rows to labelled.sqlite" in told
    import sqlite3

    connection = sqlite3.connect("labelled.sqlite")
    labelled = pd.read_sql("select * from predictions", connection)
    connection.close()
    assert labelled["file"].value_counts().to_dict() == dict.fromkeys(files, 100)
    decided = labelled[labelled["label"] != "undecided"]
    right = [rows[row][1] == (label == "positive") for row, label in zip(decided["row"], decided["label"], strict=True)]
    assert sum(right) > 0.9 * len(right)
    call("shares", "model.json", *files, "--by", "file", "-o", "shares.csv")
    shares = pd.read_csv("shares.csv")
    assert set(shares["group"]) == set(files)
    assert shares.groupby("group")["share"].sum().round(6).eq(1).all()
    call("report", "model.json", *files, "--by", "file", "-o", "report.html")
    for file in files:
        assert file in Path("report.html").read_text(encoding="utf-8")


def test_a_python_service_and_a_pipeline(folder: Path) -> None:
    """From a file to a model, from the model to single texts, and beside a supervised model."""
    write_lists()
    rows = review_texts(300, seed=3)
    pd.DataFrame({"text": [text for text, _ in rows], "good": [good for _, good in rows]}).to_csv("r.csv", index=False)
    frame = pd.read_csv("r.csv")
    clf = LexiconClassifier(read_lexicon(positive="pos.txt", negative="neg.txt")).fit(frame["text"])
    clf.model_.save("model.json")
    service = LexiconClassifier.from_model("model.json")
    for text in frame["text"][:20]:
        assert service.predict([text]).tolist() == clf.predict([text]).tolist()
        assert service.explain(text).label == clf.predict([text])[0]
    assert clf.predict_frame(frame, text="text")["label"].tolist() == clf.predict(frame["text"]).tolist()
    y = frame["good"]
    lexicon_only = LexiconClassifier(clf.lexicon)
    assert cross_val_score(lexicon_only, frame["text"], y, cv=3).min() > 0.9
    supervised = make_pipeline(TfidfVectorizer(), LogisticRegression())
    vote = VotingClassifier([("lexicon", lexicon_only), ("words", supervised)], voting="soft").fit(frame["text"], y)
    assert vote.predict(["a superb thing", "an awful thing"]).tolist() == [True, False]
