"""New prior art: the number of a document, what it begins with, and what it says it was built on.

Numbers come from `counter` and `disk` under one lock (`create`), the text from a template that `compose`
fills in, gaps of an intake from `intake`; `citing` adds `(informed by …)` to a line. Terminals are elsewhere.
"""
