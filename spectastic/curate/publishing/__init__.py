"""The repository's packs are listed in `marketplace.json`."""
