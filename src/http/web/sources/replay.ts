// Replays what is set aside, for admins: bit by bit, so that nobody who sends waits behind it, and not for ever.

import type { CampaignReference } from "../../../campaign/events/event.ts";
import { largestInteger } from "../../../campaign/field-schema.ts";
import { quote } from "../../../campaign/quote.ts";
import { addReplayTotals, emptyReplayTotals } from "../../../counting/events/replay.ts";
import { AppError } from "../../../errors.ts";
import { countQuarantined, type QuarantinePosition } from "../../../storage/quarantine.ts";
import type { Action } from "../page.ts";
import { countedWords } from "../ui/number-format.ts";
import type { WebContext } from "../web-context.ts";

/** Nobody looks at a page that does not come for longer. In milliseconds. */
const patienceMs = 10_000;

/** @param patience nothing more is begun after so many milliseconds */
export function replayAction(
  { database, writing, now }: Pick<WebContext, "database" | "writing" | "now">,
  patience = patienceMs,
): Action {
  return {
    role: "admin",
    async run({ organization }, form) {
      const organizationId = organization.id;
      const campaign = readCampaign(form);
      const filter = { campaigns: campaign === undefined ? undefined : [campaign] };
      const waiting = await database.query((queries) => countQuarantined(queries, organizationId, filter));
      if (waiting === 0 && campaign !== undefined) {
        throw new AppError("not_found", `Campaign: no event waits for ${quote(campaign)}.`);
      }
      const job = { organizationId, now: now(), body: new Uint8Array(), isGzipped: false };
      const until = performance.now() + patience;
      let total = emptyReplayTotals;
      let after: QuarantinePosition | undefined;
      do {
        const task = { name: "replay" as const, campaign, after };
        const { last, ...some } = await writing.write({ ...job, task });
        total = addReplayTotals(total, some);
        after = last;
      } while (after !== undefined && performance.now() < until);
      const { accepted, repeated, ignored, quarantined } = total;
      const left = waiting - accepted - repeated - ignored - quarantined;
      const figures = [
        `${accepted.toLocaleString("en")} counted`,
        `${repeated.toLocaleString("en")} had been counted already`,
        `${ignored.toLocaleString("en")} ignored (closed or forgotten)`,
        `${quarantined.toLocaleString("en")} still set aside`,
      ];
      const rest =
        after === undefined || left <= 0
          ? ""
          : ` ${countedWords(left, "more event")} could not be looked at in time: replay again to go on.`;
      return { notice: `Replayed: ${figures.join(", ")}.${rest}` };
    },
  };
}

/** @returns undefined where all are meant @throws Refusal */
function readCampaign(form: URLSearchParams): CampaignReference | undefined {
  const given = form.get("campaign") ?? "";
  if (given === "") return undefined;
  let reference: unknown;
  try {
    reference = JSON.parse(given);
  } catch {
    // The message below says what is accepted.
  }
  if (typeof reference === "string" && reference !== "") return reference;
  const isId = Number.isInteger(reference) && (reference as number) >= 1;
  if (isId && (reference as number) <= largestInteger) return reference as number;
  throw new AppError(
    "bad_request",
    `Campaign: ${quote(given)} is neither a campaign's number nor its external id in quotes.`,
  );
}
