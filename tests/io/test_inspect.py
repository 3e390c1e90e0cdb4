"""Logs of Inspect are read as Inspect reads them."""

import json
from pathlib import Path

import numpy as np
import pytest

from skstat.io import read_results
from tests.io.written import about, archive, as_json, header, only_if_allowed, refused, sample
from tests.io.written import inspect_log as log

LOGS = Path(__file__).parent / "logs"
BRIEF = LOGS / "brief.json"
# What `inspect_ai.analysis.samples_df` says of the logs, as numbers.
MATCH = {"good.eval": [1, 1, 1, 1, 1, 0], "poor.eval": [1, 0, 0], "brief.json": [1]}
PARTLY = MATCH | {"good.eval": [1, 1, 1, 1, 1, np.nan], "poor.eval": [1, 0, 0.5]}


def in_order(results):
    """Rows by repeat and item, as samples_df has them."""
    repeats = ["1"] * len(results) if results.repeat is None else results.repeat
    return sorted(range(len(results)), key=lambda row: (repeats[row], results.item[row]))


@pytest.mark.parametrize("name", MATCH)
def test_scores_are_those_that_inspect_reads(name):
    if name.endswith(".eval"):
        pytest.importorskip("zstandard")
    found = read_results(LOGS / name)
    rows = in_order(found)
    assert found.metrics == ("match", "partly", "style.short", "style.words")
    np.testing.assert_array_equal(found.scores["match"][rows], MATCH[name])
    np.testing.assert_array_equal(found.scores["partly"][rows], PARTLY[name])
    assert (found.repeat is None) == (name != "good.eval")
    assert [source.n_expected for source in found.sources] == [5]
    assert found.columns["topic"][rows][:2].tolist() == ["sums", "sums"][: len(found)]


@pytest.mark.ecosystem
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", MATCH)
def test_objects_of_inspect_are_read_too(name):
    read_log = pytest.importorskip("inspect_ai.log").read_eval_log
    whole = read_log(str(LOGS / name))
    found, filed = read_results([whole]), read_results(LOGS / name)
    assert found.sources[0].path == "" and found.sources[0].task == "quiz"
    assert sorted(found.content) == sorted(filed.content)
    assert found.metrics == filed.metrics
    for metric in found.metrics:
        mine, theirs = found.scores[metric], filed.scores[metric]
        np.testing.assert_array_equal(mine[in_order(found)], theirs[in_order(filed)])


@pytest.mark.ecosystem
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", MATCH)
def test_frames_of_inspect_are_the_same(name):
    """The reference itself, where it is installed."""
    analysis = pytest.importorskip("inspect_ai.analysis")
    scorer = pytest.importorskip("inspect_ai.scorer")
    log_of = pytest.importorskip("inspect_ai.log").read_eval_log
    frame = analysis.samples_df([log_of(str(LOGS / name))], quiet=True)
    ours = read_results(LOGS / name).to_frame()
    if "repeat" not in ours:
        ours["repeat"] = "1"
    keyed = ours.set_index(["item", "repeat"])
    assert len(frame) == len(ours)
    to_float = scorer.value_to_float()
    for _, row in frame.iterrows():
        mine = keyed.loc[(str(row["id"]), str(row["epoch"]))]
        assert mine["match"] == to_float(row["score_match"])
        assert mine["topic"] == row["metadata_topic"]
        partly, style = row["score_partly"], json.loads(row["score_style"])
        known = to_float(partly) if isinstance(partly, str) else np.nan
        np.testing.assert_equal(mine["partly"], known)
        assert mine["style.words"] == style["words"]
        assert mine["style.short"] == to_float(style["short"])


def test_cut_texts_are_of_one_content(tmp_path):
    text, cut = "x" * 6000, "x" * 5120 + "...\n(content truncated)"
    image = {"role": "user", "content": [{"type": "image", "image": "data:"}]}
    named = {"role": "user", "content": [{"type": "text", "text": "(Image)"}], "id": "1"}
    full, thin = (
        read_results(log(tmp_path / "a.eval", [sample("1", input=a), sample("2", input=[b])]))
        for a, b in ((text, image), (cut, named))
    )
    assert full.content.tolist() == thin.content.tolist()
    assert len(set(full.content.tolist())) == 2


def test_samples_are_found_wherever_the_archive_has_them(tmp_path):
    """Summaries, those of the journal, the samples; the last try of a sample counts."""
    first, again, other = sample(value="I"), sample(value="C"), sample("q2", "P")
    journal = {"2": [again], "1": [first], "10": [other]}
    for members in (
        {"summaries.json": [first, other, again]},
        {f"_journal/summaries/{name}.json": samples for name, samples in journal.items()},
        {"samples/q1_epoch_1.json": again, "samples/q2_epoch_1/sample.json": other},
    ):
        path = archive(tmp_path / "a.eval", {"header.json": header()} | members)
        found = read_results(path)
        scores = dict(zip(found.item, found.scores["match"], strict=True))
        assert scores == {"q1": 1, "q2": 0.5}


def test_unfinished_runs_are_refused_unless_allowed(tmp_path):
    started = archive(
        tmp_path / "a.eval",
        {"_journal/start.json": {"version": 2, "eval": header()["eval"]},
         "_journal/summaries/1.json": [sample()]},
    )  # fmt: skip
    failed = log(tmp_path / "b.eval", [sample()], status="error")
    marked = log(tmp_path / "c.eval", [sample()], invalidated=True)
    for path, reason in ((started, "'started'"), (failed, "'error'"), (marked, "invalidated")):
        only_if_allowed(path, reason, "unfinished", 1)


def test_a_folder_holds_one_log_per_model(tmp_path):
    log(tmp_path / "a.eval", [sample()])
    log(tmp_path / "b.eval", [sample(value="I")], **about(model="m/b"))
    found = read_results(tmp_path)
    assert found.names == ("m/a", "m/b") and found.items == ("q1",)
    refused({"mine": tmp_path}, "several systems .m/a, m/b")


def test_a_folder_may_hold_logs_of_both_kinds(tmp_path):
    (tmp_path / "brief.json").write_bytes(BRIEF.read_bytes())
    (tmp_path / "logs.json").write_text('{"a.eval": {}}')
    assert read_results(tmp_path).names == ("mockllm/brief",)
    facts = {"task_args": {"version": 1}, "model": "m/b"}
    rows = [sample(input="2 + 2?", target="4", scores={"match": {"value": "I"}})]
    log(tmp_path / "a.eval", rows, **about(**facts))
    assert read_results(tmp_path).names == ("m/b", "mockllm/brief")


def test_a_folder_holds_several_tasks(tmp_path):
    for model in ("m/a", "m/b"):
        log(tmp_path / f"{model[-1]}1.eval", [sample(metadata={"n": 1})], **about(model=model))
        rows = [sample(epoch=epoch, scores={"judge": {"value": epoch}}) for epoch in (1, 2)]
        facts = {"model": model, "task": "exam", "task_version": 3, "task_args": {"x": 1}}
        facts |= {"scorers": [{"name": "judge", "metrics": [{"name": "inspect_ai/mean"}]}]}
        log(tmp_path / f"{model[-1]}2.eval", rows, **about(**facts))
    found = read_results(tmp_path)
    assert found.names == ("m/a", "m/b") and found.items == ("quiz/q1", "exam/q1")
    assert found.columns["task"].tolist()[:3] == ["quiz", "exam", "exam"]
    assert found.columns["n"].tolist()[:3] == [1, None, None]
    assert found.repeat.tolist()[:3] == ["1", "1", "2"]
    np.testing.assert_array_equal(found.scores["judge"][:3], [np.nan, 1, 2])
    np.testing.assert_array_equal(found.scores["match"][:3], [1, np.nan, np.nan])
    source = found.sources[0]
    assert (source.task, source.version) == ("exam, quiz", "exam: 3; quiz: 1")
    assert source.n_expected == 8 and source.settings == {"task_args": 'exam: {"x": 1}'}
    assert found.metrics == ("match", "judge")


def test_of_a_run_that_was_tried_again_the_one_that_succeeded_is_read(tmp_path):
    log(tmp_path / "1.eval", [sample(value="I")], status="error", **about(created="2026-01-02"))
    log(tmp_path / "2.eval", [sample(value="C")], **about(created="2026-01-01"))
    log(tmp_path / "3.eval", [sample(value="I")], status="cancelled")
    assert read_results(tmp_path).scores["match"].tolist() == [1]
    log(tmp_path / "4.eval", [sample()])
    refused(tmp_path, r"2 logs of 'm/a' on 'quiz' .2\.eval, 4\.eval")


def test_other_tasks_and_questions_are_refused(tmp_path):
    def of(model, question="?", **facts):
        path = tmp_path / f"{model}.eval"
        return log(path, [sample(input=question)], **about(model=f"m/{model}", **facts))

    one = of("a")
    refused([one, of("b", "!")], "different content: 'q1'")
    pair = [of(model, task_args={"cot": model == "c"}) for model in "cd"]
    refused(pair, "different settings .task_args.: ")
    refused([one, of("e", task="exam")], "'m/a' of 'quiz', 'm/e' of 'exam'")
    refused([one, one], "a system called 'm/a'")


def test_values_become_numbers_as_in_inspect(tmp_path):
    told = [
        ("C", 1), ("I", 0), ("P", 0.5), ("N", 0), (True, 1), (3, 3), (0.25, 0.25), ("Yes", 1),
        ("FALSE", 0), (" 2.5 ", 2.5), ("1_0", None), ("maybe", None), ("inf", None),
    ]  # fmt: skip
    scores = {f"of {value!r}": {"value": value} for value, _ in told}
    whole = {**header(**about(task_id="t")), "samples": [sample(scores=scores)]}
    found = read_results(as_json(tmp_path / "x.json", whole))
    known = {f"of {value!r}": number for value, number in told if number is not None}
    scores = {name: own.tolist() for name, own in found.scores.items()}
    assert scores == {name: [number] for name, number in known.items()}
    assert found.left_out == tuple(f"of {value!r}" for value, number in told if number is None)


def test_what_is_no_number_is_left_out_and_named(tmp_path):
    labelled = sample(scores={"match": {"value": "C"}, "mood": {"value": "kind"}})
    found = read_results(log(tmp_path / "a.eval", [labelled, sample("q2", [0.5, 1])]))
    assert found.metrics == ("match", "match[0]", "match[1]")
    assert found.left_out == ("mood",)
    only = log(tmp_path / "b.eval", [sample(value="kind")])
    refused(only, "no score of an item is a number .match gave 'kind'")
    refused(log(tmp_path / "c.eval", [sample(scores=None)]), "was not scored")
