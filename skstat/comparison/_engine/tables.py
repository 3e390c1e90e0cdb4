"""Several systems over many data sets: which tests, and the report on a table."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skstat import stats
from skstat.comparison._engine.ask import facts_of_pairs, posteriors_of, with_notes, with_seed
from skstat.comparison._engine.post_hoc import (
    DEFAULT_POST_HOC,
    PairwiseRequest,
    compares_tables,
    test_of_pairs,
)
from skstat.comparison._guide import Situation, recommend, with_question
from skstat.comparison._procedures import procedures_by_name, sample_types
from skstat.comparison._question import Margin, Question
from skstat.report._doubts import Facts, Scored, find_doubts
from skstat.report._evidence import ComparisonEvidence
from skstat.stats._pairwise import pairs_of
from skstat.stats._procedure import declared, resamples_option, rng_option, signature_of
from skstat.stats._score_table import ScorePairs
from skstat.stats._words import IGNORED_VARIANCE

Omnibus = Callable[[stats.ScoreTable], stats.OmnibusOutcome]

# What a function of all systems at once returns.
_OF_ALL = (stats.OmnibusOutcome, stats.BradleyTerryPosterior)
_MOST_STRENGTHS = 100  # more take many seconds

_NO_MARGIN = (
    "margin={!r} is in the unit of the score, and the {} compares mean ranks; compare pairs by "
    f"{DEFAULT_POST_HOC!r}, or another test of single pairs."
)


def omnibus_named(test: str | Omnibus) -> Omnibus:
    """Find a test of all systems at once by name; a function is one already."""
    if callable(test):
        return test
    if test == "auto":
        return stats.friedman
    known = omnibus_tests()
    if not isinstance(test, str) or test not in known:
        raise ValueError(
            f"test={test!r} is not a test of several systems over data sets; use 'auto', a "
            f"function of a ScoreTable, or one of {', '.join(known)}."
        )
    return known[test]


def omnibus_tests() -> dict[str, Omnibus]:
    """Return the tests of all systems at once by the names that ``test=`` knows them by."""
    return procedures_by_name(stats.ScoreTable, result=stats.OmnibusOutcome)


def tests_over_datasets(
    test: Any, adjustment: str, n_systems: int
) -> tuple[Any, PairwiseRequest]:
    """Part one ``test=`` into the test of all systems, or of two, and that of pairs.

    A test of all systems has Wilcoxon's test of every pair beside it, and a comparison of pairs
    has Friedman's test of all systems; one name may be that of both.
    """
    if callable(test):
        returned = signature_of(test).return_annotation
        of_tables = stats.ScoreTable in sample_types(test)
        of_all = stats.DatasetSplits in sample_types(test) or returned in _OF_ALL
    else:
        of_tables = compares_tables(test)
        of_all = test == "auto" or (test in omnibus_tests() and not of_tables)
    if of_all or (n_systems == 2 and not of_tables):
        return test, PairwiseRequest.of(DEFAULT_POST_HOC, adjustment, "test")
    beside = test if test in omnibus_tests() else "auto"
    return beside, PairwiseRequest.of(test, adjustment, "test")


def ask_table(
    table: stats.ScoreTable,
    test: str | Omnibus,
    post_hoc: PairwiseRequest,
    question: Question,
    *,
    metric: str = "score",
    is_loss: bool = False,
    design: dict[str, Any] | None = None,
    facts: Facts | None = None,
    ignored: tuple[str, ...] = (),
    failures: tuple[str, ...] = (),
    run: Any = None,
) -> ComparisonEvidence:
    """Ask all systems at once, then in pairs, and write the report with its doubts."""
    control, seed, n_resamples = question.control, question.drawn_by, question.n_resamples
    by_default = test == "auto" and post_hoc.is_default
    # To leave out every data set with a gap would cost most of them where gaps are scattered.
    for_gaps = post_hoc.takes_gaps and table.missing.any() and not _apart(table, control)
    omnibus = stats.skillings_mack if for_gaps and test == "auto" else omnibus_named(test)
    with_gaps = declared(omnibus).missing_scores
    pairwise = post_hoc.function(control, question, gaps=with_gaps, n_resamples=n_resamples)
    left_out = failures
    if not with_gaps:
        complete = _complete(table, failures)
        left_out = failures or gaps(table, complete)
        table = complete
    elif post_hoc.name is not None and table.missing.any() and not post_hoc.takes_gaps:
        raise ValueError(
            f"test={test!r} allows missing scores, but {post_hoc.argument}={post_hoc.name!r} "
            f"ranks all systems and needs every score; use {DEFAULT_POST_HOC!r}, which "
            "compares a pair on the data sets that both have scores on, or another test, for "
            "complete data sets only."
        )
    drawing = resamples_option(omnibus, n_resamples) | rng_option(omnibus, seed)
    found = omnibus(table, **drawing)
    if with_gaps:
        _check_connected(table, control)
    pairs = pairwise(table, **rng_option(pairwise, seed))
    for value, kind in ((found, stats.OmnibusOutcome), (pairs, stats.PairwiseOutcome)):
        if not isinstance(value, kind):
            raise TypeError(
                f"a test returned {type(value).__name__} instead of {kind.__name__}."
            )
    check_margin(question.margin_of(metric), pairs)
    posteriors = posteriors_of(pairs.outcomes, question, metric)
    strengths, notes = _strengths(table, question, metric, seed)
    choice = None
    if by_default:
        situation = Situation.of_scores(table, control=control is not None)
        choice = with_question(recommend(situation), question, metric)
    report = ComparisonEvidence(
        kind="datasets",
        sample=table,
        omnibus=found,
        pairwise=pairs,
        metric=metric,
        is_loss=is_loss,
        confidence_level=question.confidence_level,
        design=with_notes(design, *notes),
        ignored_variance=IGNORED_VARIANCE[str(table.unit)] + ignored,
        choice=choice,
        left_out=left_out,
        margin=question.margin_of(metric),
        posteriors=posteriors,
        strengths=strengths,
        run=run,
    )
    identical, scored = _looked_at(table, pairs)
    facts = facts_of_pairs(
        report,
        replace(facts or Facts(), n_metrics=question.n_metrics),
        identical=identical,
        scored=scored,
        names=table.names,
        table=table,
        strengths=strengths,
        left_out=left_out,
    )
    handed = test_of_pairs(pairwise) if rng_option(pairwise, seed) else None
    return with_seed(replace(report, doubts=find_doubts(facts)), seed, handed)


def _looked_at(
    table: stats.ScoreTable, pairs: stats.PairwiseOutcome
) -> tuple[NDArray[np.bool_], Scored | ScorePairs]:
    """Tell which pairs are the same on every data set, and what their scores say."""
    if table.n_units > 1 and not table.missing.any():
        differences = ScorePairs(table=table, pairs=pairs.pairs)
        return differences.identical, differences
    samples = [table.pair(*pair) for pair in pairs.pairs]
    return np.array([each.identical for each in samples]), Scored.of_samples(samples)


def _strengths(
    table: stats.ScoreTable, question: Question, metric: str, seed: int
) -> tuple[stats.BradleyTerryPosterior | None, tuple[str, ...]]:
    """Ask which system is the best, if probabilities are asked; or say why not."""
    rope = question.rope_of(metric)
    if rope is None or table.n_systems < 3:
        return None, ()
    if table.n_systems > _MOST_STRENGTHS:
        return None, (
            f"strengths of more than {_MOST_STRENGTHS} systems are left to "
            "skstat.stats.bradley_terry",
        )
    try:
        return stats.bradley_terry(table, rope, rng=seed), ()
    except stats.PoorDrawsError as error:
        return None, (f"no strengths: {error}",)


def check_margin(margin: Margin, pairs: stats.PairwiseOutcome) -> None:
    """Refuse a margin, which is in the unit of the score, where ranks are compared."""
    if margin is not None and pairs.outcomes[0].scale != "score":
        raise ValueError(_NO_MARGIN.format(margin, pairs.test))


def _complete(table: stats.ScoreTable, failures: tuple[str, ...]) -> stats.ScoreTable:
    """Leave out data sets with missing scores, unless hardly any is left."""
    whole = int((~table.missing.any(axis=1)).sum())
    if whole >= min(2, table.n_units):
        return table.complete()
    missing = table.missing.sum(axis=0)
    worst = int(missing.argmax())
    first = f" The first failure: {failures[0]}" if failures else ""
    raise ValueError(
        f"{whole} of {table.n_units} data sets have the scores of all systems; "
        f"{table.names[worst]} lacks {missing[worst]} of them. Leave it out, or ask "
        f"test='skillings_mack', which uses the scores that are there.{first}"
    )


def _check_connected(table: stats.ScoreTable, control: str | None) -> None:
    for a, b in _apart(table, control):
        raise ValueError(
            f"{a!r} and {b!r} have scores on no common data set, so that they cannot be "
            "compared as a pair; leave one of them out, or name a control= that has data "
            "sets in common with every other system."
        )


def _apart(table: stats.ScoreTable, control: str | None) -> list[tuple[str, str]]:
    """Pairs that have scores on no common data set."""
    there = (~table.missing).astype(np.int64)
    shared = there.T @ there
    place = {name: number for number, name in enumerate(table.names)}
    pairs = pairs_of(table.names, control)
    return [(a, b) for a, b in pairs if not shared[place[a], place[b]]]


def gaps(table: stats.ScoreTable, complete: stats.ScoreTable) -> tuple[str, ...]:
    """Say which data sets are not compared, and which scores they lack."""
    if complete is table:
        return ()
    reasons = []
    for dataset, row in zip(table.datasets or (), table.missing, strict=True):
        without = [system for system, gap in zip(table.names, row, strict=True) if gap]
        if without:
            reasons.append(f"data set {dataset} (no score of {', '.join(without)})")
    return tuple(reasons)
