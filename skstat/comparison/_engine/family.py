"""Several systems: every pair asked, and all of them judged together."""

import math
import warnings
from collections.abc import Sequence
from dataclasses import replace
from itertools import chain, combinations
from typing import Any, cast

import numpy as np

from skstat import stats
from skstat.comparison._engine.ask import (
    Chosen,
    Compared,
    ask,
    facts_of_pairs,
    posteriors_of,
    with_seed,
)
from skstat.comparison._engine.joint import Joint, Pair, check_joint, enough_draws
from skstat.comparison._guide import with_question
from skstat.comparison._procedures import Procedure
from skstat.comparison._question import Question
from skstat.report import Recommendation
from skstat.report._doubts import Doubts, Facts, find_doubts, merged
from skstat.report._evidence import ComparisonEvidence
from skstat.stats._family import OutcomeFamily, alpha_of
from skstat.stats._joint_law import skewness_left
from skstat.stats._multiplicity import Adjustment
from skstat.stats._pairwise import pairs_of
from skstat.stats._posterior import best_of_pairs
from skstat.stats._procedure import takes
from skstat.stats._resampling import DEFAULT_RESAMPLES
from skstat.stats._score_table import ScorePairs


def compare(compared: Compared, question: Question) -> ComparisonEvidence:
    """Compare a system with a constant, two by one test, or several as a family."""
    question = compared.affordable(question)
    if len(compared.names) > 2:
        return compared.about_classes(ask_family(compared, question))
    two = compared.alone(question)
    return compared.about_classes(ask(two, two.choose(question), question))


def ask_family(
    compared: Compared, question: Question, *, chosen_by_score: bool = False
) -> ComparisonEvidence:
    """Ask a procedure of every pair of several systems.

    By default the pairs are judged by their joint distribution, where that is the law of the
    procedure. A control that was chosen by the scores is one end of any pair: p-values are then
    adjusted for all.
    """
    adjustment = question.adjustment
    check_joint(adjustment, question.control)
    pairs = pairs_of(compared.names, question.control)
    procedure, choice = chosen = compared.choose(question)
    compared = compared.taken_by(procedure)
    joint = compared.joint(pairs, question, everyone=chosen_by_score)
    if joint is not None and adjustment == "auto" and choice is None:
        first = compared.take(pairs[0])
        own, _ = compared.choose_of_pair(first, chosen, question)
        joint = joint if compared.suits(joint, own, question) else None
    asked, least = question, enough_draws(len(pairs), alpha_of(question.confidence_level))
    # Draw as often as the smallest adjusted p-value needs.
    if joint is None and least > (question.n_draws or DEFAULT_RESAMPLES):
        asked = replace(question, n_resamples=least)

    def ask_pair(pair: Pair) -> ComparisonEvidence:
        nonlocal procedure
        two = compared.take(pair)
        procedure, why = own, _ = compared.choose_of_pair(two, chosen, question)
        return ask(two, (own if joint is None else joint.asking(pair, own), why), asked)

    looked, others, n_family = None, [], None
    family = _pairs_at_once(compared, pairs, joint, procedure, asked, ask_pair)
    if family is None:
        found = joined([ask_pair(pair) for pair in pairs])
    else:
        found, looked = family
    if isinstance(compared.sample, stats.ScoreTable):
        found = replace(found, samples=None)  # they are parts of the table
    if chosen_by_score:
        n_others = math.comb(len(compared.names) - 1, 2)
        n_family = len(pairs) + n_others * (1 + (question.alternative != "two-sided"))
        others = [] if joint is not None else _other_pvalues(compared, chosen, asked)
    return judged(
        found,
        compared,
        question,
        procedure,
        choice=choice,
        joint=joint,
        looked=looked,
        others=others,
        n_family=n_family,
    )


def joined(reports: Sequence[ComparisonEvidence]) -> ComparisonEvidence:
    """Join pairs that were asked one by one; they await the adjustment for their number."""
    first, pairs = reports[0], tuple(report.pair for report in reports)
    read = [report.posterior for report in reports]
    ignored = chain.from_iterable(report.ignored_variance for report in reports)
    constants = [report.constants for report in reports]
    return _several(
        first,
        pairs,
        tuple(report.outcome for report in reports),
        samples=tuple(report.sample for report in reports),
        constants={name: own for each in constants for name, own in each.items()},
        posteriors=None if any(own is None for own in read) else read,
        ignored_variance=tuple(dict.fromkeys(ignored)),
        doubts=Doubts(
            lambda: merged(
                ((report.pair, doubt) for report in reports for doubt in report.doubts),
                len(reports),
            )
        ),
    )


def _several(
    first: ComparisonEvidence,
    pairs: Sequence[Pair],
    outcomes: Sequence[stats.Comparison] | stats.Comparison,
    **known: Any,
) -> ComparisonEvidence:
    """Return several pairs, of which the first says what all have in common."""
    pairwise = replace(first.pairwise, pairs=tuple(pairs), outcomes=outcomes)
    own = {"sturdy": None, "times": None, "preface": ""}
    return replace(first, kind="systems", pairwise=pairwise, **own | known)


def _pairs_at_once(
    compared: Compared,
    pairs: Sequence[Pair],
    joint: Joint | None,
    procedure: Procedure,
    question: Question,
    ask_pair: Any,
) -> tuple[ComparisonEvidence, ScorePairs] | None:
    """Return the family of pairs of a table as arrays, where that says all; None elsewhere.

    It does for a test that takes all pairs at once, of complete scores, and finds the same of
    all, or is a pair's own.
    """
    if not isinstance(compared.sample, stats.ScoreTable) or not takes(procedure, ScorePairs):
        return None
    table = compared.sample_for(procedure)
    pair = table.pair(*pairs[0])
    if table.missing.any() or pair.groups is not None:
        return None
    if compared.facts.is_baseline or pair.rows is not None or pair.n_blocks is not None:
        return None
    first, sample = ask_pair(pairs[0]), ScorePairs(table=table, pairs=pairs)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", stats.DependenceWarning)  # it is said as a doubt
        at_once = procedure if joint is None else joint.asking(None, procedure)
        found = at_once(sample, **compared.options(procedure, question))
    if isinstance(found, OutcomeFamily):
        return None
    ignored = (*first.ignored_variance, *compared.not_covered())
    differing = int(sample.identical.argmin())
    of_design = ask_pair(pairs[differing]) if differing else first  # all pairs share it
    every = _several(
        first,
        pairs,
        found,
        posteriors=None,
        ignored_variance=tuple(dict.fromkeys(ignored)),
        doubts=Doubts(lambda: [one for one in of_design.doubts if not one.of_pair]),
    )
    return every, sample


def judged(
    found: ComparisonEvidence,
    compared: Compared,
    question: Question,
    procedure: Procedure,
    *,
    choice: Recommendation | None = None,
    joint: Joint | None = None,
    looked: ScorePairs | None = None,
    others: Sequence[float] = (),
    n_family: int | None = None,
) -> ComparisonEvidence:
    """Judge pairs together, and say what holds of all of them.

    Parameters
    ----------
    found : ComparisonEvidence
        The pairs, joined.
    compared : Compared
        All systems.
    question : Question
        What is asked.
    procedure : callable
        The test of every pair.
    choice : Recommendation, optional
        Why it is the one.
    joint : Joint, optional
        The joint distribution, where it judges.
    looked : ScorePairs, optional
        The differences of all pairs at once.
    others : sequence of float
        p-values of pairs that were not asked, and are adjusted for.
    n_family : int, optional
        Number of pairs with those.

    Returns
    -------
    ComparisonEvidence
        With adjusted p-values, probabilities, the test of all at once, and doubts.
    """
    family, pairs, names = found.pairwise.outcomes, found.pairwise.pairs, compared.names
    adjustment = "holm" if question.adjustment == "auto" else question.adjustment
    if joint is not None:
        adjustment, adjusted = "max-t", joint.found.pvalues
    else:
        every = [*family.numbers("pvalue").tolist(), *others]
        adjusted = stats.adjust_pvalues(every, cast(Adjustment, adjustment))[: len(pairs)]
    best, posteriors, sample = (
        compared.best(question),
        found.posteriors,
        compared.summary(found),
    )
    if posteriors is None:

        def otherwise(place: int, rope: float) -> stats.Posterior:
            two: Any = compared.take(pairs[place])
            read: stats.Posterior = two.posterior(two.sample_for(procedure), question)(rope)
            return read

        otherwise_ = None if best is None else otherwise
        posteriors = posteriors_of(family, question, found.metric, otherwise_)
    best_posterior = None
    if posteriors and len(names) > 2 and len(pairs) == math.comb(len(names), 2):
        if best is None or isinstance(posteriors[0], stats.StudentPosterior):
            best_posterior = best_of_pairs(names, pairs, posteriors, question.seed or 0)
        else:
            best_posterior = best(posteriors[0].rope)
    report = replace(
        found,
        sample=sample,
        pairwise=replace(
            found.pairwise,
            # One that adapts to a pair may have several names.
            test=f"pairwise {' / '.join(family.distinct('test'))}",
            names=tuple(names),
            adjusted_pvalues=np.asarray(adjusted),
            adjustment=adjustment,
            control=question.control,
            n_family=n_family,
        ),
        posteriors=posteriors,
        best_posterior=best_posterior,
        omnibus=compared.omnibus(joint, question),
        design=compared.design_of(procedure, family[0].by_itself, question),
        run=getattr(compared, "run", None),
    )
    if choice is not None:
        report = replace(report, choice=with_question(choice, question, found.metric))

    def facts() -> Facts:
        of_table = compared.table() if report.may_be_best else None
        return facts_of_pairs(
            report,
            Facts(),
            scored=looked,
            sample=sample if report.unit == "dataset" else None,
            skewness=None if of_table is None else skewness_left(of_table),
        )

    told = replace(report, doubts=Doubts(report.doubts, find_doubts(facts)))
    drawn_by = None if joint is None else joint.found.drawn_by
    return compared.finished(with_seed(told, question.seed, procedure, drawn_by), question)


def _other_pvalues(compared: Compared, chosen: Chosen, question: Question) -> list[float]:
    """p-values of the pairs without the control that was chosen by the scores."""
    others = [name for name in compared.names if name != question.control]
    both = list(combinations(others, 2))
    if question.alternative != "two-sided":
        both += [(b, a) for a, b in both]
    procedure, _ = chosen
    options = compared.options(procedure, question)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", stats.DependenceWarning)  # it is said as a doubt
        samples = (compared.take(pair).sample_for(procedure) for pair in both)
        return [procedure(sample, **options).pvalue for sample in samples]
