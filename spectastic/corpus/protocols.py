"""What a corpus asks of the files below it, whatever holds them: a disk, or a commit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from spectastic.corpus.files import Kind
    from spectastic.source import Source, Unreadable


class Files(Protocol):
    """What can be asked of the files of a repository."""

    #: The absolute path of the repository.
    root: str

    def entries(self, folder: str) -> tuple[dict[str, Kind | None], str]:
        """The names in a folder with their kinds, `None` for a link; and what kept it from being listed."""
        ...

    def led(self, path: str, inside: str) -> tuple[Kind, str]:
        """What a link leads to, and what is wrong with that; it must not leave the folder `inside`."""
        ...

    def is_folder(self, path: str) -> bool:
        """Whether a link leads to a folder, wherever that is."""
        ...

    def is_readable(self, path: str) -> bool:
        """Whether a file may be read."""
        ...

    def read(self, path: str) -> Source | Unreadable:
        """A file, or why there is none."""
        ...
