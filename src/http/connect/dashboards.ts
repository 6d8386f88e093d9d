// Tools for dashboards.

import type { ConnectStep, ConnectTool } from "./connect-tool.ts";

const sql = "application/sql; charset=utf-8";
/** Three questions in SQL. */
const questions = [
  { path: "sql/open-rate-by-month.sql", name: "open-rate-by-month.sql", contentType: sql },
  { path: "sql/rates-by-tag.sql", name: "rates-by-tag.sql", contentType: sql },
  { path: "sql/clicks-by-link.sql", name: "clicks-by-link.sql", contentType: sql },
] as const;
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
      {
        text: "Install the plugin Infinity, and set the environment variable `EMAIL_ANALYTICS_KEY` of Grafana to your API key.",
      },
      { text: "Save `datasource.yaml` in `/etc/grafana/provisioning/datasources`, and restart Grafana." },
      { text: "Choose Dashboards, New, Import, and upload `dashboard.json`." },
    ],
    files: [
      {
        path: "grafana/datasource.yaml",
        name: "datasource.yaml",
        contentType: "application/yaml; charset=utf-8",
      },
      {
        path: "grafana/dashboard.json",
        name: "dashboard.json",
        contentType: "application/json; charset=utf-8",
      },
    ],
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
      {
        text: "In Metabase, add a PostgreSQL database with this role and the schema `analytics_{{organization}}`.",
      },
      { text: "Choose New, SQL query, and paste a file." },
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
      { text: "In Superset, connect a PostgreSQL database with this role." },
      {
        text: "In SQL Lab, choose the schema `analytics_{{organization}}`, paste a file, run it, and save it as a dataset.",
      },
    ],
    files: questions,
    refresh: "Each chart reads the current numbers. Superset may cache results, as you set it.",
    limits: viewLimits,
    tested: `${viewsTested} The check *connectors* ran Superset 6.1.`,
  },
] as const satisfies readonly ConnectTool[];
