"""Which doubts there are, which of them facts give rise to, and what each means."""

import textwrap
from difflib import get_close_matches

from skstat._arguments import explains_arguments

# Each declares its kinds of doubt.
from skstat.report._doubts import rows, splits, verdict  # noqa: F401
from skstat.report._doubts.kind import CATALOGUE, plain
from skstat.report._verdicts import WEIGHTS, Weight

_MEANING: dict[Weight, str] = {
    "invalid": "the p-value or the interval does not mean what it says",
    "weak": "less can be concluded than it looks, or another design would tell more",
    "note": "worth knowing; nothing is wrong",
}


@explains_arguments()
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
    print(explained(code))


def explained(code: str | None = None) -> str:
    """Return what a doubt means, each of its cases by itself; without a code list all."""
    if code is None:
        return "\n\n".join(map(_listed, WEIGHTS))
    wanted = str(code).strip().upper()
    if wanted not in CATALOGUE:
        near = " or ".join(get_close_matches(wanted, CATALOGUE))
        hint = f"did you mean {near}?" if near else "`skstat explain` lists all codes."
        raise ValueError(f"there is no doubt of the code {code!r}; {hint}")
    kind = CATALOGUE[wanted]
    weights = sorted({rule.weight for rule in kind.rules}, key=WEIGHTS.index)
    paragraphs = [f"{kind.code} {kind.title}"]
    paragraphs += [f"{weight.capitalize()}: {_MEANING[weight]}." for weight in weights]
    several = len(kind.rules) > 1
    if several:
        paragraphs.append("It is raised in each of these cases:")
    for place, rule in enumerate(kind.rules, start=1):
        weight = f" ({rule.weight})" * (len(weights) > 1)
        case = f"{place}.{weight}" if several else "Raised when:"
        when = plain(rule.words[0]) or "Python leaves the explanations out (-OO)."
        paragraphs += [f"{case} {when}", f"To do: {rule.action}. {rule.advice}".strip()]
    return "\n\n".join(textwrap.fill(text, 88) for text in paragraphs)


def _listed(weight: Weight) -> str:
    """List the doubts that weigh so in their heaviest case."""
    kinds = [CATALOGUE[code] for code in sorted(CATALOGUE)]
    found = [f"  {kind.code} {kind.title}" for kind in kinds if kind.weight == weight]
    return "\n".join([f"{weight.capitalize()}: {_MEANING[weight]}", *found])
