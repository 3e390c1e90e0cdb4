"""The methods of a report as sentences with citations, in plain text or in LaTeX."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

from skstat.report._forms import escape_latex
from skstat.stats import Reference

# A sentence in parts: words, and the works that are cited behind them.
Sentence = Sequence[str | tuple[Reference, ...]]


@dataclass(frozen=True, kw_only=True)
class Methods:
    """What was done, for the methods section of a paper.

    Attributes
    ----------
    opening : str
        Who was compared, up to the metric.
    metrics : tuple of str
        By which metrics.
    sentences : tuple of Sentence
        Everything else that was done, in order.
    """

    opening: str
    metrics: tuple[str, ...]
    sentences: tuple[Sentence, ...]

    def text(self, *, latex: bool = False) -> str:
        """Write one paragraph; in LaTeX works are cited by their keys."""
        found = [self._first(), *self.sentences]
        return " ".join(_written(sentence, latex) for sentence in found)

    def references(self) -> list[Reference]:
        """Return the works that are cited, each once, in their order."""
        return list(dict.fromkeys(self._cited()))

    def _first(self) -> Sentence:
        return [f"{self.opening} {' and by '.join(self.metrics)}."]

    def _cited(self) -> Iterator[Reference]:
        for sentence in self.sentences:
            for part in sentence:
                if not isinstance(part, str):
                    yield from part


def merged(parts: Sequence[Methods], last: str) -> Methods:
    """Join the methods of several metrics: what they share is said once.

    `last` is a sentence about all of them, which stands before that on the software.
    """
    first = parts[0]
    rows = zip_longest(*(part.sentences[:-1] for part in parts), fillvalue=())
    found = dict.fromkeys(tuple(sentence) for row in rows for sentence in row if sentence)
    metrics = dict.fromkeys(metric for part in parts for metric in part.metrics)
    sentences = (*found, (last,), first.sentences[-1])
    return replace(first, metrics=tuple(metrics), sentences=sentences)


def cite(*works: Reference) -> tuple[Reference, ...]:
    """Name works once each, as a part of a sentence."""
    return tuple(dict.fromkeys(works))


def _written(sentence: Sentence, latex: bool) -> str:
    return "".join(
        (_escaped(part) if latex else part) if isinstance(part, str) else _citation(part, latex)
        for part in sentence
    )


def _escaped(part: str) -> str:
    """Escape a part of a sentence, with the blanks at its ends."""
    before, after = part[: len(part) - len(part.lstrip())], part[len(part.rstrip()) :]
    return f"{before}{escape_latex(part)}{after}" if part.strip() else part


def _citation(works: tuple[Reference, ...], latex: bool) -> str:
    if not works:
        return ""
    if latex:
        return rf"~\citep{{{','.join(work.key for work in works)}}}"
    return f" ({'; '.join(work.cited for work in works)})"
