"""Drawings as SVG: one colour, that of the text around them."""

from skstat.report._contents import Dot, Drawing, Label, Line
from skstat.report._forms.escape import escape_html


def render_svg(drawing: Drawing) -> str:
    """Render a drawing; its description is read out to those who cannot see it."""
    width, height = drawing.width, drawing.height
    lines = [_line(shape) for shape in drawing.shapes if isinstance(shape, Line)]
    dots = [_dot(shape) for shape in drawing.shapes if isinstance(shape, Dot)]
    labels = [_label(shape) for shape in drawing.shapes if isinstance(shape, Label)]
    return (
        f'<svg role="img" aria-label="{escape_html(drawing.description)}" width="{width}" '
        f'height="{height}" viewBox="0 0 {width} {height}" '
        'style="max-width:100%;height:auto" stroke="currentColor" fill="currentColor">'
        f"{''.join(lines)}{''.join(dots)}"
        f'<g stroke="none" font-family="system-ui, sans-serif">{"".join(labels)}</g></svg>'
    )


def _line(line: Line) -> str:
    look = f' stroke-width="{line.width}"' if line.width != 1 else ""
    look += f' stroke-dasharray="{line.dash}"' if line.dash else ""
    look += f' stroke-opacity="{line.opacity}"' if line.opacity != 1 else ""
    look += ' stroke-linecap="round"' if line.is_round else ""
    return f'<line x1="{line.x1}" y1="{line.y1}" x2="{line.x2}" y2="{line.y2}"{look}/>'


def _dot(dot: Dot) -> str:
    look = "" if dot.is_filled else ' fill="none"'
    return f'<circle cx="{dot.x}" cy="{dot.y}" r="4"{look}/>'


def _label(label: Label) -> str:
    look = f' text-anchor="{label.anchor}"' if label.anchor != "start" else ""
    look += f' opacity="{label.opacity}"' if label.opacity != 1 else ""
    look += ' font-weight="bold"' if label.is_bold else ""
    return (
        f'<text x="{label.x}" y="{label.y}" font-size="{label.size}"{look}>'
        f"{escape_html(label.text)}</text>"
    )
