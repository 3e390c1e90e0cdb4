"""Sizes of differences, margins and regions, as they are written on the command line."""

from typing import Any

from skstat._command_line._errors import CommandError


def sizes_of(texts: list[str] | None, option: str = "--margin") -> Any:
    """Return one number, numbers by metric, or None."""
    if texts is None:
        return None
    if len(texts) == 1 and "=" not in texts[0]:
        return _size(texts[0], option)
    sizes: dict[str, float] = {}
    for text in texts:
        metric, equals, size = text.rpartition("=")
        if not (metric and equals):
            raise CommandError(f"{option} takes one number, or METRIC=SIZE; got {text!r}.")
        if metric in sizes:
            raise CommandError(f"{option} names {metric!r} twice.")
        sizes[metric] = _size(size, option)
    return sizes


def _size(text: str, option: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise CommandError(f"{option} {text} is not a number.") from None
