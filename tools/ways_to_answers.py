"""How far it is from the front page to the answer of a question, and how much there is to read.

``python tools/ways_to_answers.py docs/_build/html`` reads built pages. A way is the shortest
one by links in the body of pages: neither menus nor the search count. Scanned are the words
before the links on the way, read those of the answer's page before its first example that uses
skstat.
"""

import argparse
import sys
from collections import deque
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

QUESTIONS = "gallery/questions"
CLICKS, WORDS = 2, 150  # what a newcomer is asked for at most
_EMPTY = {"area", "br", "col", "hr", "img", "input", "link", "meta", "source", "wbr"}
# The sign of a heading's own link, what the style sheet hides, and menus at the end.
_UNSEEN = {"headerlink", "sphx-glr-download-link-note", "sphx-glr-footer", "prev-next-footer"}


class Page(HTMLParser):
    """The body of a page: its links, each with the words before it, and those before a call.

    Parameters
    ----------
    text : str
        The page as HTML.
    """

    text: str

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: dict[str, int] = {}
        self.words = 0
        self.words_before_call: int | None = None
        self.title = ""
        self._open: list[tuple[str, set[str]]] = []
        self._code = ""
        self.feed(text)

    def _inside(self, *names: str) -> bool:
        return any(tag in names or classes & set(names) for tag, classes in self._open)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note a link of the body."""
        known = dict(attrs)
        if tag not in _EMPTY:
            self._open.append((tag, set((known.get("class") or "").split())))
        if tag == "a" and self._inside("article") and not self._inside(*_UNSEEN):
            self.links.setdefault(known.get("href") or "", self.words)

    def handle_endtag(self, tag: str) -> None:
        """Leave an element; code that is complete may be the first call."""
        while self._open and any(name == tag for name, _ in self._open):
            name, _ = self._open.pop()
            if name == tag:
                break
        if tag == "pre" and not self._inside("pre"):
            if "skstat" in self._code and self.words_before_call is None:
                self.words_before_call = self.words
            self._code = ""

    def handle_data(self, data: str) -> None:
        """Count the words of the body; code is none of them."""
        if not self._inside("article") or self._inside("script", "style", *_UNSEEN):
            return
        if self._inside("h1"):
            self.title += data
        if self._inside("pre"):
            self._code += data
        else:
            self.words += len(data.split())


class Way(NamedTuple):
    """How a question is answered.

    Parameters
    ----------
    title : str
        The question.
    pages : tuple of str
        The pages after the front page; empty if no link leads there.
    scanned : int
        Words before the links on the way.
    read : int or None
        Words before the first call; None if there is no call.
    """

    title: str
    pages: tuple[str, ...]
    scanned: int
    read: int | None

    @property
    def short(self) -> bool:
        return 0 < len(self.pages) <= CLICKS and self.read is not None and self.read <= WORDS


def ways(built: Path) -> Iterator[Way]:
    """Yield the way to every question.

    Parameters
    ----------
    built : Path
        The folder of built pages.

    Raises
    ------
    SystemExit
        If no built pages are there.
    """
    answers = [
        path for path in sorted((built / QUESTIONS).glob("*.html")) if path.stem != "index"
    ]
    if not answers:
        raise SystemExit(f"{built / QUESTIONS} has no built pages: make docs builds them.")
    found = _reached(built)
    for path in answers:
        page = Page(path.read_text(encoding="utf-8"))
        pages, scanned = found.get(path.relative_to(built).as_posix(), ((), 0))
        yield Way(page.title, pages, scanned, page.words_before_call)


def _reached(built: Path) -> dict[str, tuple[tuple[str, ...], int]]:
    """Find the shortest way to each page, and the words before the links on it."""
    built = built.resolve()
    found: dict[str, tuple[tuple[str, ...], int]] = {"index.html": ((), 0)}
    waiting = deque(found)
    while waiting:
        name = waiting.popleft()
        way, scanned = found[name]
        for link, before in Page((built / name).read_text(encoding="utf-8")).links.items():
            parts = urlsplit(link)
            if parts.scheme or not parts.path.endswith(".html"):
                continue
            path = ((built / name).parent / unquote(parts.path)).resolve()
            target = path.relative_to(built).as_posix()
            if target not in found and path.exists():
                found[target] = ((*way, target), scanned + before)
                waiting.append(target)
    return found


def main() -> int:
    """Print a line for every question; fail if one is far or long."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("built", type=Path, help="folder of built pages")
    found = list(ways(parser.parse_args().built))
    print(f"{'question':46} clicks  scanned  read  way")
    for title, pages, scanned, read, *_ in found:
        clicks = len(pages) or "none"
        print(f"{title:46} {clicks:>6} {scanned:>8} {read!s:>5}  {' > '.join(pages)}")
    return int(not all(way.short for way in found))


if __name__ == "__main__":
    sys.exit(main())
