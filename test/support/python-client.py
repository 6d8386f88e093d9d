"""Calls the Python client: one JSON object a line says what to call, one a line is the outcome."""

import base64
import json
import sys
from datetime import date, datetime

sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])
sys.modules["pandas"] = None  # As on a computer without it.
import email_analytics


def tagged(value):
    """A value that JSON does not have, with its type."""
    if isinstance(value, (date, datetime)):
        return f"{type(value).__name__} {value.isoformat()}"
    raise TypeError(type(value))


def run(client, verb, arguments):
    if verb == "emails":
        return list(client.emails(**arguments))
    if verb == "changes":
        return [page._asdict() for page in client.changes(**arguments)]
    path = arguments.pop("path", None)
    with client.download(**arguments) as download:
        if verb == "save_twice":
            download.save(path)
            return download.save(path)
        if verb == "records":
            return list(download.records())
        if verb == "to_pandas":
            return download.to_pandas()
        return {"file": base64.b64encode(download.read()).decode(), "cursor": download.cursor}


def call(verb, arguments, options):
    try:
        return {"value": run(email_analytics.EmailAnalytics(**options), verb, arguments)}
    except email_analytics.EmailAnalyticsError as error:
        return {"error": {**vars(error), "message": str(error)}}
    except (ImportError, ValueError) as error:
        return {"error": {"code": type(error).__name__, "message": str(error)}}


for line in sys.stdin:
    waits = []
    email_analytics.time.sleep = waits.append
    print(json.dumps({**call(**json.loads(line)), "waits": waits}, default=tagged), flush=True)
