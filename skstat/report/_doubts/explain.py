"""What a doubt means and what to do about it, in plain text."""

import textwrap
from difflib import get_close_matches

from skstat._arguments import explains_arguments
from skstat.report._doubts.kind import CATALOGUE, WEIGHTS, Rule, plain

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
    >>> skstat.explain("SKS105")
    SKS105 groups split between training and test
    <BLANKLINE>
    Invalid: the p-value or the interval does not mean what it says.
    <BLANKLINE>
    Raised when: groups was given, and cv puts rows of one group on both sides of a split.
    <BLANKLINE>
    To do: split by group, as the default splits do. The default splits keep groups together
    where groups= is given, and so do GroupShuffleSplit or StratifiedGroupKFold. The
    splitter used does not look at groups.
    """
    print(listed() if code is None else explained(code))


def explained(code: str) -> str:
    """Return what a doubt means: the cases in which it is raised, one after the other."""
    wanted = str(code).strip().upper()
    if wanted not in CATALOGUE:
        near = " or ".join(get_close_matches(wanted, CATALOGUE))
        hint = f"did you mean {near}?" if near else "`skstat explain` lists all codes."
        raise ValueError(f"there is no doubt of the code {code!r}; {hint}")
    kind = CATALOGUE[wanted]
    return "\n\n".join([f"{kind.code} {kind.title}", *map(_case, kind.rules)])


def _case(rule: Rule) -> str:
    when, advice = map(plain, rule.words)
    paragraphs = (
        f"{rule.weight.capitalize()}: {_MEANING[rule.weight]}.",
        f"Raised when: {when}" if when else "Python leaves the explanations out (-OO).",
        f"To do: {rule.action}. {advice}".strip(),
    )
    return "\n\n".join(textwrap.fill(text, _WIDTH) for text in paragraphs)


def listed() -> str:
    """Return all codes and titles by the heaviest weight that they have."""
    blocks = []
    for weight in WEIGHTS:
        kinds = [CATALOGUE[code] for code in sorted(CATALOGUE)]
        found = [f"  {kind.code} {kind.title}" for kind in kinds if kind.weight == weight]
        blocks.append("\n".join([f"{weight.capitalize()}: {_MEANING[weight]}", *found]))
    return "\n\n".join(blocks)
