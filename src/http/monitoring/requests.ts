// Counts requests by route, method and status class, and refused credentials, and measures the duration of requests.

import type { FastifyInstance } from "fastify";
import { webPaths } from "../../paths.ts";
import type { PrometheusMetrics } from "./metrics.ts";

/** Labels of requests that match no route. Their paths and methods are not labels: clients can make up any number. */
const unmatched = { method: "any", route: "none" };

/** Adds the hook that counts. Call it before the server listens. */
export function countRequests(app: FastifyInstance, metrics: PrometheusMetrics): void {
  const total = metrics.email_analytics_requests_total;
  const refused = metrics.email_analytics_refused_credentials_total;
  for (const credential of ["key", "sign_in"]) refused.inc({ credential }, 0);
  const duration = metrics.email_analytics_request_duration_seconds;
  // Hot path: a callback, because a promise for each request would take longer than the rest of the hook.
  app.addHook("onResponse", (request, reply, done) => {
    const { url } = request.routeOptions;
    const labels = url === undefined ? unmatched : { method: request.method, route: url };
    duration.observe(labels, reply.elapsedTime / 1000);
    const isSignIn = url === webPaths.signIn;
    // A network that guesses passwords soon gets only 429.
    if (reply.statusCode === 401 || (isSignIn && reply.statusCode === 429)) {
      refused.inc({ credential: isSignIn ? "sign_in" : "key" });
    }
    total.inc({ ...labels, status: `${Math.trunc(reply.statusCode / 100)}xx` });
    done();
  });
}

/** Sets the gauge of open connections. Call it before each scrape. */
export function measureConnections(app: FastifyInstance, metrics: PrometheusMetrics): Promise<void> {
  return new Promise((resolve, reject) => {
    app.server.getConnections((error, count) => {
      if (error) return reject(error);
      metrics.email_analytics_connections.set(count);
      resolve();
    });
  });
}
