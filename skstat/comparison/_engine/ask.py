"""What is compared, in one shape whatever was handed in, and one way to ask it."""

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
# Of more pairs than so many fewer draws are made for each.
_MANY_PAIRS, _FEW_DRAWS = 30, 20_000
# Numbers of a resampling test that is asked again and again.
_MOST_AGAIN = 5_000_000
# Draws beyond those without which no adjusted p-value could be below the level.
_BEYOND_THE_FLOOR = 2


@dataclass(frozen=True, kw_only=True, eq=False)
class Compared:
    """Systems on common units by one metric, and all that is known of them.

    Each kind knows its pairs and parts, what a procedure takes of it, the joint distribution of
    its systems, and the facts that doubts go by.

    Attributes
    ----------
    sample : object
        What was measured, as a procedure or its pairs take it.
    names : tuple of str
        The systems; with a constant its name is the second.
    metric : str
        The metric.
    is_loss : bool
        Whether it is one of which lower is better.
    design, facts : object
        What is known of how it was measured.
    ignored : tuple of str
        Sources of variance that neither sample nor outcome say.
    constant : float, optional
        What one system is compared with.
    known_posterior : Posterior, optional
        Where probabilities do not follow from the outcome.
    chosen : tuple of procedure and Recommendation, optional
        The test, where the caller has chosen it.
    of_family : bool
        Whether the verdict rests on an adjusted p-value: it is then judged with the others.
    family : Compared, optional
        The systems that a pair is of, which shares draws with the others.
    run : CrossValidationRun, optional
        The run that the scores are of.
    fixed : mapping
        Fields of the report that are the same whatever is found.
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
        """Return two of several systems."""
        raise NotImplementedError

    def alone(self, question: Question) -> Self:
        """Return the only pair, in the order that is asked for."""
        (pair,) = pairs_of(self.names, question.control)
        return replace(self.take(pair), of_family=self.of_family, family=None)

    def choose(self, question: Question) -> Chosen:
        """Return the test, and why it is the one, if it was not the caller's."""
        raise NotImplementedError

    def taken_by(self, procedure: Procedure) -> Self:
        """Return what a procedure reads of several systems."""
        return self

    def sample_for(self, procedure: Procedure) -> Any:
        """Return what a procedure takes."""
        return self.sample

    def design_of(self, procedure: Procedure, outcome: stats.Comparison) -> Mapping[str, Any]:
        """Return what the report says of the design, but for what was drawn."""
        return self.design

    def facts_for(self, procedure: Procedure, options: dict[str, Any]) -> Facts:
        """Return the facts that doubts about a pair go by."""
        return self.facts

    def posterior(self, sample: Any, question: Question) -> OfRope | None:
        """Return what makes a posterior where no law of the estimate is known."""
        return None

    def finished(self, report: ComparisonEvidence, question: Question) -> ComparisonEvidence:
        """Return the report with all that is known beside what was found."""
        times = select_times(self.fixed.get("times"), report.names)
        return replace(report, **self.fixed | {"times": times})

    def about_classes(self, report: ComparisonEvidence) -> ComparisonEvidence:
        """Add doubts about the classes, if there are classes."""
        return report

    def affordable(self, question: Question) -> Question:
        """Return the question with as many draws as can be waited for."""
        return question

    # --- several systems ---

    def choose_of_pair(self, pair: Self, chosen: Chosen, question: Question) -> Chosen:
        """Return the test of one of several pairs."""
        return chosen[0], None

    def joint(self, pairs: Sequence[Pair], question: Question, everyone: bool) -> Joint | None:
        """Return the joint distribution of pairs, where one is wanted and known."""
        return None

    def omnibus(self, joint: Joint | None, question: Question) -> stats.OmnibusOutcome | None:
        """Return the test of all systems at once."""
        return None

    def best(self, question: Question) -> Callable[[float], BestPosterior] | None:
        """Return what draws who is the best, if the units can be weighed."""
        return None

    @property
    def table(self) -> stats.ScoreTable | None:
        """Return scores of independent units whose means are the scores, if there are some."""
        return None

    def summary(self, samples: Any) -> Any:
        """Return the sample that a report on several systems keeps."""
        return self.sample

    # --- slices ---

    def part(self, rows: NDArray[np.int64], *, one_by_one: bool) -> Self:
        """Return the same systems on some of the rows."""
        raise NotImplementedError

    def influence(self) -> "Influence | None":
        """Return what every unit changes in the difference; None where that is not known."""
        return None


class Influence(NamedTuple):
    """What units change in a difference (jackknife).

    Attributes
    ----------
    values, times : ndarray of shape (n_atoms,)
        Contributions to the difference about it, and how many units are alike.
    rarest : int or None
        Units of the rarest class, for a metric in which they weigh more than others.
    """

    values: NDArray[np.float64]
    times: NDArray[np.float64]
    rarest: int | None = None


def ask(compared: Compared, chosen: Chosen, question: Question) -> ComparisonEvidence:
    """Ask a procedure of two systems, or of one and a constant, and look for doubts."""
    (procedure, _), names, metric = chosen, compared.names, compared.metric
    if len(question.metrics) < 2:
        question.about([metric])
    sample, constant = compared.sample_for(procedure), compared.constant
    options = question.options(procedure)
    given = (sample,) if constant is None else (sample, float(constant))
    if constant is not None and isinstance(sample, stats.Scores):
        given = (sample.against(constant),)
    outcome, dependent = _outcome(procedure, given, options)
    again, sturdy = partial(procedure, **options), None
    if constant is None and not compared.of_family:
        alpha = alpha_of(question.confidence_level)
        if outcome.pvalue < alpha and _can_be_asked_again(sample, again, outcome):
            sturdy = partial(stats.sturdiness, sample, again, alpha=alpha)
    ignored = outcome.ignored_variance  # by the unit, where the outcome does not say it
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
            # Those of a family are looked at together.
            posterior=None if compared.of_family else posterior,
            retest=None if sturdy is None else again,
        )

    return reported(
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


def _can_be_asked_again(sample: Any, procedure: Procedure, outcome: stats.Comparison) -> bool:
    """Whether units can be left out of a sample, and a test be asked again in little time."""
    if declared(procedure).side_effects or not can_leave_out(sample):
        return False
    drawn = outcome.n_drawn if isinstance(sample, stats.Predictions) else 0
    return drawn == 0 or drawn * len(sample.kernel.plan.multiplicity) <= _MOST_AGAIN


def reported(
    compared: Compared,
    question: Question,
    chosen: tuple[Any, Situation | None],
    facts: Callable[[ComparisonEvidence], Facts],
    **found: Any,
) -> ComparisonEvidence:
    """Return the report on what was found, and say how often and by which seed it was drawn.

    Doubts by its `facts`, and why a test was chosen, are found when somebody reads them. An
    outcome that does not say whether it was drawn is taken for drawn if `procedure`, which
    found it, was handed the seed.
    """
    (procedure, situation), metric, level = chosen, compared.metric, question.confidence_level
    margin, rope = question.margin_of(metric), question.rope_of(metric)
    if situation is not None:
        known = replace(situation, margin=margin, rope=rope, confidence_level=level)
        found["choice"] = partial(recommend, known)
    report = ComparisonEvidence(
        metric=metric, is_loss=compared.is_loss, confidence_level=level, margin=margin, **found
    )
    report = with_doubts(report, partial(facts, report))
    outcomes, seed = report.pairwise.outcomes, question.seed
    each = [outcomes[place] for place in outcomes.representatives]
    if question.draws_note and any(one.unadjusted.n_resamples for one in each):
        report = replace(report, design=with_notes(report.design, question.draws_note))
    named = {report.design.get("random_state"), *report.design.get("notes", ())}
    if seed is not None and named.isdisjoint({seed, note := f"random_state={seed}"}):
        handed = bool(rng_option(procedure, seed))
        drawn = [report.best_posterior is not None, report.strengths is not None]
        drawn.append(report.omnibus is not None and report.omnibus.seed is not None)
        if report.posteriors:
            drawn.append(bool(report.posteriors[0].n_drawn))
        for one in each:
            own = one.unadjusted
            drawn += [own.seed is not None, handed and own.n_resamples is None]
            drawn.append(getattr(one.joint, "drawn_by", None) is not None)
        if any(drawn):
            report = replace(report, design=with_notes(report.design, note))
    return compared.finished(report, question)


def _outcome(
    procedure: Procedure, arguments: tuple[Any, ...], options: Mapping[str, Any]
) -> tuple[stats.Comparison, bool]:
    """Ask a procedure, and say whether it warned of dependent units.

    A front door says that as a doubt, which stays with the report.
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


def facts_of(report: ComparisonEvidence, facts: Facts, scored: Any = (), **known: Any) -> Facts:
    """Add what a report is about and found, and what else is known, to what doubts go by."""
    if report.kind != "pair":
        verdicts = verdicts_in(report, scored=scored, posteriors=report.posteriors or ())
        found = {"pairwise": report.pairwise, "omnibus": report.omnibus, "verdicts": verdicts}
        known = found | known
    known |= {"metric": report.metric, "is_loss": report.is_loss, "margin": report.margin}
    known["confidence_level"] = report.confidence_level
    return replace(facts, unit=report.sample.unit, n_units=report.sample.n_units, **known)


def verdicts_in(report: ComparisonEvidence, scored: Any = (), **known: Any) -> Pairs:
    """Return what doubts about verdicts go by, which rest on adjusted p-values."""
    return Pairs(
        names=report.pairwise.pairs,
        outcomes=report.pairwise.outcomes,
        levels=report.levels,
        adjusted=report.pairwise.adjusted_pvalues,
        # Of a table all pairs are seen at once.
        identical=np.hstack([one.identical for one in scored] or report.identical_pairs()),
        scored=scored,
        **known,
    )


def about_verdict(report: ComparisonEvidence) -> Facts:
    """Return what doubts about the verdict on a slice go by, whose p-value was adjusted."""
    return facts_of(report, Facts(), verdicts=verdicts_in(report))


def posteriors_of(
    outcomes: Sequence[stats.Comparison],
    question: Question,
    metric: str,
    default: Callable[[int, float], stats.Posterior] | None = None,
) -> tuple[Any, ...] | None:
    """Read every comparison of a family as probabilities, if the question asks for it.

    `otherwise` makes the posterior of a pair by its place, where no law of the estimate is
    known. The draws of all are common.
    """
    rope = question.rope_of(metric)
    if rope is None:
        return None
    n_draws = _FEW_DRAWS if len(outcomes) > _MANY_PAIRS else None

    def read(place: int) -> Any:
        how: Any = {"default": default and partial(default, place), "n_draws": n_draws}
        return stats.posterior(outcomes[place], rope, rng=question.seed, **how)

    return tuple(map(read, range(len(outcomes))))


def with_notes(design: Mapping[str, Any] | None, *notes: str) -> dict[str, Any]:
    """Add notes to what a report says of the design."""
    known = dict(design or {})
    return known | {"notes": [*known.get("notes", ()), *notes]} if notes else known


def compare(compared: Compared, question: Question) -> ComparisonEvidence:
    """Compare a system with a constant, two by one test, or several as a family."""
    if question.usual_draws is not None:
        question = compared.affordable(question)
    if len(compared.names) > 2:
        return compared.about_classes(ask_family(compared, question))
    two = compared.alone(question)
    return compared.about_classes(ask(two, two.choose(question), question))


def ask_family(compared: Compared, question: Question) -> ComparisonEvidence:
    """Ask a procedure of every pair of several systems.

    By default the pairs are judged by their joint distribution, where that is the law of the
    procedure. A control that was chosen by the scores is one end of any pair: p-values are then
    adjusted for all.
    """
    pairs = pairs_of(compared.names, question.control)
    chosen_by_score = compared.facts.n_candidates is not None
    procedure, choice = chosen = compared.choose(question)
    compared = compared.taken_by(procedure)
    joint = compared.joint(pairs, question, chosen_by_score)
    first = procedure, _ = compared.choose_of_pair(compared.take(pairs[0]), chosen, question)
    if joint is not None and question.adjustment == "auto" and choice is None:

        def sample_of(pair: Pair) -> Any:
            return compared.take(pair).sample_for(procedure)

        joint = joint if joint.suits(procedure, sample_of, question) else None
    # Draw as often as the smallest p-value needs when all are adjusted one by one.
    n_needed = _BEYOND_THE_FLOOR * len(pairs) / alpha_of(question.confidence_level)
    of_pairs, least = question, math.ceil(round(n_needed, 6))
    if joint is None and least > (question.n_draws or DEFAULT_RESAMPLES):
        of_pairs = replace(question, n_resamples=least)

    def ask_pair(pair: Pair) -> ComparisonEvidence:
        two, (own, why) = compared.take(pair), first
        if compared.table is None:  # else all pairs are in the same situation
            own, why = compared.choose_of_pair(two, chosen, question)
        return ask(two, (own if joint is None else joint.asking(pair, own), why), of_pairs)

    found = _pairs_at_once(compared, pairs, joint, procedure, of_pairs, ask_pair)
    if found is None:
        found = joined([ask_pair(pair) for pair in pairs])
    if isinstance(compared.sample, stats.ScoreTable):
        found.known["samples"] = None  # they are parts of the table
    if chosen_by_score:
        n_others = math.comb(len(compared.names) - 1, 2)
        n_family = len(pairs) + n_others * (1 + (question.alternative != "two-sided"))
        others = [] if joint is not None else _other_pvalues(compared, chosen, of_pairs)
        found = found._replace(others=others, n_family=n_family)
    return judged(found, compared, question, (procedure, choice), joint)


class PairsAsked(NamedTuple):
    """What every pair comes to; they await the adjustment for their number.

    `known` holds fields of the report, and `looked` the scores of all pairs at once; of a
    control that the scores chose there are `others` in the family, which has `n_family` pairs.
    """

    pairs: Sequence[Pair]
    outcomes: OutcomeFamily
    known: dict[str, Any]
    looked: ScorePairs | None = None
    others: Sequence[float] = ()
    n_family: int | None = None


def joined(reports: Sequence[ComparisonEvidence]) -> PairsAsked:
    """Join pairs that were asked one by one."""
    read = [report.posterior for report in reports]
    ignored = chain.from_iterable(report.ignored_variance for report in reports)

    def doubts() -> list[Doubt]:
        each = ((report.pair, doubt) for report in reports for doubt in report.doubts)
        return merged(each, len(reports))

    known = {
        "samples": tuple(report.sample for report in reports),
        "constants": {name: c for report in reports for name, c in report.constants.items()},
        "posteriors": None if any(own is None for own in read) else read,
        "ignored_variance": tuple(dict.fromkeys(ignored)),
        "doubts": Doubts(doubts),
        "choice": reports[0].choice,
    }
    outcomes = family_of(tuple(report.outcome for report in reports))
    return PairsAsked([report.pair for report in reports], outcomes, known)


def _pairs_at_once(
    compared: Compared,
    pairs: Sequence[Pair],
    joint: Joint | None,
    procedure: Procedure,
    question: Question,
    ask_pair: Callable[[Pair], ComparisonEvidence],
) -> PairsAsked | None:
    """Ask all pairs by one array; or return None where they must be asked one by one.

    What holds of all of them, as the doubts about the design, is asked of one. Samples are
    taken from the table when somebody looks at them, and so are the outcomes of single pairs.
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
        warnings.simplefilter("ignore", stats.DependenceWarning)  # it is said as a doubt
        at_once = procedure if joint is None else joint.asking(None, procedure)
        found = at_once(sample, **question.options(procedure))
    if isinstance(found, OutcomeFamily):
        return None
    differing = int(sample.identical.argmin())
    of_design = ask_pair(pairs[differing]) if differing else first  # all pairs share it
    ignored = (*first.ignored_variance, *compared.ignored)
    known = {
        "ignored_variance": tuple(dict.fromkeys(ignored)),
        "doubts": Doubts(lambda: [one for one in of_design.doubts if not one.of_pair]),
        "choice": first.choice,
    }
    return PairsAsked(pairs, family_of(found), known, sample)


def judged(
    found: PairsAsked,
    compared: Compared,
    question: Question,
    chosen: Chosen,
    joint: Joint | None = None,
) -> ComparisonEvidence:
    """Adjust the p-values of all pairs, and say what holds of the family.

    Parameters
    ----------
    found : PairsAsked
        What the pairs come to, with p-values of comparisons that belong to the family and are
        not shown.
    compared : Compared
        The systems of the family.
    question : Question
        What was asked.
    chosen : tuple of procedure and Situation or None
        The test of the pairs, and what it is for.
    joint : Joint, optional
        The joint distribution of all pairs.
    """
    (pairs, family, known, looked, others, n_family), names = found, compared.names
    (procedure, _), control, metric = chosen, question.control, compared.metric
    adjustment = "holm" if question.adjustment == "auto" else question.adjustment
    if joint is not None:
        adjustment, adjusted = "max-t", joint.found.pvalue
    else:
        every = [*family.numbers("pvalue").tolist(), *others]
        adjusted = stats.adjust_pvalues(every, cast(Adjustment, adjustment))[: len(pairs)]
    best, posteriors, best_posterior = compared.best(question), known.get("posteriors"), None
    if posteriors is None:

        def fallback(place: int, rope: float) -> stats.Posterior:
            two: Any = compared.take(pairs[place])
            return two.posterior(two.sample_for(procedure), question)(rope)

        posteriors = posteriors_of(family, question, metric, fallback if best else None)
    if posteriors and len(names) > 2 and len(pairs) == math.comb(len(names), 2):
        if best is None or isinstance(posteriors[0], StudentPosterior):
            best_posterior = best_of_pairs(names, pairs, posteriors, question.seed or 0)
        else:
            best_posterior = best(posteriors[0].rope)
    pairwise = stats.PairwiseOutcome(
        # One that adapts to a pair may have several names.
        test=f"pairwise {' / '.join(family.distinct('test'))}",
        names=tuple(names),
        pairs=tuple(pairs),
        outcomes=family,
        adjusted_pvalues=np.asarray(adjusted),
        adjustment=adjustment,
        control=control,
        n_family=n_family,
    )
    sample = compared.summary(known.get("samples"))

    def facts(report: ComparisonEvidence) -> Facts:
        table = compared.table if compared.finished(report, question).may_be_best else None
        return facts_of(
            report,
            Facts(),
            () if looked is None else (looked,),
            sample=sample if report.sample.unit == "dataset" else None,
            skewness=None if table is None else skewness_left(table),
        )

    return reported(
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
        **known | {"posteriors": posteriors},
    )


def _other_pvalues(compared: Compared, chosen: Chosen, question: Question) -> list[float]:
    """p-values of the pairs without the control that was chosen by the scores."""
    others = [name for name in compared.names if name != question.control]
    both = list(combinations(others, 2))
    if question.alternative != "two-sided":
        both += [(b, a) for a, b in both]
    procedure, _ = chosen
    options = question.options(procedure)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", stats.DependenceWarning)  # it is said as a doubt
        samples = (compared.take(pair).sample_for(procedure) for pair in both)
        return [procedure(sample, **options).pvalue for sample in samples]
