"""Answers of a language model with an old and a new prompt, drawn by a generator."""

from pathlib import Path

_TOPICS, _QUESTIONS = 40, 10  # questions of a topic


def write_answers() -> None:
    """Write one answer to every question, and ten, each with the old and the new prompt."""
    import numpy as np

    rng = np.random.default_rng(1)
    topic = np.repeat(np.arange(_TOPICS), _QUESTIONS)
    old = rng.beta(2, 1, size=topic.size)  # the chance of a right answer
    new = np.clip(old + rng.normal(0.02, 0.03, size=_TOPICS)[topic], 0, 1)
    for prompt, chance in {"old": old, "new": new}.items():
        for name, n_samples in {"one": 1, "ten": 10}.items():
            lines = [
                f"q{question:03},topic {topic[question]:02},{sample},{right:d}"
                for sample, row in enumerate(rng.random((n_samples, topic.size)) < chance)
                for question, right in enumerate(row)
            ]
            text = "\n".join(["question,topic,sample,correct", *lines, ""])
            Path(f"{prompt}_{name}.csv").write_text(text, encoding="utf-8")
