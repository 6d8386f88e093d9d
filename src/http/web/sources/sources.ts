// The page of sources: by which ways events come in, when the last one came by each, and what is set aside.

import { hasPermission } from "../../../access/role.ts";
import { formatSentAt } from "../../../campaign/calendar/sent-at.ts";
import type { Silence } from "../../../campaign/events/silence.ts";
import { detectSilence, silenceLimits } from "../../../campaign/events/silence.ts";
import { listApiKeys, type StoredApiKey } from "../../../storage/api-keys.ts";
import { findLastCountedSentAt } from "../../../storage/campaigns/counted-campaigns.ts";
import type { Queries } from "../../../storage/database.ts";
import { listSources, type Source } from "../../../storage/sources.ts";
import { type Html, html } from "../../html.ts";
import type { Page, Visitor } from "../page.ts";
import { copyable } from "../ui/copyable.ts";
import { countedWords } from "../ui/number-format.ts";
import { head, tableOf, wordsHead } from "../ui/table.ts";
import type { WebContext } from "../web-context.ts";
import { findQuarantineView, quarantineSection } from "./quarantine.ts";
import { replayAction } from "./replay.ts";

export function sourcesPage(door: WebContext): Page {
  const { database, now } = door;
  return {
    path: "/sources",
    role: "viewer",
    async show(visitor) {
      const { id } = visitor.organization;
      const at = now();
      // One after the other, so that others have their turn in between.
      const sources = await database.query((queries) => listSources(queries, id));
      const lastSentAt = await database.query((queries) => findLastSent(queries, id, at));
      const keys = await database.query((queries) => listApiKeys(queries, id));
      const quarantined = await findQuarantineView(database, id);
      const states = sources.map((source) => {
        const silence = detectSilence({ lastEventAt: source.lastEventAt, lastSentAt, now: at });
        return { source, silence, ...door.others.providerOf(source.provider) };
      });
      const body = html`${states.map((state) => warning(visitor, state))}
<section class="card"><h2>Email providers</h2>${providers(visitor, door, states)}</section>
<section class="card"><h2>Programs</h2>${programs(visitor, keys)}</section>
<section class="card"><h2>Tracked messages</h2>
<p>${
        door.others.isTracking
          ? "Messages can be tracked by this service itself: the setting TRACKING_SECRET is there."
          : "This service tracks no messages itself: the setting TRACKING_SECRET is empty."
      }</p></section>
${quarantineSection(visitor, quarantined)}`;
      return { title: "Sources", body };
    },
    actions: { replay: replayAction(door) },
  };
}

interface State {
  source: Source;
  silence: Silence | undefined;
  title: string;
  needsSecret: boolean;
}

/** Of those sent of late: when nothing came for longer, it does not matter any more what was sent. */
function findLastSent(queries: Queries, organizationId: number, now: number): Promise<number | undefined> {
  const { wholeMs, firstEventMs } = silenceLimits;
  return findLastCountedSentAt(queries, organizationId, { from: now - wholeMs, until: now - firstEventMs });
}

function warning(
  { organization }: Visitor,
  { source, silence, title, needsSecret }: State,
): Html | undefined {
  if (needsSecret && source.secret === undefined) {
    return html`<p class="warning"><strong>${title} has no secret yet.</strong> Everything from it is refused until its secret is set, with the command <code>source change</code>.</p>`;
  }
  const { lastEventAt } = source;
  if (silence === undefined || lastEventAt === undefined) return undefined;
  const since = `No event has come since ${formatSentAt(lastEventAt, organization.timeZone)}`;
  const words =
    silence === "after_campaign"
      ? `${since}, although a campaign was sent after that.`
      : `${since}, which is more than seven days ago.`;
  return html`<p class="warning"><strong>${title} has fallen silent.</strong> ${words} Check at ${title} whether its webhook is still switched on, leads to the address of this source and sends opens and clicks, and whether its secret is still the same; the log of this service names each request that was refused. If nothing is sent by ${title} any more, the source can be deleted with the command <code>source delete</code>.</p>`;
}

function providers({ organization, user }: Visitor, door: WebContext, states: readonly State[]): Html {
  if (states.length === 0) {
    return html`<p>No email provider sends its events here yet. Whoever runs the service adds one with the command <code>email-analytics source add</code>.</p>`;
  }
  const isAdmin = hasPermission(user.role, "admin");
  const last = ({ lastEventAt }: Source) =>
    lastEventAt === undefined ? "none yet" : formatSentAt(lastEventAt, organization.timeZone);
  const rows = states.map(({ source, silence, title }, place) => {
    const address = `${door.publicUrl()}${door.others.webhooksPath}/${source.id}`;
    return html`<tr><th scope="row">${title}</th>
<td>${last(source)}${silence !== undefined && html`<br><strong>silent</strong>`}</td>
<td><code>${source.campaignField}</code></td>
${isAdmin && html`<td class="words">${copyable(`source-${place + 1}`, address, `the address for ${title}`)}</td>`}</tr>
`;
  });
  const whose = isAdmin
    ? "Nobody else should know the addresses: whoever has one can send."
    : "Their addresses are shown to admins.";
  const heads = [
    ...["Provider", "Last event", "Campaign field"].map(head),
    isAdmin && wordsHead("Address for the provider"),
  ];
  return tableOf(`${countedWords(states.length, "source")}. ${whose}`, heads, rows, "Email providers");
}

function programs({ organization, user }: Visitor, keys: readonly StoredApiKey[]): Html {
  const sending = keys.filter(({ scope }) => scope === "ingest");
  if (sending.length === 0) {
    return html`<p>No program sends campaigns and events: there is no key of the scope ingest.</p>`;
  }
  const last = ({ lastUsedAt }: StoredApiKey) =>
    lastUsedAt === null
      ? "not used yet"
      : `in the hour from ${formatSentAt(lastUsedAt, organization.timeZone)}`;
  if (!hasPermission(user.role, "admin")) {
    const latest = sending.reduce((at, { lastUsedAt }) => Math.max(at, lastUsedAt ?? 0), 0);
    const when =
      latest === 0
        ? "None has sent yet"
        : `The last one sent in the hour from ${formatSentAt(latest, organization.timeZone)}`;
    return html`<p>${countedWords(sending.length, "program")} may send. ${when}.</p>`;
  }
  const rows = sending.map(
    (key) => html`<tr><th scope="row" class="words">${key.name}</th><td>${last(key)}</td></tr>
`,
  );
  const caption =
    "Programs send with a key of the scope ingest. When one was last used is noted to the hour.";
  return tableOf(caption, [wordsHead("Key"), head("Last used")], rows, "Programs");
}
