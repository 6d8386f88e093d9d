// Test cases of the form "given these events, GET /data_api/v1/emails returns these numbers".

import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { metricNames } from "../../src/campaign/metrics.ts";
import { changeOrganization } from "../../src/counting/campaigns/change-organization.ts";
import { event, type ServedSender, serveSender } from "./serve-sender.ts";
import { present } from "./world.ts";

export type Given = Record<string, unknown>;

export interface NumbersCase {
  what: string;
  /** Overrides fields of the campaign. */
  campaign?: Given;
  events: Given[];
  /** The numbers that differ from {@link noActivity} if human traffic is counted. */
  people: Given;
  /** The same if all traffic is counted. Default: `people`. */
  all?: Given;
}

/** Numbers of a campaign to 100 recipients without any event. */
const noActivity = { ...Object.fromEntries(metricNames.map((name) => [name, 0])), unopened: 100 };

export const opened = { open_rate: 0.01, unique_opens: 1, unopened: 99, total_opens: 1 };
export const openedTwice = { ...opened, multiple_opens: 1, total_opens: 2 };
export const clicked = {
  ...opened,
  click_rate: 0.01,
  unique_clicks: 1,
  total_clicks: 1,
  click_per_unique_open_rate: 100,
};

async function numbersOf({ service, key }: ServedSender): Promise<Map<unknown, Given>> {
  const { emails } = await service.emails(key, "?per_page=100");
  return new Map(
    emails.map((record) => [record.id, Object.fromEntries(metricNames.map((name) => [name, record[name]]))]),
  );
}

/** Each case gets its own campaign. One batch carries the events of all, and both traffic settings are checked. */
export async function checkNumbers(t: TestContext, cases: readonly NumbersCase[]): Promise<void> {
  const sent = await serveSender(t);
  for (const [index, { campaign }] of cases.entries()) await sent.put(index + 1, campaign);
  const events = cases.flatMap((each, index) =>
    each.events.map((given) => event({ campaign_id: index + 1, ...given })),
  );
  const { body } = await sent.post(events);
  assert.deepEqual(body, { accepted: events.length, repeated: 0, quarantined: 0, problems: [] });
  const people = await numbersOf(sent);
  await sent.world.database.transactionOf(sent.organization.id, (scope) =>
    changeOrganization(scope, { countedTraffic: "all" }, present),
  );
  const all = await numbersOf(sent);
  for (const [index, { what, ...expected }] of cases.entries()) {
    assert.deepEqual(people.get(index + 1), { ...noActivity, ...expected.people }, what);
    const ofAll = { ...noActivity, ...(expected.all ?? expected.people) };
    assert.deepEqual(all.get(index + 1), ofAll, `${what}, all traffic`);
  }
}

export const click = (url: string, given: Given = {}) => ({
  type: "click",
  url: `https://example.com/${url}`,
  ...given,
});
export const read = (seconds: number, given: Given = {}) => ({ type: "read", seconds, ...given });
export const enps = (given: Given) => ({ type: "survey", survey_id: "s-1", kind: "enps", ...given });
export const pulse = (given: Given) => ({ type: "survey", survey_id: "s-1", kind: "pulse", ...given });
export const at = (time: string) => ({ at: `2026-06-15T${time}Z` });
/** One event for each of this many recipients. */
export const byRecipients = (count: number, given: Given = {}) =>
  Array.from({ length: count }, (_, index) => ({ recipient: `r-${index}`, ...given }));

export const userAgents = {
  outlook: "Microsoft Office/16.0 (Windows NT 10.0; Microsoft Outlook 16.0.17126; Pro)",
  chrome:
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36",
  iphone:
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148",
  ipad: "Mozilla/5.0 (iPad; CPU OS 16_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148",
  gmail: "Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)",
  yahoo: "YahooMailProxy; https://help.yahoo.com/kb/yahoo-mail-proxy-SLN28749.html",
  apple: "Mozilla/5.0",
  gmailPrefetch:
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/42.0.2311.135 Safari/537.36 Edge/12.246 Mozilla/5.0",
  barracuda: "Barracuda Sentinel (EE)",
  curl: "curl/8.5.0",
};
