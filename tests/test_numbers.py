"""What a number of a known metric may be: one check, and the same answer of every door."""

from functools import partial

import numpy as np
import pytest

import skstat
from skstat.stats import ScoreTable
from tests.score_doors import boards, doors, file_of
from tests.shell import main

GOOD = [0.90, 0.88, 0.91, 0.86, 0.88, 0.92, 0.87, 0.90, 0.88, 0.91]
# A metric, one number that it cannot have, and a word of what is wrong.
WRONG = [
    ("accuracy", 5.5, "per cent"),
    ("accuracy", 91.3, "per cent"),
    ("accuracy", 150.0, "between 0 and 1"),
    ("accuracy", -1.0, "failed"),
    ("accuracy", -999.0, "failed"),
    ("Balanced accuracy", 1.3, "per cent"),
    ("test_f1_macro", -1.0, "failed"),
    ("F1-score", 88.0, "per cent"),
    ("roc_auc_ovr_weighted", 1.2, "per cent"),
    ("average_precision", -9999.0, "failed"),
    ("precision@5", 87.0, "per cent"),
    ("exact_match", -1.0, "failed"),
    ("classif.auc", -99.0, "failed"),
    ("false_positive_rate", 5.0, None),  # may be a number per hour
    ("matthews_corrcoef", -5.0, "per cent"),
    ("kappa", -999.0, "failed"),
    ("spearman", 101.0, "between -1 and 1"),
    ("r2", -999.0, "a code"),
    ("R²", 130.0, "at most 1"),
    ("explained_variance", 85.0, "per cent"),
    ("rmse", -1.0, "below 0"),
    ("regr.mae", -999.0, "below 0"),
    ("mean_squared_error", -0.5, "below 0"),
    ("log_loss", -1.0, "below 0"),
    ("brier_score", -1.0, "below 0"),
    ("fit_time", -1.0, "below 0"),
    ("latency_ms", -999.0, "below 0"),
    ("word_error_rate", 1.4, None),
    ("bleu", 31.5, None),  # of sentences small values in per cent are common
    ("bleu", -1.0, "failed"),
    ("accuracy_gain", -1.0, None),
    ("1 - r2", 5.0, None),
    ("score", -999.0, None),
    ("loss", -1.0, None),
    ("neg_log_loss", -5.0, None),
]


def bad(number):
    return [*GOOD[:6], number, *GOOD[7:]]


def every_door(metric, number, folder):
    """Return what each door does with the same numbers, by its name."""
    named = {"svm": GOOD, "rf": bad(number)}
    way = {"higher_is_better": None if "neg_" in metric else metric in ("accuracy", "score")}
    compare = partial(skstat.compare_scores, scoring=metric, random_state=0)
    pairs = np.arange(10) // 2
    return {
        **doors(metric, named, folder),
        **boards(metric, named, **way),
        "array": lambda: compare(np.transpose([*named.values()]), unit="instance"),
        "sample": lambda: compare(ScoreTable(named, unit="dataset"), higher_is_better=True),
        "constant": lambda: compare(bad(number), unit="instance", constant=0.9),
        "groups": lambda: compare(named, unit="instance", group=pairs),
    }


@pytest.mark.parametrize(("metric", "number", "says"), WRONG)
def test_every_door_refuses_what_a_metric_cannot_be(metric, number, says, tmp_path):
    for door, ask in every_door(metric, number, tmp_path).items():
        if says is None:
            ask()
            continue
        with pytest.raises(ValueError, match=says) as caught:
            ask()
        assert f"{number:g}" in str(caught.value), door
        assert door in ("constant", "array") or "'rf'" in str(caught.value), door


def test_the_shell_refuses_it_too_and_takes_another_metric(tmp_path, capsys):
    path = file_of("accuracy", {"svm": GOOD, "rf": bad(-1.0)}, tmp_path)
    header, *rows = path.read_text(encoding="utf-8").splitlines()
    rows = [f"{header},f1", *(f"{row},{0.1 + 0.01 * n}" for n, row in enumerate(rows))]
    path.write_text("\n".join(rows), encoding="utf-8")
    assert main(["compare", str(path)]) == 2
    assert "accuracy of 'rf' is -1" in capsys.readouterr().err
    assert main(["compare", str(path), "--metric", "f1"]) == 0


@pytest.mark.parametrize("metric", ["accuracy", "auc", "mcc", "r2"])
def test_all_in_per_cent_is_a_scale_like_another(metric):
    fractions = {"a": GOOD, "b": [value - 0.03 for value in GOOD[::-1]]}
    percent = {name: np.multiply(100, own) for name, own in fractions.items()}
    found, hundred = (
        skstat.compare_scores(named, unit="dataset", scoring=metric)
        for named in (fractions, percent)
    )
    assert found.pvalue == hundred.pvalue
    assert hundred.estimate == pytest.approx(100 * found.estimate)
