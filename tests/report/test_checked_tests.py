"""What a check of tests says of its p-values."""

from dataclasses import replace

import pytest

from skstat.report import CheckedTest
from tests.contract import check_forms
from tests.report.built import CHECK


def rows(*pvalues):
    known = {"name": "a", "asked": "auto", "test": "t test", "alpha": 0.05, "replaced": 0.3}
    return CheckedTest(**known, pvalues=pvalues)


def test_verdicts_rest_on_the_interval_and_words_on_the_verdict():
    assert rows(*[0.01] * 10).verdict == "rejects too often"
    assert rows(*[0.5] * 100).verdict == "holds"
    assert rows(*[0.5] * 10).verdict == "not clear"
    row = rows(0.01, 0.05, float("nan"), 0.9)
    assert (row.n_rejected, row.n_experiments, row.rate) == (1, 4, 0.25)
    check = replace(CHECK, rows=(row,))
    said = "More experiments are needed to tell whether too many are rejected by the t test "
    assert check.conclusion.startswith(f"{said}(rejected 1 of 4 at 0.05). This is about")
    assert "1 of 4 (25.0%" in check.methods_text()
    assert r"30\% of the cells" in check.methods_text(latex=True)
    assert check["a", "auto"] is check["a"] is row
    for asked, words in (
        (("a", "other"), r"no row \('a', 'other'\); there are \[\('a', 'auto'\)\]"),
        ("b", "no row 'b'"),
    ):
        with pytest.raises(KeyError, match=words):
            check[asked]
    check_forms(check)
    many = replace(rows(*[0.5] * 150), name="b")  # which JSON has in fewer words
    check_forms(replace(check, rows=(row, many)))


def test_the_picture_counts_pvalues_up_to_every_level():
    pytest.importorskip("matplotlib.pyplot")
    check = replace(CHECK, rows=(rows(0.2, 0.4, float("nan"), 0.4),))
    (line,) = check.plot().lines_.values()
    assert line.get_xdata().tolist() == [0, 0.2, 0.4, 0.4, 1]
    assert line.get_ydata().tolist() == [0, 0.25, 0.5, 0.75, 0.75]
