"""Which name was meant: one with a slip of the fingers in it; or what is here in its place."""

import re
from collections.abc import Iterable

_FEW = 6  # letters of a word in which two slips leave another word

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
        Names with the same first letter and at most two slips (one in a short name), of which
        a swap of two neighbours is one. If there are none, names of which it is the
        beginning or a part between underscores: ``"acc"`` and ``"log_loss"``.
    """
    typed = _plain(name)
    plain = [(other, _plain(other)) for other in known]
    slips = [
        (_slips(typed, own), other)
        for other, own in plain
        if typed[:1] == own[:1] and abs(len(typed) - len(own)) <= 2
    ]
    allowed = [
        (count, other)
        for count, other in slips
        if count <= (1 if min(len(typed), len(_plain(other))) < _FEW else 2)
    ]
    if allowed:
        return [other for _, other in sorted(allowed)][:n]
    if len(typed) < 3:
        return []
    part = re.compile(rf"^{re.escape(typed)}|_{re.escape(typed)}(?=_|$)")
    return sorted((other for other, own in plain if part.search(own)), key=len)[:n]


def what_to_use(name: object, known: Iterable[str]) -> str:
    """Say what to use in place of a method that is unknown: its like, or one of the known."""
    if isinstance(name, str) and name in _INSTEAD:
        return f"use {_INSTEAD[name]}"
    return f"use one of {', '.join(map(repr, known))}"


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_")


def _slips(first: str, second: str) -> int:
    """Count the letters to drop, add, change, or swap with a neighbour (Damerau, 1964)."""
    before: list[int] = []
    row = list(range(len(second) + 1))
    for i, letter in enumerate(first, start=1):
        last, row, older = row, [i], before
        for j, other in enumerate(second, start=1):
            least = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (letter != other))
            if i > 1 and j > 1 and letter == second[j - 2] and first[i - 2] == other:
                least = min(least, older[j - 2] + 1)
            row.append(least)
        before = last
    return row[-1]
