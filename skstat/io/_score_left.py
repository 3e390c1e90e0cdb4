"""Whether results that are left to be compared have a score, or costs and times only."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from skstat._columns import names_no_score
from skstat._directions import direction_of
from skstat.io._join import ResultsError
from skstat.io._results import Results

# More words than these are answers, not grades.
_MOST_GRADES = 7


def check_score_is_left(parts: Sequence[Results], joined: Results) -> None:
    """Refuse errors, costs and times only, where something else looks like the score.

    Parameters
    ----------
    parts : sequence of Results
        What was read.
    joined : Results
        What is left of it to be compared.

    Raises
    ------
    ResultsError
        If a score is not in all parts, or a column of words grades the systems.
    """
    if any(direction_of(name) is not False for name in joined.metrics):
        return
    left = ", ".join(joined.metrics)
    say_so = f"say so: columns={{'score': {joined.metrics[0]!r}}}."
    for part in parts:
        lost = [name for name in part.metrics if name not in joined.scores]
        score = next((name for name in lost if direction_of(name) is True), None)
        if score is not None:
            raise ResultsError(
                f"{score} looks like the score of {', '.join(part.names)}, and not all results "
                f"have it: what they have in common is {left}. If that is to be compared, "
                f"{say_so}"
            )
    for name in joined.columns:
        words = [] if names_no_score(name) else _grades(joined, name)
        if words:
            raise ResultsError(
                f"{name!r} may be the score: it holds {', '.join(map(repr, words))}, and "
                "differs between systems on one item. Write numbers for these words, such as 1 "
                f"and 0. What is left is {left}; if that is to be compared, {say_so}"
            )


def _grades(results: Results, column: str) -> list[str]:
    """Return the words of a column, if they are few and differ between systems on one item."""
    cells: list[Any] = results.columns[column].tolist()
    words = list(dict.fromkeys(cells))[: _MOST_GRADES + 1]
    if not (1 < len(words) <= _MOST_GRADES and all(isinstance(word, str) for word in words)):
        return []
    of_system: dict[tuple[str, str], set[str]] = defaultdict(set)
    for system, item, word in zip(results.system, results.item, cells, strict=True):
        of_system[item, system].add(word)
    of_item: dict[str, set[str]] = {}
    for (item, _), own in of_system.items():
        if of_item.setdefault(item, own) != own:
            return words
    return []
