"""Compares what a tool read with the lines of emails.ndjson: every value of every row, and the type of every column."""

import datetime
import json
import math
import re
import sys
from importlib.metadata import version

folder = sys.argv[1]
with open(f"{folder}/metrics.json", encoding="utf-8") as file:
    fields = {field["name"]: field for field in json.load(file)["fields"]}


def read_lines(path):
    with open(path, encoding="utf-8", newline="\n") as file:
        return [json.loads(line) for line in file]


expected = read_lines(f"{folder}/emails.ndjson")


def to_json(value):
    """The value as it is in NDJSON."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return None
    if isinstance(value, float):
        return None if math.isnan(value) else value
    if isinstance(value, datetime.datetime):
        utc = value.astimezone(datetime.timezone.utc) if value.tzinfo else value
        return utc.strftime("%Y-%m-%dT%H:%M:%S.") + f"{utc.microsecond // 1000:03}Z"
    if isinstance(value, datetime.date):
        return value.isoformat()
    if isinstance(value, (list, tuple)) and not hasattr(value, "asDict"):
        return [to_json(each) for each in value]
    if hasattr(value, "asDict"):
        return value.asDict()
    return value


def tags_as_text(tags):
    return ";".join(re.sub(r"[\\;]", r"\\\g<0>", tag["name"]) + " " + tag["color"] for tag in tags) or None


def check(tool, package, rows, types=None, wanted=None, text_tags=False, dates_as_instants=False, lossy=False):
    """Compares rows and types. `wanted` has the type of a column for each type of the contract.

    `lossy`: the reader takes empty texts for missing values, and changes ends of lines within texts.
    """
    problems = []
    rows = list(rows)
    if len(rows) != len(expected):
        problems.append(f"{len(rows)} rows instead of {len(expected)}")
    for row, right in zip(rows, expected):
        if set(row) != set(right):
            problems.append(f"columns differ: {set(row) ^ set(right)}")
            break
        for name, value in right.items():
            found = to_json(row[name])
            if dates_as_instants and fields[name]["type"] == "date" and found is not None:
                found = found[:10]
            if text_tags and name == "tags":
                value, found = tags_as_text(value), found or None
            if lossy and isinstance(value, str):
                value = re.sub(r"\r\n?", "\n", value) or None
            if found != value or type(found) is bool:
                problems.append(f"{name} of {right['id']}: {found!r} instead of {value!r}")
    for name, found in (types or {}).items():
        right = wanted[fields[name]["type"]]
        if found != right:
            problems.append(f"type of {name}: {found} instead of {right}")
    if problems:
        sys.exit(f"{tool}: {len(problems)} differences\n" + "\n".join(problems[:15]))
    print(f"{tool} {version(package)}: {len(rows)} rows, {len(types or {})} typed columns")
