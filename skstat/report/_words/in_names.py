"""Texts of procedures, which say A and B, with the names of the two systems."""

import re

_EITHER = re.compile(r"\b[AB]\b")


def in_names(text: str, a: str, b: str) -> str:
    """Put the names of two systems where a text of ``skstat.stats`` has A and B.

    A procedure does not know who is compared. In what it says of itself, the letters A and B,
    alone, stand for the first and the second system and for nothing else.

    Parameters
    ----------
    text : str
        What an outcome says.
    a, b : str
        Names as they are shown.

    Returns
    -------
    str
        The text; letters within a name stay.

    Examples
    --------
    >>> in_names("mean of score(A) - score(B)", "B", "A")
    'mean of score(B) - score(A)'
    """
    names = {"A": a, "B": b}
    return _EITHER.sub(lambda found: names[found[0]], text)


def estimand_in_names(estimand: str, a: str, b: str, metric: str, scale: str) -> str:
    """Put the names of two systems and of the metric in what is estimated.

    Parameters
    ----------
    estimand : str
        What an outcome says that it estimates, the difference of two scores.
    a, b : str
        Names as they are shown.
    metric : str
        Name of the metric as it is shown: a loss by its own name, as its differences are.
    scale : str
        What the estimate is measured in; only scores have the name of the metric.

    Returns
    -------
    str
        The text.

    Examples
    --------
    >>> estimand_in_names("mean of score(A) - score(B)", "new", "old", "accuracy", "score")
    'mean of accuracy(new) - accuracy(old)'
    """
    text = estimand.replace("score(", f"{metric}(") if scale == "score" else estimand
    return in_names(text, a, b)
