"""Build archive and wheel, install each into an environment of its own, and try it.

    python tools/check_package.py

Run by ``make package``, by the Python that has `build`. The archive also runs a part of its
own tests, from its own files, by the newest Python there is and without pandas.
"""

import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from concurrent.futures import ThreadPoolExecutor
from email.parser import HeaderParser
from pathlib import Path

from release import ROOT, release, version_of

SMOKE = """
import skstat
report = skstat.compare_scores({"a": [.9, .8, .85, .7, .95], "b": [.8, .7, .8, .6, .9]},
                               unit="dataset", scoring="accuracy")
assert "site-packages" in skstat.__file__, skstat.__file__
assert str(report) and report.to_html() and report.to_bibtex()
several = skstat.compare_scores({name: [.9, .8, .85, .7, skill] for name, skill in
                                 (("a", .95), ("b", .9), ("c", .8))}, unit="dataset")
assert skstat.report_from_dict(several.to_dict()).to_dict() == several.to_dict()
"""
# What reads files beside the package, what computes, and what reports.
QUICK = ("tests/test_release.py", "tests/report")
EXAMPLE = ("https://example.org/team/project", "https://example.org/pages/stable")


def run(*command, **options):
    """Run a command, and stop with what it printed if it fails."""
    done = subprocess.run(
        [str(part) for part in command],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options,
    )  # fmt: skip
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stdout}")
    return done.stdout


def newest():
    """Find the newest Python there is, for which there are the newest versions of all else."""
    for minor in range(20, sys.version_info[1], -1):
        found = shutil.which(f"python3.{minor}")
        if found and not subprocess.run([found, "-c", ""], capture_output=True).returncode:
            return found
    return sys.executable


def environment(folder):
    """Make an empty environment, and return its folder of programs."""
    run(newest(), "-m", "venv", folder)
    return folder / ("Scripts" if os.name == "nt" else "bin")


def install_and_try(what, folder, *more):
    """Install a file into an empty environment, and try what a user does first."""
    programs = environment(folder)
    run(programs / "python", "-m", "pip", "install", "-q", what, *more)
    # Away from the checkout, and without its path: what is imported is what was installed.
    apart = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    printed = run(programs / "skstat", "--version", cwd=folder, env=apart)
    if printed != f"skstat {version_of(ROOT)}\n":
        sys.exit(f"skstat --version of {what.name} printed {printed!r}")
    run(programs / "python", "-c", SMOKE, cwd=folder, env=apart)
    return programs


def built(root, folder, *kinds):
    """Build distributions, and return the files."""
    run(sys.executable, "-m", "build", *kinds, "--outdir", folder, root)
    return sorted(folder.iterdir())


def check_wheel(wheel, room):
    """Try the wheel, which must hold the package and nothing else."""
    with zipfile.ZipFile(wheel) as archive:
        tops = {name.split("/")[0] for name in archive.namelist()}
    if tops != {"skstat", f"skstat-{version_of(ROOT)}.dist-info"}:
        sys.exit(f"{wheel.name} holds {sorted(tops)}")
    install_and_try(wheel, room / "from-wheel")
    return f"{wheel.name}: installs and compares"


def check_archive(archive, room):
    """Try the archive, and a part of its tests where it was unpacked."""
    programs = install_and_try(
        archive, room / "from-archive", "hypothesis", "pytest", "pyyaml", "matplotlib"
    )
    with tarfile.open(archive) as packed:
        packed.extractall(room / "unpacked", filter="data")
    (root,) = (room / "unpacked").iterdir()
    apart = os.environ | {"PYTHONPATH": str(root), "MPLBACKEND": "agg"}
    said = run(
        programs / "python", "-m", "pytest", "-q", "-p", "no:cacheprovider",
        "-m", "not long and not lint", *QUICK, cwd=root, env=apart,
    )  # fmt: skip
    return f"{archive.name}: installs, compares; its own tests: {said.splitlines()[-1]}"


def check_published(room):
    """Build from a copy with addresses of an example, and read what an index would show."""
    root = release(*EXAMPLE, room / "published")
    (wheel,) = built(root, room / "published-dist", "--wheel")
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (each for each in archive.namelist() if each.endswith("/METADATA"))
        told = HeaderParser().parsestr(archive.read(name).decode())
    urls = dict(each.split(", ") for each in told.get_all("Project-URL"))
    page = told.get_payload()
    if urls["Documentation"] != EXAMPLE[1] or f"({EXAMPLE[1]}/_static/readme.png)" not in page:
        sys.exit(f"the wheel with addresses says {urls}")
    if "](docs/" in page:
        sys.exit("the README of the wheel with addresses has links without an address")
    return f"with addresses: {', '.join(urls)}"


def main():
    """Build, and try all at the same time: installing waits for the network."""
    with tempfile.TemporaryDirectory() as name, ThreadPoolExecutor() as pool:
        room = Path(name)
        dist = ROOT / "dist"
        dist.mkdir(exist_ok=True)
        for old in dist.iterdir():
            old.unlink()
        published = pool.submit(check_published, room)
        archive, wheel = sorted(built(ROOT, dist), key=lambda path: path.suffix)
        checks = [
            pool.submit(check_archive, archive, room),
            pool.submit(check_wheel, wheel, room),
            published,
        ]
        for check in checks:
            print(check.result())


if __name__ == "__main__":
    main()
