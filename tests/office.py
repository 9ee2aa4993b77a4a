"""Small documents of other kinds, made with the standard library alone."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING
from zipfile import ZIP_DEFLATED, ZipFile

if TYPE_CHECKING:
    from collections.abc import Mapping

_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_SHEET = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_TYPE = "application/vnd.openxmlformats-officedocument"


def archive(files: Mapping[str, str | bytes]) -> bytes:
    out = io.BytesIO()
    with ZipFile(out, "w", ZIP_DEFLATED) as made:
        for name, text in files.items():
            made.writestr(name, text)
    return out.getvalue()


def _package(parts: Mapping[str, str], types: Mapping[str, str], main: str) -> bytes:
    overrides = "".join(
        f'<Override PartName="/{part}" ContentType="{kind}"/>' for part, kind in types.items()
    )
    rels = f"{_PACKAGE}/relationships"
    return archive(
        {
            "[Content_Types].xml": f'<Types xmlns="{_PACKAGE}/content-types"><Default Extension="rels" '
            f'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>{overrides}</Types>',
            "_rels/.rels": f'<Relationships xmlns="{rels}"><Relationship Id="r1" '
            f'Type="{_OFFICE}/officeDocument" Target="{main}"/></Relationships>',
            **parts,
        }
    )


def docx(heading: str, text: str, before: str = "") -> bytes:
    """A Word document with a heading and a paragraph; `before` stands before its root element."""
    body = (
        f'<w:p><w:pPr><w:pStyle w:val="Heading1"/></w:pPr><w:r><w:t>{heading}</w:t></w:r></w:p>'
        f"<w:p><w:r><w:t>{text}</w:t></w:r></w:p>"
    )
    document = f'{before}<w:document xmlns:w="{_WORD}"><w:body>{body}</w:body></w:document>'
    return _package(
        {"word/document.xml": document},
        {"word/document.xml": f"{_TYPE}.wordprocessingml.document.main+xml"},
        "word/document.xml",
    )


def xlsx(rows: list[list[str]], name: str = "Fees") -> bytes:
    """A workbook with one sheet of texts."""
    cells = "".join(
        f'<row r="{at}">'
        + "".join(
            f'<c r="{chr(65 + column)}{at}" t="inlineStr"><is><t>{text}</t></is></c>'
            for column, text in enumerate(row)
        )
        + "</row>"
        for at, row in enumerate(rows, 1)
    )
    rels = f"{_PACKAGE}/relationships"
    parts = {
        "xl/workbook.xml": f'<workbook xmlns="{_SHEET}" xmlns:r="{_OFFICE}"><sheets>'
        f'<sheet name="{name}" sheetId="1" r:id="r1"/></sheets></workbook>',
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{rels}"><Relationship Id="r1" '
        f'Type="{_OFFICE}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>',
        "xl/worksheets/sheet1.xml": f'<worksheet xmlns="{_SHEET}"><sheetData>{cells}</sheetData></worksheet>',
    }
    kinds = {
        "xl/workbook.xml": f"{_TYPE}.spreadsheetml.sheet.main+xml",
        "xl/worksheets/sheet1.xml": f"{_TYPE}.spreadsheetml.worksheet+xml",
    }
    return _package(parts, kinds, "xl/workbook.xml")


def pdf(text: str) -> bytes:
    """A page with one line of text; "" for none, as a scanned page has."""
    drawn = f"BT /F1 12 Tf 20 150 Td ({text}) Tj ET".encode() if text else b""
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>",
        b"<</Length %d>>stream\n%s\nendstream" % (len(drawn), drawn),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
    ]
    out, places = b"%PDF-1.4\n", []
    for number, content in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    return (
        out
        + b"xref\n0 6\n0000000000 65535 f \n"
        + table
        + b"trailer<</Size 6/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n" % len(out)
    )
