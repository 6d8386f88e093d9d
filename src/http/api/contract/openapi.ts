// GET /data_api/v1/openapi.json: the document that `npm run docs` generates, with the URL of this service.

import { readFileSync } from "node:fs";
import type { FastifyInstance } from "fastify";
import { paths } from "../../../paths.ts";
import type { OpenApiDocument } from "./openapi-types.ts";

export function addOpenApi(app: FastifyInstance, publicUrl: () => string): void {
  app.get(paths.api.openApi, async (_request, reply) =>
    reply
      .header("cache-control", "no-cache")
      .type("application/json; charset=utf-8")
      .send(JSON.stringify(openApiDocument(publicUrl()))),
  );
}

/** @param url the base URL for clients */
export function openApiDocument(url: string): OpenApiDocument {
  const text = readFileSync(new URL("../../../../docs/openapi.json", import.meta.url), "utf8");
  const document: OpenApiDocument = JSON.parse(text);
  return { ...document, servers: document.servers.map((server) => ({ ...server, url })) };
}
