"""Samples of counts: of instances that systems get right, and of comparisons that they win."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import NDArray

from skstat.stats._read import aligned, group_codes
from skstat.stats._score_table import names_of
from skstat.stats._scores import PairedScores, Scores, check_count, indices_of
from skstat.stats._stored import Written

_check_count = partial(check_count, least=0, floats=True)


class _Instances(Written):
    """Counts of instances: one unit, without splits and without an order."""

    unit: Literal["instance"] = "instance"
    n_repeats = None
    ordered = False


@dataclass(frozen=True)
class AgreementTable(_Instances):
    """How often two systems are right and wrong on the same instances.

    Parameters
    ----------
    both : int
        Instances on which A and B are right.
    only_a, only_b : int
        Instances on which only A, and only B, is right.
    neither : int
        Instances on which both are wrong.

    Raises
    ------
    ValueError
        If a count is not a whole number of at least 0, or all of them are 0.

    Examples
    --------
    >>> from skstat.stats import AgreementTable
    >>> table = AgreementTable(54, 18, 6, 22)
    >>> table.n_units, table.accuracies, table.agreement
    (100, (0.72, 0.6), 0.76)
    """

    example: ClassVar[str] = "AgreementTable(both, only_a, only_b, neither)"

    both: int
    only_a: int
    only_b: int
    neither: int

    def __post_init__(self) -> None:
        for name in ("both", "only_a", "only_b", "neither"):
            object.__setattr__(self, name, _check_count(name, getattr(self, name)))
        if self.n_units == 0:
            raise ValueError("the table is empty: all four counts are 0.")

    @classmethod
    def from_scores(cls, sample: PairedScores) -> Self:
        """Count instances that are scored 1 (right) or 0 (wrong).

        Parameters
        ----------
        sample : PairedScores
            Scores 0 and 1 of both systems, one instance each.

        Returns
        -------
        AgreementTable
            The four counts.
        """
        _check_instances(sample, "an agreement table")
        wrong = 2 * ~zero_one("a", sample.a) + ~zero_one("b", sample.b)
        return cls(*np.bincount(wrong, minlength=4).tolist())

    @property
    def n_units(self) -> int:
        """Number of instances."""
        return self.both + self.only_a + self.only_b + self.neither

    @property
    def accuracies(self) -> tuple[float, float]:
        """Share of instances on which A is right, and B."""
        right_a, right_b = self.both + self.only_a, self.both + self.only_b
        return right_a / self.n_units, right_b / self.n_units

    @property
    def agreement(self) -> float:
        """Share of instances on which both are right or both are wrong."""
        return (self.both + self.neither) / self.n_units

    @property
    def identical(self) -> bool:
        """Whether A and B are right on the same instances."""
        return self.only_a == self.only_b == 0

    def summaries(self) -> list[dict[str, float | None]]:
        """Accuracy of A, and of B."""
        # No standard deviation: that of 0 and 1 follows from the share.
        return [{"mean": share, "sd": None} for share in self.accuracies]


@dataclass(frozen=True)
class Successes(_Instances):
    """On how many instances one system is right.

    Parameters
    ----------
    successes : int
        Instances on which it is right.
    n : int
        All instances.

    Raises
    ------
    ValueError
        If a count is not a whole number, `n` is 0 or less than `successes`.

    Examples
    --------
    >>> from skstat.stats import Successes
    >>> Successes(72, 100).accuracy
    0.72
    """

    example: ClassVar[str] = "Successes(successes, n)"
    identical: ClassVar[bool] = False  # there is no second system

    successes: int
    n: int

    def __post_init__(self) -> None:
        for name in ("successes", "n"):
            object.__setattr__(self, name, _check_count(name, getattr(self, name)))
        if self.n == 0 or self.successes > self.n:
            raise ValueError(f"successes={self.successes} of n={self.n}: n is too small.")

    @classmethod
    def from_scores(cls, sample: Scores) -> Self:
        """Count instances that are scored 1 (right) or 0 (wrong).

        Parameters
        ----------
        sample : Scores
            Scores 0 and 1 of one system, one instance each.

        Returns
        -------
        Successes
            The two counts.
        """
        _check_instances(sample, "a count of successes")
        return cls(int(zero_one("values", sample.values).sum()), sample.n_units)

    @property
    def n_units(self) -> int:
        """Number of instances."""
        return self.n

    @property
    def accuracy(self) -> float:
        """Share of instances on which the system is right."""
        return self.successes / self.n

    def summaries(self) -> list[dict[str, float | None]]:
        """Accuracy of the system."""
        return [{"mean": self.accuracy, "sd": None}]


def zero_one(name: str, scores: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Return which scores are 1; refuse any other than 0 and 1."""
    bad = np.flatnonzero((scores != 0) & (scores != 1))
    if bad.size:
        raise ValueError(f"{name}[{bad[0]}] is {scores[bad[0]]:g}, not 1 (right) or 0 (wrong).")
    return scores == 1


def _check_instances(sample: PairedScores | Scores, what: str) -> None:
    if sample.unit != "instance":
        raise ValueError(f"{what} counts instances, but unit={sample.unit!r}: use other tests.")


Numbers = NDArray[np.float64]
Places = NDArray[np.int64]

# Words that a column of winners may hold in place of the names of systems, and their outcomes.
_KINDS = ("", "model_", "assistant_", "response_", "answer_", "output_", "system_", "option_")
_SIDES = {"first": 1.0, "left": 1.0, "second": 0.0, "right": 0.0}
_SIDES |= {kind + side: 1.0 for kind in _KINDS for side in "a1"}
_SIDES |= {kind + side: 0.0 for kind in _KINDS for side in "b2"}
_TIES = dict.fromkeys(
    (
        *("tie", "tied", "ties", "draw", "equal", "both", "neither", "same", "no_preference"),
        *("both_good", "both_bad", "bothbad", "tie_bothbad", "tie_both_bad"),
    ),
    0.5,
)
_SHARES = {"1": 1.0, "0": 0.0, "0.5": 0.5}
_MEANS = {1.0: "the first of the two", 0.0: "the second of the two", 0.5: "a tie"}
_NO_SIDES = (
    "name the columns of both systems by first= and second=, or give loser= in place of them"
)


@dataclass(frozen=True, eq=False, repr=False)
class Preferences:
    """Comparisons of two systems at a time: which one was preferred.

    Parameters
    ----------
    first, second : array-like of shape (n_comparisons,)
        Names of the two systems; the first is the one that was shown first.
    outcomes : array-like of shape (n_comparisons,)
        1 where the first was preferred, 0 where the second was, 0.5 of a tie.
    items : array-like of shape (n_comparisons,), optional
        What was compared on, such as the prompt: comparisons on one item depend on each
        other. None where each has an item of its own.
    sided : bool, default=True
        Whether `first` was shown first. False where that is not known.

    Raises
    ------
    ValueError
        If lengths differ, there are fewer than two systems, one is compared with itself, or an
        outcome is none.

    Examples
    --------
    >>> from skstat.stats import Preferences
    >>> seen = Preferences(["a", "a", "b"], ["b", "c", "c"], [1, 0.5, 0], items=[1, 1, 2])
    >>> seen.names, seen.n_comparisons, seen.n_items
    (('a', 'b', 'c'), 3, 2)
    """

    example: ClassVar[str] = "Preferences(first, second, outcomes, items=items)"

    first: Any
    second: Any
    outcomes: Any
    items: Any = field(default=None, kw_only=True)
    sided: bool = field(default=True, kw_only=True)
    names: tuple[str, ...] = field(init=False)

    def __post_init__(self) -> None:
        ends = [names_of(name, getattr(self, name)) for name in ("first", "second")]
        outcomes = np.asarray(self.outcomes, dtype=float)
        sizes = [*map(len, ends), outcomes.size]
        if outcomes.ndim != 1 or len(set(sizes)) > 1 or not outcomes.size:
            what = "first, second and outcomes must have one entry for each comparison"
            raise ValueError(f"{what}; they have {sizes[0]}, {sizes[1]} and {sizes[2]}.")
        wrong = np.flatnonzero(~np.isin(outcomes, (0, 0.5, 1)))
        if wrong.size:
            row, what = wrong[0], "1 (the first was preferred), 0 (the second) or 0.5 (a tie)"
            raise ValueError(f"outcomes[{row}] is {outcomes[row]:g}, and must be {what}.")
        names = tuple(dict.fromkeys(name for pair in zip(*ends, strict=True) for name in pair))
        if not all(map(str.strip, names)):
            raise ValueError("every comparison is of two systems, and some name is blank.")
        codes = {name: code for code, name in enumerate(names)}
        first, second = (np.array([codes[name] for name in end]) for end in ends)
        itself = np.flatnonzero(first == second)
        if itself.size:
            row = itself[0]
            raise ValueError(f"{ends[0][row]!r} is compared with itself in row {row}.")
        n, items = len(outcomes), self.items
        items = np.arange(n) if items is None else group_codes(items, n, "items")
        for value in (first, second, outcomes, items):
            value.setflags(write=False)
        fields = {"outcomes": outcomes, "items": items, "sided": bool(self.sided)}
        vars(self).update(fields, first=first, second=second, names=names)

    @classmethod
    def from_columns(
        cls,
        frame: Any,
        *,
        winner: str,
        item: str | None,
        first: str | None = None,
        second: str | None = None,
        loser: str | None = None,
    ) -> Self:
        """Read a DataFrame, or a mapping of columns, with one row per comparison.

        Parameters
        ----------
        frame : DataFrame or mapping
            pandas, polars, or anything whose columns are taken by name.
        winner : str
            Column of the one that was preferred: the name of a system, or ``"first"`` and
            ``"second"``, ``"model_a"`` and ``"model_b"``, ``"A"`` and ``"B"``, ``"left"`` and
            ``"right"``, 1 and 2; ``"tie"``, ``"draw"``, ``"both"`` or ``"neither"`` of a tie.
            Or the share of the first: 1, 0.5 and 0. What is the name of one of both is
            that name.
        item : str or None
            Column of the prompt, or whatever was compared on; None where every row has one of
            its own.
        first, second : str, optional
            Columns of the names of the two systems, in the order in which they were shown. By
            default those with names such as ``"model_a"`` and ``"model_b"``.
        loser : str, optional
            Column of the other one, in place of `first` and `second`. There are no ties then,
            and which one was shown first is not known.

        Returns
        -------
        Preferences
            The sample.

        Raises
        ------
        ValueError
            If a column is missing, or it is not clear which one was preferred.
        """
        if loser is first is second is None:
            first, second = sides_among(frame)
        if (first is None, second is None) != (loser is not None, loser is not None):
            raise ValueError(f"{_NO_SIDES}.")
        named = {"winner": winner, "first": first, "second": second, "loser": loser}
        columns = _columns(frame, named | {"item": item})
        winners, losers, items = columns["winner"], columns["loser"], columns["item"]
        if losers is None:
            one, other = (names_of(end, columns[end]) for end in ("first", "second"))
            outcomes = _outcomes(one, other, names_of(winner, winners), winner)
            return cls(one, other, outcomes, items=items)
        for row, name in [*enumerate(winners), *enumerate(losers)]:
            if _key(name) in _TIES:  # it would become a system
                raise ValueError(
                    f"{name!r} in row {row} is not a system: leave ties out, or give first= "
                    "and second= in place of loser=."
                )
        return cls(winners, losers, np.ones(len(winners)), items=items, sided=False)

    @property
    def n_comparisons(self) -> int:
        """Number of comparisons."""
        return len(self.outcomes)

    @cached_property
    def n_items(self) -> int:
        """Number of items."""
        return int(self.items.max()) + 1

    def take(self, names: Sequence[str]) -> "Preferences":
        """Return the comparisons of some systems with each other.

        Parameters
        ----------
        names : sequence of str
            Their names.

        Returns
        -------
        Preferences
            What is left.
        """
        chosen = indices_of(self.names, names)
        rows = np.isin(self.first, chosen) & np.isin(self.second, chosen)
        names_ = np.array(self.names)
        one, other = names_[self.first[rows]], names_[self.second[rows]]
        items = self.items[rows].tolist()
        return Preferences(one, other, self.outcomes[rows], items=items, sided=self.sided)

    def __repr__(self) -> str:
        return (
            f"<Preferences of {len(self.names)} systems: {self.n_comparisons} comparisons on "
            f"{self.n_items} items>"
        )


def _key(label: Any) -> str:
    """Normalise a label to a key: ``"Model A"`` to ``"model_a"``, ``"[[A]]"`` to ``"a"``."""
    return re.sub(r"[^\w.]+", "_", str(label).lower()).strip("_").removesuffix(".0")


def _columns(frame: Any, named: Mapping[str, Any]) -> dict[str, Any]:
    """Return columns by the arguments that name them; of a mapping, aligned by their index."""
    columns = _names_of_columns(frame)
    for argument, name in named.items():
        if name is not None and columns.count(name) != 1:
            what = "twice a column" if name in columns else "not a column"
            raise ValueError(f"{argument}={name!r} is {what}; there are {str(columns)[1:-1]}.")
    values = {key: None if name is None else frame[name] for key, name in named.items()}
    if isinstance(frame, Mapping):
        values = aligned(values, unit="comparison")
    return {key: None if column is None else list(column) for key, column in values.items()}


def _names_of_columns(frame: Any) -> list[Any]:
    """Return the names of the columns of a frame or mapping."""
    columns: Any = frame if isinstance(frame, Mapping) else getattr(frame, "columns", None)
    if columns is None:
        raise TypeError(f"frame is {type(frame).__name__}; give a DataFrame, or a mapping.")
    return list(columns)


def sides_among(frame: Any) -> tuple[Any, Any]:
    """Return the columns that name both systems, of a frame with one such pair."""
    names = _names_of_columns(frame)
    sides = [[name for name in names if _SIDES.get(_key(name)) == side] for side in (1, 0)]
    if [len(matches) for matches in sides] != [1, 1]:
        raise ValueError(f"{_NO_SIDES}; there are {', '.join(map(repr, names))}.")
    return sides[0][0], sides[1][0]


def _outcomes(
    first: list[str], second: list[str], winners: list[str], column: str
) -> list[float]:
    """Return the outcomes of comparisons from names of systems, or words such as ``"left"``.

    A word that is the name of one of the two systems compared is read as that name.
    """
    words = {name: _key(name) for name in dict.fromkeys(winners)}
    values = _SIDES | _TIES | (_SHARES if "0.5" in words.values() else {})
    systems = set(map(_key, {*first, *second}))
    outcomes = []
    for row, (a, b, name) in enumerate(zip(first, second, winners, strict=False)):
        outcome = values.get(words[name])
        if name in (a, b):
            outcome = float(name == a)
        elif outcome is None:
            raise ValueError(
                f"{column}={name!r} in row {row} is unknown; use {a!r}, {b!r} or 'tie'."
            )
        elif words[name] in systems:
            raise ValueError(
                f"{column}={name!r} in row {row} is the name of another system, and may also "
                f"mean {_MEANS[outcome]}; rename the systems."
            )
        outcomes.append(outcome)
    return outcomes
