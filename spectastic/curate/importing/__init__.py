"""Packs that somebody else publishes come in, and newer versions of them."""
