// The subject of a campaign, which may be empty, and in any direction.

import { isolate } from "./isolated-text.ts";
import type { Locale } from "./locale.ts";

/** Returns the subject for a text without elements, such as a title or a label. */
export function subjectText(locale: Locale, campaign: { subject: string }): string {
  return isolate(plainSubject(locale, campaign));
}

/** Returns the subject for a file. */
export function plainSubject({ t }: Locale, { subject }: { subject: string }): string {
  return subject.trim() || t("campaign.untitled");
}
