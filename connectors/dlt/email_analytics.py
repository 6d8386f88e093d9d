"""Loads campaigns with dlt: everything at first, then what has changed. Deleted campaigns are deleted."""

import os

import dlt
from dlt.sources.helpers import requests


@dlt.resource(
    name="emails",
    primary_key="id",
    write_disposition="merge",
    columns={"deleted": {"data_type": "bool", "hard_delete": True}},
)
def emails():
    # dlt stores the state together with the rows.
    state = dlt.current.resource_state()
    while True:
        response = requests.get(
            "{{address}}/data_api/v1/emails/changes",
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
    pipeline = dlt.pipeline("email_analytics", destination="duckdb", dataset_name="email_analytics")
    print(pipeline.run(emails()))
