// Creates a key for the signed-in user, under a name that no other key has: an API key, or one in a link.

import type { StoredScope } from "../../../../access/api-key.ts";
import { dayMs, minuteMs } from "../../../../campaign/calendar/durations.ts";
import { quoteName } from "../../../../campaign/fields/names.ts";
import { AppError } from "../../../../errors.ts";
import type { Locale } from "../../../../locale/locale.ts";
import { addApiKey, findKeyByName } from "../../../../storage/keys/api-keys.ts";
import type { Organization } from "../../../../storage/organizations/organizations.ts";
import type { Scope } from "../../../../storage/queries/scope.ts";
import type { Actor } from "../../frame/page.ts";
import type { WebContext } from "../../frame/web-context.ts";

/** How long keys work: a year unless somebody chooses another time, so that a forgotten key does not work for good. */
export const keyLifetimes = { "365": 365, "90": 90, "30": 30, never: null } as const;
export const defaultLifetime = "365";

const auditActions = {
  read: "key.add",
  ingest: "key.add",
  "csv-link": "csv-link.add",
  "share-link": "share-link.add",
} as const;

interface WantedKey {
  name: string;
  scope: StoredScope;
  /** Null if it does not expire. */
  days: number | null;
  /** What a link shows. */
  selection?: string;
  /** The campaign that a share link shows. */
  campaignId?: number | undefined;
  /** If another key has the name, the new one is called `name 2`, and so on. */
  numbersName?: boolean;
  /** Runs in the transaction. */
  check?(scope: Scope, organization: Organization): unknown;
}

/**
 * Returns the id and the text of the new key. This is the only time that its text is known.
 *
 * @throws AppError `conflict` if another key has the name, or if the user created that one a moment ago
 */
export function createKey(
  actor: Actor,
  { name, scope, days, selection, campaignId, numbersName = false, check }: WantedKey,
  { region }: Pick<WebContext, "region">,
): Promise<{ id: number; text: string }> {
  const { user, now, transaction, record, t } = actor;
  const expiresAt = days === null ? null : now + days * dayMs;
  const key = {
    scope,
    region,
    expiresAt,
    selection: selection ?? null,
    campaignId: campaignId ?? null,
    createdBy: user.email,
    now,
  };
  return transaction(async (own, locked) => {
    if (scope === "ingest") refuseSenders(actor, locked, "keys.operatorOnly");
    await check?.(own, locked);
    for (let number = 1; ; number++) {
      const wanted = { ...key, name: number === 1 ? name : `${name} ${number}` };
      const same = await findKeyByName(own, wanted);
      if (!same) {
        await record(own, auditActions[scope], wanted.name);
        return addApiKey(own, wanted);
      }
      rejectReload(actor, same, wanted);
      if (numbersName) continue;
      const label = scope === "read" || scope === "ingest" ? t("ui.name") : t("csvLinks.name");
      throw new AppError(
        "conflict",
        t("ui.fieldProblem", { label, problem: t("keys.nameTaken", { name: quoteName(same.name) }) }),
      );
    }
  });
}

/**
 * Who has a key or a secret that sends events can learn about recipients without names, so users get none if the organization
 * refuses persons.
 *
 * @throws AppError `conflict`
 */
export function refuseSenders(
  { t }: Locale,
  { persons }: Organization,
  reason: "keys.operatorOnly" | "sources.operatorOnly",
): void {
  if (persons === "refuse") throw new AppError("conflict", t(reason));
}

/** Reloading the page of a new key submits its form again, which would create a second key. */
const reloadWindowMs = minuteMs;

function rejectReload(
  { t }: Locale,
  same: { name: string; createdBy: string | null; createdAt: number },
  { createdBy, now }: { createdBy: string; now: number },
): void {
  if (same.createdBy !== createdBy || now - same.createdAt >= reloadWindowMs) return;
  throw new AppError("conflict", t("keys.justCreated", { name: quoteName(same.name) }));
}
