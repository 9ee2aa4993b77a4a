"""Which lines of a lifecycle file write a status, and which only speak of one."""

from __future__ import annotations

import pytest

from spectastic.retrieval.lifecycle import written_in

#: Each status that is written stands between « and »; nothing else in the line is.
SED = """\
sed -i 's/^status: .*/status: «complete»/' "$f"
sed -i 's/status: draft/status: «archived»/' "$f"
sed -i 's/status: draft/status: «archived»/g' "$f"
sed -i 's|status: draft|status: «archived»|g' "$f"
sed -i 's|status: draft|status: «archived»|' "$f"
sed -i 's#status: draft#status: «archived»#g' "$f"
sed -i 's,status: draft,status: «archived»,' "$f"
sed -i "s/status: .*/status: «complete»/I" "$f"
sed -i s/status:.*/status:\\ «complete»/ "$f"
sed -E 's/^(status:[ ]*).*/\\1«complete»/' f
sed -E 's|^(status: ).*$|\\1"«complete»"|g' f
sed '/^status:/s/draft/«complete»/' f
sed '/^status:/ s|draft|«complete»|g' f
sed -e 's/status: draft/status: «done»/' -e 's/status: open/status: «closed»/g'
sed 's/status: draft/status: «done»/;s/status: open/status: «closed»/'
sed "s/status: draft/status: $NEW/" f
sed 's/status: draft//' f
sed '/^status: draft/d' f
sed -n '/status: rejected/p' f
perl -pi -e 's{status: draft}{status: «complete»}g' f
perl -pi -e 's/(status: )\\w+/$1«complete»/' f
  -e 's|^status: draft$|status: «complete»|' \\
:%s/status: draft/status: «complete»/g
sed 's/updated: .*/updated: today/' f; echo 'status: «complete»'
sed 's/a\\/status: x/status: «done»/' f
sed '/^updated:/s/old/new/' f
sed -n 's/^status: *//p' f
sed 's/[/]status: draft/status: «done»/' f
"""

SHELL = """\
echo 'status: «complete»' >> f
echo "status: «complete»" | tee f
echo "status: «complete»" || exit 1
printf 'status: «complete»\\n' > f
echo '"status": "«complete»",'
yq -i '. + {status: "«complete»"}' f
grep -q 'status: rejected' f
grep -q 'status: draft' f && sed -i 's/status: draft/status: «complete»/' f
if grep -q "^status: draft" f; then echo 'status: «approved»'; fi
rg -l "status: superseded" specs
[[ $line == "status: draft" ]] && exit
[ "$line" != "status: draft" ] || exit
awk '/^status: draft/ { print FILENAME }'
awk '/x/ { print "status: «done»" }'
case $line in "status: draft") exit;; esac
    "status: draft"|"status: rejected") exit 1;;
    'status: draft') exit 1 ;;
if line == "status: rejected":
if line.startswith("status: draft"):
return {"status": "«complete»"}
"""

TABLES = """\
| status: «rejected» |
| Phase 8 | `status: «complete»` | done |
| Phase 8 | status: «complete» | done |
| never status: draft | status: «done» |
| if status: draft | sets `status: «done»` |
| `status: draft \\| approved` | what there is |
|status: «rejected»|
  | **Status:** «rejected» |
| status: draft/approved | what there is |
"""

PROSE = """\
status: «complete»
- status: «complete»
> status: «complete»
Set `status: «complete»`, then status: «approved».
**Status:** «draft»
status: draft | approved
status: draft|approved|complete
`status: draft | approved`
status: "draft" | "approved"
Never write status: rejected
Never write status: rejected or status: draft, and set status: «complete».
must not set `status: x`
You mustn't set `status: x`.
Don\u2019t write `status: rejected`.
Do not set status: rejected; set status: «complete» instead.
Do not stop: set status: «complete».
Avoid status: rejected.
There is no status: rejected here.
No later than today, set status: «complete».
`status: rejected` must not be written.
`status: rejected` and `status: draft` are never written.
`status: rejected` is forbidden.
if status: rejected
If status: rejected, stop.
If the status: rejected is found, write status: «complete».
If all tasks are done, set status: «complete».
If all tasks are done set status: «complete».
If you set `status: rejected`, say why.
When a script writes `status: rejected`, it fails.
When it is merged, write `status: «complete»`.
Set status: «complete» if the gate has status: approved.
Set status: «complete» when merged.
Unless status: draft, go on.
while status: draft, wait
Specs with status: draft are left out.
A spec whose status: superseded is old.
Write frontmatter with status: «complete».
Verify that the spec has `status: approved`.
Check for status: draft before you begin.
Skip everything with `status: cancelled`.
Ignore status: rejected, status: draft, and status: superseded.
Change status: draft to status: «complete».
Change `status: draft` to `«complete»`.
Move it from `status: draft` to `status: «complete»`.
`status: draft` \u2192 `status: «approved»`
status: draft -> «approved»
Replace `status: draft` with `status: «complete»`.
Add `status: «complete»` to `requirement.md`.
Set status: «complete» to close it.
Use `status: «complete»` rather than `status: rejected`.
Use `status: «complete»`, not `status: rejected`.
Write `status: «complete»` instead of `status: rejected`.
status: rejected? Then stop.
Is it status: draft?
Set `status: «complete»` \u2014 never `status: rejected`.
The retrieval-status: draft, my-status: draft, thestatus: draft
status: <new>, status: $new, status: 3
status draft; set the status to draft
"""


def _rows() -> list[str]:
    return [row for text in (SED, SHELL, TABLES, PROSE) for row in text.splitlines()]


@pytest.mark.parametrize("row", _rows())
@pytest.mark.parametrize("path", ["a.md", "a.sh"])
@pytest.mark.parametrize("eol", ["", "\n", "\r\n"])
def test_what_a_line_writes(row: str, path: str, eol: str) -> None:
    parts = row.replace("»", "«").split("«")
    line = "".join(parts) + eol
    expected = []
    at = 0
    for number, part in enumerate(parts):
        end = at + len(part.encode())
        if number % 2:
            expected.append((part, at, end))
        at = end
    found = [
        (written.status, written.span.start, written.span.end) for written in written_in(path, line.encode())
    ]
    assert found == expected


def statuses(text: str, path: str = "a.md") -> list[str]:
    return [written.status for written in written_in(path, text.encode())]


def test_there_are_many_rows() -> None:
    rows = _rows()
    assert sum("«" in row for row in rows) >= 40
    assert sum("«" not in row for row in rows) >= 30


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Whoever comes must never set\n`status: rejected`.\n", []),
        ("Before you stop, be sure to set\nthis: `status: complete`.\n", ["complete"]),
        ("A spec is skipped when its\nfield says status: draft.\n", []),
        # What stands above a field, a list item, a heading or in code is no part of the sentence.
        ("---\ntitle: Never\nstatus: complete\n---\n", ["complete"]),
        ("---\ntitle: if not\nstatus: complete\n---\n", ["complete"]),
        ("Never:\n\n`status: complete`\n", ["complete"]),
        ("Never again\n- `status: complete`\n", ["complete"]),
        ("# Never again\nset `status: complete`\n", ["complete"]),
        ("```sh\n# never mind\necho 'status: complete'\n```\n", ["complete"]),
        ("```sh\nif true; then\necho 'status: complete'\nfi\n```\n", ["complete"]),
        ("Never mind.\nThe field says `status: complete`.\n", ["complete"]),
        ("status:\n  draft", []),
    ],
)
def test_a_sentence_may_go_over_two_lines(text: str, expected: list[str]) -> None:
    assert statuses(text) == expected
    assert statuses(text.replace("\n", "\r\n")) == expected


def test_a_script_has_no_sentences_over_two_lines() -> None:
    assert statuses("# never mind\necho 'status: complete'\n", "a.sh") == ["complete"]


def test_a_table_without_outer_lines_is_one_too() -> None:
    table = "phase | field\n--- | :---:\nstatus: rejected | eight\n9 | status: complete\n\n"
    assert statuses(table) == ["rejected", "complete"]
    assert statuses(f"{table}status: draft | approved\n") == ["rejected", "complete"]


def test_long_lines_are_read_in_the_end() -> None:
    for piece in (
        "status: x ",
        "if status: x, ",
        "s/status: x/",
        "s|status: ",
        "| status: ",
        "never ",
        "`" * 9,
    ):
        assert len(statuses(piece * 20_000)) <= 20_000
