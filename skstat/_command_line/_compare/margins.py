"""The margin, as it is written on the command line."""

from typing import Any

from skstat._command_line._errors import CommandError


def margin_of(texts: list[str] | None) -> Any:
    """Return one number, numbers by metric, or None."""
    if texts is None:
        return None
    if len(texts) == 1 and "=" not in texts[0]:
        return _size(texts[0])
    margins: dict[str, float] = {}
    for text in texts:
        metric, equals, size = text.rpartition("=")
        if not (metric and equals):
            raise CommandError(f"--margin takes one number, or METRIC=SIZE; got {text!r}.")
        if metric in margins:
            raise CommandError(f"--margin names {metric!r} twice.")
        margins[metric] = _size(size)
    return margins


def _size(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise CommandError(f"--margin {text} is not a number.") from None
