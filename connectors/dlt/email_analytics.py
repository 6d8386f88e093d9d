"""Loads campaigns with dlt: everything at first, then what has changed. Deleted campaigns are deleted."""

import os

import dlt
from dlt.sources.helpers import requests

ADDRESS = "{{address}}/data_api/v1"
# dlt would guess types from the first values: 40 is a whole number, and a later 40.5 would get a column of its own.
TYPES = {"integer": "bigint", "number": "double", "string": "text", "instant": "timestamp", "date": "date", "tags": "json"}


def columns():
    fields = requests.get(f"{ADDRESS}/metrics.json").json()["fields"]
    types = {field["name"]: {"data_type": TYPES[field["type"]]} for field in fields}
    return {**types, "deleted": {"data_type": "bool", "hard_delete": True}}


@dlt.resource(name="emails", primary_key="id", write_disposition="merge", columns=columns())
def emails():
    # dlt stores the state together with the rows.
    state = dlt.current.resource_state()
    while True:
        response = requests.get(
            f"{ADDRESS}/emails/changes",
            params={"cursor": state["cursor"]} if "cursor" in state else {},
            headers={"Authorization": f"Bearer {os.environ['EMAIL_ANALYTICS_KEY']}"},
        )
        response.raise_for_status()
        page = response.json()
        yield page["emails"]
        state["cursor"] = page["meta"]["cursor"]
        if not page["meta"]["has_more"]:
            return


if __name__ == "__main__":
    # The data set has another name than the pipeline, whose name DuckDB gives to the file.
    pipeline = dlt.pipeline("email_analytics", destination="duckdb", dataset_name="analytics")
    print(pipeline.run(emails()))
