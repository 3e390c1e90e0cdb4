"""Make the logs in tests/io/logs with the tools that write them. Run by hand.

    python make_logs.py inspect LOGS      # needs inspect_ai
    python make_logs.py lm_eval LOGS      # needs lm_eval and torch

Run a copy of it in an empty folder, so that no path and no revision gets into the logs. Nothing
asks a network: what is answered is written here.
"""

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

    good = ["4", "7", "Paris", "Rome", "Madrid"]
    log("good", good, [*good[:-1], "?"])
    log("poor", ["4", "8", "Pisa", "?", "Madrid"])
    log("brief", ["4"], limit=1, form="json")


if __name__ == "__main__":
    os.environ |= {"HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1"}
    {"inspect": make_inspect}[sys.argv[1]]()
