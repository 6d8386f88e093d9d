// Campaigns of the demo that are counted from events. Every run generates the same activity.

import { hourMs, minuteMs } from "../../campaign/calendar/durations.ts";
import { deliveryReports } from "../../campaign/events/outcomes.ts";
import { normalizeRecipient } from "../../campaign/events/parse-event.ts";
import type { ListRow } from "../../counting/audience/parse-list.ts";
import written from "../../counting/sample/company.json" with { type: "json" };
import { company } from "../../counting/sample/company.ts";
import {
  departmentOf,
  isNonReader,
  peopleOf,
  type Reading,
  readingsOf,
} from "../../counting/sample/recipients-activity.ts";
import { demoTags } from "../../counting/sample/reported-campaigns.ts";
import type { Sending } from "../../counting/sample/sendings.ts";

export interface CountedDemo {
  campaigns: { id: number; input: Record<string, unknown> }[];
  /** The events as clients send them. Some name a campaign that is not registered. */
  events: DemoEvent[];
  /** The recipients of each campaign that may have a list. */
  lists: { id: number; rows: ListRow[] }[];
}

/** The attributes that the demo counts by. */
export const demoAttributes = ["Department", "Site"] as const;

type DemoEvent = Record<string, unknown>;

const { names, surnames } = written;
const { domain, groups } = company;
/** User agents on desktop computers, some of them of image proxies, and on phones. Frequent ones repeat. */
const { desktop: desktopAgents, mobile: mobileAgents } = written.userAgents;
const prefetchAgent = "Mozilla/5.0";
const gatewayAgent = "Barracuda Sentinel (EE)";

/** @param now milliseconds since 1970: events after it have not happened yet */
export function demoCounted(sendings: readonly Sending[], now: number): CountedDemo {
  const campaigns = sendings.map((sending) => ({ id: sending.id, input: campaignInput(sending) }));
  const events = [...sendings.flatMap((sending) => eventsOf(sending)), ...unknownCampaignEvents(now)];
  const lists = sendings
    .filter(({ trackingType }) => trackingType !== "Overall")
    .map((sending) => ({ id: sending.id, rows: listedRows(peopleOf(sending)) }));
  return { campaigns, lists, events: events.filter(({ at }) => Date.parse(String(at)) <= now) };
}

/** People as a list of recipients has them. Only those in the two largest groups have a site. */
function listedRows(people: readonly number[]): ListRow[] {
  return people.map((person, index) => {
    let before = 0;
    const site = groups.slice(0, 2).find(({ size }) => {
      before += size;
      return person < before;
    });
    const values = { Department: departmentOf(person), Site: site?.name ?? "" };
    return { line: index + 1, recipient: normalizeRecipient(addressOf(person)), values };
  });
}

/** Everybody in the company. */
export function demoDirectory(): ListRow[] {
  const people = groups.reduce((sum, { size }) => sum + size, 0);
  return listedRows(Array.from({ length: people }, (_, person) => person));
}

function campaignInput(sending: Sending): Record<string, unknown> {
  const { series, subject, sentAt, sendingType, trackingType, recipientCount, survey } = sending;
  return {
    subject,
    sent_at: new Date(sentAt).toISOString(),
    sent_from: `${series.mailbox}@${domain}`,
    team: series.team,
    sending_type: sendingType,
    tracking_type: trackingType,
    recipient_count: recipientCount,
    recipient_groups: sending.groups,
    tags: demoTags(sending),
    surveys_count: survey ? 1 : 0,
    delivery_reports: series.team === "Management" ? ["bounce"] : deliveryReports,
    surveys: survey ? [{ survey_id: survey.id, kind: survey.kind, question: survey.question }] : [],
  };
}

function eventsOf(sending: Sending): DemoEvent[] {
  const { id, sentAt } = sending;
  const events: DemoEvent[] = [];
  const add = (person: number, after: number, fields: DemoEvent) => {
    const at = new Date(sentAt + after).toISOString();
    const recipient = addressOf(person);
    events.push({ id: `demo-${id}-${events.length}`, campaign_id: id, recipient, at, ...fields });
  };
  for (const reading of readingsOf(sending)) {
    if (!isNonReader(reading.person)) addReading(sending, reading, add);
  }
  for (const person of peopleOf(sending)) {
    if (person % 12 === 0) add(person, minuteMs, { type: "open", user_agent: prefetchAgent });
    if (person % 31 === 4) addScan(sending, person, add);
    addOutcome(sending, person, add);
  }
  return events;
}

/** Of 200 messages two bounce, one softly, and another one after its delivery. Management's program reports bounces only. */
function addOutcome({ id, series }: Sending, person: number, add: AddEvent): void {
  const place = (person * 37 + id * 11) % 200;
  if (place > 2 && series.team !== "Management") add(person, minuteMs / 2, { type: "delivery" });
  if (place < 4)
    add(person, place === 3 ? hourMs : minuteMs, { type: "bounce", bounce: place === 2 ? "soft" : "hard" });
  if (place === 150 && series.team !== "Management") add(person, hourMs, { type: "unsubscribe" });
}

type AddEvent = (person: number, after: number, fields: DemoEvent) => void;

function addReading({ survey }: Sending, reading: Reading, add: AddEvent): void {
  const { person, isMobile, opens, seconds, clicks, answer } = reading;
  const agents = isMobile ? mobileAgents : desktopAgents;
  const client = { user_agent: agents[person % agents.length], ip: `192.0.2.${person % 250}` };
  for (const after of opens) add(person, after, { type: "open", ...client });
  if (seconds > 0) add(person, Number(opens[0]), { type: "read", seconds, ...client });
  for (const { after, path } of clicks) {
    add(person, after, { type: "click", url: `https://www.${domain}${path}`, ...client });
  }
  if (!survey || !answer) return;
  add(person, answer.after, {
    type: "survey",
    survey_id: survey.id,
    kind: survey.kind,
    ...(survey.kind === "enps" ? { score: answer.value } : { answer: answer.value }),
    ...(answer.comment !== undefined && { comment: answer.comment }),
  });
}

/** A security gateway follows all links within a second, before the recipient has opened the message. */
function addScan({ series }: Sending, person: number, add: AddEvent): void {
  for (const [index, path] of series.links.entries()) {
    const user_agent = index % 2 === 0 ? gatewayAgent : desktopAgents[0];
    const url = `https://www.${domain}${path}`;
    add(person, 10_000 + index * 150, { type: "click", url, user_agent, ip: "198.51.100.7" });
  }
  if (person % 93 !== 4) return;
  // One that follows also what people do not see.
  const hidden = { type: "click", url: `https://www.${domain}/`, hidden: true };
  add(person, 10_100, { ...hidden, user_agent: desktopAgents[0], ip: "198.51.100.7" });
}

/** Events that are quarantined, because their campaign is not registered. */
function unknownCampaignEvents(now: number): DemoEvent[] {
  return Array.from({ length: 7 }, (_, index) => ({
    id: `demo-lost-${index}`,
    campaign_id: "spring-party",
    recipient: addressOf(index),
    at: new Date(now - (30 + index) * hourMs).toISOString(),
    type: "open",
    user_agent: desktopAgents[0],
  }));
}

function addressOf(person: number): string {
  const name = names[person % names.length];
  const surname = surnames[Math.floor(person / names.length) % surnames.length];
  return `${name}.${surname}@${domain}`;
}
