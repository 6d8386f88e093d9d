// Answers requests that match no route: OPTIONS with 204, another method with 405, an unknown path with 404.

import type { FastifyReply, FastifyRequest } from "fastify";
import { AppError, errors } from "../../errors.ts";
import { isForPrograms, paths } from "../../paths.ts";
import { type ComponentName, defaultComponents } from "./components.ts";

/**
 * @param allowed the methods of the path, if it has a route
 * @param showPage goes on to the not-found page of the web application, for a person who mistyped a URL
 * @throws AppError `method_not_allowed` or `not_found`
 */
export function answerUnmatchedRoute(
  request: FastifyRequest,
  reply: FastifyReply,
  {
    allowed: found,
    open,
    showPage,
  }: {
    allowed: ReadonlySet<string> | undefined;
    open: readonly ComponentName[];
    showPage: () => void;
  },
): void {
  // A route has the method where the router refuses a part of the path, such as a key with a line break.
  const allowed = found?.has(request.method) ? undefined : found;
  if (allowed) reply.header("allow", [...new Set([...allowed, "OPTIONS"])].join(", "));
  if (allowed && request.method === "OPTIONS") {
    reply.code(204).send();
    return;
  }
  if (allowed) {
    const methods = [...allowed].join(" or ");
    throw new AppError("method_not_allowed", `${request.method} is not allowed here; use ${methods}.`);
  }
  if (!open.includes("web") || !wantsPage(request))
    throw new AppError("not_found", notFoundMessage(request.url, open));
  showPage();
}

function wantsPage({ method, headers, url }: FastifyRequest): boolean {
  return method === "GET" && headers.accept?.includes("text/html") === true && !isForPrograms(url);
}

/** Points to the list of URLs, or names the components of this process: behind a proxy, it shows which one answered. */
function notFoundMessage(url: string, open: readonly ComponentName[]): string {
  const { message } = errors.not_found;
  if (open.includes("api") && url.startsWith(`${paths.api.root}/`)) {
    return `${message} GET ${paths.api.root} lists the URLs of the API.`;
  }
  return defaultComponents().every((name) => open.includes(name))
    ? message
    : `${message} This process serves only: ${open.join(", ")}.`;
}
