"""Twenty million rows in a file: counted and compared, against counting them alone."""

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np

PARTS, ROWS = 20, 1_000_000

_MEASURED = """
import resource, sys, time
path = sys.argv[1]
{load}
wall, cpu = time.perf_counter(), time.process_time()
{work}
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
print(time.perf_counter() - wall, time.process_time() - cpu, peak)
"""
_LOAD = {
    "duckdb": "import duckdb; duckdb.sql('SET threads = 1')",
    "polars": "import os; os.environ['POLARS_MAX_THREADS'] = '1'; import polars",
}
_TABLE = {
    "duckdb": "duckdb.read_parquet(path)"
    ".aggregate('truth, a, b, count(*) AS count', 'truth, a, b').fetchnumpy()",
    "polars": "polars.scan_parquet(path).group_by(['truth', 'a', 'b']).len('count')"
    ".collect(engine='streaming')",
}
_SKSTAT = "\nimport skstat; from skstat.stats import Predictions; skstat.compare_predictions"
_METRICS = ("accuracy", "f1_macro", "neg_mean_absolute_error")


def run() -> Iterator[str]:
    """Yield times and peaks of fresh processes, with one thread each."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "predictions.parquet"
        _write(path)
        for engine in ("duckdb", "polars"):
            wall, cpu, peak = _best(path, _LOAD[engine], _TABLE[engine])
            yield (
                f"{engine} counts {PARTS * ROWS} rows: {wall:.2f} s (CPU {cpu:.2f} s), peak "
                f"{peak:.0f} MB"
            )
            for metric in _METRICS:
                work = (
                    f"table = {_TABLE[engine]}\n"
                    "outputs = {'a': table['a'], 'b': table['b']}\n"
                    "counts = Predictions(table['truth'], outputs, counts=table['count'])\n"
                    f"skstat.compare_predictions(counts, metric={metric!r}, n_jobs=1)"
                )
                ours = _best(path, _LOAD[engine] + _SKSTAT, work)
                yield (
                    f"  and {metric} compared: {ours[0]:.2f} s (CPU {ours[1]:.2f} s), peak "
                    f"{ours[2]:.0f} MB   skstat/{engine} {ours[0] / wall:.2f} (CPU "
                    f"{ours[1] / cpu:.2f})"
                )


def _write(path: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    rng = np.random.default_rng(0)
    columns = ("truth", "a", "b")
    schema = pa.schema([(name, pa.int8()) for name in columns])
    with pq.ParquetWriter(path, schema) as writer:
        for _ in range(PARTS):
            truth = rng.integers(0, 10, ROWS)
            a, b = (
                np.where(rng.random(ROWS) < right, truth, rng.integers(0, 10, ROWS))
                for right in (0.9, 0.902)
            )
            parts = [part.astype(np.int8) for part in (truth, a, b)]
            writer.write_table(pa.table(parts, schema=schema))


def _best(path: Path, load: str, work: str, rounds: int = 3) -> tuple[float, ...]:
    """Least wall time, CPU time and peak memory of fresh processes."""
    code = _MEASURED.format(load=load, work=work)
    found = []
    for _ in range(rounds):
        done = subprocess.run(
            [sys.executable, "-c", code, str(path)], check=True, capture_output=True, text=True
        )
        found.append([float(number) for number in done.stdout.split()[-3:]])
    return tuple(min(numbers) for numbers in zip(*found, strict=True))
