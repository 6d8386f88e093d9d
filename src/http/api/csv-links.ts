// GET /data_api/v1/links/<KEY>.csv and .xlsx: one selection, for spreadsheets that send no header. Everyone who has the URL can
// read it, so it expires, is limited, and works only if the organization allows it.

import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { parseApiKey } from "../../access/api-key.ts";
import { hourMs } from "../../campaign/calendar/durations.ts";
import { AppError } from "../../errors.ts";
import { TimeWindows } from "../../limits/time-windows.ts";
import { paths } from "../../paths.ts";
import { findOrganizationOfKey } from "../../storage/keys/api-keys.ts";
import type { Organization } from "../../storage/organizations/organizations.ts";
import type { AuthenticateOptions } from "../request/authenticate.ts";
import { addToLog } from "../request/log.ts";
import { queryStringOf } from "../request/url.ts";
import { checkLinkQuery, parseDownloadQuery } from "./emails-query.ts";
import { ignoredHeader } from "./query-parameters.ts";
import type { RequestedFile } from "./send-download.ts";

/** Downloads of one link per hour and process. A spreadsheet refreshes once an hour. */
export const maxCsvLinkUses = 60;
const maxWindows = 5_000;

/** Neither caches nor search engines keep what a URL shows to everyone who has it. */
const linkHeaders = {
  "cache-control": "private, no-store",
  "referrer-policy": "no-referrer",
  "x-robots-tag": "noindex",
};

/** @param send sends the file and its headers */
export function addCsvLinks(
  app: FastifyInstance,
  options: AuthenticateOptions & { region: string },
  send: (request: FastifyRequest, reply: FastifyReply, file: RequestedFile) => Promise<FastifyReply>,
): void {
  const { now } = options;
  const create = () => ({ count: 0, endsAt: now() + hourMs });
  const uses = new TimeWindows({ windowMs: hourMs, maxWindows, now, create });
  const open = (format: "csv" | "xlsx") => async (request: LinkRequest, reply: FastifyReply) => {
    reply.headers(linkHeaders);
    const { keyId, organization, selection } = await findLink(options, request);
    addToLog(request, { organization: organization.id });
    const { ignored, decimal } = checkLinkQuery(queryStringOf(request.url));
    reply.headers(ignoredHeader(ignored));
    const window = uses.at(String(keyId));
    if (window.count >= maxCsvLinkUses) {
      reply.header("retry-after", String(Math.ceil((window.endsAt - now()) / 1000)));
      throw new AppError("too_many_requests", `The link was used ${maxCsvLinkUses} times within an hour.`);
    }
    // Counted first, so that requests at the same time stay within the limit.
    window.count += 1;
    reply.raw.once("close", () => {
      if (request.method !== "GET" || reply.statusCode !== 200) window.count -= 1;
    });
    const filters = parseDownloadQuery(
      decimal === undefined ? selection : `${selection}&decimal=${encodeURIComponent(decimal)}`,
      organization.timeZone,
    );
    return send(request, reply, {
      organization,
      filters,
      table: "emails",
      format,
      headers: linkHeaders,
    });
  };
  for (const format of ["csv", "xlsx"] as const) app.get(`${paths.api.csvLinks}:key.${format}`, open(format));
}

type LinkRequest = FastifyRequest<{ Params: { key: string } }>;

/**
 * Nothing is cached: a deleted link is refused by the very next request.
 *
 * @throws AppError `not_found`, whether the link never existed, expired, was deleted, or links are not allowed
 */
async function findLink(
  { database, keyUsage, now, region }: AuthenticateOptions & { region: string },
  { params, headers }: LinkRequest,
): Promise<{ keyId: number; organization: Organization; selection: string }> {
  const key = parseApiKey(params.key);
  const link =
    key?.region === region
      ? await database.query((queries) => findOrganizationOfKey(queries, key))
      : undefined;
  const isValid =
    link?.scope === "csv-link" && link.organization.csvLinks === "allow" && (link.expiresAt ?? 0) > now();
  if (!isValid) {
    throw new AppError("not_found", "This link does not work: it expired, was deleted, or is not allowed.");
  }
  keyUsage.note(link.organization.id, link.keyId, {
    at: now(),
    client: headers["user-agent"] ?? "",
  });
  return { keyId: link.keyId, organization: link.organization, selection: link.selection ?? "" };
}
