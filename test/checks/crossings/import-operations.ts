// Files of admins, in any order: uploaded, previewed, imported, undone. And sample data.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "../../support/world.ts";
import { localTime } from "../queries/local-time.ts";
import { type Crossing, problemIn, taken } from "./crossing.ts";
import { minuteMs } from "./model.ts";
import { type FileEntry, hasCounted, importEntries, type ModelImport, reportedOf } from "./model-imports.ts";
import { instantOf, newSubject, type Operation, pickId, pickTags } from "./operation.ts";

function anyEntry(crossing: Crossing, id: number): FileEntry {
  const { random, model, now } = crossing;
  const recipients = random.between(10, 40);
  const [opens, clicks] = [random.between(0, recipients), random.between(0, 5)];
  const sentAt = now - random.between(600, 3_000) * minuteMs;
  return {
    id,
    subject: newSubject(crossing),
    localTime: localTime(sentAt, model.timeZone).text,
    values: {
      recipient_count: recipients,
      unique_opens: opens,
      total_opens: opens + 1,
      unique_clicks: clicks,
    },
    tags: pickTags(crossing),
  };
}

/** A few campaigns: new, existing and deleted ones, of the sample, or those of an earlier file again. */
function anyEntries(crossing: Crossing): readonly FileEntry[] {
  const { random, model } = crossing;
  const earlier = model.imports.filter(({ isSample }) => !isSample);
  if (earlier.length > 0 && random.chance(25)) return random.pick(earlier).entries;
  const ids = new Set(Array.from({ length: random.between(1, 3) }, () => pickId(crossing)));
  const sample = model.imports.filter(({ isSample }) => isSample).flatMap(({ entries }) => entries);
  if (sample.length > 0 && random.chance(40)) ids.add(random.pick(sample).id);
  const isCounted = (id: number) => model.current(id)?.kind === "counted";
  return [...ids].filter((id) => !isCounted(id) || random.chance(10)).map((id) => anyEntry(crossing, id));
}

const linesOf = (entries: readonly FileEntry[]) =>
  entries
    .map(({ id, subject, localTime: sent_at, values, tags }) =>
      JSON.stringify({ id, subject, sent_at, ...values, tags }),
    )
    .join("\n");
const upload: Operation = async (crossing) => {
  const { model, random, now } = crossing;
  const entries = anyEntries(crossing);
  if (entries.length === 0) return undefined;
  const admin = random.between(0, 1);
  const file = new File([linesOf(entries)], `file-${crossing.next()}.ndjson`);
  const { location } = taken(await crossing.submit("/campaigns/import", "upload", { file }, { admin }));
  const page = location ?? "";
  const form = await crossing.formOf(page, "import", { admin });
  assert.equal(form === undefined, hasCounted(model, entries), "the preview");
  for (const each of model.imports) if (each.state === "waiting" && each.by === admin) each.state = "gone";
  const preview = form && { fields: form.fields, timeZone: model.timeZone };
  const expiresAt = now + 24 * 60 * minuteMs;
  model.imports.push({ page, entries, state: "waiting", expiresAt, isSample: false, preview, by: admin });
  return `uploaded ${page} with ${entries.map(({ id }) => id).join()}`;
};

/** Sends the form of the preview, however old it is. */
const importFile: Operation = async (crossing) => {
  const file = pickFile(crossing, "waiting");
  return file?.preview && sendPreview(crossing, file);
};

async function sendPreview(crossing: Crossing, file: ModelImport): Promise<string> {
  const { model, now } = crossing;
  const { page, entries, preview } = file;
  assert.ok(preview);
  const send = async ({ fields, timeZone }: NonNullable<ModelImport["preview"]>) => {
    const response = await crossing.post(page, fields, file.by);
    if (response.status === 303) {
      const done = await crossing.getPage(page, file.by);
      assert.match(done.text, /id="undo"/);
      importEntries(model, file, ({ localTime: text }) => instantOf(text, timeZone), now);
    }
    return response;
  };
  const first = await send(preview);
  const what = `${page} with ${entries.map(({ id }) => id).join()}`;
  if (first.status === 303) return `imported ${what}`;
  if (hasCounted(model, entries)) {
    assert.equal(first.status, 409);
    return `refused to import ${what}`;
  }
  // A preview that is no longer true may be refused. The next one is true.
  assert.notEqual(preview.timeZone, model.timeZone, `${what}: ${first.status} ${problemIn(first.text)}`);
  assert.equal(first.status, 409);
  const form = await crossing.formOf(page, "import", { admin: file.by });
  assert.ok(form, "another preview");
  const second = await send({ fields: form.fields, timeZone: model.timeZone });
  assert.equal(second.status, 303, problemIn(second.text));
  return `imported ${what} after another preview`;
}

/** Both at once. */
const importNow: Operation = async (crossing) => {
  const uploaded = await upload(crossing);
  const file = crossing.model.imports.at(-1);
  if (!uploaded || !file?.preview) return uploaded;
  return `${uploaded}, and ${await sendPreview(crossing, file)}`;
};

function pickFile({ model, random }: Crossing, state: ModelImport["state"], isSample = false) {
  const files = model.imports.filter((file) => file.state === state && file.isSample === isSample);
  return files.length === 0 ? undefined : random.pick(files);
}

const discardFile: Operation = async (crossing) => {
  const file = pickFile(crossing, "waiting");
  if (!file) return undefined;
  taken(await crossing.submit(file.page, "discard", {}, { admin: file.by }));
  file.state = "gone";
  return `discarded ${file.page}`;
};

/** Of the imports that were not undone, any. */
const undo: Operation = async (crossing) => {
  const file = pickFile(crossing, "imported");
  return file && undoImport(crossing, file);
};

async function undoImport(crossing: Crossing, file: ModelImport): Promise<string> {
  const { model, now } = crossing;
  const { status, text } = await crossing.post(file.page, { action: "undo" }, file.by);
  assert.equal(status, 303, problemIn(text));
  model.unsay(file, now);
  file.state = "undone";
  await checkTags(crossing);
  return `undid ${file.page} with ${file.entries.map(({ id }) => id).join()}`;
}

/** Tags that only undone imports named are gone. Others that no campaign has may be gone. */
async function checkTags(crossing: Crossing): Promise<void> {
  const { model } = crossing;
  const stored = new Set((await crossing.tags()).map(({ name }) => name));
  const layers = [...model.slots.values()].flatMap((slot) => slot.layers);
  const set = [...model.slots.values()].flatMap((slot) => [...slot.set.tags.keys()]);
  const isSaid = (name: string) =>
    set.some((tag) => tag.name === name) ||
    layers.some(({ content }) => content?.tags.some((tag) => tag.name === name)) ||
    model.imports.some(
      ({ state, entries }) => state === "imported" && entries.some(({ tags }) => tags.includes(name)),
    );
  for (const tag of model.tags.filter(({ name }) => !isSaid(name))) {
    assert.ok(!tag.isImported || !stored.has(tag.name), `${tag.name} is left of imports that were undone`);
  }
  model.tags = model.tags.filter(({ name }) => stored.has(name) || isSaid(name));
}

const undoTwice: Operation = async (crossing) => {
  const file = pickFile(crossing, "undone");
  if (!file) return undefined;
  const { status } = await crossing.post(file.page, { action: "undo" }, file.by);
  assert.ok(status === 404 || status === 409, `undone twice: ${status}`);
  return `refused to undo ${file.page} twice`;
};

/** A program imports a file: nothing undoes it. */
const importByCommand: Operation = async (crossing) => {
  const { model, now, stage, organization } = crossing;
  const entries = anyEntries(crossing);
  if (entries.length === 0) return undefined;
  const path = join(stage.world.folder, "import.ndjson");
  writeFileSync(path, linesOf(entries));
  const argv = ["import", "--organization", String(organization.id), "--json", path];
  const { exitCode, stderr } = await run(stage.world.databaseUrl, argv, { now: () => now });
  assert.equal(exitCode, hasCounted(model, entries) ? 1 : 0, stderr);
  if (exitCode === 1) return `refused to import ${entries.map(({ id }) => id).join()} by command`;
  for (const entry of entries) {
    const sentAt = instantOf(entry.localTime, model.timeZone);
    model.say(entry.id, reportedOf(model, entry, { sentAt, canBeUndone: false }), now);
  }
  return `imported ${entries.map(({ id }) => id).join()} by command`;
};

/** The numbers that do not follow from others, when a campaign is corrected. */
const plainNumbers = ["recipient_count", "unique_opens", "total_opens", "unique_clicks", "total_clicks"];

/** Its campaigns are learned from the feed. */
const addSample: Operation = async (crossing) => {
  const { model, now } = crossing;
  const hasCampaigns = model.campaigns().length > 0;
  const { status, text } = await crossing.post("/campaigns/import", { action: "sample" });
  assert.equal(status, hasCampaigns ? 409 : 303, problemIn(text));
  if (hasCampaigns) return undefined;
  const form = await crossing.formOf("/", "undo");
  assert.ok(form, "the line of the sample data");
  const entries = (await crossing.readAll()).map((email): FileEntry => {
    const { id, subject, sent_at, tags, ...values } = email as never as FileEntry & { sent_at: string };
    const numbers = Object.entries(values).filter(([name]) => plainNumbers.includes(name));
    const names = (tags as unknown as { name: string }[]).map(({ name }) => name);
    return { id, subject, localTime: sent_at, values: Object.fromEntries(numbers) as never, tags: names };
  });
  const file: ModelImport = {
    ...{ page: form.to, entries, state: "waiting", expiresAt: 0, isSample: true, preview: undefined, by: 0 },
  };
  model.imports.push(file);
  importEntries(model, file, ({ localTime: text }) => instantOf(text, model.timeZone), now);
  file.expiresAt = Number.POSITIVE_INFINITY;
  return `added ${entries.length} campaigns of sample data`;
};

const removeSample: Operation = async (crossing) => {
  const file = pickFile(crossing, "imported", true);
  return file && undoImport(crossing, file);
};

export const importOperations = {
  upload,
  importFile,
  importNow,
  discardFile,
  undo,
  undoTwice,
  importByCommand,
  addSample,
  removeSample,
};
