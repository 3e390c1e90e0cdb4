"""Reports on tables of data sets: what is said, tabled and drawn of ranks and pairs."""

import numpy as np
import pytest

from tests.report.built import columns, over_datasets


def of(names="PQR", n=12, *, gap=0.02, seed=0, **options):
    return over_datasets(columns(n, names, gap=gap, seed=seed), **options)


def one_line(text):
    return " ".join(text.split())


@pytest.mark.parametrize("gap, seed, pairs", [(0.007, 16, False), (0.003, 71, True)])
def test_that_pairs_and_all_at_once_disagree_is_said_once(gap, seed, pairs):
    """Where all pairs were asked, in both directions."""
    pytest.importorskip("pandas")
    said = "That is another question: whether any systems differ"
    asked = {"gap": gap, "seed": seed, "names": "PQRS"}
    report = of(**asked)
    assert (report.pvalue < 0.05) != pairs
    assert any(row is not None for row in report.to_frame()["better"]) == pairs
    assert report.conclusion.count(said) == 1
    assert said not in of(names="PQRS", n=30, gap=0.05).conclusion
    for options in ({"control": "Q"}, {"alternative": "less"}):
        assert said not in of(**asked, **options).conclusion


def untested(**options):
    """A and B differ by the same on every data set; C is like A."""
    base = np.random.default_rng(0).uniform(0.6, 0.9, 12)
    noise = np.random.default_rng(1).normal(0, 0.05, 12)
    scores = {"A": base, "B": base - 1, "C": base + noise}
    return over_datasets(scores, test="paired_t", **options)


def test_the_caption_says_what_the_diagram_cannot():
    pytest.importorskip("matplotlib")
    for report, caption in (
        (of(control="Q", alternative="greater"), "one-sided: better than"),
        (of(control="Q", alternative="less"), "one-sided: worse than"),
        (of(alternative="less"), "one-sided, therefore without bars"),
        (untested(), "no test is possible: A and B"),
    ):
        assert caption in one_line(report.plot().ax_.texts[-1].get_text())


def test_kinds_and_options_are_named():
    pytest.importorskip("matplotlib")
    report = of()
    assert report.plot(best="left").best == "left"
    with pytest.raises(ValueError, match="'cd', 'intervals', 'pvalues', 'wins', 'scores'"):
        report.plot(kind="bars")
    with pytest.raises(TypeError, match="no option 'groups'; it has best, colors"):
        report.plot(groups=[])
