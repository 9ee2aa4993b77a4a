"""`spectastic corpus add`: register a document as a reference."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spectastic.cli.corpus import common, taking

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace


def configure(parser: ArgumentParser) -> None:
    """The options of `corpus add`."""
    parser.usage = f"{parser.prog} FILE --pack P --slug S --edition E --license L --origin O [OPTION…]"
    parser.add_argument(
        "file", metavar="FILE", help="a Markdown file; its frontmatter counts where options are missing"
    )
    taking.add_fields(parser)
    common.add_writing(parser)
    common.add_common(parser)


def run(options: Namespace) -> int:
    """Register the document.

    Raises:
        TroubleError: something is missing, or it cannot be registered.
    """
    from spectastic.curate.add import ADD

    data = common.text_file(options.file)
    return taking.register(options, taking.Text(options.file, data), ADD)
