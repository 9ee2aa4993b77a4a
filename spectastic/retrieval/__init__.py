"""Prior art: what the project decided (specs), learned (lessons) and fixed (bugs), found again by its tags.

`documents.load` reads the three corpora, `scoring.rank` puts them in order for a `query.Query`; both say
what they left out and why. Nothing here prints, and nothing outside of the prior-art folder is read.
"""
