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
    yield from _against_numpy()


def _against_numpy() -> Iterator[str]:
    """What is light, beside the parts of NumPy and SciPy that it cannot do without."""
    base, *others = ("numpy, scipy.special", "skstat.stats", "skstat.report", "skstat")
    spent: dict[str, list[float]] = {}
    for _ in range(7):
        for modules in (base, *others):
            code = f"import time, {modules}; print(time.process_time())"
            done = subprocess.run(
                [sys.executable, "-c", code], check=True, capture_output=True, text=True
            )
            spent.setdefault(modules, []).append(float(done.stdout))
    for modules in others:
        ratio = min(spent[modules]) / min(spent[base])
        yield f"import {modules}: CPU {min(spent[modules]):.3f} s, {ratio:.2f} of import {base}"
