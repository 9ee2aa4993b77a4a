"""The manifest of a corpus of tables: its fields, once. Validation, JSON Schema and page are made of it.

A new field is one line here, and `python docs/generate_manifest.py`.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

#: Stands for each key of an object whose keys are the author's.
ANY = "*"
#: The key of `detect` whose words speak of stacks. It is allowed, and routes nothing: `--stack` does.
STACK_KEY = "_stack"


class Field:
    """A field: its `kind` (of `kinds.KINDS`), what it says, and whether it has to be there.

    `of` has the fields of an object, or one field under `ANY`; `names` is then the kind of the keys. An
    optional field that is null counts as absent; `null` says so of one that is `needed`.
    """

    __slots__ = ("kind", "names", "needed", "null", "of", "text")

    def __init__(
        self,
        kind: str,
        text: str,
        *,
        needed: bool = False,
        of: Mapping[str, Field] | None = None,
        null: bool = False,
        names: str = "",
    ) -> None:
        self.kind = kind
        self.text = text
        self.needed = needed
        self.of = of or {}
        self.null = null
        self.names = names

    @property
    def nullable(self) -> bool:
        """Whether the value may be null."""
        return self.null or not self.needed


def _each(kind: str, text: str) -> Mapping[str, Field]:
    return {ANY: Field(kind, text, needed=True)}


_COLUMNS = {
    "search_cols": Field("columns", "the columns that a query is looked for in", needed=True),
    "output_cols": Field("columns", "the columns that are shown, in this order", needed=True),
}

_DOMAIN = {
    "file": Field("file", "the CSV file, below `data_dir`", needed=True),
    **_COLUMNS,
    "max_results": Field("limit", "how many rows a search gives at most (default: 3)"),
    "filters": Field(
        "object",
        "rows that count from the start: for each column, text that its cell holds, or a list of such texts",
        of=_each("filter", "text that the cell holds, whatever its case; of a list, any"),
    ),
}

_REASONING = {
    "file": Field("file", "the CSV file of the decision rules, a row for each category", needed=True),
    "match_column": Field("column", "the column that a category is looked for in", needed=True),
    "category_domain": Field("name", "the domain whose best row says which category a query is of"),
    "category_column": Field("column", "the column of that row with the category; one of its `output_cols`"),
    "default_category": Field("text", "the same as that of the manifest, and wins over it"),
    "rules_column": Field("column", "the column with the rules: a JSON object of conditions and directives"),
    "priority_column": Field("column", "the column with what to prefer, parted by `+`"),
    "priority_domain": Field("name", "the domain in which that is preferred"),
    "name_columns": Field(
        "object",
        "for each domain, the column that names its rows; what is preferred is compared with it",
        of=_each("column", "the column that names the rows of a domain"),
    ),
    "plan": Field(
        "object",
        "which domains are searched, in this order, and how many rows of each (0: its `max_results`)",
        needed=True,
        of=_each("rows", "how many rows of a domain at most"),
    ),
    "rules_module": Field(
        "file", "a Python file that evaluates the rules instead; runs only where that is allowed"
    ),
}

_UPSTREAM = {
    "repo": Field("text", "where the data comes from", needed=True),
    "sha": Field("text", "which revision of it this is", needed=True),
    "last_checked": Field("date", "the day on which somebody last compared the two", needed=True),
}

#: The fields in the order in which they are checked.
FIELDS: Mapping[str, Field] = {
    "manifest_version": Field("version", "the version of this contract: 1", needed=True),
    "domain": Field("text", "what the corpus is about, in a word or two", needed=True),
    "tier": Field(
        "tier",
        "how much it promises: `lookup-only` (rows), `conditional-grounding` (rows and decision rules) or"
        " `constraint-emission` (rules that bind)",
        needed=True,
    ),
    "domains": Field(
        "table",
        f"the tables that can be searched, by name; none is called `{STACK_KEY}`",
        needed=True,
        of={ANY: Field("object", "a table", needed=True, of=_DOMAIN)},
        names="domain",
    ),
    "default_domain": Field("name", "the domain of a query whose words name none (default: the first one)"),
    "default_category": Field("text", "the category of a query that no row answers (default: General)"),
    "detect": Field(
        "object",
        "for each domain, words and phrases that speak of it; those of `_stack` choose nothing: a stack is"
        " searched by `--stack` alone",
        of=_each("keywords", "the words and phrases of a domain, or of `_stack`"),
    ),
    "reasoning": Field("object", "the decision rules; only above `lookup-only`", of=_REASONING),
    "stacks": Field(
        "object",
        "more tables, by name, that share `stack_cols`",
        of=_each("file", "the CSV file of a stack, below `data_dir`"),
        names="text",
    ),
    "stack_cols": Field("object", "the columns of all stacks; needed with `stacks`", of=_COLUMNS),
    "owner": Field("text", "who keeps the corpus true: a person or a team", needed=True),
    "refresh_cadence": Field(
        "text",
        "how often it is compared with where it comes from: `weekly`, `monthly`, `quarterly`, `half-yearly`,"
        " `yearly`, or free text, which is then not checked",
        needed=True,
    ),
    "upstream": Field(
        "object",
        "where the data comes from; `null` where it is written here and nowhere else",
        needed=True,
        of=_UPSTREAM,
        null=True,
    ),
    "retriever": Field(
        "retriever",
        "how rows are found: `bm25` (by words, the default), `structured` (by filters alone) or `hybrid`"
        " (`structured` for an empty query, else `bm25`)",
    ),
    "data_dir": Field("folder", "the folder of the files, below the manifest's (default: that folder)"),
}
#: Without these a manifest says so little that nothing else is checked.
FIRST = ("manifest_version", "domain", "tier", "domains")


def flat(fields: Mapping[str, Field] = FIELDS, before: str = "") -> Iterator[tuple[str, Field]]:
    """Every field with its path, `domains.*.file`, in order."""
    for name, field in fields.items():
        yield before + name, field
        yield from flat(field.of, f"{before}{name}.")
