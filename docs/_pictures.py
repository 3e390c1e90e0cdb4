"""Draw the pictures of the README: ``python docs/_pictures.py``.

The README's own programs draw them, so that they show what its reader will see.
"""

import re
from pathlib import Path

import matplotlib.pyplot as plt

ROOT = Path(__file__).parent.parent
PICTURES = ROOT / "docs" / "_static"


def draw(program: str, name: str) -> None:
    """Run a program that ends in a call of ``plot``, and keep what it drew last."""
    plt.close("all")
    exec(compile(program, name, "exec"), {"__name__": "picture"})
    figure = plt.figure(plt.get_fignums()[-1])
    figure.savefig(PICTURES / name, dpi=100, bbox_inches="tight")


def main() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    first = re.search(r"```python\n(.*?report\.plot\(\)\n)```", readme, re.DOTALL)
    if first is None:
        raise SystemExit("README.md has no program that draws.")
    draw(first[1], "readme.png")
    # The scores of the second are in the example that the README names.
    example = (ROOT / "examples" / "many_datasets.py").read_text(encoding="utf-8")
    table = re.search(r"^rows = \{.*?^auc = .*?$", example, re.DOTALL | re.MULTILINE)
    if table is None:
        raise SystemExit("examples/many_datasets.py has no table of scores.")
    head = "import pandas as pd\nimport skstat\n"
    ask = "\nskstat.compare_scores(auc, unit='dataset', scoring='AUC').plot()\n"
    draw(head + table[0] + ask, "many_datasets.png")


if __name__ == "__main__":
    main()
