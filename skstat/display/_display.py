"""What all displays have in common: a method that draws, one that saves, where it drew."""

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, Self

from skstat._names import clip, listed
from skstat.display._figure import grow
from skstat.display._style import PRINT, SAVED, pyplot

Width = float | Literal["column", "text"]
_WIDTHS = {"column": 3.3, "text": 6.9}


@dataclass(eq=False, kw_only=True, repr=False)
class Display(ABC):
    """Numbers that can be drawn; the artists are kept as attributes that end in ``_``."""

    _shows: ClassVar[str] = "names"  # the field that says of what it is
    ax_: Any = field(default=None, init=False)
    figure_: Any = field(default=None, init=False)
    _width: float | None = field(default=None, init=False)
    _given: bool = field(default=False, init=False)

    def plot(self, ax: Any = None, *, width: Width | None = None) -> Self:
        """Draw.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; default a new figure.
        width : float or {"column", "text"}, optional
            Width in inches of a new figure for print, with text of 8 points: ``"column"`` of
            most journals is 3.3, and ``"text"`` 6.9. The height follows. Default: as wide as
            it needs, with text as in the style that is in use.

        Returns
        -------
        display
            Itself, with ``ax_``, ``figure_`` and the artists that the class names.
        """
        if width is not None and ax is not None:
            raise TypeError("width= is that of a new figure; without ax=.")
        inches: Any = _WIDTHS.get(width) if isinstance(width, str) else width
        if width is not None and (inches is None or not inches > 0):
            named = " or ".join(f"{name!r} ({size})" for name, size in _WIDTHS.items())
            raise ValueError(f"width={width!r} must be above 0: inches, {named}.")
        self._width, self._given = inches, ax is not None
        with pyplot().rc_context({} if width is None else PRINT):
            self.ax_ = self._plot(ax)
            self.figure_ = self.ax_.figure
            if width is not None:  # ticks are made when they are first drawn, in sizes of then
                self.figure_.draw_without_rendering()
        return self

    def save(self, path: Any, *, width: Width | None = None) -> Self:
        """Save as PDF, SVG or PNG, by the end of the name.

        Parameters
        ----------
        path : str or path
            Where to.
        width : float or {"column", "text"}, optional
            Draw it anew for print, so many inches wide, as in :meth:`plot`. Default:
            what was drawn last, or if nothing was, a figure as wide as it needs.

        Returns
        -------
        display
            Itself.

        Notes
        -----
        Letters in a PDF are embedded as TrueType fonts: journals refuse the Type 3 fonts
        that are matplotlib's default.
        """
        if width is not None or self.figure_ is None:
            self.plot(width=width)
        with pyplot().rc_context(SAVED):
            self.figure_.savefig(path)
        return self

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {listed(map(clip, getattr(self, self._shows)))}>"

    @abstractmethod
    def _plot(self, ax: Any) -> Any:
        """Draw on the axes, or on those of a new figure; return them."""

    def _axes(self, ax: Any, *, figsize: tuple[float, float]) -> Any:
        """Return `ax`, or the axes of a new figure: in inches, or as wide as was asked."""
        plt = pyplot()
        if ax is not None:
            return ax
        width, height = figsize
        _, ax = plt.subplots(figsize=(self._width or width, height), layout="constrained")
        return ax

    def _grown(self, ax: Any) -> Any:
        """Return the axes; a new figure is made high enough for what stands around them."""
        if not self._given:
            grow(ax)
        return ax
