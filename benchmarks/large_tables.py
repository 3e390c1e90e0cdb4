"""Very many systems: tables, reports on them, and who may be the best without their pairs."""

import json
import resource
import subprocess
import sys
import warnings
from collections.abc import Iterator
from functools import partial
from itertools import combinations

import numpy as np
import scipy.stats

from benchmarks._race import spent
from skstat import compare_scores
from skstat.stats import ScoreTable, compare_with_best, wilcoxon

_FEW = 60  # systems, of which every pair is asked one by one


def run() -> Iterator[str]:
    """Yield one line per comparison."""
    warnings.simplefilter("ignore")
    yield _whole_table()
    yield from _against_pairs()
    for k in (50, 100, 200):
        yield _forms(k)
    yield _against_its_json()
    yield _without_pairs()


def _scores(n: int, k: int) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(0)
    shared = rng.normal(0.8, 0.08, (n, 1))
    table = shared + rng.normal(0, 0.03, (n, k)) + np.linspace(0, 0.03, k)
    return {f"system {i}": column for i, column in enumerate(np.clip(table, 0, 1).T)}


def _whole_table() -> str:
    """Time and memory in a process of its own: those of others would count too."""
    code = "from benchmarks.large_tables import table_of_500; table_of_500()"
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    found = json.loads(done.stdout)
    return (
        f"table of 500 systems on 500 data sets, {found['pairs']} pairs: CPU "
        f"{found['report']:.2f} s, {found['text']:.2f} s more to print, "
        f"{found['mb']:.0f} MB at most"
    )


def table_of_500() -> None:
    """Compare 500 systems on 500 data sets and write what it took."""
    warnings.simplefilter("ignore")
    compare_scores(_scores(10, 3), unit="dataset")  # loads what it needs
    table = ScoreTable(_scores(500, 500), unit="dataset")
    reports = []
    (report,) = spent(lambda: reports.append(compare_scores(table)), rounds=1, warm=False)
    (text,) = spent(lambda: str(reports[0]), rounds=1, warm=False)
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    found = {"pairs": len(reports[0].pairs), "report": report.cpu, "text": text.cpu, "mb": most}
    print(json.dumps(found))


def _against_pairs() -> Iterator[str]:
    """A report on all pairs, against the test of each pair and nothing else."""
    table = ScoreTable(_scores(100, _FEW), unit="dataset")
    pairs = list(combinations(table.names, 2))
    columns = [(table.scores_of(a), table.scores_of(b)) for a, b in pairs]
    ours, alone, theirs = spent(
        lambda: compare_scores(table),
        lambda: [wilcoxon(table.pair(*pair)).pvalue for pair in pairs],
        lambda: [scipy.stats.wilcoxon(a, b).pvalue for a, b in columns],
        rounds=2,
    )
    what = f"report on {_FEW} systems on 100 data sets against"
    yield f"{what} wilcoxon() of every pair: {ours.against(alone)}"
    yield f"{what} scipy.stats.wilcoxon() of every pair: {ours.against(theirs)}"


def _forms(k: int) -> str:
    """What it takes to write a report on k systems on 50 splits."""
    scores, took = _scores(50, k), []
    for form in ("__str__", "to_html", "to_dict", "to_json"):
        # Anew each time: a report keeps the outcomes that it has built.
        report = compare_scores(scores, n_train=900, n_test=100, n_repeats=5, random_state=0)
        (time,) = spent(lambda r=report, f=form: getattr(r, f)(), rounds=1, warm=False)
        took.append(f"{form.strip('_')} {time.cpu:.3f}")
    return f"report on 50 splits of {k} systems, CPU seconds: {', '.join(took)}"


def _against_its_json() -> str:
    """A report on 200 systems on 30 splits as JSON, against the standard writer of JSON."""
    scores = _scores(30, 200)
    design = {"n_train": 900, "n_test": 100, "n_repeats": 3, "random_state": 0}
    written = json.loads(compare_scores(scores, **design).to_json())
    both, report, alone = spent(
        lambda: compare_scores(scores, **design).to_json(),
        lambda: compare_scores(scores, **design),
        lambda: json.dumps(written),
    )
    return (
        "200 systems on 30 splits, report and to_json() against json.dumps() of what it "
        f"writes: {both.against(alone)}; the report alone: {report.against(alone)}"
    )


def _without_pairs() -> str:
    few, many = (ScoreTable(_scores(50, k), unit="dataset") for k in (1000, 10_000))
    lead = partial(compare_with_best, method="lead", rng=0)
    ours, less = spent(lambda: lead(many), lambda: lead(few))
    return f"which of 10 000 systems may be the best, against 1000: {ours.against(less)}"
