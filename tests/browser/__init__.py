"""Tests of pages in a real browser; `harness.py` says what they need."""
