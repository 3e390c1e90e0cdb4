"""Several systems over many data sets: which tests, and the report on a table."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any, cast, get_args

import numpy as np

from skstat import stats
from skstat.comparison._ask import Question
from skstat.comparison._guide import recommend, with_margin
from skstat.comparison._situation import Situation
from skstat.report import DatasetsReport, Recommendation
from skstat.report._doubts import Context, SystemsCase, TableCase, by_code, find_doubts
from skstat.stats import OmnibusOutcome, PairwiseOutcome, ScoreTable
from skstat.stats._adjust import Adjustment
from skstat.stats._meaning import IGNORED_VARIANCE
from skstat.stats._pairwise import pairs_of

Omnibus = Callable[[ScoreTable], OmnibusOutcome]
PostHoc = Callable[[ScoreTable], PairwiseOutcome]

OMNIBUS: dict[str, Omnibus] = {
    "friedman": stats.friedman,
    "quade": stats.quade,
    "friedman_aligned": stats.friedman_aligned,
    "repeated_measures_anova": stats.repeated_measures_anova,
    "largest_t": stats.largest_t,
    "skillings_mack": stats.skillings_mack,
}
# Tests of single pairs, whose p-values are adjusted by what follows the dash.
PAIRS: dict[str, Callable[..., PairwiseOutcome]] = {
    "wilcoxon": stats.pairwise_wilcoxon,
    "sign": stats.pairwise_sign,
    "sign-flip": partial(stats.pairwise, test=stats.sign_flip),
    "t": partial(stats.pairwise, test=stats.paired_t),
    "mean-ranks": stats.pairwise_mean_ranks,
    "exact-mean-ranks": partial(stats.pairwise_mean_ranks, method="exact"),
    "aligned-ranks": partial(stats.pairwise_mean_ranks, ranking="aligned"),
    "quade": partial(stats.pairwise_mean_ranks, ranking="quade"),
    "conover": stats.pairwise_conover,
    "conover-quade": partial(stats.pairwise_conover, ranking="quade"),
}
BY_PAIRS = ("wilcoxon", "sign", "sign-flip", "t")
WHOLE = ("nemenyi", "bonferroni-dunn")
DEFAULT_POST_HOC = "wilcoxon-holm"
_NO_MARGIN = (
    "margin={!r} is in the unit of the score, and {} compares mean ranks; use "
    "post_hoc='wilcoxon-holm', or another test of single pairs."
)


def _choice(
    table: ScoreTable, control: str | None, question: Question, metric: str
) -> Recommendation | None:
    situation = Situation.of_scores(table, control=control is not None)
    margin = question.margin_of(metric)
    return with_margin(recommend(situation), margin, question.confidence_level)


def omnibus_named(test: str | Omnibus) -> Omnibus:
    """Find a test of all systems at once by name; a function is one already."""
    if callable(test):
        return test
    if test == "auto":
        return stats.friedman
    if not isinstance(test, str) or test not in OMNIBUS:
        raise ValueError(
            f"test={test!r} is no test of several systems over data sets; use 'auto', a "
            f"function of a ScoreTable, or one of {', '.join(OMNIBUS)}."
        )
    return OMNIBUS[test]


def post_hoc_named(
    post_hoc: str | PostHoc, control: str | None, question: Question, *, gaps: bool = False
) -> PostHoc:
    """Find a comparison in pairs by name, such as ``"wilcoxon-holm"``."""
    one_sided = question.alternative != "two-sided"
    if callable(post_hoc):
        if control is not None or one_sided:
            raise ValueError(
                "control= and alternative= are for tests given by name; a function of yours "
                "decides these itself: pass functools.partial(post_hoc, control=...)."
            )
        return post_hoc
    if not isinstance(post_hoc, str):
        raise TypeError(
            f"post_hoc={post_hoc!r} must be a name such as {DEFAULT_POST_HOC!r} or a function."
        )
    if question.margin is not None and not _by_pairs(post_hoc):
        raise ValueError(_NO_MARGIN.format(question.margin, f"post_hoc={post_hoc!r}"))
    if post_hoc in WHOLE:
        if one_sided:
            raise ValueError(
                f"post_hoc={post_hoc!r} is two-sided only; use 'wilcoxon-holm' for "
                f"alternative={question.alternative!r}."
            )
        if post_hoc == "nemenyi":
            if control is not None:
                raise ValueError(
                    "post_hoc='nemenyi' compares all pairs; with a control use "
                    "'bonferroni-dunn' or 'wilcoxon-holm'."
                )
            return stats.nemenyi
        if control is None:
            raise ValueError("post_hoc='bonferroni-dunn' compares with a control; name it.")
        return partial(stats.bonferroni_dunn, control=control)
    options: dict[str, Any] = {"control": control}
    for adjustment in get_args(Adjustment):
        name = post_hoc.removesuffix(f"-{adjustment}")
        if name in PAIRS and name != post_hoc:
            if adjustment == "rom" and question.confidence_level != 0.95:
                raise ValueError(
                    "the p-values adjusted by 'rom' are made for a level of 0.05; use 'hommel'."
                )
            if name in BY_PAIRS:
                options["alternative"] = question.alternative
                options["missing"] = "drop" if gaps else "raise"
            elif one_sided:
                raise ValueError(
                    f"post_hoc={post_hoc!r} is two-sided only, but "
                    f"alternative={question.alternative!r}; use 'wilcoxon-holm'."
                )
            return partial(PAIRS[name], adjustment=cast(Adjustment, adjustment), **options)
    raise ValueError(
        f"post_hoc={post_hoc!r} is unknown; use {', '.join(map(repr, WHOLE))}, a function of a "
        f"ScoreTable, or one of {', '.join(PAIRS)} with an adjustment behind a dash: "
        f"{', '.join(get_args(Adjustment))}."
    )


def ask_table(
    table: ScoreTable,
    test: str | Omnibus,
    post_hoc: str | PostHoc,
    question: Question,
    *,
    control: str | None = None,
    metric: str = "score",
    is_loss: bool = False,
    design: dict[str, Any] | None = None,
    context: Context | None = None,
    ignored_variance: tuple[str, ...] = (),
    failures: tuple[str, ...] = (),
    run: Any = None,
) -> DatasetsReport:
    """Ask all systems at once, then in pairs, and write the report with its doubts."""
    by_name = test == "auto" and post_hoc == DEFAULT_POST_HOC
    # To leave out every data set with a gap would cost most of them where gaps are scattered.
    for_gaps = test == "auto" and table.missing.any() and _drops_gaps(post_hoc, table, control)
    omnibus = stats.skillings_mack if for_gaps else omnibus_named(test)
    with_gaps = omnibus is stats.skillings_mack
    pairwise = post_hoc_named(post_hoc, control, question, gaps=with_gaps)
    left_out = failures
    if not with_gaps:
        complete = _complete(table, failures)
        left_out = failures or gaps(table, complete)
        table = complete
    elif isinstance(post_hoc, str) and table.missing.any() and not _by_pairs(post_hoc):
        raise ValueError(
            f"test='skillings_mack' allows missing scores, but post_hoc={post_hoc!r} ranks all "
            "systems and needs every score; use 'wilcoxon-holm', which compares a pair on the "
            "data sets that both have scores on, or another test, for complete data sets only."
        )
    found = omnibus(table)
    if with_gaps:
        _check_connected(table, control)
    pairs = pairwise(table)
    for value, kind in ((found, OmnibusOutcome), (pairs, PairwiseOutcome)):
        if not isinstance(value, kind):
            raise TypeError(
                f"a test returned {type(value).__name__} instead of {kind.__name__}."
            )
    case = TableCase(
        table=table,
        omnibus=found,
        pairwise=pairs,
        confidence_level=question.confidence_level,
        context=replace(context or Context(), left_out=left_out),
    )
    report = DatasetsReport(
        sample=table,
        omnibus=found,
        pairwise=pairs,
        metric=metric,
        is_loss=is_loss,
        confidence_level=question.confidence_level,
        design=design or {},
        ignored_variance=IGNORED_VARIANCE[str(table.unit)] + ignored_variance,
        doubts=find_doubts(case),
        choice=_choice(table, control, question, metric) if by_name else None,
        left_out=left_out,
        margin=_margin(question, metric, pairs),
        run=run,
    )
    together = find_doubts(SystemsCase(report=report))
    return replace(report, doubts=by_code(report.doubts, together))


def _margin(question: Question, metric: str, pairs: PairwiseOutcome) -> float | None:
    margin = question.margin_of(metric)
    if margin is not None and pairs.outcomes[0].scale != "score":
        raise ValueError(_NO_MARGIN.format(margin, pairs.test))
    return margin


def _complete(table: ScoreTable, failures: tuple[str, ...]) -> ScoreTable:
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
        f"test='skillings_mack', which uses the scores that exist.{first}"
    )


def _drops_gaps(post_hoc: str | PostHoc, table: ScoreTable, control: str | None) -> bool:
    """Whether every pair can be compared on the data sets that both have scores on."""
    by_pairs = isinstance(post_hoc, str) and _by_pairs(post_hoc)
    return by_pairs and not _apart(table, control)


def _by_pairs(post_hoc: str) -> bool:
    return any(post_hoc.startswith(f"{name}-") for name in BY_PAIRS)


def _check_connected(table: ScoreTable, control: str | None) -> None:
    for a, b in _apart(table, control):
        raise ValueError(
            f"{a!r} and {b!r} have scores on no common data set, so that they cannot be "
            "compared as a pair; leave one of them out, or name a control= that has data "
            "sets in common with every other system."
        )


def _apart(table: ScoreTable, control: str | None) -> list[tuple[str, str]]:
    """Pairs that have scores on no common data set."""
    there = (~table.missing).astype(np.int64)
    shared = there.T @ there
    place = {name: number for number, name in enumerate(table.names)}
    pairs = pairs_of(table.names, control)
    return [(a, b) for a, b in pairs if not shared[place[a], place[b]]]


def gaps(table: ScoreTable, complete: ScoreTable) -> tuple[str, ...]:
    """Say which data sets are not compared, for want of whose scores."""
    if complete is table:
        return ()
    reasons = []
    for dataset, row in zip(table.datasets or (), table.missing, strict=True):
        without = [system for system, gap in zip(table.names, row, strict=True) if gap]
        if without:
            reasons.append(f"data set {dataset} (no score of {', '.join(without)})")
    return tuple(reasons)
