"""What a doubt means and what to do about it, in plain text."""

import textwrap
from difflib import get_close_matches

from skstat._arguments import explains_arguments
from skstat.report._doubts.catalogue import CATALOGUE
from skstat.report._doubts.kind import WEIGHTS, DoubtKind

_WIDTH = 88
_MEANING = {
    "invalid": "the p-value or the interval does not mean what it says",
    "weak": "less can be concluded than it looks, or another design would tell more",
    "note": "worth knowing; nothing is wrong",
}


@explains_arguments
def explain(code: str | None = None) -> None:
    """Print what a doubt means: its weight, when it is raised, and what to do.

    ``skstat explain`` does the same on the command line.

    Parameters
    ----------
    code : str, optional
        Code of the doubt, as ``"SKS102"``. Without it all codes are listed with their
        titles, the heaviest first.

    Raises
    ------
    ValueError
        If there is no doubt of that code.

    Examples
    --------
    >>> import skstat
    >>> skstat.explain("SKS110")
    SKS110 splits that repeat each other (weak)
    <BLANKLINE>
    Weak: less can be concluded than it looks, or another design would tell more.
    <BLANKLINE>
    Raised when: Random splits of few rows or groups drew the same test set more than once.
    <BLANKLINE>
    To do: use fewer splits.
    <BLANKLINE>
    Use fewer splits, or more rows or groups.
    """
    print(listed() if code is None else explained(code))


def explained(code: str) -> str:
    """Return what a doubt means."""
    kind = _kind(code)
    paragraphs = (
        f"{kind.code} {kind.title} ({kind.weight})",
        f"{kind.weight.capitalize()}: {_MEANING[kind.weight]}.",
        f"Raised when: {kind.plain_when}",
        f"To do: {kind.action}.",
        kind.plain_advice,
    )
    return "\n\n".join(textwrap.fill(text, _WIDTH) for text in paragraphs)


def listed() -> str:
    """Return all codes and titles by their weight."""
    blocks = []
    for weight in WEIGHTS:
        kinds = [kind for kind in CATALOGUE.values() if kind.weight == weight]
        head = f"{weight.capitalize()}: {_MEANING[weight]}"
        blocks.append("\n".join([head, *(f"  {kind.code} {kind.title}" for kind in kinds)]))
    return "\n\n".join(blocks)


def _kind(code: str) -> DoubtKind:
    """Return the kind of a code, which may be written in small letters."""
    wanted = str(code).strip().upper()
    if wanted in CATALOGUE:
        return CATALOGUE[wanted]
    near = " or ".join(get_close_matches(wanted, CATALOGUE))
    hint = f"did you mean {near}?" if near else "`skstat explain` lists all codes."
    raise ValueError(f"there is no doubt of the code {code!r}; {hint}")
