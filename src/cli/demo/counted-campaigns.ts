// The last year of the demo: campaigns that are counted from events, so that there is something to look into. The same
// people do the same every time, only the days move with the present.

import { dayMs, hourMs, minuteMs } from "../../campaign/calendar/durations.ts";
import { randomNumbers } from "./random-numbers.ts";

/** Later than those of the campaigns whose numbers were imported. */
const firstId = 1_001;
const campaignsMade = 36;
const daysBetween = 10;

export interface CountedWorld {
  campaigns: { id: number; input: Record<string, unknown> }[];
  /** As programs send them. Some are of a campaign that nobody has registered. */
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

/** Those of people, the likelier ones more than once, and those of machines. */
const people = [
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36",
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36",
  "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko)",
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148",
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148",
  "Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36",
  "Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)",
] as const;
const prefetch = "Mozilla/5.0";
const gateway = "Barracuda Sentinel (EE)";

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

/** @param now milliseconds since 1970: the latest campaign was sent some days before it */
export function demoCounted(now: number, domain: string): CountedWorld {
  const random = randomNumbers(20260105);
  const world: CountedWorld = { campaigns: [], events: [] };
  const latestDay = Math.floor(now / dayMs) * dayMs - 2 * dayMs;
  for (let place = 0; place < campaignsMade; place++) {
    const id = firstId + place;
    const sentAt = latestDay - (campaignsMade - 1 - place) * daysBetween * dayMs + (6 + (place % 4)) * hourMs;
    const kind = kinds[place % kinds.length] ?? kinds[0];
    const readers = 90 + Math.floor(random() * 60);
    const hasSurvey = place % 3 === 0;
    world.campaigns.push({
      id,
      input: {
        subject: `${kind.subject} · ${new Date(sentAt).toISOString().slice(0, 10)}`,
        sent_at: new Date(sentAt).toISOString(),
        sent_from: `${kind.team.toLowerCase().replaceAll(" ", ".")}@${domain}`,
        team: kind.team,
        sending_type: "Scheduled",
        tracking_type: trackingTypes[place % trackingTypes.length],
        recipient_count: readers,
        recipient_groups: ["Stockholm", "Sales"],
        tags: [{ name: kind.tag }],
        surveys_count: hasSurvey ? 1 : 0,
      },
    });
    for (let reader = 0; reader < readers; reader++) {
      const recipient = addressOf(reader, domain);
      const deeds = deedsOf(random, { appeal: kind.appeal, hasSurvey, number: reader });
      for (const [index, { afterMs, ...deed }] of deeds.entries()) {
        const at = sentAt + afterMs;
        if (at > now) continue;
        const event = {
          id: `demo-${id}-${reader}-${index}`,
          campaign_id: id,
          recipient,
          at: new Date(at).toISOString(),
        };
        world.events.push({ ...event, ...deed });
      }
    }
  }
  for (let lost = 0; lost < 7; lost++) {
    const at = new Date(latestDay + lost * hourMs).toISOString();
    const event = {
      id: `demo-lost-${lost}`,
      campaign_id: "spring-party",
      recipient: addressOf(lost, domain),
      at,
    };
    world.events.push({ ...event, type: "open", user_agent: people[0] });
  }
  return world;
}

function addressOf(reader: number, domain: string): string {
  const name = names[reader % names.length];
  const surname = surnames[Math.floor(reader / names.length) % surnames.length];
  return `${name}.${surname}@${domain}`;
}

type Deed = Record<string, unknown> & { afterMs: number };

/** What one recipient does with one campaign: most of it within hours, some of it by machines. */
function deedsOf(
  random: () => number,
  { appeal, hasSurvey, number }: { appeal: number; hasSurvey: boolean; number: number },
): Deed[] {
  const deeds: Deed[] = [];
  if (number % 9 === 0) deeds.push({ type: "open", afterMs: minuteMs, user_agent: prefetch });
  if (number % 23 === 0) deeds.push(...scan(random));
  if (random() > appeal) return deeds;
  const user_agent = people[number % people.length] ?? people[0];
  const ip = `192.0.2.${number % 250}`;
  const hours = random() ** 4 * 70;
  const first = Math.floor(hours * hourMs + random() * 20 * minuteMs);
  const opens = random() < 0.4 ? 2 : 1;
  for (let open = 0; open < opens; open++) {
    deeds.push({ type: "open", afterMs: first + open * Math.floor(random() * 6 * hourMs), user_agent, ip });
  }
  deeds.push({
    type: "read",
    afterMs: first + minuteMs,
    seconds: Math.round(random() ** 2 * 40),
    user_agent,
    ip,
  });
  const clicks = random() < 0.3 ? 1 + Math.floor(random() * 2) : 0;
  for (let click = 0; click < clicks; click++) {
    const url = `https://www.lindgren.example${links[Math.floor(random() ** 2 * links.length)]}`;
    deeds.push({ type: "click", afterMs: first + (click + 1) * 2 * minuteMs, url, user_agent, ip });
  }
  if (hasSurvey && random() < 0.35) {
    const score = Math.min(10, Math.floor(4 + random() * 8));
    const comment = random() < 0.3 ? { comment: comments[Math.floor(random() * comments.length)] } : {};
    deeds.push({
      type: "survey",
      afterMs: first + 5 * minuteMs,
      survey_id: "mood",
      kind: "enps",
      score,
      ...comment,
    });
  }
  return deeds;
}

/** A security gateway follows all links within a second, before anybody has read anything. */
function scan(random: () => number): Deed[] {
  return links.map((link, index) => ({
    type: "click",
    afterMs: Math.floor(10_000 + index * 120 + random() * 50),
    url: `https://www.lindgren.example${link}`,
    user_agent: index % 2 === 0 ? gateway : people[0],
    ip: "198.51.100.7",
  }));
}
