// Tools that copy campaigns to other places.

import type { ToolEntry } from "./connect-tool.ts";
import { setKey } from "./set-key.ts";

const sinceLast = "Each sync loads what has changed since the last one, so run it as often as you like.";

export const pipelines = [
  {
    id: "airbyte",
    name: "Airbyte",
    minutes: 5,
    steps: [
      "In the Connector Builder, choose Import a YAML, upload the file, and publish it.",
      "Add a source of the new connector, and enter your API key.",
      "Choose the sync mode Incremental, Append + Deduped for the stream emails.",
    ],
    files: ["airbyte/manifest.yaml"],
    refresh: sinceLast,
    limits:
      "Deleted campaigns stay in the destination, with deleted = true. Airbyte must reach your service. Airbyte Cloud runs on the internet.",
    tested:
      "`npm run verify -- connectors` runs check, discover and read, twice with state, in Airbyte's CDK 7.39, and compares each value. Airbyte itself was not run.",
  },
  {
    id: "dlt",
    name: "dlt",
    minutes: 3,
    steps: [
      setKey,
      {
        text: "Save the file in an empty folder, open the folder in the same terminal, and install dlt there:",
        commands: ['pip install "dlt[duckdb]"'],
      },
      {
        text: "Run the file. It loads into DuckDB, unless you change `destination` in it:",
        commands: ["python email_analytics.py"],
      },
    ],
    files: ["dlt/email_analytics.py"],
    refresh: sinceLast,
    limits:
      "Deleted campaigns are deleted in the destination. After a restored backup, drop the pipeline and run it again.",
    tested:
      "`npm run verify -- connectors` runs the file with dlt 1.31 and DuckDB, again after changes, a deletion and a renamed tag, and compares each value and type.",
  },
  {
    id: "warehouse",
    name: "Snowflake, Spark and dbt",
    minutes: 5,
    steps: [
      setKey,
      {
        text: "Download all campaigns with their types there:",
        commands: [
          `echo "Authorization: Bearer $EMAIL_ANALYTICS_KEY" | curl -fsS -H @- -o emails.parquet "{{address}}/data_api/v1/emails.parquet"`,
        ],
      },
      "Run the SQL file of your warehouse. For dbt on the SQL views, add `sources.yml` to the folder `models` of your project.",
    ],
    files: ["warehouse/snowflake.sql", "warehouse/spark.sql", "warehouse/sources.yml"],
    refresh: "Download the file and load it again: it has all campaigns as they are at that moment.",
    limits: "The SQL views need PostgreSQL.",
    tested:
      "Every test run checks that each field has a type. `npm run verify -- connectors` runs spark.sql in Spark 4.3, compares each value and type, runs dbt 1.11 with sources.yml on the SQL views, and parses snowflake.sql. Snowflake was not run.",
  },
  {
    id: "n8n",
    name: "n8n",
    minutes: 3,
    steps: [
      "Create a workflow, choose Import from File, and select the file.",
      "In Download campaigns, create a credential of the type Bearer Auth with your API key.",
      "Connect the nodes of your choice to One item per campaign.",
    ],
    files: ["n8n/workflow.json"],
    refresh: "Every morning, after you activate the workflow.",
    limits: "Loads the campaigns of the last 30 days: change sent_after for more. CSV values arrive as text.",
    tested:
      "Every test run requests the URL in the file, and checks that its nodes are connected. n8n was not run.",
  },
] as const satisfies readonly ToolEntry[];
