"""Runs the manifest with Airbyte's own CDK: check, discover, and read twice, the second time with the state of the first."""

import json
import os
import subprocess
import sys

from compare import check, expected, fields, folder

program = os.path.join(os.path.dirname(sys.executable), "source-declarative-manifest")
paths = {name: f"{folder}/airbyte-{name}.json" for name in ("config", "catalog", "state")}


def write(name, value):
    with open(paths[name], "w", encoding="utf-8") as file:
        json.dump(value, file)


def run(command, *options):
    arguments = ["--config", paths["config"], "--manifest-path", f"{folder}/manifest.yaml", *options]
    done = subprocess.run([program, command, *arguments], capture_output=True, text=True, timeout=300)
    messages = [json.loads(line) for line in done.stdout.split("\n") if line.startswith("{")]
    if done.returncode != 0:
        sys.exit(f"{command}: {done.stdout[-3000:]} {done.stderr[-3000:]}")
    return messages


def records(messages):
    return [message["record"]["data"] for message in messages if message["type"] == "RECORD"]


write("config", {"api_key": os.environ["EMAIL_ANALYTICS_KEY"]})
step = os.environ.get("STEP")
if step == "first":
    [status] = [message for message in run("check") if message["type"] == "CONNECTION_STATUS"]
    assert status["connectionStatus"]["status"] == "SUCCEEDED", status
    [catalog] = [message for message in run("discover") if message["type"] == "CATALOG"]
    [stream] = catalog["catalog"]["streams"]
    properties = stream["json_schema"]["properties"]
    json_types = {"integer": "integer", "number": "number", "string": "string", "instant": "string", "date": "string", "tags": "array"}
    formats = {"instant": "date-time", "date": "date"}
    for name, field in fields.items():
        assert json_types[field["type"]] in properties[name]["type"], name
        assert properties[name].get("format") == formats.get(field["type"]), name
    assert properties["deleted"]["type"] == "boolean"
    configured = {"stream": stream, "sync_mode": "incremental", "destination_sync_mode": "append_dedup", "primary_key": [["id"]]}
    write("catalog", {"streams": [configured]})
    messages = run("read", "--catalog", paths["catalog"])
    found = {}
    for record in records(messages):
        assert record.pop("deleted") is False, record
        # The CDK leaves out nulls.
        found[record["id"]] = {name: record.get(name) for name in fields}
        assert set(record) <= set(fields), set(record) - set(fields)
    check("Airbyte, check, discover and read", "airbyte-cdk", sorted(found.values(), key=lambda each: (each["sent_at"], each["id"]), reverse=True))
    state = [message["state"] for message in messages if message["type"] == "STATE"][-1]
    write("state", [{"type": "STREAM", "stream": state["stream"]}])
else:
    again = records(run("read", "--catalog", paths["catalog"], "--state", paths["state"]))
    changed, deleted = json.loads(os.environ["CHANGED"]), json.loads(os.environ["DELETED"])
    assert {record["id"] for record in again} >= {*changed, *deleted}, [record["id"] for record in again]
    assert {record["id"] for record in again if record["deleted"]} == set(deleted)
    assert len(again) < len(expected), len(again)
    print(f"Airbyte, read with state: {len(again)} records, among them all {len(changed)} changed and {len(deleted)} deleted ones")
