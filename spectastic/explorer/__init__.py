"""Pages for people: the corpus explorer, rendered specs with badges, a badge for a README.

Each page is one HTML file that holds all it needs, asks no other host for anything, and lets no script run
but its own.
"""
