"""Reads each download with pandas, polars, pyarrow and DuckDB."""

import runpy

import duckdb
import pandas
import polars
import pyarrow
import pyarrow.csv
import pyarrow.json
import pyarrow.parquet
from compare import check, fields, folder

names = list(fields)


def columns_of(types):
    return {name: types[field["type"]] for name, field in fields.items()}


def records(frame):
    return [dict(zip(frame.columns, row)) for row in frame.itertuples(index=False, name=None)]


# The shipped file, unchanged.
frame = runpy.run_path(f"{folder}/emails.py")["emails"]
instants = str(frame["sent_at"].dtype)
assert instants in ("datetime64[us, UTC]", "datetime64[ms, UTC]", "datetime64[ns, UTC]"), instants
plain_dates = str(frame["sent_on"].dtype)
assert plain_dates.startswith("datetime64["), plain_dates
empty = {name for name in names if fields[name]["type"] == "instant" and frame[name].isna().all()}
types = {name: str(frame[name].dtype) for name in names if name not in empty}
text = str(frame["subject"].dtype)
assert text in ("string", "str"), text
pandas_types = {"integer": "Int64", "number": "float64", "string": text, "tags": text, "instant": instants, "date": plain_dates}
check("pandas, emails.py", "pandas", records(frame), types, pandas_types, text_tags=True, dates_as_instants=True)
assert frame.groupby("organization_team").ngroups == frame["organization_team"].nunique()

arrow = {
    "integer": pyarrow.int64(),
    "number": pyarrow.float64(),
    "string": pyarrow.string(),
    "instant": pyarrow.timestamp("ms", tz="UTC"),
    "date": pyarrow.date32(),
}
# The element of a list has another name in each library.
tags = pyarrow.list_(pyarrow.field("element", pyarrow.struct([("name", pyarrow.string()), ("color", pyarrow.string())])))

table = pyarrow.parquet.read_table(f"{folder}/emails.parquet")
found = {field.name: field.type for field in table.schema if field.name != "tags"}
check("pyarrow, Parquet", "pyarrow", table.to_pylist(), found, arrow)
assert table.schema.field("tags").type.value_type.num_fields == 2
nullable = {field.name for field in table.schema if field.nullable}
assert nullable == {name for name in names if fields[name]["null"] is not None}, nullable

options = pyarrow.csv.ConvertOptions(
    column_types=columns_of({**arrow, "tags": pyarrow.string()}),
    strings_can_be_null=True,
    quoted_strings_can_be_null=False,
    null_values=[""],
)
table = pyarrow.csv.read_csv(
    f"{folder}/emails.csv", convert_options=options, parse_options=pyarrow.csv.ParseOptions(newlines_in_values=True)
)
found = {field.name: field.type for field in table.schema}
check("pyarrow, CSV", "pyarrow", table.to_pylist(), found, {**arrow, "tags": pyarrow.string()}, text_tags=True)

schema = pyarrow.schema([(name, tags if field["type"] == "tags" else arrow[field["type"]]) for name, field in fields.items()])
texts = pyarrow.schema([
    (field.name, pyarrow.string() if fields[field.name]["type"] in ("instant", "date") else field.type) for field in schema
])
table = pyarrow.json.read_json(
    f"{folder}/emails.ndjson", parse_options=pyarrow.json.ParseOptions(explicit_schema=texts)
)
check("pyarrow, NDJSON", "pyarrow", table.to_pylist())

frame = pandas.read_parquet(f"{folder}/emails.parquet", dtype_backend="pyarrow")
check("pandas, Parquet", "pandas", records(frame))
frame = pandas.read_json(f"{folder}/emails.ndjson", lines=True, dtype=False, precise_float=True)
check("pandas, NDJSON", "pandas", [
    {name: None if value is None or value != value else value for name, value in row.items()} for row in records(frame)
])

polars_types = {
    "integer": polars.Int64,
    "number": polars.Float64,
    "string": polars.String,
    "instant": polars.Datetime("ms", "UTC"),
    "date": polars.Date,
}
polars_tags = polars.List(polars.Struct({"name": polars.String, "color": polars.String}))
frame = polars.read_parquet(f"{folder}/emails.parquet")
check("polars, Parquet", "polars", frame.to_dicts(), dict(frame.schema), {**polars_types, "tags": polars_tags})
text_types = {**polars_types, "instant": polars.String, "date": polars.String, "tags": polars.String}
frame = polars.read_csv(f"{folder}/emails.csv", schema=columns_of(text_types))
check("polars, CSV", "polars", frame.to_dicts(), dict(frame.schema), text_types, text_tags=True)
text_types["tags"] = polars_tags
frame = polars.read_ndjson(f"{folder}/emails.ndjson", schema=columns_of(text_types))
check("polars, NDJSON", "polars", frame.to_dicts(), dict(frame.schema), text_types)

duckdb_types = {
    "integer": "BIGINT",
    "number": "DOUBLE",
    "string": "VARCHAR",
    "instant": "TIMESTAMP WITH TIME ZONE",
    "date": "DATE",
    "tags": 'STRUCT("name" VARCHAR, color VARCHAR)[]',
}
database = duckdb.connect()
database.execute("SET TimeZone = 'UTC'")


def check_duckdb(title, query, wanted, **options):
    relation = database.sql(query)
    found = dict(zip(relation.columns, [str(each) for each in relation.types]))
    rows = [dict(zip(relation.columns, row)) for row in relation.fetchall()]
    check(title, "duckdb", rows, found, wanted, **options)


check_duckdb("DuckDB, Parquet", f"FROM '{folder}/emails.parquet'", duckdb_types)
columns = ", ".join(f"{name}: '{type}'" for name, type in columns_of(duckdb_types).items()).replace("\"name\"", '"name"')
check_duckdb("DuckDB, NDJSON", f"FROM read_json('{folder}/emails.ndjson', format='newline_delimited', columns={{{columns}}})", duckdb_types)
csv_types = {**duckdb_types, "tags": "VARCHAR"}
columns = ", ".join(f"{name}: '{type}'" for name, type in columns_of(csv_types).items())
check_duckdb(
    "DuckDB, CSV",
    f"FROM read_csv('{folder}/emails.csv', header=true, quote='\"', escape='\"', new_line='\\r\\n', allow_quoted_nulls=false, columns={{{columns}}})",
    csv_types,
    text_tags=True,
)
