"""Which rules modules the configuration allows to run."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from spectastic import config
from spectastic.cli import messages
from spectastic.cli.ci import in_ci
from spectastic.cli.errors import TroubleError
from spectastic.grounding.boundary import data_file, python_twin

if TYPE_CHECKING:
    from collections.abc import Mapping


def by_setting(manifest: Mapping[str, Any], module: str) -> bool:
    """Whether `rules-modules` names a manifest's module: that very file, wherever the manifest is.

    On a CI service it allows nothing: there a pull request brings the setting and the code along.

    Raises:
        TroubleError: the configuration is wrong.
        ManifestError: the module is outside of the manifest's folder.
    """
    try:
        settings = config.load(None, (), {}, os.getcwd())
    except config.ConfigError as error:
        raise TroubleError(str(error), "or leave it out with --isolated") from error
    if not settings.rules_modules:
        return False
    real = data_file(manifest, python_twin(module))
    named = any(os.path.join(settings.root, *name.split("/")) == real for name in settings.rules_modules)
    if named and in_ci(os.environ):
        messages.tell(
            f"rules-modules of {settings.origins['rules_modules']} counts for nothing in CI",
            "where the code is trusted, add --allow-rules-module to the command",
        )
        return False
    return named
