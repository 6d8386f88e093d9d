import json
import os
import urllib.request

import pandas

fields = json.load(urllib.request.urlopen("{{address}}/data_api/v1/metrics.json"))["fields"]
types = {"integer": "Int64", "number": "float64", "string": "string", "tags": "string"}
emails = pandas.read_csv(
    "{{address}}/data_api/v1/emails.csv",
    storage_options={"Authorization": f"Bearer {os.environ['EMAIL_ANALYTICS_KEY']}"},
    dtype={field["name"]: types[field["type"]] for field in fields if field["type"] in types},
    parse_dates=[field["name"] for field in fields if field["type"] in ("instant", "date")],
    # A team may be called NA or None: only empty cells are missing values.
    keep_default_na=False,
    na_values={field["name"]: [""] for field in fields if field["null"]},
)
print(emails[["sent_on", "subject", "recipient_count", "open_rate", "click_rate"]].to_string(max_rows=10))
