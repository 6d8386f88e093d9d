// The latest webhook requests of a source, with what became of them. Reasons are in English, as in the API.

import { type Html, type HtmlValue, html } from "../../../locale/html.ts";
import type { Locale } from "../../../locale/locale.ts";
import type { Delivery } from "../../../storage/keys/deliveries.ts";
import type { Source } from "../../../storage/keys/sources.ts";
import type { WebSession } from "../frame/page.ts";
import { dataTable } from "../ui/lists/table.ts";
import { badge } from "../ui/texts/badge.ts";
import { sourceUrl } from "./source-url.ts";

/** The script keeps it up to date. */
export function deliveriesCard(session: WebSession, source: Source, deliveries: readonly Delivery[]): Html {
  const { t } = session;
  const titles = [t("sources.time"), t("sources.status"), t("sources.result")];
  const rows = deliveries.map((delivery) => deliveryCells(session, delivery));
  const caption = t("sources.deliveriesCaption", { count: deliveries.length });
  const options = { name: t("sources.deliveries"), isStacked: true, classes: ["", "", "text"] };
  return html`<section class="card"><h2>${t("sources.deliveries")}</h2>
<div id="deliveries" data-poll="${sourceUrl(source)}"><div role="status">${renderState(session, source, deliveries[0])}</div>
${rows.length > 0 && dataTable(caption, titles, rows, options)}</div></section>`;
}

/** Whether events arrive, and what became of the newest request: an admin sees whether URL and secret are right. */
function renderState(
  { t, rich, timeText }: WebSession,
  { lastEventAt, campaignField: field }: Source,
  newest: Delivery | undefined,
): Html {
  const isRejected = newest !== undefined && newest.status >= 400;
  const rejected =
    isRejected &&
    html`<p class="warning"><strong>${t("sources.rejectedAt", { time: timeText(newest.at) })}</strong> <span lang="en">${newest.reason ?? newest.status}</span></p>`;
  if (lastEventAt !== undefined) {
    return html`${rejected}<p class="notice"><strong>${t("sources.received")}</strong>
${t("sources.lastEventAt", { time: timeText(lastEventAt) })}</p>`;
  }
  const accepted = newest
    ? rich("sources.acceptedAt", { time: timeText(newest.at), field })
    : t("sources.noRequest");
  return html`<p><strong>${t("sources.waiting")}</strong></p>${rejected || html`<p>${accepted}</p>`}`;
}

function deliveryCells(session: WebSession, delivery: Delivery): HtmlValue[] {
  const { at, status } = delivery;
  const tone = status < 300 ? "good" : "bad";
  return [session.timeText(at), badge(String(status), tone), result(session, delivery)];
}

function result({ t }: Locale, { reason, accepted, repeated, quarantined }: Delivery): HtmlValue {
  if (reason !== null) return html`<span lang="en">${reason}</span>`;
  if (!accepted && !repeated && !quarantined) return t("sources.noEvents");
  return t("sources.counted", {
    accepted: accepted ?? 0,
    repeated: repeated ?? 0,
    quarantined: quarantined ?? 0,
  });
}
