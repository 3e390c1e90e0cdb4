"""Logs of Inspect (inspect_ai): `.eval` archives and `.json` files."""

import math
import re
import struct
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from importlib import import_module
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from skstat.io._formats import records
from skstat.io._formats.records import Entry, Format, Given
from skstat.io._results import Results, ResultsError
from skstat.io._table import read_number

_GRADES = {"C": 1.0, "I": 0.0, "P": 0.5, "N": 0.0}
_WORDS = {"yes": 1.0, "true": 1.0, "no": 0.0, "false": 0.0}
_ARCHIVE = "PK\x03\x04"
# A file of the one name, or JSON that has these keys at its start.
_LOOKS = re.compile(
    r".+\.(?i:eval)\n|"
    r'(?s:(?=.*"version")(?=.*"status")(?=.*"eval")(?=.*"task_id")).*\n\s*\{'
)
_JOURNAL = re.compile(r"_journal/summaries/(\d+)\.json")
_SAMPLE = re.compile(r"samples/.+_epoch_\d+(/sample)?\.json")
# What one member, and all that are read, may unpack to.
MEMBER_LIMIT = 1 << 29
TOTAL_LIMIT = 1 << 31
_ZSTANDARD = 93
# The head of a member: a signature, and at the end the lengths of its name and extra field.
_MEMBER_HEAD = struct.Struct("<4s5H3L2H")
_WINDOW = 1 << 27
# Summaries keep so much of a text, and mark what they cut.
_KEPT = 5120
_CUT = "...\n(content truncated)"


def read_inspect(given: Given) -> list[Results]:
    """Read one log, or the logs of a folder: models on tasks.

    :system: The model. A folder has logs of several, and of several tasks; of a run that was
        tried again, the log that succeeded.
    :item: The sample's id, paired by its input and target too. In a folder of several tasks,
        task and id.
    :repeat: The epoch.
    :scores: One per scorer, and one per value where a scorer gives several (``style.words``).
        Grades and words become numbers as in Inspect: ``C`` is 1, ``P`` 0.5, ``I`` and ``N`` 0,
        yes and true 1, no and false 0. A sample that failed or has no score is missing. What is
        not a number is left out, where Inspect counts it as 0.
    :columns: Metadata of the samples: numbers and short texts. In a folder of several tasks,
        the task.
    :refused: Runs that did not succeed or are invalidated (``allow='unfinished'``), other
        arguments of the task (``allow='settings'``).
    :objects: What ``inspect_ai.eval`` and ``read_eval_log`` return is read too.
    :needs: The package zstandard for logs that are packed with it, as Inspect does today,
        before Python 3.14: ``pip install skstat[logs]``.
    """
    is_folder = given.path is not None and given.path.is_dir()
    headers = _last_attempts(given) if is_folder else [(given, _header(given))]
    logs = [_log(each, header) for each, header in headers]
    several = len({log.task for log in logs}) > 1
    return records.results_by_system(
        logs, given, by_task=several, prefix="metadata_", number=_number
    )


def _last_attempts(folder: Given) -> Iterator[tuple[Given, Entry]]:
    """Yield the logs of a folder: a run that failed may have been tried again."""
    attempts = defaultdict(list)
    for path in _logs_in(Path(folder.where)):
        given = replace(folder, what=path)
        with records.reading(path):
            header = _header(given)
            about = header.part("eval")
            key = about.word("model"), about.text("task")
        rank = not _why_unfinished(header), about.text("created"), path
        attempts[key].append((rank, given, header))
    for (model, task), tried in attempts.items():
        finished = [path.name for (whole, _, path), *_ in tried if whole]
        if len(finished) > 1:
            raise ResultsError(
                f"{folder.where} holds {len(finished)} logs of {model!r} on {task!r} "
                f"({', '.join(finished)}): name those to be read."
            )
        _, given, header = max(tried, key=lambda attempt: attempt[0])
        yield given, header


def _why_unfinished(header: Entry) -> str:
    status = header.get("status", "started")
    if status != "success":
        return f"its scores are not final, of a run with the status {status!r}"
    return "it is marked as invalidated" if header.get("invalidated") is True else ""


def _log(given: Given, header: Entry) -> records.Log:
    with records.reading(given.where):
        given.refuse_unfinished(_why_unfinished(header))
        about = header.part("eval")
        # Of a sample that was tried again the last counts, in its place.
        rows: dict[tuple[str, str], records.Row] = {}
        for each in _samples(given, header):
            sample = Entry.of(each, "a sample")
            key = sample.word("id"), sample.word("epoch", 1)
            rows.pop(key, None)
            rows[key] = _row(sample)
        if not rows:
            unlogged = about.part("config").get("log_samples") is False
            why = ": it was made without log_samples" if unlogged else ""
            raise ValueError(f"it holds no samples{why}.")
        if not any(row.scores for row in rows.values()):
            raise ValueError("it holds samples without scores: it was not scored.")
        return records.Log(
            system=about.word("model"),
            rows=list(rows.values()),
            task=about.text("task"),
            version=about.get("task_version"),
            created=about.text("created"),
            run=about.text("eval_id") or about.text("task_id"),
            n_expected=about.part("dataset").count("samples"),
            settings={"task_args": about.get("task_args") or None},
        )


def _row(sample: Entry) -> records.Row:
    scores: dict[str, Any] = {}
    for name, score in sample.part("scores").items():
        scores |= _values(name, Entry.of(score, f"score of {name}").get("value"))
    question = (_as_summarised(sample.get(part)) for part in ("input", "target"))
    return records.Row(
        item=str(sample["id"]),
        scores=scores,
        repeat=str(sample.get("epoch", 1)),
        facts=sample.part("metadata"),
        content=records.digest(*question),
    )


def _values(scorer: str, value: Any) -> dict[str, Any]:
    """Return what a scorer gives; of several values each is a metric, as ``judge.style``."""
    if isinstance(value, Mapping):
        return {f"{scorer}.{key}": part for key, part in value.items()}
    if isinstance(value, list):
        return {f"{scorer}[{index}]": part for index, part in enumerate(value)}
    return {scorer: value}


def _number(value: Any) -> float | None:
    """Return a grade, an answer or a number as a number; None of anything else."""
    if not isinstance(value, str):
        return records.as_number(value)
    number = _GRADES.get(value, _WORDS.get(value.lower(), read_number(value)))
    return None if number is None or not math.isfinite(number) else number


class Archive(ZipFile):
    """A zip archive, whose members are read by name.

    Parameters
    ----------
    path : Path
        The file.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            super().__init__(path)
        except (BadZipFile, NotImplementedError, ValueError, struct.error, EOFError) as error:
            raise ResultsError(f"{path} is not a whole zip archive: {error}.") from error
        self.names = Counter(self.namelist())

    def unpacked(self, name: str, *, last: bool = False) -> bytes:
        """Return what a member holds.

        Parameters
        ----------
        name : str
            A member.
        last : bool, default=False
            Whether the last counts of several members of one name, which are refused else.

        Returns
        -------
        bytes
            Its content.
        """
        if self.names[name] > 1 and not last:
            raise ResultsError(f"{self.path} has two members called {name!r}.")
        member, where = self.getinfo(name), f"{self.path}, member {name!r}"
        if member.file_size > MEMBER_LIMIT:
            raise ResultsError(f"{where} says that it unpacks to over {MEMBER_LIMIT:,} bytes.")
        try:
            with self._opened(member, where) as unpacked:
                content = records.up_to(unpacked, member.file_size)
        except ResultsError:
            raise
        except Exception as error:  # damaged data: every unpacker has its own
            raise ResultsError(
                f"{where} is damaged: {error or type(error).__name__}."
            ) from error
        if len(content) > member.file_size:
            raise ResultsError(
                f"{where} unpacks to more than the {member.file_size:,} bytes that it says."
            )
        if len(content) != member.file_size or zlib.crc32(content) != member.CRC:
            raise ResultsError(f"{where} is damaged: its size or checksum is another.")
        return content

    def refuse_many(self, names: Iterable[str]) -> None:
        """Refuse members that say that they unpack to more than may be read, before any is."""
        if sum(self.getinfo(name).file_size for name in names) > TOTAL_LIMIT:
            raise ResultsError(f"{self.path} unpacks to more than {TOTAL_LIMIT:,} bytes.")

    def _opened(self, member: ZipInfo, where: str) -> Any:
        # Unpackers of other methods give back all that a piece expands to, at once.
        if member.compress_type in (ZIP_STORED, ZIP_DEFLATED):
            return self.open(member)
        if member.compress_type == _ZSTANDARD:
            return _zstandard(_packed(self.path, member), where)
        raise ResultsError(f"{where} is packed by method {member.compress_type}.")


def _packed(path: Path, member: ZipInfo) -> BytesIO:
    """Return the packed bytes of one member, as a file."""
    with path.open("rb") as file:
        file.seek(member.header_offset)
        signature, *_, n_name, n_extra = _MEMBER_HEAD.unpack(file.read(_MEMBER_HEAD.size))
        if signature != b"PK\x03\x04":
            raise BadZipFile("a member is not where the archive says")
        file.seek(n_name + n_extra, 1)
        return BytesIO(file.read(min(member.compress_size, MEMBER_LIMIT)))


def _zstandard(part: BytesIO, where: str) -> Any:
    """Unpack Zstandard by Python 3.14, or by zstandard."""
    with suppress(ImportError):
        zstd = import_module("compression.zstd")
        options = {zstd.DecompressionParameter.window_log_max: _WINDOW.bit_length() - 1}
        return zstd.ZstdFile(part, options=options)
    try:
        from zstandard import ZstdDecompressor
    except ImportError as error:
        raise ResultsError(f"{where} needs Zstandard: pip install zstandard.") from error
    unpacker = ZstdDecompressor(max_window_size=_WINDOW)
    return unpacker.stream_reader(part, read_across_frames=True)


def _header(given: Given) -> Entry:
    """Return what stands at the head of a log: of JSON all of it."""
    path = given.path
    if path is None:
        return Entry.of(given.what.model_dump(mode="json"), "the log")
    if not given.head.startswith(_ARCHIVE):
        if path.suffix.lower() == ".eval":
            raise ResultsError(f"{path} is not a whole zip archive: its start is missing.")
        return Entry.of(records.read_json(path), "the log")
    with Archive(path) as archive:
        # A run that has not come to its end has no header, but what it started with.
        for name in ("header.json", "_journal/start.json"):
            if name in archive.names:
                return Entry.of(_member(archive, name), name)
    raise ResultsError(f"{path} is a zip archive, but no log of Inspect.")


def _samples(given: Given, header: Entry) -> Iterator[Any]:
    """Yield the samples of a log, or their summaries."""
    if given.path is None or not given.head.startswith(_ARCHIVE):
        yield from header.listed("samples")
        return
    with Archive(given.path) as archive:
        names = archive.names
        journal = [match for name in names if (match := _JOURNAL.fullmatch(name))]
        summaries = [match[0] for match in sorted(journal, key=lambda each: int(each[1]))]
        summaries = ["summaries.json"] if "summaries.json" in names else summaries
        samples = [] if summaries else [name for name in names if _SAMPLE.fullmatch(name)]
        archive.refuse_many([*summaries, *samples])
        for name in summaries:
            yield from Entry(all=_member(archive, name)).listed("all")
        for name in samples:
            yield _member(archive, name, last=True)


def _member(archive: Archive, name: str, *, last: bool = False) -> Any:
    where, text = f"{archive.path}, member {name!r}", archive.unpacked(name, last=last)
    records.check_size(text, where)
    return records.parsed(text, where)


def _as_summarised(given: Any) -> Any:
    """What a summary keeps of an input or target, so that samples are equal to summaries."""
    if isinstance(given, str):
        return given.removesuffix(_CUT)[:_KEPT]
    if isinstance(given, list):
        return [_as_summarised(part) for part in given]
    if isinstance(given, dict) and "role" in given:
        return [records.text_of(given["role"]), _as_summarised(given.get("content"))]
    if isinstance(given, dict):
        kind = records.text_of(given.get("type"))
        return _as_summarised(given.get("text")) if kind == "text" else f"({kind.capitalize()})"
    return given


def _logs_in(folder: Path) -> list[Path]:
    paths = sorted(folder.iterdir())
    return [p for p in paths if p.suffix in (".eval", ".json") and INSPECT.knows(Given(p))]


INSPECT = Format(
    name="inspect",
    of="logs of Inspect (.eval or .json, or a folder of them)",
    looks=_LOOKS,
    inside=_logs_in,
    # What inspect_ai.eval and read_eval_log return, without a need of the package.
    is_object=lambda what: type(what).__name__ == "EvalLog" and hasattr(what, "model_dump"),
    read=read_inspect,
)
