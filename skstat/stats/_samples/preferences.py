"""Comparisons of two systems at a time, of which one was preferred, or neither."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar, Self, cast

import numpy as np
from numpy.typing import NDArray

from skstat.stats._common import aligned, is_missing
from skstat.stats._samples.clustered_scores import group_codes
from skstat.stats._samples.score_table import ScoreTable
from skstat.stats._samples.scores import PairedScores, places_of

Numbers = NDArray[np.float64]
Places = NDArray[np.int64]

# What a column of winners may say beside the names of systems: how far the first one won.
_KINDS = ("", "model_", "assistant_", "response_", "answer_", "output_", "system_", "option_")
_SIDES = {
    "first": 1.0,
    "left": 1.0,
    "second": 0.0,
    "right": 0.0,
    **{kind + side: 1.0 for kind in _KINDS for side in ("a", "1")},
    **{kind + side: 0.0 for kind in _KINDS for side in ("b", "2")},
}
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
        if loser is None and first is None and second is None:
            first, second = sides_among(frame)
        if (loser is None) == (first is None and second is None) or (first is None) != (
            second is None
        ):
            raise ValueError(f"{_NO_SIDES}.")
        named = {"winner": winner, "first": first, "second": second, "loser": loser}
        found = _columns(frame, named | {"item": item})
        items, preferred = found.get("item"), found["winner"]
        if loser is not None:
            for argument in ("winner", "loser"):
                _refuse_ties(argument, named[argument], found[argument])
            ones = np.ones(len(preferred))
            return cls(preferred, found["loser"], ones, items=items, sided=False)
        ends = (_labels("first", found["first"]), _labels("second", found["second"]))
        return cls(*ends, _outcomes(*ends, preferred, winner), items=items)

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
        chosen = np.isin(np.arange(len(self.names)), places_of(self.names, names))
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

    Parameters
    ----------
    a, b : array-like of shape (n_items,)
        What :class:`StrengthTable` has of them.
    unit, n_train, n_test, n_repeats, size_unit, ordered
        As in :class:`PairedScores`.
    n_items : int, optional
        Number of items behind the numbers, where these are a summary.
    """

    made_by: ClassVar[str] = "strength_table(preferences).pair('a', 'b')"
    _written = (*PairedScores._written, "n_items")

    n_items: int | None = field(default=None, kw_only=True)

    @property
    def only_test(self) -> str:
        return "strength_t"

    @property
    def n_units(self) -> int:
        return len(self.a) if self.n_items is None else self.n_items


@dataclass(frozen=True, eq=False, repr=False)
class StrengthTable(ScoreTable):
    """What every item adds to the strength of every system: their means are the strengths.

    Parameters
    ----------
    scores : array-like of shape (n_items, n_systems)
        Strength plus what the item moves it by, times the number of items.
    systems, datasets, higher_is_better, unit, n_train, n_test, n_repeats, size_unit, ordered
        As in :class:`ScoreTable`.
    n_comparisons : int
        Comparisons behind it.
    n_items : int, optional
        Number of items behind the numbers, where these are a summary.
    """

    made_by: ClassVar[str] = "strength_table(preferences)"
    pair_type: ClassVar[type[PairedScores]] = PairedStrengths
    _written = (*ScoreTable._written, "n_comparisons", "n_items")

    n_comparisons: int = field(default=0, kw_only=True)
    n_items: int | None = field(default=None, kw_only=True)

    @property
    def n_units(self) -> int:
        return len(self.scores) if self.n_items is None else self.n_items

    def pair(self, a: str, b: str) -> PairedStrengths:
        return replace(cast(PairedStrengths, super().pair(a, b)), n_items=self.n_items)

    def summary(self) -> "StrengthTable":
        """Return two numbers for each system that have the means and covariances of all items.

        They lie on both sides of the strengths, along the columns of a root of the
        covariance: what a test of strengths reads of them is the same.

        Returns
        -------
        StrengthTable
            With as many units as this one.
        """
        n, k = self.scores.shape
        means = self.scores.mean(axis=0)
        root = np.linalg.qr(self.scores - means, mode="r")
        root *= np.sqrt((2 * k - 1) / (2 * (n - 1)))
        scores = np.concatenate([means + root, means - root])
        return replace(self, scores=scores, n_items=self.n_units)

    def summaries(self) -> list[dict[str, float | None]]:
        """Strength of every system; what single items add has no meaning of its own."""
        return [{"mean": found["mean"], "sd": None} for found in super().summaries()]


def _labels(name: str, values: Any) -> list[str]:
    labels = [values] if isinstance(values, str) else list(values)
    texts: dict[Any, str] = {}
    for row, label in enumerate(labels):
        if label in texts:
            continue
        if is_missing(label) or not str(label).strip():
            raise ValueError(
                f"{name} has no name in row {row}; every comparison is of two systems."
            )
        texts[label] = _text(label)
    return [texts[label] for label in labels]


def _text(label: Any) -> str:
    """Write a name; whole numbers are the same in a column of floats."""
    number = isinstance(label, float | np.floating) and float(label).is_integer()
    return str(int(label) if number else label)


def _word(label: Any) -> str:
    """Write a word as it is known here: ``"Model A"``, ``"[[A]]"``, ``"tie (bothbad)"``."""
    word = re.sub(r"[^\w.]+", "_", _text(label).lower()).strip("_")
    return word.removesuffix(".0")


def _columns(frame: Any, named: Mapping[str, Any]) -> dict[str, list[Any]]:
    """Return columns by the arguments that name them, in the order of one index."""
    known = _known(frame)
    for argument, name in named.items():
        if name is not None and known.count(name) != 1:
            what = "twice a column" if name in known else "not a column"
            raise ValueError(
                f"{argument}={name!r} is {what}; there are {', '.join(map(repr, known))}."
            )
    found = {argument: frame[name] for argument, name in named.items() if name is not None}
    if isinstance(frame, Mapping):
        found = aligned(found, unit="comparison")
    lists = {argument: list(column) for argument, column in found.items()}
    for argument, column in lists.items():
        if len(column) != len(lists["winner"]):
            raise ValueError(
                f"{argument}={named[argument]!r} has {len(column)} rows, and the winners have "
                f"{len(lists['winner'])}: every comparison has one row."
            )
    return lists


def _known(frame: Any) -> list[Any]:
    if not isinstance(frame, Mapping) and not hasattr(frame, "columns"):
        raise TypeError(
            f"frame is {type(frame).__name__}; give a DataFrame, or a mapping of name to "
            "column, with one row per comparison."
        )
    return list(frame) if isinstance(frame, Mapping) else list(frame.columns)


def sides_among(frame: Any) -> tuple[Any, Any]:
    """Return the columns that name both systems, of a frame with one such pair."""
    known = _known(frame)
    sides = {_word(name): name for name in known if isinstance(name, str)}
    firsts, seconds = (
        [name for word, name in sides.items() if _SIDES.get(word) == side] for side in (1, 0)
    )
    if len(firsts) != 1 or len(seconds) != 1:
        raise ValueError(f"{_NO_SIDES}; there are {', '.join(map(repr, known))}.")
    return firsts[0], seconds[0]


def _refuse_ties(argument: str, column: Any, labels: list[Any]) -> None:
    """Refuse a tie among the names of winners and losers, which would become a system."""
    row = next((row for row, label in enumerate(labels) if _word(label) in _TIES), None)
    if row is not None:
        raise ValueError(
            f"{column}={labels[row]!r} in row {row} is not a system: a tie has no loser "
            f"({argument}=). Leave ties out; or name the columns of both systems by first= and "
            "second=, where winner= may hold ties."
        )


def _outcomes(
    first: list[str], second: list[str], winners: list[Any], column: str
) -> list[float]:
    """Read which ones were preferred: by the names of systems, or words for their places.

    A word that is also the name of some system is read as that name alone.
    """
    missing = next((row for row, winner in enumerate(winners) if is_missing(winner)), None)
    if missing is not None:
        raise ValueError(
            f"{column} is missing in row {missing}; leave such rows out, or write 'tie'."
        )
    names = list(map(_text, winners))
    words = {name: _word(name) for name in dict.fromkeys(names)}
    of_word = _SIDES | _TIES | (_SHARES if "0.5" in words.values() else {})
    systems = {_word(name) for name in {*first, *second}}
    known: dict[tuple[str, str, str], float] = {}
    for row, case in enumerate(zip(first, second, names, strict=True)):
        if case in known:
            continue
        a, b, name = case
        means, where = of_word.get(words[name]), f"{column}={name!r} in row {row}"
        if name in (a, b):
            means = float(name == a)
        elif means is not None and words[name] in systems:
            raise ValueError(
                f"{where} may be a system's name, but not of the two there ({a!r} and {b!r}), "
                f"and may also mean {_MEANS[means]}: it is not clear which one was "
                f"preferred. Write names of systems in {column}, or rename the systems."
            )
        if means is None:
            raise ValueError(
                f"{where} is not one of the two systems, {a!r} and {b!r}, nor 'first', "
                "'second' or 'tie': it is not clear which one was preferred."
            )
        known[case] = means
    return [known[case] for case in zip(first, second, names, strict=True)]
