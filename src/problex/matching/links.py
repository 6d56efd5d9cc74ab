"""Links, addresses and handles, which are no words of a text: `http://x.y`, `user@example.com`, `@name`.

The rules look at characters only, so that they hold in every language and the compiled counter has the same (links.h).
A word character is here an ASCII letter or digit, `_`, or a letter or mark below U+0800 (Latin, Greek, Cyrillic,
Hebrew, Arabic). Those above (Hindi, Thai, Chinese) are none: text in them often follows a link without a space.

- A link begins with `http://` or `https://`, anywhere, or with `www.` that has no word character before it and one
  behind it. It goes on over word characters and all ASCII signs but white space, `"`, `<` and `>`. The punctuation
  `.,:;!?'()[]{}` at its end is no part of it, so that it ends a clause as elsewhere.
- An address is `x@y.z`: on both sides of the `@` word characters, which a single `.`, `-`, `+` or apostrophe may join,
  and at least one `.` behind it.
- A handle is an `@` that has no word character before it, and the word characters behind it; an apostrophe may join
  more of them (`@name's`). In `#name` nothing is a handle: a hashtag is its word.

They are found from left to right; one that begins inside another goes on from where that one ends.
"""

from __future__ import annotations

import re
import unicodedata

APOSTROPHES = "'’ʼ＇"
"""Characters that are read as an apostrophe; tokens have the first one."""
_BEYOND_ASCII = "".join(
    chr(point)
    for point in range(0x80, 0x800)
    if unicodedata.category(chr(point))[0] in "LM" and chr(point) not in APOSTROPHES
)
_WORD = f"[0-9A-Za-z_{_BEYOND_ASCII}]"
_SIGN = re.compile(r"@|(?<=http)://|(?<=https)://|(?<=www)\.", re.ASCII | re.IGNORECASE)
_WORD_CHARACTER = re.compile(_WORD)
_REST_OF_LINK = re.compile(f"[!#-;=?-~{_BEYOND_ASCII}]*")
_PART_OF_ADDRESS = re.compile(f"{_WORD}+(?:[.+{APOSTROPHES}-]{_WORD}+)*")
_NAME = re.compile(f"{_WORD}+(?:[{APOSTROPHES}]{_WORD}+)*")
_PUNCTUATION = ".,:;!?'()[]{}"


def blank_links(text: str) -> str:
    r"""A text with NUL for every character of a link, an address or a handle: no token and no literal has that.

    >>> texts = ("See http://x.y.", "@me: a@b, c@d.e", "@ home", "看www.x.y好")
    >>> [blank_links(text).replace("\0", "_") for text in texts]
    ['See __________.', '___: a@b, _____', '@ home', '看_______好']
    """
    done, parts = 0, list[str]()  # up to where the text is in the parts
    sign = _SIGN.search(text)
    while sign is not None:
        start, end = _link_at(text, sign, done)
        if start < end:
            parts += [text[done:start], "\0" * (end - start)]
            done = end
        sign = _SIGN.search(text, max(end, sign.end()))
    return "".join([*parts, text[done:]]) if parts else text


def _link_at(text: str, sign: re.Match[str], done: int) -> tuple[int, int]:
    """The start and end of what a sign is part of, without what is before `done`; the same number twice if nothing."""
    at, behind = sign.span()
    if sign[0] == "@":
        is_handle = not _is_word_character(text, at - 1)
        found = (_NAME if is_handle else _PART_OF_ADDRESS).match(text, behind)
        if found is None or not (is_handle or "." in found[0]):
            return at, at
        before = None if is_handle else _PART_OF_ADDRESS.match(text[done:at][::-1])
        return at - (len(before[0]) if before else 0), found.end()
    if sign[0] == ".":
        if _is_word_character(text, at - 4) or not _is_word_character(text, behind):
            return at, at
        start = at - 3
    else:
        start = at - (5 if text[at - 1] in "sS" else 4)
    rest = _REST_OF_LINK.match(text, behind)
    return max(start, done), behind + (len(rest[0].rstrip(_PUNCTUATION)) if rest else 0)


def _is_word_character(text: str, at: int) -> bool:
    return 0 <= at < len(text) and _WORD_CHARACTER.match(text, at) is not None
