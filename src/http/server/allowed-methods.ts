// Collects the methods of every path while routes are added: for 405 responses, the Allow header and OPTIONS.

import type { FastifyInstance } from "fastify";
import { pathOf } from "../request/url.ts";

/** Returns a function that finds the methods of a URL's path; undefined when no route has that path. */
export function collectAllowedMethods(
  app: FastifyInstance,
): (url: string) => ReadonlySet<string> | undefined {
  const routes = new Map<string, { pattern: RegExp; methods: Set<string> }>();
  app.addHook("onRoute", ({ url, method }) => {
    const pattern = new RegExp(`^${url.replaceAll(".", "\\.").replaceAll(/:\w+/g, "[^/]+")}$`);
    const { methods } = routes.get(url) ?? { methods: new Set() };
    for (const each of [method].flat()) methods.add(each);
    routes.set(url, { pattern, methods });
  });
  return (url) => {
    const path = normalizedPathOf(url);
    return [...routes.values()].find(({ pattern }) => pattern.test(path))?.methods;
  };
}

function normalizedPathOf(url: string): string {
  // The router has already rejected a URL that cannot be decoded.
  const path = decodeURI(pathOf(url));
  return path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path;
}
