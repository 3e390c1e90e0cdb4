"""Colours and markers of families of learners, and their legend."""

from collections.abc import Mapping
from typing import Any

from skstat._names import clip
from skstat.display._style import LONGEST_SHOWN, ink, scale

# Okabe and Ito's colours but for black and yellow, and a shape for who sees none of them.
_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")
_MARKERS = "os^DvPX"


def look(name: str, families: Mapping[str, str], colors: Mapping[str, Any]) -> dict[str, Any]:
    """Colour and marker of a learner; a colour of its own goes before its family's."""
    if name not in families:
        return {"color": colors.get(name, ink()), "marker": "o", "markersize": 4.5}
    number = list(dict.fromkeys(families.values())).index(families[name])
    return {
        "color": colors.get(name, _COLOURS[number % len(_COLOURS)]),
        "marker": _MARKERS[number % len(_MARKERS)],
        "markersize": 6,
    }


def draw_legend(
    ax: Any, families: Mapping[str, str], looks: Mapping[str, Mapping[str, Any]]
) -> None:
    """Name the families of the learners that have a look."""
    from matplotlib.lines import Line2D

    members = {families[name]: name for name in looks if name in families}
    if not members:
        return
    longest = max(len(clip(family, LONGEST_SHOWN)) for family in members)
    legend = ax.legend(
        handles=[Line2D([], [], **looks[name]) for name in members.values()],
        # Legends leave out labels that begin with an underscore.
        labels=["family"] * len(members),
        loc="upper center",
        bbox_to_anchor=(0.5, 0.0),
        ncols=max(1, int(13 * ax.bbox.width / ax.figure.dpi / scale() / (longest + 7))),
        frameon=False,
        fontsize="small",
    )
    for text, family in zip(legend.get_texts(), members, strict=True):
        text.set(text=clip(family, LONGEST_SHOWN), parse_math=False)
