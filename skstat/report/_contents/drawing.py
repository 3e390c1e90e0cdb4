"""A small drawing of lines, dots and labels, independent of the picture's format."""

from collections.abc import Sequence
from typing import NamedTuple

from skstat.report._contents.tone import Tone


class Line(NamedTuple):
    """A straight line between two points, in pixels from the upper left."""

    x1: float
    y1: float
    x2: float
    y2: float
    width: float = 1
    dash: str = ""
    opacity: float = 1
    is_round: bool = False  # at its ends
    tone: Tone = ""


class Band(NamedTuple):
    """A filled rectangle behind all else, by its upper left corner."""

    x: float
    y: float
    width: float
    height: float
    opacity: float = 0.12
    tone: Tone = ""


class Area(NamedTuple):
    """A filled polygon behind all lines, by its corners."""

    points: Sequence[tuple[float, float]]
    opacity: float = 0.35
    tone: Tone = ""


class Dot(NamedTuple):
    """A circle, filled or open."""

    x: float
    y: float
    is_filled: bool = True
    tone: Tone = ""


class Label(NamedTuple):
    """A text on one line; `anchor` says which end of it is at `x`."""

    x: float
    y: float
    text: str
    anchor: str = "start"
    size: int = 12
    is_bold: bool = False
    opacity: float = 1


Shape = Line | Band | Area | Dot | Label


class Drawing(NamedTuple):
    """Shapes on a canvas, and what they show for those who cannot see it."""

    width: float
    height: float
    description: str
    shapes: Sequence[Shape]
