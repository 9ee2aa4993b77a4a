"""A folder of Markdown files, or an `llms.txt`, becomes a pack."""
