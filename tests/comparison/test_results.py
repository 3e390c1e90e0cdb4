"""Results of systems on items, with repeats, groups and sources, at the door of scores."""

import json
from dataclasses import replace
from functools import partial
from itertools import product
from math import comb

import numpy as np
import pytest

import skstat
from skstat import compare_scores, stats
from skstat.io import Results, Source, join_results
from tests.cases import codes, doubt_of, refusals, text_of
from tests.shell import main

rng = np.random.default_rng(7)
N, K = 60, 3
SYSTEMS = ("new", "old", "mini")
TOPICS = np.repeat([f"t{topic}" for topic in range(12)], 5)
CORRECT = (rng.random((3, N, K)) < np.array([0.7, 0.5, 0.45])[:, None, None]).astype(float)
JUDGE = rng.normal(size=(3, N, K)) + CORRECT


def columns(systems=(0, 1, 2)):
    """Rows in no order, as logs have them."""
    rows = list(product(systems, range(N), range(K)))
    rows = [rows[place] for place in np.random.default_rng(1).permutation(len(rows))]
    system, item, repeat = np.array(rows).T
    return {
        "model": np.array(SYSTEMS)[system],
        "question": np.array([f"q{number}" for number in range(N)])[item],
        "topic": TOPICS[item],
        "sample": repeat,
        "correct": CORRECT[system, item, repeat],
        "judge": JUDGE[system, item, repeat],
    }


NAMED = {"system": "model", "item": "question", "repeat": "sample"}


def of(report):
    """A report's numbers, without how it was asked."""
    state = json.loads(report.to_json())
    for name in ("design", "choice", "sample"):
        state.pop(name, None)
    return state


def as_results(found, metrics=("correct",), **more):
    known = {"system": found["model"], "item": found["question"], "repeat": found["sample"]}
    scores = {metric: found[metric] for metric in metrics}
    return Results(**known, scores=scores, columns={"topic": found["topic"]}, **more)


def test_a_mapping_frames_and_results_are_one():
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    found = columns()
    asked = {"random_state": 0, "group": "topic"}
    expected = compare_scores(found, **NAMED, score="correct", **asked)
    for frame in (pandas.DataFrame(found), polars.DataFrame(found)):
        assert of(compare_scores(frame, **NAMED, score="correct", **asked)) == of(expected)
    assert of(compare_scores(as_results(found), **asked)) == of(expected)
    assert set(expected.names) == set(SYSTEMS)


def test_flips_of_few_groups_are_all_patterns():
    groups = np.arange(N) * 8 // N
    a, b = CORRECT[0, :, 0], CORRECT[1, :, 0]
    report = compare_scores({"a": a, "b": b}, unit="instance", group=groups)
    sums = np.bincount(groups, a - b)
    every = [abs(np.dot(sums, signs)) for signs in product((1, -1), repeat=8)]
    assert report.pvalue == np.mean(np.array(every) >= abs(sums.sum()) - 1e-9)
    assert report.choice.situation == "item-scores-in-few-groups"


def test_passes_are_those_of_all_choices_of_samples():
    found = columns((0, 1))
    for name, k, succeeds in (("pass@2", 2, any), ("pass^2", 2, all), ("pass@3", 3, any)):
        asked = {"score": "correct", "aggregate": name, "systems": ("new", "old")}
        report = compare_scores(found, **NAMED, **asked)
        chosen = [list(c) for c in product(range(K), repeat=k) if len(set(c)) == k]
        expected = [
            np.mean([[succeeds(answers[c] == 1) for c in chosen] for answers in system])
            for system in CORRECT[:2]
        ]
        assert report.estimate == pytest.approx(expected[0] - expected[1], rel=1e-12)
    both = compare_scores(found, **NAMED, score="correct", aggregate="pass^2")
    assert "all of 2 are right" in both.details


def test_passes_of_many_samples_have_the_published_formula():
    answers = {"a": 37, "b": 3}
    right = [float(n < c) for c in answers.values() for n in range(200)]
    rows = {"model": np.repeat([*answers], 200), "sample": [*range(200)] * 2, "correct": right}
    two = {name: np.tile(values, 2) for name, values in rows.items()}
    two["question"] = np.repeat(["q", "p"], 400)
    report = compare_scores(two, **NAMED, score="correct", aggregate="pass@100")
    expected = [1 - comb(200 - c, 100) / comb(200, 100) for c in answers.values()]
    assert report.estimate == pytest.approx(expected[0] - expected[1], rel=1e-9)


def test_the_report_says_where_the_variance_lies():
    found = columns()
    two = compare_scores(found, **NAMED, group="topic", score="judge", systems=("new", "old"))
    said = " ".join(two.details.split())
    assert "of the variance of an item's difference" in said
    assert "with twice the samples of each item" in said
    # Of groups without repeats, and of neither.
    one = {name: values[found["sample"] == 0] for name, values in found.items()}
    named = {"system": "model", "item": "question", "score": "judge"}
    grouped = compare_scores(one, **named, group="topic", random_state=0)
    assert set(grouped.design["variance"]) == {"groups", "items", "standard_error"}
    assert "variance" not in compare_scores(one, **named, random_state=0).design
    median = compare_scores(found, **NAMED, score="judge", aggregate="median", random_state=0)
    assert "variance" not in median.design
    log = as_results(found, ("correct", "judge"))
    each = compare_scores(log, group="topic", random_state=0)
    assert each["judge"].design["variance"] != each["correct"].design["variance"]


def test_shares_of_the_variance_by_loops():
    sizes = [1, 4, 2, 5, 3]
    groups = np.repeat(np.arange(5), sizes)
    n = len(groups)
    rows = np.array(list(product((0, 1), range(n), range(3))))
    drawn = np.random.default_rng(0).normal(size=(2, n, 3)) + 0.7 * np.arange(2)[:, None, None]
    drawn = drawn + np.random.default_rng(1).normal(size=(5, 2))[groups].T[:, :, None]

    def shares(noise=1.0, kept=slice(None), **more):
        own = rows[kept]
        values = drawn.mean(axis=2, keepdims=True) + noise * (
            drawn - drawn.mean(axis=2, keepdims=True)
        )
        columns = {"model": own[:, 0], "question": own[:, 1], "sample": own[:, 2]}
        columns |= {"topic": groups[own[:, 1]], "score": values[tuple(own.T)]}
        return compare_scores(columns, **NAMED, **more, random_state=0).design["variance"]

    d = drawn[0].mean(axis=1) - drawn[1].mean(axis=1)
    grand = d.mean()
    of_samples = np.mean(drawn.var(axis=2, ddof=1).sum(axis=0)) / 3
    between = within = robust = 0.0
    for group, size in enumerate(sizes):
        own = d[groups == group]
        between += size * (own.mean() - grand) ** 2
        within += sum((x - own.mean()) ** 2 for x in own)
        robust += sum(x - grand for x in own) ** 2
    within /= n - 5
    n0 = (n - sum(size**2 for size in sizes) / n) / 4
    found = shares(group="topic")
    assert found["groups"] == pytest.approx(max(0, (between / 4 - within) / n0), rel=1e-10)
    assert found["samples"] == pytest.approx(of_samples, rel=1e-10)
    assert found["items"] == pytest.approx(max(0, within - of_samples), rel=1e-10)
    squared = 5 / 4 * robust / n**2
    assert found["standard_error"] == pytest.approx(np.sqrt(squared), rel=1e-10)
    of_items = np.sqrt(max(0, squared - of_samples / n))
    assert found["standard_error_with_any_number"] == pytest.approx(of_items, rel=1e-9)
    alone = shares(group="question")
    assert "groups" not in alone
    assert alone["standard_error"] == pytest.approx(shares()["standard_error"], rel=1e-12)
    # An item of a single sample has the variance of the others.
    variances = drawn.var(axis=2, ddof=1) / 3
    variances[:, 0] = 3 * variances[:, 1:].mean(axis=1)
    once = shares(kept=(rows[:, 1] > 0) | (rows[:, 2] == 0))
    assert once["samples"] == pytest.approx(variances.sum(axis=0).mean(), rel=1e-10)
    # Samples that explain more than all there is leave nothing for the items.
    noisy = shares(noise=50.0)
    assert noisy["items"] == 0 and noisy["standard_error_with_any_number"] == 0
    # Twice the samples halve the variance at best.
    twice = noisy["standard_error_with_twice_the_samples"]
    assert twice == pytest.approx(noisy["standard_error"] / np.sqrt(2))


WIDE = {"question": [1, 2, 3, 4], "new": [1.0, 0, 1, 1], "old": [0.0, 1, 0, 1]}


def test_labels_are_not_taken_for_systems_of_a_wide_frame():
    assert compare_scores(WIDE, item="question").names == ("new", "old")
    labelled = WIDE | {"fold": [1, 2, 3, 4]}
    chosen = compare_scores(labelled, item="question", systems=("old", "new"))
    assert chosen.names == ("old", "new")


def test_one_system_is_compared_with_a_constant():
    found = columns((0,))
    report = compare_scores(found, **NAMED, score="correct", constant=0.5)
    assert report.estimate == pytest.approx(CORRECT[0].mean() - 0.5, rel=1e-12)
    lower = as_results(found, higher_is_better={"correct": False})
    turned = compare_scores(lower, constant=0.5)
    assert turned.verdict == {"better": "worse", "worse": "better"}[report.verdict]
    assert turned.estimate == report.estimate and turned.lower and not report.lower


FOUND, ONE = columns(), columns((0,))
BARE = {"a": CORRECT[0, :, 0], "b": CORRECT[1, :, 0]}
PAIRED, TABLE = {"unit": "seed", "paired_seeds": True}, stats.ScoreTable(BARE, unit="instance")
by_topic = partial(compare_scores, **NAMED, score="correct", group="topic")
logged = partial(compare_scores, FOUND, **NAMED, score="correct")
test_what_does_not_fit_is_refused_by_name = refusals([
    (partial(logged, score="f1"), "no column of numbers called 'f1'; there are"),
    (partial(logged, score=[]), "no scores|no metric"),
    (partial(logged, score="model"), "cannot hold scores and labels"),
    (partial(logged, aggregate="best"), "aggregate='best' is unknown"),
    (partial(logged, aggregate="pass@4"), "needs 4 samples of every item; 180 have fewer"),
    (partial(logged, aggregate="pass@2", score="judge"), "needs right .1. and wrong .0."),
    (partial(logged, group="sample"), "has group 2 in one row and 1 in another"),
    (partial(logged, group="topic", unit="seed"), "groups are of instances"),
    (partial(by_topic, ONE, constant=0.5), "with groups ask stats.clustered_t"),
    (partial(compare_scores, CORRECT[:2, :, 0].T, unit="instance", item="q"),
     "item= describes the columns of a frame"),
    (partial(compare_scores, as_results(FOUND), system="model"), "system= describes the col"),
    (partial(compare_scores, BARE, **PAIRED, group=TOPICS), "say unit='instance'"),
    (partial(compare_scores, TABLE, group=TOPICS), "group= describes bare numbers"),
    *(
        (partial(by_topic, FOUND | change), words)
        for change, words in (
            ({"question": [None, *FOUND["question"][1:]]}, "'question' is empty in row 0"),
            ({"model": ["new", None, *FOUND["model"][2:]]}, "'model' is empty in row 1"),
            ({"correct": FOUND["correct"] * np.nan}, "no item has a correct of all 3 systems"),
            ({name: [] for name in FOUND}, "no scores: there is nothing to compare"),
        )
    ),
    *(
        (partial(compare_scores, WIDE | {label: [1, 2, 3, 4]}, item="question"), words)
        for label, words in (("model", "write .*system='model'"),
                             ("fold", "looks like labels"), ("sample", "repeat='sample'"))
    ),
    (partial(compare_scores, {"question": [1, 2], "note": ["x", "y"]}, item="question"),
     "no column of numbers is left"),
])  # fmt: skip


# What a report says of the logs that results came from, and doubts about them

drawn = np.random.default_rng(3)
ITEMS = [f"q{number}" for number in range(40)]


def log(system, *, path=None, scores=None, items=ITEMS, content="x", **about):
    known = {"task": "sums", "version": "1", "format": "table"} | about
    return Results(
        system=[system] * len(items),
        item=items,
        scores={"correct": drawn.integers(0, 2, len(items)) if scores is None else scores},
        content=[content] * len(items),
        sources=(Source(system=system, path=path or f"{system}.json", **known),),
    )


def test_the_report_says_where_results_came_from():
    report = compare_scores(join_results([log("old"), log("new", n_expected=100)]))
    said = " ".join(report.details.split())
    assert "old from old.json, format table, task sums, version 1" in said
    assert "new from new.json, format table, task sums, version 1, 40 of 100 items" in said
    assert [source["path"] for source in report.design["sources"]] == ["old.json", "new.json"]
    limited = doubt_of(report, "SKS135")
    assert limited.weight == "weak" and "new on 40 of 100" in limited.text
    assert "SKS135" not in codes(compare_scores(join_results([log("old"), log("new")])))


def test_many_sources_are_counted():
    report = compare_scores(join_results([log(f"s{n}") for n in range(6)]), random_state=0)
    assert "results of 6 systems from 6 places (table)" in " ".join(report.details.split())
    one = join_results([log(f"s{n}", path="all.csv") for n in range(6)])
    assert "results from all.csv, format table" in compare_scores(one, random_state=0).details


@pytest.mark.parametrize(("change", "allow", "said"), [
    ({"version": "2"}, "version", "its version"),
    ({"task": "products"}, "task", "the task"),
    ({"settings": {"shots": "5"}}, "settings", "shots"),
    ({"content": "y"}, "content", "the content of items"),
])  # fmt: skip
def test_what_was_allowed_to_differ_is_doubted(change, allow, said):
    known = {"settings": {"shots": "0"}}
    joined = join_results([log("old", **known), log("new", **known | change)], allow=[allow])
    found = doubt_of(compare_scores(joined), "SKS136")
    assert said in found.text and found.weight == "weak"
    alike = compare_scores(join_results([log("old", **known), log("new", **known)]))
    assert "SKS136" not in codes(alike)


def test_one_log_under_two_names_is_doubted():
    answers = drawn.integers(0, 2, len(ITEMS))
    old = log("old", scores=answers)
    twice = compare_scores(join_results([old, old.renamed({"old": "new"})]))
    found = doubt_of(twice, "SKS138")
    assert found.weight == "invalid" and "old and new have the same scores" in found.text
    # Of two files, or with one other answer, they are two systems that agree.
    elsewhere = compare_scores(join_results([old, log("new", scores=answers)]))
    assert "SKS138" not in codes(elsewhere)
    other = replace(old.renamed({"old": "new"}), scores={"correct": 1 - answers})
    assert "SKS138" not in codes(compare_scores(join_results([old, other])))
    third = join_results([old, log("mini"), old.renamed({"old": "new"})])
    assert "old and new" in text_of(compare_scores(third, random_state=0), "SKS138")


def test_systems_without_an_item_in_common_are_refused():
    with pytest.raises(ValueError, match="none of them are the same"):
        compare_scores(join_results([log("old", items=ITEMS[:9]), log("new", items=ITEMS[9:])]))


# Columns that look like groups and are not used

N_OF_LOGS, PER_TOPIC = 200, 10


def indexed(spread=1.0):
    """A column for each system, with levels whose items are numbered anew in each topic."""
    pandas = pytest.importorskip("pandas")
    rng = np.random.default_rng(0)
    topics, items = np.repeat(range(12), 10), np.tile(range(10), 12)
    index = pandas.MultiIndex.from_arrays(
        [[f"t{topic}" for topic in topics], items], names=["topic", "item"]
    )
    base = rng.normal(size=120)
    own = rng.normal(0, spread, 12)[topics] + rng.normal(0, 0.3, 120)
    return pandas.DataFrame({"a": base + own, "b": base}, index=index)


def test_levels_of_an_index_are_to_be_columns():
    wide = indexed()
    for scores in (wide, {"a": wide["a"], "b": wide["b"]}, wide.stack()):
        with pytest.raises(ValueError, match=r"levels, topic.*reset_index\(\).*item=\["):
            skstat.compare_scores(scores, unit="instance")
    nameless = wide.rename_axis([None, None])
    assert skstat.compare_scores(nameless, unit="instance", random_state=0).n_units == 120
    ask = {"item": ["topic", "item"], "random_state": 0}
    report = skstat.compare_scores(wide.reset_index(), unit="instance", **ask)
    assert (report.unit, report.n_units) == ("instance", 120) and "SKS139" in codes(report)
    grouped = skstat.compare_scores(wide.reset_index(), group="topic", **ask)
    assert (grouped.unit, grouped.n_units) == ("group", 12)
    assert "SKS139" not in codes(grouped)


def of_inspect(name, topics, right):
    samples = [
        {
            "id": f"q{item}", "epoch": 1, "input": f"Question {item}?", "target": "x",
            "metadata": {"topic": topic, "length": item % 7},
            "scores": {"match": {"value": "C" if is_right else "I"}},
        }
        for item, (topic, is_right) in enumerate(zip(topics, right, strict=True))
    ]  # fmt: skip
    about = {"task": "quiz", "task_id": name, "model": f"lab/{name}"}
    return {"version": 2, "status": "success", "eval": about, "samples": samples}


def test_groups_in_logs_are_doubted_by_all_doors_and_the_gate(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    topics = [f"t{item // PER_TOPIC}" for item in range(N_OF_LOGS)]
    shares = rng.choice((0.1, 0.9), (3, N_OF_LOGS // PER_TOPIC)).repeat(PER_TOPIC, axis=1)
    for name, right in zip("abc", rng.random((3, N_OF_LOGS)) < shares, strict=True):
        log = of_inspect(name, topics, right)
        (tmp_path / f"{name}.json").write_text(json.dumps(log))
    results = skstat.io.read_results([f"{name}.json" for name in "abc"])
    asked = {"score": "match", "random_state": 0}
    for door in (skstat.compare_scores, skstat.rank_systems):
        assert "SKS139" in codes(door(results, **asked))
        grouped = door(results, **asked, group="topic")
        assert "SKS139" not in codes(grouped) and grouped.unit == "group"
    for line in (
        "compare a.json b.json --margin 0.1 --fail-if worse",
        "compare a.json b.json c.json",
        "rank a.json b.json c.json",
    ):
        for option, doubted in (("", True), ("--group topic", False)):
            main(f"{line} --metric match --format json --seed 0 {option}".split())
            state = json.loads(capsys.readouterr().out)
            assert ("SKS139" in {doubt["code"] for doubt in state["doubts"]}) is doubted
            assert state["unit"] == ("instance" if doubted else "group")
