"""Doubts about comparisons over many data sets: what raises each, and what does not."""

import re
from dataclasses import dataclass, fields, replace
from functools import partial

import numpy as np
import pytest

from skstat import compare_scores, rank_systems, stats
from skstat.stats import ScoreTable, pairwise_wilcoxon


def table_of(n, k, *, gap=0.02, noise=0.02, seed=0):
    rng = np.random.default_rng(seed)
    level = rng.uniform(0.6, 0.9, (n, 1)) - gap * np.arange(k)
    return ScoreTable(level + rng.normal(0, noise, (n, k)), unit="dataset")


def often_equal():
    """A is like B or better, C far below."""
    rng = np.random.default_rng(0)
    scores = np.zeros((30, 3)) + rng.uniform(0, 0.001, (30, 1))
    scores[:12, 0] += rng.uniform(0.1, 0.2, 12)
    scores[:, 2] -= rng.uniform(0.1, 0.2, 30)
    return scores


def codes(report):
    return [doubt.code for doubt in report.doubts]


def weights(report):
    return [doubt.weight for doubt in report.doubts]


def text_of(report, code):
    (text,) = (doubt.text for doubt in report.doubts if doubt.code == code)
    return text


def test_a_plain_comparison_raises_no_doubt():
    assert codes(compare_scores(table_of(30, 5))) == []


def test_few_data_sets():
    assert "SKS107" in codes(compare_scores(table_of(9, 3)))
    assert "SKS107" not in codes(compare_scores(table_of(10, 3)))
    assert text_of(compare_scores(table_of(4, 3)), "SKS107").startswith("4 data sets are few")


def test_mean_ranks_depend_on_the_pool():
    table = table_of(30, 4)
    for post_hoc in ("nemenyi", "mean_ranks", "aligned_ranks"):
        assert weights(compare_scores(table, post_hoc=post_hoc)) == ["weak"]
    assert codes(compare_scores(table, post_hoc="sign")) == []
    # Of two systems the pool is the pair.
    assert codes(compare_scores(table_of(30, 2), post_hoc="nemenyi")) == []
    dunn = compare_scores(table, post_hoc="bonferroni_dunn", control="system 1")
    assert "on the scores of the other 2 systems" in text_of(dunn, "SKS126")
    three = compare_scores(table_of(30, 3), post_hoc="nemenyi")
    assert "on the scores of the third system:" in text_of(three, "SKS126")


def test_error_controlled_only_where_no_systems_differ():
    table = table_of(30, 4)
    for adjustment in ("holm", "bonferroni"):
        report = compare_scores(table, post_hoc="conover", adjustment=adjustment)
        assert codes(report) == ["SKS126", "SKS126"] and weights(report) == ["invalid", "weak"]
    assert report.doubts[0].text.startswith(
        "the pairwise Conover t test of mean ranks holds its level only if"
    )
    for post_hoc in ("mean_ranks", "wilcoxon", "nemenyi"):
        assert "invalid" not in weights(compare_scores(table, post_hoc=post_hoc))
    # One pair has no others to differ, and the outcome itself declares it, not its name.
    assert "SKS126" not in codes(compare_scores(table_of(30, 2), post_hoc="conover"))

    def my_pairs(table):
        return replace(pairwise_wilcoxon(table), test="mine", weak_control=True)

    assert text_of(compare_scores(table, post_hoc=my_pairs), "SKS126").startswith(
        "the mine holds"
    )


@pytest.mark.parametrize("k", [2, 3])
def test_data_sets_left_out(k):
    scores = table_of(30, k).scores.copy()
    assert "SKS120" not in codes(compare_scores(ScoreTable(scores, unit="dataset")))
    scores[3, 1] = np.nan
    test = {2: "auto", 3: "friedman"}[k]
    report = compare_scores(ScoreTable(scores, unit="dataset"), test=test)
    assert codes(report) == ["SKS120"] and report.n_units == 29
    assert "data set 4 (no score of system 2)" in report.details


def test_scores_that_skillings_and_mack_do_without_are_counted():
    scores = table_of(30, 3).scores.copy()
    whole = ScoreTable(scores, unit="dataset")
    assert "SKS120" not in codes(compare_scores(whole, test="skillings_mack"))
    scores[3, 1] = np.nan
    table = ScoreTable(scores, unit="dataset")
    text = text_of(compare_scores(table, test="skillings_mack"), "SKS120")
    assert text.startswith("1 score is missing (1 of system 2): every comparison uses")
    scores[4:6, :2] = np.nan  # which leaves one score: these data sets are not compared
    report = compare_scores(ScoreTable(scores, unit="dataset"), test="skillings_mack")
    assert text_of(report, "SKS120") == text and report.n_units == 28


@pytest.mark.parametrize("adjustment", ["hochberg", "hommel", "sidak"])
def test_adjustments_that_need_independence(adjustment):
    report = compare_scores(table_of(30, 3), post_hoc="wilcoxon", adjustment=adjustment)
    assert codes(report) == ["SKS126"]
    assert re.search(
        r"method holds its level only if the p-values are", text_of(report, "SKS126")
    )


@pytest.mark.parametrize("adjustment", ["shaffer", "bergmann-hommel"])
def test_adjustments_of_hypotheses_that_follow_from_each_other(adjustment):
    report = compare_scores(table_of(30, 3), post_hoc="wilcoxon", adjustment=adjustment)
    name = {"shaffer": "Shaffer", "bergmann-hommel": "Bergmann and Hommel"}[adjustment]
    assert text_of(report, "SKS126") == (
        f"{name}'s method holds its level only if equality is transitive: two systems "
        "that both equal a third equal each other."
    )
    # Means and mean ranks that equal a third do equal each other.
    for test in ("paired_t", "mean-ranks", "sign-flip"):
        report = compare_scores(table_of(30, 3), post_hoc=f"{test}-{adjustment}")
        assert "transitive" not in " ".join(map(str, report.doubts))
    assert "SKS126" in codes(
        compare_scores(table_of(30, 3), post_hoc="sign", adjustment=adjustment)
    )


@pytest.mark.parametrize("adjustment", ["holm", "bonferroni", "fdr_by"])
def test_adjustments_that_need_nothing(adjustment):
    report = compare_scores(table_of(30, 3), post_hoc="wilcoxon", adjustment=adjustment)
    assert "SKS126" not in codes(report)


def test_false_discoveries_of_tests_that_depend_on_each_other():
    by = compare_scores(table_of(30, 3), post_hoc="wilcoxon", adjustment="fdr_by")
    bh = compare_scores(table_of(30, 3), post_hoc="wilcoxon", adjustment="fdr_bh")
    assert codes(by) == [] and codes(bh) == ["SKS126"]


def test_adjustments_are_doubted_whatever_the_units():
    table = ScoreTable(table_of(30, 3).scores, unit="instance")
    assert "SKS126" in codes(compare_scores(table, adjustment="hochberg", random_state=0))
    assert "SKS126" not in codes(compare_scores(table, adjustment="holm", random_state=0))


def test_a_quantity_declares_whether_equality_is_transitive():
    @dataclass(frozen=True, kw_only=True, eq=False)
    class MeanInAll(stats.SignedRankOutcome):
        @property
        def quantity(self):
            return stats.Quantity(name="mine")

    def my_pairs(table):
        found = pairwise_wilcoxon(table, adjustment="shaffer")
        mine = [
            MeanInAll(**{item.name: getattr(outcome, item.name) for item in fields(outcome)})
            for outcome in found.outcomes
        ]
        return replace(found, outcomes=tuple(mine))

    assert "SKS126" in codes(
        compare_scores(table_of(30, 3), post_hoc="wilcoxon", adjustment="shaffer")
    )
    assert codes(compare_scores(table_of(30, 3), post_hoc=my_pairs)) == []


BY_SIZE = [
    {"test": "quade"},
    {"test": "friedman_aligned"},
    {"test": "repeated_measures_anova"},
    {"post_hoc": "paired_t"},
    {"post_hoc": "sign_flip"},
    {"post_hoc": "aligned_ranks"},
    {"post_hoc": "quade"},
    {"post_hoc": "conover_quade"},
]


class TestScales:
    @pytest.fixture
    def errors(self):
        """Squared errors of targets in units of their own."""
        rng = np.random.default_rng(0)
        return ScoreTable(
            10.0 ** rng.uniform(-3, 3, (20, 1)) * rng.uniform(1, 2, (20, 3)), unit="dataset"
        )

    @pytest.mark.parametrize("options", BY_SIZE)
    def test_sizes_of_differences_need_one_scale(self, errors, options):
        assert "SKS123" in codes(compare_scores(errors, **options))
        assert "SKS123" not in codes(compare_scores(table_of(20, 3), **options))

    def test_a_ranking_by_means_needs_one_scale_too(self, errors):
        how = {"scoring": "mean_squared_error", "higher_is_better": False, "random_state": 0}
        ranked = rank_systems(np.asarray(errors.scores), unit="dataset", **how)
        (found,) = (doubt for doubt in ranked.doubts if doubt.code == "SKS123")
        assert "compare_scores" in found.action and "sign flips" in found.text
        alike = rank_systems(np.asarray(table_of(20, 3).scores), unit="dataset", **how)
        assert "SKS123" not in codes(alike)
        # Items of one benchmark have one scale.
        items = rank_systems(np.asarray(errors.scores), unit="instance", **how)
        assert "SKS123" not in codes(items)

    def test_ranks_within_data_sets_do_not(self, errors):
        for options in ({"post_hoc": "sign"}, {"post_hoc": "nemenyi"}):
            assert "SKS123" not in codes(compare_scores(errors, **options))

    def test_ranks_of_sizes_do_when_scales_are_far_apart(self, errors):
        assert "SKS123" in codes(compare_scores(errors))
        scales = np.repeat([1.0, 900.0], 10)[:, None]
        near = ScoreTable(scales * np.array([[0, 0.5, 1]]), unit="dataset")
        assert "SKS123" not in codes(compare_scores(near))

    def test_outcomes_declare_it_whatever_their_name(self, errors):
        def quade_in_name_only(table):
            return replace(stats.friedman(table), test="weighted Quade and Wilcoxon t test")

        def my_omnibus(table):
            return replace(stats.friedman(table), test="mine", compares_sizes="strongly")

        signs = {"post_hoc": stats.pairwise_sign}
        assert "SKS123" not in codes(compare_scores(errors, test=quade_in_name_only, **signs))
        text = text_of(compare_scores(errors, test=my_omnibus, **signs), "SKS123")
        assert text.endswith("decide the mine.")

    def test_the_largest_t_is_one_of_means(self, errors):
        signs = {"post_hoc": stats.pairwise_sign}
        assert "SKS123" in codes(compare_scores(errors, test="largest_t", **signs))

    def test_it_says_which_test(self, errors):
        text = text_of(compare_scores(errors, test="quade"), "SKS123")
        assert text.endswith("decide the Quade test (F distribution).")

    def test_a_factor_of_ten_is_the_border(self):
        spread = np.repeat([1.0, 9.0], 10)[:, None] * np.array([[0, 0.5, 1]])
        near = ScoreTable(spread, unit="dataset")
        assert "SKS123" not in codes(compare_scores(near, test="quade"))
        spread[10:] *= 2
        assert "SKS123" in codes(
            compare_scores(ScoreTable(spread, unit="dataset"), test="quade")
        )

    def test_too_few_to_tell(self, errors):
        few = ScoreTable(errors.scores[:3], unit="dataset")
        assert "SKS123" not in codes(compare_scores(few, test="quade"))
        pair = ScoreTable(errors.scores[:, :2], unit="dataset")
        assert "SKS123" not in codes(compare_scores(pair, test="quade"))

    @pytest.mark.long
    def test_noise_is_hardly_ever_taken_for_scales(self):
        rng = np.random.default_rng(0)
        n_raised = 0
        for _ in range(100):
            table = ScoreTable(rng.normal(size=(12, 3)), unit="dataset")
            n_raised += "SKS123" in codes(compare_scores(table, test="quade"))
        assert n_raised <= 6

    def test_ties_everywhere(self):
        same = ScoreTable(np.full((8, 3), 0.7), unit="dataset")
        assert "SKS123" not in codes(compare_scores(same, test="quade"))

    def test_float_noise_is_no_scale(self):
        scores = table_of(20, 3).scores.copy()
        scores[:8] = np.array([0.3, 0.1 + 0.2, 0.3])
        assert np.ptp(scores[0]) > 0
        noisy = ScoreTable(scores, unit="dataset")
        assert "SKS123" not in codes(compare_scores(noisy, test="quade"))

    def test_gaps(self, errors):
        scores = errors.scores.copy()
        scores[0] = np.nan
        scores[1, :2] = np.nan
        table = ScoreTable(scores, unit="dataset")
        options = {"test": "skillings_mack", "post_hoc": "paired_t"}
        assert "SKS123" in codes(compare_scores(table, **options))


class TestDisagreement:
    def test_all_at_once_only(self):
        # Quade or Friedman sees a trend that no pair shows after adjustment.
        for seed in range(200):
            report = compare_scores(table_of(12, 4, gap=0.007, seed=seed))
            if report.pvalue < 0.05 and not report.pairwise.differs().any():
                break
        assert "finds a difference (p = 0.0" in text_of(report, "SKS211")
        assert text_of(report, "SKS211").endswith("but no pair differs significantly.")

    @pytest.mark.long
    def test_pairs_only(self):
        for seed in range(200):
            report = compare_scores(table_of(12, 4, gap=0.003, seed=seed))
            if report.pvalue >= 0.05 and report.pairwise.differs().any():
                break
        assert text_of(report, "SKS211").startswith(
            "pairs differ significantly, but the Friedman"
        )

    def test_not_where_they_agree(self):
        for gap in (0.0, 0.05):
            assert "SKS211" not in codes(compare_scores(table_of(30, 4, gap=gap)))

    def test_not_where_no_pair_can_be_told_apart(self):
        report = compare_scores(table_of(5, 3, gap=0.1))
        assert report.pvalue < 0.05 and "no rejection is possible" in report.conclusion
        assert "SKS211" not in codes(report)

    def test_not_where_a_pair_has_no_test(self):
        # Without the constant pair nothing would be left that could be told apart.
        scores = np.tile([[1.0, 0.0]], (12, 1)) + np.arange(12.0)[:, None]
        far = np.where(np.arange(12) % 2, 50.0, -50.0) + np.arange(12.0)
        table = ScoreTable(np.column_stack([scores, far]), unit="dataset")
        report = compare_scores(table, post_hoc="paired_t", confidence_level=0.7)
        assert np.isnan(report.pairwise.adjusted_pvalues).any()
        assert report.pvalue < 0.3 and not report.pairwise.differs(0.3).any()
        assert "SKS211" not in codes(report)

    def test_not_in_one_direction(self):
        report = compare_scores(table_of(30, 3, gap=0.05), alternative="less")
        assert report.pvalue < 0.05 and not report.pairwise.differs().any()
        assert "SKS211" not in codes(report)

    def test_not_with_a_control(self):
        # The first and the last differ, and neither differs from the control between them.
        for seed in range(200):
            table = table_of(12, 3, gap=0.008, seed=seed)
            report = compare_scores(table, control="system 2")
            if report.pvalue < 0.05 and not report.pairwise.differs().any():
                break
        else:
            raise AssertionError("no such table was found")
        assert "SKS211" not in codes(report)

    def test_not_without_a_test_of_all(self):
        same = np.tile([0.9, 0.8, 0.7], (8, 1)) + np.arange(8)[:, None] / 100
        report = compare_scores(same, unit="dataset", test="repeated_measures_anova")
        assert np.isnan(report.pvalue) and report.pairwise.differs().any()
        assert "SKS211" not in codes(report)


class TestPairs:
    def test_identical_systems_are_named(self):
        scores = table_of(30, 3).scores
        same = ScoreTable(scores[:, [0, 1, 2, 1]], systems=list("PQRS"), unit="dataset")
        text = text_of(compare_scores(same), "SKS201")
        assert text.startswith("Q and S: both score the same on every data set")
        assert "The same holds" not in text
        assert "SKS201" not in codes(compare_scores(table_of(30, 4)))

    @pytest.mark.parametrize("k", [2, 3])
    def test_what_all_pairs_have_names_none(self, k):
        same = ScoreTable(np.full((12, k), 0.7), unit="dataset")
        text = text_of(compare_scores(same, post_hoc="nemenyi"), "SKS201")
        assert text.startswith("both score the same") and text.endswith("the same model?")

    def test_one_more_pair(self):
        scores = table_of(30, 4).scores[:, [0, 0, 1, 1]]
        text = text_of(compare_scores(scores, unit="dataset"), "SKS201")
        assert text.endswith("The same holds for 1 more pair.")

    def test_mean_and_ranks_in_opposite_directions(self):
        d = np.r_[np.full(20, 0.01), np.full(4, -0.3)] + np.arange(24) * 1e-4
        scores = {"P": 0.5 + d, "Q": np.full(24, 0.5), "R": np.linspace(0.1, 0.2, 24)}
        text = text_of(compare_scores(scores, unit="dataset"), "SKS203")
        assert text.startswith(
            "P and Q: the mean difference favours Q, but the ranks favour P:"
        )
        assert "SKS203" not in codes(compare_scores(table_of(24, 3)))

    @pytest.mark.parametrize("post_hoc", ["wilcoxon", "sign"])
    def test_a_verdict_whose_interval_holds_zero(self, post_hoc):
        scores = often_equal()
        report = compare_scores(scores, unit="dataset", post_hoc=post_hoc)
        pair = report["A", "B"]
        low, high = pair.confidence_interval()
        assert pair.verdict == "better" and low <= 0 <= high
        text = text_of(report, "SKS206")
        assert text.startswith("A and B: the test rejects, but the interval contains 0")
        assert "The same holds" not in text

    def test_intervals_agree_with_the_adjusted_p(self):
        report = compare_scores(table_of(12, 8, gap=0.012))
        verdicts = set()
        for row in report.to_dict()["pairs"]:
            verdicts.add(row["verdict"])
            assert (row["verdict"] != "undecided") == (row["low"] > 0 or row["high"] < 0)
        assert len(verdicts) > 1 and "SKS206" not in codes(report)


def test_data_sets_that_repeat_each_other():
    scores = table_of(12, 3).scores
    assert "SKS124" not in codes(compare_scores(scores, unit="dataset"))
    again = np.vstack([scores, scores[:2]])
    text = text_of(compare_scores(again, unit="dataset"), "SKS124")
    assert text.startswith("2 data sets have exactly the scores of another one (2; 14)")
    assert "SKS124" not in codes(
        compare_scores(np.vstack([scores, scores[:1]]), unit="dataset")
    )


def test_coarse_scores_repeat_each_other_by_chance():
    scores = np.random.default_rng(0).integers(17, 21, (40, 3)) / 20
    assert len(np.unique(scores, axis=0)) < 36
    assert "SKS124" not in codes(compare_scores(scores, unit="dataset"))


def test_two_systems_of_a_table_get_the_doubts_of_tables():
    report = compare_scores(
        table_of(12, 2),
        test=partial(stats.friedman),
        post_hoc="paired_t",
        adjustment="hochberg",
    )
    assert codes(report) == ["SKS126"]


def skewed_scores(n, *, unit="seed", outlier=None):
    rng = np.random.default_rng(0)
    scores = 0.2 * rng.standard_normal((n, 3))
    if outlier is None:
        scores[:, 0] = np.exp(rng.standard_normal(n))
    else:
        scores[0, 0] += outlier
    return ScoreTable(scores, unit=unit)


def test_skewed_differences_of_few_units():
    report = compare_scores(skewed_scores(60), random_state=0)
    assert re.match(
        r"the differences of two systems are skewed \(\d\.\d\), much for 60 seeds: the best",
        text_of(report, "SKS107"),
    )
    # Many units average it out, but not what one of them makes alone.
    assert "SKS107" not in codes(compare_scores(skewed_scores(2000), random_state=0))
    alone = compare_scores(skewed_scores(300, outlier=50), random_state=0)
    assert "SKS107" in codes(alone) and codes(alone) == sorted(codes(alone))
    # Nor is it raised of scores that are not skewed, or where nobody asks for the best.
    assert "SKS107" not in codes(compare_scores(table_of(30, 3), random_state=0))
    plain = ScoreTable(table_of(40, 3).scores, unit="seed")
    assert "SKS107" not in codes(compare_scores(plain, random_state=0))
    control = compare_scores(skewed_scores(60), control="system 1", random_state=0)
    assert control.may_be_best == () and "SKS107" not in codes(control)
