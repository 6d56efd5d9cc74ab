"""Read every file of a folder as a dictionary, and print what was read: format, categories, entries, warnings.

    python proof/accuracy/dictionary_files.py FOLDER [--json]

The files are published dictionaries, which are not part of this repository. The outcome is `read`, `warned` (a warning
that the reading may be wrong) or `refused`.
"""

from __future__ import annotations

import argparse
import json
import time
import warnings
from collections import Counter
from pathlib import Path

from problex.errors import ProblexError
from problex.lexicon import Dictionary, read_dictionary
from problex.lexicon.formats import detect_format
from problex.lexicon.formats.lexicon_file import LexiconFile

SHOWN = 3


def outcome(path: Path) -> dict[str, object]:
    """What became of a file."""
    start = time.process_time()
    found: dict[str, object] = {"file": path.name, "format": None}
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            found["format"] = detect_format(LexiconFile.read(path))
            dictionary: Dictionary | None = read_dictionary(path)
        except ProblexError as error:
            dictionary = None
            found |= {"outcome": "refused", "why": str(error)}
    found["seconds"] = round(time.process_time() - start, 2)
    if dictionary is None:
        return found
    why = " // ".join(str(one.message) for one in caught)
    sizes = {name: len(words) for name, words in dictionary.lists.items()}
    first = [f"{entry.text} [{entry.list}] {entry.weight}" for entry in dictionary.entries[:SHOWN]]
    kinds = dict(Counter(issue.kind for issue in dictionary.problems))
    return found | {
        "outcome": "warned" if caught else "read",
        "why": why,
        "categories": len(sizes),
        "entries": len(dictionary.entries),
        "sizes": dict(list(sizes.items())[:6]),
        "first": first,
        "issues": kinds,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    files = sorted(path for path in given.folder.rglob("*") if path.is_file())
    results = []
    for path in files:
        row = outcome(path)
        row["file"] = str(path.relative_to(given.folder))
        results.append(row)
        if given.json:
            print(json.dumps(row, ensure_ascii=False), flush=True)
        else:
            size = f"{row.get('entries', 0):>7} in {row.get('categories', 0):>4}"
            print(f"{row['outcome']:8} {row['format']!s:8} {size}  {row['file']}")
            for name in ("sizes", "first", "why", "issues"):
                if row.get(name):
                    print(f"           {name}: {str(row[name])[:300]}")
    print(Counter(row["outcome"] for row in results))


if __name__ == "__main__":
    main()
