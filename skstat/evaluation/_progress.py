"""Progress of long work: a bar in one line of text, or the caller's function."""

import sys
import time
from collections.abc import Callable
from types import TracebackType
from typing import Any, Literal, Self

import numpy as np

Verbose = bool | int | Literal["auto"] | Callable[[int, int], Any]

_BAR_AFTER = 5.0  # seconds of expected work before a bar is worth showing
_ANNOUNCE_AFTER = 60.0
_DRAWN_EVERY = 1.0  # notebooks that are executed without a reader keep every line
_WIDTH = 20  # of the bar


class Progress:
    """Report how much of the work is done.

    Parameters
    ----------
    total : int
        Number of fits, or of whatever is counted.
    verbose : {"auto"}, bool, int or callable, default="auto"
        ``"auto"`` shows a bar on work of more than five seconds where somebody can
        watch it, and announces work of more than a minute anywhere. True always
        shows the bar, False nothing. A callable gets ``(done, total)``.
    hint : str, default=""
        What to do when the work takes long.
    what : str, default="fits"
        What is counted.
    """

    def __init__(
        self, total: int, verbose: Verbose = "auto", *, hint: str = "", what: str = "fits"
    ) -> None:
        known = bool | int | np.bool_ | np.integer
        if not (callable(verbose) or verbose == "auto" or isinstance(verbose, known)):
            raise ValueError(
                f"verbose={verbose!r} must be 'auto', a bool, an int or a callable "
                "(done, total)."
            )
        self.total = total
        self.verbose = verbose
        self.hint = hint
        self.what = what
        self.done = 0
        self._announced = False
        self._drawn: float | None = None

    def __enter__(self) -> Self:
        self._start = time.monotonic()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._drawn is not None:
            print(file=sys.stderr)

    def advance(self, n: int, remaining: float) -> None:
        """Count `n` more as done; about `remaining` seconds are left."""
        self.done += n
        if callable(self.verbose):
            self.verbose(self.done, self.total)
            return
        if not self.verbose:
            return
        expected = time.monotonic() - self._start + remaining
        if expected > _ANNOUNCE_AFTER and not self._announced and self.done < self.total:
            self._announced = True
            self._announce(expected)
        wanted = self.verbose != "auto" or (expected > _BAR_AFTER and _is_interactive())
        if wanted or self._drawn is not None:
            self._draw(remaining)

    def _announce(self, seconds: float) -> None:
        text = f"skstat: {self.total} {self.what}, about {_duration(seconds)} in all."
        if self.hint:
            text += f" {self.hint}"
        print(text, file=sys.stderr, flush=True)

    def _draw(self, remaining: float) -> None:
        now = time.monotonic()
        soon = self._drawn is not None and now - self._drawn < _DRAWN_EVERY
        if soon and self.done < self.total:
            return
        self._drawn = now
        bar = "#" * round(_WIDTH * self.done / max(self.total, 1))
        text = f"skstat: [{bar:.<{_WIDTH}}] {self.done} of {self.total} {self.what}"
        if remaining and self.done < self.total:
            text += f", {_duration(remaining)} left"
        print(f"\r{text:<75}", end="", file=sys.stderr, flush=True)


def _is_interactive() -> bool:
    return sys.stderr.isatty() or "ipykernel" in sys.modules


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} seconds"
    if seconds < 5400:
        return f"{seconds / 60:.0f} minutes"
    return f"{seconds / 3600:.1f} hours"
