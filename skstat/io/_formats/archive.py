"""Read members of a zip archive that nobody vouches for, within bounded memory.

Nothing is extracted. A member is unpacked by pieces, and no further than a limit, whatever the
archive says of its size.
"""

import struct
import zlib
from collections import Counter
from collections.abc import Iterable
from importlib import import_module
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from skstat.io._join import ResultsError

# What one member, and all that are read, may unpack to.
MEMBER_LIMIT = 1 << 29
TOTAL_LIMIT = 1 << 31
_PIECE = 1 << 20
_ZSTANDARD = 93
# The head of a member: a signature, and at the end the lengths of its name and extra field.
_HEAD = struct.Struct("<4s5H3L2H")
_WINDOW = 1 << 27


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
        signature, *_, n_name, n_extra = _HEAD.unpack(file.read(_HEAD.size))
        if signature != b"PK\x03\x04":
            raise BadZipFile("a member is not where the archive says")
        file.seek(n_name + n_extra, 1)
        return BytesIO(file.read(min(member.compress_size, MEMBER_LIMIT)))


def _zstandard(part: BytesIO, where: str) -> Any:
    """Unpack Zstandard by Python 3.14, by its backport, or by zstandard."""
    for package in ("compression", "backports"):
        try:
            zstd = import_module(f"{package}.zstd")
        except ImportError:
            continue
        options = {zstd.DecompressionParameter.window_log_max: _WINDOW.bit_length() - 1}
        return zstd.ZstdFile(part, options=options)
    try:
        from zstandard import ZstdDecompressor
    except ImportError as error:
        raise ResultsError(
            f"{where} is packed with Zstandard, which Python reads since 3.14: "
            "pip install zstandard."
        ) from error
    unpacker = ZstdDecompressor(max_window_size=_WINDOW)
    return unpacker.stream_reader(part, read_across_frames=True)


def _bounded(unpacked: Any, most: int, where: str) -> bytes:
    pieces, size = [], 0
    while piece := unpacked.read(_PIECE):
        size += len(piece)
        if size > most:
            raise ResultsError(f"{where} unpacks to more than the {most:,} bytes that it says.")
        pieces.append(piece)
    return b"".join(pieces)
