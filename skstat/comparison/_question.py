"""The options of a comparison, checked, and the lookup of tests by name."""

import inspect
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import Any, Literal, Self, get_args

from skstat import stats
from skstat._spelling import did_you_mean, what_to_use
from skstat.evaluation._scoring import metric_sources
from skstat.stats._bootstrap import check_resampling
from skstat.stats._multiplicity import Adjustment, adjustment_facts
from skstat.stats._pairwise import check_adjustment, check_margin
from skstat.stats._posterior import check_rope
from skstat.stats._procedure import check_alternative, declared, rng_option, signature_of
from skstat.stats._scores import check_constant, check_count
from skstat.stats._words import check_level

Procedure = Callable[..., stats.Comparison]
SAMPLES = (stats.Predictions, stats.PairedScores, stats.BinaryScores, stats.AgreementTable)
_POSTERIOR = re.compile("bayes|posterior", re.IGNORECASE)
AnyAdjustment = Adjustment | Literal["auto", "max-t"]
JOINT = "min-p"  # how p-values of slices are adjusted by default
Margin = float | Mapping[str, float] | None
Rope = float | Mapping[str, float] | None


@dataclass(frozen=True, kw_only=True)
class Question:
    """Options of one comparison, checked before anything is fitted.

    Attributes
    ----------
    alternative, confidence_level : str, float
        Direction and level of the tests.
    margin, rope : float, mapping of str to float, or None
        Smallest difference that matters, and region of practical equivalence.
    test, constant : str or callable, float or None
        The test, and a score known in advance that one system is compared with.
    metrics : tuple of str
        All metrics of the call, also those that are evaluated in another run.
    control : str or None
        The system that the others are compared with; None for all pairs.
    adjustment : str
        How p-values of several comparisons are adjusted.
    n_resamples : int or None
        Number of random draws; None leaves it to the test.
    usual_draws : int or None
        Number of draws on a test set if `n_resamples` is None and the test must draw.
    draws_note : str
        Why there are fewer draws than usual, for the report.
    seed : int or None
        Seed of the random draws.
    interval, standard_error, horizon, workers : object, optional
        Options of tests that have them; None for their defaults.
    """

    alternative: str
    confidence_level: float
    margin: float | Mapping[str, float] | None = None
    rope: float | Mapping[str, float] | None = None
    test: Any = "auto"
    constant: float | None = None
    metrics: tuple[str, ...] = ()
    control: str | None = None
    adjustment: str = "auto"
    n_resamples: int | None = None
    usual_draws: int | None = None
    draws_note: str = ""
    seed: int | None = None
    interval: str | None = None
    standard_error: str | None = None
    horizon: int | None = None
    workers: Any = None

    @classmethod
    def of(
        cls, alternative: str, confidence_level: float, *, in_slices: bool = False, **extra: Any
    ) -> Self:
        """Check the options, and return the question.

        With `in_slices` p-values are adjusted for slices, too.
        """
        draft = cls(alternative=alternative, confidence_level=confidence_level, **extra)
        check_alternative(alternative)
        check_level(confidence_level)
        for name in ("n_resamples", "horizon"):
            if extra.get(name) is not None:
                check_count(name, extra[name])
        if draft.interval is not None:
            check_resampling(1, draft.interval)
        if draft.margin is not None and confidence_level <= 0.5:
            raise ValueError(
                f"a margin is judged by the 2 * confidence_level - 1 interval; "
                f"confidence_level={confidence_level!r} must be above 0.5."
            )
        for name, check in (("margin", check_margin), ("rope", check_rope)):
            size = extra.get(name)
            if isinstance(size, Mapping):
                if not size:
                    raise ValueError(
                        f"{name} is empty; give a metric its {name}, or leave it out."
                    )
                sizes = {str(metric): value for metric, value in size.items()}
                extra[name] = {n: check(x, f"{name}[{n!r}]") for n, x in sizes.items()}
            elif size is not None:
                extra[name] = check(size, name)
        control = None if draft.control is None else str(draft.control)
        test = extra.get("test", "auto")
        extra |= {
            "confidence_level": float(confidence_level),
            "test": test if test == "auto" else checked_test(test, draft.rope),
            "control": control,
            "constant": None if draft.constant is None else check_constant(draft.constant),
            "adjustment": checked_adjustment(draft.adjustment, control, in_slices=in_slices),
        }
        return replace(draft, **extra)

    @property
    def facts(self) -> dict[str, Any]:
        """The options that the choice of a test depends on."""
        one_sided, control = self.alternative != "two-sided", self.control is not None
        return {"one_sided": one_sided, "control": control, "adjustment": self.adjustment}

    def check_scoring(self, named: Mapping[str, Any], scoring: Any) -> None:
        """Refuse, before any fit, a margin or rope for metrics that will not be scored.

        A function is not checked: the names of its scores are known after a call only.
        """
        has_region = self.margin is not None or self.rope is not None
        if has_region and not callable(scoring):
            self.about(metric_sources(named, scoring))

    def about(self, metrics: Iterable[str]) -> Self:
        """Return the question with its metrics; refuse a margin or rope that does not fit them.

        Metrics that the question has already are kept.
        """
        metrics = self.metrics or tuple(metrics)
        for name, size in (("margin", self.margin), ("rope", self.rope)):
            if isinstance(size, Mapping):
                unknown = [metric for metric in size if metric not in metrics]
                if unknown:
                    raise ValueError(
                        f"{name} names {unknown[0]!r}, which is not compared here; use "
                        f"{', '.join(map(repr, metrics))}."
                    )
            elif size is not None and len(metrics) > 1:
                raise ValueError(
                    f"{name}={size!r} is one number for {len(metrics)} metrics, whose "
                    f"units differ; give a mapping of metric to {name}, such as "
                    f"{name}={{{metrics[0]!r}: {size!r}}}."
                )
        if isinstance(self.rope, Mapping):
            missing = [name for name in metrics if name not in self.rope]
            if missing:
                raise ValueError(
                    f"rope lacks {missing[0]!r}: what is practically no difference has no "
                    f"default. Give every metric one, such as "
                    f"rope={{**rope, {missing[0]!r}: 0.01}}; 0 is for no region."
                )
        return replace(self, metrics=metrics)

    def check_posterior(self, outcome: stats.Comparison) -> None:
        """Refuse a comparison that has no posterior, if a rope was given."""
        if self.rope is not None:
            stats.posterior(outcome, n_draws=1)

    @property
    def drawn_by(self) -> int:
        """The seed; there must be one."""
        assert self.seed is not None
        return self.seed

    @property
    def n_draws(self) -> Any:
        """Number of draws on a test set."""
        return self.usual_draws if self.n_resamples is None else self.n_resamples

    def options(self, procedure: Callable[..., Any]) -> dict[str, Any]:
        """Return the options to call a procedure with, without those fixed in a partial."""
        try:
            takes = signature_of(procedure).parameters
        except (TypeError, ValueError):  # of compiled functions nothing is known
            return {"alternative": self.alternative}
        fixed = procedure.keywords if isinstance(procedure, partial) else {}
        settings: dict[str, Any] = {}
        for name in ("n_resamples", "interval", "standard_error", "horizon", "workers"):
            value = self.n_draws if name == "n_resamples" else getattr(self, name)
            if name in takes and name not in fixed and (value is not None or name == "horizon"):
                settings[name] = value
        optional = "n_resamples" in settings and takes["n_resamples"].default is None
        if optional and self.n_resamples is None and not self.draws_note:  # the test decides
            del settings["n_resamples"]
        rng = {} if self.seed is None else rng_option(procedure, self.seed)
        return {"alternative": self.alternative} | settings | rng

    def margin_of(self, metric: str) -> float | None:
        """Return the margin of a metric, in its unit; None without one."""
        return self.margin.get(metric) if isinstance(self.margin, Mapping) else self.margin

    def rope_of(self, metric: str) -> float | None:
        """Return the rope of a metric, in its unit; None without one."""
        return self.rope.get(metric) if isinstance(self.rope, Mapping) else self.rope


def checked_adjustment(adjustment: Any, control: Any = None, *, in_slices: bool = False) -> Any:
    """Return the adjustment method; refuse one that does not fit these comparisons."""
    valid = ("auto", *get_args(Adjustment), JOINT if in_slices else "max-t")
    if adjustment not in valid:
        why = "does not adjust for slices" if in_slices else "is unknown"
        raise ValueError(f"adjustment={adjustment!r} {why}; {what_to_use(adjustment, valid)}.")
    if not in_slices:
        check_adjustment(adjustment, control)
    elif adjustment == "auto":
        return JOINT
    elif adjustment != JOINT and adjustment_facts(adjustment).logical:
        raise ValueError(
            f"adjustment={adjustment!r} needs all pairs of several systems; for slices use "
            "'auto' or 'holm'."
        )
    return adjustment


def checked_test(test: Any, rope: Rope) -> Any:
    """Return the test to run, or a Bayesian model, which needs ``rope=``."""
    function, name = test, test
    if isinstance(test, str):
        function = getattr(stats, test, getattr(stats, f"{test}_posterior", None))
    if models_splits(function) or models_systems(function):
        if rope is not None:
            return function
        name = test if isinstance(test, str) else procedure_name(test)
    elif not isinstance(test, str) or not _POSTERIOR.search(test):
        return test
    raise ValueError(
        f"test={name!r}: every comparison is read as probabilities where rope= is given, the "
        "difference that is practically none: rope=0.01, or rope=0 for no such region. Leave "
        "test= out, or name the test whose p-value stands beside them."
    )


def procedure_named(
    test: str | Procedure, *samples: type, known: Mapping | None = None, why: str = "is unknown"
) -> Procedure:
    """Return a procedure of `skstat.stats`, or of `known`, by name; a callable is returned."""
    if callable(test):
        if inspect.isclass(test):
            raise TypeError(f"test={test.__name__} is a class; pass a function or a name.")
        return test
    procedures = procedures_by_name(*samples) if known is None else known
    if not isinstance(test, str) or test not in procedures:
        raise ValueError(
            f"test={test!r} {why}; use 'auto', a function, or one of "
            f"{', '.join(sorted(procedures))}.{did_you_mean(test, procedures)}"
        )
    return procedures[test]


def procedures_by_name(*samples: type, result: type = stats.Comparison) -> dict[str, Callable]:
    """Return the procedures of `skstat.stats`, and their variants, by name.

    A procedure is a public function whose first parameter is annotated with one of the types
    `samples` (by default paired scores), and whose result is annotated with `result`.
    """
    types = set(samples or (stats.PairedScores,))
    return {
        name: function
        for name, function, accepted, returned in _procedures(tuple(stats.__all__))
        if types & accepted and issubclass(returned, result)
    }


def named(test: str) -> Any:
    """Return a function of `skstat.stats`, or a variant of one, by name; None if unknown."""
    for name, function, *_ in _procedures(tuple(stats.__all__)):
        if name == test:
            return function
    return getattr(stats, test, None)


@cache
def _procedures(names: tuple[str, ...]) -> list[tuple[str, Any, set[Any], type]]:
    """Return name, function, types of samples, and type of the result, of all procedures.

    A variant of two functions is listed twice.
    """
    procedures: list[tuple[str, Any, set[Any], type]] = []
    for name in names:
        function = getattr(stats, name)
        returned = inspect.isfunction(function) and signature_of(function).return_annotation
        if inspect.isclass(returned):
            signature = sample_types(function), returned
            variants = {name: function} | _variants_of(function)
            procedures += [(variant, call, *signature) for variant, call in variants.items()]
    return procedures


def _variants_of(function: Callable[..., Any]) -> dict[str, Callable[..., Any]]:
    """Return the variants of a procedure by name, as partials with their declarations."""
    facts, variants = declared(function), dict[str, Callable[..., Any]]()
    for name, options in facts.variants.items():
        fixed = {key: value for key, value in options.items() if key != "facts"}
        variants[name] = partial(function, **fixed)
        variants[name].__dict__["declared"] = replace(facts, **options.get("facts", {}))
    return variants


def sample_types(procedure: Procedure) -> set[Any]:
    """Return the types of sample that a procedure takes, by its first annotation."""
    parameters = signature_of(procedure).parameters.values()
    annotation = next(iter(parameters)).annotation if parameters else None
    return set(get_args(annotation)) or {annotation}


def sample_taken(procedure: Procedure, sample: Any) -> Any:
    """Return a sample or table for a procedure: means of groups, if it cannot read rows."""
    clustered = getattr(sample, "groups", None) is not None
    takes_groups = not clustered or declared(procedure).needs == "groups"
    return sample if takes_groups else sample.per_group()


def procedure_name(procedure: Procedure) -> str:
    """Return the name of a procedure, or of the function of a partial, for messages."""
    while isinstance(procedure, partial):
        procedure = procedure.func
    return str(getattr(procedure, "__name__", "this test"))


def models_splits(function: Any) -> bool:
    """Whether a function models the scores on every split of many data sets."""
    return callable(function) and stats.DatasetSplits in sample_types(function)


def models_systems(function: Any) -> bool:
    """Whether a function models the strengths of several systems over data sets."""
    returned = signature_of(function).return_annotation if callable(function) else None
    return returned is stats.BradleyTerryPosterior


def reads_rows(procedure: Procedure) -> bool:
    """Whether a procedure reads what every row contributed to the scores."""
    return declared(procedure).needs == "rows"
