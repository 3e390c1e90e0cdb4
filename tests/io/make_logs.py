"""Make the logs in tests/io/logs with the tools that write them. Run by hand.

    python make_logs.py inspect LOGS      # needs inspect_ai
    python make_logs.py lm_eval LOGS      # needs lm_eval and torch

Run a copy of it in an empty folder, so that no path and no revision gets into the logs. Nothing
asks a network: what is answered is written here.
"""

import json
import os
import shutil
import sys
import tempfile
from pathlib import Path

LOGS = Path(sys.argv[2] if len(sys.argv) > 2 else ".")
QUESTIONS = [
    ("q1", "2 + 2?", "4", "sums"),
    ("q2", "3 + 4?", "7", "sums"),
    ("q3", "Capital of France?", "Paris", "places"),
    ("q4", "Capital of Italy?", "Rome", "places"),
    ("q5", "Capital of Spain?", "Madrid", "places"),
]


def make_inspect():
    import inspect_ai
    from inspect_ai import Task, task
    from inspect_ai.dataset import MemoryDataset, Sample
    from inspect_ai.model import ModelOutput
    from inspect_ai.scorer import Score, accuracy, match, mean, scorer, stderr
    from inspect_ai.solver import solver

    @solver
    def answering(answers):
        async def solve(state, generate):
            given = answers[state.sample_id][state.epoch - 1]
            state.output = ModelOutput.from_content("known", given)
            return state

        return solve

    @scorer(metrics={"*": [mean(), stderr()]})
    def style():
        async def score(state, target):
            answer = state.output.completion
            return Score(value={"short": len(answer) < 6, "words": len(answer.split())})

        return score

    @scorer(metrics=[accuracy()])
    def partly():
        async def score(state, target):
            answer = state.output.completion
            if answer == "?":
                return Score.unscored(reason="no answer")
            right = answer[:1] == target.text[:1]
            return Score(value="C" if answer == target.text else "P" if right else "I")

        return score

    @task
    def quiz(version=1):
        samples = [
            Sample(id=name, input=asked, target=target, metadata={"topic": topic, "n": i})
            for i, (name, asked, target, topic) in enumerate(QUESTIONS)
        ]
        return Task(
            dataset=MemoryDataset(samples, name="quiz"),
            scorer=[match(), partly(), style()],
            version=version,
        )

    def log(name, *answers, form="eval", **options):
        known = {
            question[0]: list(each)
            for question, *each in zip(QUESTIONS, *answers, strict=False)
        }
        with tempfile.TemporaryDirectory() as folder:
            inspect_ai.eval(
                quiz(), solver=answering(known), model=f"mockllm/{name}", log_dir=folder,
                epochs=len(answers), log_format=form, display="none", log_realtime=False,
                **options,
            )  # fmt: skip
            (path,) = Path(folder).glob(f"*.{form}")
            shutil.copy(path, LOGS / f"{name}.{form}")

    log("good", ["4", "7", "Paris"], ["4", "7", "?"], limit=3)
    log("poor", ["4", "8", "Pisa"], limit=3)
    log("brief", ["4"], limit=1, form="json")


def task_files():
    """Write tasks for lm_eval: two choices, a free answer by two filters, a last word."""
    common = {"dataset_path": "json", "test_split": "test", "metadata": {"version": 1.0}}
    sums = [
        {"question": asked, "options": [right, str(int(right) + 1)], "gold": 0, "topic": "sums"}
        for _, asked, right, topic in QUESTIONS
        if topic == "sums"
    ] + [{"question": "1 + 1?", "options": ["3", "2"], "gold": 1, "topic": "sums"}]
    places = [
        {"question": asked, "answer": right, "topic": topic, "long": "x" * 101}
        for _, asked, right, topic in QUESTIONS
        if topic == "places"
    ]
    words = [{"text": "the last", "word": "word"}, {"text": "the first", "word": "line"}]

    def metrics(*names, **up):
        return [
            {"metric": name, "aggregation": rule, "higher_is_better": up.get(name, True)}
            for name, rule in names
        ]

    tasks = {
        "quiz_sums": (sums, {
            "output_type": "multiple_choice", "doc_to_text": "{{question}}",
            "doc_to_target": "gold", "doc_to_choice": "options",
            "metric_list": metrics(
                ("acc", "mean"), ("acc_norm", "mean"), ("brier_score", "brier_score"),
                brier_score=False,
            ),
        }),
        "quiz_places": (places, {
            "output_type": "generate_until", "doc_to_text": "{{question}}",
            "doc_to_target": "{{answer}}", "generation_kwargs": {"until": ["|"]},
            "metric_list": metrics(("exact_match", "mean")),
            "filter_list": [
                {"name": "strict", "filter": [{"function": "take_first"}]},
                {"name": "loose", "filter": [
                    {"function": "regex", "regex_pattern": "([A-Z][a-z]+)"},
                    {"function": "take_first"},
                ]},
            ],
        }),
        "quiz_words": (words, {
            "output_type": "loglikelihood", "doc_to_text": "{{text}}",
            "doc_to_target": " {{word}}",
            "metric_list": metrics(
                ("perplexity", "perplexity"), ("acc", "mean"), perplexity=False
            ),
        }),
    }  # fmt: skip
    for name, (rows, facts) in tasks.items():
        Path(f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
        files = {"data_files": {"test": f"{name}.jsonl"}}
        Path(f"{name}.yaml").write_text(
            json.dumps({"task": name, "dataset_kwargs": files, **common, **facts})
        )
    Path("quiz.yaml").write_text(
        json.dumps({"group": "quiz", "task": list(tasks), "metadata": {"version": 2}})
    )


def make_lm_eval():
    import lm_eval
    from lm_eval.api.model import LM
    from lm_eval.loggers import EvaluationTracker
    from lm_eval.tasks import TaskManager

    class Known(LM):
        """Finds some answers likely, and says others in the order of the questions."""

        def __init__(self, answers, said):
            super().__init__()
            self.answers, self.said = answers, said

        def loglikelihood(self, requests):
            pairs = [request.args for request in requests]
            return [
                (-1.0, True)
                if said.strip() in self.answers
                else (-2.0 - len(asked) / 16, False)
                for asked, said in pairs
            ]

        def generate_until(self, requests):
            return self.said[: len(requests)]

        def loglikelihood_rolling(self, requests):
            raise NotImplementedError

    def log(name, answers, said, **options):
        tracker = EvaluationTracker(output_path="out")
        tracker.general_config_tracker.log_experiment_args(
            "known", f"pretrained={name}", None, None, False
        )
        found = lm_eval.simple_evaluate(
            Known(answers, said), tasks=["quiz"], task_manager=TaskManager(include_path="."),
            log_samples=True, bootstrap_iters=0, evaluation_tracker=None, **options,
        )  # fmt: skip
        # What it says of the machine is not of interest.
        for fact in ("pretty_env_info", "git_hash", "upper_git_hash"):
            found.pop(fact, None)
        samples = found.pop("samples")
        tracker.save_results_aggregated(results=found, samples=samples)
        for task in found["configs"]:
            tracker.save_results_samples(task_name=task, samples=samples[task])
        shutil.rmtree(LOGS / "lm_eval" / name, ignore_errors=True)
        shutil.copytree(Path("out") / name, LOGS / "lm_eval" / name)

    task_files()
    log("good", {"4", "7", "2", "word"}, ["Paris", "it is Rome", "it is Madrid"])
    log("poor", {"4", "8", "3", "line"}, ["Pisa", "Rome", "it is Madrid"])


if __name__ == "__main__":
    os.environ |= {"HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1"}
    {"inspect": make_inspect, "lm_eval": make_lm_eval}[sys.argv[1]]()
