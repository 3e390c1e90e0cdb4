"""Drawings as SVG: in the colour of the text around them, verdicts in their own."""

from skstat.report._contents import Area, Band, Dot, Drawing, Label, Line, Shape, Tone
from skstat.report._forms.escape import escape_html

# Labels are as large as the small print of a page then, and can be read on a phone still.
_SCALE = 1.15


def render_svg(drawing: Drawing) -> str:
    """Render a drawing; its description is read out to those who cannot see it."""
    width, height = drawing.width, drawing.height
    shown = f'width="{_SCALE * width:.0f}" height="{_SCALE * height:.0f}"'
    return (
        f'<svg role="img" aria-label="{escape_html(drawing.description)}" {shown} '
        f'viewBox="0 0 {width} {height}" '
        'style="max-width:100%;height:auto" stroke="currentColor" fill="currentColor">'
        f"{''.join(_shape(shape) for shape in sorted(drawing.shapes, key=_layer))}</svg>"
    )


def _layer(shape: Shape) -> int:
    """Tell what is drawn over what."""
    return (Band, Area, Line, Dot, Label).index(type(shape))


def _shape(shape: Shape) -> str:
    match shape:
        case Band():
            return _band(shape)
        case Area():
            return _area(shape)
        case Line():
            return _line(shape)
        case Dot():
            return _dot(shape)
        case Label():
            return _label(shape)


def _band(band: Band) -> str:
    return (
        f'<rect x="{band.x}" y="{band.y}" width="{band.width:.1f}" height="{band.height}" '
        f'fill-opacity="{band.opacity}" stroke="none"{_tone(band.tone)}/>'
    )


def _area(area: Area) -> str:
    points = " ".join(f"{x:g},{y:g}" for x, y in area.points)
    return (
        f'<polygon points="{points}" fill-opacity="{area.opacity}" stroke="none"'
        f"{_tone(area.tone)}/>"
    )


def _line(line: Line) -> str:
    look = f' stroke-width="{line.width}"' if line.width != 1 else ""
    look += f' stroke-dasharray="{line.dash}"' if line.dash else ""
    look += f' stroke-opacity="{line.opacity}"' if line.opacity != 1 else ""
    look += ' stroke-linecap="round"' if line.is_round else ""
    return (
        f'<line x1="{line.x1}" y1="{line.y1}" x2="{line.x2}" y2="{line.y2}"{look}'
        f"{_tone(line.tone)}/>"
    )


def _dot(dot: Dot) -> str:
    look = "" if dot.is_filled else ' fill="none"'
    return f'<circle cx="{dot.x}" cy="{dot.y}" r="4.5"{look}{_tone(dot.tone)}/>'


def _label(label: Label) -> str:
    look = f' text-anchor="{label.anchor}"' if label.anchor != "start" else ""
    look += f' opacity="{label.opacity}"' if label.opacity != 1 else ""
    look += ' font-weight="bold"' if label.is_bold else ""
    # The blank keeps labels apart where a page drops the drawing and leaves its words.
    return (
        f'<text x="{label.x}" y="{label.y}" font-size="{label.size}" stroke="none" '
        f'font-family="system-ui, sans-serif"{look}>{escape_html(label.text)}</text> '
    )


def _tone(tone: Tone) -> str:
    return f' class="skstat-{tone}"' if tone else ""
