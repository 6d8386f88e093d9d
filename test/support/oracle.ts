// What the numbers of a campaign should be, worked out from the decisions as plainly as can be: all events stay in
// lists, and every field loops over them. It shares nothing with the program, so a fault is not made twice.

import { minuteMs } from "../../src/campaign/calendar/durations.ts";

/** A campaign as its sender registers it. */
export interface PutCampaign {
  subject: string;
  sent_at: string;
  sent_from: string;
  team: string;
  sending_type: string;
  tracking_type: string;
  recipient_count: number;
  recipient_groups: string[];
  tags: (string | { name: string; color: string })[];
  surveys_count: number;
  external_id?: string;
}

/** An event as its sender tells it. */
export interface SentEvent {
  id: string;
  campaign_id: number | string;
  recipient: string;
  type: "open" | "click" | "read" | "survey";
  at: string;
  url?: string;
  hidden?: boolean;
  head?: boolean;
  seconds?: number;
  survey_id?: string;
  kind?: "enps" | "pulse";
  score?: number;
  answer?: string;
  comment?: string;
  user_agent?: string;
  ip?: string;
  device?: "desktop" | "mobile";
  machine?: boolean;
}

export interface Arrival {
  event: SentEvent;
  /** When it came, in milliseconds since 1970. */
  now: number;
}

export type Counts = "people" | "all";

/** The rules that a test may break, to see that it is noticed. */
export const decided = {
  /** Which of the events with the same id is counted. */
  ofOneId: "first" as "first" | "last" | "each",
  burstMs: 10_000,
  burstUrls: 3,
  /** Of the clicks of one recipient, so many of the earliest ones count where people do. */
  clicksMax: 1_000,
  /** Whether a click is judged by all clicks of its recipient, or by those that had arrived before it. */
  laterArrivalsAreEvidence: true,
  hiddenLinkTellsOnAllClicks: true,
  clicksImplyOpens: true,
  readingsImplyOpens: true,
  answersImplyOpens: true,
  latestAnswerBy: "time" as "time" | "arrival",
  futureTimesAreHeld: true,
  testSendingsCount: false,
  recipientsAreNormalized: true,
  overallCountsDevices: true,
  everybodyIsAPerson: false,
  machinesHaveDevices: false,
  glancedSecondsMax: 3,
  skimmedSecondsMax: 9,
  halvesRoundUp: true,
  tiesGoToTheFirst: true,
};

export type Rules = typeof decided;

/** Decision: what each user agent that the tests use is, and which device a person's one names. */
export const userAgents: Record<string, { class: Verdict; device?: "desktop" | "mobile" }> = {
  "Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148":
    { class: "person", device: "mobile" },
  "Mozilla/5.0 (iPad; CPU OS 16_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148": {
    class: "person",
    device: "mobile",
  },
  "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Mobile Safari/537.36":
    { class: "person", device: "mobile" },
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36":
    { class: "person", device: "desktop" },
  "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko)": {
    class: "person",
    device: "desktop",
  },
  "The Bat!": { class: "person" },
  "Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)": {
    class: "proxy",
  },
  "YahooMailProxy; https://help.yahoo.com/kb/yahoo-mail-proxy-SLN28749.html": { class: "proxy" },
  "Mozilla/5.0": { class: "prefetch" },
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/42.0.2311.135 Safari/537.36 Edge/12.246 Mozilla/5.0":
    { class: "prefetch" },
  "curl/8.0": { class: "scanner" },
  "Barracuda Sentinel (EE)": { class: "scanner" },
  "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)": { class: "scanner" },
};

type Verdict = "person" | "proxy" | "prefetch" | "scanner";

/** An event that takes part: who it is of, when, and in which place it arrived. */
interface Seen {
  event: SentEvent;
  unit: string;
  at: number;
  place: number;
}

/**
 * The metric fields of the campaign's public record.
 *
 * @param arrivals every event of the campaign that was ever sent, repeats included, in the order of their arrival
 */
export function expectedMetrics(
  campaign: PutCampaign,
  arrivals: readonly Arrival[],
  counts: Counts,
  rules: Rules = decided,
): Record<string, number> {
  const events = findEvents(campaign, arrivals, rules);
  const eventsOfUnits = [...Map.groupBy(events, ({ unit }) => unit).values()];
  const clicks = eventsOfUnits.map((each) => countedClicks(each, counts, rules).length);
  const opens = eventsOfUnits.map((each) => countedOpens(each, counts, rules));
  const uniqueOpens = opens.filter((number) => number > 0).length;
  const uniqueClicks = clicks.filter((number) => number > 0).length;
  const [desktop, mobile] = deviceRates(events, counts, rules);
  const [glanced, skimmed, read] = readingRates(events, rules);
  const divide = rules.halvesRoundUp ? divideHalfUp : divideHalfDown;
  const ratings = lastReactions(eventsOfUnits, "enps", rules);
  const reactions = lastReactions(eventsOfUnits, "pulse", rules);
  return {
    open_rate: Math.min(1, divide(uniqueOpens, campaign.recipient_count, 4)),
    click_rate: Math.min(1, divide(uniqueClicks, campaign.recipient_count, 4)),
    unique_opens: uniqueOpens,
    multiple_opens: sum(opens) - uniqueOpens,
    unopened: Math.max(0, campaign.recipient_count - uniqueOpens),
    total_opens: sum(opens),
    unique_clicks: uniqueClicks,
    multiple_clicks: sum(clicks) - uniqueClicks,
    total_clicks: sum(clicks),
    click_per_unique_open_rate: divide(100 * uniqueClicks, uniqueOpens, 0),
    desktop_open_rate: desktop,
    mobile_open_rate: mobile,
    read_time_glanced: glanced,
    read_time_skimmed: skimmed,
    read_time_read: read,
    enps_score_average: divide(sum(ratings.map(({ value }) => Number(value))), ratings.length, 2),
    enps_reactions_count: ratings.length,
    enps_comments_count: ratings.filter(({ hasComment }) => hasComment).length,
    survey_reactions_count: reactions.length,
    survey_reactions_comments_count: reactions.filter(({ hasComment }) => hasComment).length,
  };
}

/** How opens and clicks should have come in: `quarter activity who` and `url who` to how many. */
export interface ExpectedActivity {
  hours: Record<string, number>;
  links: Record<string, { people: number; all: number }>;
}

/** Worked out from all events at once. Of a recipient with too many clicks, the earliest are told by hour and link. */
export function expectedActivity(
  campaign: PutCampaign,
  arrivals: readonly Arrival[],
  rules: Rules = decided,
): ExpectedActivity {
  const events = findEvents(campaign, arrivals, rules);
  const expected: ExpectedActivity = { hours: {}, links: {} };
  const count = ({ at }: Seen, activity: string, who: string) => {
    const name = `${at - (((at % 900_000) + 900_000) % 900_000)} ${activity} ${who}`;
    expected.hours[name] = (expected.hours[name] ?? 0) + 1;
  };
  for (const each of events.filter(({ event }) => event.type === "open")) {
    count(each, "open", isPeople(each.event, rules) ? "people" : "machines");
  }
  for (const ofUnit of Map.groupBy(events, ({ unit }) => unit).values()) {
    const people = countedClicks(ofUnit, "people", rules);
    const clicks = ofUnit.filter(({ event }) => event.type === "click").sort((a, b) => a.at - b.at);
    const hasHidden = clicks.some(({ event }) => event.hidden === true);
    for (const click of clicks.slice(0, rules.clicksMax)) {
      const isCounted = people.includes(click);
      const why = hasHidden ? "beside_hidden_link" : "burst";
      count(click, "click", isCounted ? "people" : isPeople(click.event, rules) ? why : "machines");
      const url = click.event.url ?? "";
      const link = expected.links[url] ?? { people: 0, all: 0 };
      expected.links[url] = { people: link.people + (isCounted ? 1 : 0), all: link.all + 1 };
    }
  }
  return expected;
}

/** One event of each id, at the time that it is taken for, without test sendings. */
function findEvents(campaign: PutCampaign, arrivals: readonly Arrival[], rules: Rules): Seen[] {
  const earliest = Date.parse(campaign.sent_at) - 10 * minuteMs;
  const events: Seen[] = [];
  const placesOfIds = Map.groupBy(arrivals.keys(), (place) => arrivals[place]?.event.id);
  for (const [place, { event, now }] of arrivals.entries()) {
    const ofId = placesOfIds.get(event.id) ?? [];
    if (rules.ofOneId !== "each" && place !== ofId.at(rules.ofOneId === "first" ? 0 : -1)) continue;
    const told = Date.parse(event.at);
    const at = told > now + 5 * minuteMs && rules.futureTimesAreHeld ? now : told;
    if (at < earliest && !rules.testSendingsCount) continue;
    events.push({ event, unit: unitOf(campaign, event, rules), at, place });
  }
  return events;
}

/** What is counted once: a recipient or, where tracking is Overall, a device. */
function unitOf(campaign: PutCampaign, event: SentEvent, rules: Rules): string {
  const ip = (event.ip ?? "").trim().toLowerCase();
  const userAgent = hasText(event.user_agent) ? event.user_agent : "";
  if (campaign.tracking_type === "Overall" && rules.overallCountsDevices && (ip !== "" || userAgent !== "")) {
    return `device ${JSON.stringify([ip, userAgent])}`;
  }
  if (!rules.recipientsAreNormalized) return `recipient ${event.recipient}`;
  return `recipient ${event.recipient.trim().toLowerCase().normalize("NFC")}`;
}

function verdictOf({ type, hidden, head, machine, user_agent }: SentEvent, rules: Rules): Verdict {
  if (type === "survey" || rules.everybodyIsAPerson) return "person";
  if (type === "click" && hidden === true) return "scanner";
  if (head === true) return "scanner";
  if (machine === true) return "prefetch";
  return hasText(user_agent) ? lookUp(user_agent).class : "person";
}

function isPeople(event: SentEvent, rules: Rules): boolean {
  return ["person", "proxy"].includes(verdictOf(event, rules));
}

function doesCount(event: SentEvent, counts: Counts, rules: Rules): boolean {
  return counts === "all" || isPeople(event, rules);
}

function deviceOf(event: SentEvent, rules: Rules): "desktop" | "mobile" | undefined {
  if (event.device !== undefined) return event.device;
  if (!hasText(event.user_agent)) return undefined;
  if (verdictOf(event, rules) !== "person" && !rules.machinesHaveDevices) return undefined;
  return lookUp(event.user_agent).device;
}

function lookUp(userAgent: string) {
  const known = userAgents[userAgent];
  if (!known) throw new Error(`the oracle does not know the user agent ${userAgent}`);
  return known;
}

function countedClicks(ofUnit: Seen[], counts: Counts, rules: Rules): Seen[] {
  const clicks = ofUnit.filter(({ event }) => event.type === "click");
  if (counts === "all") return clicks;
  if (rules.hiddenLinkTellsOnAllClicks && clicks.some(({ event }) => event.hidden === true)) return [];
  const first = clicks.toSorted((a, b) => a.at - b.at).slice(0, rules.clicksMax);
  return first.filter((click) => isPeople(click.event, rules) && !isInBurst(click, first, rules));
}

/** Whether some span holds the click and too many different links. It is enough to try spans that a click begins. */
function isInBurst(click: Seen, clicks: Seen[], rules: Rules): boolean {
  const evidence = clicks.filter(({ place }) => rules.laterArrivalsAreEvidence || place <= click.place);
  return evidence.some((start) => {
    const end = start.at + rules.burstMs;
    if (click.at < start.at || click.at > end) return false;
    const within = evidence.filter(({ at }) => at >= start.at && at <= end);
    return new Set(within.map(({ event }) => event.url)).size >= rules.burstUrls;
  });
}

/** Of one recipient: the opens, or one if none was seen but something else shows it. */
function countedOpens(ofUnit: Seen[], counts: Counts, rules: Rules): number {
  const counted = ofUnit.filter(({ event }) => doesCount(event, counts, rules));
  const opens = counted.filter(({ event }) => event.type === "open").length;
  const hasClicked = rules.clicksImplyOpens && countedClicks(ofUnit, counts, rules).length > 0;
  const hasRead = rules.readingsImplyOpens && counted.some(({ event }) => event.type === "read");
  const hasAnswered = rules.answersImplyOpens && ofUnit.some(({ event }) => event.type === "survey");
  return Math.max(opens, hasClicked || hasRead || hasAnswered ? 1 : 0);
}

function deviceRates(events: Seen[], counts: Counts, rules: Rules): [number, number] {
  const opens = events.filter(({ event }) => event.type === "open" && doesCount(event, counts, rules));
  const devices = opens.map(({ event }) => deviceOf(event, rules));
  const [desktop = 0, mobile = 0] = percentages(
    [
      devices.filter((device) => device === "desktop").length,
      devices.filter((device) => device === "mobile").length,
    ],
    rules,
  );
  return [desktop, mobile];
}

/** Only people read, whatever is counted. */
function readingRates(events: Seen[], rules: Rules): [number, number, number] {
  const seconds = events
    .filter(({ event }) => event.type === "read" && isPeople(event, rules))
    .map(({ event }) => event.seconds ?? 0)
    .filter((each) => each > 0);
  const [glanced = 0, skimmed = 0, read = 0] = percentages(
    [
      seconds.filter((each) => each <= rules.glancedSecondsMax).length,
      seconds.filter((each) => each > rules.glancedSecondsMax && each <= rules.skimmedSecondsMax).length,
      seconds.filter((each) => each > rules.skimmedSecondsMax).length,
    ],
    rules,
  );
  return [glanced, skimmed, read];
}

/** The last reaction of each recipient to each survey, and whether there are words to it. */
function lastReactions(eventsOfUnits: Seen[][], kind: "enps" | "pulse", rules: Rules) {
  const reactions: { value: number | string; hasComment: boolean }[] = [];
  const order = (each: Seen) => (rules.latestAnswerBy === "time" ? each.at : each.place);
  for (const ofUnit of eventsOfUnits) {
    const answers = ofUnit
      .filter(({ event }) => event.type === "survey" && event.kind === kind)
      .sort((a, b) => order(a) - order(b))
      .map(({ event }) => event);
    for (const survey of new Set(answers.map(({ survey_id }) => survey_id))) {
      const ofSurvey = answers.filter(({ survey_id }) => survey_id === survey);
      const value = ofSurvey
        .map(({ score, answer }) => score ?? answer)
        .findLast((each) => each !== undefined);
      const hasComment = ofSurvey.some(({ comment }) => hasText(comment));
      if (value !== undefined) reactions.push({ value, hasComment });
    }
  }
  return reactions;
}

/** Whole numbers that sum to 100: cut, and what is missing goes to the largest remainders, of equal ones the first. */
function percentages(numbers: number[], { tiesGoToTheFirst }: Rules): number[] {
  const total = sum(numbers);
  if (total === 0) return numbers.map(() => 0);
  const shares = numbers.map((number) => Math.floor((100 * number) / total));
  const remainders = numbers.map((number) => (100 * number) % total);
  for (let missing = 100 - sum(shares); missing > 0; missing--) {
    const most = Math.max(...remainders);
    const largest = tiesGoToTheFirst ? remainders.indexOf(most) : remainders.lastIndexOf(most);
    shares[largest] = (shares[largest] ?? 0) + 1;
    remainders[largest] = -1;
  }
  return shares;
}

/** In whole numbers of any size, so that no binary fraction decides what is half; 0 without a denominator. */
function divideHalfUp(numerator: number, denominator: number, decimals: number): number {
  return denominator === 0 ? 0 : divide(numerator, denominator, decimals, BigInt(denominator));
}

function divideHalfDown(numerator: number, denominator: number, decimals: number): number {
  return denominator === 0 ? 0 : divide(numerator, denominator, decimals, BigInt(denominator) - 1n);
}

function divide(numerator: number, denominator: number, decimals: number, half: bigint): number {
  const scale = 10n ** BigInt(decimals);
  return Number((2n * BigInt(numerator) * scale + half) / (2n * BigInt(denominator))) / Number(scale);
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

function hasText(text: string | undefined): text is string {
  return text !== undefined && text.trim() !== "";
}
