// The OpenAPI 3.1 document of the public interface, made from the schemas and tables that the service itself uses.

import type { FastifyInstance } from "fastify";
import { emailRecordSchema, embeddedTagSchema } from "../../campaign/email-record.ts";
import { largestInteger, objectSchema } from "../../campaign/field-schema.ts";
import { type ErrorCode, errors } from "../../errors.ts";
import { pageDefault, perPageDefault, perPageMax, tagIdsMax } from "../../listing/campaigns-query.ts";
import { emailsPath } from "./emails.ts";

const openApiPath = "/data_api/v1/openapi.json";

export function addOpenApi(app: FastifyInstance, publicUrl: () => string): void {
  app.get(openApiPath, async (_request, reply) =>
    reply
      .header("cache-control", "no-cache")
      .type("application/json; charset=utf-8")
      .send(JSON.stringify(openApiDocument(publicUrl()))),
  );
}

const metaSchema = objectSchema(
  {
    page: { type: "integer", description: "Current page number returned.", minimum: 1, examples: [1] },
    per_page: {
      type: "integer",
      description: "Number of items per page, after the maximum was applied.",
      minimum: 1,
      maximum: perPageMax,
      examples: [10],
    },
    total_entries: { type: "integer", description: "Items across all pages.", minimum: 0, examples: [1] },
    total_pages: {
      type: "integer",
      description: "Pages in all; 0 when nothing matches.",
      minimum: 0,
      examples: [1],
    },
  },
  { description: "Where this page stands among all that match." },
);

const errorSchema = objectSchema(
  {
    error: {
      type: "string",
      description: "Code, stable for programs.",
      enum: Object.keys(errors),
      examples: ["bad_request"],
    },
    error_message: { type: "string", description: "Text for people.", examples: ["The API key is missing."] },
  },
  { description: "The body of every answer that is no success." },
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
    description: `Items per page. More than ${perPageMax} is served as ${perPageMax}, and \`meta.per_page\` says so.`,
    schema: { type: "integer", minimum: 1, default: perPageDefault },
    example: perPageMax,
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
    description: `Only campaigns with any of these tags, at most ${tagIdsMax}. Also as \`tag_ids[]=1&tag_ids[]=2\`. Ids that are not the organization's are ignored; if none is left, nothing matches.`,
    schema: { type: "array", items: { type: "integer", minimum: 0 }, maxItems: tagIdsMax },
    style: "form",
    explode: false,
    example: [1, 2],
  },
};

const answerHeaders = {
  ETag: {
    description: "Weak validator of this answer. Send it back as `If-None-Match`.",
    schema: { type: "string" },
    example: 'W/"0m6s5Z1Yk1zq0c3bHq0gZrjWv0Q"',
  },
  Link: {
    description: "RFC 8288 links to the pages `first`, `prev`, `next` and `last`, with the same filters.",
    schema: { type: "string" },
    example: `<https://analytics.example.com${emailsPath}?page=2&per_page=10>; rel="next"`,
  },
  "X-Request-Id": {
    description: "The id under which the service logged the request.",
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

/** Every error that the endpoint can answer with, by status. */
const emailsErrors = (Object.keys(errors) as ErrorCode[]).filter(
  (code) => !["conflict", "too_many_requests", "unsupported_media_type"].includes(code),
);

/** @param publicUrl where clients reach the service */
export function openApiDocument(publicUrl: string): object {
  const errorResponses = Object.fromEntries(
    emailsErrors.map((code) => [String(errors[code].status), { $ref: `#/components/responses/${code}` }]),
  );
  return {
    openapi: "3.1.0",
    info: {
      title: "email-analytics",
      version: "1.0.0-beta",
      summary: "Email campaign analytics for data visualization tools.",
      description:
        "Read-only. The interface is in beta: changes and improvements are expected. Within v1 fields are added, never removed and never given another type, so read what you know and ignore the rest.",
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: publicUrl, description: "The region that this document was loaded from." }],
    security: [{ bearer: [] }, { basic: [] }, { bearer_auth: [] }],
    tags: [{ name: "emails", description: "Campaigns and what became of them." }],
    paths: {
      [emailsPath]: {
        get: {
          operationId: "listEmails",
          tags: ["emails"],
          summary: "Get all emails",
          description:
            "The email records of the caller's organization, the latest first. All parameters are optional; several filters combine with AND. To pull everything while campaigns are being sent, fix `sent_before` for the whole pull.",
          parameters: Object.entries(parameters).map(([name, rest]) => ({ name, in: "query", ...rest })),
          responses: {
            200: {
              description: "One page of records.",
              headers: answerHeaders,
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
            304: { description: "Nothing has changed since the answer with the `ETag` in `If-None-Match`." },
            ...errorResponses,
          },
        },
      },
    },
    components: {
      securitySchemes: {
        bearer: { type: "http", scheme: "bearer", description: "`Authorization: Bearer <API_KEY>`" },
        basic: {
          type: "http",
          scheme: "basic",
          description: "Any user name, and the API key as the password.",
        },
        bearer_auth: {
          type: "apiKey",
          in: "header",
          name: "bearer_auth",
          description: "The API key, with or without `Bearer ` before it; also under the name `bearer-auth`.",
        },
      },
      schemas: {
        Emails: {
          type: "object",
          required: ["emails", "meta"],
          properties: {
            emails: { type: "array", maxItems: perPageMax, items: { $ref: "#/components/schemas/Email" } },
            meta: { $ref: "#/components/schemas/Meta" },
          },
        },
        Email: {
          ...emailRecordSchema,
          properties: {
            ...emailRecordSchema.properties,
            tags: { ...emailRecordSchema.properties.tags, items: { $ref: "#/components/schemas/Tag" } },
          },
        },
        Tag: embeddedTagSchema,
        Meta: metaSchema,
        Error: errorSchema,
      },
      responses: Object.fromEntries(emailsErrors.map((code) => [code, errorResponse(code)])),
    },
  };
}

/** An object of the first example of each property. */
function exampleOf(properties: Record<string, object>): Record<string, unknown> {
  const firstExample = (schema: object) => (schema as { examples?: unknown[] }).examples?.[0];
  return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, firstExample(schema)]));
}
