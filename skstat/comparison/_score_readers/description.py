"""What the caller says of the scores, checked before they are read, and what is read."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from skstat._columns import read_name
from skstat.comparison._engine import Scored
from skstat.io._roles import names_of
from skstat.stats import PairedScores, Scores, ScoreTable, SeedScores
from skstat.stats._scores import UNITS as UNITS_OF_SCORES

# What doors of scores do not take, and what to write instead.
INSTEAD = {
    "columns": "name the columns one by one, by system=, item=, group=, repeat= and score=.",
    "names": "give a mapping of name to scores, or ScoreTable(scores, systems=names).",
    "post_hoc": "test= names the comparison of pairs too.",
}

SIZES = ("n_train", "n_test", "n_repeats")
_AVERAGED = ("aggregate", "mean")
# The arguments that name columns of a frame, or say how its rows become one, and all that say
# what numbers are.
COLUMNS = ("system", "item", "group", "repeat", "score", "task", "by", "aggregate")
UNITS = ("unit", *SIZES, "paired_seeds", "groups", *COLUMNS)


@dataclass(frozen=True, kw_only=True)
class Description:
    """What the caller says of the scores.

    Attributes
    ----------
    unit, n_train, n_test, n_repeats : object
        Units of bare numbers, as samples take them.
    paired_seeds : bool
        Whether seed i of every system belongs together.
    system, item, group, repeat : str or None
        Columns of a frame of results, by what they name.
    score : str, list of str or None
        Its columns of scores, or metrics of results.
    groups : array-like or None
        Group of every row; doors give it as `group`.
    aggregate : str
        How repeats become one score.
    task : str or None
        Column of the part of a benchmark that an item belongs to.
    by : tuple of str or None
        Columns by which items are cut into slices.
    systems : tuple of str or None
        Which systems are compared, in this order.
    scoring : str, list of str or None
        The metric, or metrics.
    constant : float or None
        What one system is compared with, in the caller's sign.
    higher_is_better : bool, mapping of str to bool, or None
        What the caller says of the directions of the metrics.
    door : str
        The function that was called.
    units, sizes, given : dict, list, dict
        Units as samples take them, which sizes of splits are given, and the arguments that say
        something.
    said_unit : str or None
        The unit that the caller gave; sizes are of splits.
    names_columns : bool
        Whether columns of a frame of results are named.
    """

    unit: Any
    n_train: Any
    n_test: Any
    n_repeats: Any
    paired_seeds: Any
    systems: Any
    scoring: Any
    constant: float | None = None
    system: Any = None
    item: Any = None
    group: Any = None
    repeat: Any = None
    score: Any = None
    groups: Any = None
    aggregate: Any = "mean"
    task: str | None = None
    by: tuple[str, ...] | None = None
    higher_is_better: Any = None
    door: str = "compare_scores"
    units: dict[str, Any] = field(init=False)
    sizes: list[str] = field(init=False)
    given: dict[str, Any] = field(init=False)
    said_unit: Any = field(init=False)
    names_columns: bool = field(init=False)

    def __post_init__(self) -> None:
        unit = self.unit
        if unit is not None and (not isinstance(unit, str) or unit not in UNITS_OF_SCORES):
            known = f"use one of {', '.join(map(repr, UNITS_OF_SCORES))}"
            meant = read_name(str(unit)).unit
            write = known if meant is None else f"write unit={meant!r}"
            raise ValueError(f"unit={unit!r} is unknown; {write}.")
        if isinstance(self.systems, str) or not isinstance(self.systems, Iterable | None):
            raise ValueError(f"systems={self.systems!r} must be a list of names: ('a', 'b').")
        if not isinstance(self.paired_seeds, bool | np.bool_):
            raise ValueError(f"paired_seeds={self.paired_seeds!r} must be True or False.")
        kept = vars(self)
        kept["paired_seeds"] = bool(self.paired_seeds)
        kept["systems"] = None if self.systems is None else tuple(map(str, self.systems))
        if np.ndim(self.group):  # a label for every row, not the name of a column
            kept["groups"], kept["group"] = self.group, None
        kept["units"] = {name: kept[name] for name in ("unit", *SIZES)}
        kept["sizes"] = [name for name in SIZES if kept[name] is not None]
        kept["given"] = {}
        for name in (*UNITS, "scoring", "systems"):
            value = kept[name]
            if value is not None and value is not False and (name, value) != _AVERAGED:
                kept["given"][name] = value
        kept["said_unit"] = unit or ("split" if self.sizes else None)
        kept["names_columns"] = not self.given.keys().isdisjoint(COLUMNS)

    def call(self, called: Mapping[str, Any], **proposed: Any) -> str:
        """Write the call with what the caller said of the columns, and what is proposed.

        `called` says how the frame has the names of its columns.
        """
        names = (*COLUMNS, "unit", "scoring", "systems")
        arguments = {name: self.given[name] for name in names if name in self.given}
        arguments |= {role: called.get(str(name), name) for role, name in proposed.items()}
        written = ", ".join(f"{name}={value!r}" for name, value in arguments.items())
        return f"{self.door}(frame, {written})"

    @property
    def metric(self) -> str:
        """The one metric that scores without a run are of."""
        if self.scoring is None:
            return "score"
        if not isinstance(self.scoring, str):
            raise ValueError(
                f"scoring={self.scoring!r} must be one name for scores without a run: it says "
                "what the scores are, such as scoring='accuracy'."
            )
        return self.scoring

    def metrics_asked(self, known: Sequence[str], argument: str = "scoring") -> tuple[str, ...]:
        """Return the metrics that are asked for, of those that are known; all by default."""
        chosen = getattr(self, argument)
        named = tuple(known) if chosen is None else names_of(chosen)
        if not named or not set(named) <= set(known):
            raise ValueError(f"{argument}={chosen!r}: the metrics are {', '.join(known)}.")
        return named

    def refuse(self, scores: Any, arguments: Iterable[str] = UNITS) -> None:
        """Refuse what describes bare numbers or frames, of scores that do not ask for it."""
        for argument in (name for name in arguments if name in self.given):
            what = "the columns of a frame" if argument in COLUMNS else "bare numbers"
            what = "systems that have names" if argument == "systems" else what
            raise ValueError(
                f"{argument.replace('groups', 'group')}= describes {what}, and scores is a "
                f"{type(scores).__name__}."
            )

    def chosen(self, known: Iterable[str], unit: str | None = None) -> tuple[str, ...]:
        """Systems to compare, of those that are known; all by default."""
        if self.paired_seeds and unit != "seed":
            raise ValueError("paired_seeds=True says how seeds go together; say unit='seed'.")
        known = tuple(known)
        found = known if self.systems is None else self.systems
        if self.constant is not None and len(found) != 1:
            raise ValueError(
                f"scores holds {len(known)} systems, and a constant is compared with one; say "
                f"which: systems=(name,), of {list(known)}."
            )
        if self.constant is None and found is known and len(known) < 2:
            raise ValueError(
                f"scores holds {len(known)} system(s), and a comparison needs two: give a "
                "mapping of name to scores, or an array with a column for each. One system is "
                "compared with constant=."
            )
        least, what = (2, "two or more different ones") if self.constant is None else (1, "one")
        if not set(found) <= set(known) or len(set(found)) < max(least, len(found)):
            raise ValueError(f"systems={found!r} must be {what} of {list(known)}.")
        return found


def letters(n_systems: int) -> tuple[str, ...]:
    """Names of systems that come without."""
    return tuple(chr(65 + i) if i < 26 else f"system {i}" for i in range(n_systems))


Sample = Scores | PairedScores | ScoreTable | SeedScores


class Items(NamedTuple):
    """What rows say of the units of a sample, where they name the items.

    Attributes
    ----------
    labels : sequence of str
        The items.
    task : ndarray or None
        Task of every item, where that was asked for.
    slices : mapping of str to ndarray
        The columns by which items are cut into slices, by their names.
    """

    labels: Sequence[str]
    task: Any
    slices: Mapping[str, Any]


@dataclass(frozen=True, kw_only=True)
class Given:
    """Estimators of a run by some metrics, or scores without a run.

    Attributes
    ----------
    names : tuple of str
        The systems, of which a pair or the scores of one system do not know the names.
    run : CrossValidationRun, DatasetsRun or None
        The run.
    metrics : sequence of str
        Which of its metrics.
    scored : mapping of str to Scored
        Scores without a run, by metric. A pair is one that the caller made: other scores of two
        systems are a table, so that either can be the control. Readers give them as they stand
        there: :func:`read_scores` turns those of which lower is better.
    items : mapping of str to Items
        Of the scores of a metric, where they were read from rows that name the items.
    row_items : sequence of str
        The item of every row that was handed in, for these.
    declared : mapping of str to bool
        Whether higher is better by what the scores were read from, where that says so.
    of_scorer : bool
        Whether scorers of scikit-learn computed the scores, of which higher is better.
    of_sample : bool
        Whether the caller made the sample, which says itself which way is better.
    """

    names: tuple[str, ...]
    run: Any = None
    metrics: Sequence[str] = ()
    scored: Mapping[str, Scored] = field(default_factory=dict)
    items: Mapping[str, Items] = field(default_factory=dict)
    row_items: Sequence[str] = ()
    declared: Mapping[str, bool] = field(default_factory=dict)
    of_scorer: bool = False
    of_sample: bool = False
