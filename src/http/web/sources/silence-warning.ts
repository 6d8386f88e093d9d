// The warning that campaigns may miss the events of a silent source.

import { dateAt, isoDay } from "../../../campaign/calendar/calendar-date.ts";
import { findIncomplete, missedSourceOf } from "../../../listing/reports/sources-alert.ts";
import { type HtmlValue, html } from "../../../locale/html.ts";
import { urlWithQuery, webPaths } from "../../../paths.ts";
import { describeProvider } from "../../../providers/providers.ts";
import type { Scope } from "../../../storage/queries/scope.ts";
import type { WebSession } from "../frame/page.ts";

/** Which providers are silent, with a link to the campaigns that may miss events; nothing without such campaigns. */
export async function silenceWarning(scope: Scope, session: WebSession): Promise<HtmlValue> {
  const { organization, sourcesAlert, rich } = session;
  const incomplete = await findIncomplete(scope, organization, sourcesAlert);
  if (incomplete.length === 0) return false;
  const first = Math.min(...incomplete.map(({ campaign }) => campaign.sentAt));
  const from = isoDay(dateAt(first, organization.timeZone));
  const missed = new Set(
    incomplete.flatMap((stored) => missedSourceOf(sourcesAlert, stored)?.provider ?? []),
  );
  const providers = [...missed].map((provider) => describeProvider(provider).title).join(", ");
  const href = urlWithQuery(webPaths.campaigns, new URLSearchParams({ from }));
  return html`<p class="warning">${rich("overview.sourceSilent", { href, providers, campaigns: incomplete.length })}</p>`;
}
