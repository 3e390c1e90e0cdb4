"""How Sphinx builds the documentation. Nothing here needs a network."""

import gc
import os
import shutil
import sys
from pathlib import Path

HERE = Path(__file__).parent
# The pages describe the checkout they lie in, whatever else is installed.
sys.path[:0] = [str(HERE), str(HERE.parent)]

import _calibration  # noqa: E402
import _calibration_losses  # noqa: E402
import _choosing  # noqa: E402
import _command_line  # noqa: E402
import _front_page  # noqa: E402
import _generate  # noqa: E402
import _llms  # noqa: E402

import skstat  # noqa: E402
from skstat import _site  # noqa: E402

# MLflow, which an example logs to, would tell its makers, and the page when it was built.
os.environ |= {"MLFLOW_DISABLE_TELEMETRY": "true", "MLFLOW_LOGGING_LEVEL": "WARNING"}

project = "skstat"
author = "The skstat developers"
copyright = f"2026, {author}"
version = release = skstat.__version__

extensions = [
    "_page_picture",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.extlinks",
    "sphinx_gallery.gen_gallery",
]
exclude_patterns = [
    "_build", "_static", "_templates", "tutorials", "questions", "examples_header.rst",
]  # fmt: skip
templates_path = ["_templates"]
default_role = "literal"

autosummary_generate = True
# Measured rates stand on the page of their function (_templates/autosummary/base.rst).
autosummary_context = {"measured": _calibration.rates_by_function()}
autodoc_typehints = "none"  # numpydoc sections name the types
autodoc_member_order = "groupwise"
toc_object_entries_show_parents = "hide"
numpydoc_show_class_members = False  # the template of a class lists them
extlinks = {"doi": ("https://doi.org/%s", "doi:%s")}

# The examples run in a copy: they write files, and the checkout stays clean.
examples = HERE / "_build" / "examples"
shutil.rmtree(examples, ignore_errors=True)
shutil.copytree(HERE.parent / "examples", examples)
shutil.copy(HERE / "examples_header.rst", examples / "GALLERY_HEADER.rst")
sphinx_gallery_conf = {
    "examples_dirs": ["_build/examples", "tutorials", "questions"],
    "gallery_dirs": ["gallery", "gallery/tutorials", "gallery/questions"],
    "filename_pattern": "",  # run every script
    "within_subsection_order": "_gallery.ByQuestion",
    "run_stale_examples": True,  # the script may be old and the library new
    "abort_on_example_error": True,
    "image_scrapers": ("matplotlib",),
    "capture_repr": ("_repr_html_",),  # what a display or an axis is called says nothing
    "prefer_full_module": {"skstat"},
    "download_all_examples": False,
    "show_signature": False,
    "min_reported_time": 60,
    "write_computation_times": False,
    "remove_config_comments": True,
}

html_theme = "pydata_sphinx_theme"
html_title = "skstat"
html_baseurl = _site.SITE or ""
html_static_path = ["_static"]
html_extra_path = ["llms.txt"]
html_css_files = ["skstat.css"]
html_show_sourcelink = False
html_sidebars = {"index": []}
html_theme_options = {
    "navigation_with_keys": False,
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": ["copyright"],
    "footer_end": [],
    "icon_links": [
        {"name": "Source", "url": address, "icon": "fa-solid fa-code"}
        for address in filter(None, [_site.REPOSITORY])
    ],
}


def leave_out_fields(app, what, name, member, skip, options):
    """Leave out fields of named tuples: the docstring of the class describes them."""
    return True if type(member).__name__ == "_tuplegetter" else None


def setup(app):
    """Write the generated pages, and hold the reference to what is public."""
    app.connect("autodoc-skip-member", leave_out_fields)
    _generate.write_doubts(HERE / "doubts.rst")
    _choosing.write_guide(HERE / "choosing_table.inc", HERE.parent / "examples")
    _command_line.write_options(HERE / "command_line_options.inc")
    _command_line.write_examples(HERE)
    _front_page.write_front_page(HERE / "front_report.inc", HERE / "_static")
    _front_page.write_questions(HERE / "front_questions.inc", HERE)
    _generate.write_formats(HERE / "logs_formats.inc")
    _generate.write_floors(HERE / "support_floors.inc", HERE.parent / "pyproject.toml")
    _generate.write_references(HERE / "references_works.inc")
    _generate.write_evidence(
        HERE / "evidence_r.inc", HERE.parent / "tests" / "reference" / "README.md"
    )
    _generate.write_rooms(HERE / "rooms.inc", HERE / "contracts.inc", HERE.parent)
    _calibration.write_tables(HERE)
    _calibration_losses.write_tables(HERE)
    _llms.write_llms(HERE / "llms.txt", HERE)
    _generate.check_reference(HERE / "api.rst")
    _generate.remove_unlisted(HERE / "api", HERE / "api.rst")
    gc.freeze()  # the gallery collects garbage after every example
