// Collects the methods of every path while routes are added: for 405 responses, the Allow header and OPTIONS.

import type { FastifyInstance } from "fastify";
import { pathOf } from "../request/url.ts";

/** Returns a function that finds the methods of a URL's path; undefined when no route has that path. */
export function collectAllowedMethods(
  app: FastifyInstance,
): (url: string) => ReadonlySet<string> | undefined {
  const methodsByRoute = new Map<string, Set<string>>();
  app.addHook("onRoute", ({ url, method }) => {
    const methods = methodsByRoute.get(url) ?? new Set();
    for (const each of [method].flat()) methods.add(each);
    methodsByRoute.set(url, methods);
  });
  // Compiled with the first request that needs them: few servers ever do.
  let routes: { pattern: RegExp; methods: ReadonlySet<string> }[] | undefined;
  return (url) => {
    routes ??= [...methodsByRoute].map(([route, methods]) => ({ pattern: patternOf(route), methods }));
    const path = normalizedPathOf(url);
    return routes.find(({ pattern }) => pattern.test(path))?.methods;
  };
}

function patternOf(route: string): RegExp {
  return new RegExp(`^${route.replaceAll(".", "\\.").replaceAll(/:\w+/g, "[^/]+")}$`);
}

function normalizedPathOf(url: string): string {
  // The router has already rejected a URL that cannot be decoded.
  const path = decodeURI(pathOf(url));
  return path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path;
}
