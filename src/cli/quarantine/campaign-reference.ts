// How the command line writes the campaign of a quarantined event: its ID, or its external ID in double quotes.

import { InvalidArgumentError } from "commander";
import type { CampaignReference } from "../../campaign/events/event.ts";
import { parseIdOption } from "../shell/options.ts";
import type { Output } from "../shell/output.ts";

/** In a table an external ID is quoted, because it can look like a number. `--campaign` accepts it like that. */
export function formatReference(
  { json }: Output,
  campaign: CampaignReference | undefined,
): CampaignReference | null {
  if (json) return campaign ?? null;
  return campaign === undefined ? "?" : JSON.stringify(campaign);
}

export function parseReference(text: string): CampaignReference {
  if (/^\d+$/.test(text)) return parseIdOption(text);
  if (!text.startsWith('"') && text !== "") return text;
  try {
    const external: unknown = JSON.parse(text);
    if (typeof external === "string" && external !== "") return external;
  } catch {
    // The text is not valid JSON, which is reported below.
  }
  throw new InvalidArgumentError('A campaign is an ID or an external ID, such as 12 or "weekly".');
}
