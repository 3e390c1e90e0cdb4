"""The command line and its gates: exit status, what is printed, and what is written."""

import io
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import numpy as np

from skstat.__main__ import main
from tools.net.adapter import words
from tools.net.case import Case, case
from tools.net.cases import data
from tools.net.cases.logs import in_folder, lines

N = 240
GATES = (
    "worse", "not-better", "not-noninferior", "probably-worse", "not-probably-better",
    "worse-anywhere", "not-noninferior-anywhere",
)  # fmt: skip


def _files() -> dict[str, str]:
    """Four systems on one set of questions, of topics; predictions; two tables."""
    found = data.answers(2, N, right=(60, 52))
    systems = {
        "old": found["old"],
        "same": data.answers(2, N, seed=1, right=(53, 50))["new"],
        "good": np.maximum(found["old"], found["new"]),
        "bad": np.minimum(found["old"], found["new"]),
    }
    header = "question,topic,user,correct"
    files = {f"{name}.csv": lines(header, _rows(column)) for name, column in systems.items()}
    files["half.csv"] = lines(header, _rows(systems["good"])[1::2])
    for name in ("old", "bad"):
        losses = _rows(1 - systems[name])
        files[f"loss_{name}.csv"] = lines("question,topic,user,error", losses)
    truth, labels = data.labels(3, N)
    files["gold.txt"] = "\n".join(map(str, truth))
    for name, column in labels.items():
        files[f"{name}.txt"] = "\n".join(map(str, column))
    for name, end in {"new": "\r\n", "old": "\r"}.items():
        files[f"{name}_ends.txt"] = end.join(map(str, labels[name]))
    files["topic.txt"] = "\n".join(str(i // 8) for i in range(N))
    for name, column in data.probabilities(2, N)[1].items():
        files[f"p_{name}.txt"] = "\n".join(map(str, column))
    files["p_gold.txt"] = "\n".join(map(str, data.probabilities(2, N)[0]))
    rows = zip(*data.scores(3, 14).values(), strict=True)
    files["wide.csv"] = lines(
        "dataset,new,old,third", ((f"d{i}", *r) for i, r in enumerate(rows))
    )
    long = [
        (name, f"d{i}", one)
        for name, column in data.scores(3, 14).items()
        for i, one in enumerate(column)
    ]
    files["sets.csv"] = lines("model,dataset,accuracy", long)
    return files


def _rows(column: Any) -> list[tuple]:
    return [(f"q{i}", "abcd"[i % 4], i // 8, one) for i, one in enumerate(column)]


FILES = _files()
PREDICTED = "--y-true gold.txt --predictions new=new.txt old=old.txt --n-jobs 1"
TWO = "old.csv good.csv --metric correct --seed 0"
LINES = {
    "compare": f"compare {TWO}",
    "compare, full": f"compare {TWO} --format full",
    "compare, three": "compare old.csv good.csv bad.csv --metric correct --seed 0",
    "compare, with a baseline": "compare old.csv good.csv bad.csv --baseline old --seed 0",
    "compare, named": "compare before=old.csv after=good.csv --seed 0",
    "compare, groups": f"compare {TWO} --group user",
    "compare, slices": "compare old.csv good.csv --by topic --seed 0",
    "compare, a margin": f"compare {TWO} --margin 0.1",
    "compare, a rope": f"compare {TWO} --rope 0.02",
    "compare, one-sided": f"compare {TWO} --alternative greater --confidence-level 0.9",
    "compare, a test": f"compare {TWO} --test mcnemar",
    "compare, lower": "compare old.csv good.csv --lower-is-better --seed 0",
    "compare, a loss": "compare loss_old.csv loss_bad.csv --metric error --seed 0",
    "compare, data sets": "compare sets.csv --item dataset --unit dataset --seed 0",
    "compare, a wide table": "compare wide.csv --seed 0",
    "compare, an item of data sets": "compare sets.csv --item dataset --seed 0",
    "compare, half": "compare old.csv half.csv --seed 0",
    "compare, half allowed": "compare old.csv half.csv --allow items unfinished --seed 0",
    "predictions": f"compare {PREDICTED} --metric accuracy --seed 0",
    "predictions, two metrics": f"compare {PREDICTED} --metric accuracy f1 --seed 0",
    "predictions, groups": f"compare {PREDICTED} --metric accuracy --groups topic.txt --seed 0",
    "predictions, an area": (
        "compare --y-true p_gold.txt --predictions new=p_new.txt old=p_old.txt --metric roc_auc"
    ),
    "predictions, a bootstrap": (
        f"compare {PREDICTED} --metric f1 --test paired_bootstrap --interval bca "
        "--n-resamples 499 --seed 0"
    ),
    "predictions, other line ends": (
        "compare --y-true gold.txt --predictions new=new_ends.txt old=old_ends.txt "
        "--metric accuracy"
    ),
    "predictions, some labels": f"compare {PREDICTED} --metric f1_macro --labels 1 --seed 0",
    "rank": "rank old.csv good.csv bad.csv same.csv --n-resamples 199 --seed 0",
    "rank, tasks": "rank old.csv good.csv bad.csv --task topic --n-resamples 99 --seed 0",
    "rank, data sets": "rank sets.csv --item dataset --unit dataset --n-resamples 99 --seed 0",
    "recommend": "recommend predictions --metric accuracy --n 200",
    "recommend, scores": "recommend scores --unit split --n 10",
    "plan": "plan predictions --metric accuracy --difference 0.03 --discordant 0.2",
    "plan, scores": "plan scores --unit seed --sd 0.02 --difference 0.02",
    "explain": "explain SKS102 SKS203",
    "explain, unknown": "explain SKS999",
    "no file": "compare nowhere.csv old.csv",
    "no metric": "compare old.csv good.csv --metric corect",
    "one file": "compare old.csv",
    "a gate without a baseline": "compare sets.csv --item dataset --fail-if worse",
    "no margin": f"compare {TWO} --fail-if not-noninferior",
}  # fmt: skip


def cases() -> Iterator[Case]:
    """Yield the cases."""
    for name, line in LINES.items():
        yield _case(name, line)
    for form in ("markdown", "latex", "json", "junit", "github"):
        gate = "--fail-if worse" if form in ("junit", "github") else ""
        yield _case(f"as {form}", f"compare {TWO} {gate} --format {form}")
    yield _case("to files", f"compare {TWO} --fail-if worse --junit gate.xml --quiet")
    for gate in GATES:
        for name in ("good", "same", "bad"):
            asked = f"compare old.csv {name}.csv --metric correct --seed 0 --fail-if {gate}"
            if "anywhere" in gate:
                asked += " --by topic"
            if "noninferior" in gate:
                asked += " --margin 0.1"
            if "probably" in gate:
                asked += " --rope 0.01"
            yield _case(f"gate {gate}, {name}", asked)
    for undecided in ("pass", "fail", "3"):
        yield _case(
            f"undecided as {undecided}",
            f"compare old.csv same.csv --seed 0 --fail-if worse --undecided {undecided}",
        )
    for gate in ("worse", "not-better"):
        for side in ("greater", "less"):
            asked = f"--fail-if {gate} --alternative {side}"
            yield _case(f"gate {gate}, {side}", f"compare old.csv good.csv --seed 0 {asked}")
    yield _case(
        "two gates",
        "compare old.csv same.csv --seed 0 --margin 0.3 --fail-if worse --fail-if not-better",
    )
    yield _case("a gate on three", "compare old.csv same.csv bad.csv --seed 0 --fail-if worse")
    yield _case(
        "a gate on predictions",
        f"compare {PREDICTED} --metric accuracy --seed 0 --baseline old --fail-if worse",
    )
    yield _case(
        "a gate with a loss",
        "compare loss_old.csv loss_bad.csv --seed 0 "
        "--lower-is-better --fail-if worse --margin 0.02",
    )


def _case(name: str, line: str) -> Case:
    return case(name, in_folder, FILES, lambda: _run(line))


def _run(line: str) -> dict[str, Any]:
    out, err = io.StringIO(), io.StringIO()
    before = set(Path().iterdir())
    with redirect_stdout(out), redirect_stderr(err):
        try:
            status = main(line.split())
        except SystemExit as end:
            status = end.code
    written = {
        path.name: words(path.read_text(encoding="utf-8"))
        for path in sorted(set(Path().iterdir()) - before)
    }
    printed = words(out.getvalue())
    if line.endswith("--format json"):
        printed = "JSON" if printed.startswith("{") else printed
    return {"status": status, "out": printed, "err": words(err.getvalue()), "files": written}
