"""What `init` writes: the example, the settings, and the checks."""

from __future__ import annotations

#: The files that `init` makes outside of the corpus.
SETTINGS = "spectastic.toml"
HOOK = ".pre-commit-config.yaml"
WORKFLOWS = ".github/workflows"
WORKFLOW = f"{WORKFLOWS}/spectastic.yml"

#: What stands in new files for what nobody but their owner knows.
PLACEHOLDERS = ("OWNER", "FULL_COMMIT_SHA")

EXAMPLE = "example"
SLUG = "001-example"
TITLE = "Example reference"
FIELDS = {
    "slug": SLUG,
    "origin": "spectastic init",
    "origin-url": "none",
    "edition": "1",
    "license": "CC0-1.0",
    "converter": "hand-written",
    "status": "illustrative-excerpt",
}
BODY = """\
# Example reference

An invented fact, for illustration: the shop opens at 09:00 on every working day.

A reference holds what specs rest on, in as few words as possible. The lines at its top say where the
text is from, which edition of the original it is, and under which license it stands here.
"""
ABOUT = "An invented reference. Use when looking up how a pack is made; no real spec rests on it."

SETTINGS_TEXT = """\
# Settings of spectastic. `spectastic config` prints all of them, and where each came from.

# The folder of the corpus: the registry, and the documents that specs cite.
corpus = {corpus}

# The least severity that fails a run: "error", "warning" or "info".
fail-on = "error"

# Specs to leave alone, as patterns like those of .gitignore.
# exclude = ["drafts/"]

# Rules to leave out for some paths; `spectastic explain` lists the rules.
# [per-path-ignores]
# "minutes/**" = ["corpus-staleness"]
"""
HOOK_ENTRY = """\
  # OWNER and FULL_COMMIT_SHA are placeholders: where you keep a clone of spectastic, and the commit of
  # it that you have looked at.
  - repo: https://github.com/OWNER/spectastic
    rev: FULL_COMMIT_SHA
    hooks:
      - id: spectastic
"""
HOOK_TEXT = (
    f"# `pre-commit install` switches these hooks on; see https://pre-commit.com\nrepos:\n{HOOK_ENTRY}"
)
WORKFLOW_TEXT = """\
# Checks that every citation in the specs leads to committed text. It has no path filter, on purpose: a
# workflow that is skipped never reports, and a change of the corpus can make specs wrong that nobody touched.
name: spectastic
on:
  pull_request:
  merge_group:
  push:
    branches: [main]  # the default branch
permissions:
  contents: read
jobs:
  spectastic:
    name: spectastic
    runs-on: ubuntu-24.04
    timeout-minutes: 10
    steps:
      - uses: actions/checkout@de0fac2e4500dabe0009e67214ff5f5447ce83dd # v6.0.2
        with:
          fetch-depth: 0
          persist-credentials: false
      # OWNER and FULL_COMMIT_SHA are placeholders: where you keep a clone of spectastic, and the commit
      # of it that you have looked at.
      - uses: OWNER/spectastic@FULL_COMMIT_SHA
"""
GITLAB_ENTRY = """\
include:
  - project: OWNER/spectastic
    ref: FULL_COMMIT_SHA
    file: /templates/gitlab-ci.yml
"""
