// The OpenAPI 3.1 document of the API, generated from the schemas and tables that the service itself uses.

import { emailRecordSchema, embeddedTagSchema } from "../../../src/campaign/email-record-schema.ts";
import { type FileTableName, feedTables, fileTableNames } from "../../../src/campaign/feed/feed-tables.ts";
import { metricContract } from "../../../src/campaign/feed/metric-contract.ts";
import { largestInteger, objectSchema } from "../../../src/campaign/fields/field-schema.ts";
import { recordFields } from "../../../src/campaign/record-fields.ts";
import { type ErrorCode, errors } from "../../../src/errors.ts";
import { type FileFormatName, fileFormatNames, fileFormats } from "../../../src/formats/feed-files.ts";
import { perPageOfChanges } from "../../../src/http/api/changes-query.ts";
import type {
  OpenApiDocument,
  OpenApiOperation,
  OpenApiResponse,
} from "../../../src/http/api/contract/openapi-types.ts";
import { maxPerPage, maxTagIds, pageDefault, perPageDefault } from "../../../src/listing/campaigns-query.ts";
import { filePath, paths } from "../../../src/paths.ts";
import { changesSchema, exampleChanges, exampleCursor } from "./changes-schema.ts";
import { metricContractSchema } from "./metric-contract-schema.ts";
import { exampleUrlList, urlListSchema } from "./url-list-schema.ts";

const metaSchema = objectSchema(
  {
    page: { type: "integer", description: "Current page number returned.", minimum: 1, examples: [1] },
    per_page: {
      type: "integer",
      description: "Number of items per page, after clamping to the maximum.",
      minimum: 1,
      maximum: maxPerPage,
      examples: [10],
    },
    total_entries: { type: "integer", description: "Items across all pages.", minimum: 0, examples: [1] },
    total_pages: {
      type: "integer",
      description: "Number of pages; 0 when nothing matches.",
      minimum: 0,
      examples: [1],
    },
  },
  { description: "Pagination: the position of this page among all matching items." },
);

const errorSchema = objectSchema(
  {
    error: {
      type: "string",
      description: "Stable error code, for programs.",
      enum: Object.keys(errors),
      examples: ["bad_request"],
    },
    error_message: {
      type: "string",
      description: "Explanation, for people.",
      examples: ["The API key is missing."],
    },
  },
  { description: "The body of every error response." },
);

const timestampForms = [
  { type: "string", format: "date", description: "A whole day in the organization's time zone." },
  { type: "string", format: "date-time", description: "An instant, with `Z` or an offset." },
];
const timestampNote =
  "ISO-8601: `YYYY-MM-DD`, `YYYY-MM-DDThh:mm:ssZ` or `YYYY-MM-DDThh:mm:ss±hh:mm`. A date alone means the whole day in the organization's time zone, so a window of dates includes both days.";

const parameters = {
  page: {
    description: "Page to return. A page past the end is empty.",
    schema: { type: "integer", minimum: 1, maximum: largestInteger, default: pageDefault },
    example: 2,
  },
  per_page: {
    description: `Items per page. Values above ${maxPerPage} are clamped to ${maxPerPage}; \`meta.per_page\` shows the value used.`,
    schema: { type: "integer", minimum: 1, default: perPageDefault },
    example: maxPerPage,
  },
  sent_after: {
    description: `Only campaigns sent at or after this time. ${timestampNote}`,
    schema: { anyOf: timestampForms },
    example: "2024-01-01",
  },
  sent_before: {
    description: `Only campaigns sent at or before this time. ${timestampNote}`,
    schema: { anyOf: timestampForms },
    example: "2024-03-31T23:59:59+02:00",
  },
  tag_ids: {
    description: `Only campaigns with any of these tags, at most ${maxTagIds}. Also as \`tag_ids[]=1&tag_ids[]=2\`. Ids of other organizations are ignored; if no id remains, nothing matches.`,
    schema: { type: "array", items: { type: "integer", minimum: 0 }, maxItems: maxTagIds },
    style: "form",
    explode: false,
    example: [1, 2],
  },
  fields: fieldsParameter(recordFields),
};

function fieldsParameter(known: object) {
  return {
    description: "Only these fields, in this order.",
    schema: { type: "array", items: { type: "string", enum: Object.keys(known) }, minItems: 1 },
    style: "form",
    explode: false,
    example: Object.keys(known).slice(0, 2),
  };
}

const decimal = {
  description:
    "`comma` for CSV with semicolons and decimal commas, as spreadsheets of most European countries read it.",
  schema: { type: "string", enum: ["comma"] },
};

const responseHeaders = {
  ETag: {
    description: "Weak ETag of this response. Send it back as `If-None-Match`.",
    schema: { type: "string" },
    example: 'W/"0m6s5Z1Yk1zq0c3bHq0gZrjWv0Q"',
  },
  Link: {
    description: "RFC 8288 links to the pages `first`, `prev`, `next` and `last`, with the same filters.",
    schema: { type: "string" },
    example: `<https://analytics.example.com${paths.api.emails}?page=2&per_page=10>; rel="next"`,
  },
  "X-Per-Page": {
    description: "Items per page, after clamping to the maximum.",
    schema: { type: "string" },
    example: "10",
  },
  "X-Request-Id": {
    description: "The id of the request in the log of the service.",
    schema: { type: "string" },
    example: "2f1c8f8e-7c1f-4c3e-9c65-0a8f6c1d2b3a",
  },
};

const messages: Partial<Record<ErrorCode, string>> = {
  bad_request:
    'sent_after: "yesterday" is not a valid ISO-8601 timestamp; use YYYY-MM-DD, YYYY-MM-DDThh:mm:ssZ or YYYY-MM-DDThh:mm:ss±hh:mm.',
  unauthorized: "The API key is missing. Send the header Authorization: Bearer <API_KEY>.",
};

function errorResponse(code: ErrorCode) {
  const example = { error: code, error_message: messages[code] ?? errors[code].message };
  return {
    description: errors[code].message,
    content: { "application/json": { schema: { $ref: "#/components/schemas/Error" }, example } },
  };
}

/** The errors of other interfaces. */
const otherErrors: readonly ErrorCode[] = [
  ...(["conflict", "not_acceptable", "not_implemented"] as const),
  ...(["too_many_requests", "unsupported_media_type"] as const),
];

/** The errors that a GET can return. */
const apiErrors = (Object.keys(errors) as ErrorCode[]).filter((code) => !otherErrors.includes(code));

/** Only cursors expire. */
const emailsErrors = apiErrors.filter((code) => code !== "gone");

/** The errors of a CSV link, which answers 404 to every key that does not work. */
const linkErrors: ErrorCode[] = [
  ...emailsErrors.filter((code) => !["unauthorized", "forbidden"].includes(code)),
  "too_many_requests",
];

/** The errors of an endpoint that needs no key and no database. */
const staticErrors = emailsErrors.filter(
  (code) => !["unauthorized", "forbidden", "unavailable"].includes(code),
);

function errorResponses(codes: readonly ErrorCode[]) {
  return Object.fromEntries(
    codes.map((code) => [String(errors[code].status), { $ref: `#/components/responses/${code}` }]),
  );
}

/** The URL is a placeholder: a running service puts its own into the document. */
export function generateOpenApi(): OpenApiDocument {
  return {
    openapi: "3.1.0",
    info,
    servers: [{ url: "http://127.0.0.1:8080", description: "The region that served this document." }],
    security: Object.keys(securitySchemes).map((name) => ({ [name]: [] })),
    tags: [
      { name: "discovery", description: "Where to start." },
      { name: "emails", description: "Email campaigns and their metrics." },
      { name: "metrics", description: "What the fields mean." },
    ],
    paths: {
      [paths.api.root]: { get: listUrls() },
      [paths.api.emails]: { get: listEmails() },
      ...Object.fromEntries(
        fileTableNames.flatMap((table) =>
          fileFormatNames.map((name) => [filePath(table, name), { get: downloadFile(table, name) }]),
        ),
      ),
      [`${paths.api.csvLinks}{key}.csv`]: { get: openCsvLink("csv") },
      [`${paths.api.csvLinks}{key}.xlsx`]: { get: openCsvLink("xlsx") },
      [paths.api.changes]: { get: listChanges() },
      [paths.api.metricContract]: { get: getMetricContract() },
      [paths.api.recordSchema]: { get: getDocument(recordSchema) },
    },
    components: {
      securitySchemes,
      schemas: schemas(),
      responses: Object.fromEntries(
        [...new Set([...apiErrors, ...linkErrors])].map((code) => [code, errorResponse(code)]),
      ),
    },
  };
}

const info = {
  title: "email-analytics",
  version: "1.0.0-beta",
  summary: "Email campaign analytics for data visualization tools.",
  description:
    "Read-only. The API is in beta: expect changes and improvements. Within v1, fields may be added, but never removed or changed to another type. Ignore fields that you do not know.\n\nAn admin creates an API key with the scope `read`. Send it as `Authorization: Bearer <API_KEY>`, in the header `bearer_auth` (with or without the prefix `Bearer `), or with HTTP Basic as the password or the user name.",
  license: { name: "Apache-2.0", identifier: "Apache-2.0" },
};

const securitySchemes = {
  bearer: { type: "http", scheme: "bearer", description: "`Authorization: Bearer <API_KEY>`" },
  basic: {
    type: "http",
    scheme: "basic",
    description: "The API key as the password with any user name, or as the user name with any password.",
  },
  bearer_auth: {
    type: "apiKey",
    in: "header",
    name: "bearer_auth",
    description:
      "The API key in the header `bearer_auth`, with or without the prefix `Bearer `. The header `bearer-auth` works as well.",
  },
};

function listEmails(): OpenApiOperation {
  return {
    operationId: "listEmails",
    tags: ["emails"],
    summary: "Get all emails",
    description:
      "The email records of the caller's organization, newest first. All parameters are optional; several filters combine with AND. To pull every page while campaigns are being sent, use the same `sent_before` for all pages.",
    parameters: Object.entries(parameters).map(([name, rest]) => ({ name, in: "query", ...rest })),
    responses: {
      200: {
        description: "One page of records.",
        headers: {
          ...responseHeaders,
          "Ignored-Parameters": {
            description: "Parameters that are unknown and had no effect, percent-encoded, at most 20.",
            schema: { type: "string" },
            example: "tag_id, perPage",
          },
        },
        content: {
          "application/json": {
            schema: { $ref: "#/components/schemas/Emails" },
            example: {
              emails: [exampleOf(emailRecordSchema.properties)],
              meta: exampleOf(metaSchema.properties),
            },
          },
        },
      },
      304: { description: "Nothing has changed since the response with the `ETag` in `If-None-Match`." },
      ...errorResponses(emailsErrors),
    },
  };
}

const files: Record<FileTableName, { id: string; summary: string; description: string }> = {
  emails: {
    id: "downloadEmails",
    summary: "Download all emails",
    description: "The feed records of the caller's organization, newest first,",
  },
  email_groups: {
    id: "downloadEmailGroups",
    summary: "Download the groups of all emails",
    description:
      "What the emails of the caller's organization count by group of recipients, such as a department, by email, attribute and value,",
  },
};

function downloadFile(table: FileTableName, name: FileFormatName): OpenApiOperation {
  const { title } = fileFormats[name];
  const { id, summary, description } = files[table];
  const { sent_after, sent_before, tag_ids } = parameters;
  return {
    operationId: id + title,
    tags: ["emails"],
    summary: `${summary} as ${title}`,
    description: `${description} in one response that shows one state. The fields are in the metric contract. A download that ends early fails: it has no last chunk, and the connection is reset.`,
    parameters: Object.entries({
      ...{ sent_after, sent_before, tag_ids },
      fields: fieldsParameter(feedTables[table].fields),
      decimal,
    }).map(([parameter, rest]) => ({ name: parameter, in: "query", ...rest })),
    responses: {
      ...fileResponses(table, name),
      ...errorResponses(emailsErrors),
    },
  };
}

function openCsvLink(format: "csv" | "xlsx"): OpenApiOperation {
  const { title } = fileFormats[format];
  return {
    operationId: `open${title}Link`,
    tags: ["emails"],
    summary: `Open a CSV link as ${title}`,
    description:
      "The records that the link selects, as a download, for spreadsheets that cannot send a header. The URL is the credential. It is `404` after the link has expired or was deleted, and unless the organization allows links.",
    security: [],
    parameters: [
      {
        name: "key",
        in: "path",
        required: true,
        description: "The secret of the link, from its URL.",
        schema: { type: "string" },
      },
      { name: "decimal", in: "query", ...decimal },
    ],
    responses: { ...fileResponses("emails", format), ...errorResponses(linkErrors) },
  };
}

const changesCursor = {
  description: "Only without filters: the `cursor` for the changes since this download.",
  schema: { type: "string" },
  example: exampleCursor,
};

function fileResponses(table: FileTableName, name: FileFormatName) {
  const { ETag, "X-Request-Id": requestId } = responseHeaders;
  return {
    200: {
      description: "All rows.",
      headers: {
        ETag,
        "Content-Disposition": {
          description: "The name of the file, with today's date in the organization's time zone.",
          schema: { type: "string" },
          example: `attachment; filename="${table}-2024-01-31.${name}"`,
        },
        ...(table === "emails" && { "Changes-Cursor": changesCursor }),
        "X-Request-Id": requestId,
      },
      content: { [fileFormats[name].contentType]: { schema: { type: "string", format: "binary" } } },
    },
    304: { description: "Nothing has changed since the response with the `ETag` in `If-None-Match`." },
  };
}

const changesParameters = {
  cursor: {
    description:
      "`meta.cursor` of the last response: the changes since. Without it, everything. A cursor never expires, but is `410` after the operator restored a backup: then start again without one, and with an empty copy.",
    schema: { type: "string" },
    example: exampleCursor,
  },
  updated_after: {
    description: `Instead of a cursor: what changed at or after this time, for tools that keep the largest \`updated_at\`. ${timestampNote}`,
    schema: { anyOf: timestampForms },
    example: "2024-01-08T10:15:30Z",
  },
  per_page: {
    description: `Items per page. Values above ${perPageOfChanges.max} are clamped.`,
    schema: { type: "integer", minimum: 1, default: perPageOfChanges.default },
    example: perPageOfChanges.max,
  },
};

function listChanges(): OpenApiOperation {
  return {
    operationId: "listChanges",
    tags: ["emails"],
    summary: "Get what changed since",
    description:
      "All campaigns that changed since a cursor or a time, as feed records by `updated_at`, then `id`. A campaign that was deleted, or moved into the future, comes with `deleted: true` and nothing else. A campaign may come more than once: replace it by its `id`.",
    parameters: Object.entries(changesParameters).map(([name, rest]) => ({ name, in: "query", ...rest })),
    responses: {
      200: {
        description: "One page of changes.",
        headers: {
          ...responseHeaders,
          Link: {
            description:
              "RFC 8288 link to the JSON Schema of a record (`describedby`), and to the `next` page, as long as `meta.has_more` is true.",
            schema: { type: "string" },
            example: `<https://analytics.example.com${paths.api.changes}?cursor=${exampleCursor}>; rel="next"`,
          },
        },
        content: {
          "application/json": { schema: { $ref: "#/components/schemas/Changes" }, example: exampleChanges },
        },
      },
      304: { description: "Nothing has changed since the response with the `ETag` in `If-None-Match`." },
      ...errorResponses(apiErrors),
    },
  };
}

function listUrls(): OpenApiOperation {
  return {
    operationId: "listUrls",
    tags: ["discovery"],
    summary: "List the URLs of the API",
    description: "Where to find everything else: the API reference, the OpenAPI document, and each URL.",
    security: [],
    responses: {
      200: {
        description: "The URLs.",
        headers: { "X-Request-Id": responseHeaders["X-Request-Id"] },
        content: {
          "application/json": {
            schema: { $ref: "#/components/schemas/UrlList" },
            example: exampleUrlList,
          },
        },
      },
      ...errorResponses(staticErrors),
    },
  };
}

function getMetricContract(): OpenApiOperation {
  const { feed_format, fields, counts, email_groups } = metricContract;
  const isRate = ({ name }: { name: string }) => name === "open_rate";
  const example = {
    feed_format,
    fields: fields.filter(isRate),
    counts,
    email_groups: email_groups.filter(isRate),
  };
  return getDocument({
    operationId: "getMetricContract",
    summary: "Get the metric contract",
    description: "The type, unit, formula and meaning of every field, for programs. It needs no API key.",
    content: { schema: { $ref: "#/components/schemas/MetricContract" }, example },
  });
}

const recordSchema = {
  operationId: "getRecordSchema",
  summary: "Get the JSON Schema of a feed record",
  description: "The schema of each line of `emails.ndjson`. It needs no API key.",
  content: { schema: { type: "object", description: "A JSON Schema, draft 2020-12." } },
} as const;

function getDocument({
  content,
  ...operation
}: Pick<OpenApiOperation, "operationId" | "summary" | "description"> & {
  content: NonNullable<OpenApiResponse["content"]>[string];
}): OpenApiOperation {
  const { ETag, "X-Request-Id": requestId } = responseHeaders;
  return {
    ...operation,
    tags: ["metrics"],
    security: [],
    responses: {
      200: {
        description: "The document.",
        headers: { ETag, "X-Request-Id": requestId },
        content: { "application/json": content },
      },
      304: { description: "Nothing has changed since the response with the `ETag` in `If-None-Match`." },
      ...errorResponses(staticErrors),
    },
  };
}

function schemas() {
  // With the parameter `fields`, a record has only those.
  const { required: _required, ...record } = emailRecordSchema;
  const { properties } = record;
  return {
    Emails: {
      type: "object",
      required: ["emails", "meta"],
      properties: {
        emails: { type: "array", maxItems: maxPerPage, items: { $ref: "#/components/schemas/Email" } },
        meta: { $ref: "#/components/schemas/Meta" },
      },
    },
    Email: {
      ...record,
      properties: {
        ...properties,
        tags: { ...properties.tags, items: { $ref: "#/components/schemas/Tag" } },
      },
    },
    Changes: changesSchema,
    Tag: embeddedTagSchema,
    Meta: metaSchema,
    MetricContract: metricContractSchema,
    UrlList: urlListSchema,
    Error: errorSchema,
  };
}

/** Builds an example object from the first example of each property. */
function exampleOf(properties: Record<string, object>): Record<string, unknown> {
  const firstExample = (schema: object) => (schema as { examples?: unknown[] }).examples?.[0];
  return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, firstExample(schema)]));
}
