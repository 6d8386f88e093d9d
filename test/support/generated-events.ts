// Generated campaigns and events, reproducible for the same numbers: opens, clicks, read times and survey answers, with
// automated events, bursts of clicks and hidden links among them.

import { minuteMs } from "../../src/campaign/calendar/durations.ts";
import { Random } from "./histories.ts";
import { type PutCampaign, type SentEvent, userAgents } from "./oracle.ts";

const sentAt = Date.UTC(2026, 0, 5, 9);
const recipientsPerCampaign = 2_000;
const userAgentNames = Object.keys(userAgents);

/** The tracking types take turns: Anonymous, Overall, Individual. */
export function generateCampaign(id: number): PutCampaign {
  const tracking = ["Individual", "Anonymous", "Overall"][id % 3] ?? "";
  return {
    subject: `The week in brief, no. ${id}`,
    sent_at: new Date(sentAt).toISOString(),
    sent_from: "news@example.com",
    team: `Team ${id % 5}`,
    sending_type: tracking === "Overall" ? "Immediate" : "Timezone",
    tracking_type: tracking,
    recipient_count: recipientsPerCampaign,
    recipient_groups: ["Headquarters", "Sales"],
    tags: id % 2 === 0 ? ["Newsletter"] : [],
    surveys_count: 2,
  };
}

/** Events of the campaigns 1 to `campaigns`. Their IDs start with `prefix`. */
export function* generateEvents(events: number, campaigns: number, prefix = "e"): Generator<SentEvent> {
  const random = new Random(events + campaigns);
  for (let made = 0; made < events; ) {
    const campaign = random.between(1, campaigns);
    const person = random.between(1, recipientsPerCampaign);
    const at = sentAt + random.between(0, 30 * 24 * 60) * minuteMs + random.between(0, 59_999);
    for (const action of generateActions(random, at)) {
      if (made === events) return;
      made += 1;
      yield {
        id: `${prefix}-${made}`,
        campaign_id: campaign,
        recipient: `Person.${person}@example.com`,
        ...action,
        user_agent: userAgentNames[(person * 7 + random.between(0, 1)) % userAgentNames.length] ?? "",
        ip: `10.${campaign}.${person >> 8}.${person & 255}`,
        ...(random.chance(2) && { machine: true }),
      };
    }
  }
}

const batch = 500;

/** The bodies of requests with these events, made one at a time to save memory. */
export function* requestBodies(events: Iterable<SentEvent | undefined>): Generator<string> {
  let some: (SentEvent | undefined)[] = [];
  for (const event of events) {
    some.push(event);
    if (some.length < batch) continue;
    yield JSON.stringify({ events: some });
    some = [];
  }
  if (some.length > 0) yield JSON.stringify({ events: some });
}

type Action = Pick<
  SentEvent,
  "type" | "at" | "url" | "hidden" | "seconds" | "survey_id" | "kind" | "score" | "comment"
>;

/** What a recipient does at one time: rarely a burst of clicks, as scanners do. */
function generateActions(random: Random, at: number): Action[] {
  const kind = random.between(1, 100);
  const time = new Date(at).toISOString();
  const url = (link: number) => `https://example.com/articles/${link}`;
  if (kind <= 55) return [{ type: "open", at: time }];
  if (kind <= 75) return [{ type: "click", at: time, url: url(random.between(1, 8)) }];
  if (kind <= 87) return [{ type: "read", at: time, seconds: random.between(0, 40) / 2 }];
  if (kind <= 94) {
    const comment = random.chance(30) ? { comment: "More of this, please" } : {};
    const kindOfSurvey = random.pick(["enps", "pulse"] as const);
    const survey = {
      survey_id: `s-${random.between(1, 2)}`,
      kind: kindOfSurvey,
      score: random.between(0, 10),
    };
    return [{ type: "survey", at: time, ...survey, ...comment }];
  }
  if (kind === 95) return [{ type: "click", at: time, url: url(0), hidden: true }];
  const burst = Array.from({ length: random.between(2, 5) }, (_, index) => index);
  return burst.map((index) => ({
    type: "click" as const,
    at: new Date(at + index * random.between(1, 4_000)).toISOString(),
    url: url(1 + ((index + kind) % 8)),
  }));
}
