"""Base class of what is compared, and functions that test it and write the report."""

import math
import warnings
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain, combinations
from typing import Any, NamedTuple, Self, cast

import numpy as np
from numpy.typing import NDArray

from skstat import stats
from skstat._times import select_times
from skstat.comparison._engine.best import best_of_pairs
from skstat.comparison._engine.facts import with_doubts
from skstat.comparison._engine.joint import Joint, Pair
from skstat.comparison._guide import Chosen, Situation, recommend
from skstat.comparison._question import Procedure, Question
from skstat.metrics._metric import is_of_labels
from skstat.report._doubts import Doubt, Doubts, Facts, Pairs, merged
from skstat.report._evidence import ComparisonEvidence, alone
from skstat.stats._chance import DEFAULT_RESAMPLES
from skstat.stats._family import OutcomeFamily, alpha_of, family_of
from skstat.stats._joint import skewness_left
from skstat.stats._multiplicity import Adjustment
from skstat.stats._pairwise import pairs_of
from skstat.stats._posterior import BestPosterior, StudentPosterior
from skstat.stats._procedure import declared, rng_option, signature_of, takes
from skstat.stats._score_table import ScorePairs
from skstat.stats._sturdiness import can_leave_out
from skstat.stats._words import ignored_variance

OfRope = Callable[[float], stats.Posterior]
# With more pairs than this, fewer posterior draws are made for each.
_MANY_PAIRS, _FEW_DRAWS = 30, 20_000
# Most numbers that a resampling test may draw if it is to be repeated without single units.
_MAX_REPEATED = 5_000_000
# Draws, as a multiple of the fewest with which an adjusted p-value can be below the level.
_DRAWS_FACTOR = 2


@dataclass(frozen=True, kw_only=True, eq=False)
class Compared:
    """Systems measured on common units by one metric, with what is known about them.

    A subclass knows its pairs and slices, the sample for a procedure, the joint distribution of
    its systems, and the facts that doubts are derived from.

    Attributes
    ----------
    sample : object
        The measurements, as a procedure takes them, or from which pairs are taken.
    names : tuple of str
        The systems; a constant has the second name.
    metric : str
        Name of the metric.
    is_loss : bool
        Whether lower is better.
    design, facts : object
        What is known about how the scores were measured.
    ignored : tuple of str
        Sources of variance that neither the sample nor the outcome names.
    constant : float, optional
        The number that one system is compared with.
    known_posterior : Posterior, optional
        The posterior, where it does not follow from the outcome.
    chosen : tuple of procedure and Situation or None, optional
        The test, where the caller has chosen it.
    of_family : bool
        Whether the verdict rests on a p-value that is adjusted together with others.
    family : Compared, optional
        All systems of the comparison, for a pair of them; pairs share its draws.
    run : CrossValidationRun, optional
        The run that produced the scores.
    fixed : mapping
        Fields of the report that do not depend on the outcome.
    """

    sample: Any
    names: tuple[str, ...]
    metric: str = "score"
    is_loss: bool = False
    design: Mapping[str, Any] = field(default_factory=dict)
    facts: Facts = field(default_factory=Facts)
    ignored: tuple[str, ...] = ()
    constant: float | None = None
    known_posterior: stats.Posterior | None = None
    chosen: Chosen | None = None
    of_family: bool = False
    family: Any = None
    run: Any = None
    fixed: dict[str, Any] = field(default_factory=dict)

    # --- one pair ---

    def take(self, pair: Pair) -> Self:
        """Return the comparison of two of several systems."""
        raise NotImplementedError

    def as_pair(self, question: Question) -> Self:
        """Return the only pair, in the order that the question asks for."""
        (pair,) = pairs_of(self.names, question.control)
        return replace(self.take(pair), of_family=self.of_family, family=None)

    def choose(self, question: Question) -> Chosen:
        """Return the test, and the situation it was chosen for; None if the caller chose it."""
        raise NotImplementedError

    def for_procedure(self, procedure: Procedure) -> Self:
        """Return the systems without what the procedure does not read."""
        return self

    def sample_for(self, procedure: Procedure) -> Any:
        """Return the sample that a procedure takes."""
        return self.sample

    def design_of(self, procedure: Procedure, outcome: stats.Comparison) -> Mapping[str, Any]:
        """Return the design for the report, without notes on random draws."""
        return self.design

    def facts_for(self, procedure: Procedure, options: dict[str, Any]) -> Facts:
        """Return the facts from which doubts about a pair are derived."""
        return self.facts

    def posterior(self, sample: Any, question: Question) -> OfRope | None:
        """Return a function from rope to posterior, for an estimate without a known law."""
        return None

    def finished(self, report: ComparisonEvidence, question: Question) -> ComparisonEvidence:
        """Return the report with times, and fields that do not depend on the outcome."""
        times = select_times(self.fixed.get("times"), report.names)
        return replace(report, **self.fixed | {"times": times})

    def with_class_doubts(self, report: ComparisonEvidence) -> ComparisonEvidence:
        """Add doubts about the classes of the target, if it has classes."""
        return report

    def affordable(self, question: Question) -> Question:
        """Return the question with fewer draws if the metric is slow."""
        return question

    # --- several systems ---

    def choose_of_pair(self, pair: Self, chosen: Chosen, question: Question) -> Chosen:
        """Return the test of one of several pairs."""
        return chosen[0], None

    def joint(self, pairs: Sequence[Pair], question: Question, all_pairs: bool) -> Joint | None:
        """Return the joint distribution of the pairs; None if not asked for, or not known.

        With `all_pairs` the family is all pairs of systems.
        """
        return None

    def omnibus(self, joint: Joint | None, question: Question) -> stats.OmnibusOutcome | None:
        """Return the test of all systems at once."""
        return None

    def best(self, question: Question) -> Callable[[float], BestPosterior] | None:
        """Return a function from rope to which system is best, if units can be weighted."""
        return None

    @property
    def table(self) -> stats.ScoreTable | None:
        """Return scores of independent units whose means are the scores; None without them."""
        return None

    def summary(self, samples: Any) -> Any:
        """Return the sample to keep in a report on several systems."""
        return self.sample

    # --- slices ---

    def part(self, rows: NDArray[np.int64], *, one_by_one: bool) -> Self:
        """Return the same systems on some rows; `one_by_one` draws rows, and not counts."""
        raise NotImplementedError

    def influence(self) -> "Influence | None":
        """Return what every unit contributes to the difference; None where it is not known."""
        return None


class Influence(NamedTuple):
    """Contributions of units to a difference (jackknife).

    Attributes
    ----------
    values, times : ndarray of shape (n_atoms,)
        Centred contributions, and the number of units that share each.
    rarest : int or None
        Number of units of the rarest class, for a metric that gives them more weight.
    """

    values: NDArray[np.float64]
    times: NDArray[np.float64]
    rarest: int | None = None


def ask(compared: Compared, chosen: Chosen, question: Question) -> ComparisonEvidence:
    """Test two systems, or one and a constant, and report the outcome with its doubts."""
    (procedure, _), names, metric = chosen, compared.names, compared.metric
    if len(question.metrics) < 2:
        question.about([metric])
    sample, constant = compared.sample_for(procedure), compared.constant
    options = question.options(procedure)
    arguments = (sample,) if constant is None else (sample, float(constant))
    if constant is not None and isinstance(sample, stats.Scores):
        arguments = (sample.against(constant),)
    outcome, dependent = _run_test(procedure, arguments, options)
    test, sturdy = partial(procedure, **options), None
    if constant is None and not compared.of_family:
        alpha = alpha_of(question.confidence_level)
        if outcome.pvalue < alpha and _can_be_repeated(sample, test, outcome):
            sturdy = partial(stats.sturdiness, sample, test, alpha=alpha)
    ignored = outcome.ignored_variance  # else what the unit of the sample leaves out
    ignored = ignored_variance(sample) if ignored is None else ignored
    if getattr(sample, "same_class_shares", False):
        ignored = (*ignored, "data sets with other class shares")
    posterior, rope = compared.known_posterior, question.rope_of(metric)
    if posterior is None and rope is not None:
        fallback = compared.posterior(sample, question)
        posterior = stats.posterior(outcome, rope, default=fallback, rng=question.seed)

    def facts(report: ComparisonEvidence) -> Facts:
        return facts_of(
            report,
            compared.facts_for(procedure, options),
            names=names,
            of_labels=is_of_labels(metric),
            sample=report.compared,
            outcome=outcome,
            independent_units=declared(procedure).independent_units,
            treated_as_independent=dependent,
            of_family=compared.of_family,
            # The posteriors of a family are looked at together.
            posterior=None if compared.of_family else posterior,
            retest=None if sturdy is None else test,
        )

    return make_report(
        compared,
        question,
        chosen,
        facts,
        kind="pair",
        pairwise=alone((names[0], names[1]), outcome, outcome.pvalue),
        sample=sample,
        design=compared.design_of(procedure, outcome),
        ignored_variance=(*ignored, *compared.ignored),
        constants={} if constant is None else {names[1]: float(constant)},
        posteriors=None if posterior is None else [posterior],
        sturdy=sturdy,
    )


def _can_be_repeated(sample: Any, procedure: Procedure, outcome: stats.Comparison) -> bool:
    """Whether the test can be repeated without single units in little time."""
    if declared(procedure).side_effects or not can_leave_out(sample):
        return False
    drawn = outcome.n_drawn if isinstance(sample, stats.Predictions) else 0
    return drawn == 0 or drawn * len(sample.kernel.plan.multiplicity) <= _MAX_REPEATED


def make_report(
    compared: Compared,
    question: Question,
    chosen: tuple[Any, Situation | None],
    facts: Callable[[ComparisonEvidence], Facts],
    **fields: Any,
) -> ComparisonEvidence:
    """Return the report with its doubts, and notes on the number of draws and their seed.

    Doubts, from `facts`, and the reasons for the test are computed when they are first read. An
    outcome that does not say whether it rests on random draws is assumed to do so if its
    procedure takes a seed.
    """
    (procedure, situation), metric, level = chosen, compared.metric, question.confidence_level
    margin, rope = question.margin_of(metric), question.rope_of(metric)
    if situation is not None:
        described = replace(situation, margin=margin, rope=rope, confidence_level=level)
        fields["choice"] = partial(recommend, described)
    report = ComparisonEvidence(
        metric=metric, is_loss=compared.is_loss, confidence_level=level, margin=margin, **fields
    )
    report = with_doubts(report, partial(facts, report))
    outcomes, seed = report.pairwise.outcomes, question.seed
    examples = [outcomes[index] for index in outcomes.representatives]
    if question.draws_note and any(one.unadjusted.n_resamples for one in examples):
        report = replace(report, design=with_notes(report.design, question.draws_note))
    mentioned = {report.design.get("random_state"), *report.design.get("notes", ())}
    if seed is not None and mentioned.isdisjoint({seed, note := f"random_state={seed}"}):
        takes_seed = bool(rng_option(procedure, seed))
        drawn = [report.best_posterior is not None, report.strengths is not None]
        drawn.append(report.omnibus is not None and report.omnibus.seed is not None)
        drawn.append(bool(report.posteriors and report.posteriors[0].n_drawn))
        for one in examples:
            outcome = one.unadjusted
            drawn += [outcome.seed is not None, takes_seed and outcome.n_resamples is None]
            drawn.append(getattr(one.joint, "drawn_by", None) is not None)
        if any(drawn):
            report = replace(report, design=with_notes(report.design, note))
    return compared.finished(report, question)


def _run_test(
    procedure: Procedure, arguments: tuple[Any, ...], options: Mapping[str, Any]
) -> tuple[stats.Comparison, bool]:
    """Run a procedure, and return its outcome and whether it warned of dependent units.

    The report shows that warning as a doubt.
    """
    try:
        with suppress(ValueError):  # of compiled functions nothing is known
            signature_of(procedure).bind(*arguments, **options)
    except TypeError as error:
        raise TypeError(
            f"test={procedure!r} cannot be used: {error}. A procedure takes a sample and "
            "alternative=, and returns a Comparison of skstat.stats."
        ) from None
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        outcome = procedure(*arguments, **options)
    if not isinstance(outcome, stats.Comparison):
        raise TypeError(
            f"test={procedure!r} returned {type(outcome).__name__}; a procedure returns a "
            "Comparison of skstat.stats."
        )
    dependent = False
    for item in caught:
        if issubclass(item.category, stats.DependenceWarning):
            dependent = True
        else:
            warnings.warn_explicit(item.message, item.category, item.filename, item.lineno)
    return outcome, dependent


def facts_of(report: ComparisonEvidence, facts: Facts, scored: Any = (), **extra: Any) -> Facts:
    """Add the metric and results of a report, and `extra` fields, to the facts for doubts."""
    if report.kind != "pair":
        verdicts = verdicts_in(report, scored=scored, posteriors=report.posteriors or ())
        results = {"pairwise": report.pairwise, "omnibus": report.omnibus, "verdicts": verdicts}
        extra = results | extra
    extra |= {"metric": report.metric, "is_loss": report.is_loss, "margin": report.margin}
    extra["confidence_level"] = report.confidence_level
    return replace(facts, unit=report.sample.unit, n_units=report.sample.n_units, **extra)


def verdicts_in(report: ComparisonEvidence, scored: Any = (), **fields: Any) -> Pairs:
    """Return the facts for doubts about verdicts, which rest on adjusted p-values."""
    return Pairs(
        names=report.pairwise.pairs,
        outcomes=report.pairwise.outcomes,
        levels=report.levels,
        adjusted=report.pairwise.adjusted_pvalues,
        # For a table, all pairs come in one array.
        identical=np.hstack([one.identical for one in scored] or report.identical_pairs()),
        scored=scored,
        **fields,
    )


def verdict_facts(report: ComparisonEvidence) -> Facts:
    """Return the facts for doubts about the verdict on a slice, whose p-value was adjusted."""
    return facts_of(report, Facts(), verdicts=verdicts_in(report))


def posteriors_of(
    outcomes: Sequence[stats.Comparison],
    question: Question,
    metric: str,
    default: Callable[[int, float], stats.Posterior] | None = None,
) -> tuple[Any, ...] | None:
    """Return the posterior of every comparison of a family; None if no rope was given.

    `default` makes the posterior of the pair with an index, where the law of the estimate is
    not known. All use the same random draws.
    """
    rope = question.rope_of(metric)
    if rope is None:
        return None
    n_draws = _FEW_DRAWS if len(outcomes) > _MANY_PAIRS else None

    def read(index: int) -> Any:
        options: Any = {"default": default and partial(default, index), "n_draws": n_draws}
        return stats.posterior(outcomes[index], rope, rng=question.seed, **options)

    return tuple(map(read, range(len(outcomes))))


def with_notes(design: Mapping[str, Any] | None, *notes: str) -> dict[str, Any]:
    """Return the design of a report with more notes."""
    fields = dict(design or {})
    return fields | {"notes": [*fields.get("notes", ()), *notes]} if notes else fields


def compare(compared: Compared, question: Question) -> ComparisonEvidence:
    """Compare a system with a constant, two systems, or several as a family of pairs."""
    if question.usual_draws is not None:
        question = compared.affordable(question)
    if len(compared.names) > 2:
        return compared.with_class_doubts(ask_family(compared, question))
    pair = compared.as_pair(question)
    return compared.with_class_doubts(ask(pair, pair.choose(question), question))


def ask_family(compared: Compared, question: Question) -> ComparisonEvidence:
    """Test every pair of several systems, and adjust the p-values.

    By default they are adjusted by the joint distribution of the pairs, where it is the law of
    the procedure. If the control was chosen by the scores, any system could have become it:
    p-values are then adjusted for all pairs of systems.
    """
    pairs = pairs_of(compared.names, question.control)
    chosen_by_score = compared.facts.n_candidates is not None
    procedure, choice = chosen = compared.choose(question)
    compared = compared.for_procedure(procedure)
    joint = compared.joint(pairs, question, chosen_by_score)
    first = procedure, _ = compared.choose_of_pair(compared.take(pairs[0]), chosen, question)
    if joint is not None and question.adjustment == "auto" and choice is None:

        def sample_of(pair: Pair) -> Any:
            return compared.take(pair).sample_for(procedure)

        joint = joint if joint.suits(procedure, sample_of, question) else None
    # Without a joint law, draw as often as the smallest adjusted p-value needs.
    n_needed = _DRAWS_FACTOR * len(pairs) / alpha_of(question.confidence_level)
    pair_question, fewest_draws = question, math.ceil(round(n_needed, 6))
    if joint is None and fewest_draws > (question.n_draws or DEFAULT_RESAMPLES):
        pair_question = replace(question, n_resamples=fewest_draws)

    def ask_pair(pair: Pair) -> ComparisonEvidence:
        systems, (test, situation) = compared.take(pair), first
        if compared.table is None:  # else the same test suits all pairs
            test, situation = compared.choose_of_pair(systems, chosen, question)
        if joint is not None:
            test = joint.adjusted_test(pair, test)
        return ask(systems, (test, situation), pair_question)

    results = _pairs_at_once(compared, pairs, joint, procedure, pair_question, ask_pair)
    if results is None:
        results = join([ask_pair(pair) for pair in pairs])
    if isinstance(compared.sample, stats.ScoreTable):
        results.fields["samples"] = None  # they are parts of the table
    if chosen_by_score:
        n_others = math.comb(len(compared.names) - 1, 2)
        n_family = len(pairs) + n_others * (1 + (question.alternative != "two-sided"))
        others = [] if joint is not None else _other_pvalues(compared, chosen[0], pair_question)
        results = results._replace(other_pvalues=others, n_family=n_family)
    return judge_all(results, compared, question, (procedure, choice), joint)


class PairResults(NamedTuple):
    """Results of every pair, before p-values are adjusted for their number.

    Attributes
    ----------
    pairs, outcomes : sequence
        The pairs, and the outcome of each.
    fields : dict
        Fields of the report.
    scores : ScorePairs, optional
        Scores of all pairs in one array.
    other_pvalues : sequence of float
        p-values of pairs without the control, if the control was chosen by the scores.
    n_family : int, optional
        Number of pairs in the family, with these.
    """

    pairs: Sequence[Pair]
    outcomes: OutcomeFamily
    fields: dict[str, Any]
    scores: ScorePairs | None = None
    other_pvalues: Sequence[float] = ()
    n_family: int | None = None


def join(reports: Sequence[ComparisonEvidence]) -> PairResults:
    """Return the results of pairs that were tested one by one."""
    posteriors = [report.posterior for report in reports]
    ignored = chain.from_iterable(report.ignored_variance for report in reports)

    def doubts() -> list[Doubt]:
        each = ((report.pair, doubt) for report in reports for doubt in report.doubts)
        return merged(each, len(reports))

    fields = {
        "samples": tuple(report.sample for report in reports),
        "constants": {name: c for report in reports for name, c in report.constants.items()},
        "posteriors": None if any(p is None for p in posteriors) else posteriors,
        "ignored_variance": tuple(dict.fromkeys(ignored)),
        "doubts": Doubts(doubts),
        "choice": reports[0].choice,
    }
    outcomes = family_of(tuple(report.outcome for report in reports))
    return PairResults([report.pair for report in reports], outcomes, fields)


def _pairs_at_once(
    compared: Compared,
    pairs: Sequence[Pair],
    joint: Joint | None,
    procedure: Procedure,
    question: Question,
    ask_pair: Callable[[Pair], ComparisonEvidence],
) -> PairResults | None:
    """Test all pairs in one array; return None where they must be tested one by one.

    Doubts about the design, which all pairs share, are taken from one of them. Samples and
    outcomes of single pairs are made when they are first read.
    """
    if not isinstance(compared.sample, stats.ScoreTable) or not takes(procedure, ScorePairs):
        return None
    table = compared.sample_for(procedure)
    pair = table.pair(*pairs[0])
    if table.missing.any() or pair.groups is not None or compared.facts.is_baseline:
        return None
    if pair.rows is not None or pair.n_blocks is not None:
        return None
    first, sample = ask_pair(pairs[0]), ScorePairs(table=table, pairs=pairs)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", stats.DependenceWarning)  # reported as a doubt
        joint_test = procedure if joint is None else joint.adjusted_test(None, procedure)
        outcomes = joint_test(sample, **question.options(procedure))
    if isinstance(outcomes, OutcomeFamily):
        return None
    differing = int(sample.identical.argmin())
    with_design = ask_pair(pairs[differing]) if differing else first  # all pairs share it
    ignored = (*first.ignored_variance, *compared.ignored)
    fields = {
        "ignored_variance": tuple(dict.fromkeys(ignored)),
        "doubts": Doubts(lambda: [one for one in with_design.doubts if not one.of_pair]),
        "choice": first.choice,
    }
    return PairResults(pairs, family_of(outcomes), fields, sample)


def judge_all(
    results: PairResults,
    compared: Compared,
    question: Question,
    chosen: Chosen,
    joint: Joint | None = None,
) -> ComparisonEvidence:
    """Adjust the p-values of all pairs, and report on the family.

    Parameters
    ----------
    results : PairResults
        Results of the pairs, and p-values of comparisons that belong to the family but are not
        shown.
    compared : Compared
        The systems of the family.
    question : Question
        Direction, level, and options.
    chosen : tuple of procedure and Situation or None
        The test of the pairs, and the situation it was chosen for.
    joint : Joint, optional
        The joint distribution of all pairs.
    """
    (pairs, family, fields, scores, others, n_family), names = results, compared.names
    (procedure, _), control, metric = chosen, question.control, compared.metric
    adjustment = "holm" if question.adjustment == "auto" else question.adjustment
    if joint is not None:
        adjustment, adjusted = "max-t", joint.max_t.pvalue
    else:
        pvalues = [*family.numbers("pvalue").tolist(), *others]
        adjusted = stats.adjust_pvalues(pvalues, cast(Adjustment, adjustment))[: len(pairs)]
    best, posteriors, best_posterior = compared.best(question), fields.get("posteriors"), None
    if posteriors is None:

        def fallback(index: int, rope: float) -> stats.Posterior:
            systems: Any = compared.take(pairs[index])
            return systems.posterior(systems.sample_for(procedure), question)(rope)

        posteriors = posteriors_of(family, question, metric, fallback if best else None)
    if posteriors and len(names) > 2 and len(pairs) == math.comb(len(names), 2):
        if best is None or isinstance(posteriors[0], StudentPosterior):
            best_posterior = best_of_pairs(names, pairs, posteriors, question.seed or 0)
        else:
            best_posterior = best(posteriors[0].rope)
    pairwise = stats.PairwiseOutcome(
        # A test that adapts to the pair may have several names.
        test=f"pairwise {' / '.join(family.distinct('test'))}",
        names=tuple(names),
        pairs=tuple(pairs),
        outcomes=family,
        adjusted_pvalues=np.asarray(adjusted),
        adjustment=adjustment,
        control=control,
        n_family=n_family,
    )
    sample = compared.summary(fields.get("samples"))

    def facts(report: ComparisonEvidence) -> Facts:
        table = compared.table if compared.finished(report, question).may_be_best else None
        return facts_of(
            report,
            Facts(),
            () if scores is None else (scores,),
            sample=sample if report.sample.unit == "dataset" else None,
            skewness=None if table is None else skewness_left(table),
        )

    return make_report(
        compared,
        question,
        chosen,
        facts,
        sample=sample,
        pairwise=pairwise,
        best_posterior=best_posterior,
        omnibus=compared.omnibus(joint, question),
        design=compared.design_of(procedure, family[0].unadjusted),
        run=compared.run,
        **fields | {"posteriors": posteriors},
    )


def _other_pvalues(compared: Compared, procedure: Procedure, question: Question) -> list[float]:
    """Return p-values of the pairs without the control, which was chosen by the scores."""
    others = [name for name in compared.names if name != question.control]
    both = list(combinations(others, 2))
    if question.alternative != "two-sided":
        both += [(b, a) for a, b in both]
    options = question.options(procedure)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", stats.DependenceWarning)  # reported as a doubt
        samples = (compared.take(pair).sample_for(procedure) for pair in both)
        return [procedure(sample, **options).pvalue for sample in samples]
