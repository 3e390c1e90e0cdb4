"""Comparisons of two systems at a time, of which one was preferred, or neither."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from skstat.stats._common import is_missing
from skstat.stats._samples.clustered_scores import group_codes
from skstat.stats._samples.score_table import ScoreTable
from skstat.stats._samples.scores import PairedScores

Numbers = NDArray[np.float64]
Places = NDArray[np.int64]

# What a column may say beside the names of systems.
_FIRST = frozenset({"first", "a", "model_a", "assistant_a", "left", "1"})
_SECOND = frozenset({"second", "b", "model_b", "assistant_b", "right", "2"})
_TIES = frozenset(
    {
        *("tie", "tied", "ties", "draw", "equal", "both", "neither", "same"),
        *("both_bad", "bothbad", "tie_bothbad", "tie_both_bad", "tie_(bothbad)"),
    }
)


@dataclass(frozen=True, eq=False, repr=False)
class Preferences:
    """Comparisons of two systems at a time: which one was preferred.

    .. versionadded:: 0.2

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

    made_by: ClassVar[str] = "Preferences(first, second, outcomes, items=items)"

    first: Any
    second: Any
    outcomes: Any
    items: Any = field(default=None, kw_only=True)
    sided: bool = field(default=True, kw_only=True)
    names: tuple[str, ...] = field(init=False)

    def __post_init__(self) -> None:
        ends = [_labels(name, getattr(self, name)) for name in ("first", "second")]
        outcomes = np.asarray(self.outcomes, dtype=float)
        n = len(outcomes) if outcomes.ndim == 1 else -1
        if not (len(ends[0]) == len(ends[1]) == n) or not n:
            raise ValueError(
                "first, second and outcomes must have one entry for each comparison; they "
                f"have {len(ends[0])}, {len(ends[1])} and {max(n, 0)}."
            )
        wrong = ~np.isin(outcomes, (0, 0.5, 1))
        if wrong.any():
            place = int(np.argmax(wrong))
            raise ValueError(
                f"outcomes[{place}] is {outcomes[place]:g}: it must be 1 where the first was "
                "preferred, 0 where the second was, and 0.5 of a tie."
            )
        names = tuple(dict.fromkeys(name for pair in zip(*ends, strict=True) for name in pair))
        place_of = {name: number for number, name in enumerate(names)}
        first, second = (np.array([place_of[name] for name in end]) for end in ends)
        itself = np.flatnonzero(first == second)
        if itself.size:
            raise ValueError(
                f"{names[first[itself[0]]]!r} is compared with itself in row {itself[0]}; "
                "leave such rows out."
            )
        items = np.arange(n) if self.items is None else group_codes(self.items, n)
        for name, value in (
            ("first", first.astype(np.int64)),
            ("second", second.astype(np.int64)),
            ("outcomes", outcomes),
            ("items", items.astype(np.int64)),
        ):
            value.setflags(write=False)
            object.__setattr__(self, name, value)
        object.__setattr__(self, "names", names)
        object.__setattr__(self, "sided", bool(self.sided))

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
        item : str or None
            Column of the prompt, or whatever was compared on; None where every row has one of
            its own.
        first, second : str, optional
            Columns of the names of the two systems, in the order in which they were shown.
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
        if (loser is None) == (first is None and second is None) or (first is None) != (
            second is None
        ):
            raise ValueError(
                "name the columns of both systems by first= and second=, or give loser= in "
                "place of them."
            )
        items = None if item is None else _column(frame, "item", item)
        preferred = _column(frame, "winner", winner)
        if loser is not None:
            others = _column(frame, "loser", loser)
            return cls(preferred, others, np.ones(len(preferred)), items=items, sided=False)
        one, other = _column(frame, "first", first), _column(frame, "second", second)
        outcomes = [
            _outcome(row, a, b, found, winner)
            for row, (a, b, found) in enumerate(zip(one, other, preferred, strict=True))
        ]
        return cls(one, other, outcomes, items=items)

    @property
    def n_comparisons(self) -> int:
        """Number of comparisons."""
        return len(self.outcomes)

    @cached_property
    def n_items(self) -> int:
        """Number of items."""
        return int(self.items.max()) + 1

    @property
    def share_of_ties(self) -> float:
        """Share of the comparisons in which neither was preferred."""
        return float(np.mean(self.outcomes == 0.5))

    @property
    def share_of_first(self) -> float:
        """Share that the first has of the comparisons, ties counted half."""
        return float(np.mean(self.outcomes))

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
        unknown = [name for name in names if name not in self.names]
        if unknown:
            raise ValueError(
                f"{unknown[0]!r} is unknown; there are {', '.join(map(str, self.names))}."
            )
        chosen = np.isin(self.names, list(names))
        kept = chosen[self.first] & chosen[self.second]
        one, other = (
            [self.names[place] for place in end[kept]] for end in (self.first, self.second)
        )
        return Preferences(
            one, other, self.outcomes[kept], items=self.items[kept].tolist(), sided=self.sided
        )

    def __repr__(self) -> str:
        return (
            f"<Preferences of {len(self.names)} systems: {self.n_comparisons} comparisons on "
            f"{self.n_items} items>"
        )


@dataclass(frozen=True, eq=False)
class PairedStrengths(PairedScores):
    """What every item adds to the strengths of two systems.

    .. versionadded:: 0.2

    Parameters
    ----------
    a, b : array-like of shape (n_items,)
        What :class:`StrengthTable` has of them.
    unit, n_train, n_test, n_repeats, size_unit, ordered
        As in :class:`PairedScores`.
    """

    made_by: ClassVar[str] = "strength_table(preferences).pair('a', 'b')"
    only_test: ClassVar[str] = "strength_t"
    _written = PairedScores._written


@dataclass(frozen=True, eq=False, repr=False)
class StrengthTable(ScoreTable):
    """What every item adds to the strength of every system: their means are the strengths.

    .. versionadded:: 0.2

    Parameters
    ----------
    scores : array-like of shape (n_items, n_systems)
        Strength plus what the item moves it by, times the number of items.
    systems, datasets, higher_is_better, unit, n_train, n_test, n_repeats, size_unit, ordered
        As in :class:`ScoreTable`.
    n_comparisons : int
        Comparisons behind it.
    """

    made_by: ClassVar[str] = "strength_table(preferences)"
    pair_type: ClassVar[type[PairedScores]] = PairedStrengths
    _written = (*ScoreTable._written, "n_comparisons")

    n_comparisons: int = field(default=0, kw_only=True)

    def summaries(self) -> list[dict[str, float | None]]:
        """Strength of every system; what single items add has no meaning of its own."""
        return [{"mean": found["mean"], "sd": None} for found in super().summaries()]


def _labels(name: str, values: Any) -> list[str]:
    labels = [values] if isinstance(values, str) else list(values)
    for row, label in enumerate(labels):
        if is_missing(label) or not str(label).strip():
            raise ValueError(
                f"{name} has no name in row {row}; every comparison is of two systems."
            )
    return list(map(str, labels))


def _column(frame: Any, argument: str, name: Any) -> list[Any]:
    """Return a column by its name."""
    if not isinstance(frame, Mapping) and not hasattr(frame, "columns"):
        raise TypeError(
            f"frame is {type(frame).__name__}; give a DataFrame, or a mapping of name to "
            "column, with one row per comparison."
        )
    known = list(frame) if isinstance(frame, Mapping) else list(frame.columns)
    if name not in known:
        raise ValueError(
            f"{argument}={name!r} is not a column; there are {', '.join(map(repr, known))}."
        )
    return list(frame[name])


def _outcome(row: int, first: Any, second: Any, preferred: Any, column: str) -> float:
    """Read which one was preferred."""
    if is_missing(preferred):
        raise ValueError(
            f"{column} is missing in row {row}; leave such rows out, or write 'tie'."
        )
    if preferred == first:
        return 1.0
    if preferred == second:
        return 0.0
    number = isinstance(preferred, float) and preferred.is_integer()
    word = str(int(preferred) if number else preferred).strip().lower().replace(" ", "_")
    for words, outcome in ((_FIRST, 1.0), (_SECOND, 0.0), (_TIES, 0.5)):
        if word in words:
            return outcome
    raise ValueError(
        f"{column}={preferred!r} in row {row} is not one of the two systems, {first!r} and "
        f"{second!r}, nor 'first', 'second' or 'tie': it is not clear which one was preferred."
    )
