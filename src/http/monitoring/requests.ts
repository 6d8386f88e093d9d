// Counts the requests that a server answers, by route, method and class of the status, and how long they take.

import type { FastifyInstance } from "fastify";
import { Histogram } from "./histogram.ts";
import type { Measured } from "./metrics.ts";

/** In seconds. */
const bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

const statusClasses = ["1xx", "2xx", "3xx", "4xx", "5xx"];

interface Answers {
  labels: { method: string; route: string };
  durations: Histogram;
  /** By class of the status. */
  counts: number[];
}

/** What is asked for at an address or with a method that is not served: callers could make up any number of them. */
const unknown = { method: "any", route: "none" };

/** To be called before the server listens. */
export function countRequests(app: FastifyInstance): () => Promise<Measured> {
  const byRoute = new Map<string, Map<string, Answers>>();
  const answersOf = (route: string, method: string): Answers => {
    const byMethod = byRoute.get(route) ?? new Map<string, Answers>();
    byRoute.set(route, byMethod);
    const answers = byMethod.get(method) ?? {
      labels: { method, route },
      durations: new Histogram(bounds),
      counts: new Array<number>(statusClasses.length).fill(0),
    };
    byMethod.set(method, answers);
    return answers;
  };
  // With a callback, since a promise for each request would take longer than all the rest.
  app.addHook("onResponse", (request, reply, done) => {
    const { url } = request.routeOptions;
    const { route, method } = url === undefined ? unknown : { route: url, method: request.method };
    const answers = byRoute.get(route)?.get(method) ?? answersOf(route, method);
    answers.durations.add(reply.elapsedTime / 1000);
    const place = Math.trunc(reply.statusCode / 100) - 1;
    answers.counts[place] = (answers.counts[place] ?? 0) + 1;
    done();
  });
  return async () => {
    const all = [...byRoute.values()].flatMap((byMethod) => [...byMethod.values()]);
    return {
      email_analytics_requests_total: all.flatMap(({ labels, counts }) =>
        statusClasses.flatMap((status, place) => {
          const value = counts[place] ?? 0;
          return value > 0 ? [{ labels: { ...labels, status }, value }] : [];
        }),
      ),
      email_analytics_request_duration_seconds: all.map(({ labels, durations }) => ({
        labels,
        value: durations,
      })),
      email_analytics_connections: [{ value: await connectionsOf(app) }],
    };
  };
}

function connectionsOf(app: FastifyInstance): Promise<number> {
  return new Promise((resolve, reject) => {
    app.server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
  });
}
