// The sources page at `/sources`: which providers and programs send events, when the last event arrived, the quarantine, and
// a link to the page about human and automated activity.

import type { Silence } from "../../../campaign/events/silence.ts";
import { detectSilence } from "../../../campaign/events/silence.ts";
import { findSentAtForSilence } from "../../../listing/reports/sources-alert.ts";
import { silenceTexts } from "../../../locale/alert-texts.ts";
import { type Html, html } from "../../../locale/html.ts";
import { webPaths } from "../../../paths.ts";
import { describeProvider } from "../../../providers/providers.ts";
import { listApiKeys, type StoredApiKey } from "../../../storage/keys/api-keys.ts";
import { listSources, type Source } from "../../../storage/keys/sources.ts";
import type { Page, WebSession } from "../frame/page.ts";
import type { WebContext } from "../frame/web-context.ts";
import { dataTable } from "../ui/lists/table.ts";
import { badge } from "../ui/texts/badge.ts";
import { addSourceAction, addSourceForm } from "./add-source.ts";
import { discardAction } from "./discard.ts";
import { findQuarantineView, quarantineSection } from "./quarantine.ts";
import { replay } from "./replay.ts";
import { silenceWarning } from "./silence-warning.ts";
import { sourceUrl } from "./source-url.ts";

export function sourcesPage(context: WebContext): Page {
  const { canTrack, writer } = context;
  return {
    path: "/sources",
    role: "viewer",
    actionRole: "admin",
    async show(session, request) {
      const { organization, now: at, t } = session;
      const read = await session.snapshot(async (scope) => ({
        sources: await listSources(scope),
        lastSentAt: await findSentAtForSilence(scope, at),
        keys: await listApiKeys(scope),
        quarantine: await findQuarantineView(scope, organization),
        incomplete: await silenceWarning(scope, session),
      }));
      const { sources, lastSentAt, keys, quarantine, incomplete } = read;
      const states = sources.map((source) => {
        const silence = detectSilence({ lastEventAt: source.lastEventAt, lastSentAt, now: at });
        const { title, secret } = describeProvider(source.provider);
        return { source, silence, title, needsSecret: secret?.isRequired === true };
      });

      const isNoneKnown = !incomplete && states.some(({ silence }) => silence !== undefined);
      const tracking = canTrack ? t("sources.trackingOn") : t("sources.trackingOff");
      const body = html`${states.map((state) => warning(session, state))}${incomplete}${isNoneKnown && html`<p>${t("sources.noneIncomplete")}</p>`}
<section class="card"><h2>${t("sources.providers")}</h2>${providersTable(session, states)}${addSourceForm(session, request)}</section>
${session.isAdmin && programsSection(session, keys)}
<section class="card"><h2>${t("sources.trackedMessages")}</h2>
<p>${tracking}</p></section>
${quarantineSection(session, quarantine, writer.maxQuarantineBytes)}`;
      const headingLink = html`<a class="button second" href="${webPaths.traffic}">${t("traffic.title")}</a>`;
      return { title: t("pages.sources"), headingLink, body };
    },
    actions: {
      replay,
      discard: discardAction,
      add: addSourceAction,
    },
  };
}

interface SourceState {
  source: Source;
  silence: Silence | undefined;
  title: string;
  needsSecret: boolean;
}

function warning(
  session: WebSession,
  { source, silence, title, needsSecret }: SourceState,
): Html | undefined {
  const { t, rich, timeText } = session;
  if (needsSecret && source.secret === undefined) {
    return html`<p class="warning"><strong>${t("sources.noSecretTitle", { provider: title })}</strong> ${rich("sources.noSecret", { href: sourceUrl(source) })}</p>`;
  }
  const { lastEventAt } = source;
  if (silence === undefined || lastEventAt === undefined) return undefined;
  const [first, ...others] = silenceTexts(session, silence, {
    provider: title,
    time: timeText(lastEventAt),
  });
  return html`<p class="warning"><strong>${first}</strong> ${others.join(" ")}</p>`;
}

function providersTable({ isAdmin, t, timeText }: WebSession, states: readonly SourceState[]): Html {
  if (states.length === 0) return html`<p>${t(isAdmin ? "sources.noProviders" : "sources.askAdmin")}</p>`;
  const lastEvent = ({ lastEventAt }: Source) =>
    lastEventAt === undefined ? t("sources.noEventYet") : timeText(lastEventAt);
  const rows = states.map(({ source, silence, title }) => [
    isAdmin ? html`<a href="${sourceUrl(source)}">${title}</a>` : title,
    html`${lastEvent(source)}${silence !== undefined && html`<br>${badge(t("sources.silent"), "warn")}`}`,
    html`<code>${source.campaignField}</code>`,
  ]);
  return dataTable(
    t("sources.providersCaption", { sources: states.length }),
    [t("sources.provider"), t("sources.lastEvent"), t("sources.campaignField")],
    rows,
    { name: t("sources.providers"), classes: ["", "time moment"], isStacked: true },
  );
}

/** The API keys that send events. */
function programsSection({ t, timeText }: WebSession, keys: readonly StoredApiKey[]): Html {
  const rows = keys
    .filter(({ scope }) => scope === "ingest")
    .map(({ name, lastUsedAt }) => [name, lastUsedAt === null ? t("keys.notUsedYet") : timeText(lastUsedAt)]);
  const options = { name: t("sources.programs"), classes: ["text"] };
  return html`<section class="card"><h2>${t("sources.programs")}</h2>${
    rows.length === 0
      ? html`<p>${t("sources.noPrograms")} <a href="${webPaths.analyticsApi}">${t("keys.createKey")}</a></p>`
      : dataTable(t("sources.programsCaption"), [t("connect.key"), t("keys.lastUsed")], rows, options)
  }</section>`;
}
