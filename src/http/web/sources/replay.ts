// The Replay action: counts quarantined events that can be counted now, in many short transactions with a time limit.

import { describeQuarantined } from "../../../access/audit-actions.ts";
import type { CampaignReference } from "../../../campaign/events/event.ts";
import { largestInteger } from "../../../campaign/fields/field-schema.ts";
import { addReplayTotals, emptyReplayTotals } from "../../../counting/events/replay.ts";
import { AppError } from "../../../errors.ts";
import type { Locale } from "../../../locale/locale.ts";
import { quoted } from "../../../locale/quoted.ts";
import { countQuarantined, type QuarantinePosition } from "../../../storage/quarantine/quarantine.ts";
import type { Action } from "../frame/page.ts";
import { rejectField } from "../ui/forms/form.ts";

/** No further transaction starts after this time: a user is waiting for the page. */
const timeoutMs = 10_000;

export const replay: Action = async (actor, form) => {
  const { query, write, t } = actor;
  const campaign = readCampaign(actor, form);
  const filter = { campaigns: campaign === undefined ? undefined : [campaign] };
  const { events: waiting } = await query((scope) => countQuarantined(scope, filter));
  if (waiting === 0 && campaign !== undefined) {
    throw new AppError("not_found", t("sources.nothingToReplay", { campaign: quoted(actor, campaign) }));
  }
  const deadline = performance.now() + timeoutMs;
  let total = emptyReplayTotals;
  let after: QuarantinePosition | undefined;
  do {
    const { last, ...counts } = await write(
      { name: "replay", campaign, after },
      after ? undefined : ["quarantine.replay", describeQuarantined(filter)],
    );
    total = addReplayTotals(total, counts);
    after = last;
  } while (after !== undefined && performance.now() < deadline);
  const { accepted, repeated, ignored, quarantined } = total;
  const left = waiting - accepted - repeated - ignored - quarantined;
  const isComplete = after === undefined || left <= 0;
  const notice = t("sources.replayed", { ...total });
  return { notice: isComplete ? notice : `${notice} ${t("sources.replayIncomplete", { left })}` };
};

/**
 * The campaign to replay; undefined for all. A button sends it as JSON, so that the id 42 differs from the external id "42".
 *
 * @throws AppError `bad_request` if it is not the JSON of an id or an external id
 */
export function readCampaign(locale: Locale, form: URLSearchParams): CampaignReference | undefined {
  const json = form.get("campaign") ?? "";
  if (json === "") return undefined;
  let reference: unknown;
  try {
    reference = JSON.parse(json);
  } catch {
    // The error below lists the accepted values.
  }
  if (typeof reference === "string" && reference !== "") return reference;
  const isId = Number.isInteger(reference) && (reference as number) >= 1;
  if (isId && (reference as number) <= largestInteger) return reference as number;
  return rejectField(locale, locale.t("sources.campaign"), json, locale.t("sources.campaignRule"));
}
