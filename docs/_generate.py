"""Pages made from the code, and a check that the reference misses nothing."""

import ast
import inspect
import json
import re
import tomllib
from collections import Counter
from pathlib import Path

import skstat
from skstat import display, stats
from skstat.io._formats import FORMATS
from skstat.report._doubts import CATALOGUE
from skstat.report._terms import WEIGHTS
from skstat.stats._procedure import declared
from skstat.stats._procedure import works as literature

FALSE_ALARMS = (
    Path(__file__).parents[1] / "calibration" / "results" / "false_alarms" / "counts.json"
)
_HEAD = """\
.. This page is generated from the doubts of skstat.report.

Doubts
======

A doubt is a reason to trust a conclusion less. A report lists those that apply, each with a
code, what was found and what to do about it. A doubt does not change the numbers of the
report. A report without doubts is not proof that all is well: only what skstat can see is
checked.

Every doubt has a weight.

- **Invalid**: the p-value or the interval does not mean what it says.
- **Weak**: less can be concluded than it looks, or another design would tell more.
- **Note**: worth knowing; nothing is wrong.

The same texts are there without this page: ``skstat explain SKS102`` on the command line,
``skstat.explain("SKS102")`` in Python, and ``doubt.advice`` of an entry of ``report.doubts``.
A code may be raised in several cases, each with a weight and a remedy of its own. Codes stay
the same from version to version, so that they can be searched for and cited.
"""

# By the first digit of the code.
_SUBJECTS = {
    "1": "The design: splits, units, learners",
    "2": "The differences and the verdict",
    "3": "The baseline",
    "4": "Repeating the run",
    "5": "Several questions at once",
    "6": "How good one estimator is",
}


def write_doubts(page: Path) -> None:
    """Write lists of all doubts by weight, then a section for each by its subject.

    The anchor of a section is the code in lower case.
    """
    blocks = [_HEAD, *map(_doubts_of_weight, WEIGHTS), _false_alarms()]
    for digit, subject in _SUBJECTS.items():
        blocks.append(f"\n{subject}\n{'-' * len(subject)}\n")
        blocks += [_section(kind) for kind in _kinds() if kind.code[3] == digit]
    strange = [code for code in CATALOGUE if code[3] not in _SUBJECTS]
    if strange:
        raise ValueError(f"docs/_generate.py has no subject for {', '.join(strange)}.")
    _write(page, "\n".join(blocks))


def _kinds():
    return [CATALOGUE[code] for code in sorted(CATALOGUE)]


def _doubts_of_weight(weight: str) -> str:
    kinds = [kind for kind in _kinds() if kind.weight == weight]
    lines = [f".. rubric:: {weight.capitalize()}\n", ".. list-table::\n   :widths: 12 44 44\n"]
    for kind in kinds:
        actions = "; ".join(dict.fromkeys(_as_code(rule.action) for rule in kind.rules))
        lines.append(_row((f":ref:`{kind.code} <{kind.code.lower()}>`", kind.title, actions)))
    return "\n".join([*lines, ""])


def _false_alarms() -> str:
    """Write how often doubts are raised where nothing is wrong, as it was counted."""
    found = json.loads(FALSE_ALARMS.read_text(encoding="utf-8"))
    total = sum(each["reports"] for each in found.values())
    heaviest: Counter[str] = Counter()
    raised: Counter[str] = Counter()
    for each in found.values():
        heaviest.update(each["heaviest"])
        raised.update(each["doubts"])
    share = {weight: f"{100 * heaviest[weight] / total:.1f} %" for weight in WEIGHTS}
    most = ", ".join(
        f":ref:`{code} <{code.lower()}>` {100 * n / total:.1f} %"
        for code, n in raised.most_common()
    )
    return f"""
.. rubric:: Where nothing is wrong

In {total} reports of default calls on {len(found)} kinds of sound data, the heaviest doubt was
*invalid* in {share["invalid"]}, *weak* in {share["weak"]} and a *note* in {share["note"]}
(``python -m calibration.false_alarms``): {most}. All others were never raised.
"""


def _as_code(action: str) -> str:
    """Mark arguments as code, whose quotation marks are to stay straight."""
    return re.sub(r"\b\w+=(?:'[^']*'|\w*)", r"``\g<0>``", action)


def _section(kind) -> str:
    title = f"{kind.code}: {kind.title}"
    more = f"\nMore: :doc:`/{kind.page}`.\n" if kind.page else ""
    cases = "\n".join(map(_case, kind.rules))
    return f"""
.. _{kind.code.lower()}:

{title}
{"~" * len(title)}
{cases}{more}"""


def _case(rule) -> str:
    when, advice = rule.words
    source = inspect.getsource(rule.check)
    source = re.sub(
        r'\n    """.*?"""', "", source[source.index("def ") :], count=1, flags=re.DOTALL
    )
    shown = "\n".join(f"   {line}".rstrip() for line in source.split("\n"))
    return f"""
**{rule.weight.capitalize()}**, raised when: {when}

**To do.** {_as_code(rule.action[0].upper() + rule.action[1:])}. {advice}

.. raw:: html

   <details><summary>The rule and its sentence in the code</summary>

.. code-block:: python

{shown.rstrip()}

.. raw:: html

   </details>
"""


def _row(cells) -> str:
    lines = []
    for number, cell in enumerate(cells):
        first, *rest = cell.split("\n")
        lines.append(f"   {'*' if number == 0 else ' '} - {first}".rstrip())
        lines += [f"       {line}".rstrip() for line in rest]
    return "\n".join(lines)


def write_formats(page: Path) -> None:
    """Write what each format of results is read as, as the formats say themselves."""
    blocks = []
    for known in FORMATS:
        title = f"``{known.name}``"
        facts = re.sub(r"\n +", " ", (inspect.getdoc(known.read) or "").partition("\n\n")[2])
        # Only the first letter: names such as HELM and files stay as they are.
        of = known.of[0].upper() + known.of[1:]
        of = re.sub(r"_(?=\W|$)", r"\\_", of)  # else a link
        blocks.append(f"{title}\n{'~' * len(title)}\n\n{of}.\n\n{facts}\n")
    _write(page, "\n".join(blocks))


def write_floors(page: Path, project: Path) -> None:
    """Write the oldest versions that are supported, as the package declares them."""
    declared_there = tomllib.loads(project.read_text(encoding="utf-8"))["project"]
    optional = declared_there["optional-dependencies"].items()
    lines = [f"- Python {declared_there['requires-python'].removeprefix('>=')}"]
    lines += [f"- {need.replace('>=', ' ')}" for need in declared_there["dependencies"]]
    lines += [
        f"- {need.split(';')[0].replace('>=', ' ')}, for ``skstat[{extra}]``"
        for extra, needs in optional
        for need in needs
        if not need.startswith("skstat")
    ]
    _write(page, "\n".join([*lines, ""]))


# Fields of BibTeX that say where a work was published.
_VENUES = ("journal", "booktitle", "school", "howpublished", "publisher")


def write_references(page: Path) -> None:
    """Write all works that the package cites, each with the functions that go back to it."""
    cited_by: dict[str, list[str]] = {}
    for name in stats.__all__:
        for work in declared(getattr(stats, name)).references:
            cited_by.setdefault(work.key, []).append(f":func:`~skstat.stats.{name}`")
    works = sorted(
        vars(literature).values(), key=lambda work: (work.fields["author"], work.fields["year"])
    )
    lines = []
    for work in works:
        known = work.fields
        venue = next(known[name] for name in _VENUES if name in known)
        number = f"({known['number']})" if "number" in known else ""
        where = " ".join(filter(None, [known.get("volume"), number]))
        pages = known.get("pages", "").replace("--", "-")
        place = ", ".join(filter(None, [f"*{venue}*", where, pages]))
        doi = f" :doi:`{known['doi']}`." if "doi" in known else ""
        title = known["title"] if known["title"].endswith("?") else f"{known['title']}."
        authors, used = known["author"].split(" and "), ", ".join(cited_by.get(work.key, ()))
        lines.append(f"- {', '.join(authors)} ({known['year']}). {title} {place}.{doi} {used}")
    _write(page, "\n".join(lines) + "\n")


def write_evidence(page: Path, readme: Path) -> None:
    """Write which procedures are held to numbers from R, as the folder of the tests says."""
    rows = re.findall(
        r"^\| `(.+?)`\s*\| (.+?)\s*\| (.+?)\s*\|$", readme.read_text(encoding="utf-8"), re.M
    )
    lines = [".. list-table::\n   :header-rows: 1\n   :widths: 45 35 20\n"]
    lines.append(_row(("Procedures", "Checked against", "Script")))
    for script, procedures, source in rows:
        named = re.sub(r"`(\w[\w.]*)`", r":obj:`~skstat.stats.\1`", procedures)
        code = re.sub(r"`([^`]+)`", r"``\1``", source)
        lines.append(_row((named, code, f"``{script}``")))
    _write(page, "\n".join(lines) + "\n")


def write_rooms(rooms: Path, contracts: Path, root: Path) -> None:
    """Write what the faces say of their rooms, and which may import which."""
    settings = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    held = settings["tool"]["importlinter"]["contracts"]
    packages = [name for layer in held[0]["layers"] for name in layer.split(" | ")]
    lines = []
    for package in (root.joinpath(*name.split(".")) for name in packages):
        if package.is_dir():
            lines += [f"``skstat/{package.name}``: {_said_of(package)}", ""]
            faces = sorted(package.glob("_*/__init__.py"))
            lines += [f"- ``{face.parent.name}``: {_said_of(face.parent)}" for face in faces]
            lines.append("")
    _write(rooms, "\n".join(lines))
    _write(contracts, "\n".join(f"- {_contract(contract)}" for contract in held) + "\n")


def _said_of(package: Path) -> str:
    face = ast.parse((package / "__init__.py").read_text(encoding="utf-8"))
    return " ".join(str(ast.get_docstring(face)).split("\n\n")[0].split())


def _contract(contract) -> str:
    if contract["type"] == "layers":
        layers = " > ".join(contract["layers"]).replace("skstat.", "")
        inside = "".join(f" in ``{name}``" for name in contract.get("containers", ()))
        return f"{contract['name']}{inside}: ``{layers}``."
    names = ", ".join(f"``{name}``" for name in contract["source_modules"])
    return f"{contract['name']}: {names} without {', '.join(contract['forbidden_modules'])}."


def _write(page: Path, text: str) -> None:
    if not page.exists() or page.read_text(encoding="utf-8") != text:
        page.write_text(text, encoding="utf-8")


def check_reference(page: Path) -> None:
    """Stop the build when a public name is missing from the reference."""
    listed = _listed(page)
    public = [
        f"{package.__name__}.{name}"
        for package in (skstat, stats, display)
        for name in package.__all__
        if not inspect.ismodule(getattr(package, name))
    ]
    missing = [name for name in public if name not in listed]
    if missing:
        raise ValueError(f"docs/api.rst does not list {', '.join(missing)}.")


def remove_unlisted(folder: Path, page: Path) -> None:
    """Remove what an earlier build wrote about names that the reference no longer lists."""
    listed = _listed(page)
    for path in folder.glob("*.rst"):
        if path.stem not in listed:
            path.unlink()


def _listed(page: Path) -> set[str]:
    listed, module = set(), ""
    for line in page.read_text(encoding="utf-8").splitlines():
        if directive := re.fullmatch(r"\.\. (?:current)?module:: (\S+)", line):
            module = directive[1]
        elif line.strip().isidentifier():
            listed.add(f"{module}.{line.strip()}")
    return listed
