// Warns at startup about settings with which clients or readers cannot reach the service.

import type { Logger } from "pino";
import type { Settings } from "../../config.ts";
import type { ComponentName } from "./components.ts";

export function warnOfSettings(
  log: Logger,
  settings: Settings,
  open: readonly ComponentName[],
  url: string,
): void {
  const { HOST, PUBLIC_URL, TRACKING_SECRET, TRACKING_URL } = settings;
  if (open.length === 1 && open[0] === "tracking" && TRACKING_SECRET.length === 0) {
    log.warn("TRACKING_SECRET is not set, so no tracked messages are made or answered");
  }
  if (open.includes("web") && PUBLIC_URL !== "" && new URL(PUBLIC_URL).pathname !== "/") {
    log.warn("PUBLIC_URL has a path; the web application works only at the root of a host");
  }
  if (PUBLIC_URL !== "") return;
  if (open.includes("api") && ["0.0.0.0", "::"].includes(HOST)) {
    log.warn(`PUBLIC_URL is not set, so links lead to ${url}; set it to the URL that clients use`);
  }
  if (open.includes("tracking") && TRACKING_SECRET.length > 0 && TRACKING_URL === "") {
    log.warn(`PUBLIC_URL and TRACKING_URL are not set, so links in messages lead to ${url}`);
  }
}
