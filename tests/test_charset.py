"""Bytes of the web as text: by the labels and the rules of the Encoding Standard."""

from __future__ import annotations

import pytest
from webencodings.labels import LABELS

from spectastic.charset import CharsetError, named, read, read_page

#: Worked out from the standard: the label, and what it stands for there.
LABELLED = {
    "utf8": "UTF-8",
    " UTF-8\t": "UTF-8",
    "latin1": "windows-1252",
    "us-ascii": "windows-1252",
    "iso-8859-9": "windows-1254",
    "gb2312": "GBK",
    "gb18030": "gb18030",
    "shift_jis": "Shift_JIS",
    "ks_c_5601-1987": "EUC-KR",
    "utf-16": "UTF-16LE",
    "utf-7": "",
    "utf-8-sig": "",
    "utf-32": "",
    "unicode_escape": "",
    "raw_unicode_escape": "",
    "idna": "",
    "punycode": "",
    "hex": "",
    "rot13": "",
    "iso-2022-kr": "",
    "klingon": "",
    "": "",
    "utf-8\0": "",
    "\u212aoi8-r": "",
}


@pytest.mark.parametrize("label", LABELLED)
def test_labels(label: str) -> None:
    assert named(label) == LABELLED[label]


@pytest.mark.parametrize("label", LABELS)
def test_another_reader_of_the_standard(label: str) -> None:
    """Each label that html5lib knows stands for the same, and what it stands for can be read."""
    wanted = LABELS[label]
    # The standard has dropped none since, and calls nothing by another name.
    assert named(label).lower() == ("" if wanted == "replacement" else wanted)
    if wanted != "replacement":
        assert read(b"" if "16" in wanted else b"a", named(label)) == ("" if "16" in wanted else "a")


TEXTS: dict[str, tuple[bytes, str, str]] = {
    "windows": (b"\x96\xe4\x80", "latin1", "–ä€"),
    "gbk": (b"\xe9F", "gb2312", "镕"),
    "cp932": (b"\x87\x40", "shift_jis", "①"),
    "cp949": (b"\x8c\x63", "euc-kr", "똠"),
    "utf-8": (b"\xef\xbb\xbf\xef\xbf\xbd", "utf-8", "\ufffd"),
    "utf-16": (b"\xe4\0", "utf-16", "ä"),
    "mark-of-utf-16": (b"\xfe\xff\0\xe4", "utf-8", "ä"),
    "mark-of-utf-8": (b"\xef\xbb\xbf\xc3\xa4", "gbk", "ä"),
}


@pytest.mark.parametrize("case", TEXTS)
def test_texts(case: str) -> None:
    data, label, text = TEXTS[case]
    assert read(data, named(label)) == text


@pytest.mark.parametrize(
    ("data", "label"),
    [(b"\xe4", "utf-8"), (b"\xe4", "utf-16"), (b"\xff", "gbk"), (b"\xd8\0", "utf-16be"), (b"\x81", "euc-jp")],
)
def test_what_is_no_such_text(data: bytes, label: str) -> None:
    with pytest.raises(CharsetError, match=named(label)):
        read(data, named(label))


PAGES: dict[str, tuple[bytes, str]] = {
    "meta": (b"<meta charset=gb2312><p>\xe9F", "镕"),
    "http-equiv": (b'<meta http-equiv=content-type content="text/html; charset=gb2312"><p>\xe9F', "镕"),
    "late": (b" " * 2000 + b"<meta charset=gb2312><p>\xe9F", "镕"),
    "latin-1": (b"<meta charset=iso-8859-1><p>\x80", "€"),
    "utf-16-that-is-not": (b"<meta charset=utf-16><p>\xc3\xa4", "ä"),
    "utf-7": (b"<meta charset=utf-7><p>+AGE-", "+AGE-"),
    "escapes": (b"<meta charset=unicode_escape><p>\\u0061", "\\u0061"),
    "user-defined": (b"<meta charset=x-user-defined><p>\x80", "€"),
    "klingon-utf-8": (b"<meta charset=klingon><p>\xc3\xa4", "ä"),
    "klingon-windows": (b"<meta charset=klingon><p>\x80", "€"),
    "nothing-utf-8": (b"<p>\xc3\xa4", "ä"),
    "nothing-windows": (b"<p>\xe4", "ä"),
    "comment": (b"<!-- <meta charset=gbk> --><p>\xc4\xe3", "Äã"),
    "not-what-it-says": (b"<meta charset=utf-8><p>\xe4", "\ufffd"),
    "mark": (b"\xef\xbb\xbf<meta charset=gbk><p>\xc3\xa4", "ä"),
    "mark-of-utf-16": ("\ufeff<meta charset=gbk><p>ä".encode("utf-16-le"), "ä"),
    "mark-of-utf-16-be": ("\ufeff<meta charset=gbk><p>ä".encode("utf-16-be"), "ä"),
    "xml": (b'<?xml version="1.0" encoding="iso-8859-15"?><p>\xa4', "€"),
    "xml-single-quotes": (b"<?xml version='1.0' encoding = 'gb2312' ?><p>\xe9F", "镕"),
    "xml-utf-16-that-is-not": (b'<?xml version="1.0" encoding="utf-16"?><p>\xc3\xa4', "ä"),
    "xml-klingon": (b'<?xml version="1.0" encoding="klingon"?><p>\xe4', "ä"),
    "xml-utf-7": (b'<?xml version="1.0" encoding="utf-7"?><p>+AGE-', "+AGE-"),
    "meta-before-xml": (b'<?xml version="1.0" encoding="koi8-r"?><meta charset=gb2312><p>\xe9F', "镕"),
    "xml-in-utf-16": ('<?xml version="1.0"?><p>ä'.encode("utf-16-le"), "ä"),
    "xml-in-utf-16-be": ('<?xml version="1.0"?><p>ä'.encode("utf-16-be"), "ä"),
    "empty": (b"", ""),
}


@pytest.mark.parametrize("case", PAGES)
def test_pages(case: str) -> None:
    data, text = PAGES[case]
    assert read_page(data).rpartition("<p>")[2] == text


def test_no_mark_is_left() -> None:
    assert read_page("\ufeff<p>".encode()) == read_page("\ufeff<p>".encode("utf-16-le")) == "<p>"


@pytest.mark.parametrize("label", ["iso-2022-kr", "replacement", "hz-gb-2312"])
def test_encodings_that_browsers_refuse(label: str) -> None:
    """They let bytes mean one thing here and another there."""
    with pytest.raises(CharsetError, match="a retired encoding"):
        read_page(f"<meta charset={label}><p>x".encode())
