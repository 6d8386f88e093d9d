// GET /data_api/v1: the URLs of the API and the purpose of each. It holds no secret, so it needs no key.

import type { FastifyInstance } from "fastify";
import { paths, webPaths } from "../../../paths.ts";
import { openApiDocument } from "./openapi.ts";

export interface UrlList {
  api_reference: string;
  openapi: string;
  urls: { url: string; summary: string; needs_api_key: boolean }[];
}

export function addUrlList(app: FastifyInstance, publicUrl: () => string): void {
  app.get(paths.api.root, async (_request, reply) =>
    reply
      .header("cache-control", "no-cache")
      .type("application/json; charset=utf-8")
      .send(JSON.stringify(urlList(publicUrl()))),
  );
}

/** The operations of the OpenAPI document, and OData, which that document does not describe. */
function urlList(publicUrl: string): UrlList {
  const operations = Object.entries(openApiDocument(publicUrl).paths).map(([path, { get }]) => ({
    url: publicUrl + path,
    summary: get.summary,
    needs_api_key: get.security === undefined,
  }));
  const odata = {
    url: `${publicUrl}${paths.odata.root}/`,
    summary: "Read tables as OData 4.0",
    needs_api_key: true,
  };
  return {
    api_reference: publicUrl + webPaths.apiReference,
    openapi: publicUrl + paths.api.openApi,
    urls: [...operations, odata],
  };
}
