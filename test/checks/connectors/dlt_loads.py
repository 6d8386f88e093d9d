"""Compares what the shipped dlt file loaded into DuckDB with the service."""

import duckdb
from compare import check, fields, folder

database = duckdb.connect(f"{folder}/dlt/email_analytics.duckdb", read_only=True)
database.execute("SET TimeZone = 'UTC'")
relation = database.sql("FROM analytics.emails ORDER BY sent_at DESC, id DESC")
assert not [name for name in relation.columns if "__v_" in name], relation.columns
tables = [row[0] for row in database.sql("SELECT table_name FROM duckdb_tables() WHERE schema_name = 'analytics'").fetchall()]
assert [name for name in tables if not name.startswith("_dlt")] == ["emails"], tables
types = {
    "integer": "BIGINT",
    "number": "DOUBLE",
    "string": "VARCHAR",
    "instant": "TIMESTAMP WITH TIME ZONE",
    "date": "DATE",
    "tags": "JSON",
}
found = {name: str(type) for name, type in zip(relation.columns, relation.types) if name in fields}
import json  # noqa: E402

rows = [{name: value for name, value in zip(relation.columns, row) if name in fields} for row in relation.fetchall()]
check("dlt, DuckDB", "dlt", [{**row, "tags": json.loads(row["tags"])} for row in rows], found, types)
