// The URLs of the API and the purpose of each. The list holds no secret.

import { paths, webPaths } from "../../../paths.ts";
import { openApiDocument } from "./openapi.ts";

export interface UrlList {
  api_reference: string;
  openapi: string;
  urls: { url: string; summary: string; needs_api_key: boolean }[];
}

/** The operations of the OpenAPI document, and OData, which that document does not describe. */
export function urlList(publicUrl: string): UrlList {
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
