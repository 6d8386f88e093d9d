// Made-up campaigns and their events, always the same ones for the same numbers: people who open, click, read and
// answer, machines among them, bursts of clicks, and hidden links.

import { minuteMs } from "../src/campaign/calendar/durations.ts";
import { Random } from "../test/support/histories.ts";
import { type PutCampaign, type SentEvent, userAgents } from "../test/support/oracle.ts";

const sentAt = Date.UTC(2026, 0, 5, 9);
const recipientsOfCampaign = 2_000;
const programs = Object.keys(userAgents);

/** All three tracking types in turn: Anonymous, Overall, Individual. */
export function madeUpCampaign(id: number): PutCampaign {
  const tracking = ["Individual", "Anonymous", "Overall"][id % 3] ?? "";
  return {
    subject: `The week in brief, no. ${id}`,
    sent_at: new Date(sentAt).toISOString(),
    sent_from: "news@example.com",
    team: `Team ${id % 5}`,
    sending_type: tracking === "Overall" ? "Immediate" : "Timezone",
    tracking_type: tracking,
    recipient_count: recipientsOfCampaign,
    recipient_groups: ["Headquarters", "Sales"],
    tags: id % 2 === 0 ? ["Newsletter"] : [],
    surveys_count: 2,
  };
}

/** So many events of the campaigns 1 to `campaigns`; `prefix` begins their ids. */
export function* madeUpEvents(events: number, campaigns: number, prefix = "e"): Generator<SentEvent> {
  const random = new Random(events + campaigns);
  for (let made = 0; made < events; ) {
    const campaign = random.between(1, campaigns);
    const person = random.between(1, recipientsOfCampaign);
    const at = sentAt + random.between(0, 30 * 24 * 60) * minuteMs + random.between(0, 59_999);
    for (const deed of madeUpDeeds(random, at)) {
      if (made === events) return;
      made += 1;
      yield {
        id: `${prefix}-${made}`,
        campaign_id: campaign,
        recipient: `Person.${person}@example.com`,
        ...deed,
        user_agent: programs[(person * 7 + random.between(0, 1)) % programs.length] ?? "",
        ip: `10.${campaign}.${person >> 8}.${person & 255}`,
        ...(random.chance(2) && { machine: true }),
      };
    }
  }
}

const batch = 500;

/**
 * What is sent in one request after the other; each body is made when its turn comes, which saves memory.
 *
 * @param eventAt which event is sent in which place
 */
export function* bodiesOf(
  sendings: number,
  eventAt: (place: number) => SentEvent | undefined,
): Generator<string> {
  for (let start = 0; start < sendings; start += batch) {
    const length = Math.min(batch, sendings - start);
    yield JSON.stringify({ events: Array.from({ length }, (_, place) => eventAt(start + place)) });
  }
}

type Deed = Pick<
  SentEvent,
  "type" | "at" | "url" | "hidden" | "seconds" | "survey_id" | "kind" | "score" | "comment"
>;

/** What somebody does in one go: seldom many links at once, as scanners do. */
function madeUpDeeds(random: Random, at: number): Deed[] {
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
  const places = Array.from({ length: random.between(2, 5) }, (_, place) => place);
  return places.map((place) => ({
    type: "click" as const,
    at: new Date(at + place * random.between(1, 4_000)).toISOString(),
    url: url(1 + ((place + kind) % 8)),
  }));
}
