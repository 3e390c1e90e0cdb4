"""Estimates of performance as a small drawing: a row per estimator."""

from typing import Any

from skstat.display._names import clip
from skstat.report._escape import escape
from skstat.report._numbers import decimals_for, fixed

_LONGEST, _MOST = 24, 25  # letters; rows
_LETTER, _AXIS, _ROW, _FOOT = 7, 300, 22, 20  # pixels


def performance_svg(report: dict[str, Any]) -> str:
    """Draw intervals, with open circles for the scores in training."""
    rows = [row for row in report["rows"] if row["low"] is not None]
    if not rows or len(rows) > _MOST:
        return ""
    keys = ("low", "high", "estimate", "training_score")
    values = [row[key] for row in rows for key in keys if row[key] is not None]
    least, most = min(values), max(values)
    span = (most - least) or abs(most) or 1.0
    names = [clip(row["name"], _LONGEST) for row in rows]
    left = _LETTER * max(map(len, names)) + 16
    height = _ROW * len(rows) + _FOOT

    def x(value: float) -> float:
        return round(left + 8 + (value - least) / span * (_AXIS - 16), 1)

    marks, labels = "", ""
    for number, (row, name) in enumerate(zip(rows, names, strict=True)):
        y = _ROW * (number + 0.5)
        marks += (
            f'<line x1="{x(row["low"])}" y1="{y}" x2="{x(row["high"])}" y2="{y}" '
            f'stroke-width="2"/><circle cx="{x(row["estimate"])}" cy="{y}" r="4" '
            'fill="currentColor"/>'
        )
        if row["training_score"] is not None:
            marks += f'<circle cx="{x(row["training_score"])}" cy="{y}" r="4" fill="none"/>'
        labels += f'<text x="{left - 8}" y="{y + 4}" text-anchor="end">{escape(name)}</text>'
    decimals = max(0, decimals_for([span]) - 1)
    ends = "".join(
        f'<text x="{place}" y="{height - 5}" text-anchor="{anchor}">'
        f"{fixed(value, decimals)}</text>"
        for place, anchor, value in (
            (left + 8, "middle", least),
            (left + _AXIS - 8, "middle", most),
        )
    )
    says = escape("intervals of the estimates; open circles: in training", quote=True)
    return (
        f'<svg role="img" aria-label="{says}" width="{left + _AXIS + 24}" height="{height}" '
        f'viewBox="0 0 {left + _AXIS + 24} {height}" style="max-width:100%" '
        f'stroke="currentColor">{marks}<g stroke="none" fill="currentColor" font-size="11" '
        f'font-family="system-ui, sans-serif">{labels}{ends}</g></svg>'
    )
