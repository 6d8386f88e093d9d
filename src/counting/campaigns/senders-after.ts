// Who may send the events of a campaign once it is registered or changed.

import type { CountedCampaign } from "../../campaign/counted-campaign.ts";
import { hasNames } from "../../campaign/release-answers.ts";
import { AppError } from "../../errors.ts";
import type { StoredCampaign } from "../../storage/campaigns/stored-campaign.ts";
import { findSenders } from "../../storage/keys/senders.ts";
import type { Scope } from "../../storage/queries/scope.ts";

/** Who registers or changes a campaign: the sender that a key is, or a user of the web application. Undefined for a command. */
export type Registrar = number | "user" | undefined;

/**
 * The senders of a campaign, with their days in the audit log.
 *
 * @throws AppError `bad_request` if one is unknown, or if none may send events without names; `conflict` if a user, or a key
 *   that one made, would join senders that only commands made: such a user could add events to those of others
 */
export async function sendersAfter(
  scope: Scope,
  known: StoredCampaign | undefined,
  { campaign, senders: named }: CountedCampaign,
  registrar: Registrar,
): Promise<Readonly<Record<number, string>>> {
  const isSame = known && (registrar === "user" || hasNames(known.campaign) === hasNames(campaign));
  const before = (isSame && known.counting?.senders) || {};
  const own = typeof registrar === "number" ? [registrar] : [];
  const ids = [...own, ...(named ?? Object.keys(before).map(Number))];
  // Upkeep may have removed the names of a campaign without any event. A correction leaves it as it is.
  const losesNames = !hasNames(campaign) && (!known || hasNames(known.campaign));
  if (registrar === "user" && ids.length === 0 && losesNames) {
    throw new AppError("bad_request", "senders: is missing; choose the key or source that sends the events.");
  }
  if (named) await checkSenders(scope, ids, hasNames(campaign) ? undefined : registrar);
  return Object.fromEntries(ids.map((id) => [id, before[id] ?? ""]));
}

/** @param registrar of a campaign without names. @throws AppError as {@link sendersAfter} */
async function checkSenders(scope: Scope, ids: readonly number[], registrar: Registrar): Promise<void> {
  const senders = await findSenders(scope);
  const unknown = ids.find((id) => !senders.has(id));
  if (unknown !== undefined) {
    const known = [...senders].map(([id, { name }]) => `${id} (${name})`).join(", ") || "none";
    throw new AppError("bad_request", `senders: ${unknown} is no key or source; there are: ${known}.`);
  }
  const isFromWeb = (id: number) => senders.get(id)?.isFromWeb === true;
  const isUser = registrar === "user" || (registrar !== undefined && isFromWeb(registrar));
  if (!isUser || new Set(ids.map(isFromWeb)).size < 2) return;
  throw new AppError(
    "conflict",
    "senders: some were made by a command and some in the web application; a campaign without names takes events of one kind only.",
  );
}
