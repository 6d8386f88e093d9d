// The last year of the demo: campaigns that are counted from events. Every run generates the same activity; only the
// dates depend on the present.

import { dayMs, hourMs, minuteMs } from "../../campaign/calendar/durations.ts";
import { randomNumbers } from "./random-numbers.ts";

/** Higher than the IDs of the imported campaigns. */
const firstId = 1_001;
const campaignCount = 36;
const daysBetween = 10;

interface CountedDemo {
  campaigns: { id: number; input: Record<string, unknown> }[];
  /** As clients send them. Some name a campaign that is not registered. */
  events: Record<string, unknown>[];
}

const kinds = [
  { team: "Internal Communications", tag: "Newsletter", subject: "The week at Lindgren", appeal: 0.64 },
  { team: "Human Resources", tag: "Benefits", subject: "Your benefits", appeal: 0.56 },
  { team: "Executive Office", tag: "CEO update", subject: "A note from Astrid", appeal: 0.75 },
  { team: "IT", tag: "Security", subject: "Phishing of the month", appeal: 0.48 },
] as const;

const trackingTypes = ["Individual", "Individual", "Anonymous", "Overall"] as const;

const names =
  "astrid björn carin david ebba folke greta henrik ingrid johan karin lars maja nils olle pernilla".split(
    " ",
  );
const surnames = "andersson berg claesson dahl ek forsberg gran holm isaksson jonsson kvist lund".split(" ");

/** User agents of people. The frequent ones are listed more than once. */
const peopleAgents = [
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36",
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36",
  "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko)",
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148",
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148",
  "Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36",
  "Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)",
] as const;
const prefetchAgent = "Mozilla/5.0";
const gatewayAgent = "Barracuda Sentinel (EE)";

const links = [
  "/intranet/news",
  "/intranet/calendar",
  "/benefits/pension?from=mail",
  "/canteen",
  "/ideas",
  "/jobs",
] as const;

const comments = [
  "More of this, please",
  "Good to know what the others are doing.",
  "Too long for a Monday morning",
  "Kunde vi få en kortare version? 🙂",
  "I would like more about Göteborg & the warehouse.",
  "Thank you!",
] as const;

/** @param now milliseconds since 1970: the newest campaign was sent two days earlier */
export function demoCounted(now: number, domain: string): CountedDemo {
  const random = randomNumbers(20260105);
  const campaigns: CountedDemo["campaigns"] = [];
  const events: CountedDemo["events"] = [];
  const latestDay = Math.floor(now / dayMs) * dayMs - 2 * dayMs;
  for (let index = 0; index < campaignCount; index++) {
    const id = firstId + index;
    const sentAt = latestDay - (campaignCount - 1 - index) * daysBetween * dayMs + (6 + (index % 4)) * hourMs;
    const kind = kinds[index % kinds.length] ?? kinds[0];
    const recipientCount = 90 + Math.floor(random() * 60);
    const hasSurvey = index % 3 === 0;
    const trackingType = trackingTypes[index % trackingTypes.length];
    const input = campaignInput(kind, { sentAt, domain, trackingType, recipientCount, hasSurvey });
    campaigns.push({ id, input });
    for (let number = 0; number < recipientCount; number++) {
      const recipient = addressOf(number, domain);
      const activity = activityOf(random, { appeal: kind.appeal, hasSurvey, number });
      for (const [order, { afterMs, ...action }] of activity.entries()) {
        if (sentAt + afterMs > now) continue;
        const at = new Date(sentAt + afterMs).toISOString();
        events.push({ id: `demo-${id}-${number}-${order}`, campaign_id: id, recipient, at, ...action });
      }
    }
  }
  events.push(...unknownCampaignEvents(latestDay, domain));
  return { campaigns, events };
}

function campaignInput(
  { team, tag, subject }: (typeof kinds)[number],
  details: {
    sentAt: number;
    domain: string;
    trackingType: string | undefined;
    recipientCount: number;
    hasSurvey: boolean;
  },
): Record<string, unknown> {
  const sentAt = new Date(details.sentAt).toISOString();
  return {
    subject: `${subject} · ${sentAt.slice(0, 10)}`,
    sent_at: sentAt,
    sent_from: `${team.toLowerCase().replaceAll(" ", ".")}@${details.domain}`,
    team,
    sending_type: "Scheduled",
    tracking_type: details.trackingType,
    recipient_count: details.recipientCount,
    recipient_groups: ["Stockholm", "Sales"],
    tags: [{ name: tag }],
    surveys_count: details.hasSurvey ? 1 : 0,
  };
}

/** Events that are quarantined, because their campaign is not registered. */
function unknownCampaignEvents(latestDay: number, domain: string): Record<string, unknown>[] {
  return Array.from({ length: 7 }, (_, index) => ({
    id: `demo-lost-${index}`,
    campaign_id: "spring-party",
    recipient: addressOf(index, domain),
    at: new Date(latestDay + index * hourMs).toISOString(),
    type: "open",
    user_agent: peopleAgents[0],
  }));
}

function addressOf(reader: number, domain: string): string {
  const name = names[reader % names.length];
  const surname = surnames[Math.floor(reader / names.length) % surnames.length];
  return `${name}.${surname}@${domain}`;
}

type DemoEvent = Record<string, unknown> & { afterMs: number };

/** The activity of one recipient in one campaign: most of it within hours, some of it automated. */
function activityOf(
  random: () => number,
  { appeal, hasSurvey, number }: { appeal: number; hasSurvey: boolean; number: number },
): DemoEvent[] {
  const activity: DemoEvent[] = [];
  if (number % 9 === 0) activity.push({ type: "open", afterMs: minuteMs, user_agent: prefetchAgent });
  if (number % 23 === 0) activity.push(...scan(random));
  if (random() > appeal) return activity;
  const user_agent = peopleAgents[number % peopleAgents.length] ?? peopleAgents[0];
  const ip = `192.0.2.${number % 250}`;
  const hours = random() ** 4 * 70;
  const first = Math.floor(hours * hourMs + random() * 20 * minuteMs);
  const client = { user_agent, ip };
  activity.push(...reading(random, first, client), ...clicks(random, first, client));
  if (hasSurvey && random() < 0.35) activity.push(rating(random, first));
  return activity;
}

type Client = { user_agent: string; ip: string };

/** One or two opens, and the read time of the first. @param first the time of the first open */
function reading(random: () => number, first: number, client: Client): DemoEvent[] {
  const opens = random() < 0.4 ? 2 : 1;
  const opened = Array.from({ length: opens }, (_, open) => ({
    type: "open",
    afterMs: first + open * Math.floor(random() * 6 * hourMs),
    ...client,
  }));
  const seconds = Math.round(random() ** 2 * 40);
  return [...opened, { type: "read", afterMs: first + minuteMs, seconds, ...client }];
}

function clicks(random: () => number, first: number, client: Client): DemoEvent[] {
  const length = random() < 0.3 ? 1 + Math.floor(random() * 2) : 0;
  return Array.from({ length }, (_, click) => ({
    type: "click",
    afterMs: first + (click + 1) * 2 * minuteMs,
    url: `https://www.lindgren.example${links[Math.floor(random() ** 2 * links.length)]}`,
    ...client,
  }));
}

function rating(random: () => number, first: number): DemoEvent {
  const score = Math.min(10, Math.floor(4 + random() * 8));
  const comment = random() < 0.3 ? { comment: comments[Math.floor(random() * comments.length)] } : {};
  return {
    type: "survey",
    afterMs: first + 5 * minuteMs,
    survey_id: "mood",
    kind: "enps",
    score,
    ...comment,
  };
}

/** A security gateway follows all links within a second, before the recipient has opened the message. */
function scan(random: () => number): DemoEvent[] {
  return links.map((link, index) => ({
    type: "click",
    afterMs: Math.floor(10_000 + index * 120 + random() * 50),
    url: `https://www.lindgren.example${link}`,
    user_agent: index % 2 === 0 ? gatewayAgent : peopleAgents[0],
    ip: "198.51.100.7",
  }));
}
