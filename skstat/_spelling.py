"""Suggestions for misspelled names, and for methods that only other packages have."""

import re
from collections.abc import Iterable
from difflib import get_close_matches

_ALIKE = 0.66  # similarity from which on a name is suggested (difflib)

# Methods of other packages, with what to use here.
_INSTEAD = {
    "conservative_z": "'corrected_t', or leave method out",
    "studentized": "'bca'",
    "holland": "'holm'",
    "finner": "'holm'",
    "rom": "'hommel'",
    "li": "'hommel'",
}


def meant_by(name: str, known: Iterable[str], n: int = 3) -> list[str]:
    """Return the names that a misspelled name may stand for, the most similar first.

    Parameters
    ----------
    name : str
        The misspelled name.
    known : iterable of str
        All names.
    n : int, default=3
        Most names to return.

    Returns
    -------
    list of str
        Names with the same first letter and a similar spelling. If there are none, names that
        begin with `name`, or have it as a part between underscores, such as ``"acc"``.
    """
    target = _plain(name)
    by_plain = {_plain(other): other for other in known}
    similar = [p for p in by_plain if p[:1] == target[:1] and abs(len(p) - len(target)) <= 2]
    if close := get_close_matches(target, similar, n, cutoff=_ALIKE):
        return [by_plain[plain] for plain in close]
    if len(target) < 3:
        return []
    part = re.compile(rf"^{re.escape(target)}|_{re.escape(target)}(?=_|$)")
    return sorted((name for plain, name in by_plain.items() if part.search(plain)), key=len)[:n]


def did_you_mean(name: object, known: Iterable[str]) -> str:
    """Return the question "Did you mean ...?", or an empty text if no name is similar."""
    close = meant_by(str(name), known)
    return f" Did you mean {' or '.join(map(repr, close))}?" if close else ""


def what_to_use(name: object, known: Iterable[str]) -> str:
    """Return what to use in place of an unknown method, for an error message."""
    if isinstance(name, str) and name in _INSTEAD:
        return f"use {_INSTEAD[name]}"
    return f"use one of {', '.join(map(repr, known))}"


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_")
