// Tags, settings of the organization, links and keys.

import assert from "node:assert/strict";
import { type Crossing, problemIn, type ShareLink, taken } from "./crossing.ts";
import { dayMs } from "./model.ts";
import { type Operation, timeZones } from "./operation.ts";

const anyColor = ({ random }: Crossing) =>
  `#${random.between(0x100000, 0xffffff).toString(16).toUpperCase()}`;

const addTag: Operation = async (crossing) => {
  const [name, color] = [`Tag-${crossing.next()}`, anyColor(crossing)];
  taken(await crossing.submit("/settings/tags", "add", { name, color }));
  crossing.model.tags.push({ name, color, isImported: false });
  return `added the tag ${name}`;
};

/** The page of a tag that the service has. */
async function pickTag(crossing: Crossing) {
  const { model, random } = crossing;
  const tags = (await crossing.tags()).flatMap(({ id, name }) => {
    const tag = model.tags.find((each) => each.name === name);
    return tag ? [{ tag, path: `/settings/tags/${id}` }] : [];
  });
  return tags.length === 0 ? undefined : random.pick(tags);
}

const renameTag: Operation = async (crossing) => {
  const picked = await pickTag(crossing);
  if (!picked) return undefined;
  const { tag, path } = picked;
  const used = new Set((await crossing.tags()).map(({ name }) => name));
  const free = ["News", "HR", "Both", "Spring"].filter((each) => !used.has(each));
  const name =
    free.length > 0 && crossing.random.chance(40) ? crossing.random.pick(free) : `Tag-${crossing.next()}`;
  taken(await crossing.submit(path, "change", { name }));
  const before = tag.name;
  crossing.model.renameTag(tag, name);
  return `renamed the tag ${before} to ${name}`;
};

const recolorTag: Operation = async (crossing) => {
  const picked = await pickTag(crossing);
  if (!picked) return undefined;
  const color = anyColor(crossing);
  taken(await crossing.submit(picked.path, "change", { color }));
  picked.tag.color = color;
  return `recolored the tag ${picked.tag.name}`;
};

const deleteTag: Operation = async (crossing) => {
  const picked = await pickTag(crossing);
  if (!picked) return undefined;
  taken(await crossing.submit(picked.path, "delete"));
  crossing.model.deleteTag(picked.tag);
  return `deleted the tag ${picked.tag.name}`;
};

async function changeOrganization(crossing: Crossing, fields: Record<string, string>): Promise<void> {
  taken(await crossing.submit("/settings/organization", "organization", fields));
}

const changeTimeZone: Operation = async (crossing) => {
  const zone = crossing.random.pick(Object.keys(timeZones));
  await changeOrganization(crossing, { time_zone: zone });
  crossing.model.timeZone = zone;
  return `changed the time zone to ${zone}`;
};

const changeTraffic: Operation = async (crossing) => {
  const traffic = crossing.random.pick(["people", "all"] as const);
  await changeOrganization(crossing, { count: traffic });
  crossing.model.traffic = traffic;
  return `counts the traffic of ${traffic}`;
};

/** Pages only raise it. */
const changeMinimum: Operation = async (crossing) => {
  const minimum = crossing.model.minAnswers + crossing.random.between(0, 1);
  await changeOrganization(crossing, { min_answers: String(minimum) });
  crossing.model.minAnswers = minimum;
  return `changed the minimum of answers to ${minimum}`;
};

const refusePersons: Operation = async (crossing) => {
  const { model, organization } = crossing;
  if (model.persons === "refuse") return undefined;
  taken(await crossing.submit("/settings/privacy", "refuse", { name: organization.name }));
  model.persons = "refuse";
  model.minAnswers = Math.max(model.minAnswers, 10);
  return "refused persons";
};

const allowPersons: Operation = async (crossing) => {
  const { model } = crossing;
  // Names that upkeep has not removed yet would stay.
  if (model.persons === "allow") return undefined;
  await crossing.upkeep();
  taken(await crossing.submit("/settings/privacy", "allow"));
  model.persons = "allow";
  return "allowed persons";
};

const linksPath = "/settings/share-links";

/** Of a campaign, or of the overview. */
const share: Operation = async (crossing) => {
  const { model, random, now, known } = crossing;
  if (known.shareLinks.length === 0) await crossing.post(linksPath, { action: "allow_links" });
  const published = model.published();
  const id = published.length > 0 && random.chance(85) ? random.pick(published)[0] : undefined;
  const view = id === undefined ? "/?period=all" : `/campaigns/${id}`;
  const [name, days] = [`Link ${crossing.next()}`, random.pick([7, 30])];
  const path = `${linksPath}?${new URLSearchParams({ view })}`;
  const { text } = taken(await crossing.submit(path, "add", { name, days: String(days) }), 200);
  const url = /<code id="link">http:\/\/127\.0\.0\.1(\/shared\/[^<]+)<\/code>/.exec(text)?.[1] ?? "";
  const campaign = id === undefined ? undefined : { id, existence: model.slotOf(id).existence };
  const link: ShareLink = { name, url, expiresAt: now + days * dayMs, campaign };
  known.shareLinks.push(link);
  crossing.allShareLinks.set(url, link);
  return `shared ${view}`;
};

const revoke: Operation = async (crossing) => {
  const { known, random } = crossing;
  if (known.shareLinks.length === 0) return undefined;
  const link = random.pick(known.shareLinks);
  const page = await crossing.getPage(linksPath);
  const row = page.text.split("<tr").find((each) => each.includes(`>${link.name}<`));
  // The list may leave links out whose campaign is gone.
  const id = /name="link" value="(\d+)"/.exec(row ?? "")?.[1];
  if (id === undefined) return undefined;
  taken(await crossing.post(linksPath, { action: "revoke", link: id }));
  known.shareLinks = known.shareLinks.filter((each) => each !== link);
  return `revoked ${link.name}`;
};

const keysPath = "/settings/integrations/analytics-api";

const addCsvLink: Operation = async (crossing) => {
  const { known } = crossing;
  if (known.csvLinks.length === 0) await crossing.post(keysPath, { action: "allow_links" });
  const fields = { link_name: `Sheet ${crossing.next()}`, days: "100" };
  const { text } = taken(await crossing.submit(keysPath, "add_link", fields), 200);
  known.csvLinks.push(/http:\/\/127\.0\.0\.1(\/data_api\/v1\/links\/[^<"]+\.csv)/.exec(text)?.[1] ?? "");
  return "added a CSV link";
};

const addKey: Operation = async (crossing) => {
  const name = `Key ${crossing.next()}`;
  const { text } = taken(await crossing.submit(keysPath, "add", { name, scope: "read" }), 200);
  const key = /ea_test_\w+/.exec(/<code id="key">.*?<\/code>/s.exec(text)?.[0] ?? text)?.[0] ?? "";
  crossing.known.readKeys.push({ text: key, name });
  return `added ${name}`;
};

/** Not the last one. */
const deleteKey: Operation = async (crossing) => {
  const { known } = crossing;
  if (known.readKeys.length < 2) return undefined;
  const key = crossing.random.pick(known.readKeys);
  const page = await crossing.getPage(keysPath);
  const path = new RegExp(`href="(${keysPath}/\\d+)"[^>]*>(?:<[^>]*>)*${key.name}<`).exec(page.text)?.[1];
  if (path === undefined) return undefined;
  const { status, text } = await crossing.submit(path, "delete");
  assert.equal(status, 303, problemIn(text));
  known.readKeys = known.readKeys.filter((each) => each !== key);
  crossing.deletedKeys.push(key.text);
  return `deleted ${key.name}`;
};

export const settingsOperations = {
  addTag,
  renameTag,
  recolorTag,
  deleteTag,
  changeTimeZone,
  changeTraffic,
  changeMinimum,
  refusePersons,
  allowPersons,
  share,
  revoke,
  addCsvLink,
  addKey,
  deleteKey,
};
