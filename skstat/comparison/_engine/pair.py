"""From a sample or a run to a report, by one procedure; all front doors use it."""

import math
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from skstat import stats
from skstat.comparison._engine.classes import beside_run
from skstat.comparison._guide import Situation, recommend, with_question
from skstat.comparison._procedures import Procedure, procedure_name, reads_rows
from skstat.comparison._question import Question
from skstat.evaluation import CrossValidationRun, Design
from skstat.metrics._metric import is_of_labels
from skstat.report import Recommendation
from skstat.report._doubts import Facts, Pairs, find_doubts
from skstat.report._evidence import ComparisonEvidence
from skstat.report._further import promised_sturdiness
from skstat.report._terms import ShownMetric
from skstat.stats._bootstrap_posterior import can_be_weighed, is_right_or_wrong
from skstat.stats._common import declared, rng_option, signature_of
from skstat.stats._family import alpha_of
from skstat.stats._posteriors import posterior_or
from skstat.stats._words import ignored_variance

# Of more pairs than so many fewer draws are made for each.
_MANY_PAIRS, _FEW_DRAWS = 30, 20_000


def null_sample_of(design: Design, procedure: Procedure) -> stats.PairedScores:
    """Return a sample without differences, of a design and of the kind a procedure takes."""
    with_rows = reads_rows(procedure)
    if with_rows and design.folds is None:
        raise ValueError(
            f"{procedure_name(procedure)} needs repeated partitions of the rows, in which each "
            "row is tested once per repetition and else trained on."
        )
    return design.null_sample(with_rows=with_rows)


def describe_design(
    run: CrossValidationRun, metric: str, *, by_rows: bool, notes: Sequence[str] = ()
) -> dict[str, Any]:
    """Return the facts of a run's design, for the report on one metric.

    Halves beside it, and larger training sets, are for procedures that read rows.
    """
    if not by_rows:
        return replace(run.design, halves=None).describe(notes)
    return run.design.describe(notes, nine_tenths=run.suits_folds(metric))


def design_check(
    procedure: Procedure, question: Question, *, adjustment: str = "auto"
) -> Callable[[Design], None]:
    """Return a check that a design suits a procedure, to be made before any fit.

    So must the adjustment of several systems, where there are several.
    """
    facts = declared(procedure)

    def accept(design: Design) -> None:
        if facts.side_effects:
            design.null_sample()  # refuses splits of several kinds
            return
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", stats.DependenceWarning)
            try:
                sample = null_sample_of(design, procedure)
                outcome = procedure(sample, alternative=question.alternative)
                check_posterior(outcome, question)
            except stats.AlternativeError:
                raise
            except ValueError as error:
                said = " ".join(filter(None, (str(error), facts.suited_splits)))
                raise ValueError(
                    f"cv={design.splitter} does not suit the test: {said}"
                ) from None
            if adjustment == "max-t" and not reads_rows(procedure):
                # A sample whose mean differs from its ranks and its signs.
                scores = np.random.default_rng(0).exponential(size=(2, *design.score_shape))
                sample = design.table(np.moveaxis(scores**2, 0, -1), ("A", "B")).pair("A", "B")
                outcome = procedure(sample, alternative=question.alternative)
                if not math.isclose(outcome.estimate, sample.differences.mean()):
                    raise ValueError(
                        "adjustment='max-t' compares mean differences, and the "
                        f"{outcome.test} estimates something else; use adjustment='holm'."
                    )

    return accept


def ask_sample(
    procedure: Procedure,
    sample: Any,
    question: Question,
    *,
    names: tuple[str, str],
    metric: str = "score",
    is_loss: bool = False,
    design: dict[str, Any] | None = None,
    facts: Facts | None = None,
    constant: float | None = None,
    choice: Recommendation | None = None,
    preface: str = "",
    ignored_variance: tuple[str, ...] = (),
    options: dict[str, Any] | None = None,
    of_family: bool = False,
    posterior: stats.Posterior | None = None,
    otherwise: Callable[[float], stats.Posterior] | None = None,
) -> ComparisonEvidence:
    """Ask a procedure of a sample, and write the report with its doubts.

    The verdict on one pair of a family rests on its adjusted p-value: doubts about it are
    looked for with those of the others. `posterior` is given where probabilities do not follow
    from the outcome, and `otherwise` makes one of a region where no law of the estimate is
    known: by default it weighs the units of the sample, if they are rows or groups.
    """
    if question.n_metrics == 1:
        question.about([metric])
    constant, seed = None if constant is None else float(constant), question.seed
    asked: Callable[[Any], stats.Comparison] | None = None
    arguments = (sample,) if constant is None else (sample, constant)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        asked_for = {"alternative": question.alternative} | question.options(procedure)
        options = asked_for | (options or {})
        _check_takes(procedure, arguments, options)
        outcome = procedure(*arguments, **options)
    if not isinstance(outcome, stats.Comparison):
        raise TypeError(
            f"test={procedure!r} returned {type(outcome).__name__}; a procedure returns an "
            "Comparison of skstat.stats."
        )
    # A front door says this as a doubt, which stays with the report.
    dependent = any(issubclass(item.category, stats.DependenceWarning) for item in caught)
    for item in caught:
        if not issubclass(item.category, stats.DependenceWarning):
            warnings.warn_explicit(item.message, item.category, item.filename, item.lineno)
    if constant is None and not of_family:
        asked = partial(procedure, **options)
    found, rope = posterior, question.rope_of(metric)
    if found is None and rope is not None:
        if otherwise is None and can_be_weighed(sample):
            otherwise = partial(
                stats.bootstrap_posterior, sample, n_draws=question.n_resamples, rng=seed
            )
            if is_right_or_wrong(sample):
                otherwise = partial(stats.agreement_posterior, sample)
        found = posterior_or(outcome, rope, otherwise, rng=question.seed)
    report = ComparisonEvidence.of_pair(
        names,
        outcome,
        sample=sample,
        metric=metric,
        is_loss=is_loss,
        confidence_level=question.confidence_level,
        design=design or {},
        ignored_variance=_ignored(outcome, sample) + ignored_variance,
        constants={} if constant is None else {names[1]: constant},
        choice=with_question(choice, question, metric),
        preface=preface,
        margin=question.margin_of(metric),
        posteriors=None if found is None else [found],
        sturdy=None
        if asked is None
        else promised_sturdiness(sample, asked, outcome, alpha_of(question.confidence_level)),
    )
    facts = facts_of(
        report,
        replace(facts or Facts(), n_metrics=question.n_metrics),
        names=names,
        of_labels=is_of_labels(metric),
        sample=report.compared,
        outcome=outcome,
        independent_units=declared(procedure).independent_units,
        treated_as_independent=dependent,
        of_family=of_family,
        posterior=None if of_family else found,  # those of a family are looked at together
        asked_again=None if report.sturdy is None else asked,
    )
    return with_seed(replace(report, doubts=find_doubts(facts)), seed, procedure)


def facts_of(report: ComparisonEvidence, facts: Facts, **known: Any) -> Facts:
    """Add what a report is about, and what else is known, to the facts that doubts go by."""
    return replace(
        facts,
        metric=report.metric,
        is_loss=report.is_loss,
        margin=report.margin,
        confidence_level=report.confidence_level,
        unit=report.unit,
        n_units=report.n_units,
        **known,
    )


def facts_of_pairs(
    report: ComparisonEvidence, facts: Facts, *, identical: Any, scored: Any, **known: Any
) -> Facts:
    """Add what a report on several systems found of every pair."""
    pairwise = report.pairwise
    pairs = Pairs(
        names=pairwise.pairs,
        outcomes=pairwise.outcomes,
        levels=report.levels,
        adjusted=pairwise.adjusted_pvalues,
        identical=identical,
        scored=scored,
        posteriors=report.posteriors or (),
    )
    known |= {"verdicts": pairs, "pairwise": pairwise, "omnibus": report.omnibus}
    return facts_of(report, facts, **known)


def check_posterior(outcome: stats.Comparison, question: Question) -> None:
    """Refuse a comparison that has no probabilities, if the question asks for them."""
    if question.rope is not None:
        stats.posterior(outcome, n_draws=1)


def posteriors_of(
    outcomes: Sequence[stats.Comparison],
    question: Question,
    metric: str,
    otherwise: Callable[[int, float], stats.Posterior] | None = None,
) -> tuple[Any, ...] | None:
    """Read every comparison of a family as probabilities, if the question asks for it.

    `otherwise` makes the posterior of a pair by its place, where no law of the estimate is
    known. The draws of all are common.
    """
    rope = question.rope_of(metric)
    if rope is None:
        return None
    drawing = {"n_draws": _FEW_DRAWS if len(outcomes) > _MANY_PAIRS else None}
    drawing["rng"] = question.seed
    return tuple(
        posterior_or(outcome, rope, otherwise and partial(otherwise, place), **drawing)
        for place, outcome in enumerate(outcomes)
    )


def with_notes(design: Mapping[str, Any] | None, *notes: str) -> dict[str, Any]:
    """Add notes to what a report says of the design."""
    known = dict(design or {})
    return known | {"notes": [*known.get("notes", ()), *notes]} if notes else known


def with_seed(
    report: ComparisonEvidence,
    seed: int | None,
    procedure: Callable[..., Any] | None = None,
    joint: int | None = None,
) -> ComparisonEvidence:
    """Name the seed of a call in the design of a report, if anything was drawn by it.

    An outcome that does not say whether it was drawn is taken for drawn if `procedure`, which
    found it, was handed the seed. `joint` is the seed of the joint distribution, if there is
    one.
    """
    family = report.pairwise.outcomes
    outcomes = [family[place].by_itself for place in family.representatives]
    handed = procedure is not None and seed is not None and rng_option(procedure, seed)
    seeds = [joint, report.omnibus and report.omnibus.seed, *(one.seed for one in outcomes)]
    is_drawn = (
        any(own is not None for own in seeds)
        or (handed and any(one.n_resamples is None for one in outcomes))
        or any(read.n_drawn for read in (report.posteriors or ())[:1])
        or report.best_posterior is not None
        or report.strengths is not None
    )
    note, design = f"random_state={seed}", report.design
    named = design.get("random_state") == seed or note in design.get("notes", ())
    if seed is None or named or not is_drawn:
        return report
    return replace(report, design=with_notes(design, note))


def _check_takes(
    procedure: Procedure, arguments: tuple[Any, ...], options: Mapping[str, Any]
) -> None:
    """Refuse a function that cannot be asked as procedures are."""
    try:
        signature = signature_of(procedure)
    except (TypeError, ValueError):  # of compiled functions nothing is known
        return
    try:
        signature.bind(*arguments, **options)
    except TypeError as error:
        raise TypeError(
            f"test={procedure!r} cannot be used: {error}. A procedure takes a sample and "
            "alternative=, and returns an Comparison of skstat.stats."
        ) from None


def _ignored(outcome: stats.Comparison, sample: Any) -> tuple[str, ...]:
    """Sources of variance that are not covered: as the outcome says, else by the unit."""
    known = outcome.ignored_variance
    found = ignored_variance(sample) if known is None else tuple(known)
    held = getattr(sample, "same_class_shares", False)
    return (*found, "data sets with other class shares") if held else found


def ask_metric(
    run: CrossValidationRun,
    procedure: Procedure,
    question: Question,
    *,
    names: tuple[str, str],
    metric: str,
    facts: Facts | None = None,
    choice: Recommendation | None = None,
    notes: Sequence[str] = (),
    beside_others: bool = False,
    of_family: bool = False,
) -> ComparisonEvidence:
    """Ask a procedure of two estimators of a run about one metric.

    Where no test of the splits is possible rows are tested instead; `beside_others`, which are
    compared in the metric, only if it is theirs too.
    """
    spread = run.split_spread(*names, metric=metric)
    facts = replace(run_facts(run, names, metric, facts), split_spread=spread)
    report = ask_sample(
        procedure,
        run.sample(*names, metric=metric),
        question,
        names=names,
        metric=metric,
        is_loss=metric in run.losses,
        design=describe_design(run, metric, by_rows=reads_rows(procedure), notes=notes),
        facts=facts,
        choice=choice,
        ignored_variance=fixed_seeds(run, names),
        of_family=of_family,
    )
    if math.isnan(report.outcome.pvalue) and metric not in run.weighted:
        by_rows = _by_instances(run, report, question, facts, of_family)
        report = report if beside_others and by_rows.metric != metric else by_rows
    return beside_run(report, run)


def fixed_seeds(run: CrossValidationRun, names: tuple[str, ...]) -> tuple[str, ...]:
    """Name estimators whose own seed was the same in every fit."""
    return tuple(
        f"the random_state of {name}, held fixed" for name in names if name in run.fixed_seeds
    )


def run_facts(
    run: CrossValidationRun, names: tuple[str, ...], metric: str, facts: Facts | None = None
) -> Facts:
    """Add what a run knows of its learners and splits."""
    design, is_mean = run.design, metric in run.means
    return replace(
        facts or Facts(),
        is_mean=is_mean,
        rows_unknown=metric not in run.by_formula,
        splits_groups=design.splits_groups,
        n_groups=design.n_groups,
        min_test_rows=design.fewest_tested,
        min_scored_rows=design.fewest_scored,
        n_copies=run.n_copies,
        n_rows=design.n_samples,
        repeated_splits=design.repeated_splits if design.n_repeats is None else 0,
        same_class_shares=run.same_class_shares,
        rarest_class=None if is_mean else run.rarest_class,
        rarest_label=run.rarest_label,
        unstable=run.unstable & set(names),
        unseeded=(run.unseeded & set(names)) | ({"cv"} if design.unseeded else set()),
    )


def _by_instances(
    run: CrossValidationRun,
    report: ComparisonEvidence,
    question: Question,
    facts: Facts,
    of_family: bool,
) -> ComparisonEvidence:
    """Judge a difference without variance over splits by the rows it was seen on.

    A perfect model against a constant baseline differs by the same amount on every
    split. The predictions of one repeat still say how many rows that was seen on. They are
    scored by accuracy or squared error; if these favour the other system, as the accuracy of
    a guess may where its F1 is higher, they do not answer the question, and no test does.
    """
    a, b = report.pair
    sample = run.instance_sample(a, b)
    if sample is None:
        return report
    metric = "accuracy" if run.is_classification else "neg_mean_squared_error"
    tested, shown = ShownMetric(metric, not run.is_classification), report.shown_metric
    same_metric = metric == report.metric
    if not same_metric and float(sample.differences.mean()) * report.outcome.estimate < 0:
        return report  # rows speak for the other system: theirs is another question
    margin = question.margin_of(report.metric) if same_metric else None
    dropped = ""
    if report.margin is not None and margin is None:
        dropped = f" The margin is in {shown.name}, so it cannot be tested."
    if report.posterior is not None:
        dropped += " Without a variance there are no probabilities."
    size = report.shown_difference.value(report.outcome.estimate)
    difference = f"difference in {shown.name} is {size:+.4g} on every split"
    return ask_sample(
        stats.sign_flip,
        sample,
        replace(question, margin=margin, rope=None, n_resamples=None, seed=None),
        names=report.pair,
        metric=metric,
        is_loss=tested.is_loss,
        design=dict(report.design),
        facts=replace(
            facts,
            n_groups=None,
            min_test_rows=None,
            min_scored_rows=None,
            repeated_splits=0,
            degenerate=(
                f"the {difference}, so that no t test is possible. Tested instead: "
                f"{tested.name} of the fitted models on the {sample.n_units} test rows of "
                "one repeat, row by row."
            ),
            unstable=(),
            better_guess=facts.better_guess if same_metric else None,
        ),
        choice=recommend(Situation.of_design(run.design, varies=False)),
        preface=(
            f"The {difference}, which leaves no variance to test it against.{dropped} Row by "
            f"row:"
        ),
        options={"rng": 0},
        of_family=of_family,
    )


def ask_constant(
    run: CrossValidationRun,
    question: Question,
    constant: float,
    *,
    name: str,
    metric: str,
    facts: Facts | None = None,
    choice: Recommendation | None = None,
    of_family: bool = False,
) -> ComparisonEvidence:
    """Ask whether one estimator of a run differs from a score known in advance."""
    sample = run.scores_of(name, metric=metric)
    if choice is None or sample.rows is None:
        procedure: Procedure = stats.one_sample_t
    else:
        procedure = getattr(stats, choice.name)
    report = ask_sample(
        procedure,
        sample,
        question,
        names=(name, f"constant {constant:g}"),
        metric=metric,
        is_loss=metric in run.losses,
        design=describe_design(run, metric, by_rows=procedure is not stats.one_sample_t),
        constant=constant,
        choice=choice,
        facts=run_facts(run, (name,), metric, facts),
        ignored_variance=fixed_seeds(run, (name,)),
        of_family=of_family,
    )
    return replace(report, bounds=run.bounds.get(metric, (None, None)))
