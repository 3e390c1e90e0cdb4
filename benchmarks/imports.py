"""What ``import skstat`` costs beside scikit-learn."""

import subprocess
import sys
import time
from collections.abc import Iterator


def run() -> Iterator[str]:
    """Yield best import times in fresh interpreters, taken in turns."""
    statements = (
        "import sklearn.model_selection",
        "import sklearn.model_selection, skstat",
        "import sklearn.model_selection; from skstat import paired_cv_ttest",
        "import skstat.stats",
    )
    seconds: dict[str, list[float]] = {statement: [] for statement in statements}
    for _ in range(10):
        for statement in statements:
            start = time.perf_counter()
            subprocess.run([sys.executable, "-c", statement], check=True)
            seconds[statement].append(time.perf_counter() - start)
    base = min(seconds[statements[0]])
    for statement in statements:
        best = min(seconds[statement])
        yield f"{statement}: {best:.3f} s, {best / base:.2f} of scikit-learn's"
