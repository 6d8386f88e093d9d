// Corrections of campaigns, and forms that admins leave open while something else happens.

import assert from "node:assert/strict";
import { hash } from "node:crypto";
import { endCampaign, isOpen, pickCampaign } from "./campaign-operations.ts";
import { type Crossing, problemIn, taken } from "./crossing.ts";
import { type Content, minuteMs, type Shown } from "./model.ts";
import { localField, newSubject, type Operation, pickTags } from "./operation.ts";
import { formsIn } from "./page-forms.ts";

/** What a correction sets: the fields of the form, and the same in the model. */
interface Correction {
  fields: Record<string, string>;
  wanted(): Partial<Shown>;
}

function correctionOf(crossing: Crossing, what: "subject" | "recipients" | "past" | "future"): Correction {
  const { model, random, now } = crossing;
  if (what === "subject") {
    const subject = newSubject(crossing);
    return { fields: { subject }, wanted: () => ({ subject }) };
  }
  if (what === "recipients") {
    const recipient_count = random.between(41, 90);
    return {
      fields: { recipient_count: String(recipient_count) },
      wanted: () => ({ recipient_count }),
    };
  }
  const minutes = what === "past" ? -random.between(1, 4_000) : random.between(2, 6_000);
  const sentAt = Math.floor(now / minuteMs + minutes) * minuteMs;
  return { fields: { sent_at: localField(sentAt, model.timeZone) }, wanted: () => ({ sentAt }) };
}

/** What was set stays, whatever imports and senders say later. */
function applyCorrection({ model, now }: Crossing, id: number, { wanted }: Correction): void {
  const before = model.current(id)?.sentAt as number;
  model.correct(id, wanted(), now);
  const { kind, sentAt } = model.current(id) as Content;
  if (kind === "counted" && sentAt < before) model.replay(id);
}

const correct =
  (what: Parameters<typeof correctionOf>[1]): Operation =>
  async (crossing) => {
    const picked = pickCampaign(crossing);
    if (!picked) return undefined;
    const [id, content] = picked;
    const correction = correctionOf(crossing, what);
    const { fields } = correction;
    const admin = crossing.random.between(0, 1);
    const { status, text } = await crossing.submit(`/campaigns/${id}?tab=details`, "correct", fields, {
      admin,
    });
    const isFinal = content.kind === "counted" && content.final !== undefined;
    if (isFinal && (what === "recipients" || what === "past" || what === "future")) {
      assert.equal(status, 409);
      return `refused to change the closed campaign ${id}`;
    }
    if (status === 409 && isRefusedName(crossing, text))
      return `refused to correct ${id}: ${problemIn(text)}`;
    assert.equal(status, 303, problemIn(text));
    applyCorrection(crossing, id, correction);
    return `corrected ${id}: ${JSON.stringify(fields)}`;
  };
/** Adds a tag with the form beside the title, and unchecks another. */
const retag: Operation = async (crossing) => {
  const { model, now } = crossing;
  const picked = pickCampaign(crossing);
  if (!picked) return undefined;
  const [id, content] = picked;
  const [name = "News"] = pickTags(crossing);
  const gone = content.tags.find((tag) => tag.name !== name);
  const goneId = (await crossing.tags()).find((tag) => tag.name === gone?.name)?.id ?? "";
  const fields = { action: "tags", tag: name, shown_tags: String(goneId) };
  const { status, text } = await crossing.post(`/campaigns/${id}`, fields, crossing.random.between(0, 1));
  if (status === 409 && isRefusedName(crossing, text)) return `refused to retag ${id}: ${problemIn(text)}`;
  assert.equal(status, 303, problemIn(text));
  const tag = model.tag(name);
  const left = content.tags.filter((each) => each !== gone && each !== tag);
  model.correct(id, { tags: [...left, tag] }, now);
  return `added ${name} to ${id}, without ${gone?.name}`;
};

const openForm: Operation = async (crossing) => {
  const { random, model } = crossing;
  const picked = pickCampaign(crossing);
  if (!picked) return undefined;
  const [id, content] = picked;
  const admin = random.between(0, 1);
  const action = random.pick(["correct", "correct", "delete", ...(isOpen(content) ? ["close"] : [])]);
  const form = await crossing.formOf(`/campaigns/${id}?tab=details`, action, { admin });
  assert.ok(form, `no form to ${action} ${id}`);
  const { existence } = model.slotOf(id);
  crossing.openForms.push({ admin, id, existence, subject: subjectOf(content), fields: form.fields });
  return `opened the form to ${action} ${id}`;
};

const subjectOf = (content: Content) =>
  content.kind === "counted" ? content.fields.subject : content.subject;

/** Adds a tag to some campaigns that readers see, removes one, or deletes them. */
const editMany: Operation = async (crossing) => {
  const { model, random, now } = crossing;
  const some = model.published().filter(() => random.chance(60));
  const [name = "News"] = pickTags(crossing);
  const known = model.tags.find((each) => each.name === name);
  const action = random.pick(["tag", "tag", "tag", known ? "untag" : "tag", "delete"]);
  const id = String((await crossing.tags()).find((each) => each.name === name)?.id ?? "");
  if (some.length === 0 || (action === "untag" && id === "")) return undefined;
  const ids = some.map(([each]) => `ids=${each}`).join("&");
  const chosen = some.map(([each]) => each).toSorted();
  const fields = { action, tag: name, tag_id: id, selection: hash("sha256", chosen.join()) };
  taken(await crossing.post(`/campaigns/edit?${ids}`, fields, random.between(0, 1)));
  const tag = action === "delete" ? undefined : model.tag(name);
  for (const [each, content] of some) {
    const others = content.tags.filter((one) => one !== tag);
    if (!tag) model.remove(each, now);
    else model.correct(each, { tags: action === "tag" ? [...others, tag] : others }, now);
  }
  return `${action} ${name} of ${ids}`;
};

/** Sends a form that was opened before: it touches no other campaign, and overwrites nothing that was changed meanwhile. */
const sendOldForm: Operation = async (crossing) => {
  const { model, openForms, random } = crossing;
  const opened = openForms.splice(random.between(0, openForms.length - 1), 1)[0];
  if (!opened) return undefined;
  const { id, admin } = opened;
  const { action = "" } = opened.fields;
  const content = model.current(id);
  const isSame = content !== undefined && model.slotOf(id).existence === opened.existence;
  const correction = correctionOf(crossing, "subject");
  const fields = { ...opened.fields, ...(action === "correct" && correction.fields) };
  const path = `/campaigns/${id}?tab=details`;
  const { status, text } = await crossing.post(path, fields, admin);
  const what = `the old form to ${action} ${id}`;
  if (status !== 303) assert.ok([404, 409].includes(status), `${what}: ${status} ${problemIn(text)}`);
  if (!isSame) {
    assert.notEqual(status, 303, `${what} is taken, though it is of another campaign`);
    return `${what} was refused`;
  }
  if (action !== "correct") {
    const isPossible = action === "delete" || isOpen(content);
    assert.equal(status, isPossible ? 303 : 409, `${what}: ${problemIn(text)}`);
    if (isPossible) endCampaign(crossing, action, id, content);
    return `sent ${what}: ${status}`;
  }
  if (status === 409 && isRefusedName(crossing, text)) return `${what} was refused: ${problemIn(text)}`;
  const isChanged = subjectOf(content) !== opened.subject;
  assert.equal(status, isChanged ? 409 : 303, `${what}, whose subject was changed meanwhile: ${isChanged}`);
  if (isChanged) await sendAgain(crossing, text, { path, admin });
  applyCorrection(crossing, id, correction);
  return `sent ${what}`;
};

/** The page of a conflict shows both values, and the form that is sent from there replaces the stored values. */
async function sendAgain(
  crossing: Crossing,
  html: string,
  { path, admin }: { path: string; admin: number },
): Promise<void> {
  const form = formsIn(html).find(({ fields }) => fields.action === "correct");
  assert.ok(form, "the form again");
  const { status, text } = await crossing.post(path, form.fields, admin);
  assert.equal(status, 303, problemIn(text));
}

/** Whether a correction is refused because the campaign has names, which upkeep removes. */
const isRefusedName = ({ model }: Crossing, text: string) =>
  model.persons === "refuse" && /tracking|Individual/i.test(text);

export const correctionOperations = {
  correctSubject: correct("subject"),
  correctRecipients: correct("recipients"),
  retag,
  moveToPast: correct("past"),
  moveToFuture: correct("future"),
  editMany,
  openForm,
  sendOldForm,
};
