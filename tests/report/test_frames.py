"""One row per comparison, the same columns in every report; and flat numbers for loggers."""

import numpy as np
import pytest

import skstat
from tests.report.built import KINDS, report_on

COLUMNS = [
    "first", "second", "n", "difference", "low", "high", "standard_error", "statistic", "df",
    "pvalue", "adjusted_pvalue", "verdict", "test", "estimand", "equivalence_pvalue",
    "p_better", "p_same", "p_worse", "same_verdict", "df_denominator", "better", "first_mean",
    "second_mean", "metric", "direction", "confidence_level", "unit", "doubts", "quantity",
    "margin", "rope",
]  # fmt: skip
TEXTS = {"first", "second", "metric", "direction", "better", "verdict", "unit", "quantity"}
TEXTS |= {"test", "estimand", "doubts"}

EQUAL = skstat.compare_scores({"a": [1.0, 2], "b": [1.0, 2]}, unit="seed")
REPORTS = {kind: report_on(kind) for kind in KINDS if kind != "performance"} | {"equal": EQUAL}


def test_frames_have_the_same_columns_of_the_same_types_and_stack():
    pytest.importorskip("pandas")
    for kind, report in REPORTS.items():
        frame = report.to_frame()
        assert list(frame.columns) == COLUMNS, kind
        for column in COLUMNS:
            expected = "O" if column in TEXTS else "i" if column == "n" else "f"
            assert frame[column].dtype.kind == expected, (kind, column)


@pytest.mark.parametrize("n_systems", [2, 3])
def test_numbers_of_slices_stand_beside_those_of_all_rows(n_systems):
    rng = np.random.default_rng(0)
    truth, kind = rng.integers(0, 2, 400), rng.choice(["E", "W"], 400)
    right = {f"m{i}": rng.random(400) < 0.9 - 0.2 * i * (kind == "E") for i in range(n_systems)}
    answers = {name: np.where(hits, truth, 1 - truth) for name, hits in right.items()}
    how = {"metric": ["accuracy", "f1"], "by": {"seg": kind}, "random_state": 0}
    both = skstat.compare_predictions(truth, answers, **how)
    for report in (both["accuracy"], both):
        logged = report.metrics()
        for name, hits in right.items():
            assert logged[f"accuracy/{name}"] == pytest.approx(hits.mean())
            for value in "EW":
                share = pytest.approx(hits[kind == value].mean())
                assert logged[f"accuracy/seg_{value}/{name}"] == share
                assert logged[f"accuracy/seg={value}/{name}"] == share
    with pytest.raises(KeyError):
        logged["accuracy/seg=X/m0"]
