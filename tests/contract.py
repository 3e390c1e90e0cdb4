"""The contract of reports and other results: their forms are safe to show, and all agree."""

import copy
import dataclasses
import importlib.util
import inspect
import json
import math
import re
import warnings
from collections.abc import Mapping
from itertools import combinations
from typing import get_args

import numpy as np
import pytest

from skstat import Report, report_from_dict, stats

# A name that breaks tables, formulas, commands and the order of letters.
HOSTILE = "<script>alert('&')</script></table> $x_1$ \\input{x} | `a` \u202eabc"

NOT_TURNED = ("test", "statistic", "effects")  # the latter do not all turn by their sign


def changed(report, **facts):
    """Return the report on the same evidence but for some of its facts."""
    make, (evidence,) = report.__reduce__()
    return make(dataclasses.replace(evidence, **facts))


def procedures(result=stats.Comparison, kind=stats.PairedScores):
    """Public functions that turn such a sample into such an outcome, by their annotations."""
    found = {}
    for name, function in inspect.getmembers(stats, inspect.isfunction):
        signature = inspect.signature(function)
        taken = next((each.annotation for each in signature.parameters.values()), None)
        returned = signature.return_annotation
        known = inspect.isclass(returned) and kind in (get_args(taken) or (taken,))
        if known and issubclass(returned, result):
            found[name] = function
    return found


def reports_of(report):
    """Return the report on every pair."""
    return [report[pair[:2]] for pair in report.pairs]


def check_forms(result):
    """Check that all forms of a result, of whatever kind, exist and are safe to show."""
    state = result.to_dict()
    parsed = json.loads(result.to_json())
    assert parsed == state or parsed["$by_column"], "to_json and to_dict disagree"
    assert state["title"], "title is missing"
    if hasattr(result, "from_dict"):
        assert type(result).from_dict(parsed).to_dict() == state, "from_dict loses something"
    check_texts(result)


def check_report(report):
    """Check that a report, or a grid of them, and all of its forms agree."""
    table = report.summary_table()  # what is drawn for it is then stored
    check_forms(report)
    check_paper(report)
    state = report.to_dict()
    restored = report_from_dict(json.loads(report.to_json()))
    for other in (report_from_dict(state), restored, copy.deepcopy(report)):
        assert other.to_dict() == state, "restored or copied, something is lost"
    assert str(restored.summary_table()) == str(table), "restored, its summary is another one"
    check_summary(table)
    for part in reports_in(report):
        check_words(part)
        for pair in part.pairs:
            check_pair(part, pair)
        if not part.is_pair:
            check_systems(part)


def check_texts(result):
    forms = {name: getattr(result, f"to_{name}")() for name in text_forms(result)}
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


def text_forms(result):
    """Name the forms that are text to be read: methods ``to_...`` that return a string."""
    for name, method in inspect.getmembers(type(result), inspect.isfunction):
        is_form = name.startswith("to_") and name != "to_json"
        if is_form and inspect.signature(method).return_annotation is str:
            yield name.removeprefix("to_")


def reports_in(report):
    """Walk the reports of a grid; a report is one."""
    if isinstance(report, Report):
        yield report
        return
    whole = [] if report.overall is None else [report.overall]
    for part in [*whole, *report.reports.values()]:
        yield from reports_in(part)


def check_paper(report):
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


def check_summary(table):
    """Check that verdicts and stars in the table of systems by metrics follow its p-values."""
    check_texts(table)
    is_valid = not any("Not valid:" in note for note in table.notes)
    for row in table.rows:
        where, alpha = (
            f"{row['system']!r} in summary_table",
            round(1 - row["confidence_level"], 12),
        )
        adjusted = row["adjusted_pvalue"]
        decisive = row["pvalue"] if math.isnan(adjusted) else adjusted
        rejects = decisive < alpha
        assert not row["stars"] or rejects, f"{where}: stars and p-value disagree"
        assert row["stars"] or not rejects or not is_valid, f"{where}: it has no stars"
        assert row["better"] is None or rejects, f"{where}: the verdict differs"
        assert not row["low"] >= row["high"], f"{where}: its interval is empty"


def check_words(report):
    """Check that all is said that must be."""
    stated = ("tests", "estimand", "null_hypotheses", "assumptions", "ignored_variance", "unit")
    for name in (*stated, "conclusion", "n_units"):
        assert getattr(report, name), f"{name} must say something"
    first = report.systems[0].name
    named = (first if first.strip(" \u202e") else "(no name") in report.conclusion
    assert named or all_alike(report), f"{first} is not named"
    for one in report.systems:
        assert not math.isinf(one.mean), f"the mean of {one.name!r} is not a number"
    if not math.isnan(report.pvalue):
        assert re.search("p |p-value", report.conclusion), "the conclusion must give p"
    said = "are equivalent in" in report.conclusion
    if report.is_pair:
        assert said == (report.verdict == "equivalent"), "the conclusion has another verdict"
        assert (report.equivalence is None) == (report.margin is None), "a margin is judged"


def all_alike(report):
    """Whether no system is ahead of another, so that none need be named."""
    column = report.systems.column("mean_rank" if report.over_datasets else "mean")
    return abs(column[0] - column[-1]) <= 1e-9 * max(map(abs, column))


def check_pair(report, pair):
    """Check that a verdict follows from its p-value, and that of the pair alone is the same."""
    where, alpha = f"{pair.first!r} against {pair.second!r}", report.alpha
    rejects = pair.p < alpha
    assert math.isnan(pair.p) or pair.p > 0, f"{where}: p = 0 claims certainty"
    assert rejects or pair.verdict in ("undecided", "equivalent", "not inferior"), where
    assert not rejects or report.smallest_pvalue < alpha, f"{where}: rejects though none can"
    # Of one pair both are the same number, maybe from two formulas; max-t has a law of its own.
    drawn = 0.03 if report.adjustment == "max-t" else 1e-9
    assert not pair.p < pair.pvalue - drawn, f"{where}: adjusting makes p smaller"
    shown = pair.equivalence_p < alpha and not math.isnan(pair.inner_low)
    assert (pair.verdict == "equivalent") == shown, f"{where}: the verdict forgets the margin"
    inside = report.margin is not None and max(-pair.inner_low, pair.inner_high) < report.margin
    assert inside or not shown, f"{where}: the interval reaches beyond the margin"
    assert not pair.equivalence_p <= 0, f"{where}: p = 0 claims certainty"
    alone, known = report[pair[:2]], report.pairs.columns
    check_same(alone.pairs[0], pair, known)
    check_interval(alone, where)
    if pair.second not in report.constants:
        turned = report[pair[1::-1]].pairs[0]
        check_same(turned, pair.seen_from(pair.second, report), known, NOT_TURNED)


def check_same(found, expected, columns, left_out=("test",)):
    """Check that two rows say the same, as far as there are columns."""
    for name in columns:
        a, b = getattr(found, name), getattr(expected, name)
        # Quantiles of draws are interpolated from either side: the last digit may differ.
        close = isinstance(a, float) and math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-12)
        alike = close or a == b or (a != a and b != b) or isinstance(a, Mapping)
        assert alike or name in left_out, f"{expected[:2]}: {name} is {a} and {b}"


def check_interval(report, where):
    """Check that the interval of one pair agrees with its p-value."""
    interval, own = report.confidence_interval(), report.confidence_interval(1 - report.alpha)
    if math.isnan(interval.low):
        return
    if report.simultaneous or math.isnan(report.adjusted_pvalue):
        assert interval == own, f"{where}: the default interval has another level"
    else:
        assert interval.low <= own.low <= own.high <= interval.high, f"{where}: it is shorter"
    if report.simultaneous:
        excluded = interval.low > 0 or interval.high < 0
        assert excluded == (report.pairs[0].p < report.alpha), f"{where}: interval and p-value"


def check_systems(report):
    """Check that what is said of systems follows from their pairs."""
    rejected = [pair for pair in report.pairs if pair.p < report.alpha]
    apart = {frozenset(pair[:2]) for pair in rejected}
    assert report.control is None or all(report.control in pair[:2] for pair in report.pairs)
    assert report.details.count("Ranking by") == 1, "the ranking is missing"
    if report.may_be_best:
        # A test that shows no direction rules nobody out.
        check_best(report, {pair[pair.toward > 0] for pair in rejected if pair.toward})
    if "letters" in report.systems:
        check_letters(report, apart)
    grouped = "letters" in report.systems or report.groups or report.undrawn
    assert report.all_pairs or not grouped, "with a control, or in one direction, there is none"
    if report.over_datasets:
        check_ranks(report, apart)
    if report.is_leaderboard:
        check_leaderboard(report, apart)


def check_best(report, beaten):
    for one in report.systems:
        assert one.may_be_best == (one.name not in beaten), f"{one.name!r} may be the best"
        if "best_low" in report.systems:
            assert one.best_low <= one.best_high, "an interval from the best one is empty"
            behind = one.best_low > 0 if report.lower else one.best_high < 0
            assert behind != one.may_be_best, f"{one.name!r}: the best and the interval"


def check_letters(report, apart):
    letters = {one.name: set(re.findall("[a-zA-Z]'*", one.letters)) for one in report.systems}
    for a, b in combinations(report.names, 2):
        differ = frozenset((a, b)) in apart
        assert letters[a].isdisjoint(letters[b]) == differ, f"letters of {a!r} and {b!r}"
        if report.over_datasets:
            joined = any({a, b} <= set(group) for group in report.groups)
            listed = (a, b) in report.undrawn or (b, a) in report.undrawn
            assert joined + listed + differ == 1, f"groups, pairs listed: {a!r} and {b!r}"


def check_ranks(report, apart):
    ranks = {one.name: one.mean_rank for one in report.systems}
    values = list(ranks.values())
    assert values == sorted(values), "the best must come first"
    assert values[0] >= 1 and values[-1] <= len(values), "a mean rank lies outside 1 to k"
    text = report.details
    assert all(f"{rank:.2f}" in text for rank in values), "a mean rank is not shown"
    for group in report.groups:
        first = report.names.index(group[0])
        assert report.names[first : first + len(group)] == group, "a group has a gap"
    difference = report.critical_difference
    has_one = report.evidence.pairwise.critical_difference() is not None
    assert (difference is not None) == has_one, "only a test for all pairs has one"
    for a, b, *_ in report.pairs if has_one else ():
        distance = abs(ranks[a] - ranks[b])
        differ = frozenset((a, b)) in apart
        close = math.isclose(distance, difference, rel_tol=1e-9)
        assert close or (distance > difference) == differ, f"{a!r} and {b!r}: it contradicts"


def check_leaderboard(report, apart):
    """Check that the ranks hold those of the scores, and follow from the verdicts on pairs."""
    k = len(report.names)
    assert report.systems.column("rank") == sorted(report.systems.column("rank"))
    for name, low, high in ((one.name, one.rank_low, one.rank_high) for one in report.systems):
        assert 1 <= low <= high <= k, f"the ranks of {name!r} lie outside 1 to {k}"
        assert (low - 1) + (k - high) == sum(name in pair for pair in apart), f"ranks, {name!r}"
        assert (low == 1) == (name in report.may_be_best), f"{name!r}: the best and the ranks"
    for group in report.tie_groups:
        assert not any(pair <= set(group) for pair in apart), "a tie group holds a difference"
    found = report.rank_stability
    if found is not None:
        assert (found.counts.sum(axis=1) == found.n_resamples).all(), "a resample has no rank"


def check_procedure(procedure, sample):
    """Check that a procedure gives a complete and consistent outcome of scores that differ."""

    def asked(first=0, second=1, **options):
        scores, known = (sample.a, sample.b), {}
        if sample.rows is not None:
            known = {"rows": sample.rows.of([first, second]), "variance": None}
        pair = dataclasses.replace(sample, a=scores[first], b=scores[second], **known)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", stats.DependenceWarning)
            return procedure(pair, **options)

    outcome, same = asked(), asked(0, 0)
    said = ("test", "estimand", "null_hypothesis", "statistic_name", "assumptions")
    assert all(getattr(outcome, name) for name in said) and outcome.effect_sizes
    assert isinstance(outcome, stats.Comparison) and outcome.alternative == "two-sided"
    assert 0 <= outcome.pvalue <= 1
    narrow, wide = outcome.confidence_interval(0.8), outcome.confidence_interval(0.95)
    inside = wide.low <= narrow.low <= outcome.estimate <= narrow.high <= wide.high
    assert inside or math.isnan(narrow.low)
    for level in (0, 1, 95):
        with pytest.raises(ValueError, match="confidence_level"):
            outcome.confidence_interval(level)
    with pytest.raises(ValueError, match="alternative"):
        asked(alternative="bigger")
    assert same.pvalue == 1 and same.estimate == 0 and not math.isnan(same.statistic)
    if outcome.seed is None:  # drawn ones are exact only if they repeat their draws
        check_swapped(outcome, asked(1, 0))
    restored = stats.Comparison.from_dict(json.loads(json.dumps(outcome.to_dict())))
    assert type(restored) is type(outcome) and restored.to_dict() == outcome.to_dict()
    assert restored.pvalue == outcome.pvalue
    assert restored.confidence_interval(0.9) == outcome.confidence_interval(0.9)


def check_swapped(outcome, swapped):
    """Check that A against B is B against A with the other sign."""
    assert swapped.estimate == -outcome.estimate and swapped.pvalue == outcome.pvalue
    interval, mirrored = outcome.confidence_interval(), swapped.confidence_interval()
    assert (-interval.high, -interval.low) == mirrored or math.isnan(interval.low)
    found, expected = (
        [o.estimate, o.pvalue, o.statistic, *o.confidence_interval()]
        + [o.effect_sizes[name] for name in swapped.effect_sizes]
        for o in (outcome.turned(), swapped)
    )
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-12)


def check_display(display):
    """Check that a display draws, keeps what it drew, and draws where it is told."""
    import matplotlib.pyplot as plt

    assert display.plot() is display and display.figure_ is display.ax_.figure
    assert display.ax_.get_xlabel()
    figure, ax = plt.subplots()
    display.plot(ax=ax)
    assert display.ax_ is ax and display.figure_ is figure
    figure.canvas.draw()
    plt.close(figure)
