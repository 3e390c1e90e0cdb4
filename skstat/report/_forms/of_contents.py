"""Contents of today as blocks; it goes when every report gives blocks."""

import math
from types import SimpleNamespace
from typing import Any

from skstat.report._blocks import (
    Bar,
    Bars,
    Block,
    Cells,
    Doubts,
    Facts,
    Fold,
    Heading,
    Link,
    Says,
)


def _cells(grid: Any) -> Cells:
    return Cells(*grid[:5], grid.note, grid.tones, grid.letters, grid.signs)


def blocks_of(contents: Any, full: bool, screen: bool) -> list[Block]:
    """Return the blocks of contents."""
    titled, sections = contents.is_titled, contents.sections
    pairs = list(contents.sentences) or [(contents.conclusion, "")]
    heading = ", ".join(filter(None, [contents.subject, contents.metric]))
    badges = [] if titled else [badge for section in sections for badge in section.badges]
    says = Says([a or b for a, b in pairs], badges, heading)
    if titled:
        says = Says([a for a, _ in pairs], (), heading, [b for _, b in pairs], "all")
    if pairs == [("", "")]:
        says = Says([])
    found = Doubts([SimpleNamespace(**doubt) for doubt in contents.doubts])
    if contents.overview is not None and not full:
        first = Says([" ".join(filter(None, pairs[0]))])
        table = _cells(contents.overview)
        return [first, table, Facts(contents.shared), found, Fold("", ())]
    blocks: list[Block] = [says, *[found] * titled]
    rests: list[Block] = []
    for section, title in zip(sections, contents.titles(), strict=True):
        if titled:
            blocks.append(Heading(title, section.badges, section.is_open))
        if (shown := section.interval) is not None:
            low = -math.inf if shown.low is None else shown.low
            high = math.inf if shown.high is None else shown.high
            blocks.append(
                Bars(
                    [Bar("", low, shown.estimate, high)],
                    f"{shown.left} {shown.side}",
                    f"{shown.right} {shown.side}",
                    margin=shown.margin,
                    inner=shown.inner,
                    inner_says=shown.inner_says,
                )
            )
        grids = section.grids
        if screen:
            grids = section.short_grids or grids
        if not full:
            grids = section.first_grids or grids
        blocks += [_cells(grid) for grid in grids if not grid.is_detail]
        blocks.append(Facts(section.rows))
        rest: list[Block] = [
            Fold(grid.title, [_cells(grid)]) for grid in grids if grid.is_detail
        ]
        if section.about:
            rest.append(Fold(section.about_title, [Facts(section.about)]))
        if section.link:
            rest.append(Link(*section.link))
        (blocks if titled else rests).extend(rest)
    blocks += [Heading(""), Facts(contents.shared)] if titled else [found, *rests]
    if contents.shared_about:
        blocks.append(Fold("What is the same of all", [Facts(contents.shared_about)]))
    return blocks
