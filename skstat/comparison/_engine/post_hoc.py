"""How systems are compared in pairs over data sets: by which test, and how adjusted."""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal, Self, get_args

from skstat import stats
from skstat._spelling import did_you_mean, what_to_use
from skstat.comparison._procedures import procedures_by_name
from skstat.comparison._question import Question
from skstat.stats._multiplicity import Adjustment
from skstat.stats._procedure import declared, resamples_option

PostHoc = Callable[..., stats.PairwiseOutcome]
DatasetsAdjustment = Adjustment | Literal["auto"]

DEFAULT_POST_HOC = "wilcoxon"


@dataclass(frozen=True)
class PairwiseRequest:
    """What ``post_hoc=`` and ``adjustment=`` ask for, checked.

    Attributes
    ----------
    name : str or None
        Name of the test; None for a function of the caller's.
    test : callable
        Function from a table to an outcome.
    adjustment : str
        How its p-values are adjusted.
    argument : str
        The argument that asks for it, for errors.
    """

    name: str | None
    test: PostHoc
    adjustment: str
    argument: str = "post_hoc"

    @classmethod
    def of(
        cls, post_hoc: str | PostHoc, adjustment: str = "auto", argument: str = "post_hoc"
    ) -> Self:
        """Check the two arguments."""
        known = ("auto", *get_args(Adjustment))
        if adjustment not in known:
            raise ValueError(
                f"adjustment={adjustment!r} is not available over data sets; "
                f"{what_to_use(adjustment, known)}."
            )
        if callable(post_hoc):
            return cls(None, post_hoc, adjustment, argument)
        if not isinstance(post_hoc, str):
            raise TypeError(
                f"{argument}={post_hoc!r} must be a name such as {DEFAULT_POST_HOC!r} or a "
                "function."
            )
        tests, name = post_hocs(), post_hoc.replace("-", "_")
        if name not in tests:
            of_all = ", of all systems such as 'friedman'" if argument == "test" else ""
            short = [known for known in _of_tables() if not known.startswith("pairwise_")]
            raise ValueError(
                f"{argument}={post_hoc!r} is unknown; use one of "
                f"{', '.join(map(repr, short))}, the name of a test of two systems such as "
                f"'wilcoxon'{of_all}, or a function of a ScoreTable. How p-values are adjusted "
                f"is asked by adjustment=: {', '.join(get_args(Adjustment))}."
                f"{did_you_mean(name, tests)}"
            )
        return cls(name, tests[name], adjustment, argument)

    @property
    def is_default(self) -> bool:
        """Whether it is what is asked where the caller says nothing."""
        return self.name == DEFAULT_POST_HOC and self.adjustment in ("auto", "holm")

    @property
    def takes_gaps(self) -> bool:
        """Whether pairs can be compared on the data sets that both have scores on."""
        return self.name is not None and "missing" in _parameters(self.test)

    def function(
        self,
        control: str | None,
        question: Question,
        *,
        gaps: bool = False,
        n_resamples: int | None = None,
    ) -> Callable[[stats.ScoreTable], stats.PairwiseOutcome]:
        """Return the test with all its options, or refuse what it cannot do.

        Its signature says what it can: without ``alternative`` it is two-sided, without
        ``adjustment`` it has one of its own, and so on.
        """
        one_sided = question.alternative != "two-sided"
        if self.name is None:
            if control is not None or one_sided or self.adjustment != "auto":
                raise ValueError(
                    "control=, adjustment= and alternative= are for tests given by name; a "
                    "function of yours decides these itself: pass functools.partial("
                    "function, control=...)."
                )
            return self.test
        takes, named = _parameters(self.test), f"{self.argument}={self.name!r}"
        options: dict[str, Any] = {}
        if "adjustment" in takes:
            options["adjustment"] = "holm" if self.adjustment == "auto" else self.adjustment
        elif self.adjustment != "auto":
            raise ValueError(
                f"{named} has an adjustment of its own; leave adjustment={self.adjustment!r} "
                f"out, or use another test, such as {DEFAULT_POST_HOC!r}."
            )
        if "alternative" in takes:
            options["alternative"] = question.alternative
        elif one_sided:
            raise ValueError(
                f"{named} is two-sided only; use {DEFAULT_POST_HOC!r} for "
                f"alternative={question.alternative!r}."
            )
        if control is not None:
            if "control" not in takes:
                raise ValueError(
                    f"{named} compares all pairs; with a control use 'bonferroni_dunn' or "
                    f"{DEFAULT_POST_HOC!r}."
                )
            options["control"] = control
        elif "control" in takes and takes["control"].default is inspect.Parameter.empty:
            raise ValueError(f"{named} compares with a control; name it.")
        if gaps and "missing" in takes:
            options["missing"] = "drop"
        test = takes["test"].default if "test" in takes else None
        if callable(test) and (draws := resamples_option(test, n_resamples)):
            options["test"] = partial(test, **draws)
        return partial(self.test, **options)


def post_hocs() -> dict[str, PostHoc]:
    """Return the comparisons in pairs by the names that ``post_hoc=`` knows them by.

    They are the tests of two systems, applied to every pair, and the functions from a table to
    a :class:`PairwiseOutcome`, with their variants. What the names have in common, ``paired_``
    and ``pairwise_``, may be left out.
    """
    found: dict[str, PostHoc] = {}
    for name, test in procedures_by_name(stats.PairedScores).items():
        for known_as in (name, name.removeprefix("paired_"), f"pairwise_{name}"):
            found[known_as] = partial(stats.pairwise, test=test)
    return found | _of_tables()


def test_of_pairs(post_hoc: PostHoc) -> Callable[..., Any]:
    """Return the test of two systems that a comparison in pairs asks; else the comparison."""
    test: Callable[..., Any] = getattr(post_hoc, "keywords", {}).get("test", post_hoc)
    return test


def compares_tables(test: Any) -> bool:
    """Whether a name is that of a comparison of all pairs, and of no test of two systems."""
    name = test.replace("-", "_") if isinstance(test, str) else ""
    of_two = {known.removeprefix("paired_") for known in procedures_by_name(stats.PairedScores)}
    return name in _of_tables() and name not in of_two


def _of_tables() -> dict[str, PostHoc]:
    found: dict[str, PostHoc] = {}
    for name, function in procedures_by_name(
        stats.ScoreTable, result=stats.PairwiseOutcome
    ).items():
        if any(map(_is_required, list(_parameters(function).values())[1:])):
            continue  # it needs more than `post_hoc=` says
        found[name] = found[name.removeprefix("pairwise_")] = function
        for variant, options in declared(function).variants.items():
            found[variant] = partial(function, **options)
    return found


def _is_required(parameter: inspect.Parameter) -> bool:
    return parameter.default is inspect.Parameter.empty and parameter.name != "control"


def _parameters(function: PostHoc) -> Mapping[str, inspect.Parameter]:
    return inspect.signature(function).parameters
