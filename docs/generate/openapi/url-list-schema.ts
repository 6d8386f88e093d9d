// The JSON Schema and an example of the list of URLs, for the OpenAPI document.

import { paths, webPaths } from "../../../src/paths.ts";

const exampleBase = "https://analytics.example.com";

const urlProperties = {
  url: {
    type: "string",
    description: "The URL. Names in braces, such as `{key}`, are placeholders.",
    examples: [exampleBase + paths.api.emails],
  },
  summary: { type: "string", description: "Its purpose.", examples: ["Get all emails"] },
  needs_api_key: {
    type: "boolean",
    description: "Whether a request needs an API key with the scope `read`.",
    examples: [true],
  },
};

export const urlListSchema = {
  type: "object",
  description: "The URLs of the API.",
  required: ["api_reference", "openapi", "urls"],
  properties: {
    api_reference: {
      type: "string",
      description: "The page that describes the API. The component `web` serves it.",
      examples: [exampleBase + webPaths.apiReference],
    },
    openapi: {
      type: "string",
      description: "The OpenAPI document, for programs.",
      examples: [exampleBase + paths.api.openApi],
    },
    urls: {
      type: "array",
      description: "All URLs that answer a GET.",
      items: { type: "object", required: Object.keys(urlProperties), properties: urlProperties },
    },
  },
};

export const exampleUrlList = {
  api_reference: exampleBase + webPaths.apiReference,
  openapi: exampleBase + paths.api.openApi,
  urls: [{ url: exampleBase + paths.api.emails, summary: "Get all emails", needs_api_key: true }],
};
