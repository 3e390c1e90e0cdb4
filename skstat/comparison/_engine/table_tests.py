"""Which tests a table of data sets is asked: of all systems at once, and of pairs."""

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal, Self, get_args

from skstat import stats
from skstat._spelling import did_you_mean, what_to_use
from skstat.comparison._guide import test_beside_model
from skstat.comparison._procedures import procedures_by_name, sample_types
from skstat.comparison._question import Question
from skstat.stats._multiplicity import Adjustment
from skstat.stats._procedure import declared, resamples_option, signature_of

Omnibus = Callable[..., stats.OmnibusOutcome]
PostHoc = Callable[..., stats.PairwiseOutcome]
DatasetsAdjustment = Adjustment | Literal["auto"]

DEFAULT_POST_HOC = "wilcoxon"
# What a function of all systems at once returns.
_OF_ALL = (stats.OmnibusOutcome, stats.BradleyTerryPosterior)


@dataclass(frozen=True)
class TableTests:
    """The tests that are asked for, checked.

    Attributes
    ----------
    test : str or callable
        The test of all systems, or of two.
    name : str or None
        Name of the comparison of pairs; None for a function of the caller's.
    pairwise : callable
        That comparison, a function from a table to an outcome.
    adjustment : str
        How its p-values are adjusted.
    argument : str
        The argument that asks for pairs, for errors.
    """

    test: Any
    name: str | None
    pairwise: PostHoc
    adjustment: str
    argument: str

    @classmethod
    def of(
        cls,
        test: Any,
        adjustment: str,
        post_hoc: str | PostHoc = DEFAULT_POST_HOC,
        argument: str = "test",
    ) -> Self:
        """Check what is asked of all systems, and of pairs."""
        known = ("auto", *get_args(Adjustment))
        if adjustment not in known:
            raise ValueError(
                f"adjustment={adjustment!r} is not available over data sets; "
                f"{what_to_use(adjustment, known)}."
            )
        if callable(post_hoc):
            return cls(test, None, post_hoc, adjustment, argument)
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
        return cls(test, name, tests[name], adjustment, argument)

    @classmethod
    def of_one(cls, test: Any, adjustment: str, n_systems: int) -> Self:
        """Part one ``test=`` into the test of all systems, or of two, and that of pairs.

        A test of all systems has Wilcoxon's test of every pair beside it, and a comparison of
        pairs has Friedman's test of all systems; one name may be that of both.
        """
        if callable(test):
            returned = signature_of(test).return_annotation
            of_tables = stats.ScoreTable in sample_types(test)
            of_all = stats.DatasetSplits in sample_types(test) or returned in _OF_ALL
        else:
            of_tables = _compares_tables(test)
            of_all = test == "auto" or (test in omnibus_tests() and not of_tables)
        if of_all or (n_systems == 2 and not of_tables):
            return cls.of(test, adjustment)
        return cls.of(test if test in omnibus_tests() else "auto", adjustment, test)

    @property
    def by_default(self) -> bool:
        """Whether it is what is asked where the caller says nothing."""
        return self.test == "auto" and self._usual_pairs

    @property
    def _usual_pairs(self) -> bool:
        return self.name == DEFAULT_POST_HOC and self.adjustment in ("auto", "holm")

    @property
    def takes_gaps(self) -> bool:
        """Whether pairs can be compared on the data sets that both have scores on."""
        return self.name is not None and "missing" in _parameters(self.pairwise)

    def beside_model(self, names: Sequence[str]) -> Self:
        """Return the tests that are run where a model of all systems is asked."""
        return replace(self, test=test_beside_model(self.test, names))

    def compare_two(self, names: Sequence[str]) -> bool:
        """Whether two systems are compared by a test of two, and not as a table."""
        if len(names) != 2 or not self._usual_pairs:
            return False
        if not callable(self.test):
            return not isinstance(self.test, str) or self.test not in omnibus_tests()
        return stats.ScoreTable not in sample_types(self.test)

    def omnibus(self, *, gaps: bool = False) -> Omnibus:
        """Find the test of all systems at once by name; a function is one already."""
        test = self.test
        if callable(test):
            found: Omnibus = test
            return found
        if test == "auto":
            return stats.skillings_mack if gaps else stats.friedman
        known = omnibus_tests()
        if not isinstance(test, str) or test not in known:
            raise ValueError(
                f"test={test!r} is not a test of several systems over data sets; use 'auto', a "
                f"function of a ScoreTable, or one of {', '.join(known)}."
            )
        return known[test]

    def of_pairs(self, question: Question, *, gaps: bool = False) -> PostHoc:
        """Return the comparison of pairs with its options, or refuse what it cannot do.

        Its signature says what it can: without ``alternative`` it is two-sided, without
        ``adjustment`` it has one of its own, and so on.
        """
        control, one_sided = question.control, question.alternative != "two-sided"
        if self.name is None:
            if control is not None or one_sided or self.adjustment != "auto":
                raise ValueError(
                    "control=, adjustment= and alternative= are for tests given by name; a "
                    "function of yours decides these itself: pass functools.partial("
                    "function, control=...)."
                )
            return self.pairwise
        takes, named = _parameters(self.pairwise), f"{self.argument}={self.name!r}"
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
        if callable(test) and (draws := resamples_option(test, question.n_resamples)):
            options["test"] = partial(test, **draws)
        return partial(self.pairwise, **options)


def omnibus_tests() -> dict[str, Omnibus]:
    """Return the tests of all systems at once by the names that ``test=`` knows them by."""
    return procedures_by_name(stats.ScoreTable, result=stats.OmnibusOutcome)


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


def _compares_tables(test: Any) -> bool:
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
