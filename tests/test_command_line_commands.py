"""``skstat recommend`` and ``skstat plan`` follow what they are made of; completion."""

import inspect
import json
import re
import sys
from types import SimpleNamespace

import pytest

import skstat
from tests.cases import explained
from tests.shell import main


def options_of(command, capsys):
    """What --help names, as Python writes it."""
    with pytest.raises(SystemExit):
        main([command, "--help"])
    flags = re.findall(r"^  --([a-z-]+)", capsys.readouterr().out, re.MULTILINE)
    return {flag.replace("-", "_") for flag in flags}


def printed(capsys, *arguments):
    assert main(arguments) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    return captured.out


@pytest.mark.parametrize("command", ["recommend", "plan"])
def test_a_command_takes_what_the_function_takes(command, capsys):
    function = {"recommend": skstat.recommend_test, "plan": skstat.plan_comparison}[command]
    taken = {*inspect.signature(function).parameters}
    assert options_of(command, capsys) | {"holds"} == taken | {"format"}


@pytest.mark.parametrize(
    ("line", "asked"),
    [
        (
            "estimators --cv 10 --n-systems 4 --control",
            {"cv": 10, "n_systems": 4, "control": 1},
        ),
        ("scores --cv 0.25 --n 9", {"cv": 0.25, "n": 9}),
        ("predictions --metric accuracy --ordered", {"metric": "accuracy", "ordered": True}),
    ],
)
def test_recommend_is_the_function(line, asked, capsys):
    expected = skstat.recommend_test(line.split()[0], **asked)
    assert printed(capsys, "recommend", *line.split()).strip() == expected.to_text().strip()
    state = json.loads(printed(capsys, "recommend", *line.split(), "--format", "json"))
    assert state["situation"] == expected.situation


def test_plan_is_the_function(capsys):
    for line, options in [
        ("--metric accuracy --difference 0.03 --discordant 0.1", {"discordant": 0.1}),
        (
            "--metric accuracy --difference 0.03 --error-rates 0.1 0.2",
            {"error_rates": (0.1, 0.2)},
        ),
    ]:
        expected = skstat.plan_comparison(
            "predictions", metric="accuracy", difference=0.03, **options
        )
        words = ("plan", "predictions", *line.split())
        shown = expected.to_text().replace("print(plan.details)", "the same with --format full")
        assert printed(capsys, *words).strip() == shown.strip()
        assert printed(capsys, *words, "--format", "full").strip() == expected.details.strip()
        assert json.loads(printed(capsys, *words, "--format", "json"))["n"] == expected.n


def test_a_shell_that_asks_is_answered_by_argcomplete(monkeypatch, capsys):
    asked = []
    found = SimpleNamespace(autocomplete=asked.append)
    monkeypatch.setitem(sys.modules, "argcomplete", found)
    printed(capsys, "explain", "SKS102")
    assert not asked
    monkeypatch.setenv("_ARGCOMPLETE", "1")
    printed(capsys, "explain", "SKS102")
    (parser,) = asked
    assert parser.prog == "skstat"
    (commands,) = (a.choices for a in parser._actions if a.dest == "command")
    (code,) = (a for a in commands["explain"]._actions if a.dest == "code")
    assert set(code.completer(prefix="SKS1")) == set(re.findall(r"SKS\d{3}", explained()))
    monkeypatch.setitem(sys.modules, "argcomplete", None)  # not installed
    printed(capsys, "explain", "SKS102")
