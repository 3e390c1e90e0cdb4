"""Progress of long work: a bar of rich where it is installed, a line, or the caller's own."""

import sys
import time
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any, Literal, Self

import numpy as np

Verbose = bool | int | Literal["auto"] | Callable[[int, int], Any]

_SHOW_AFTER = 5.0  # seconds of expected work before anything is worth showing
_ANNOUNCE_AFTER = 60.0
_LINE_EVERY = 1.0  # notebooks that are executed without a reader keep every line


class Progress:
    """Report how much of the work is done.

    Parameters
    ----------
    total : int
        Number of fits, or of whatever is counted.
    verbose : {"auto"}, bool, int or callable, default="auto"
        ``"auto"`` shows a bar on work of more than five seconds where somebody can watch it,
        and announces work of more than a minute anywhere. True always shows the bar, False
        nothing. Without rich the bar is a line. A callable gets ``(done, total)``.
    hint : str, default=""
        What to do when the work takes long.
    what : str, default="fits"
        What is counted.
    """

    def __init__(
        self, total: int, verbose: Verbose = "auto", *, hint: str = "", what: str = "fits"
    ) -> None:
        kinds = bool | int | np.bool_ | np.integer
        if not (callable(verbose) or verbose == "auto" or isinstance(verbose, kinds)):
            raise ValueError(f"verbose={verbose!r} must be 'auto', a bool, int or callable.")
        self.total = total
        self.verbose = verbose
        self.hint = hint
        self.what = what
        self.done = 0
        self._announced = self._shown = False
        self._bar: Any = None
        self._due = 0.0  # when the line is written again

    def __enter__(self) -> Self:
        self._start = time.monotonic()
        if not callable(self.verbose):  # a bar that is asked for stands before the first fit
            self.advance(0, 0.0)
        return self

    def __exit__(self, *raised: object) -> None:
        if self._bar is not None:
            self._bar.stop()
        elif self._shown:
            print(file=sys.stderr)

    def advance(self, n: int, remaining: float) -> None:
        """Count `n` more as done; about `remaining` seconds are left."""
        self.done += n
        if callable(self.verbose):
            self.verbose(self.done, self.total)
        if callable(self.verbose) or not self.verbose:
            return
        now = time.monotonic()
        expected = now - self._start + remaining
        if expected > _ANNOUNCE_AFTER and not self._announced and self.done < self.total:
            self._announced = True
            text = f"skstat: {self.total} {self.what}, about {_duration(expected)} in all."
            print(f"{text} {self.hint}".rstrip(), file=sys.stderr, flush=True)
        shows = self.verbose != "auto" or (expected > _SHOW_AFTER and _is_watched())
        if shows and not self._shown:
            self._shown, self._bar = True, _rich_bar(self.what, self.total)
        if self._bar is not None:
            self._bar.update(0, completed=self.done, total=self.total)
        elif self._shown and (now >= self._due or self.done >= self.total):
            self._due = now + _LINE_EVERY
            left = f", about {_duration(remaining)} left" if remaining else ""
            text = f"skstat: {self.done} of {self.total} {self.what}{left}"
            print(f"\r{text:<60}", end="", file=sys.stderr, flush=True)


def _rich_bar(what: str, total: int) -> Any:
    """Start a bar of rich; None where it is not installed, or could not draw."""
    # In a notebook rich draws with ipywidgets, and only warns without it.
    if "ipykernel" in sys.modules and find_spec("ipywidgets") is None:
        return None
    try:
        from rich.console import Console
        from rich.progress import Progress as Bar
    except ImportError:
        return None
    bar = Bar(console=Console(stderr=True), transient=True)
    bar.add_task(what, total=total)
    bar.start()
    return bar


def _is_watched() -> bool:
    return sys.stderr.isatty() or "ipykernel" in sys.modules


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} seconds"
    if seconds < 5400:
        return f"{seconds / 60:.0f} minutes"
    return f"{seconds / 3600:.1f} hours"
