"""What all doubts have in common: how they are declared, explained, merged and stored."""

import itertools
import json
import re
import runpy
from pathlib import Path

import pytest

import skstat
from calibration.false_alarms import MEASURED, SITUATIONS, counted, table
from skstat import compare_scores
from tests.cases import text_of
from tests.report.built import columns, over_datasets

ROOT = Path(skstat.__file__).parents[1]
WEIGHTS = ["Invalid", "Weak", "Note"]  # the heaviest first
CODE = r"SKS\d{3}"


def explained(capsys, *code):
    skstat.explain(*code)
    return capsys.readouterr().out


def test_every_case_of_every_doubt_is_explained(capsys):
    blocks = explained(capsys).split("\n\n")
    assert [block.split(":")[0] for block in blocks] == WEIGHTS
    every = re.findall(rf"  ({CODE}) (.+)", "\n".join(blocks))
    assert len({code for code, _ in every}) == len(every) > 40
    advised, named = [], set()
    for weight, block in zip(WEIGHTS, blocks, strict=True):
        own = re.findall(CODE, block)
        assert own == sorted(own)
        for code in own:
            text = explained(capsys, code.lower())
            title, *said = text.rstrip().split("\n\n")
            assert tuple(title.split(" ", 1)) in every
            assert max(map(len, text.splitlines())) <= 88
            # The documentation's roles and marks are taken out.
            assert not re.search(r"`|:\w+:|~", text)
            assert said[0].startswith(f"{weight}: ")
            cases = [one for one in said if not re.match(r"(Invalid|Weak|Note):|It is", one)]
            for when, to_do in zip(cases[::2], cases[1::2], strict=True):
                assert re.fullmatch(r"(Raised when:|\d\.( \(\w+\))?) .*\.", when, re.DOTALL)
                action, advice = " ".join(to_do.split()).removeprefix("To do: ").split(". ", 1)
                assert action[0].islower() and len(action) <= 70 and advice.endswith(".")
                advised.append(advice)
            named |= set(re.findall(CODE, text))
    assert named == {code for code, _ in every}  # none is named that does not exist
    # Doubts of one case are told together, and it is known by its words.
    assert len(set(advised)) == len(advised)


@pytest.mark.parametrize(
    "code, hint", [("SKS1O2", "did you mean SKS1.. or"), ("x", "`skstat explain` lists all")]
)
def test_explain_knows_what_was_meant(code, hint):
    with pytest.raises(ValueError, match=f"no doubt of the code '{code}'; {hint}"):
        skstat.explain(code)


def test_the_page_has_a_section_for_every_doubt(tmp_path, capsys):
    page = tmp_path / "doubts.rst"
    runpy.run_path(str(ROOT / "docs" / "_generate.py"))["write_doubts"](page)
    text = page.read_text(encoding="utf-8")
    listed = re.findall(CODE, explained(capsys))
    assert re.findall(rf":ref:`({CODE}) <sks\d+>`\n     - ", text) == listed
    assert re.findall(rf"^\.\. _sks\d+:\n\n({CODE}): ", text, re.MULTILINE) == sorted(listed)
    assert "pass ``strata=y_true``" in text
    assert '"""' not in text  # the rules are shown without their words


def test_a_doubt_says_what_to_do_and_is_stored():
    scores = {"a": [1.0, 2, 3], "b": [1.0, 1, 1]}
    report = compare_scores(scores, unit="split", test="paired_t")
    doubt = report.doubts[0]
    assert (doubt.code, doubt.weight) == ("SKS101", "invalid")
    assert doubt.action == "use the default test"
    assert doubt.advice.startswith("Keep this one only to show")
    assert str(doubt) == f"SKS101 {doubt.title}: {doubt.text} -> use the default test"
    for form in (report.to_text(), report.to_html(), report.to_markdown()):
        assert "use the default test" in form and "https://" not in form  # no page is online
    assert skstat.report_from_dict(json.loads(report.to_json())).doubts == report.doubts
    with pytest.raises(ValueError, match="'heavy' is not one of invalid, weak, note"):
        skstat.report.Doubt(code="SKS101", title="t", text="x.", weight="heavy")


def test_the_heaviest_come_first_then_by_code():
    report = over_datasets(columns(9, "PQR"), test="conover")
    found = [f"{doubt.code} {doubt.weight}" for doubt in report.doubts]
    assert found == ["SKS107 weak", "SKS126 invalid", "SKS126 weak"]
    for form in (report.details, report.to_html(), report.to_markdown()):
        said = " ".join(form.split())
        places = map(said.rindex, ("holds its level", "data sets are few", "depends also on"))
        assert sorted(places := list(places)) == places


@pytest.mark.parametrize("names", [*itertools.permutations("PQR")])
def test_a_doubt_does_not_depend_on_the_order_of_names(names):
    scores = columns(30, "PQR") | {"S": columns(30, "PQR")["P"]}
    report = over_datasets({name: scores[name] for name in (*names, "S")})
    text = text_of(report, "SKS201")
    assert text.startswith("P and S: both score the same on every data set")
    assert "The same holds" not in text


# --- doubts are seldom raised where nothing is wrong ---

COUNTS = json.loads(MEASURED.read_text(encoding="utf-8"))


def test_every_situation_was_counted_and_nothing_but_notes_is_raised_often(capsys):
    known = set(re.findall(CODE, explained(capsys)))
    assert list(COUNTS) == list(SITUATIONS)
    for name, found in COUNTS.items():
        n, heaviest, codes = found["reports"], found["heaviest"], set(found["doubts"])
        assert n == SITUATIONS[name].replications == sum(heaviest.values())
        assert set(heaviest) <= {"weak", "note", "none"} and codes <= known
        # What the caller asked for by name is always told: pairs by mean ranks.
        assert "SKS126" in codes or heaviest.get("weak", 0) <= 0.1 * n, name


@pytest.mark.long(keep=1)
@pytest.mark.parametrize(
    "name",
    ["scores of 20 seeds, four systems", "predictions, 300 rows sorted by class, accuracy"],
)
def test_the_counts_are_those_of_today(name):
    found = counted(only=name)
    assert found[name] == COUNTS[name]
    assert table({name: found[name]}).startswith(f"{COUNTS[name]['reports']} reports in 1 ")
