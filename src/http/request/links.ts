// CSV links and share links. Everyone who has the URL can use its key, so it expires, is limited, and works only if the
// organization allows it.

import type { FastifyReply, FastifyRequest } from "fastify";
import { parseApiKey } from "../../access/api-key.ts";
import { hourMs } from "../../campaign/calendar/durations.ts";
import { AppError } from "../../errors.ts";
import { TimeWindows } from "../../limits/time-windows.ts";
import { type FoundKey, findOrganizationOfKey } from "../../storage/keys/api-keys.ts";
import type { AuthenticateOptions } from "./authenticate.ts";
import { addToLog } from "./log.ts";

const maxWindows = 5_000;

/** The scope of the keys of each kind of links. The kind is the setting of an organization that allows it. */
export const linkScopes = { csvLinks: "csv-link", shareLinks: "share-link" } as const;

export type LinkKind = keyof typeof linkScopes;
export type LinkRequest = FastifyRequest<{ Params: { key: string } }>;

/**
 * Nothing is cached: a deleted link is refused by the very next request.
 *
 * @returns undefined if the link never existed, expired, or was deleted, or if links of the kind are not allowed
 */
export async function findLink(
  { database, now, region }: AuthenticateOptions & { region: string },
  { params }: LinkRequest,
  kind: LinkKind,
): Promise<FoundKey | undefined> {
  const key = parseApiKey(params.key);
  if (key?.region !== region) return undefined;
  const link = await database.query((queries) => findOrganizationOfKey(queries, key));
  const isValid =
    link?.scope === linkScopes[kind] && link.organization[kind] === "allow" && (link.expiresAt ?? 0) > now();
  return isValid ? link : undefined;
}

/** Notes that a link was used, and adds its organization to the request's log line. */
export function noteLinkUse(
  { keyUsage, now }: AuthenticateOptions,
  request: LinkRequest,
  { organization: { id }, keyId }: FoundKey,
): void {
  keyUsage.note(id, keyId, { at: now(), client: request.headers["user-agent"] ?? "" });
  addToLog(request, { organization: id });
}

/**
 * Limits how often each link is used per hour and process. The function that it returns counts one use; it throws an AppError
 * `too_many_requests` beyond the limit, and returns the window, so that the caller can take the use back.
 */
export function limitLinkUses(
  maxUses: number,
  now: () => number,
): (link: FoundKey, reply: FastifyReply, refusal: string) => { count: number } {
  const create = () => ({ count: 0, endsAt: now() + hourMs });
  const windows = new TimeWindows({ windowMs: hourMs, maxWindows, now, create });
  return ({ keyId }, reply, refusal) => {
    const window = windows.at(String(keyId));
    if (window.count >= maxUses) {
      reply.header("retry-after", String(Math.ceil((window.endsAt - now()) / 1000)));
      throw new AppError("too_many_requests", refusal);
    }
    // Counted before the response, so that requests at the same time stay within the limit.
    window.count += 1;
    return window;
  };
}
