"""
Reports in MLflow and in styled tables
======================================

This page logs a report to MLflow, reads it back, and styles a table of several systems with
pandas.
"""

# %%
# MLflow: what is logged
# ----------------------
#
# You hold a report, here one of two classifiers that answered the same 1000 questions.

import os
import tempfile
from pathlib import Path

import mlflow
import numpy as np

import skstat

table = [[870, 55], [30, 45]]  # rows: new right, new wrong; columns: old
report = skstat.mcnemar_test(table=table, names=("new", "old"))
print(report)

# %%
# ``report.metrics()`` is a flat dictionary of numbers, under names that MLflow accepts:

for name, value in report.metrics().items():
    print(f"{name:20} {value:.4f}")

# %%
# The run gets these numbers as metrics, the verdict as a tag, and the report itself as files.
#
# Here the runs are kept in a folder. Newer versions of MLflow allow that only if an environment
# variable asks for it. With a database (``"sqlite:///mlflow.db"``) or a server, nothing else
# changes.

os.environ["MLFLOW_ALLOW_FILE_STORE"] = "true"
store = tempfile.TemporaryDirectory()
mlflow.set_tracking_uri(Path(store.name, "mlruns").as_uri())
mlflow.set_experiment("new against old")

with mlflow.start_run(run_name="questions of May") as run:
    mlflow.log_metrics(report.metrics())
    mlflow.set_tag("verdict", report.verdict)
    mlflow.log_text(report.to_html(), "report.html")
    mlflow.log_text(report.methods_text(), "methods.txt")
    mlflow.log_text(report.to_json(), "report.json")

# %%
# MLflow: what is read back
# -------------------------
#
# Runs are found by what the report said. ``accuracy/low`` above 0 means that all of the
# interval is on the side of the first system, ``new``:

found = mlflow.search_runs(
    filter_string="metrics.`accuracy/low` > 0 and tags.verdict = 'better'",
    output_format="list",
)
for each in found:
    print(each.info.run_name, each.data.tags["verdict"])

# %%
# The report comes back whole:

stored = mlflow.artifacts.load_dict(f"runs:/{run.info.run_id}/report.json")
again = skstat.report_from_dict(stored)
print(again.conclusion)
store.cleanup()

# %%
# Other trackers take the same dictionary: ``wandb.log(report.metrics())``, for instance.
#
# The smallest p-value of twenty runs is small by chance alone (:doc:`/reading_pvalues`). To
# choose between systems, compare them in one call (:doc:`/several`), and log that report.

# %%
# A styled table
# --------------
#
# ``report.to_frame()`` has one row per pair of systems. pandas can style it (this needs
# jinja2):

rng = np.random.default_rng(0)
difficulty = rng.normal(size=300)
skill = {"small": 0.1, "medium": 0.4, "large": 0.9, "huge": 1.0}
right = {
    name: (difficulty + rng.normal(size=300) < level).astype(float)
    for name, level in skill.items()
}
several = skstat.compare_scores(right, unit="instance", scoring="accuracy", random_state=0)

titles = {
    "first": "first",
    "second": "second",
    "difference": "difference",
    "low": "from",
    "high": "to",
    "adjusted_pvalue": "adjusted p",
    "better": "better",
}


def highlight_better(row):
    """Mark the name of the better system of a pair."""
    mark = "font-weight: bold; background-color: rgba(60, 160, 90, 0.25)"
    return [mark if name == row["better"] else "" for name in row]


def short_pvalue(p):
    """Write p as papers do."""
    return "< 0.001" if p < 0.001 else f"{p:.3f}"


(
    several.to_frame()[list(titles)]
    .style.apply(highlight_better, axis="columns", subset=["first", "second", "better"])
    .format(precision=3, na_rep="")
    .format(short_pvalue, subset=["adjusted_pvalue"])
    .relabel_index(list(titles.values()), axis="columns")
    .hide(axis="index")
)

# %%
# A marked name is the better one of its pair. In a row without a mark no significant
# difference was found.
#
# ``.to_html()`` of the styled table goes into a page, ``.to_latex()`` into a paper, and
# ``.to_excel("pairs.xlsx")`` writes a sheet. The ranking of the systems is styled in the same
# way: it is ``pd.DataFrame(several.systems)``.
