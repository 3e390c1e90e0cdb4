"""The contracts that every procedure, report and display is held to.

Tests of your own procedure can call them: a function from a sample to an outcome that
passes :func:`check_procedure` works with every front door.
"""

import dataclasses
import importlib.util
import inspect
import json
import math
import re
import warnings
from collections.abc import Callable, Iterator
from typing import Any

from skstat._names import shown_name as _shown_name
from skstat.report import (
    ComparisonReport,
    DatasetsReport,
    LeaderboardReport,
    SystemsReport,
    report_from_dict,
)
from skstat.stats import (
    CriticalDifferenceOutcome,
    DependenceWarning,
    Outcome,
    PairedFoldScores,
    PairedScores,
)
from skstat.stats._outcomes import alpha_of as _alpha_of

HOSTILE = "<script>alert('&')</script></table> $x_1$ \\input{x} | `a` \u202eabc"


def check_procedure(procedure: Callable[..., Outcome], sample: PairedScores) -> None:
    """Check that a procedure gives a complete and consistent outcome.

    Parameters
    ----------
    procedure : callable
        A function from a sample, with the keyword `alternative`, to an outcome.
    sample : PairedScores
        Scores that the procedure is valid for and that differ.

    Raises
    ------
    AssertionError
        If the contract is broken; the message says where.

    Examples
    --------
    >>> from skstat.stats import PairedScores, paired_t
    >>> from skstat.testing import check_procedure
    >>> sample = PairedScores([3.0, 2.5, 4.0, 3.1], [1.0, 2.0, 1.0, 2.2], unit="seed")
    >>> check_procedure(paired_t, sample)
    """
    outcome = _run(procedure, sample)
    assert isinstance(outcome, Outcome), "the result must be an Outcome"
    for name in ("test", "estimand", "null_hypothesis", "statistic_name"):
        assert getattr(outcome, name), f"{name} must say something"
    assert outcome.assumptions, "assumptions must be stated"
    assert outcome.effect_sizes, "effect sizes must be given"
    assert outcome.alternative == "two-sided", "two-sided must be the default"
    assert 0 <= outcome.pvalue <= 1, f"pvalue {outcome.pvalue} is not a probability"
    assert isinstance(outcome.critical_value(0.05), float), "critical_value must answer"
    _check_intervals(outcome)
    _check_swap(procedure, sample, outcome)
    _check_identical(procedure, sample)
    _check_alternatives(procedure, sample)
    state = json.loads(json.dumps(outcome.to_dict(), allow_nan=False))
    restored = Outcome.from_dict(state)
    assert type(restored) is type(outcome), "from_dict changes the type"
    assert restored.to_dict() == outcome.to_dict(), "to_dict loses something"
    assert restored.pvalue == outcome.pvalue, "from_dict changes the p-value"
    assert restored.confidence_interval(0.9) == outcome.confidence_interval(0.9), (
        "from_dict changes the interval"
    )


def check_forms(result: Any) -> None:
    """Check that all forms of a report, or of another result, exist and are safe to show.

    Parameters
    ----------
    result : ComparisonReport, TestCheck, Recommendation, CurveComparison or another
        Whatever has ``to_text()`` and its like.

    Raises
    ------
    AssertionError
        If the contract is broken; the message says where.

    Examples
    --------
    >>> from skstat import recommend_test
    >>> from skstat.testing import check_forms
    >>> check_forms(recommend_test("estimators", budget=12))
    """
    state = result.to_dict()
    parsed = json.loads(result.to_json())
    assert parsed == state, "to_json and to_dict disagree"
    assert state["title"], "title is missing"
    if hasattr(result, "from_dict"):
        restored = type(result).from_dict(parsed)
        assert restored.to_dict() == state, "from_dict loses something"
    _check_texts(result)


def check_report(report: Any) -> None:
    """Check that all forms of a report exist, agree and are safe to show.

    Parameters
    ----------
    report : ComparisonReport, SystemsReport, DatasetsReport, SeedsReport or MetricsReport
        The report.

    Raises
    ------
    AssertionError
        If the contract is broken; the message says where.

    Examples
    --------
    >>> from skstat import compare_scores
    >>> from skstat.testing import check_report
    >>> scores = {"a": [0.8, 0.7, 0.9, 0.8], "b": [0.7, 0.6, 0.9, 0.7]}
    >>> check_report(compare_scores(scores, n_train=60, n_test=30))
    """
    check_forms(report)
    _check_paper(report)
    _check_summary(report)
    state = report.to_dict()
    assert state["schema"] == "skstat.report", "schema is missing"
    assert report_from_dict(state).to_dict() == state, "report_from_dict loses something"
    for part in _parts(report):
        if isinstance(part, SystemsReport):
            _check_systems(part)
        else:
            _check_comparison(part)


def check_display(display: Any) -> None:
    """Check that a display draws, keeps what it drew, and draws where it is told.

    Parameters
    ----------
    display : object with a method ``plot(ax=None)``
        The display.

    Raises
    ------
    AssertionError
        If the contract is broken; the message says where.

    Examples
    --------
    >>> from skstat import compare_scores
    >>> from skstat.testing import check_display
    >>> scores = {"a": [0.8, 0.7, 0.9, 0.8], "b": [0.7, 0.6, 0.9, 0.7]}
    >>> check_display(compare_scores(scores, n_train=60, n_test=30).plot())
    """
    import matplotlib.pyplot as plt

    assert display.plot() is display, "plot must return the display"
    assert display.figure_ is display.ax_.figure, "figure_ must be the figure of ax_"
    assert display.ax_.get_xlabel(), "the axis must be labelled"
    figure, ax = plt.subplots()
    display.plot(ax=ax)
    assert display.ax_ is ax and display.figure_ is figure, "plot must draw on the given ax"
    figure.canvas.draw()
    plt.close(figure)


def _check_texts(result: Any) -> None:
    forms = {name: getattr(result, f"to_{name}")() for name in _text_forms(result)}
    forms |= {"repr": repr(result), "notebook": result._repr_html_()}
    assert forms["text"] == forms["repr"] == str(result), "repr and to_text disagree"
    assert forms["html"] == forms["notebook"], "a notebook and to_html disagree"
    for name, text in forms.items():
        assert not re.search(r"p = 0(\.0+)?(?![.\d])", text), f"{name} shows p as zero"
        assert text.strip(), f"{name} is empty"
        assert "\u202e" not in text, f"{name} lets a name turn round the text after it"
    html = forms["html"]
    assert "<script" not in html, "the HTML has script"
    assert not re.search(r'style="[^"]*color', html), "colours belong into the style sheet"
    assert html.count("<table") == html.count("</table>"), "the HTML's tables do not close"
    assert forms["latex"].count(r"\begin{tabular}") == 1, "LaTeX must be one tabular"
    run = [line for line in forms["latex"].splitlines() if not line.startswith("%")]
    assert r"\input" not in "".join(run), "LaTeX runs what a name holds"
    if importlib.util.find_spec("pandas") is not None:
        assert len(result.to_frame()), "the frame is empty"


def _text_forms(result: Any) -> Iterator[str]:
    """Name the forms that are text to be read: methods ``to_...`` that return a string."""
    for name, method in inspect.getmembers(type(result), inspect.isfunction):
        if not name.startswith("to_") or name == "to_json":
            continue
        if inspect.signature(method).return_annotation is str:
            yield name.removeprefix("to_")


def _run(procedure: Callable[..., Outcome], sample: PairedScores, **options: Any) -> Outcome:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DependenceWarning)
        return procedure(sample, **options)


def _check_intervals(outcome: Outcome) -> None:
    narrow, wide = outcome.confidence_interval(0.8), outcome.confidence_interval(0.95)
    if not math.isnan(narrow.low):
        assert wide.low <= narrow.low <= narrow.high <= wide.high, (
            "the interval must widen with the level"
        )
        assert narrow.low <= outcome.estimate <= narrow.high, (
            "the interval must contain the estimate"
        )
    for level in (0, 1, 95):
        try:
            outcome.confidence_interval(level)
        except ValueError:
            continue
        raise AssertionError(f"confidence_level={level} must be refused")


def _check_swap(
    procedure: Callable[..., Outcome], sample: PairedScores, outcome: Outcome
) -> None:
    # Drawn procedures are exact here only if they repeat their draws.
    swapped = _run(procedure, _pair(sample, 1, 0))
    if getattr(outcome, "seed", None) is not None:
        return
    assert swapped.estimate == -outcome.estimate, "swapping A and B must flip the estimate"
    assert swapped.pvalue == outcome.pvalue, "swapping A and B must keep the p-value"
    interval, mirrored = outcome.confidence_interval(), swapped.confidence_interval()
    if not math.isnan(interval.low):
        assert (-interval.high, -interval.low) == mirrored, (
            "swapping A and B must mirror the interval"
        )
    turned = outcome.turned()
    numbers = ("estimate", "pvalue", "statistic")
    pairs = [(getattr(turned, name), getattr(swapped, name)) for name in numbers]
    pairs += zip(turned.confidence_interval(), mirrored, strict=True)
    pairs += [
        (turned.effect_sizes[name], swapped.effect_sizes[name]) for name in swapped.effect_sizes
    ]
    assert all(
        _same(a, b) or math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-12) for a, b in pairs
    ), (
        "turned() must give what swapping A and B gives: name the fields that change sign in "
        "_signed"
    )


def _check_identical(procedure: Callable[..., Outcome], sample: PairedScores) -> None:
    outcome = _run(procedure, _pair(sample, 0, 0))
    assert outcome.pvalue == 1, "identical scores must give p = 1"
    assert outcome.estimate == 0, "identical scores must give an estimate of 0"
    assert not math.isnan(outcome.statistic), "identical scores must give a statistic"


def _check_alternatives(procedure: Callable[..., Outcome], sample: PairedScores) -> None:
    try:
        _run(procedure, sample, alternative="bigger")
    except ValueError as error:
        assert "alternative" in str(error), "the error must name alternative"
    else:
        raise AssertionError("an unknown alternative must be refused")


def _pair(sample: PairedScores, first: int, second: int) -> PairedScores:
    """Return a sample of A (0) or B (1) against either of them, with all that is known."""
    scores = (sample.a, sample.b)
    known: dict[str, Any] = {"a": scores[first], "b": scores[second]}
    if isinstance(sample, PairedFoldScores):
        known |= {"rows": sample.rows.of([first, second]), "variance": None}
    return dataclasses.replace(sample, **known)


def _parts(report: Any) -> list[ComparisonReport | SystemsReport]:
    if isinstance(report, ComparisonReport | SystemsReport):
        return [report]
    parts = report.reports
    return [deep for part in getattr(parts, "values", lambda: parts)() for deep in _parts(part)]


def _check_paper(report: Any) -> None:
    """Check what a paper and a log take: a paragraph, works with keys, plain numbers."""
    text, entries = report.methods_text(), report.to_bibtex()
    assert text.strip() and "\n" not in text, "methods_text is not one paragraph"
    keys = re.findall(r"^@\w+\{(\w+),$", entries, re.MULTILINE)
    assert keys and len(set(keys)) == len(keys), "to_bibtex lacks a key, or has one twice"
    cited = re.findall(r"\\citep\{(.*?)\}", report.methods_text(latex=True))
    assert set(",".join(cited).split(",")) == set(keys), "methods_text and to_bibtex disagree"
    logged = report.metrics()
    assert all(map(math.isfinite, logged.values())), "metrics holds what is not finite"
    strange = [name for name in logged if not re.fullmatch(r"[\w\-. /]+", name, re.ASCII)]
    assert not strange, f"metrics has names that loggers refuse: {strange}"


def _check_summary(report: Any) -> None:
    """Check that the table of systems by metrics says what the reports of pairs say."""
    table = report.summary_table()
    _check_texts(table)
    restored = report_from_dict(report.to_dict()).summary_table()
    assert str(restored) == str(table), "a restored report has another summary_table"
    is_valid = not any("Not valid:" in note for note in table.notes)
    for row in table.rows:
        where, alpha = f"{row['system']!r} in summary_table", _alpha_of(row["confidence_level"])
        adjusted = row["adjusted_pvalue"]
        rejects = (row["pvalue"] if math.isnan(adjusted) else adjusted) < alpha
        assert not row["stars"] or rejects, f"{where}: stars and p-value disagree"
        assert row["stars"] or not rejects or not is_valid, f"{where}: it has no stars"
        assert row["better"] is None or rejects, f"{where}: the verdict differs"
        assert not row["low"] >= row["high"], f"{where}: its interval is empty"


def _check_systems(report: SystemsReport) -> None:
    _check_words(report)
    _check_order(report)
    pairwise, alpha = report.pairwise, report.alpha
    assert len(report) == len(report.reports) == len(pairwise.pairs), "a pair has no report"
    told_apart = {}
    for (a, b), adjusted, part in zip(
        pairwise.pairs, pairwise.adjusted_pvalues.tolist(), report, strict=True
    ):
        where = f"{a!r} against {b!r}"
        _check_comparison(part)
        assert part.names == (a, b), f"{where}: the report is not that of the pair"
        assert _same(part.adjusted_pvalue, adjusted), f"{where}: the adjusted p-value differs"
        if part.constant is None:
            _check_turned(part, report[b, a], where)
        # Of one pair both are the same number, maybe from two formulas.
        drawn = 0.03 if pairwise.adjustment == "max-t" else 1e-9  # a law of its own
        assert not adjusted < part.pvalue - drawn, f"{where}: adjusting makes p smaller"
        assert part.better is None or adjusted < alpha, (
            f"{where}: the verdict does not follow the adjusted p-value"
        )
        told_apart[frozenset((a, b))] = adjusted < alpha
    rows = {frozenset((row["first"], row["second"])): row for row in report.to_dict()["pairs"]}
    for part in report:
        row = rows[frozenset(part.names)]
        assert row["verdict"] == part.verdict, "a pair has two verdicts"
    one_sided = any(outcome.alternative != "two-sided" for outcome in pairwise.outcomes)
    if report.control is None and not one_sided:
        _check_letters(report, told_apart)
        if isinstance(report, DatasetsReport):
            _check_groups(report, told_apart)
    else:
        assert report.control is None or all(
            report.control in pair for pair in pairwise.pairs
        ), "every pair must hold the control"
        groups = isinstance(report, DatasetsReport) and (report.groups or report.undrawn)
        assert not (report.letters or groups), (
            "with a control, or in one direction, there are no groups"
        )
    if pairwise.smallest_pvalue >= alpha:
        assert not any(told_apart.values()), "a pair rejects though none can"
    if isinstance(report, DatasetsReport):
        _check_ranks(report)
        _check_critical_difference(report, told_apart)
    if isinstance(report, LeaderboardReport):
        _check_leaderboard(report, told_apart)
    _check_best(report)


def _check_turned(report: ComparisonReport, turned: ComparisonReport, where: str) -> None:
    """Check that a pair in the other order is the same comparison from the other side."""
    assert turned.names == report.names[::-1], f"{where}: in the other order it is another pair"
    assert turned.better == report.better, f"{where}: the order decides which system is better"
    for name in ("pvalue", "adjusted_pvalue"):
        assert _same(getattr(turned, name), getattr(report, name)), f"{where}: {name} turns"
    assert _same(turned.estimate, -report.estimate), f"{where}: the estimate does not turn"
    low, high = report.confidence_interval()
    ends = zip(turned.confidence_interval(), (-high, -low), strict=True)
    # Quantiles of draws are interpolated from either side, so that the last digit may differ.
    alike = all(_same(*pair) or math.isclose(*pair, abs_tol=1e-12) for pair in ends)
    assert alike, f"{where}: the interval does not turn"
    _check_comparison(turned)


def _check_leaderboard(
    report: LeaderboardReport, told_apart: dict[frozenset[str], bool]
) -> None:
    """Check that the ranks follow from the verdicts on pairs, and hold those of the scores."""
    k = len(report.names)
    assert list(report.ranks) == list(report.order), "ranks are not in the order of the scores"
    kept = set(report.may_be_best)
    for name, (low, high) in report.rank_intervals.items():
        apart = sum(differs for pair, differs in told_apart.items() if name in pair)
        assert 1 <= low <= high <= k, f"the ranks of {name!r} lie outside 1 to {k}"
        assert (low - 1) + (k - high) == apart, f"the ranks of {name!r} contradict its pairs"
        assert (low == 1) == (name in kept), f"{name!r}: the best and the ranks disagree"
    for group in report.tie_groups:
        pairs = [frozenset((a, b)) for a in group for b in group if a != b]
        assert not any(told_apart[pair] for pair in pairs), "a tie group holds a difference"
    found = report.rank_stability
    if found is not None:
        assert (found.counts.sum(axis=1) == found.n_resamples).all(), "a resample has no rank"


def _check_order(report: SystemsReport) -> None:
    assert sorted(report.order) == sorted(report.names), "the order is not of the systems"
    best, conclusion = report.order[0], report.conclusion
    assert (
        _shown_name(best) in conclusion or len(set(report.order)) == 1 or _all_alike(report)
    ), "the conclusion must name the best system"
    text = " ".join(report.details.split())
    for row in report.to_dict()["ranking"]:
        assert row["mean"] is None or math.isfinite(row["mean"]), "a mean is not a number"
    assert text.count("Ranking by") == 1, "the ranking is missing"
    if not math.isnan(report.pvalue):
        assert report.pvalue > 0, "p = 0 claims certainty"
        assert "p " in conclusion or "p-value" in conclusion, "the conclusion must give p"


def _all_alike(report: SystemsReport) -> bool:
    if isinstance(report, DatasetsReport):
        ranks = list(report.mean_ranks.values())
        return ranks[-1] - ranks[0] < 1e-9
    scores = list(report.scores.values())
    return abs(scores[0] - scores[-1]) <= 1e-9 * max(map(abs, scores))


def _check_best(report: SystemsReport) -> None:
    if not report.best_pvalues:
        assert report.may_be_best == (), "candidates without a comparison"
        return
    beaten = set()
    for part in report:
        adjusted = part.adjusted_pvalue
        low, high = part.confidence_interval()
        rejects = adjusted is not None and adjusted < report.alpha
        if rejects and part.outcome.direction:
            beaten.add(part.names[part.outcome.direction > 0])
        if part.outcome.simultaneous and not math.isnan(low):
            assert rejects == (low > 0 or high < 0), "interval and p-value disagree"
    kept = set(report.may_be_best)
    assert kept == set(report.names) - beaten, (
        "may be the best is whoever no other one is significantly better than"
    )
    for name, (low, high) in report.from_best.items():
        assert low <= high, "an interval from the best other one is empty"
        assert (high < 0) == (name in beaten), f"{name!r}: the best and the interval disagree"


def _check_ranks(report: DatasetsReport) -> None:
    ranks, k = report.mean_ranks, len(report.names)
    assert tuple(ranks) == report.order, "mean ranks are not those of the systems"
    values = list(ranks.values())
    assert values == sorted(values), "the best must come first"
    assert values[0] >= 1 and values[-1] <= k, "a mean rank lies outside 1 to k"
    text = " ".join(report.details.split())
    for name, rank in ranks.items():
        assert f"{rank:.2f}" in text, f"the mean rank of {name!r} is not shown"


def _check_letters(report: SystemsReport, told_apart: dict[frozenset[str], bool]) -> None:
    assert list(report.letters) == list(report.order), "letters are not in order"
    for pair, apart in told_apart.items():
        a, b = pair
        shared = set(_letters(report.letters[a])) & set(_letters(report.letters[b]))
        assert bool(shared) != apart, f"the letters of {a!r} and {b!r} contradict the verdict"


def _check_groups(report: DatasetsReport, told_apart: dict[frozenset[str], bool]) -> None:
    order = list(report.order)
    runs = [set(group) for group in report.groups]
    for group in report.groups:
        first = order.index(group[0])
        assert tuple(order[first : first + len(group)]) == group, "a group has a gap"
    for pair, apart in told_apart.items():
        a, b = pair
        joined = any(pair <= run for run in runs)
        listed = (a, b) in report.undrawn or (b, a) in report.undrawn
        assert (joined or listed) != apart, f"the groups of {a!r} and {b!r} contradict it"
        assert not (joined and listed), f"{a!r} and {b!r} are joined and listed"


def _same(a: float | None, b: float) -> bool:
    return a is not None and (a == b or (math.isnan(a) and math.isnan(b)))


def _letters(text: str) -> list[str]:
    return re.findall("[a-zA-Z]'*", text)


def _check_critical_difference(
    report: DatasetsReport, told_apart: dict[frozenset[str], bool]
) -> None:
    difference = report.critical_difference
    has_one = isinstance(report.pairwise, CriticalDifferenceOutcome)
    assert (difference is not None) == has_one, (
        "a critical difference is for tests that have one for all pairs"
    )
    if difference is None:
        return
    for pair, apart in told_apart.items():
        a, b = pair
        distance = abs(report.mean_ranks[a] - report.mean_ranks[b])
        if not math.isclose(distance, difference, rel_tol=1e-9):
            assert (distance > difference) == apart, (
                f"the critical difference contradicts the verdict on {a!r} and {b!r}"
            )


def _check_comparison(report: ComparisonReport) -> None:
    _check_words(report)
    low, high = report.confidence_interval()
    alone = report.confidence_interval(report.confidence_level)
    if report.adjusted_pvalue is None or report.outcome.simultaneous:
        assert all(map(_same, (low, high), alone)), "the default interval has another level"
    elif not math.isnan(low):
        assert low <= alone.low <= alone.high <= high, "adjusting makes the interval shorter"
    p = report.pvalue
    if not math.isnan(p):
        assert p > 0, "p = 0 claims certainty"
        assert "p " in report.conclusion, "the conclusion must give p"
    assert _shown_name(report.names[0]) in report.conclusion, (
        "the conclusion must name the systems"
    )
    _check_margin(report)


def _check_margin(report: ComparisonReport) -> None:
    found, words = report.equivalence, "are equivalent in"
    assert (found is None) == (report.margin is None), "a margin must be judged"
    if found is None:
        assert report.verdict != "equivalent", "nothing is equivalent without a margin"
        assert words not in report.conclusion, "nothing is equivalent without a margin"
        return
    alpha = _alpha_of(report.confidence_level)
    shown = found.equivalent(alpha)
    assert (report.verdict == "equivalent") == shown, "the verdict does not follow the margin"
    assert (words in report.conclusion) == shown, "the conclusion does not follow the margin"
    low, high = found.interval(alpha)
    if shown:
        inside = -found.margin < low and high < found.margin
        assert inside, "equivalent, though the interval reaches beyond the margin"
    elif not math.isnan(found.pvalue):
        assert found.pvalue > 0, "p = 0 claims certainty"


def _check_words(report: ComparisonReport | SystemsReport) -> None:
    for name in ("test", "estimand", "null_hypothesis", "conclusion", "unit"):
        assert getattr(report, name), f"{name} must say something"
    assert report.assumptions, "assumptions must be stated"
    assert report.ignored_variance, "what is not covered must be stated"
    assert report.n_units >= 1, "n_units is missing"
