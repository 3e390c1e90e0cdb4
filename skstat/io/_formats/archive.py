"""Read members of a zip archive that nobody vouches for, within bounded memory.

Nothing is extracted. A member is unpacked by pieces, and no further than a limit, whatever the
archive says of its size.
"""

import struct
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path, PurePosixPath
from types import TracebackType
from typing import IO, Any, Self
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from skstat.io._join import ResultsError

# What one member, and all that are read, may unpack to.
MEMBER_LIMIT = 1 << 29
TOTAL_LIMIT = 1 << 31
# The list of members is read at once, and takes about 20 times its size.
DIRECTORY_LIMIT = 1 << 25
_PIECE = 1 << 20
_ZSTANDARD = 93
# The end of the archive: a signature, four numbers, how long the list of members is.
_END = struct.Struct("<4s4H2LH")
_LONGEST_COMMENT = 1 << 16
# The head of a member: a signature, and at the end the lengths of its name and extra field.
_HEAD = struct.Struct("<4s5H3L2H")
_WINDOW = 1 << 27


class Archive:
    """A zip archive, whose members are read by name.

    Parameters
    ----------
    path : Path
        The file.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        _refuse_long_directory(path)
        try:
            self._zip = ZipFile(path)
        except (BadZipFile, NotImplementedError, ValueError, struct.error, EOFError) as error:
            raise ResultsError(f"{path} is not a whole zip archive: {error}.") from error
        try:
            self._members: dict[str, ZipInfo] = {}
            self._twice: set[str] = set()
            for member in self._zip.infolist():
                _refuse_path(member.filename, path)
                if member.filename in self._members:
                    self._twice.add(member.filename)
                self._members[member.filename] = member
        except ResultsError:
            self._zip.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        where: TracebackType | None,
    ) -> None:
        self._zip.close()

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the members; of members of one name, the last counts."""
        return tuple(self._members)

    def read(self, name: str) -> bytes:
        """Return what a member holds.

        Parameters
        ----------
        name : str
            A member; an archive that has it twice is refused.

        Returns
        -------
        bytes
            Its content.
        """
        if name in self._twice:
            raise ResultsError(f"{self.path} has two members called {name!r}.")
        return self.read_last(name)

    def read_last(self, name: str) -> bytes:
        """Return what the last of several members of one name holds.

        Parameters
        ----------
        name : str
            A member.

        Returns
        -------
        bytes
            Its content.
        """
        member, where = self._members[name], f"{self.path}, member {name!r}"
        if member.file_size > MEMBER_LIMIT:
            raise ResultsError(
                f"{where} says that it unpacks to more than {MEMBER_LIMIT:,} bytes."
            )
        try:
            with self._opened(member, where) as unpacked:
                found = _bounded(unpacked, member.file_size, where)
        except ResultsError:
            raise
        except Exception as error:  # damaged data: every unpacker has its own
            raise ResultsError(
                f"{where} is damaged: {error or type(error).__name__}."
            ) from error
        if len(found) != member.file_size or zlib.crc32(found) != member.CRC:
            raise ResultsError(f"{where} is damaged: its size or checksum is another.")
        return found

    def refuse_many(self, names: Iterable[str]) -> None:
        """Refuse members that say that they unpack to more than may be read, before any is."""
        if sum(self._members[name].file_size for name in names) > TOTAL_LIMIT:
            raise ResultsError(f"{self.path} unpacks to more than {TOTAL_LIMIT:,} bytes.")

    @contextmanager
    def _opened(self, member: ZipInfo, where: str) -> Iterator[Any]:
        # Unpackers of other methods give back all that a piece expands to, at once.
        if member.compress_type in (ZIP_STORED, ZIP_DEFLATED):
            with self._zip.open(member) as unpacked:
                yield unpacked
        elif member.compress_type == _ZSTANDARD:
            unpacker = _zstandard(where)
            with self.path.open("rb") as file:
                yield unpacker(_Part(file, member))
        else:
            raise ResultsError(f"{where} is packed by method {member.compress_type}.")


class _Part:
    """The packed bytes of one member, as a file."""

    def __init__(self, file: IO[bytes], member: ZipInfo) -> None:
        file.seek(member.header_offset)
        signature, *_, n_name, n_extra = _HEAD.unpack(file.read(_HEAD.size))
        if signature != b"PK\x03\x04":
            raise BadZipFile("a member is not where the archive says")
        file.seek(n_name + n_extra, 1)
        self._file, self._left = file, member.compress_size

    def read(self, n: int = -1) -> bytes:
        """Return the next bytes, no more than `n`."""
        wanted = min(self._left, _PIECE if n < 0 else n)
        found = self._file.read(wanted)
        self._left -= len(found)
        return found


def _zstandard(where: str) -> Callable[[Any], Any]:
    """Return what unpacks Zstandard: of Python 3.14, of its backport, or of zstandard."""
    for package in ("compression", "backports"):
        try:
            zstd = import_module(f"{package}.zstd")
        except ImportError:
            continue
        options = {zstd.DecompressionParameter.window_log_max: _WINDOW.bit_length() - 1}
        return lambda part: zstd.ZstdFile(part, options=options)
    try:
        from zstandard import ZstdDecompressor
    except ImportError as error:
        raise ResultsError(
            f"{where} is packed with Zstandard, which Python reads since 3.14: "
            "pip install zstandard."
        ) from error
    unpacker = ZstdDecompressor(max_window_size=_WINDOW)
    return lambda part: unpacker.stream_reader(part, read_across_frames=True)


def _bounded(unpacked: Any, most: int, where: str) -> bytes:
    pieces, size = [], 0
    while piece := unpacked.read(_PIECE):
        size += len(piece)
        if size > most:
            raise ResultsError(f"{where} unpacks to more than the {most:,} bytes that it says.")
        pieces.append(piece)
    return b"".join(pieces)


def _refuse_path(name: str, path: Path) -> None:
    parts = PurePosixPath(name.replace("\\", "/"))
    if parts.is_absolute() or ".." in parts.parts or name[1:2] == ":":
        raise ResultsError(f"{path} has a member that leads out of the archive: {name!r}.")


def _refuse_long_directory(path: Path) -> None:
    with path.open("rb") as file:
        size = file.seek(0, 2)
        file.seek(max(0, size - _END.size - _LONGEST_COMMENT))
        tail = file.read()
    at = tail.rfind(b"PK\x05\x06")
    if at < 0 or len(tail) - at < _END.size:
        raise ResultsError(f"{path} is not a whole zip archive: its end is missing.")
    length = _END.unpack_from(tail, at)[5]
    if length == 0xFFFFFFFF:
        # A large archive has the length in a second end, before the first.
        second = tail.rfind(b"PK\x06\x06", 0, at)
        if second < 0 or len(tail) - second < 56:
            raise ResultsError(f"{path} is not a whole zip archive: its end is damaged.")
        (length,) = struct.unpack_from("<Q", tail, second + 40)
    if length > DIRECTORY_LIMIT:
        raise ResultsError(f"{path} has too long a list of members ({length:,} bytes).")
