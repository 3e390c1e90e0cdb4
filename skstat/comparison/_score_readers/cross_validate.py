"""Results of scikit-learn's cross_validate, which may know their splits."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from skstat._times import Times
from skstat.comparison._score_readers.columns import sample_of
from skstat.comparison._score_readers.description import Description, letters
from skstat.comparison._score_readers.given import GivenSamples
from skstat.evaluation import Design

_TIMES = ("fit_time", "score_time")


def read_results(scores: Any, described: Description) -> GivenSamples | None:
    """Read results of cross_validate: one for every system, or a single one."""
    if not isinstance(scores, Mapping):
        return None
    if _is_result(scores):
        named = dict(zip(letters(1), [scores], strict=True))
    elif any(map(_is_result, scores.values())):
        named = {str(name): result for name, result in scores.items()}
    else:
        return None
    design = _check(named, described)
    metrics = _metrics(named, described.scoring)
    names = described.chosen(named)
    units = described.units | {"unit": "split"} if design is None else design.units()
    samples = {
        metric: sample_of({name: named[name][key] for name in names}, units, described)
        for metric, key in metrics.items()
    }
    facts = {} if design is None else design.describe()
    return GivenSamples(
        samples=samples, names=names, design=facts, times=_times(named), of_scorer=True
    )


def _times(named: Mapping[str, Mapping[str, Any]]) -> dict[str, Times] | None:
    """Mean times of the systems, if all results have both kinds."""
    if any(key not in result for result in named.values() for key in _TIMES):
        return None
    fit, score = (
        np.array([np.mean(result[key]) for result in named.values()]) for key in _TIMES
    )
    return Times.of(named, fit, score)


def _check(named: Mapping[str, Any], described: Description) -> Design | None:
    """Refuse what is not a result or contradicts the results; return the splits, if known."""
    strange = next((name for name, result in named.items() if not _is_result(result)), None)
    if strange is not None:
        raise ValueError(
            f"scores[{strange!r}] is not a result of cross_validate, but others are: give one "
            f"for every system, or lists of scores."
        )
    if described.unit not in (None, "split"):
        raise ValueError(
            f"unit={described.unit!r}: results of cross_validate are scores of splits; leave "
            "unit out."
        )
    described.check_paired_seeds("split")
    design = _design(named)
    if design is not None and described.sizes:
        raise ValueError(
            f"{described.sizes[0]} is known: the results hold the rows of every split; leave "
            "it out."
        )
    return design


def _is_result(value: Any) -> bool:
    """Whether a mapping is what cross_validate of scikit-learn returns."""
    return isinstance(value, Mapping) and "fit_time" in value and bool(_scored(value))


def _scored(result: Mapping[str, Any]) -> list[str]:
    return [str(key) for key in result if str(key).startswith("test_")]


def _metrics(
    named: Mapping[str, Mapping[str, Any]], scoring: str | list[str] | None
) -> dict[str, str]:
    """Metrics asked for, or all that every result has, and the keys of their scores."""
    first = next(iter(named.values()))
    common = [key for key in _scored(first) if all(key in other for other in named.values())]
    if not common:
        raise ValueError("the results of the systems have no metric in common.")
    keys = {key.removeprefix("test_"): key for key in common}
    if list(keys) == ["score"]:  # one metric, which has no name there
        name = "score" if scoring is None else scoring
        if not isinstance(name, str):
            raise ValueError(f"scoring={scoring!r}: the results have one metric; name it once.")
        return {name: "test_score"}
    if scoring is None:
        return keys
    asked = [scoring] if isinstance(scoring, str) else list(scoring)
    unknown = [name for name in asked if name not in keys]
    if unknown or not asked:
        raise ValueError(f"scoring={scoring!r}: the results have the metrics {list(keys)}.")
    return {name: keys[name] for name in asked}


def _design(named: Mapping[str, Mapping[str, Any]]) -> Design | None:
    """Return the splits of the results, if they say which they were and agree."""
    indices = {name: r["indices"] for name, r in named.items() if r.get("indices") is not None}
    if not indices:
        return None
    first = next(iter(indices))
    for name, rows in indices.items():
        same = len(rows["test"]) == len(indices[first]["test"]) and all(
            np.array_equal(mine, its)
            for side in ("train", "test")
            for mine, its in zip(rows[side], indices[first][side], strict=True)
        )
        if not same:
            raise ValueError(
                f"{first!r} and {name!r} were not fitted on the same splits, so that their "
                f"scores are not paired. Pass both calls of cross_validate one splitter with "
                f"a "
                "fixed random_state, or fit them by skstat.compare_estimators."
            )
    splits = tuple(zip(indices[first]["train"], indices[first]["test"], strict=True))
    last = max(int(max(train.max(), test.max())) for train, test in splits)
    return Design(splits=splits, n_samples=last + 1, splitter=f"{len(splits)} given splits")
