"""Results of SWE-bench: reports of the harness, and files of the leaderboard."""

from skstat.io import read_results
from tests.io.written import as_json as write
from tests.io.written import issue, only_if_allowed, refused
from tests.io.written import swe_report as report


def test_a_report_of_the_harness(tmp_path):
    told = report([issue(1)], [issue(2)], error_ids=[issue(3)], empty_patch_ids=[issue(4)])
    found = read_results(write(tmp_path / "agent.run1.json", told))
    assert found.names == ("agent.run1",)
    scores = dict(zip(found.item, found.scores["resolved"], strict=True))
    assert scores == {issue(number): number == 1 for number in (1, 2, 3, 4)}
    assert set(found.columns["repository"]) == {"django/django"}
    (source,) = found.sources
    assert source.n_expected == 500


def test_instances_without_an_outcome_are_refused(tmp_path):
    told = report([issue(1)], submitted_ids=[issue(1), issue(2)])
    path = write(tmp_path / "agent.json", told)
    only_if_allowed(path, "no outcome for 1 of the instances .*-2'", "unfinished", 1)
    both = write(tmp_path / "agent.json", report([issue(1)], [issue(1)]))
    refused(both, "that it was solved, and that it was not")


def leaderboard(folder):
    lists = {"resolved": [issue(1), issue(2)], "no_generation": [issue(3)], "no_logs": []}
    write(folder / "first" / "results" / "results.json", lists)
    write(folder / "second" / "results" / "results.json", {"resolved": [issue(4)]})
    known = {n: {"resolved": n == 5, "cost": n / 4, "api_calls": n} for n in range(1, 6)}
    details = {issue(n): facts for n, facts in known.items()}
    write(folder / "third" / "per_instance_details.json", details)
    return folder


def test_a_folder_of_systems_tells_which_instances_there_are(tmp_path):
    found = read_results(leaderboard(tmp_path))
    assert found.names == ("first", "second", "third") and len(found) == 15
    rows = zip(found.system, found.item, found.scores["resolved"], strict=True)
    solved = {(system, int(item[-1])) for system, item, value in rows if value}
    assert solved == {("first", 1), ("first", 2), ("second", 4), ("third", 5)}


def test_a_file_of_the_leaderboard_needs_the_instances(tmp_path):
    path = leaderboard(tmp_path) / "first" / "results" / "results.json"
    refused(path, "names the instances that were solved")
    ids = [issue(n) for n in range(1, 11)]
    found = read_results(path, columns={"item": ids})
    assert found.items == tuple(ids) and found.scores["resolved"].sum() == 2
    refused(path, "not among the instances", columns={"item": ids[1:]})


def test_costs_are_read_where_they_are(tmp_path):
    found = read_results(leaderboard(tmp_path) / "third" / "per_instance_details.json")
    assert found.names == ("third",) and found.metrics == ("resolved", "cost", "api_calls")
    assert found.higher_is_better == {"resolved": True, "cost": False, "api_calls": False}
    cost = dict(zip(found.item, found.scores["cost"], strict=True))
    assert cost == {issue(n): n / 4 for n in range(1, 6)}
