"""Write a copy of the project that names its addresses, ready to be built and published.

    python tools/release.py REPOSITORY DOCUMENTATION FOLDER

The checkout names no address, so that nothing links to a page that does not exist. This
writes them into a copy: skstat/_site.py, pyproject.toml, README.md, CITATION.cff, SECURITY.md,
CHANGELOG.md and the front page. A place that is not found is an error: nothing is left out
silently. Python alone is needed.
"""

import argparse
import datetime
import re
import shutil
import sys
from pathlib import Path
from urllib.parse import urlsplit

ROOT = Path(__file__).resolve().parents[1]
# What is made from the rest, or belongs to one machine.
LEFT_OUT = shutil.ignore_patterns(
    ".git", ".venv*", "__pycache__", ".*_cache", ".hypothesis", "*.egg-info",
    "_build", "build", "dist",
)  # fmt: skip
# The target of a Markdown link or picture that is a file of the repository.
RELATIVE = re.compile(r"(?<=\]\()(?!https?:|mailto:|#)([^)\s#]+)")


def version_of(root):
    """Return the version of a checkout, which stands in one place."""
    text = (root / "skstat" / "__init__.py").read_text(encoding="utf-8")
    return re.search(r'^__version__ = "(.+)"$', text, re.MULTILINE)[1]


def web_address(text):
    """Return an address without a slash at its end, or say what is wrong with it."""
    parts = urlsplit(text)
    if parts.scheme != "https" or not parts.hostname or parts.query or parts.fragment:
        raise argparse.ArgumentTypeError(
            f"{text!r} is not an address such as https://host/path"
        )
    if re.search(r"[\s\"'\\()<>]", text):
        raise argparse.ArgumentTypeError(f"{text!r} has characters that an address cannot have")
    return text.rstrip("/")


def absolute(text, repository, docs, version):
    """Return Markdown whose links lead to the web, as a package index needs them."""

    def target(found):
        path = found[1]
        if path.startswith("docs/_static/"):
            return f"{docs}/{path.removeprefix('docs/')}"
        if path.startswith("docs/") and path.endswith(".rst"):
            return f"{docs}/{path.removeprefix('docs/').removesuffix('.rst')}.html"
        return f"{repository}/blob/v{version}/{path}"

    return RELATIVE.sub(target, text)


def places(repository, docs, version, released):
    """Return what is written where: a file, what stands there, and what is put in its place."""
    urls = {
        "Documentation": docs,
        "Source": repository,
        "Issues": f"{repository}/issues",
        "Changelog": f"{repository}/blob/v{version}/CHANGELOG.md",
    }
    table = "".join(f'{name} = "{address}"\n' for name, address in urls.items())
    return [
        ("skstat/_site.py", "SITE: str | None = None\n", f'SITE: str | None = "{docs}"\n'),
        (
            "skstat/_site.py",
            "REPOSITORY: str | None = None\n",
            f'REPOSITORY: str | None = "{repository}"\n',
        ),
        (
            "pyproject.toml",
            "[project.scripts]\n",
            f"[project.urls]\n{table}\n[project.scripts]\n",
        ),
        (
            "CITATION.cff",
            f"version: {version}\n",
            f'version: {version}\ndate-released: "{released}"\n'
            f'repository-code: "{repository}"\nurl: "{docs}"\n',
        ),
        ("CHANGELOG.md", f"## {version}\n", f"## {version} ({released})\n"),
        ("docs/index.rst", "pip install .  ", "pip install skstat  "),
        ("docs/index.rst", '".[all]"', '"skstat[all]"'),
        ("docs/index.rst", "# a checkout, Python", "# Python"),
    ]


def release(repository, docs, folder, released=None, root=ROOT):
    """Write the copy, and return its folder."""
    folder = Path(folder)
    released = released or datetime.date.today().isoformat()
    version = version_of(root)
    shutil.copytree(root, folder, ignore=LEFT_OUT)
    for name, before, after in places(repository, docs, version, released):
        change(folder / name, before, after)
    change(
        folder / "SECURITY.md",
        re.compile("<!-- address: -->.*<!-- :address -->", re.DOTALL),
        f'Use the private report form of {repository}\n(under "Security"), or write to a '
        "maintainer there.",
    )
    readme = folder / "README.md"
    text = readme.read_text(encoding="utf-8")
    readme.write_text(absolute(text, repository, docs, version), encoding="utf-8")
    return folder


def change(path, before, after):
    """Change a text that stands in a file once."""
    text = path.read_text(encoding="utf-8")
    pattern = before if isinstance(before, re.Pattern) else re.compile(re.escape(before))
    found = len(pattern.findall(text))
    if found != 1:
        raise SystemExit(
            f"{path.name}: {pattern.pattern!r} stands there {found} times, not once"
        )
    path.write_text(pattern.sub(lambda _: after, text), encoding="utf-8")


def main(arguments=None):
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("repository", type=web_address, help="https address of the repository")
    parser.add_argument("documentation", type=web_address, help="https address of the pages")
    parser.add_argument("folder", type=Path, help="where the copy is written; must not exist")
    given = parser.parse_args(arguments)
    folder = given.folder.resolve()
    if folder.exists():
        parser.error(f"{given.folder} exists; name a folder that does not")
    if folder.is_relative_to(ROOT):
        parser.error(f"{given.folder} is inside the checkout, and would be copied into itself")
    release(given.repository, given.documentation, folder)
    print(f"{given.folder}: version {version_of(folder)}, ready for `python -m build`")


if __name__ == "__main__":
    sys.exit(main())
