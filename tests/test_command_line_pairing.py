"""Files on the command line: which rows belong together, and who is compared with whom."""

import json
from itertools import product
from pathlib import Path

import numpy as np
import pytest

import skstat
from skstat.__main__ import main
from skstat.io import read_results

N = 120
RNG = np.random.default_rng(0)
GOLD = RNG.integers(0, 2, N)
SYSTEMS = {
    "old": np.where(RNG.random(N) < 0.95, GOLD, 1 - GOLD),
    "new": np.where(RNG.random(N) < 0.7, GOLD, 1 - GOLD),
}
SHUFFLED = RNG.permutation(N)


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def write(name, values, rows=range(N), ids="id", ending="csv"):
    table = [{ids: f"q{row}", "y": int(values[row])} for row in rows]
    if ending == "csv":
        lines = [f"{ids},y", *(f"{row[ids]},{row['y']}" for row in table)]
    else:
        lines = [json.dumps(row) for row in table]
    Path(f"{name}.{ending}").write_text("\n".join(lines), encoding="utf-8")


def run(capsys, line, status=0):
    found = main(["compare", *line.split(), "--format", "json", "--seed", "0"])
    printed = capsys.readouterr()
    assert found == status, printed.err
    return (
        json.loads(printed.out) if status < 2 else printed.err.removeprefix("skstat: error: ")
    )


PREDICTED = "--y-true gold.csv:y --predictions old=old.csv:y new=new.{}:y --metric accuracy"


@pytest.mark.parametrize(
    ("ids", "ending"), [*product(["id", "question_id", "UID"], ["csv", "jsonl"])]
)
def test_rows_are_joined_by_ids_whatever_their_order(ids, ending, capsys):
    write("gold", GOLD, ids=ids)
    write("old", SYSTEMS["old"], SHUFFLED, ids=ids)
    write("new", SYSTEMS["new"], SHUFFLED[::-1], ids=ids, ending=ending)
    state = run(capsys, PREDICTED.format(ending))
    expected = skstat.compare_predictions(GOLD, SYSTEMS, metric="accuracy")
    assert state["pairs"]["estimate"][0] == pytest.approx(expected.estimate, abs=1e-15)
    assert state["design"]["notes"][-1] == f"rows paired by {ids}"
    by_order = run(capsys, f"{PREDICTED.format(ending)} --id none")
    assert by_order["pairs"]["estimate"] != state["pairs"]["estimate"]
    assert by_order["design"]["notes"][-1] == "rows paired by their order"


def test_groups_and_weights_are_joined_too(capsys):
    write("gold", GOLD)
    write("old", SYSTEMS["old"], SHUFFLED)
    write("new", SYSTEMS["new"])
    groups = np.arange(N) // 6
    write("groups", groups, SHUFFLED[::-1])
    state = run(capsys, f"{PREDICTED.format('csv')} --groups groups.csv:y")
    expected = skstat.compare_predictions(
        GOLD, SYSTEMS, metric="accuracy", groups=groups, random_state=0
    )
    assert state["pairs"]["pvalue"][0] == expected.pvalue


def test_ids_that_do_not_fit_are_refused(capsys):
    write("gold", GOLD)
    write("old", SYSTEMS["old"])
    line = PREDICTED.format("csv")
    write("new", SYSTEMS["new"], range(N - 2))
    assert run(capsys, line, 2).startswith(
        "new.csv:id lacks 2 of the 120 ids of gold.csv:id, su"
    )
    write("new", SYSTEMS["new"], [*range(N - 1), 0])
    assert run(capsys, line, 2).startswith("new.csv:id holds 'q0' 2 times, so that rows cannot")
    write("new", SYSTEMS["new"], ids="nr")
    assert run(capsys, line)["design"]["notes"][-1] == "rows paired by their order"
    assert run(capsys, f"{line} --id id", 2) == "--id id is not a column of new.csv.\n"
    # Whose ids repeat in every file are no ids.
    for name, values in (("gold", GOLD), *SYSTEMS.items()):
        write(name, values, [*range(N // 2), *range(N // 2)])
    assert run(capsys, line)["design"]["notes"][-1] == "rows paired by their order"
    # Of a text file nobody knows the order, if that of the tables differs.
    write("old", SYSTEMS["old"])
    write("new", SYSTEMS["new"], SHUFFLED)
    Path("gold.txt").write_text("\n".join(map(str, GOLD)))
    line = line.replace("gold.csv:y", "gold.txt")
    assert "are not in the same order, and gold.txt has no ids" in run(capsys, line, 2)


def write_results():
    for name, values in SYSTEMS.items():
        lines = ["id,correct", *(f"q{i},{int(v == GOLD[i])}" for i, v in enumerate(values))]
        Path(f"{name}.csv").write_text("\n".join(lines))
    rows = [
        f"{name},q{i},{int(value == GOLD[i])}"
        for name, values in SYSTEMS.items()
        for i, value in enumerate(values)
    ]
    Path("all.csv").write_text("\n".join(["model,id,correct", *rows]))
    Path("turned.csv").write_text("\n".join(["model,id,correct", *rows[::-1]]))


@pytest.mark.long
def test_signs_are_equal_in_every_door(capsys):
    write_results()
    write("gold", GOLD)
    for name, values in SYSTEMS.items():
        write(f"p_{name}", values, SHUFFLED)
    predicted = (
        "--y-true gold.csv:y --predictions old=p_old.csv:y new=p_new.csv:y --metric accuracy"
    )
    right = {name: values == GOLD for name, values in SYSTEMS.items()}
    expected = float(right["old"].mean() - right["new"].mean())
    plain = {
        line: run(capsys, line)
        for line in ("old.csv new.csv", "all.csv", "old=old.csv new=new.csv", predicted)
    }
    plain["scores"] = skstat.compare_scores(right, unit="instance", random_state=0).to_dict()
    plain["results"] = skstat.compare_scores(
        read_results(["old.csv", "new.csv"]), random_state=0
    ).to_dict()
    for line, state in plain.items():
        assert state["systems"]["name"] == ["old", "new"], line
        assert state["pairs"]["estimate"][0] == pytest.approx(expected, abs=1e-12), line
    for shape, role in product(
        ("old.csv new.csv", "all.csv", "turned.csv", predicted),
        (
            "--baseline old",
            "--candidate new",
            "--control old",
            "--baseline old --candidate new",
        ),
    ):
        for gate, status in (("", 0), ("--fail-if worse", 1)):
            state = run(capsys, f"{shape} {role} {gate}", status)
            assert state["systems"]["name"] == ["new", "old"]
            assert state["pairs"]["estimate"][0] == pytest.approx(-expected, abs=1e-12)


def test_a_gate_on_one_table_needs_to_be_told_who_is_judged(capsys):
    write_results()
    for table in ("all.csv", "turned.csv"):
        assert "is the baseline? Their order in the file says nothing" in run(
            capsys, f"{table} --fail-if worse", 2
        )
        assert (
            run(capsys, f"{table} --fail-if worse --baseline old", 1)["gate"]["result"]
            == "fail"
        )
        assert (
            run(capsys, f"{table} --fail-if worse --candidate old")["gate"]["result"] == "pass"
        )
    line = "old.csv new.csv --fail-if worse"
    assert "new" in run(capsys, f"{line} --baseline new --candidate new", 2)
    assert run(capsys, f"{line} --baseline new --control old", 2).startswith(
        "--baseline and --co"
    )
    assert run(capsys, f"{line} --candidate nix", 2).startswith(
        "--candidate nix is not a system"
    )
    third = Path("old.csv").read_text()
    Path("third.csv").write_text(third)
    line = "old.csv new.csv third.csv --metric correct --fail-if worse"
    assert run(capsys, f"{line} --candidate new", 2).startswith(
        "--candidate new can be held agai"
    )
    state = run(capsys, f"{line} --candidate new --baseline third", 1)
    assert state["systems"]["name"] == ["new", "third"]


def test_labelled_rows_are_paired_by_label_in_python():
    pandas = pytest.importorskip("pandas")
    labels = [f"q{i}" for i in range(N)]
    right = {name: pandas.Series((v == GOLD) * 1.0, labels) for name, v in SYSTEMS.items()}
    expected = skstat.compare_scores(right, unit="instance", random_state=0)
    moved = {**right, "new": right["new"].iloc[SHUFFLED]}
    found = skstat.compare_scores(moved, unit="instance", random_state=0)
    assert found.pvalue == expected.pvalue and found.estimate == expected.estimate
    three = skstat.compare_scores({**moved, "c": right["old"]}, unit="instance", random_state=0)
    assert three["old", "c"].estimate == 0
    with pytest.raises(ValueError, match="'q0'|label"):
        skstat.compare_scores({**right, "new": right["new"].iloc[1:]}, unit="instance")
