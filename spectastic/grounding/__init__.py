"""Grounding: curated tables behind a manifest, which narrow the options before a decision is made.

`bm25_search` finds the rows of one table, `decision_engine` answers by a whole manifest, `schema_validator`
reads manifests and keeps what they name inside their folder.
"""
