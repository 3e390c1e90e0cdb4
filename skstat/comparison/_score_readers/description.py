"""The caller's description of scores, and the scores after they were read."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from skstat._columns import read_name
from skstat.comparison._engine import Scored
from skstat.io._roles import names_of
from skstat.stats import PairedScores, Scores, ScoreTable, SeedScores
from skstat.stats._scores import UNITS as UNITS_OF_SCORES

# Arguments that functions on scores do not have, and what to write instead.
INSTEAD = {
    "columns": "name the columns one by one, by system=, item=, group=, repeat= and score=.",
    "names": "give a mapping of name to scores, or ScoreTable(scores, systems=names).",
    "post_hoc": "test= names the comparison of pairs too.",
}

SIZES = ("n_train", "n_test", "n_repeats")
_AVERAGED = ("aggregate", "mean")
# Arguments about columns of a frame, and all arguments about the units of scores.
COLUMNS = ("system", "item", "group", "repeat", "score", "task", "by", "aggregate")
UNITS = ("unit", *SIZES, "paired_seeds", "groups", *COLUMNS)


@dataclass(frozen=True, kw_only=True)
class Description:
    """The caller's description of scores.

    Attributes
    ----------
    unit, n_train, n_test, n_repeats : object
        Unit, and sizes of splits, as samples take them.
    paired_seeds : bool
        Whether seed i is paired across systems.
    system, item, group, repeat : str or None
        Columns of a frame with these labels.
    score : str, list of str or None
        Columns of scores in a frame, or metrics of results.
    groups : array-like or None
        Group of every row, if `group` is not a column.
    aggregate : str
        How repeats become one score.
    task : str or None
        Column of the task of every item.
    by : tuple of str or None
        Columns by which items are cut into slices.
    systems : tuple of str or None
        The systems to compare, in this order.
    scoring : str, list of str or None
        The metric, or metrics.
    constant : float or None
        Score that one system is compared with, with the caller's sign.
    higher_is_better : bool, mapping of str to bool, or None
        Directions of the metrics, if the caller gave them.
    door : str
        Name of the called function.
    units, sizes, given : dict, list, dict
        Arguments of samples, names of the given sizes of splits, and all given arguments.
    said_unit : str or None
        The unit that the caller gave; with sizes of splits it is ``"split"``.
    names_columns : bool
        Whether the caller named columns of a frame.
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
            valid = f"use one of {', '.join(map(repr, UNITS_OF_SCORES))}"
            guess = read_name(str(unit)).unit
            remedy = valid if guess is None else f"write unit={guess!r}"
            raise ValueError(f"unit={unit!r} is unknown; {remedy}.")
        if isinstance(self.systems, str) or not isinstance(self.systems, Iterable | None):
            raise ValueError(f"systems={self.systems!r} must be a list of names: ('a', 'b').")
        if not isinstance(self.paired_seeds, bool | np.bool_):
            raise ValueError(f"paired_seeds={self.paired_seeds!r} must be True or False.")
        fields = vars(self)
        fields["paired_seeds"] = bool(self.paired_seeds)
        fields["systems"] = None if self.systems is None else tuple(map(str, self.systems))
        if np.ndim(self.group):  # a label for every row, not the name of a column
            fields["groups"], fields["group"] = self.group, None
        fields["units"] = {name: fields[name] for name in ("unit", *SIZES)}
        fields["sizes"] = [name for name in SIZES if fields[name] is not None]
        fields["given"] = {}
        for name in (*UNITS, "scoring", "systems"):
            value = fields[name]
            if value is not None and value is not False and (name, value) != _AVERAGED:
                fields["given"][name] = value
        fields["said_unit"] = unit or ("split" if self.sizes else None)
        fields["names_columns"] = not self.given.keys().isdisjoint(COLUMNS)

    def call(self, labels: Mapping[str, Any], **proposed: Any) -> str:
        """Return code of the call with the caller's columns, and with proposed ones.

        `labels` maps names of columns to their labels in the frame.
        """
        names = (*COLUMNS, "unit", "scoring", "systems")
        arguments = {name: self.given[name] for name in names if name in self.given}
        arguments |= {role: labels.get(str(name), name) for role, name in proposed.items()}
        text = ", ".join(f"{name}={value!r}" for name, value in arguments.items())
        return f"{self.door}(frame, {text})"

    @property
    def metric(self) -> str:
        """The one metric of scores without a run."""
        if self.scoring is None:
            return "score"
        if not isinstance(self.scoring, str):
            raise ValueError(
                f"scoring={self.scoring!r} must be one name for scores without a run: it says "
                "what the scores are, such as scoring='accuracy'."
            )
        return self.scoring

    def metrics_of(self, metrics: Sequence[str], argument: str = "scoring") -> tuple[str, ...]:
        """Return the metrics that the caller chose; all by default."""
        chosen = getattr(self, argument)
        names = tuple(metrics) if chosen is None else names_of(chosen)
        if not names or not set(names) <= set(metrics):
            raise ValueError(f"{argument}={chosen!r}: the metrics are {', '.join(metrics)}.")
        return names

    def refuse(self, scores: Any, arguments: Iterable[str] = UNITS) -> None:
        """Refuse arguments that do not fit this kind of scores."""
        for argument in (name for name in arguments if name in self.given):
            what = "the columns of a frame" if argument in COLUMNS else "bare numbers"
            what = "systems that have names" if argument == "systems" else what
            raise ValueError(
                f"{argument.replace('groups', 'group')}= describes {what}, and scores is a "
                f"{type(scores).__name__}."
            )

    def chosen(self, names: Iterable[str], unit: str | None = None) -> tuple[str, ...]:
        """Return the systems to compare, out of `names`; all by default."""
        if self.paired_seeds and unit != "seed":
            raise ValueError("paired_seeds=True says how seeds go together; say unit='seed'.")
        names = tuple(names)
        systems = names if self.systems is None else self.systems
        if self.constant is not None and len(systems) != 1:
            raise ValueError(
                f"scores holds {len(names)} systems, and a constant is compared with one; say "
                f"which: systems=(name,), of {list(names)}."
            )
        if self.constant is None and systems is names and len(names) < 2:
            raise ValueError(
                f"scores holds {len(names)} system(s), and a comparison needs two: give a "
                "mapping of name to scores, or an array with a column for each. One system is "
                "compared with constant=."
            )
        least, what = (2, "two or more different ones") if self.constant is None else (1, "one")
        if not set(systems) <= set(names) or len(set(systems)) < max(least, len(systems)):
            raise ValueError(f"systems={systems!r} must be {what} of {list(names)}.")
        return systems


def letters(n_systems: int) -> tuple[str, ...]:
    """Return names for systems without: A, B, C, ..."""
    return tuple(chr(65 + i) if i < 26 else f"system {i}" for i in range(n_systems))


Sample = Scores | PairedScores | ScoreTable | SeedScores


class Items(NamedTuple):
    """Items of a sample, where rows of scores name them.

    Attributes
    ----------
    labels : sequence of str
        The items.
    task : ndarray or None
        Task of every item, if the caller named a column of tasks.
    slices : mapping of str to ndarray
        Columns by which items are cut into slices, by name.
    """

    labels: Sequence[str]
    task: Any
    slices: Mapping[str, Any]


@dataclass(frozen=True, kw_only=True)
class ReadScores:
    """Scores that were read: a run with some of its metrics, or scores without a run.

    Attributes
    ----------
    names : tuple of str
        The systems; samples of one system or a pair do not hold their names.
    run : CrossValidationRun, DatasetsRun or None
        The run.
    metrics : sequence of str
        The chosen metrics of the run.
    scored : mapping of str to Scored
        Scores without a run, by metric. Two systems are a table, so that either can be the
        control, unless the caller made a pair. :func:`read_scores` negates them if lower is
        better.
    items : mapping of str to Items
        Items by metric, where rows of scores name them.
    row_items : sequence of str
        The item of every row of the caller's, for these.
    declared : mapping of str to bool
        Whether higher is better, by metric, where the source of the scores says so.
    of_scorer : bool
        Whether scorers of scikit-learn computed the scores, so that higher is better.
    of_sample : bool
        Whether the caller made the sample, which has a direction of its own.
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
