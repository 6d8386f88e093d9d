"""Parses the SQL file of Snowflake, which cannot run here."""

from importlib.metadata import version

import sqlglot
from compare import fields, folder

with open(f"{folder}/snowflake.sql", encoding="utf-8") as file:
    create, copy = [statement for statement in sqlglot.parse(file.read(), read="snowflake") if statement]
types = {
    "integer": "DECIMAL(19, 0)",
    "number": "DOUBLE",
    "string": "VARCHAR",
    "instant": "TIMESTAMPTZ(3)",
    "date": "DATE",
    "tags": "VARIANT",
}
columns = {column.name: column.args["kind"].sql() for column in create.this.expressions}
for name, found in columns.items():
    assert found == types[fields[name]["type"]], (name, found)
assert list(columns) == list(fields)
print(f"sqlglot {version('sqlglot')}: snowflake.sql parses, {len(columns)} typed columns; Snowflake was not run")
