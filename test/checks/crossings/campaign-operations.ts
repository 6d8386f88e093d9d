// Campaigns that admins and senders register, register again, close and delete.

import assert from "node:assert/strict";
import { type Crossing, problemIn } from "./crossing.ts";
import { type Content, type Counted, isSender, minuteMs, newNumber, shownOf } from "./model.ts";
import { localField, newSubject, type Operation, pickId, pickTags } from "./operation.ts";

/** A send time to the minute: mostly in the past of some days, sometimes soon. */
function anySentAt({ random, now }: Crossing): number {
  const minutes = random.chance(75) ? -random.between(20, 2_000) : random.between(5, 300);
  return Math.floor(now / minuteMs + minutes) * minuteMs;
}

function anyFields(crossing: Crossing): Counted["fields"] {
  const { random, model } = crossing;
  const types = ["Individual", "Individual", "Anonymous", "Anonymous", "Overall"];
  const tracking_type = random.pick(model.persons === "refuse" ? types.slice(2) : types);
  return {
    ...{ subject: newSubject(crossing), sent_from: "news@example.com", team: random.pick(["East", "West"]) },
    ...{ sending_type: "Immediate", tracking_type, recipient_count: random.between(5, 40) },
    ...{ recipient_groups: ["Everybody"], surveys_count: 1 },
  };
}

/** Each id has an external id of its own, which programs give and people do not. */
const externalIdOf = (id: number) => `weekly-${id}`;

function register(
  crossing: Crossing,
  id: number,
  { fields, sentAt, tags, senders }: Pick<Counted, "fields" | "sentAt" | "senders"> & { tags: string[] },
) {
  const { model, now } = crossing;
  const named = tags.map((name) => model.saidTag(name));
  const { subject, recipient_count } = fields;
  const content: Counted = {
    senders,
    ...{ kind: "counted", serial: newNumber(), fields, sentAt, counted: [], final: undefined },
    ...{ listed: new Set<string>(), forgotten: new Set<string>() },
    tags: named,
    said: { subject, recipient_count, sentAt, tags: named },
  };
  model.say(id, content, now);
  model.replay(id);
}

/** The form of the web application. @param id empty for one that the service chooses */
async function registerOnPage(crossing: Crossing, id: string): Promise<string> {
  const { model, random } = crossing;
  const [fields, sentAt, tags] = [anyFields(crossing), anySentAt(crossing), pickTags(crossing)];
  const { subject, tracking_type, recipient_count, team } = fields;
  const hasNames = tracking_type === "Individual";
  const namesSender = !hasNames || random.chance(50);
  const response = await crossing.submit(
    "/campaigns/register",
    "register",
    {
      ...{ id, subject, tracking_type, recipient_count: String(recipient_count), team, surveys_count: "1" },
      ...{ sent_at: localField(sentAt, model.timeZone), tags: tags.join("\n") },
      ...{ recipient_groups: "Everybody", sent_from: fields.sent_from },
      senders: namesSender ? String(crossing.keyNumber) : "",
    },
    { admin: random.between(0, 1) },
  );
  if (id !== "" && model.current(Number(id))) {
    assert.equal(response.status, 409, `registered ${id} over another campaign`);
    return `refused to register ${id} again`;
  }
  if (hasNames && model.namelessReferences.has(Number(id))) {
    assert.equal(response.status, 409);
    return `refused to give names to ${id}`;
  }
  assert.equal(response.status, 303, problemIn(response.text));
  const given = Number(response.location?.split("/").at(-1));
  if (id === "") assert.ok(!model.usedIds.has(given), `the service hands out the id ${given} again`);
  register(crossing, given, { fields, sentAt, tags, senders: new Set(namesSender ? ["key"] : []) });
  return `registered ${given} as ${subject}, ${tracking_type}`;
}

const registerWithoutId: Operation = (crossing) => registerOnPage(crossing, "");
const registerWithId: Operation = (crossing) => registerOnPage(crossing, String(pickId(crossing)));

const bodyOf = ({ fields, sentAt, tags }: Counted) => ({
  ...fields,
  sent_at: new Date(sentAt).toISOString(),
  tags: tags.map(({ name }) => name),
});

/** Registers a campaign by the API, or changes it. */
const put: Operation = async (crossing) => {
  const { model, random, now } = crossing;
  const id = pickId(crossing);
  const known = model.current(id);
  const path = `/ingest/v1/campaigns/${id}`;
  if (known?.kind !== "counted") {
    const fields = { ...anyFields(crossing), external_id: externalIdOf(id) };
    const [sentAt, tags] = [anySentAt(crossing), pickTags(crossing)];
    const body = { ...fields, sent_at: new Date(sentAt).toISOString(), tags };
    const { status, text } = await crossing.send("PUT", path, body);
    const isTaken = [id, fields.external_id].some((each) => model.namelessReferences.has(each));
    const isRefused = known !== undefined || (isTaken && fields.tracking_type === "Individual");
    assert.equal(status, isRefused ? 409 : 201, text);
    if (isRefused) return `refused to register ${id}: ${text}`;
    register(crossing, id, { fields, sentAt, tags, senders: new Set(["key"]) });
    return `put ${id} as ${fields.subject}, ${fields.tracking_type}`;
  }
  const tags = random.chance(50) ? pickTags(crossing) : known.tags.map(({ name }) => name);
  const change = { subject: newSubject(crossing), team: random.pick(["East", "West"]) };
  const { status, text } = await crossing.send("PUT", path, { ...bodyOf(known), ...change, tags });
  if (!isSender(known, "key")) {
    assert.equal(status, 403, text);
    return `refused to change ${id}, which the key does not send`;
  }
  assert.equal(status, 200, text);
  known.senders.add("key");
  const { subject, team } = change;
  known.fields.team = team;
  const said = { ...shownOf(known), subject, tags: tags.map((name) => model.saidTag(name)) };
  model.sayCounted(id, known, said, now);
  return `put ${id} again as ${change.subject}`;
};

/**
 * Repeats the registration of each counted campaign, as programs do every night. Where persons are refused, the tracking type
 * may have to be another one, but some type must be accepted.
 */
const nightlyPut: Operation = async (crossing) => {
  const { model } = crossing;
  await crossing.upkeep();
  for (const [id, content] of model.campaigns()) {
    if (content.kind !== "counted" || !isSender(content, "key")) continue;
    const answers: string[] = [];
    const types = new Set([content.fields.tracking_type, "Anonymous", "Individual", "Overall"]);
    for (const tracking_type of types) {
      const body = { ...bodyOf(content), tracking_type };
      const { status, text } = await crossing.send("PUT", `/ingest/v1/campaigns/${id}`, body);
      if (status === 200) model.sayCounted(id, content, shownOf(content), crossing.now);
      if (status === 200 && tracking_type === content.fields.tracking_type) break;
      if (status === 200) {
        // What the service made of it is what readers show.
        content.fields.tracking_type = tracking_type;
        content.senders = new Set(["key"]);
        break;
      }
      answers.push(`${tracking_type}: ${text}`);
    }
    assert.ok(
      answers.length < types.size,
      `a repeated registration of ${id} fails for good: ${answers.join()}`,
    );
  }
  return "repeated all registrations";
};
export function pickCampaign(
  { model, random }: Crossing,
  accepts: (content: Content) => boolean = () => true,
) {
  const campaigns = model.campaigns().filter(([, content]) => accepts(content));
  return campaigns.length === 0 ? undefined : random.pick(campaigns);
}

export const isOpen = (content: Content): content is Counted => content.kind === "counted" && !content.final;
export function endCampaign(crossing: Crossing, action: string, id: number, content: Content): void {
  const { model, now } = crossing;
  if (action === "delete") model.remove(id, now);
  else {
    model.change(id, now, () => model.close(content as Counted));
    model.forgetWaiting(id);
  }
}

const runAction =
  (action: "close" | "delete"): Operation =>
  async (crossing) => {
    const picked = pickCampaign(crossing, action === "close" ? isOpen : undefined);
    if (!picked) return undefined;
    const [id, content] = picked;
    const { status, text } = await crossing.submit(`/campaigns/${id}?tab=details`, action);
    assert.equal(status, 303, problemIn(text));
    endCampaign(crossing, action, id, content);
    return `${action} ${id}`;
  };

const deleteBySender: Operation = async (crossing) => {
  const { model, now } = crossing;
  const id = pickId(crossing);
  const { status } = await crossing.send("DELETE", `/ingest/v1/campaigns/${id}`);
  const content = model.current(id);
  const isRefused = content?.kind === "counted" && !isSender(content, "key");
  assert.equal(status, isRefused ? 403 : content ? 204 : 404);
  if (status === 204) model.remove(id, now);
  return `deleted ${id} by the API: ${status}`;
};

export const campaignOperations = {
  registerWithoutId,
  registerWithId,
  put,
  nightlyPut,
  close: runAction("close"),
  deleteOnPage: runAction("delete"),
  deleteBySender,
};
