"""The corpus, read side: the registry, packs and references, and what a citation leads to."""

from __future__ import annotations

from spectastic.corpus.corpus import Corpus as Corpus
from spectastic.corpus.corpus import load as load
from spectastic.corpus.corpus import load_snapshot as load_snapshot
