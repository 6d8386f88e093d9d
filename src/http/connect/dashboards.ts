// Tools for dashboards.

import type { ConnectStep, ToolEntry } from "./connect-tool.ts";

/** Three questions in SQL. */
const questions = ["sql/open-rate-by-month.sql", "sql/rates-by-tag.sql", "sql/clicks-by-link.sql"] as const;
const addViews = (role: string): ConnectStep => ({
  text: `Create the PostgreSQL role \`${role}\`, and give it the views of your organization:`,
  commands: [`npx email-analytics views add --organization {{organization}} --role ${role}`],
});
const viewLimits = "The role reads one organization.";
const viewsTested =
  "Every test run on PostgreSQL runs the files as a role with views, and compares the results.";

export const dashboards = [
  {
    id: "grafana",
    name: "Grafana",
    minutes: 5,
    steps: [
      "Install the plugin Infinity, and set the environment variable `EMAIL_ANALYTICS_KEY` of Grafana to your API key.",
      "Save `datasource.yaml` in `/etc/grafana/provisioning/datasources`, and restart Grafana.",
      "Choose Dashboards, New, Import, and upload `dashboard.json`.",
    ],
    files: ["grafana/datasource.yaml", "grafana/dashboard.json"],
    refresh:
      "Whenever somebody opens or refreshes the dashboard. Each panel downloads the selected time range.",
    limits:
      "All campaigns of the time range. Grafana shows instants in the time zone of the browser, which may be another day.",
    tested:
      "Every test run requests the URL of each panel, and checks its columns. Neither Grafana nor the plugin was run.",
  },
  {
    id: "metabase",
    name: "Metabase",
    minutes: 5,
    usesViews: true,
    steps: [
      addViews("metabase"),
      "In Metabase, add a PostgreSQL database with this role and the schema `analytics_{{organization}}`.",
      "Choose New, SQL query, and paste a file.",
    ],
    files: questions,
    refresh: "Each question reads the current numbers. Metabase may cache results, as you set it.",
    limits: viewLimits,
    tested: `${viewsTested} Metabase was not run.`,
  },
  {
    id: "superset",
    name: "Apache Superset",
    minutes: 5,
    usesViews: true,
    steps: [
      addViews("superset"),
      "In Superset, connect a PostgreSQL database with this role.",
      "In SQL Lab, choose the schema `analytics_{{organization}}`, paste a file, run it, and save it as a dataset.",
    ],
    files: questions,
    refresh: "Each chart reads the current numbers. Superset may cache results, as you set it.",
    limits: viewLimits,
    tested: `${viewsTested} The check *connectors* ran Superset 6.1.`,
  },
] as const satisfies readonly ToolEntry[];
