"""Compares what LibreOffice reads from the XLSX file, saved as flat XML with the stored values, with NDJSON."""

import math
import subprocess
import sys
from xml.etree import ElementTree

from compare import expected, fields, folder

office = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"
table = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
text = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"


def text_of(paragraph):
    """Spaces, tabs and line breaks are elements."""
    parts = [paragraph.text or ""]
    for child in paragraph:
        name = child.tag.removeprefix(text)
        spaces = " " * int(child.get(f"{text}c", "1"))
        parts.append({"s": spaces, "tab": "\t", "line-break": "\n"}.get(name, "".join(child.itertext())))
        parts.append(child.tail or "")
    return "".join(parts)


def cells_of(row):
    for cell in row:
        kind = cell.get(f"{office}value-type")
        if kind == "string":
            value = "\n".join(text_of(paragraph) for paragraph in cell.iter(f"{text}p"))
        else:
            value = None if kind is None else cell.get(f"{office}value") or cell.get(f"{office}date-value")
        yield from [value] * min(int(cell.get(f"{table}number-columns-repeated", "1")), 100)


sheet = next(ElementTree.parse(f"{folder}/office/emails.fods").iter(f"{table}table"))
header, *rows = [list(cells_of(row)) for row in sheet.iter(f"{table}table-row")][: len(expected) + 1]
assert len(rows) == len(expected), (len(rows), len(expected))
count = 0
for row, right in zip(rows, expected):
    found = dict(zip(header, row))
    for name, value in right.items():
        kind = fields[name]["type"]
        if kind in ("instant", "tags"):
            continue
        cell = found.get(name)
        if kind in ("integer", "number"):
            # It writes 15 digits.
            right_cell = value
            if cell is not None and value is not None and math.isclose(float(cell), value, rel_tol=1e-14):
                cell = value
        elif kind == "date":
            right_cell = value
            cell = cell and cell[:10]
        else:
            # A sheet has no empty text, and its lines end in LF.
            right_cell = value and value.replace("\r\n", "\n").replace("\r", "\n") or None
            cell = cell or None
        if cell != right_cell:
            sys.exit(f"{name} of {right['id']}: {cell!r} instead of {right_cell!r}")
        count += 1
version = subprocess.run(["soffice", "--version"], capture_output=True, text=True).stdout.strip()
print(f"{version}, XLSX: {len(rows)} rows, {count} numbers, dates and texts")
