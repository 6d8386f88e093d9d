// Health checks for load balancers and orchestrators: liveness and readiness.

import { setTimeout as delay } from "node:timers/promises";
import type { FastifyInstance } from "fastify";
import type { Logger } from "pino";
import { AppError } from "../../errors.ts";
import { paths } from "../../paths.ts";
import { findOrganization } from "../../storage/organizations/organizations.ts";
import type { Database } from "../../storage/queries/database.ts";

/** What a proxy has made of a request: enough for `doctor` to find its mistakes, and no address. */
export interface ProxyReport {
  region: string;
  /** The HTTP version between the proxy and this process. */
  http_version: string;
  /** The port from which the request came: the client's own, if there is no proxy. */
  client_port: number | undefined;
  /** How many addresses X-Forwarded-For has. */
  forwarded_addresses: number;
  /** Whether the client's address is taken from them. */
  is_trusted: boolean;
  has_bearer_auth: boolean;
}

/**
 * Warnings leave the status at 200: a process that can still answer most requests stays behind the load balancer.
 *
 * @param readyMs that the database has to answer a readiness check
 */
export function addHealthRoutes(
  app: FastifyInstance,
  { database, log, region, readyMs }: { database: Database; log: Logger; region: string; readyMs: number },
): void {
  app.get(paths.health.live, async () => ({ status: "ok" }));
  app.get(
    paths.health.proxy,
    async ({ headers, ips = [], raw }): Promise<ProxyReport> => ({
      region,
      http_version: raw.httpVersion,
      client_port: raw.socket.remotePort,
      forwarded_addresses: String(headers["x-forwarded-for"] ?? "")
        .split(",")
        .filter(Boolean).length,
      is_trusted: ips.length > 1,
      has_bearer_auth: headers.bearer_auth !== undefined,
    }),
  );
  app.get(paths.health.ready, async (request) => {
    try {
      // No retry: the check reports the state of this moment.
      const query = database.snapshotOf(0, findOrganization, "never");
      await Promise.race([query, failAfter(readyMs)]);
    } catch (error) {
      log.error({ err: error, request_id: request.id }, "the database cannot be read");
      throw new AppError("unavailable");
    }
    const problem = database.writeProblem();
    return problem === undefined ? { status: "ok" } : { status: "warn", warnings: [problem] };
  });
}

async function failAfter(ms: number): Promise<never> {
  await delay(ms, undefined, { ref: false });
  throw new Error(`the database did not answer within ${ms} ms`);
}
