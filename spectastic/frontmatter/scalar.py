"""Writing a value so that every reader of YAML takes it for the same text. Pure."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

#: What YAML reads as it stands, whatever its version, unless it is a number, a date or a word like `on`.
_PLAIN = re.compile(r"[A-Za-z0-9](?:[^\W_]|[ _./()+,;&%@=?~*'\"!$-]|:(?! )|(?<! )#)*", re.ASCII)


def scalar(text: str) -> str:
    """A text as YAML has it on one line: quoted wherever some reader would take it for something else.

    Raises:
        UnicodeEncodeError: it is not text that UTF-8 can hold.
    """
    import yaml

    if not _PLAIN.fullmatch(text) or text != text.strip() or text.endswith(":"):
        return quoted(text)
    resolve: Callable[..., str] = yaml.resolver.Resolver().resolve
    tag = resolve(yaml.ScalarNode, text, (True, False))
    return text if tag.endswith(":str") and not _is_special(text) else quoted(text)


def _is_special(text: str) -> bool:
    """What some other reader takes for a number or a truth value: `1e3`, `0o17`, `y`."""
    return re.fullmatch(r"[0-9.]+[eE][+-]?[0-9]+|0o[0-7]+|[yYnN]", text) is not None


def quoted(text: str) -> str:
    """A text in double quotes. Raises as `scalar`."""
    from io import StringIO

    from ruamel.yaml import YAML
    from ruamel.yaml.scalarstring import DoubleQuotedScalarString

    text.encode()
    writer = YAML()
    writer.width = 10 * len(text) + 100
    out = StringIO()
    writer.dump([DoubleQuotedScalarString(text)], out)
    return out.getvalue()[2:].rstrip("\n")
