"""DeLong's test beside sorting the scores and no more, and the size of large reports."""

import json
from collections.abc import Iterator

import numpy as np

from benchmarks._race import spent
from skstat import compare_scores, delong_test, report_from_dict


def run() -> Iterator[str]:
    """Yield one line per comparison."""
    yield from _delong()
    yield from _forms()


def _delong() -> Iterator[str]:
    for n, k in ((10**5, 2), (10**6, 2), (10**6, 5)):
        rng = np.random.default_rng(0)
        y = rng.integers(0, 2, n)
        systems = {f"system {i}": y + rng.normal(size=n) for i in range(k)}
        ours, theirs = spent(
            lambda y=y, systems=systems: delong_test(y, systems),
            lambda systems=systems: [np.argsort(s) for s in systems.values()],
        )
        yield f"delong_test, n = {n}, k = {k}, against {k} argsorts: {ours.against(theirs)}"


def _forms() -> Iterator[str]:
    for k in (100, 200):
        scores = 0.7 + 0.02 * np.random.default_rng(0).standard_normal((30, k))
        report = compare_scores({f"system {j}": scores[:, j] for j in range(k)}, unit="dataset")
        html, text = len(report.to_html()), report.to_json()
        plain = len(json.dumps(report.to_dict()))
        again = report_from_dict(json.loads(text))
        assert len(again.pairs) == k * (k - 1) // 2
        writing, reading = spent(
            report.to_json, lambda text=text: report_from_dict(json.loads(text)), rounds=1
        )
        yield (
            f"report on {k} systems: HTML {html / 1e6:.2f} MB, JSON {len(text) / 1e6:.2f} MB = "
            f"{len(text) / plain:.3f} of the dictionary by row; CPU {writing.cpu:.2f} s to "
            f"write, {reading.cpu:.2f} s to read"
        )
