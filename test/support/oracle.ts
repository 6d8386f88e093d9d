// Test oracle: computes the expected numbers of a campaign as simply as possible. It keeps all events in lists and loops
// over them for every field. It shares no code with the program, so that both cannot have the same bug.

import { minuteMs } from "../../src/campaign/calendar/durations.ts";

/** Request body that registers a campaign. */
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

/** An event as it is sent. */
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

export interface ReceivedEvent {
  event: SentEvent;
  /** Time of arrival, in milliseconds since 1970. */
  now: number;
  /** The batch that it is counted with. */
  batch?: number;
}

export type TrafficSetting = "people" | "all";

/** The rules of counting. Tests break single rules to check that the comparison detects it. */
export const defaultRules = {
  /** Which of several events with the same id counts. */
  ofOneId: "first" as "first" | "last" | "each",
  networksAreEvidence: true,
  burstMs: 10_000,
  burstUrls: 3,
  /** How many of the earliest clicks of a recipient can count as human. */
  maxClicks: 1_000,
  /** Whether all clicks of a recipient are evidence about a click, or only those that arrived before it. */
  laterArrivalsAreEvidence: true,
  hiddenLinkJudgesAllClicks: true,
  /** How long before and after an automated click an open can be a scanner's. */
  scannerBeforeMs: 120_000,
  scannerAfterMs: 60_000,
  /** How quick a burst is that shows a scanner also beside opens. */
  sweepMs: 2_000,
  /** Of a recipient with more opens none is a scanner's. */
  maxOpens: 20,
  clicksExplainPrefetches: true,
  /** Whether an answer is left out of the signs that decide whether its recipient is called a person. */
  answersProvePeople: true,
  /** Whether the hidden link is left out of the rules that find a machine which followed it. */
  otherRulesFindMachines: true,
  clicksImplyOpens: true,
  readsImplyOpens: true,
  answersImplyOpens: true,
  latestAnswerBy: "time" as "time" | "arrival",
  /** What decides between answers of the same time. */
  equalAnswersBy: "id" as "id" | "arrival",
  firstOpenBy: "time" as "time" | "arrival",
  futureTimesAreReplaced: true,
  testSendsCount: false,
  recipientsAreNormalized: true,
  overallCountsDevices: true,
  /** In campaigns without names, the results of a survey change by the answers of so many recipients at least. */
  minAnswers: 5,
  allTrafficIsHuman: false,
  automatedTrafficHasDevices: false,
  glancedSecondsMax: 3,
  skimmedSecondsMax: 9,
  halvesRoundUp: true,
  tiesGoToTheFirst: true,
  /** eNPS scores up to the first are of detractors, from the second on of promoters. */
  detractorsUpTo: 6,
  promotersFrom: 9,
};

export type Rules = typeof defaultRules;

/** Class and device of each user agent in the tests. */
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

/** An event that counts: `unit` is its recipient or device, `place` its position in the order of arrival. */
interface CountedEvent {
  event: SentEvent;
  unit: string;
  at: number;
  place: number;
  batch: number;
}

/**
 * The expected metric fields of the campaign's public record.
 *
 * @param arrivals all events of the campaign, repeats included, in the order of arrival
 */
export function expectedMetrics(
  campaign: PutCampaign,
  arrivals: readonly ReceivedEvent[],
  counts: TrafficSetting,
  rules: Rules = defaultRules,
): Record<string, number> {
  const events = findEvents(campaign, arrivals, rules);
  const eventsOfUnits = [...Map.groupBy(events, ({ unit }) => unit).values()];
  const clicks = eventsOfUnits.map((each) => countedClicks(each, counts, rules).length);
  const opens = eventsOfUnits.map((each) => countedOpens(each, counts, rules));
  const uniqueOpens = opens.filter((number) => number > 0).length;
  const uniqueClicks = clicks.filter((number) => number > 0).length;
  const [desktop, mobile] = deviceRates(events, counts, rules);
  const [glanced, skimmed, read] = readRates(events, rules);
  const divide = rules.halvesRoundUp ? divideHalfUp : divideHalfDown;
  const waiting = waitingAnswers(campaign, events, rules);
  const answered = eventsOfUnits.map((each) => each.filter((event) => !waiting.has(event)));
  const ratings = lastReactions(answered, "enps", rules);
  const reactions = lastReactions(answered, "pulse", rules);
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

/** How old the campaign was, in milliseconds, at the first counted open and click of each recipient. */
export interface ExpectedAges {
  opens: number[];
  clicks: number[];
}

export function expectedAges(
  campaign: PutCampaign,
  arrivals: readonly ReceivedEvent[],
  counts: TrafficSetting,
  rules: Rules = defaultRules,
): ExpectedAges {
  const events = findEvents(campaign, arrivals, rules);
  const ages: ExpectedAges = { opens: [], clicks: [] };
  for (const eventsOfUnit of Map.groupBy(events, ({ unit }) => unit).values()) {
    const clicks = countedClicks(eventsOfUnit, counts, rules);
    const opens = eventsOfUnit.filter(({ event }) => {
      if (event.type === "survey") return rules.answersImplyOpens;
      if (event.type === "read") return rules.readsImplyOpens && doesCount(event, counts, rules);
      return false;
    });
    opens.push(...openEvents(eventsOfUnit, counts, rules));
    const first = rules.firstOpenBy === "time" ? Math.min : (at: number) => at;
    const add = (to: number[], from: CountedEvent[]) => {
      const [at, ...others] = from.map((each) => each.at);
      if (at !== undefined) to.push(first(at, ...others) - Date.parse(campaign.sent_at));
    };
    add(ages.opens, rules.clicksImplyOpens ? [...opens, ...clicks] : opens);
    add(ages.clicks, clicks);
  }
  return ages;
}

/** How many recipients have no sign of a person, no click, and a prefetched open. */
export function expectedUnknown(
  campaign: PutCampaign,
  arrivals: readonly ReceivedEvent[],
  counts: TrafficSetting,
  rules: Rules = defaultRules,
): number {
  if (counts === "all") return 0;
  const events = findEvents(campaign, arrivals, rules);
  return [...Map.groupBy(events, ({ unit }) => unit).values()].filter((each) => isUnknown(each, rules))
    .length;
}

function isUnknown(eventsOfUnit: CountedEvent[], rules: Rules): boolean {
  if (countedOpens(eventsOfUnit, "people", rules) > 0) return false;
  if (rules.clicksExplainPrefetches && eventsOfUnit.some(({ event }) => event.type === "click")) return false;
  return eventsOfUnit.some(({ event }) => event.type === "open" && verdictOf(event, rules) === "prefetch");
}

/** Who gave eNPS scores. */
export function expectedScores(
  campaign: PutCampaign,
  arrivals: readonly ReceivedEvent[],
  rules: Rules = defaultRules,
): { enpsPromoters: number; enpsDetractors: number } {
  const events = findEvents(campaign, arrivals, rules);
  const waiting = waitingAnswers(campaign, events, rules);
  const counted = events.filter((event) => !waiting.has(event));
  const eventsOfUnits = [...Map.groupBy(counted, ({ unit }) => unit).values()];
  const scores = lastReactions(eventsOfUnits, "enps", rules).map(({ value }) => Number(value));
  return {
    enpsPromoters: scores.filter((score) => score >= rules.promotersFrom).length,
    enpsDetractors: scores.filter((score) => score <= rules.detractorsUpTo).length,
  };
}

/** What the other rules make of recipients who answered, and of those who followed the hidden link. */
export interface ExpectedProofs {
  provenPeople: number;
  peopleCalledMachines: number;
  provenMachines: number;
  machinesCaught: number;
}

export function expectedProofs(
  campaign: PutCampaign,
  arrivals: readonly ReceivedEvent[],
  counts: TrafficSetting,
  rules: Rules = defaultRules,
): ExpectedProofs {
  const events = counts === "all" ? [] : findEvents(campaign, arrivals, rules);
  const waiting = waitingAnswers(campaign, events, rules);
  const units = [...Map.groupBy(events, ({ unit }) => unit).values()];
  const ofType = (each: CountedEvent[], ...types: string[]) =>
    each.filter(({ event }) => types.includes(event.type));
  const people = units
    .filter((each) => ofType(each, "survey").some((event) => !waiting.has(event)))
    .map((each) => (rules.answersProvePeople ? ofType(each, "open", "click", "read") : each))
    .filter((each) => ofType(each, "open", "click").length > 0 && !isUnknown(each, rules));
  const machines = units
    .map((each) => ofType(each, "click").sort((a, b) => a.at - b.at))
    .filter((clicks) => clicks.some(({ event }) => event.hidden === true))
    .map((clicks) => clicks.slice(0, rules.maxClicks).filter(({ event }) => event.hidden !== true))
    .filter((others) => others.length > 0);
  return {
    provenPeople: people.length,
    peopleCalledMachines: people.filter((each) => countedOpens(each, "people", rules) === 0).length,
    provenMachines: machines.length,
    machinesCaught: machines.filter(
      (others) => !rules.otherRulesFindMachines || countedClicks(others, "people", rules).length === 0,
    ).length,
  };
}

/** Expected counts of opens and clicks: hours by `quarter activity who`, links by URL. */
export interface ExpectedActivity {
  hours: Record<string, number>;
  links: Record<string, { people: number; all: number }>;
}

/** If a recipient has too many clicks, only the earliest have an hour and a link. */
export function expectedActivity(
  campaign: PutCampaign,
  arrivals: readonly ReceivedEvent[],
  rules: Rules = defaultRules,
): ExpectedActivity {
  const events = findEvents(campaign, arrivals, rules);
  const expected: ExpectedActivity = { hours: {}, links: {} };
  const count = ({ at }: CountedEvent, activity: string, who: string) => {
    const name = `${at - (((at % 900_000) + 900_000) % 900_000)} ${activity} ${who}`;
    expected.hours[name] = (expected.hours[name] ?? 0) + 1;
  };
  for (const eventsOfUnit of Map.groupBy(events, ({ unit }) => unit).values()) {
    const opens = openEvents(eventsOfUnit, "people", rules);
    for (const each of eventsOfUnit.filter(({ event }) => event.type === "open")) {
      const why = isHuman(each.event, rules) ? "beside_scanner" : "automated";
      count(each, "open", opens.includes(each) ? "people" : why);
    }
    const people = countedClicks(eventsOfUnit, "people", rules);
    const clicks = eventsOfUnit.filter(({ event }) => event.type === "click").sort((a, b) => a.at - b.at);
    const hasHidden = clicks.some(({ event }) => event.hidden === true);
    for (const click of clicks.slice(0, rules.maxClicks)) {
      const isCounted = people.includes(click);
      const why = hasHidden ? "beside_hidden_link" : "burst";
      count(click, "click", isCounted ? "people" : isHuman(click.event, rules) ? why : "automated");
      const url = click.event.url ?? "";
      const link = expected.links[url] ?? { people: 0, all: 0 };
      expected.links[url] = { people: link.people + (isCounted ? 1 : 0), all: link.all + 1 };
    }
  }
  return expected;
}

/** One event of each id, at the time it counts for, without test sends. */
function findEvents(campaign: PutCampaign, arrivals: readonly ReceivedEvent[], rules: Rules): CountedEvent[] {
  const earliest = Date.parse(campaign.sent_at) - 10 * minuteMs;
  const events: CountedEvent[] = [];
  const placesOfIds = Map.groupBy(arrivals.keys(), (place) => arrivals[place]?.event.id);
  for (const [place, { event, now, batch = 0 }] of arrivals.entries()) {
    const ofId = placesOfIds.get(event.id) ?? [];
    if (rules.ofOneId !== "each" && place !== ofId.at(rules.ofOneId === "first" ? 0 : -1)) continue;
    const told = Date.parse(event.at);
    const at = told > now + 5 * minuteMs && rules.futureTimesAreReplaced ? now : told;
    if (at < earliest && !rules.testSendsCount) continue;
    events.push({ event, unit: unitOf(campaign, event, rules), at, place, batch });
  }
  return events;
}

/** Orders answers by time and, at the same time, by event id, the last one first. */
const laterFirst = (a: CountedEvent, b: CountedEvent) =>
  b.at - a.at || (a.event.id === b.event.id ? 0 : a.event.id > b.event.id ? -1 : 1);

/** The answers of a campaign without names that wait until as many recipients as needed gave one to the survey. */
function waitingAnswers(
  campaign: PutCampaign,
  events: readonly CountedEvent[],
  rules: Rules,
): ReadonlySet<CountedEvent> {
  const waiting = new Set<CountedEvent>();
  /** Those that came after a later answer, which may wait. */
  const old = new Set<CountedEvent>();
  if (campaign.tracking_type === "Individual") return waiting;
  const reactionOf = ({ score, answer }: SentEvent) => score ?? (hasText(answer) ? answer : undefined);
  const hasReaction = ({ event }: CountedEvent) => reactionOf(event) !== undefined;
  const isComment = ({ event }: CountedEvent) => hasText(event.comment);
  const answers = events.filter(({ event }) => event.type === "survey");
  const ofSurvey = ({ event }: CountedEvent) => `${event.kind} ${event.survey_id}`;
  /** Whether it changes what its recipient answered before, or in the same batch. */
  const isNews = (each: CountedEvent, isPart: (event: CountedEvent) => boolean) =>
    isPart(each) &&
    answers
      .filter((other) => other.unit === each.unit && ofSurvey(other) === ofSurvey(each) && isPart(other))
      .every((other) => other.batch > each.batch || laterFirst(each, other) <= 0);
  const isRating = (each: CountedEvent) => isNews(each, hasReaction);
  for (const batch of [...new Set(answers.map((each) => each.batch))].sort((a, b) => a - b)) {
    for (const each of answers)
      if (each.batch === batch) (isRating(each) || isNews(each, isComment) ? waiting : old).add(each);
    for (const some of Map.groupBy(waiting, ofSurvey).values()) {
      const units = [...Map.groupBy(some, ({ unit }) => unit).values()];
      for (const hasRatings of [true, false]) {
        const alike = units.filter((each) => each.some(isRating) === hasRatings);
        if (alike.length >= rules.minAnswers) for (const each of alike.flat()) waiting.delete(each);
      }
    }
  }
  return new Set([...waiting, ...old]);
}

/** What counts as unique: a recipient or, with Overall tracking, a device. */
function unitOf(campaign: PutCampaign, event: SentEvent, rules: Rules): string {
  const ip = (event.ip ?? "").trim().toLowerCase();
  const userAgent = hasText(event.user_agent) ? event.user_agent : "";
  if (campaign.tracking_type === "Overall" && rules.overallCountsDevices && (ip !== "" || userAgent !== "")) {
    return `device ${JSON.stringify([ip, userAgent])}`;
  }
  if (!rules.recipientsAreNormalized) return `recipient ${event.recipient}`;
  return `recipient ${event.recipient.trim().toLowerCase().normalize("NFC")}`;
}

function verdictOf({ type, hidden, head, machine, ip, user_agent }: SentEvent, rules: Rules): Verdict {
  if (type === "survey" || rules.allTrafficIsHuman) return "person";
  if (type === "click" && hidden === true) return "scanner";
  if (head === true) return "scanner";
  if (machine === true) return "prefetch";
  // The only address of a gateway in the histories.
  if (ip === "40.92.0.1" && rules.networksAreEvidence) return "scanner";
  return hasText(user_agent) ? findUserAgent(user_agent).class : "person";
}

function isHuman(event: SentEvent, rules: Rules): boolean {
  return ["person", "proxy"].includes(verdictOf(event, rules));
}

function doesCount(event: SentEvent, counts: TrafficSetting, rules: Rules): boolean {
  return counts === "all" || isHuman(event, rules);
}

function deviceOf(event: SentEvent, rules: Rules): "desktop" | "mobile" | undefined {
  if (event.device !== undefined) return event.device;
  if (!hasText(event.user_agent)) return undefined;
  if (verdictOf(event, rules) !== "person" && !rules.automatedTrafficHasDevices) return undefined;
  return findUserAgent(event.user_agent).device;
}

function findUserAgent(userAgent: string) {
  const known = userAgents[userAgent];
  if (!known) throw new Error(`the oracle does not know the user agent ${userAgent}`);
  return known;
}

function countedClicks(eventsOfUnit: CountedEvent[], counts: TrafficSetting, rules: Rules): CountedEvent[] {
  const clicks = eventsOfUnit.filter(({ event }) => event.type === "click");
  if (counts === "all") return clicks;
  if (rules.hiddenLinkJudgesAllClicks && clicks.some(({ event }) => event.hidden === true)) return [];
  const first = clicks.toSorted((a, b) => a.at - b.at).slice(0, rules.maxClicks);
  return first.filter((click) => isHuman(click.event, rules) && !isInBurst(click, first, rules));
}

/** Whether a burst contains the click. It is enough to try spans of time that begin with a click. */
function isInBurst(click: CountedEvent, clicks: CountedEvent[], rules: Rules): boolean {
  const evidence = clicks.filter(({ place }) => rules.laterArrivalsAreEvidence || place <= click.place);
  return evidence.some((start) => {
    const end = start.at + rules.burstMs;
    if (click.at < start.at || click.at > end) return false;
    const within = evidence.filter(({ at }) => at >= start.at && at <= end);
    return new Set(within.map(({ event }) => event.url)).size >= rules.burstUrls;
  });
}

/** The opens of one recipient that count. */
function openEvents(eventsOfUnit: CountedEvent[], counts: TrafficSetting, rules: Rules): CountedEvent[] {
  const opens = eventsOfUnit.filter(({ event }) => event.type === "open" && doesCount(event, counts, rules));
  if (counts === "all") return opens;
  if (opens.length > rules.maxOpens) return opens;
  return opens.filter((open) => !isBesideScanner(open, eventsOfUnit, rules));
}

function isBesideScanner({ at }: CountedEvent, eventsOfUnit: CountedEvent[], rules: Rules): boolean {
  const clicks = eventsOfUnit.filter(({ event }) => event.type === "click").sort((a, b) => a.at - b.at);
  const first = clicks.slice(0, rules.maxClicks);
  return first.some((click) => {
    const isAutomated =
      !isHuman(click.event, rules) || isInBurst(click, first, { ...rules, burstMs: rules.sweepMs });
    return isAutomated && at >= click.at - rules.scannerBeforeMs && at <= click.at + rules.scannerAfterMs;
  });
}

/** The opens of one recipient; 1 if there is no open event but another event implies it. */
function countedOpens(eventsOfUnit: CountedEvent[], counts: TrafficSetting, rules: Rules): number {
  const counted = eventsOfUnit.filter(({ event }) => doesCount(event, counts, rules));
  const opens = openEvents(eventsOfUnit, counts, rules).length;
  const hasClicked = rules.clicksImplyOpens && countedClicks(eventsOfUnit, counts, rules).length > 0;
  const hasRead = rules.readsImplyOpens && counted.some(({ event }) => event.type === "read");
  const hasAnswered = rules.answersImplyOpens && eventsOfUnit.some(({ event }) => event.type === "survey");
  return Math.max(opens, hasClicked || hasRead || hasAnswered ? 1 : 0);
}

function deviceRates(events: CountedEvent[], counts: TrafficSetting, rules: Rules): [number, number] {
  const eventsOfUnits = [...Map.groupBy(events, ({ unit }) => unit).values()];
  const opens = eventsOfUnits.flatMap((each) => openEvents(each, counts, rules));
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

/** Reads are always human, whatever traffic is counted. */
function readRates(events: CountedEvent[], rules: Rules): [number, number, number] {
  const seconds = events
    .filter(({ event }) => event.type === "read" && isHuman(event, rules))
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

/** The last reaction of each recipient to each survey, and whether it has a comment. */
function lastReactions(eventsOfUnits: CountedEvent[][], kind: "enps" | "pulse", rules: Rules) {
  const reactions: { value: number | string; hasComment: boolean }[] = [];
  const order = (a: CountedEvent, b: CountedEvent) => {
    if (rules.latestAnswerBy === "time" && a.at !== b.at) return a.at - b.at;
    if (rules.latestAnswerBy === "time" && rules.equalAnswersBy === "id") {
      return a.event.id > b.event.id ? 1 : -1;
    }
    return a.place - b.place;
  };
  for (const eventsOfUnit of eventsOfUnits) {
    const answers = eventsOfUnit
      .filter(({ event }) => event.type === "survey" && event.kind === kind)
      .sort(order)
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

/** Whole numbers that sum to 100, by the largest remainder method. The first of equal remainders wins. */
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

/** Uses BigInt, so that no binary fraction decides what is a half. 0 if the denominator is 0. */
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
