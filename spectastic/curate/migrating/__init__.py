"""Single-layer packs, an older kind, get slugs and rows of the registry."""
