"""The catalogue of doubts; what triggers each is tested where it arises."""

import ast
import inspect
import re
import runpy
from dataclasses import replace
from functools import partial
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import t as student

import skstat
from skstat import _site, compare_predictions, compare_scores
from skstat.report import Doubt, Stability
from skstat.report._blocks import heaviest_first
from skstat.report._doubts import (
    CATALOGUE,
    WEIGHTS,
    Facts,
    Kind,
    doubts_from_dicts,
    find_doubts,
    merged,
)
from skstat.report._doubts.kind import plain
from skstat.stats import PairedScores, corrected_t, sign_flip
from tests.cases import doubts_about, in_one_test

KINDS = [CATALOGUE[code] for code in sorted(CATALOGUE)]
RULES = [rule for kind in KINDS for rule in kind.rules]


def codes(report):
    return {doubt.code for doubt in report.doubts}


def test_every_case_of_every_code_is_explained():
    pages = Path(skstat.__file__).parents[1] / "docs"
    for code, kind in CATALOGUE.items():
        assert kind.code == code and re.fullmatch(r"SKS\d{3}", code)
        assert kind.title and kind.rules and kind.weight in WEIGHTS
        assert not kind.page or (pages / f"{kind.page}.rst").exists()
    for rule in RULES:
        assert all(words.endswith(".") for words in rule.words), rule.find
        assert rule.action[0].islower() and not rule.action.endswith(".")
        assert len(rule.action) <= 70 and rule.weight in WEIGHTS
    # Doubts of one case are told together, and it is known by its words.
    assert len({rule.words[1] for rule in RULES}) == len(RULES)


def test_nothing_known_raises_no_doubt():
    assert find_doubts(Facts()) == ()


@in_one_test("rule", RULES, ids=lambda rule: rule.kind.code)
def test_advice_is_readable_without_the_documentation(rule):
    for text in (*map(plain, rule.words), rule.action, rule.kind.title):
        assert not re.search(r"`|:\w+:|~", text)
    # A page is named by `page`: a role of one would leave a bare file name in the text.
    assert ":doc:" not in "".join(rule.words)


def test_other_codes_that_words_name_exist():
    named = re.findall(r"SKS\d{3}", " ".join(text for rule in RULES for text in rule.words))
    assert named and set(named) <= set(CATALOGUE)


def test_the_page_lists_every_doubt_by_weight_and_by_subject(tmp_path):
    generate = runpy.run_path(str(Path(skstat.__file__).parents[1] / "docs" / "_generate.py"))
    page = tmp_path / "doubts.rst"
    generate["write_doubts"](page)
    text = page.read_text(encoding="utf-8")
    lists, *sections = text.split("\n.. _sks")
    listed = re.findall(r":ref:`(SKS\d{3}) <sks\d{3}>`\n     - (.*)\n     - (.*)", lists)
    by_its_weight = sorted(KINDS, key=lambda kind: WEIGHTS.index(kind.weight))
    code = re.compile(r"``(\w+=(?:'\w+(?:-\w+)*'|\w*))``")  # arguments are shown as code
    listed = [(number, title, code.sub(r"\1", actions)) for number, title, actions in listed]
    assert listed == [
        (kind.code, kind.title, "; ".join(dict.fromkeys(rule.action for rule in kind.rules)))
        for kind in by_its_weight
    ]
    assert "use the paired permutation test with ``strata=y_true``" in lists
    for kind, section in zip(KINDS, sections, strict=True):
        words = " ".join(section.split())
        assert section.startswith(f"{kind.code[3:]}:\n\n{kind.code}: {kind.title}\n~~~")
        for rule in kind.rules:
            assert f"**{rule.weight.capitalize()}**" in words
            when, advice = (" ".join(text.split()) for text in rule.words)
            assert when in words and advice in words
            assert rule.action[1:] in code.sub(r"\1", words)
        assert '"""' not in section  # the rules are shown without their words


def sentences(module):
    """Yield the texts of a module's functions; what is filled in counts as eight letters."""
    tree = ast.parse(inspect.getsource(module))
    for function in (node for node in tree.body if isinstance(node, ast.FunctionDef)):
        said = function.body[1:] if ast.get_docstring(function) else function.body
        nodes = [inner for part in said for inner in ast.walk(part)]
        inside = {
            id(part)
            for node in nodes
            if isinstance(node, ast.JoinedStr)
            for part in node.values
        }
        for node in nodes:
            if isinstance(node, ast.JoinedStr):
                parts = [part.value if is_text(part) else 8 * "x" for part in node.values]
                yield "".join(parts)
            elif is_text(node) and id(node) not in inside:
                yield node.value


def is_text(node):
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


@in_one_test("module", sorted({rule.find.__module__ for rule in RULES}))
def test_sentences_are_read_in_seconds(module):
    found = list(sentences(import_module(module)))
    assert max(map(len, found)) > 60  # sentences are there
    assert [text for text in found if len(text) > 160] == []


def test_roles_are_taken_out():
    role = "Use :func:`~skstat.stats.sign`, ``a='b'``, :meth:`that <skstat.x>`, :class:`Y`."
    assert plain(role) == "Use skstat.stats.sign, a='b', that, Y."


def one_doubt():
    report = compare_scores({"a": [1.0, 2, 3], "b": [1.0, 1, 1]}, unit="split", test="paired_t")
    return report.doubts[0], report


def test_doubts_link_to_their_page_once_there_is_one(monkeypatch):
    doubt, report = one_doubt()
    assert doubt.url is None and report.to_dict()["doubts"][0]["url"] is None
    forms = (report.to_text(), report.to_html(), report.to_markdown(), report.to_latex())
    assert not any("http://" in form or "https://" in form for form in forms)
    monkeypatch.setattr(_site, "SITE", "https://skstat.example/stable")
    assert doubt.url == "https://skstat.example/stable/doubts.html#sks101"
    assert report.to_dict()["doubts"][0]["url"] == doubt.url
    assert f'<a href="{doubt.url}">' in report.to_html()
    assert f"[SKS101]({doubt.url})" in report.to_markdown()


def test_a_doubt_says_what_to_do():
    doubt, report = one_doubt()
    assert (doubt.weight, doubt.action) == ("invalid", "use the default test")
    assert doubt.advice == plain(CATALOGUE["SKS101"].rules[0].words[1])
    assert str(doubt) == f"SKS101 {doubt.title}: {doubt.text} -> use the default test"
    forms = (report.to_text(), report.to_html(), report.to_markdown())
    assert all("use the default test" in form for form in forms)


def test_doubts_are_stored_and_restored():
    doubt, report = one_doubt()
    (state, *_) = report.to_dict()["doubts"]
    assert set(state) == {"code", "title", "text", "weight", "action", "advice", "url"}
    assert doubts_from_dicts([state]) == (doubt,)
    changed = state | {"weight": "note", "action": "wait", "advice": "Wait."}
    (found,) = doubts_from_dicts([changed])
    assert (found.weight, found.action, found.advice) == ("note", "wait", "Wait.")


def test_an_unknown_weight_is_refused():
    (state, *_) = one_doubt()[1].to_dict()["doubts"]
    with pytest.raises(ValueError, match="'heavy' is not one of invalid, weak, note"):
        doubts_from_dicts([state | {"weight": "heavy"}])
    with pytest.raises(ValueError, match="'heavy' is not one of"):
        CATALOGUE["SKS101"].rule("heavy", "a")
    with pytest.raises(ValueError, match="two kinds of doubt have the code SKS101"):
        Kind("SKS101", "another")


def test_the_heaviest_come_first():
    kinds = [CATALOGUE[code] for code in ("SKS214", "SKS102", "SKS101", "SKS107", "SKS213")]
    doubts = [Doubt(code=kind.code, title="t", text="x.", weight=kind.weight) for kind in kinds]
    assert [doubt.code for doubt in heaviest_first(doubts)] == [
        "SKS101", "SKS102", "SKS107", "SKS214", "SKS213",
    ]  # fmt: skip


def test_of_several_pairs_the_heaviest_is_told():
    doubt = Doubt(code="SKS115", title="t", text="weakly.", weight="weak")
    worse = Doubt(code="SKS115", title="t", text="badly.", weight="invalid")
    (told,) = merged([(("a", "b"), doubt), (("a", "c"), worse)], 3)
    assert told.weight == "invalid"
    assert told.text == "a and c: badly. The same holds for 1 more pair."
    two_cases = merged([("a", doubt), ("b", replace(doubt, advice="Another."))], 2, "slice")
    assert [one.text for one in two_cases] == ["a: weakly.", "b: weakly."]
    assert merged([("a", doubt), ("b", doubt)], 2) == [doubt]


def test_explain(capsys):
    skstat.explain("sks102")
    found = capsys.readouterr().out
    assert found.startswith("SKS102 splits that tell less than they could\n\nWeak: less can be")
    words = " ".join(found.split())
    for rule in CATALOGUE["SKS102"].rules:
        when, advice = map(plain, rule.words)
        assert f"Raised when: {when} To do: {rule.action}. {advice}" in words
    assert max(map(len, found.splitlines())) <= 88
    skstat.explain()
    listed = capsys.readouterr().out
    assert re.findall(r"SKS\d{3}", listed) == [
        kind.code for weight in WEIGHTS for kind in KINDS if kind.weight == weight
    ]


@pytest.mark.parametrize(
    "code, hint", [("SKS1O2", "did you mean SKS1.. or"), ("x", "`skstat explain` lists all")]
)
def test_explain_knows_what_was_meant(code, hint):
    with pytest.raises(ValueError, match=f"no doubt of the code '{code}'; {hint}"):
        skstat.explain(code)


def sample(d, **units):
    return PairedScores(np.asarray(d) + 0.5, np.full(len(d), 0.5), **units)


def test_no_interval_for_five_by_two():
    d = np.repeat([0.3, -0.3, 0.3, -0.3, 0.3], 2) + np.tile([1e-3, -1e-3], 5)
    report = compare_scores(sample(d, n_repeats=5))
    assert "SKS202" in codes(report)
    assert np.isnan(report.confidence_interval().low)
    assert "none exists" in report.conclusion


def test_direction_needs_a_clear_disagreement():
    assert "SKS203" not in codes(compare_scores(sample([0.1, -0.2, 0.05, 0.06], unit="seed")))
    assert "SKS203" in codes(compare_scores(sample([0.1] * 9 + [-1.0] * 2, unit="seed")))


def test_bare_repeated_folds_come_from_learners_nobody_knows():
    d = np.random.default_rng(0).normal(size=100)
    report = compare_scores(sample(d, n_repeats=10))
    doubt = next(doubt for doubt in report.doubts if doubt.code == "SKS103")
    assert doubt.weight == "note"
    assert doubt.text.startswith("nothing is known of the learners behind these scores")


def text_of(report, code):
    return next(doubt.text for doubt in report.doubts if doubt.code == code)


W3 = (
    "+.003 +.009 +.015 +.016 +.020 +.021 -.022 +.023 -.026 +.027 +.028 +.029 +.030 +.031 "
    "+.033 +.034 +.040 +.044 +.049 +.061 +.070 +.080 -.203 -.217 -.234"
)
W3_DIFFERENCES = np.array([float(number) for number in W3.split()])


@pytest.mark.parametrize("test", ["paired_t", "wilcoxon", "sign", "sign_flip"])
def test_mean_and_ranks_disagree_whatever_the_test(test):
    report = compare_scores(sample(W3_DIFFERENCES, unit="instance"), test=test)
    assert "mean difference favours B, but the ranks favour A" in text_of(report, "SKS203")
    half = compare_scores(sample(np.abs(W3_DIFFERENCES), unit="instance"), test=test)
    assert "SKS203" not in codes(half)


@pytest.mark.parametrize(
    "test, groups",
    [
        ("paired_permutation", None),
        ("paired_permutation", np.arange(25) // 2),
        ("paired_bootstrap", None),
        ("wilcoxon", None),
        ("clustered_t", np.arange(25) // 2),
    ],
)
def test_mean_and_ranks_disagree_on_predictions(test, groups):
    # Absolute errors whose differences are the 25 numbers.
    y, b = np.zeros(25), np.full(25, 0.5)
    systems = {"A": 0.5 - W3_DIFFERENCES, "B": b}
    options = {"groups": groups, "test": test, "random_state": 0}
    report = compare_predictions(y, systems, metric="neg_mean_absolute_error", **options)
    assert test == "wilcoxon" or report.estimate == pytest.approx(0.039 / 25)
    assert "SKS203" in codes(report)
    swapped = compare_predictions(
        y, {"A": 0.5 - np.abs(W3_DIFFERENCES), "B": b}, metric="neg_mean_absolute_error",
        **options,
    )  # fmt: skip
    assert "SKS203" not in codes(swapped)


def test_a_metric_that_is_no_mean_has_no_rows_to_disagree():
    y = np.tile([0, 1], 20)
    b = np.where(np.arange(40) < 12, 1 - y, y)
    report = compare_predictions(
        y, {"A": y, "B": b}, metric="f1", test="paired_permutation", random_state=0
    )
    assert "SKS203" not in codes(report)


def test_mean_and_ranks_disagree_where_either_is_significant():
    # Signs for A (p < 0.01), the mean for nobody; and the mean for B, with most signs for A.
    signs = compare_scores(sample(W3_DIFFERENCES, unit="instance"), test="sign")
    assert signs.verdict == "better" and signs.estimate * -1 < 0
    mean = np.repeat([0.01, -1.0], [70, 30])
    means = compare_scores(sample(mean, unit="instance"), test="paired_t")
    assert means.verdict == "worse"
    assert "number of instances won favours A" in text_of(means, "SKS203")
    assert "SKS203" in codes(signs)


def spread(mean, half_width, n=30):
    """Differences with this mean, whose corrected 95 % interval has this half-width."""
    z = np.linspace(-1, 1, n)
    error = z.std(ddof=1) * np.sqrt(1 / n + 1 / 2)
    return mean + z * half_width / (error * student.isf(0.025, n - 1))


SPLITS = {"n_train": 200, "n_test": 100}


@pytest.mark.parametrize("scoring", ["accuracy", "roc_auc_ovr_weighted", "f1_macro"])
def test_a_wide_interval(scoring):
    wide = compare_scores(sample(spread(0.01, 0.06), **SPLITS), scoring=scoring)
    assert f"about 0.060 in {scoring} would be significant" in text_of(wide, "SKS212")
    narrow = compare_scores(sample(spread(0.01, 0.04), **SPLITS), scoring=scoring)
    found = compare_scores(sample(spread(0.1, 0.06), **SPLITS), scoring=scoring)
    assert "SKS212" not in codes(narrow) | codes(found)
    assert "power" not in text_of(wide, "SKS212")


def test_the_stated_difference_is_where_the_test_begins_to_reject():
    outcome = compare_scores(sample(spread(0.01, 0.06), **SPLITS), scoring="accuracy")
    low, high = outcome.confidence_interval()
    for factor, verdict in ((0.999, "undecided"), (1.001, "better")):
        moved = sample(spread(factor * (high - low) / 2, 0.06), **SPLITS)
        assert compare_scores(moved).verdict == verdict


def test_a_wide_interval_needs_a_scale():
    d = spread(0.01, 0.06)
    for scoring in ("r2", "score", "matthews_corrcoef", "neg_log_loss"):
        assert "SKS212" not in codes(compare_scores(sample(d, **SPLITS), scoring=scoring))
    # With a margin any scale will do.
    assert "margin of 0.05" in texts_with_margin(d, 0.05)["SKS212"]
    assert "SKS212" not in texts_with_margin(d, 0.08)
    one_sided = {"alternative": "greater"}
    assert "SKS212" in texts_with_margin(d, 0.04, one_sided)
    assert "SKS212" not in texts_with_margin(d, 0.06, one_sided)


def test_shown_to_be_equivalent_is_not_undecided():
    # The 90 % interval lies within the margin, that of 95 % does not.
    d = spread(0.0, 0.06)
    assert "SKS212" not in texts_with_margin(d, 0.055)
    assert "SKS212" in texts_with_margin(d, 0.045)


def texts_with_margin(d, margin, options=None):
    return texts_with(d, options, metric="r2", margin=margin)


def texts_with(d, options=None, **known):
    made = sample(d, **SPLITS)
    found = doubts_about(made, corrected_t(made, **(options or {})), **known)
    return {doubt.code: doubt.text for doubt in found}


def test_significant_but_small():
    small = compare_scores(sample(spread(0.006, 0.003), **SPLITS), scoring="accuracy")
    assert "within 0.01 of 0 in accuracy" in text_of(small, "SKS213")
    larger = compare_scores(sample(spread(0.008, 0.003), **SPLITS), scoring="accuracy")
    undecided = compare_scores(sample(spread(0.002, 0.003), **SPLITS), scoring="accuracy")
    unknown = compare_scores(sample(spread(0.006, 0.003), **SPLITS), scoring="r2")
    assert "SKS213" not in codes(larger) | codes(undecided) | codes(unknown)
    assert "SKS213" in texts_with_margin(spread(-0.6, 0.3), 1.0)
    assert "SKS213" not in texts_with_margin(spread(-0.6, 0.3), 0.8)
    one_sided = {"alternative": "greater"}  # has no upper limit
    assert "SKS213" not in texts_with_margin(spread(0.6, 0.3), 1.0, one_sided)


@pytest.mark.parametrize(
    "pvalue, near", [(0.039, False), (0.041, True), (0.062, True), (0.0635, False)]
)
def test_close_to_the_level(pvalue, near):
    d = spread(0.02, 0.02)
    # The same differences moved so that their t has this p.
    d = d + 0.02 * (student.isf(pvalue / 2, 29) / student.isf(0.025, 29) - 1)
    report = compare_scores(sample(d, **SPLITS))
    assert report.pvalue == pytest.approx(pvalue)
    assert ("SKS208" in codes(report)) == near
    if near:
        assert "0.049 and 0.051 say the same" in text_of(report, "SKS208")
    strict = compare_scores(sample(d, **SPLITS), confidence_level=0.99)
    assert "SKS208" not in codes(strict)


@pytest.mark.long
def test_draws_near_the_level_need_no_second_doubt():
    d = np.random.default_rng(0).normal(0.2, 0.5, 40)
    found = {}
    for shift in np.linspace(-0.08, 0.0, 81):
        report = compare_scores(
            sample(d + shift, unit="instance"),
            test=partial(sign_flip, n_resamples=9_999, rng=0),
        )
        weights = [doubt.weight for doubt in report.doubts if doubt.code == "SKS208"]
        found.setdefault(tuple(weights), report)
    assert {("weak",), ("note",), ()} == set(found)


def test_more_resamples_are_advised_where_they_can_be_drawn():
    d = np.random.default_rng(0).normal(0.2, 0.5, 40)
    near = {"test": "sign_flip", "random_state": 0}

    def action(sample, **options):
        asked = (compare_scores(sample, **near, **options) for sample in sample)
        found = (doubt for report in asked for doubt in report.doubts if doubt.code == "SKS208")
        return next(doubt for doubt in found if doubt.weight == "weak").action

    shifts = np.linspace(-0.08, 0.0, 41)
    rows = [sample(d + shift, unit="instance") for shift in shifts]
    assert action(rows) == "use more resamples, n_resamples=99_999"
    splits = [sample(d + shift, **SPLITS) for shift in shifts]
    assert action(splits) == "call the result borderline"  # what fits on splits has no option
    level = 1 - compare_scores(rows[0], **near, n_resamples=99_999).pvalue
    assert (
        action(rows[:1], n_resamples=99_999, confidence_level=level)
        == "call the result borderline"
    )


@in_one_test("unit", ["instance", "dataset", "seed"])
@in_one_test("adjustment", ["auto", "holm"])
@in_one_test("n_systems", [2, 3])
def test_scores_are_resampled_as_often_as_asked(unit, adjustment, n_systems):
    scores = np.random.default_rng(0).normal(size=(30, n_systems))
    how = {"post_hoc": "sign_flip"} if (unit, n_systems) == ("dataset", 3) else {}
    how = how or {"test": "sign_flip"}
    how |= {"paired_seeds": True} if unit == "seed" else {}
    report = compare_scores(
        scores, unit=unit, adjustment=adjustment, n_resamples=567, random_state=0, **how
    )
    outcomes = [report.outcome] if n_systems == 2 else report.pairwise.outcomes
    assert {outcome.n_resamples for outcome in outcomes} == {567}


@pytest.mark.parametrize("n_resamples", [0, -1, 10.5, True, "99"])
def test_resamples_are_a_whole_number(n_resamples):
    with pytest.raises(ValueError, match="n_resamples=.* must be a whole number"):
        compare_scores(np.eye(4), unit="instance", n_resamples=n_resamples)


def test_no_rejection_possible_is_not_close_to_the_level():
    d = [0.01, 0.02, 0.03, 0.04, 0.05]  # p = 2 / 2**5 = 0.0625, the smallest there is
    assert "SKS208" not in codes(compare_scores(sample(d, unit="dataset"), test="wilcoxon"))


def stability(n_same, n=5):
    verdicts = ("better",) * n_same + ("undecided",) * (n - n_same)
    return Stability(
        verdict="better", seeds=tuple(range(n)), estimates=(0.1,) * n, pvalues=(0.04,) * n,
        verdicts=verdicts,
    )  # fmt: skip


def test_the_verdict_depends_on_the_partition():
    assert find_doubts(Facts(stability=stability(4))) == ()
    (found,) = find_doubts(Facts(stability=stability(3)))
    assert found.code == "SKS214"
    assert "3 of 5 gave the same verdict; estimate +0.100; p = 0.0400" in found.text


def test_the_best_of_many():
    d = spread(0.01, 0.04)
    for n, said in ((12, True), (None, False), (1, False)):
        found = texts_with(d, n_candidates=n).get("SKS502", "")
        assert ("best of 12" in found) is said


def against_two(d):
    """A against B alone, and as one of two pairs with the same scores."""
    paired = sample(d, **SPLITS)
    scores = {"a": paired.a, "b": paired.b, "c": paired.b}
    asked = {"scoring": "accuracy", **SPLITS}
    alone = compare_scores({name: scores[name] for name in "ab"}, **asked)
    family = compare_scores(scores, control="a", adjustment="holm", **asked)
    assert alone.pvalue == pytest.approx(family.reports[0].pvalue)
    return alone, family


def test_doubts_about_a_verdict_follow_the_adjusted_p():
    # Alone A is shown to be better, by little; adjusted for two, nothing is shown.
    d = spread(0.0052, 0.005)
    alone, family = against_two(d)
    assert {"SKS208"} <= codes(alone) and alone.verdict == "better"
    assert family.reports[0].verdict == "undecided"
    assert not codes(family) & {"SKS213", "SKS208"}
    _, close = against_two(spread(0.0058, 0.005))
    assert close.reports[0].adjusted_pvalue == pytest.approx(0.05, abs=0.01)
    assert "SKS208" in codes(close)


@pytest.mark.parametrize("n, raised", [(9, True), (10, False)])
def test_ten_seeds_are_enough(n, raised):
    sample = PairedScores(np.linspace(0.7, 0.9, n), np.linspace(0.9, 0.6, n), unit="seed")
    found = doubts_about(sample, sign_flip(sample))
    assert ("SKS107" in {doubt.code for doubt in found}) is raised


@pytest.mark.parametrize("n, raised", [(14, True), (15, False)])
def test_fifteen_instances_of_a_class_are_enough(n, raised):
    y_true = np.repeat([0, 1], [40, n])
    rng = np.random.default_rng(0)
    outputs = {name: y_true + rng.normal(0, 1, len(y_true)) for name in ("new", "old")}
    report = compare_predictions(y_true, outputs, metric="roc_auc", test="delong")
    assert ("SKS128" in {doubt.code for doubt in report.doubts}) is raised


@pytest.mark.parametrize(
    "sizes, action",
    [({"n_repeats": 2}, "collect more rows"), ({}, "use fewer folds, or a larger test_size")],
)
def test_halves_cannot_test_on_more_rows(sizes, action):
    a, b = [0.8, 0.7, 0.8, 0.9], [0.7, 0.65, 0.8, 0.7]
    sample = PairedScores(a, b, n_train=12, n_test=12, **sizes)
    doubts = doubts_about(sample, corrected_t(sample), min_test_rows=12)
    (found,) = (doubt for doubt in doubts if doubt.code == "SKS102")
    assert found.action == action


@pytest.mark.parametrize("rows, raised", [(29, True), (30, False)])
def test_thirty_test_rows_are_enough(rows, raised):
    sample = PairedScores([0.8, 0.7, 0.9], [0.7, 0.7, 0.8], n_train=60, n_test=rows)
    found = doubts_about(sample, corrected_t(sample), min_test_rows=rows)
    assert ("SKS102" in {doubt.code for doubt in found}) is raised
