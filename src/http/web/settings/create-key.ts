// Creates an API key for the signed-in user.

import type { KeyScope } from "../../../access/api-key.ts";
import { minuteMs } from "../../../campaign/calendar/durations.ts";
import { quoteName } from "../../../campaign/names.ts";
import { AppError } from "../../../errors.ts";
import { addApiKey, listApiKeys, type StoredApiKey } from "../../../storage/api-keys.ts";
import type { Locale } from "../locale.ts";
import type { Actor } from "../page.ts";
import type { WebContext } from "../web-context.ts";

/**
 * Returns the id and the text of the new key. This is the only time that its text is known.
 *
 * @throws AppError `conflict` if the user created a key with this name a moment ago
 */
export function createKey(
  { organization, user, transaction, locale }: Actor,
  { name, scope }: { name: string; scope: KeyScope },
  { region, now }: Pick<WebContext, "region" | "now">,
): Promise<{ id: number; text: string }> {
  const key = { organizationId: organization.id, name, scope, region, createdBy: user.email, now: now() };
  return transaction(async (queries) => {
    rejectDuplicate(locale, await listApiKeys(queries, organization.id), key);
    return addApiKey(queries, key);
  });
}

/** Reloading the page of a new key submits its form again, which would create a second key. */
const duplicateWindowMs = minuteMs;

function rejectDuplicate(
  { strings }: Locale,
  keys: readonly StoredApiKey[],
  { name, createdBy, now }: { name: string; createdBy: string; now: number },
): void {
  const isDuplicate = keys.some(
    (key) => key.name === name && key.createdBy === createdBy && now - key.createdAt < duplicateWindowMs,
  );
  if (isDuplicate) throw new AppError("conflict", strings.keys.justCreated(quoteName(name)));
}
