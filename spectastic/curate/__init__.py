"""The corpus, write side: every command is worked out as a plan, and one transaction writes it."""
