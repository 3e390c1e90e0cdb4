"""Which planner suits what is told of a comparison that is to be made."""

from collections.abc import Mapping
from numbers import Real
from typing import Any, get_args

import numpy as np

from skstat.stats import (
    AnswersPlanner,
    GroupsPlanner,
    McNemarPlanner,
    PairedTPlanner,
    Planner,
    ProjectionPlanner,
    RepeatsPlanner,
    RowsPlanner,
    SeedsPlanner,
    SignPlanner,
    SplitsPlanner,
    SystemsPlanner,
    WilcoxonPlanner,
)
from skstat.stats._planning import PostHoc, independent_errors
from skstat.stats._samples import UNITS

_OF_DATASETS = {
    planner.function: planner for planner in (WilcoxonPlanner, SignPlanner, PairedTPlanner)
}
_OF_SPLITS = {planner.function: planner for planner in (ProjectionPlanner, SplitsPlanner)}


class Facts:
    """What was told, each to be used once; what is left over was told in vain."""

    def __init__(self, told: Mapping[str, Any]) -> None:
        self._told = dict(told)

    def __contains__(self, name: str) -> bool:
        return name in self._told

    def any_of(self, *names: str) -> bool:
        """Whether any of these was told."""
        return any(name in self._told for name in names)

    def take(self, name: str, otherwise: Any = None) -> Any:
        """Return what was told, or something else."""
        return self._told.pop(name, otherwise)

    def need(self, name: str, why: str) -> Any:
        """Return what was told; say what it is where it is missing."""
        if name not in self._told:
            raise ValueError(f"{name} is missing: {why}")
        return self._told.pop(name)

    def refuse_rest(self, planner: Planner) -> None:
        """Refuse what the plan has no use for."""
        if self._told:
            raise ValueError(
                f"{next(iter(self._told))}= has no part in this plan ({planner.test}), whose "
                f"units are {planner.unit}s; leave it out."
            )


def on_one_data_set(
    holds: str,
    unit: str | None,
    splits: Mapping[str, Any],
    *,
    facts: Facts,
    level: dict[str, Any],
    kind: str | None,
    notes: list[str],
    difference: float | None,
    has_margin: bool,
    repetitions: bool,
) -> Planner:
    """Plan rows, groups, items, seeds or splits of one data set.

    Parameters
    ----------
    holds, unit : str
        What the user will have, and what one score is of.
    splits : mapping
        The splits, as far as they are described.
    facts : Facts
        What else was told; what is used is taken from it.
    level : dict
        Level and sides of the test.
    kind : str or None
        Kind of the metric.
    notes : list of str
        What the reader should know, which is added to.
    difference : float or None
        The difference that matters; with a margin the true one.
    has_margin : bool
        Whether it is planned to show that two systems are the same, or one not worse.
    repetitions : bool
        Whether repetitions on the rows that there are may be what is sought.
    """
    if holds == "predictions":
        if unit is not None:
            raise ValueError("unit= is for scores, but you hold predictions; leave it out.")
        return _on_test_set(facts, kind, level, notes, 0.0 if has_margin else difference)
    if holds == "scores" and unit != "split" and not splits:
        return _of_scores(facts, unit, level)
    refuse_unit(unit, "split")
    if not _projects(facts, holds, splits):
        return _on_splits(facts, splits, level)
    return _on_halves(
        facts, kind, level, notes,
        difference=None if has_margin else difference, repetitions=repetitions,
    )  # fmt: skip


def refuse_unit(unit: str | None, *possible: str) -> None:
    """Refuse a unit that is unknown, or not one of those that are possible."""
    if unit is not None and unit not in UNITS:
        raise ValueError(f"unit={unit!r} is unknown; use one of {', '.join(map(repr, UNITS))}.")
    if unit not in (None, *possible):
        raise ValueError(f"unit={unit!r} contradicts the rest: leave it out.")


_SD = {
    "row": "the standard deviation of one row's difference; of a pilot, its standard error "
    "times the root of its number of rows.",
    "split": "the standard deviation of the differences of splits, from a pilot.",
    "data set": "the standard deviation of the differences of data sets; over benchmarks 0.02 "
    "to 0.1 of accuracy is usual.",
}


def _sizes(given: Any, notes: list[str]) -> tuple[float, float]:
    """Return the mean size of groups, and how unequal they are."""
    sizes = np.asarray(given)
    if sizes.ndim == 0:
        notes.append("groups of one size are assumed; group_size= takes a list of sizes, too")
        return given, 1.0
    if sizes.ndim > 1 or len(sizes) < 2 or sizes.dtype.kind not in "iuf" or sizes.min() < 1:
        raise ValueError(
            f"group_size={given!r} must be the rows per group: a number, or a list with the "
            "number of each group, of at least 1 row."
        )
    mean = float(sizes.mean())
    return mean, float((sizes.astype(float) ** 2).mean()) / mean**2


def _on_test_set(
    facts: Facts,
    kind: str | None,
    level: dict[str, Any],
    notes: list[str],
    difference: float | None,
) -> Planner:
    grouped = facts.any_of("n_groups", "group_size", "icc")
    seeds = facts.any_of("n_seeds", "sd_seeds", "sd_rest", "paired_seeds")
    answers = facts.any_of("n_answers", "sd_answers")
    if grouped + seeds + answers > 1:
        raise ValueError(
            "groups, seeds and several answers are planned one at a time: tell the one that "
            "varies most."
        )
    if _of_right_and_wrong(facts, kind):
        planner = _right_and_wrong(facts, level, notes, difference)
        if not (grouped or seeds or answers):
            return planner
        spread = planner.standard_error(1, difference or 0.0)
    else:
        spread = facts.need("sd", _SD["row"])
    if grouped:
        size, unequal = _sizes(facts.need("group_size", "the number of rows per group."), notes)
        return GroupsPlanner(
            sd=spread,
            icc=facts.need(
                "icc", "the correlation of two differences in one group; 0 to 0.3 is usual."
            ),
            group_size=size,
            unequal=unequal,
            **level,
        )
    if seeds:
        return SeedsPlanner(
            sd_rows=spread,
            sd_seeds=facts.need(
                "sd_seeds", "the standard deviation over seeds of the difference of the scores."
            ),
            sd_rest=facts.take("sd_rest", 0.0),
            n_rows=facts.need("n", "the rows of the test set; the plan is of seeds."),
            paired_seeds=bool(facts.take("paired_seeds", False)),
            **level,
        )
    if answers:
        return AnswersPlanner(
            sd_items=spread,
            sd_answers=facts.need(
                "sd_answers",
                "the standard deviation of the difference of one answer of each system.",
            ),
            n_answers=facts.take("n_answers", 1),
            **level,
        )
    return RowsPlanner(sd=spread, **level)


def _of_right_and_wrong(facts: Facts, kind: str | None) -> bool:
    return kind in (None, "accuracy") and "sd" not in facts


def _right_and_wrong(
    facts: Facts, level: dict[str, Any], notes: list[str], difference: float | None
) -> McNemarPlanner:
    if "error_rates" in facts:
        if "discordant" in facts:
            raise ValueError("give discordant or error_rates, not both.")
        share = _independent(facts.take("error_rates"), difference)
        notes.append(
            f"errors are independent, so that exactly one system is right on {share:.4g} "
            "of the rows; fewer if they find the same rows hard"
        )
    else:
        share = facts.need(
            "discordant",
            "the share of rows on which exactly one system is right; or say error_rates=, "
            "or sd= for a metric that is not the share of right answers.",
        )
    return McNemarPlanner(discordant=share, **level)


def _independent(error_rates: Any, difference: float | None) -> float:
    pair = error_rates if isinstance(error_rates, tuple | list) else ()
    if len(pair) != 2 or not all(isinstance(rate, Real) for rate in pair):
        raise ValueError(
            f"error_rates={error_rates!r} must be two shares, such as error_rates=(0.12, 0.10)."
        )
    share = independent_errors(*pair)
    if difference is not None and abs(difference) > share:
        raise ValueError(
            f"error_rates={error_rates!r} cannot differ by difference={difference!r}."
        )
    return share


def _projects(facts: Facts, holds: str, splits: Mapping[str, Any]) -> bool:
    """Whether the default test over splits is planned, not the corrected t test."""
    if holds != "estimators":
        return False
    test = facts.take("test", (SplitsPlanner if splits else ProjectionPlanner).function)
    if test not in _OF_SPLITS:
        raise ValueError(
            f"test={test!r} is not planned here; use {' or '.join(map(repr, _OF_SPLITS))}."
        )
    projects = _OF_SPLITS[test] is ProjectionPlanner
    if projects and splits:
        raise ValueError(
            f"test={test!r} is planned on repeated halves: say n_repeats=, and leave cv, "
            "n_splits and test_fraction out."
        )
    return projects


def _on_halves(
    facts: Facts,
    kind: str | None,
    level: dict[str, Any],
    notes: list[str],
    *,
    difference: float | None,
    repetitions: bool,
) -> Planner:
    """Plan rows, or the repetitions on a number of rows that is given."""
    if _of_right_and_wrong(facts, kind):
        of_agreement = _right_and_wrong(facts, level, notes, difference)
        if difference is not None and abs(difference) >= of_agreement.largest:
            raise ValueError(
                f"difference={difference!r} is more than is possible where exactly one system "
                f"is right on a share of {of_agreement.largest:g} of the rows."
            )
        sd = of_agreement.standard_error(1, difference or 0.0)
    else:
        sd = facts.need("sd", _SD["row"])
    if "instability" not in facts:
        notes.append(
            "how much of a row's difference changes with the training rows is not known; "
            "instability 0 is assumed, which takes the most rows"
        )
    assumed = {
        "sd": sd,
        "instability": facts.take("instability", 0.0),
        "of_mean": kind in (None, "accuracy", "mean", "cost"),
        **level,
    }
    if repetitions and "n_repeats" not in facts:
        return RepeatsPlanner(n_rows=facts.take("n"), **assumed)
    if "n_repeats" in facts:
        assumed["n_repeats"] = facts.take("n_repeats")
    return ProjectionPlanner(**assumed)


def _on_splits(facts: Facts, splits: Mapping[str, Any], level: dict[str, Any]) -> Planner:
    facts.take("cv")
    facts.take("test_fraction")
    if splits.get("ratio") is None:
        raise ValueError(
            "test_fraction is missing: the share of rows that each split has for testing; or "
            "give cv=."
        )
    return SplitsPlanner(sd=facts.need("sd", _SD["split"]), ratio=splits["ratio"], **level)


def over_datasets(
    facts: Facts, level: dict[str, Any], *, systems: int, control: bool
) -> Planner:
    """Plan data sets, for two systems or more."""
    several = systems > 2
    test, sd = facts.take("test", "wilcoxon"), facts.need("sd", _SD["data set"])
    known = get_args(PostHoc) if several else tuple(_OF_DATASETS)
    if test not in known:
        raise ValueError(
            f"test={test!r} is not planned here; use {' or '.join(map(repr, known))}."
        )
    if several:
        if level["one_sided"]:
            raise ValueError("alternative= is for two systems; leave it out.")
        return SystemsPlanner(
            sd=sd, n_systems=systems, post_hoc=test, control=control, alpha=level["alpha"]
        )
    return _OF_DATASETS[test](sd=sd, **level)


def _of_scores(facts: Facts, unit: str | None, level: dict[str, Any]) -> Planner:
    if unit is None:
        raise ValueError(
            "unit is missing: scores of folds and of data sets need different tests. Say "
            f"unit={' | '.join(map(repr, UNITS))}."
        )
    refuse_unit(unit, "instance", "group", "seed")
    word = {"instance": "row", "group": "group", "seed": "seed"}[unit]
    return PairedTPlanner(
        sd=facts.need("sd", f"the standard deviation of the differences of {word}s."),
        of=word,
        **level,
    )
