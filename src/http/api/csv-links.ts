// GET /data_api/v1/links/<KEY>.csv and .xlsx: one selection, for spreadsheets that send no header.

import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { AppError } from "../../errors.ts";
import { paths } from "../../paths.ts";
import type { AuthenticateOptions } from "../request/authenticate.ts";
import { findLink, type LinkRequest, limitLinkUses, noteLinkUse } from "../request/links.ts";
import { queryStringOf } from "../request/url.ts";
import { checkLinkQuery, parseDownloadQuery } from "./emails-query.ts";
import { ignoredHeader } from "./query-parameters.ts";
import type { RequestedFile } from "./send-download.ts";

/** Downloads of one link per hour and process. A spreadsheet refreshes once an hour. */
export const maxCsvLinkUses = 60;

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
  const countUse = limitLinkUses(maxCsvLinkUses, options.now);
  const open = (format: "csv" | "xlsx") => async (request: LinkRequest, reply: FastifyReply) => {
    reply.headers(linkHeaders);
    const link = await findLink(options, request, "csvLinks");
    if (!link) {
      throw new AppError("not_found", "This link does not work: it expired, was deleted, or is not allowed.");
    }
    noteLinkUse(options, request, link);
    const { ignored, decimal } = checkLinkQuery(queryStringOf(request.url));
    reply.headers(ignoredHeader(ignored));
    const window = countUse(link, reply, `The link was used ${maxCsvLinkUses} times within an hour.`);
    reply.raw.once("close", () => {
      if (request.method !== "GET" || reply.statusCode !== 200) window.count -= 1;
    });
    const { organization } = link;
    const selection = link.selection ?? "";
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
