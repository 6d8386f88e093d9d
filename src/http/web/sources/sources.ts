// The sources page at `/sources`: which providers and programs send events, when the last event arrived, and the quarantine.

import { hasPermission } from "../../../access/role.ts";
import type { Silence } from "../../../campaign/events/silence.ts";
import { detectSilence } from "../../../campaign/events/silence.ts";
import { listApiKeys, type StoredApiKey } from "../../../storage/api-keys.ts";
import { listSources, type Source } from "../../../storage/sources.ts";
import { type Html, html } from "../../html.ts";
import { paths } from "../../paths.ts";
import type { Page, WebSession } from "../page.ts";
import { badge } from "../ui/badge.ts";
import { copyable } from "../ui/copyable.ts";
import { cellLabel, columnHeader, renderTable, textColumnHeader } from "../ui/table.ts";
import type { WebContext } from "../web-context.ts";
import { findQuarantineView, quarantineSection } from "./quarantine.ts";
import { replayAction } from "./replay.ts";
import { findSentAtForSilence } from "./sources-alert.ts";

export function sourcesPage(context: WebContext): Page {
  const { database, now, otherComponents } = context;
  return {
    path: "/sources",
    role: "viewer",
    async show(session) {
      const { id } = session.organization;
      const at = now();
      // Separate queries, so that the database can serve other requests in between.
      const sources = await database.query((queries) => listSources(queries, id));
      const lastSentAt = await database.query((queries) => findSentAtForSilence(queries, id, at));
      const keys = await database.query((queries) => listApiKeys(queries, id));
      const quarantine = await findQuarantineView(database, session.organization);
      const states = sources.map((source) => {
        const silence = detectSilence({ lastEventAt: source.lastEventAt, lastSentAt, now: at });
        return { source, silence, ...otherComponents.providerOf(source.provider) };
      });
      const { strings } = session.locale;
      const tracking = otherComponents.canTrack ? strings.sources.trackingOn : strings.sources.trackingOff;
      const body = html`${states.map((state) => warning(session, state))}
<section class="card"><h2>${strings.sources.providers}</h2>${providersTable(session, context, states)}</section>
<section class="card"><h2>${strings.sources.programs}</h2>${programsSection(session, keys)}</section>
<section class="card"><h2>${strings.sources.trackedMessages}</h2>
<p>${tracking}</p></section>
${quarantineSection(session, quarantine)}`;
      return { title: strings.sources.title, body };
    },
    actions: { replay: replayAction(context) },
  };
}

interface SourceState {
  source: Source;
  silence: Silence | undefined;
  title: string;
  needsSecret: boolean;
}

function warning(
  { organization, locale }: WebSession,
  { source, silence, title, needsSecret }: SourceState,
): Html | undefined {
  const { strings, format } = locale;
  const { noSecretTitle, noSecret, silentTitle, silentAfterCampaign, silentForDays, silentChecklist } =
    strings.sources;
  if (needsSecret && source.secret === undefined) {
    return html`<p class="warning"><strong>${noSecretTitle(title)}</strong> ${noSecret}</p>`;
  }
  const { lastEventAt } = source;
  if (silence === undefined || lastEventAt === undefined) return undefined;
  const time = format.dateTime(lastEventAt, organization.timeZone);
  const reason = silence === "after_campaign" ? silentAfterCampaign(time) : silentForDays(time);
  return html`<p class="warning"><strong>${silentTitle(title)}</strong> ${reason} ${silentChecklist(title)}</p>`;
}

function providersTable(
  { organization, user, locale }: WebSession,
  { publicUrl, otherComponents }: WebContext,
  states: readonly SourceState[],
): Html {
  const { strings, format } = locale;
  if (states.length === 0) return html`<p>${strings.sources.noProviders}</p>`;
  const isAdmin = hasPermission(user.role, "admin");
  const lastEvent = ({ lastEventAt }: Source) =>
    lastEventAt === undefined
      ? strings.sources.noEventYet
      : format.dateTime(lastEventAt, organization.timeZone);
  const {
    provider,
    lastEvent: last,
    campaignField,
    webhookUrl,
    urlsAreSecret,
    urlsForAdmins,
  } = strings.sources;
  const rows = states.map(({ source, silence, title }, index) => {
    const url = `${publicUrl()}${otherComponents.webhooksPath}/${source.id}`;
    const copy = copyable(locale, `source-${index + 1}`, url, strings.sources.webhookUrlOf(title));
    return html`<tr><th scope="row">${title}</th>
<td class="time moment"${cellLabel(last)}>${lastEvent(source)}${silence !== undefined && html`<br>${badge(strings.sources.silent, "warn")}`}</td>
<td${cellLabel(campaignField)}><code>${source.campaignField}</code></td>
${isAdmin && html`<td class="text wide"${cellLabel(webhookUrl)}>${copy}</td>`}</tr>
`;
  });
  const headers = [
    ...[provider, last, campaignField].map(columnHeader),
    isAdmin && textColumnHeader(webhookUrl),
  ];
  const caption = strings.sources.providersCaption(states.length, isAdmin ? urlsAreSecret : urlsForAdmins);
  return renderTable(caption, headers, rows, { name: strings.sources.providers, isStacked: true });
}

/** Admins see the API keys, viewers only how many there are. */
function programsSection({ organization, user, locale }: WebSession, keys: readonly StoredApiKey[]): Html {
  const { strings, format } = locale;
  const ingestKeys = keys.filter(({ scope }) => scope === "ingest");
  const isAdmin = hasPermission(user.role, "admin");
  if (ingestKeys.length === 0) {
    const link = isAdmin && html`<a href="${paths.web.analyticsApi}">${strings.sources.createKey}</a>`;
    return html`<p>${strings.sources.noPrograms} ${link}</p>`;
  }
  const formatHour = (at: number) => format.hourRange(at, organization.timeZone);
  if (!isAdmin) {
    const latest = ingestKeys.reduce((at, { lastUsedAt }) => Math.max(at, lastUsedAt ?? 0), 0);
    const { programsForViewers, noDataYet, lastUsedAt } = strings.sources;
    const lastUsed = latest === 0 ? noDataYet : lastUsedAt(formatHour(latest));
    return html`<p>${programsForViewers(ingestKeys.length)} ${lastUsed}</p>`;
  }
  const rows = ingestKeys.map(({ name, lastUsedAt }) => {
    const lastUsed = lastUsedAt === null ? strings.sources.notUsedYet : formatHour(lastUsedAt);
    return html`<tr><th scope="row" class="text">${name}</th><td>${lastUsed}</td></tr>
`;
  });
  const headers = [textColumnHeader(strings.sources.apiKey), columnHeader(strings.sources.lastUsed)];
  return renderTable(strings.sources.programsCaption, headers, rows, { name: strings.sources.programs });
}
