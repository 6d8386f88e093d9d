// Events of senders and of an email provider, tracked messages and what their recipients do, lists of recipients.

import assert from "node:assert/strict";
import { type SentEvent, userAgents } from "../../support/oracle.ts";
import { fetchAs } from "../../support/serve-readers.ts";
import { type Crossing, problemIn, taken } from "./crossing.ts";
import { type Content, type Counted, isSender, minuteMs } from "./model.ts";
import { type Operation, pickId } from "./operation.ts";

const desktop = Object.keys(userAgents).find((agent) => agent.includes("Windows NT 10.0; Win64; x64")) ?? "";
const recipients = ["ann", "bob", "cleo", "dan", "eve"].map((name) => `${name}@example.com`);
const sent = new WeakMap<Crossing, SentEvent[]>();

function anyEvent(crossing: Crossing): SentEvent {
  const { random, model, now } = crossing;
  const id = pickId(crossing);
  const campaign_id = random.chance(20) ? `weekly-${id}` : id;
  const content = model.current(id);
  // Late, just now, of a test send, and of a clock that is ahead.
  const sentAt = content?.sentAt ?? now;
  const times = [now - 60 * minuteMs, now, sentAt + minuteMs, sentAt - 60 * minuteMs, now + 60 * minuteMs];
  const base = {
    ...{ id: `e-${crossing.next()}`, campaign_id, recipient: random.pick(recipients) },
    ...{ at: new Date(random.pick(times)).toISOString(), user_agent: desktop, ip: "192.0.2.1" },
  };
  const isNamed = content?.kind === "counted" && content.fields.tracking_type === "Individual";
  const kind = random.between(1, isNamed ? 5 : 4);
  if (kind === 3) return { ...base, type: "click", url: `https://example.com/${random.between(1, 2)}` };
  if (kind === 4) return { ...base, type: "read", seconds: random.pick([2, 5, 12]) };
  if (kind === 5)
    return { ...base, type: "survey", kind: "enps", survey_id: "s", score: random.between(0, 10) };
  return { ...base, type: "open" };
}

/** Some are sent again. */
const sendEvents: Operation = async (crossing) => {
  const { random, model, now } = crossing;
  const earlier = sent.get(crossing) ?? [];
  const again = earlier.length > 0 && random.chance(40) ? [random.pick(earlier)] : [];
  const events = [...again, ...Array.from({ length: random.between(1, 4) }, () => anyEvent(crossing))];
  sent.set(crossing, [...earlier, ...events]);
  const { status, text } = await crossing.send("POST", "/ingest/v1/events", { events });
  assert.equal(status, 200, text);
  for (const event of events) model.receive(event, now, { sender: "key" });
  return `sent events of ${events.map(({ campaign_id, type }) => `${campaign_id} ${type}`).join(", ")}`;
};

/** Postmark reports an open or a click of a campaign with names. */
const deliverWebhook: Operation = async (crossing) => {
  const { random, model, now, known } = crossing;
  if (known.webhook === undefined) {
    // Then only commands add sources.
    if (model.persons === "refuse") return undefined;
    const fields = { provider: "postmark", campaign_field: "campaign_id" };
    const { status, text, location } = await crossing.submit("/sources", "add", fields);
    assert.equal(status, 303, problemIn(text));
    const page = await crossing.getPage(location ?? "");
    known.webhook = /\/ingest\/v1\/webhooks\/[\w-]+/.exec(page.text)?.[0] ?? assert.fail(page.text);
  }
  const named = model.campaigns().flatMap(([id, content]) => (isIndividual(content) ? [id] : []));
  const id = named.length > 0 && random.chance(80) ? random.pick(named) : random.between(1, 5);
  const content = model.current(id);
  if (content && !isIndividual(content)) return undefined;
  const [recipient, message] = [random.pick(recipients), `m-${crossing.next()}`];
  const isClick = random.chance(40);
  const at = new Date(now).toISOString();
  const response = await crossing.service.send(known.webhook, {
    body: {
      ...{ RecordType: isClick ? "Click" : "Open", MessageID: message, Recipient: recipient, ReceivedAt: at },
      ...{ UserAgent: desktop, Metadata: { campaign_id: String(id) }, ReadSeconds: 0 },
      ...(isClick && { OriginalLink: "https://example.com/1" }),
    },
  });
  assert.equal(response.status, 200, response.text);
  const event: SentEvent = {
    ...{ id: message, campaign_id: id, recipient, at, user_agent: desktop },
    ...(isClick ? { type: "click", url: "https://example.com/1" } : { type: "open" }),
  };
  model.receive(event, now, { sender: "webhook" });
  return `a webhook reported ${event.type} of ${id}`;
};

/** Of a campaign that takes what the key sends. */
const isOpen = (content: Content): content is Counted =>
  content.kind === "counted" && !content.final && isSender(content, "key");

const isIndividual = (content: { kind: string }) =>
  content.kind === "counted" && (content as Counted).fields.tracking_type === "Individual";

const html = '<p>Hello <a href="https://example.com/1">news</a></p>';

/** Makes tracked messages of an open campaign, and keeps their URLs. */
const makeMessages: Operation = async (crossing) => {
  const { random, model } = crossing;
  const open = model.campaigns().filter(([, content]) => isOpen(content));
  if (open.length === 0) return undefined;
  const [id, content] = random.pick(open);
  const chosen = random.shuffle(recipients).slice(0, 2);
  const surveys = [{ survey_id: "s", kind: "pulse", question: "Useful?", answers: ["Yes", "No"] }];
  const path = `/ingest/v1/campaigns/${id}/messages`;
  const { status, text, body } = await crossing.send("POST", path, { html, recipients: chosen, surveys });
  assert.equal(status, 200, text);
  const { messages } = body as never as { messages: { recipient: string; html: string }[] };
  for (const { recipient, html: made } of messages) {
    const urlOf = (letter: string) => new RegExp(`"http[^"]*(/t/${letter}/[\\w-]+)"`).exec(made)?.[1] ?? "";
    crossing.messages.push({
      ...{ campaignId: id, serial: (content as Counted).serial, recipient },
      ...{ pixel: urlOf("o"), link: urlOf("c"), answer: urlOf("s") },
    });
  }
  return `made messages of ${id}`;
};

/** Does something with a message, however old it is. */
const useMessage =
  (what: "pixel" | "link" | "answer"): Operation =>
  async (crossing) => {
    const { random, messages, model, now, service } = crossing;
    if (messages.length === 0) return undefined;
    const message = random.pick(messages);
    const { campaignId, serial, recipient } = message;
    const status = await request(service.url + message[what], what);
    // A busy server answers before the event is on disk. Its writer takes this request after it.
    await service.send("/ingest/v1/events", { key: crossing.ingestKey, body: { events: [] } });
    const event: SentEvent = {
      ...{ id: `t-${crossing.next()}`, campaign_id: campaignId, recipient, at: new Date(now).toISOString() },
      ...{ user_agent: desktop, ip: "127.0.0.1", type: "open" },
    };
    const answer = { type: "survey", kind: "pulse", survey_id: "s", answer: "Yes" } as const;
    const click = { type: "click", url: "https://example.com/1" } as const;
    const fields = what === "pixel" ? {} : what === "link" ? click : answer;
    const isTaken = model.receive({ ...event, ...fields }, now, { sender: "tracked", serial });
    const statuses = { pixel: 200, link: 302, answer: isTaken ? 200 : 410 };
    assert.equal(status, statuses[what], `${what} of a message of ${campaignId}`);
    return `${recipient} used the ${what} in a message of ${campaignId}`;
  };

async function request(url: string, what: "pixel" | "link" | "answer"): Promise<number> {
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  const form = what === "answer" ? { method: "POST", headers, body: "comment=" } : {};
  return (await fetchAs(url, { agent: desktop, ...form })).status;
}
const listRecipients: Operation = async (crossing) => {
  const { random, model } = crossing;
  const listable = model
    .campaigns()
    .filter(([, each]) => isOpen(each) && each.fields.tracking_type !== "Overall");
  if (listable.length === 0) return undefined;
  const [id, content] = random.pick(listable);
  const chosen = random.shuffle(recipients).slice(0, random.between(1, 5));
  const body = `recipient\n${chosen.join("\n")}\n`;
  const headers = { "content-type": "text/csv" };
  const { status, text } = await crossing.send("PUT", `/ingest/v1/campaigns/${id}/recipients`, body, headers);
  assert.equal(status, 200, text);
  (content as Counted).listed = new Set(chosen);
  return `listed ${chosen.length} recipients of ${id}`;
};

const replaceDirectory: Operation = async (crossing) => {
  const { random } = crossing;
  const lines = recipients.map((recipient) => `${recipient},${random.pick(["North", "South"])}`);
  const file = new File([`recipient,Site\n${lines.join("\n")}\n`], "directory.csv");
  taken(await crossing.submit("/settings/audience", "upload", { file, adds: "1" }));
  return "replaced the directory";
};

/** Later events of the recipient are ignored where it was known. Pages leave campaigns without names alone. */
const forget: Operation = async (crossing) => {
  const { random, model } = crossing;
  const recipient = random.pick(recipients);
  taken(await crossing.post("/settings/privacy", { action: "forget", recipient }));
  const named = model.campaigns().filter(([, content]) => isOpen(content) && isIndividual(content));
  for (const [, content] of named as [number, Counted][]) {
    const isKnown = content.counted.some(({ event }) => event.recipient === recipient);
    if (isKnown || content.listed.has(recipient)) content.forgotten.add(recipient);
  }
  const references = new Set(named.flatMap(([id, content]) => [id, (content as Counted).fields.external_id]));
  model.waiting = model.waiting.filter(
    ({ event }) => event.recipient !== recipient || !references.has(event.campaign_id),
  );
  return `forgot ${recipient}`;
};

const replay: Operation = async (crossing) => {
  taken(await crossing.post("/sources", { action: "replay", campaign: "" }));
  crossing.model.replay();
  return "replayed the quarantine";
};

/** All events that waited when the page was shown. */
const discard: Operation = async (crossing) => {
  const { model, now } = crossing;
  taken(await crossing.post("/sources", { action: "discard", shown_at: String(now) }));
  model.waiting = model.waiting.filter((event) => event.now > now);
  return "discarded the quarantine";
};

export const eventOperations = {
  sendEvents,
  deliverWebhook,
  makeMessages,
  loadPixel: useMessage("pixel"),
  followLink: useMessage("link"),
  answerSurvey: useMessage("answer"),
  listRecipients,
  replaceDirectory,
  forget,
  replay,
  discard,
};
