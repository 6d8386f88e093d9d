// The OpenAPI document that `npm run docs` generates, with the URL of this service.

import { readFileSync } from "node:fs";
import type { OpenApiDocument } from "./openapi-types.ts";

/** @param url the base URL for clients */
export function openApiDocument(url: string): OpenApiDocument {
  const text = readFileSync(new URL("../../../../docs/openapi.json", import.meta.url), "utf8");
  const document: OpenApiDocument = JSON.parse(text);
  return { ...document, servers: document.servers.map((server) => ({ ...server, url })) };
}
