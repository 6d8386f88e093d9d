// Tools for dashboards.

import type { ConnectTool } from "./connect-tool.ts";

export const dashboards = [
  {
    id: "grafana",
    name: "Grafana",
    minutes: 5,
    steps: [
      "Install the plugin Infinity, and set the environment variable EMAIL_ANALYTICS_KEY of Grafana to your API key.",
      "Save datasource.yaml in /etc/grafana/provisioning/datasources, and restart Grafana.",
      "Choose Dashboards, New, Import, and upload dashboard.json.",
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
] as const satisfies readonly ConnectTool[];
