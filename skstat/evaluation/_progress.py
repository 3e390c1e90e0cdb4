"""Progress of long work: a rich bar, one line of text, or the caller's function."""

import sys
import time
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any, Literal, Self

import numpy as np

Verbose = bool | int | Literal["auto"] | Callable[[int, int], Any]

_BAR_AFTER = 5.0  # seconds of expected work before a bar is worth showing
_ANNOUNCE_AFTER = 60.0
_LINE_EVERY = 1.0  # notebooks that are executed without a reader keep every line


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
        self._bar: Any = None

    def __enter__(self) -> Self:
        self._start = time.monotonic()
        if self.verbose != "auto" and not callable(self.verbose) and self.verbose:
            self._show_bar()
        return self

    def __exit__(self, *raised: object) -> None:
        if self._bar is not None:
            self._bar.stop()

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
            text = f"skstat: {self.total} {self.what}, about {_duration(expected)} in all."
            print(f"{text} {self.hint}".rstrip(), file=sys.stderr, flush=True)
        if self._bar is None and expected > _BAR_AFTER and _is_interactive():
            self._show_bar()
        if self._bar is not None:
            self._bar.update(self.done, self.total)

    def _show_bar(self) -> None:
        # In a notebook rich draws with ipywidgets, and only warns without it.
        drawable = "ipykernel" not in sys.modules or find_spec("ipywidgets") is not None
        try:
            self._bar = _RichBar(self.total, self.what) if drawable else _Line(self.what)
        except ImportError:
            self._bar = _Line(self.what)


class _RichBar:
    def __init__(self, total: int, what: str) -> None:
        from rich.console import Console
        from rich.progress import Progress as RichProgress

        self._progress = RichProgress(console=Console(stderr=True), transient=True)
        self._task = self._progress.add_task(what, total=total)
        self._progress.start()

    def update(self, done: int, total: int) -> None:
        self._progress.update(self._task, completed=done, total=total)

    def stop(self) -> None:
        self._progress.stop()


class _Line:
    def __init__(self, what: str) -> None:
        self._what = what
        self._written = -_LINE_EVERY

    def update(self, done: int, total: int) -> None:
        now = time.monotonic()
        if now - self._written < _LINE_EVERY and done < total:
            return
        self._written = now
        print(f"\rskstat: {done} of {total} {self._what}", end="", file=sys.stderr, flush=True)

    def stop(self) -> None:
        print(file=sys.stderr)


def _is_interactive() -> bool:
    return sys.stderr.isatty() or "ipykernel" in sys.modules


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} seconds"
    if seconds < 5400:
        return f"{seconds / 60:.0f} minutes"
    return f"{seconds / 3600:.1f} hours"
