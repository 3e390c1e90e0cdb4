"""Several systems: every pair asked, and all of them judged together."""

import math
import warnings
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import chain, combinations
from typing import Any, NamedTuple, cast

import numpy as np

from skstat import stats
from skstat.comparison._engine.ask import (
    Chosen,
    Compared,
    ask,
    asked_of,
    facts_of_pairs,
    posteriors_of,
    told,
)
from skstat.comparison._engine.joint import Joint, Pair, enough_draws
from skstat.comparison._procedures import Procedure
from skstat.comparison._question import Question
from skstat.report._doubts import Doubt, Doubts, Facts, merged
from skstat.report._evidence import ComparisonEvidence
from skstat.stats._family import OutcomeFamily, alpha_of, family_of
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

    found = _pairs_at_once(compared, pairs, joint, procedure, asked, ask_pair)
    if found is None:
        found = joined([ask_pair(pair) for pair in pairs])
    if isinstance(compared.sample, stats.ScoreTable):
        found.known["samples"] = None  # they are parts of the table
    n_family: int | None = None
    others: list[float] = []
    if chosen_by_score:
        n_others = math.comb(len(compared.names) - 1, 2)
        n_family = len(pairs) + n_others * (1 + (question.alternative != "two-sided"))
        others = [] if joint is not None else _other_pvalues(compared, chosen, asked)
    chosen = procedure, choice
    return judged(found, compared, question, chosen, joint, others=others, n_family=n_family)


class PairsAsked(NamedTuple):
    """What every pair comes to; they await the adjustment for their number.

    `known` holds fields of the report, and `looked` the scores of all pairs at once.
    """

    pairs: Sequence[Pair]
    outcomes: OutcomeFamily
    known: dict[str, Any]
    looked: ScorePairs | None = None


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
        found = at_once(sample, **compared.options(procedure, question))
    if isinstance(found, OutcomeFamily):
        return None
    differing = int(sample.identical.argmin())
    of_design = ask_pair(pairs[differing]) if differing else first  # all pairs share it
    ignored = (*first.ignored_variance, *compared.not_covered())
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
    *,
    others: Sequence[float] = (),
    n_family: int | None = None,
) -> ComparisonEvidence:
    """Adjust the p-values of all pairs, and say what holds of the family.

    Parameters
    ----------
    found : PairsAsked
        What the pairs come to.
    compared : Compared
        The systems of the family.
    question : Question
        What was asked.
    chosen : tuple of procedure and Recommendation or None
        The test of the pairs, and why it is the one.
    joint : Joint, optional
        The joint distribution of all pairs.
    others : sequence of float
        p-values of comparisons that belong to the family and are not shown.
    n_family : int, optional
        Their number and that of the pairs.
    """
    (pairs, family, known, looked), names = found, compared.names
    (procedure, choice), control, metric = chosen, question.control, compared.metric
    adjustment = "holm" if question.adjustment == "auto" else question.adjustment
    if joint is not None:
        adjustment, adjusted = "max-t", joint.found.pvalues
    else:
        every = [*family.numbers("pvalue").tolist(), *others]
        adjusted = stats.adjust_pvalues(every, cast(Adjustment, adjustment))[: len(pairs)]
    best, posteriors, best_posterior = compared.best(question), known.get("posteriors"), None
    if posteriors is None:

        def otherwise(place: int, rope: float) -> stats.Posterior:
            two: Any = compared.take(pairs[place])
            read: stats.Posterior = two.posterior(two.sample_for(procedure), question)(rope)
            return read

        posteriors = posteriors_of(family, question, metric, otherwise if best else None)
    if posteriors and len(names) > 2 and len(pairs) == math.comb(len(names), 2):
        if best is None or isinstance(posteriors[0], stats.StudentPosterior):
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
    asked = asked_of(compared, question, choice)
    known = known | {"posteriors": posteriors, "choice": asked["choice"] or known["choice"]}
    sample = compared.summary(known["samples"])
    report = ComparisonEvidence(
        sample=sample,
        pairwise=pairwise,
        best_posterior=best_posterior,
        omnibus=compared.omnibus(joint, question),
        design=compared.design_of(procedure, family[0].by_itself, question),
        run=getattr(compared, "run", None),
        **asked | known,
    )

    def facts() -> Facts:
        table = compared.table() if report.may_be_best else None
        return facts_of_pairs(
            report,
            Facts(),
            scored=looked,
            sample=sample if report.unit == "dataset" else None,
            skewness=None if table is None else skewness_left(table),
        )

    drawn_by = None if joint is None else joint.found.drawn_by
    return told(report, compared, question, facts, procedure, drawn_by)


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
