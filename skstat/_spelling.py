"""Which name was meant: one with a slip of the fingers in it; or what is here in its place."""

import re
from collections.abc import Iterable
from difflib import get_close_matches

_ALIKE = 0.66  # share of letters that two spellings of one name have in common

# Methods that other packages have and this one has not, with what is here for the same.
_INSTEAD = {
    "conservative_z": "'corrected_t', or leave method out",
    "studentized": "'bca'",
    "holland": "'holm'",
    "finner": "'holm'",
    "rom": "'hommel'",
    "li": "'hommel'",
}


def meant_by(name: str, known: Iterable[str], n: int = 3) -> list[str]:
    """Return the names that somebody meant who typed another one, the likeliest first.

    Parameters
    ----------
    name : str
        What was typed.
    known : iterable of str
        The names there are.
    n : int, default=3
        Most names to return.

    Returns
    -------
    list of str
        Names with the same first letter that are spelled much alike. If there are none, names
        of which it is the beginning or a part between underscores: ``"acc"`` and
        ``"log_loss"``.
    """
    typed = _plain(name)
    plain = {_plain(other): other for other in known}
    alike = [own for own in plain if own[:1] == typed[:1] and abs(len(own) - len(typed)) <= 2]
    if close := get_close_matches(typed, alike, n, cutoff=_ALIKE):
        return [plain[own] for own in close]
    if len(typed) < 3:
        return []
    part = re.compile(rf"^{re.escape(typed)}|_{re.escape(typed)}(?=_|$)")
    return sorted((other for own, other in plain.items() if part.search(own)), key=len)[:n]


def did_you_mean(name: object, known: Iterable[str]) -> str:
    """Return the question which of the known names was meant, for the end of a sentence."""
    close = meant_by(str(name), known)
    return f" Did you mean {' or '.join(map(repr, close))}?" if close else ""


def what_to_use(name: object, known: Iterable[str]) -> str:
    """Say what to use in place of a method that is unknown: its like, or one of the known."""
    if isinstance(name, str) and name in _INSTEAD:
        return f"use {_INSTEAD[name]}"
    return f"use one of {', '.join(map(repr, known))}"


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_")
