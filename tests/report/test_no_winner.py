"""Where nobody says which way a metric is better, no form of any report names a winner."""

import contextlib
import re

import numpy as np
import pytest

import skstat
from skstat import report_from_dict

plt = pytest.importorskip("matplotlib.pyplot")
pytest.importorskip("pandas")

RNG = np.random.default_rng(0)
EASE = RNG.normal(1, 0.1, 80)
PAIR = {"old": EASE, "new": EASE + RNG.normal(0.1, 0.1, 80)}
THREE = {**PAIR, "third": EASE + RNG.normal(0.12, 0.1, 80)}
FOUR = {**THREE, "fourth": THREE["third"]}
HALVES = np.repeat(["east", "west"], 40)
WINNERS = re.compile(
    r"(?<![\w-])(better|best|worse|worst|winner|won|inferior|wins/ties/losses|superior|outperform\w*)(?![\w-])"
)
ASK = "pass higher_is_better=True or False"


def deltas(y_true, y_pred):
    return float(np.mean(np.abs(y_true - y_pred)))


def compare(named, **options):
    unit = {} if "n_train" in options else {"unit": "instance"}
    how = {**unit, "scoring": "delta", "random_state": 0, "n_resamples": 199, **options}
    return skstat.compare_scores(named, **how)


TRUTH = RNG.normal(size=60)
SAID = {"a": TRUTH + RNG.normal(0, 1, 60), "b": TRUTH + RNG.normal(0, 0.2, 60)}
CASES = {
    "two": (PAIR, {}),
    "two of data sets": (PAIR, {"unit": "dataset"}),
    "two of splits": (PAIR, {"n_train": 90, "n_test": 10}),
    "one-sided": (PAIR, {"alternative": "greater"}),
    "other side": (PAIR, {"alternative": "less"}),
    "margin": (PAIR, {"margin": 0.05}),
    "large margin": (PAIR, {"margin": 0.5}),
    "margin, open": ({name: own[:8] for name, own in PAIR.items()}, {"margin": 0.11}),
    "region": (PAIR, {"rope": 0.05}),
    "constant": (EASE, {"constant": 0.9}),
    "identical": ({"a": EASE, "b": EASE}, {}),
    "three": (THREE, {}),
    "equal ones": (FOUR, {}),
    "three of data sets": (THREE, {"unit": "dataset"}),
    "mean ranks": (THREE, {"unit": "dataset", "test": "nemenyi"}),
    "control": (THREE, {"control": "old"}),
    "three one-sided": (THREE, {"control": "old", "alternative": "greater"}),
    "three, margin": (THREE, {"margin": 0.05}),
    "three, region": (THREE, {"rope": 0.05}),
    "slices": (PAIR, {"by": HALVES}),
    "slices, margin": (PAIR, {"by": HALVES, "margin": 0.05}),
    "slices of three": (THREE, {"by": HALVES}),
    "names of winners": ({"best": EASE, "worse-than-ever": THREE["new"]}, {}),
    "predictions": (None, {}),
}


def report_on(case):
    named, options = CASES[case]
    if named is not None:
        return compare(named, **options)
    how = {"random_state": 0, "n_resamples": 199}
    return skstat.compare_predictions(TRUTH, SAID, metric=deltas, **how)


def pictures(report):
    yield report.plot()
    for kind in ("intervals", "pvalues", "wins", "scores", "posterior"):
        with contextlib.suppress(TypeError, ValueError):  # there is none of that kind
            yield report.plot(kind=kind)


def forms(report):
    """Everything that a reader sees of a report."""
    yield from (str(report), report.details, report.to_markdown(), report.to_latex())
    yield re.sub(r"<style.*?</style>|<[^>]*>", " ", report.to_html(), flags=re.DOTALL)
    for table in ("pairs", "scores"):
        if getattr(report, "ranked", False) and "slices" not in str(report):
            yield report.to_latex(table)
    yield from (report.methods_text(), report.results_text(), report.results_text(style="apa"))
    summary = report.summary_table()
    yield from (summary.to_markdown(), summary.to_latex(), report.conclusion)
    for picture in pictures(report):
        drawn = picture.figure_.findobj(lambda artist: hasattr(artist, "get_text"))
        yield " ".join(text.get_text() for text in drawn)
        plt.close("all")


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("case", CASES)
def test_no_form_names_a_winner(case):
    report = report_on(case)
    assert report_from_dict(report.to_dict()).conclusion == report.conclusion
    # What another test would be for is no claim about these systems.
    spared = r"higher\\*_is\\*_better|which\s+of\s+many\s+systems\s+is\s+the\s+best"
    spared += r"|\bbest\b|worse-than-ever" * ("names" in case)
    for text in forms(report):
        words = WINNERS.search(re.sub(spared, "", text))
        assert not words, text[max(0, words.start() - 60) : words.end() + 40]
    frame = report.to_frame()
    assert frame["better"].isna().all() and not set(frame["verdict"]) & {"better", "worse"}
    assert not getattr(report, "may_be_best", ())
    if case != "identical":
        assert ASK in report.conclusion
        assert "slices" in case or ASK in " ".join(str(report).split(". ")[0].split())


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_a_panel_names_a_winner_only_where_its_own_metric_has_a_direction():
    metrics = {"deltas": deltas, "mean_squared_error": "mean_squared_error"}
    how = {"metric": metrics, "n_resamples": 199, "random_state": 0}
    panels = skstat.compare_predictions(TRUTH, SAID, **how).plot().panels_
    sides = [panel.get_title(side) for panel in panels for side in ("left", "right")]
    assert sides == ["← b higher", "a higher →", "← a better", "b better →"]


def test_a_word_of_the_user_names_the_winner_again():
    for up, winner in ((True, "new"), (False, "old")):
        report = compare(PAIR, higher_is_better=up)
        assert report.better == winner and "Nothing says" not in report.conclusion
    assert set(compare(THREE, higher_is_better=True).may_be_best) == {"new", "third"}


def test_values_are_told_as_they_are():
    report = compare(PAIR)
    assert report.verdict == "lower"  # of the first, old
    assert report.estimate == pytest.approx(np.mean(PAIR["old"] - PAIR["new"]))
    assert "new scores higher than old in delta, by" in report.conclusion
    assert list(report.to_frame()["direction"]) == [""]
    for control in (None, "old", "new"):  # and so of several, whichever is asked about
        several = compare(THREE, control=control)
        verdicts = {frozenset(pair[:2]): pair.verdict for pair in several.pairs}
        assert verdicts[frozenset(("old", "new"))] in ("higher", "lower")
        assert re.search(r"scores? (higher|lower)", several.conclusion)
        assert "between new and old" not in several.conclusion


def test_nothing_is_chosen_where_nobody_knows_what_is_good():
    for named in (PAIR, THREE):
        with pytest.raises(ValueError, match="pass higher_is_better="):
            compare(named).choose(dict.fromkeys(named, 1))
