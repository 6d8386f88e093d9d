"""Reads Parquet and CSV with Apache Spark, and runs the shipped SQL file."""

import re

from compare import check, fields, folder
from pyspark.sql import SparkSession

spark = (
    SparkSession.builder.master("local[1]")
    .config("spark.ui.enabled", "false")
    .config("spark.sql.session.timeZone", "UTC")
    .config("spark.sql.warehouse.dir", f"{folder}/warehouse")
    .getOrCreate()
)
types = {
    "integer": "bigint",
    "number": "double",
    "string": "string",
    "instant": "timestamp",
    "date": "date",
    "tags": "array<struct<name:string,color:string>>",
}


def check_frame(title, frame, wanted, **options):
    rows = [{name: row[name] for name in frame.columns} for row in frame.collect()]
    check(title, "pyspark", rows, dict(frame.dtypes), wanted, **options)


check_frame("Spark, Parquet", spark.read.parquet(f"{folder}/emails.parquet"), types)
with open(f"{folder}/spark.sql", encoding="utf-8") as file:
    script = file.read().replace("parquet.`emails.parquet`", f"parquet.`{folder}/emails.parquet`")
for statement in re.split(r";\n", script):
    if statement.strip():
        spark.sql(statement)
check_frame("Spark, spark.sql", spark.sql("SELECT * FROM emails ORDER BY sent_at DESC, id DESC"), types)
text_types = {**types, "tags": "string"}
schema = ", ".join(f"{name} {text_types[field['type']]}" for name, field in fields.items())
frame = spark.read.csv(f"{folder}/emails.csv", schema=schema, header=True, multiLine=True, escape='"', ignoreLeadingWhiteSpace=False)
# Its reader does not tell "" from nothing, nor CRLF from LF.
check_frame("Spark, CSV (empty text is null, line ends are LF)", frame, text_types, text_tags=True, lossy=True)
