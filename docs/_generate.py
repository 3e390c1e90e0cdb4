"""Pages made from the code, and a check that the reference misses nothing."""

import inspect
import re
from pathlib import Path

import skstat
from skstat import display, stats
from skstat.report import DOUBTS
from skstat.report._table_doubts import NEW_TABLE_DOUBTS

_HEAD = """\
.. This page is generated from the doubts of skstat.report.

Doubts
======

A doubt is a reason to trust a conclusion less. A report lists those that apply, each
with a code. The codes stay the same from version to version, so that they can be
searched for and cited. A doubt does not change the numbers of the report. A report
without doubts is not proof that all is well: only what skstat can see is checked.

The first digit says what the doubt is about.

==========  ==========================================
``SKS1..``  the design: splits, units, learners
``SKS2..``  the differences themselves
``SKS3..``  the baseline
``SKS4..``  repeating the run
``SKS5..``  several questions at once
==========  ==========================================
"""


def write_doubts(page: Path) -> None:
    """Write one section per doubt, with its code in lower case as anchor."""
    kinds = sorted((*DOUBTS, *NEW_TABLE_DOUBTS), key=lambda kind: kind.code)
    text = "\n".join([_HEAD, *map(_section, kinds)])
    if not page.exists() or page.read_text(encoding="utf-8") != text:
        page.write_text(text, encoding="utf-8")


def _section(kind) -> str:
    title = f"{kind.code}: {kind.title}"
    rule = "\n".join(f"   {line}".rstrip() for line in inspect.getsource(kind.find).split("\n"))
    return f"""
.. _{kind.code.lower()}:

{title}
{"-" * len(title)}

**Raised when.** {kind.when}

**What to do.** {kind.advice}

.. raw:: html

   <details><summary>The rule and its sentence in the code</summary>

.. code-block:: python

{rule.rstrip()}

.. raw:: html

   </details>
"""


def check_reference(page: Path) -> None:
    """Stop the build when a public name is missing from the reference."""
    listed, module = set(), ""
    for line in page.read_text(encoding="utf-8").splitlines():
        if directive := re.fullmatch(r"\.\. (?:current)?module:: (\S+)", line):
            module = directive[1]
        elif line.strip().isidentifier():
            listed.add(f"{module}.{line.strip()}")
    public = [
        f"{package.__name__}.{name}"
        for package in (skstat, stats, display)
        for name in package.__all__
        if not inspect.ismodule(getattr(package, name))
    ]
    missing = [name for name in public if name not in listed]
    if missing:
        raise ValueError(f"docs/api.rst does not list {', '.join(missing)}.")
