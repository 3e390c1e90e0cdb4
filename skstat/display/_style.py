"""Style of all displays: colours and shapes of verdicts, sizes for print, text in points.

Matplotlib is imported when it is needed.
"""

import re
from typing import Any

from skstat._names import clip
from skstat._palette import COLOURS

# A figure for print: text of 8 points, whatever sizes the style that is in use has.
PRINT: dict[str, Any] = {
    "font.size": 8.0,
    **dict.fromkeys(
        (
            *("axes.labelsize", "axes.titlesize", "xtick.labelsize", "ytick.labelsize"),
            *("legend.fontsize", "figure.titlesize"),
        ),
        "medium",
    ),
    "axes.linewidth": 0.6,
    "xtick.major.width": 0.6,
    "ytick.major.width": 0.6,
    "lines.markersize": 4.0,
    "savefig.bbox": None,
}
# Letters that journals take; and what is saved is as wide as it was drawn.
SAVED: dict[str, Any] = {"pdf.fonttype": 42, "ps.fonttype": 42, "savefig.bbox": None}

# A second sign beside the colour, for who cannot see it, and for grey print.
_MARKERS = {"better": "^", "worse": "v", "equivalent": "s", "not inferior": "s"}
# Letters of a name that is shown in full, on several lines where it must be.
LONGEST_SHOWN = 72
# Between parts of a name, and between its words; an arrow stays with what it points from, and
# < with its number.
_BREAKS = re.compile(
    "(?<=[\\s,;_=/|+-])(?<![\N{LEFTWARDS ARROW}<>] )(?!\N{RIGHTWARDS ARROW})"
    "|(?<=[a-z])(?=[A-Z])"
)


def pyplot() -> Any:
    try:
        import matplotlib.pyplot as plt
    except ImportError as error:
        needs = "plot() needs matplotlib: pip install 'skstat[matplotlib]'."
        raise ImportError(needs) from error
    # What a backend sets when it is loaded, as those of notebooks do, must outlive rc_context.
    plt.draw_if_interactive()
    return plt


def ink() -> Any:
    """Colour of text in the style that is in use: light where the ground is dark."""
    import matplotlib

    return matplotlib.rcParams["text.color"]


def ground() -> Any:
    """Colour of the ground in the style that is in use."""
    import matplotlib

    return matplotlib.rcParams["axes.facecolor"]


def is_dark() -> bool:
    """Whether the ground is dark, in the style that is in use."""
    from matplotlib.colors import to_rgb

    return sum(to_rgb(ink())) > 1.5


def colour(verdict: str) -> str:
    """Colour of a verdict on the ground that is in use, or of what needed none."""
    # Who is shown not to be worse by the margin is shown to be as good; of higher and lower
    # nobody knows which is good.
    alike = {"not inferior": "equivalent", "higher": "undecided", "lower": "undecided"}
    return COLOURS[alike.get(verdict, verdict) or "better"][is_dark()]


def faint() -> str:
    """Colour of data: what a verdict rests on stays behind it."""
    return "#7c8694" if is_dark() else "#a9b4c2"


def point(verdict: str, *, size: float = 7.0) -> dict[str, Any]:
    """Look of an estimate: colour, and a shape; one that decides nothing is hollow."""
    hollow = {"markerfacecolor": ground()}
    return {
        "marker": _MARKERS.get(verdict, "o"),
        "color": colour(verdict),
        "markersize": size * scale(),
        "markeredgewidth": 1.5,
        "linestyle": "none",
        **(hollow if verdict == "undecided" else {}),
    }


def blend(tone: str, share: float) -> Any:
    """Colour with so much of it laid over the ground."""
    from matplotlib.colors import to_rgb

    both = zip(to_rgb(tone), to_rgb(ground()), strict=True)
    return [share * a + (1 - share) * b for a, b in both]


def diverging() -> Any:
    """Colour map from worse over the ground to better."""
    from matplotlib.colors import LinearSegmentedColormap

    colours = [colour("worse"), "0.3" if is_dark() else "0.95", colour("better")]
    return LinearSegmentedColormap.from_list("skstat", colours)


def scale() -> float:
    """How large text is, by the usual size."""
    import matplotlib

    return float(matplotlib.rcParams["font.size"]) / 10


def text_width(text: str, *, size: float = 1.0) -> float:
    """Width in inches of the widest line, at so many times the size of the style."""
    import matplotlib
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import text_to_path

    font = FontProperties(size=size * matplotlib.rcParams["font.size"])
    return max(
        float(text_to_path.get_text_width_height_descent(line, font, False)[0]) / 72
        for line in text.split("\n")
    )


def fold(text: str, width: float, *, size: float = 1.0) -> str:
    """Break a text into lines of at most so many inches, between its parts if that can be."""
    lines = [""]
    for part in _BREAKS.split(text):
        if lines[-1] and text_width((lines[-1] + part).rstrip(), size=size) > width:
            lines.append("")
        lines[-1] += part
        while text_width(lines[-1].rstrip(), size=size) > width and len(lines[-1]) > 1:
            fits = next(
                (n for n in range(len(lines[-1]) - 1, 1, -1)
                 if text_width(lines[-1][:n], size=size) <= width),
                1,
            )  # fmt: skip
            lines[-1:] = [lines[-1][:fits], lines[-1][fits:]]
    return "\n".join(line.strip() for line in lines if line.strip())


def whole(name: str, width: float, *, size: float = 1.0) -> str:
    """Write a name in full, on as many lines as it takes."""
    return fold(clip(name, LONGEST_SHOWN), width, size=size)
