"""Every format of results: small files of each, what is read of them, and what is refused."""

import json
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from skstat import compare_scores, rank_systems
from skstat.io import join_results, read_results
from tools.net.case import Case, case
from tools.net.cases import data

LOGS = Path(__file__).parents[3] / "tests" / "io" / "logs"


def in_folder(files: Mapping[str, str | Path], ask: Callable[[], Any]) -> Any:
    """Call in a new folder with these files, and copies of folders."""
    before = os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            for name, content in files.items():
                path = Path(name)
                if isinstance(content, Path):
                    shutil.copytree(content, path)
                    continue
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(content, encoding="utf-8")
            return ask()
        finally:
            os.chdir(before)


def lines(header: str, rows: Any) -> str:
    """Return a table as CSV."""
    return "\n".join([header, *(",".join(map(str, row)) for row in rows)]) + "\n"


def _promptfoo(model: str, right: Any) -> str:
    rows = [
        {
            "provider": {"id": model, "label": ""},
            "prompt": {"raw": "{{question}}", "label": "{{question}}"},
            "testCase": {"vars": {"question": f"{i} + 2?"}, "metadata": {"topic": f"t{i % 3}"}},
            "vars": {"question": f"{i} + 2?"},
            "success": bool(one), "score": float(one), "latencyMs": 100 + i, "cost": 0.001,
            "namedScores": {}, "gradingResult": {"pass": bool(one)},
        }
        for i, one in enumerate(right)
    ]  # fmt: skip
    return json.dumps(
        {"evalId": model, "results": {"version": 3, "results": rows}, "config": {}}
    )


def _helm(model: str, right: Any) -> dict[str, str]:
    folder = f"runs/{model}"
    stats = [
        {
            "instance_id": f"id{i}",
            "train_trial_index": 0,
            "stats": [
                {"name": {"name": "exact_match", "split": "test"}, "count": 1, "mean": int(one)}
            ],
        }
        for i, one in enumerate(right)
    ]
    instances = [
        {"id": f"id{i}", "input": {"text": f"{i}?"},
         "references": [{"output": {"text": "x"}, "tags": ["correct"]}]}
        for i in range(len(right))
    ]  # fmt: skip
    spec = {
        "name": f"mmlu:subject=law,model={model}",
        "scenario_spec": {"class_name": "MMLU", "args": {"subject": "law"}},
        "adapter_spec": {"model": model, "max_train_instances": 5},
    }
    files = {"run_spec": spec, "per_instance_stats": stats, "instances": instances}
    return {f"{folder}/{name}.json": json.dumps(content) for name, content in files.items()}


def _swe_bench(right: Any) -> str:
    ids = [f"django__django-{i}" for i in range(len(right))]
    solved = [name for name, one in zip(ids, right, strict=True) if one]
    unsolved = [name for name, one in zip(ids, right, strict=True) if not one]
    return json.dumps({
        "total_instances": 500, "submitted_instances": len(ids), "schema_version": 2,
        "submitted_ids": ids, "resolved_ids": solved, "unresolved_ids": unsolved,
        "error_ids": [], "empty_patch_ids": [], "incomplete_ids": [],
    })  # fmt: skip


def _trec(name: str, scores: Any) -> str:
    rows = [("map", 300 + i, f"{value:.4f}") for i, value in enumerate(scores)]
    rows += [("P_10", 300 + i, f"{value / 2:.4f}") for i, value in enumerate(scores)]
    mean = sum(map(float, scores)) / len(scores)
    means = [
        ("runid", "all", name),
        ("num_q", "all", len(scores)),
        ("map", "all", f"{mean:.4f}"),
    ]
    return "".join(f"{one:<22}\t{two}\t{three}\n" for one, two, three in rows + means)


def files() -> dict[str, tuple[Mapping[str, str | Path], Any, dict[str, Any]]]:
    """Return the files of every format, what is read, and how it is compared."""
    right = data.answers(2, 30)
    score = data.scores(2, 20)
    table = [(name, f"q{i}", i % 4, one) for name in right for i, one in enumerate(right[name])]
    wide = list(zip(range(30), *right.values(), strict=True))
    sets = [(f"d{i}", *row) for i, row in enumerate(zip(*score.values(), strict=True))]
    objects = [
        {"model": n, "question_id": q, "topic": t, "correct": int(c)} for n, q, t, c in table
    ]
    a_line_each = "\n".join(map(json.dumps, objects))
    return {
        "csv": ({"x.csv": lines("model,question_id,topic,correct", table)}, "x.csv", {}),
        "csv, wide": ({"x.csv": lines("question_id,new,old", wide)}, "x.csv", {}),
        "csv, data sets": ({"x.csv": lines("dataset,new,old", sets)}, "x.csv", {}),
        "tsv": (
            {"x.tsv": lines("model,question_id,topic,correct", table).replace(",", "\t")},
            "x.tsv", {},
        ),
        "jsonl": ({"x.jsonl": a_line_each}, "x.jsonl", {}),
        "json": ({"x.json": json.dumps(objects)}, "x.json", {}),
        "promptfoo": (
            {f"{name}.json": _promptfoo(name, right[name]) for name in right},
            ["new.json", "old.json"], {"score": "success"},
        ),
        "helm": (
            _helm("new", right["new"]) | _helm("old", right["old"]),
            ["runs/new", "runs/old"], {},
        ),
        "swe-bench": (
            {f"{name}.json": _swe_bench(right[name]) for name in right},
            ["new.json", "old.json"], {},
        ),
        "trec_eval": (
            {f"{name}.txt": _trec(name, score[name]) for name in score},
            ["new.txt", "old.txt"], {"score": "map"},
        ),
        "inspect": (
            {"logs": LOGS}, ["logs/good.eval", "logs/poor.eval"], {"allow": ["items"]},
        ),
        "inspect, json": ({"logs": LOGS}, "logs/brief.json", {}),
        "lm_eval": (
            {"logs": LOGS}, ["logs/lm_eval/good", "logs/lm_eval/poor"], {"score": "acc"},
        ),
    }  # fmt: skip


BAD = {
    "empty": "",
    "no rows": "model,question_id,correct\n",
    "twice": "model,question_id,correct\na,1,1\na,1,0\nb,1,1\n",
    "text": "model,question_id,correct\na,1,maybe\nb,1,yes\n",
    "folds": lines("model,fold,accuracy", [
        (name, i, one)
        for name, column in data.scores(2, 10).items()
        for i, one in enumerate(column)
    ]),
    "an index": lines(",dataset,new,old", [
        (i, f"d{i}", *row)
        for i, row in enumerate(zip(*data.scores(2, 12).values(), strict=True))
    ]),
    "an average": lines("model,task,accuracy", [
        (name, task, one)
        for name, column in data.scores(2, 6).items()
        for task, one in zip(["a", "b", "c", "d", "e", "Average"], column, strict=True)
    ]),
    "percents": "model,question_id,accuracy\na,1,.87\na,2,91.3\nb,1,.85\nb,2,.8\n",
    "a metric column": lines("model,question_id,metric,value", [
        (name, i, metric, int(one))
        for metric, seed in (("em", 0), ("f1", 1))
        for name, column in data.answers(2, 30, seed=seed).items()
        for i, one in enumerate(column)
    ]),
}  # fmt: skip


def cases() -> Iterator[Case]:
    """Yield the cases."""
    for name, (written, source, options) in files().items():
        read = {key: value for key, value in options.items() if key == "allow"}
        scored = {key: value for key, value in options.items() if key != "allow"}

        def results(source=source, read=read):
            return read_results(source, **read)

        def compared(door, results=results, scored=scored):
            return door(results(), random_state=0, **scored)

        asked = {"read": results}
        if name != "inspect, json":
            asked["compare"] = partial(compared, compare_scores)
            asked["rank"] = partial(compared, rank_systems)
        packed = "zstandard" if name == "inspect" else ""
        for what, ask in asked.items():
            yield case(f"{what} {name}", in_folder, written, ask, needs=packed)
    for name, content in BAD.items():

        def compared_bad():
            return compare_scores(read_results("x.csv"), random_state=0)

        yield case(f"a file of {name}", in_folder, {"x.csv": content}, compared_bad)

    def grouped():
        return compare_scores(read_results("x.csv"), group="topic", random_state=0)

    def joined():
        first, second = read_results({"first": "x.csv"}), read_results({"second": "y.csv"})
        return join_results([first, second])

    table = files()["csv"][0]["x.csv"]
    yield case("topics as groups", in_folder, {"x.csv": table}, grouped)
    rows = [lines("question_id,correct", enumerate(c)) for c in data.answers(2, 20).values()]
    yield case("joined", in_folder, dict(zip(["x.csv", "y.csv"], rows, strict=True)), joined)
