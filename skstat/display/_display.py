"""What all displays have in common: a method that draws, and where it drew."""

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import Any, Self


@dataclass(eq=False, kw_only=True, repr=False)
class Display(ABC):
    """Numbers that can be drawn; the artists are kept as attributes that end in ``_``."""

    ax_: Any = field(default=None, init=False)
    figure_: Any = field(default=None, init=False)

    @abstractmethod
    def plot(self, ax: Any = None) -> Self:
        """Draw.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; default a new figure.

        Returns
        -------
        display
            Itself, with ``ax_``, ``figure_`` and the artists that the class names.
        """

    def _drawn_on(self, ax: Any) -> Self:
        self.ax_, self.figure_ = ax, ax.figure
        return self
