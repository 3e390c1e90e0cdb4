"""Figures of measured error rates: one dot per cell of the study, by procedure.

A cell is *above* if it rejects more than chance explains: its rate exceeds the level by more
than two Monte Carlo standard errors of its own number of replicates.
"""

import io
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from _front_page import STYLES

from calibration.readings import ALPHA
from skstat._palette import COLOURS

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

ERRORS_GRANTED = 2
FOLDER = Path("_static") / "pictures"
NAMED = 3  # cells of a row that are named
TICKS = (0, 0.05, 0.2, 0.5, 1)
_HIGH, _BELOW, _OVER = 0.19, 0.45, 0.35  # of a row, and of what stands around, in inches
_SETTINGS = {"font.size": 8, "svg.hashsalt": "skstat"}


class Dot(NamedTuple):
    """One cell of the study.

    Parameters
    ----------
    where : str
        What was simulated, and what the procedure was asked on.
    error : float
        Share of replicates in which it rejected a true null hypothesis, or its interval
        missed the truth.
    replications : int
        How many there were.
    """

    where: str
    error: float
    replications: int

    @property
    def limit(self) -> float:
        """The largest rate that chance explains."""
        return ALPHA + _granted(self.replications)

    @property
    def above(self) -> bool:
        return self.error > self.limit


Rows = Mapping[str, Sequence[Dot]]  # by the name of a row


def _granted(replications: int) -> float:
    return ERRORS_GRANTED * (ALPHA * (1 - ALPHA) / replications) ** 0.5


def figure_of(name: str, panels: Mapping[str, Rows], docs: Path) -> str:
    """Draw a figure for light and dark pages, and return the text that shows it.

    Parameters
    ----------
    name : str
        Of the files.
    panels : mapping of str to Rows
        What is drawn side by side, by title. All have the same rows.
    docs : Path
        The folder of the documentation.
    """
    import matplotlib.pyplot as plt

    folder = docs / FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    told = _in_words(panels)
    lines = [".. container:: wide-picture\n"]
    for number, (ground, style) in enumerate(STYLES.items()):
        with plt.style.context([style, _SETTINGS]):
            drawing = io.StringIO()
            figure = draw(panels, number)
            figure.savefig(
                drawing,
                format="svg",
                transparent=True,
                bbox_inches="tight",
                metadata={"Date": None},
            )
            plt.close(figure)
        file = folder / f"{name}-{ground}.svg"
        # A picture that is as before keeps its date, so that nothing is built anew.
        if not file.exists() or file.read_text(encoding="utf-8") != drawing.getvalue():
            file.write_text(drawing.getvalue(), encoding="utf-8")
        lines += [
            f"   .. image:: /{FOLDER.as_posix()}/{file.name}",
            f"      :class: only-{ground}",
            f"      :alt: {told}\n",
        ]
    lines += [".. container:: under-picture\n", f"   {told}\n"]
    lines += [*(f"   - {line}" for line in _named(panels)), ""]
    return "\n".join(lines)


def _in_words(panels: Mapping[str, Rows]) -> str:
    dots = [dot for rows in panels.values() for row in rows.values() for dot in row]
    above = sum(dot.above for dot in dots)
    return (
        "Each dot is a cell of the study: the share of true null hypotheses that were "
        "rejected, or of intervals that missed the truth. "
        f"{above} of {len(dots)} lie above the limit of Monte Carlo error, "
        f"{ERRORS_GRANTED} standard errors above {ALPHA:g} (grey)."
    )


def _named(panels: Mapping[str, Rows]) -> list[str]:
    """Name the cells that are above: by row, or of several panels by panel."""
    if len(panels) == 1:
        (rows,) = panels.values()
        groups = {name: [(dot.where, dot) for dot in row] for name, row in rows.items()}
    else:
        groups = {
            title.replace("\n", ", "): [
                (f"{name}, {dot.where}", dot) for name, row in rows.items() for dot in row
            ]
            for title, rows in panels.items()
        }
    lines = []
    for name, cells in groups.items():
        above = sorted((cell for cell in cells if cell[1].above), key=lambda c: -c[1].error)
        if above:
            worst = "; ".join(f"{dot.error:.3f} ({where})" for where, dot in above[:NAMED])
            more = "highest: " if len(above) > NAMED else ""
            lines.append(f"``{name}``: {len(above)} of {len(cells)}, {more}{worst}")
    return lines


def draw(panels: Mapping[str, Rows], ground: int) -> "Figure":
    """Draw all panels.

    Parameters
    ----------
    panels : mapping of str to Rows
        See `figure_of`.
    ground : int
        0 for a light page, 1 for a dark one.
    """
    import matplotlib.pyplot as plt

    names = list(next(iter(panels.values())))
    wide = 4.6 if len(panels) == 1 else 1.7 * len(panels)
    high = _HIGH * len(names) + _BELOW + _OVER
    figure, axes = plt.subplots(
        ncols=len(panels),
        sharey=True,
        squeeze=False,
        figsize=(wide, high),
        gridspec_kw={"bottom": _BELOW / high, "top": 1 - _OVER / high, "wspace": 0.08},
    )
    for ax, (title, rows) in zip(axes[0], panels.items(), strict=True):
        _panel(ax, rows, ground)
        ax.set_title(title, fontsize="medium")
    ax = axes[0, 0]
    ax.set_yticks(range(len(names)), labels=names)
    ax.set_ylim(len(names) - 0.4, -0.6)
    if len(panels) == 1:
        _count_above(ax, next(iter(panels.values())), ground)
    told = f"share of wrong rejections; dashed: the nominal level of {ALPHA:g}"
    figure.supxlabel(told, fontsize="medium", y=0)
    return figure


def _panel(ax: "Axes", rows: Rows, ground: int) -> None:
    """Draw the dots of one panel, those above their limit in another colour and shape."""
    dots = [(place, dot) for place, row in enumerate(rows.values()) for dot in row]
    for replications in {dot.replications for _, dot in dots}:
        granted = _granted(replications)
        ax.axvspan(max(ALPHA - granted, 0), ALPHA + granted, color="gray", alpha=0.15, lw=0)
    ax.axvline(ALPHA, color="gray", linestyle="--", linewidth=1)
    for above, colour, marker in ((False, "better", "o"), (True, "worse", "D")):
        shown = [(dot.error, place) for place, dot in dots if dot.above == above]
        ax.scatter(
            *zip(*shown, strict=True) if shown else ((), ()),
            s=14,
            alpha=0.75,
            color=COLOURS[colour][ground],
            marker=marker,
            linewidths=0,
            clip_on=False,
        )
    # Rates near the level are what matters; a root makes room for them.
    ax.set_xscale("function", functions=(_root, _square))
    ax.set_xlim(0, 1)
    ax.set_xticks(TICKS, labels=[f"{tick:g}" for tick in TICKS])
    ax.minorticks_off()
    ax.grid(axis="y", color="gray", alpha=0.3)
    ax.set_axisbelow(True)


def _root(rates):
    import numpy as np

    return np.sqrt(np.clip(rates, 0, None))


def _square(roots):
    return roots**2


def _count_above(ax: "Axes", rows: Rows, ground: int) -> None:
    """Say at the end of each row how many cells are above, and how far."""
    for place, dots in enumerate(rows.values()):
        above = [dot for dot in dots if dot.above]
        if above:
            worst = max(dot.error for dot in above)
            ax.text(
                1.02,
                place,
                f"{len(above)} of {len(dots)}, up to {worst:.2f}",
                color=COLOURS["worse"][ground],
                transform=ax.get_yaxis_transform(),
                va="center",
            )


def worst_first(rows: Mapping[str, Iterable[Dot]]) -> Rows:
    """Order rows by their highest rate."""
    found = {name: tuple(dots) for name, dots in rows.items()}
    order = sorted(found, key=lambda name: -max(dot.error for dot in found[name]))
    return {name: found[name] for name in order}
