// GET /odata/v1/…: the feed as tables for Power BI, Excel, Tableau and other tools that speak OData 4.0. Read-only.

import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type FeedTableName, feedTables } from "../../campaign/feed/feed-tables.ts";
import type { FilterExpression } from "../../campaign/feed/row-filter.ts";
import type { DownloadThreads } from "../../listing/feed/download-threads.ts";
import type { ODataContent } from "../../listing/feed/odata-content.ts";
import { paths } from "../../paths.ts";
import type { Organization } from "../../storage/organizations/organizations.ts";
import { cachingHeaders } from "../api/emails.ts";
import { ignoredHeader } from "../api/query-parameters.ts";
import { sendDocument } from "../api/send-document.ts";
import { type SendDownloadOptions, sendDownload } from "../api/send-download.ts";
import { type AuthenticateOptions, findReader } from "../request/authenticate.ts";
import { queryStringOf } from "../request/url.ts";
import { metadataDocument, serviceDocument } from "./metadata.ts";
import { checkMaxVersion, negotiateFormat, preferredPageSize } from "./negotiate.ts";
import { parseResource, type Resource } from "./resource.ts";
import { collectOptions, type OptionName, parseOptions, type SystemOptions } from "./system-options.ts";

export interface ODataOptions extends AuthenticateOptions, Omit<SendDownloadOptions, "threads"> {
  region: string;
  /** The public base URL, without a trailing slash. */
  publicUrl: () => string;
  threads: DownloadThreads;
}

const json = (isIeee754Compatible: boolean) =>
  `application/json;odata.metadata=minimal;odata.streaming=true;IEEE754Compatible=${isIeee754Compatible};charset=utf-8`;

/** The formats of each kind of resource; JSON by default. */
const formatsOf: Partial<Record<Resource["kind"], readonly string[]>> = {
  metadata: ["application/xml"],
  count: ["text/plain", "application/json"],
};
/** The query options of each kind of resource; none by default. */
const optionsOf: Partial<Record<Resource["kind"], readonly OptionName[]>> = {
  collection: ["$select", "$filter", "$orderby", "$top", "$skip", "$count", "$skiptoken"],
  entity: ["$select"],
  count: ["$filter"],
};

export function addOData(app: FastifyInstance, options: ODataOptions): void {
  const metadata = metadataDocument();
  const handle = async (
    request: FastifyRequest<{ Params: { resource?: string; part?: string } }>,
    reply: FastifyReply,
  ) => {
    const organization = await findReader(options, request);
    checkMaxVersion(request.headers);
    const { resource: first = "", part } = request.params;
    const resource = parseResource(part === undefined ? [first] : [first, part]);
    const ignored: string[] = [];
    const given = collectOptions(queryStringOf(request.url), {
      accepted: optionsOf[resource.kind] ?? [],
      resource: request.url.split("?")[0] ?? "",
      onUnknown: (name) => ignored.push(name),
    });
    reply.headers(ignoredHeader(ignored));
    const root = `${options.publicUrl()}${paths.odata.root}/`;
    const isIeee754Compatible = negotiateFormat(
      // Some versions of Power Query ask for JSON there, and read XML.
      resource.kind === "metadata" ? {} : request.headers,
      given.get("$format"),
      formatsOf[resource.kind] ?? ["application/json"],
    );
    if (resource.kind === "metadata" || resource.kind === "service") {
      const document =
        resource.kind === "metadata"
          ? { type: "application/xml", text: metadata }
          : { type: json(isIeee754Compatible), text: serviceDocument(root) };
      return sendDocument(request, reply, { ...document, headersOf: cachingHeaders });
    }
    return sendRows(options, request, reply, { organization, root, resource, given, isIeee754Compatible });
  };
  app.get(paths.odata.root, handle);
  app.get(`${paths.odata.root}/:resource`, handle);
  app.get(`${paths.odata.root}/:resource/:part`, handle);
}

interface RowsRequest {
  organization: Organization;
  root: string;
  resource: Extract<Resource, { table: FeedTableName }>;
  given: SystemOptions;
  isIeee754Compatible: boolean;
}

function sendRows(
  options: ODataOptions,
  request: FastifyRequest,
  reply: FastifyReply,
  { organization, root, resource, given, isIeee754Compatible }: RowsRequest,
): Promise<FastifyReply> {
  const { query, select, hasCount, pageSize } = parseOptions(resource.table, given, organization.secret);
  // With $top, a link to another page would lead beyond what the client wants.
  const preferred = query.top === undefined ? preferredPageSize(request.headers) : undefined;
  const size = preferred ?? pageSize;
  const content: ODataContent = {
    query: resource.kind === "entity" ? { ...query, filter: hasId(resource), top: 1 } : query,
    kind: resource.kind,
    context: contextOf(root, resource, select),
    select,
    hasCount,
    isIeee754Compatible,
    page: size === undefined ? undefined : { size, url: nextPageUrl(root, resource.table, given) },
  };
  return sendDownload(options, request, reply, {
    organization,
    isText: true,
    isWhole: false,
    name: `odata ${JSON.stringify(content)}`,
    content,
    headers: () => ({
      "content-type": resource.kind === "count" ? "text/plain;charset=utf-8" : json(isIeee754Compatible),
      ...(preferred !== undefined && { "preference-applied": `odata.maxpagesize=${preferred}` }),
    }),
  });
}

function hasId({ table, id }: Extract<Resource, { kind: "entity" }>): FilterExpression {
  const [name] = feedTables[table].key;
  return {
    kind: "comparison",
    operator: "eq",
    left: { kind: "field", name, type: "integer" },
    right: { kind: "literal", value: id },
  };
}

/** The context URL (OData Protocol 4.0, 10). */
function contextOf(
  root: string,
  { table, kind }: RowsRequest["resource"],
  select: readonly string[] | undefined,
): string {
  return `${root}$metadata#${table}${select ? `(${select.join(",")})` : ""}${kind === "entity" ? "/$entity" : ""}`;
}

/** Everything but the token, which the page adds at the end. */
function nextPageUrl(root: string, table: FeedTableName, given: SystemOptions): string {
  const kept = [...given].filter(([name]) => name !== "$skip" && name !== "$skiptoken");
  const pairs = kept.map(([name, value]) => `${name}=${encodeURIComponent(value)}&`);
  return `${root}${table}?${pairs.join("")}$skiptoken=`;
}
