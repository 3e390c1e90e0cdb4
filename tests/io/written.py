"""Small files of every format, as the tools write them."""

import json
import zipfile
from pathlib import Path

import pytest

from skstat.io import ResultsError, read_results

TIME = "2026-11-23T00-59-37.762632"


def refused(given, message, **how):
    """Check that results are refused with such words."""
    with pytest.raises(ResultsError, match=message):
        read_results(given, **how)


def only_if_allowed(given, message, allow, n):
    """Check that n results are read where the caller allows it, and are refused otherwise."""
    refused(given, message)
    assert len(read_results(given, allow=allow)) == n


def as_json(path, content):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content), encoding="utf-8")
    return path


def as_text(path, *lines):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


# Inspect


def archive(path, members, method=zipfile.ZIP_DEFLATED):
    """Write members, given by name or as pairs, as bytes, text or what becomes JSON."""
    if isinstance(path, Path):
        path.parent.mkdir(parents=True, exist_ok=True)
    pairs = members.items() if isinstance(members, dict) else members
    with zipfile.ZipFile(path, "w", method) as made:
        for name, content in pairs:
            text = content if isinstance(content, str | bytes) else json.dumps(content)
            made.writestr(name, text)
    return path


def header(**facts):
    about = {
        "task": "quiz", "task_version": 1, "model": "m/a", "dataset": {"samples": 4},
        "config": {"limit": 2},
    }  # fmt: skip
    return {"version": 2, "status": "success", "eval": about, **facts}


def about(**facts):
    return {"eval": header()["eval"] | facts}


def sample(name="q1", value="C", **facts):
    scores = {"match": {"value": value, "answer": "x"}}
    return {"id": name, "epoch": 1, "input": "?", "target": "x", "scores": scores, **facts}


def inspect_log(path, samples, **facts):
    return archive(path, {"header.json": header(**facts), "summaries.json": samples})


def inspect(folder, system, right):
    samples = [sample(f"q{i}", "C" if each else "I") for i, each in enumerate(right)]
    facts = about(model=system, eval_id=f"run of {system}")
    return inspect_log(folder / "x.eval", samples, **facts)


def inspect_json(folder, system, right):
    samples = [sample(f"q{i}", "C" if each else "I") for i, each in enumerate(right)]
    told = header(**about(model=system, task_id=f"run of {system}"))
    return as_json(folder / "x.json", {**told, "samples": samples})


# lm-evaluation-harness


def lm_eval(folder, system, right):
    n, mean = len(right), sum(right) / len(right)
    told = {
        "results": {"t": {"alias": "t", "acc,none": mean}}, "model_name": system,
        "n-samples": {"t": {"original": n, "effective": n}}, "versions": {"t": 1.0},
        "higher_is_better": {"t": {"acc": True}}, "n-shot": {"t": 0}, "config": {},
        "date": float(len(system) + right[0]),
    }  # fmt: skip
    rows = [
        {"doc_id": i, "doc": {"topic": "x"}, "target": "y", "filter": "none",
         "metrics": ["acc"], "acc": each, "doc_hash": str(i), "prompt_hash": "p"}
        for i, each in enumerate(right)
    ]  # fmt: skip
    as_text(folder / f"samples_t_{TIME}.jsonl", *map(json.dumps, rows))
    as_json(folder / f"results_{TIME}.json", told)
    return folder


# HELM


def stat(name, value, count=1, **about):
    mean = {} if value is None else {"mean": value}
    return {"name": {"name": name, "split": "test", **about}, "count": count, **mean}


def entry(instance, *stats, trial=0, perturbation=None):
    told = {} if perturbation is None else {"perturbation": {"name": perturbation}}
    return {"instance_id": instance, "train_trial_index": trial, "stats": list(stats), **told}


def instance(name, text, **about):
    correct = {"output": {"text": "x"}, "tags": ["correct"]}
    return {"id": name, "input": {"text": text}, "references": [correct], **about}


def helm_run(folder, entries, instances, model="lab/a", subject="law", **adapter):
    told = {"model": model, "max_train_instances": 5, "input_prefix": "Q: ", **adapter}
    spec = {
        "name": f"mmlu:subject={subject},model={model.replace('/', '_')}",
        "scenario_spec": {"class_name": "MMLU", "args": {"subject": subject}},
        "adapter_spec": told,
    }
    files = {"run_spec": spec, "per_instance_stats": entries, "instances": instances}
    for name, content in files.items():
        as_json(folder / f"{name}.json", content)
    return folder


def helm(folder, system, right):
    names = [f"q{i}" for i in range(len(right))]
    each = zip(names, right, strict=True)
    entries = [entry(name, stat("exact_match", score)) for name, score in each]
    return helm_run(folder, entries, [instance(name, name) for name in names], model=system)


# promptfoo


def row(question="2 + 2?", score=1.0, provider="lab:a", prompt="Say: {{question}}", **facts):
    test = {"vars": {"question": question}, "assert": [{"type": "equals", "value": "4"}]}
    return {
        "promptIdx": 0, "testIdx": 0, "testCase": test, "vars": {"question": question},
        "provider": {"id": provider, "label": ""}, "prompt": {"raw": prompt, "label": prompt},
        "success": score > 0.5, "score": score, "latencyMs": 120, "cost": 0.001,
        "namedScores": {}, "failureReason": 0 if score > 0.5 else 1,
        "gradingResult": {"pass": score > 0.5}, **facts,
    }  # fmt: skip


def promptfoo_log(path, rows, stats=None, **facts):
    results = {"version": 3, "timestamp": "2026-01-01T00:00:00Z", "results": rows}
    counted = stats or {"successes": len(rows), "failures": 0, "errors": 0}
    whole = {"evalId": "eval-1", "results": {**results, "prompts": [], "stats": counted}}
    return as_json(path, {**whole, "config": {"description": "sums"}, **facts})


def promptfoo(folder, system, right):
    rows = [row(f"q{i}", float(each), system) for i, each in enumerate(right)]
    return promptfoo_log(folder / "x.json", rows, evalId=system)


# SWE-bench


def issue(number):
    return f"django__django-{number}"


def swe_report(resolved, unresolved=(), **facts):
    submitted = [*resolved, *unresolved, *facts.get("error_ids", ())]
    return {
        "total_instances": 500, "submitted_instances": len(submitted), "schema_version": 2,
        "submitted_ids": submitted, "resolved_ids": list(resolved),
        "unresolved_ids": list(unresolved), "error_ids": [], "empty_patch_ids": [],
        "incomplete_ids": [issue(99)], **facts,
    }  # fmt: skip


def swe_bench(folder, system, right):
    solved = [issue(i) for i, each in enumerate(right) if each]
    others = [issue(i) for i, each in enumerate(right) if not each]
    return as_json(folder / f"{system}.json", swe_report(solved, others))


# Retrieval and tables


def trec_eval(folder, system, right):
    lines = [f"{'map':<22}\t{301 + i}\t{each:.4f}" for i, each in enumerate(right)]
    means = f"{'map':<22}\tall\t{sum(right) / len(right):.4f}"
    return as_text(folder / "x.txt", f"{'runid':<22}\tall\t{system}", *lines, means)


def ir_measures(folder, system, right):
    lines = [f"q{i}\tnDCG@10\t{each:.4f}" for i, each in enumerate(right)]
    return as_text(folder / f"{system}.tsv", *lines)


def table(folder, system, right):
    lines = [f"{system},q{i},{each}" for i, each in enumerate(right)]
    return as_text(folder / "x.csv", "model,item,correct", *lines)


def table_json(folder, system, right):
    rows = [{"model": system, "item": f"q{i}", "correct": each} for i, each in enumerate(right)]
    return as_json(folder / "x.json", rows)


# By the name of the format and what is special of a file: from a folder, the name of a system
# and what it got right, to the path that is read.
WRITERS = {
    "inspect": inspect, "inspect, JSON": inspect_json, "lm_eval": lm_eval, "helm": helm,
    "promptfoo": promptfoo, "swe_bench": swe_bench, "trec_eval": trec_eval,
    "ir_measures": ir_measures, "table": table, "table, JSON": table_json,
}  # fmt: skip
