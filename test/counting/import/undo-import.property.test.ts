// Imports of two tools, changes by people, edits of many campaigns and rules, all undone in any order, equal a plain model: each
// campaign is a list of what was said of it, and what people and rules have set of it.

import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { sql } from "kysely";
import { parseReportedCampaign } from "../../../src/campaign/reported-campaign.ts";
import { removeTag } from "../../../src/counting/campaigns/change-tag.ts";
import { correctCampaign, detailsOf } from "../../../src/counting/campaigns/correct-campaign.ts";
import { removeCampaign } from "../../../src/counting/campaigns/remove-campaign.ts";
import { continueImport } from "../../../src/counting/import/continue-import.ts";
import { finishImport, importRows, startEdit } from "../../../src/counting/import/import-upload.ts";
import { generateId } from "../../../src/counting/import/mapping/generated-id.ts";
import { deleteExpiredImport, importLifetimeMs } from "../../../src/counting/import/upload.ts";
import { findCampaignIds, findCampaigns } from "../../../src/storage/campaigns/campaigns.ts";
import type { Corrections, StoredCampaign } from "../../../src/storage/campaigns/stored-campaign.ts";
import {
  addImport,
  type CampaignsEdit,
  findImport,
  findSampleImport,
  neverExpires,
  type StoredImport,
  saveImport,
} from "../../../src/storage/imports/imports.ts";
import { lockOrganization, type Organization } from "../../../src/storage/organizations/organizations.ts";
import { addRule, deleteRule, listRules } from "../../../src/storage/organizations/rules.ts";
import { addTag, listTags } from "../../../src/storage/organizations/tags.ts";
import { rowsPerStatement } from "../../../src/storage/queries/database.ts";
import type { Queries } from "../../../src/storage/queries/queries.ts";
import { Scope } from "../../../src/storage/queries/scope.ts";
import { pick } from "../../support/pick.ts";
import { randomCases, report } from "../../support/random-cases.ts";
import { sqliteTest } from "../../support/sqlite-test.ts";
import { undoImport } from "../../support/undo-import.ts";
import { makeAcme, makeWorld, type World } from "../../support/world.ts";

interface Said {
  subject: string;
  day: number;
  opens: number;
  team: string | null;
  tags: string[];
}
/** By id. Few values, so that imports overlap and often say the same. A file may lack columns. */
type File = Partial<Record<number, Partial<Said> & Pick<Said, "subject" | "day">>>;
type Wanted = Partial<Pick<Said, "subject" | "team" | "tags">>;
/** What an edit of many campaigns or a rule wants, with the tag by name. */
type Edit = { add: string } | { remove: string } | { team: string | null } | { deletes: true };
interface Rule {
  field: "subject" | "tool";
  text: string;
  edit: { add: string } | { team: string };
}

type Step =
  | { name: "import"; file: File; tool?: string | undefined; replaces?: boolean }
  | { name: "command"; file: File }
  | { name: "undo" | "expire"; which: number }
  | { name: "correct"; which: number; set: Wanted }
  | { name: "reset" | "delete"; which: number }
  | { name: "edit"; some: boolean[]; edit: Edit; isRule: boolean }
  | { name: "add rule"; rule: Rule }
  | { name: "delete rule"; which: number }
  | { name: "delete tag"; tag: string };

const ids = [1, 2];
const tagNames = ["T", "U"];
const tools = ["Brevo", "Klaviyo"];
const subject = fc.constantFrom("A", "B");
const tags = fc.subarray(tagNames);
const tag = fc.constantFrom(...tagNames);
const team = fc.constantFrom("HR", "IT");
const said = fc.record(
  {
    subject,
    day: fc.constantFrom(1, 1, 3),
    opens: fc.constantFrom(1, 2),
    team,
    tags,
  },
  { requiredKeys: ["subject", "day"] },
);
const set: fc.Arbitrary<Wanted> = fc.record({ subject, team: fc.option(team), tags }, { requiredKeys: [] });
const file = fc
  .subarray(ids, { minLength: 1 })
  .chain((some) => fc.tuple(...some.map(() => said)).map((all) => [some, all] as const))
  .map(([some, all]) => Object.fromEntries(some.map((id, index) => [id, all[index]])) as File);
const which = fc.nat(5);
const added = tag.map((add) => ({ add }));
const edit: fc.Arbitrary<Edit> = fc.oneof(
  added,
  tag.map((remove) => ({ remove })),
  fc.option(team).map((each) => ({ team: each })),
  fc.constant({ deletes: true as const }),
);
const rule: fc.Arbitrary<Rule> = fc.record({
  field: fc.constantFrom("subject", "tool"),
  text: fc.constantFrom("a", "brevo"),
  edit: fc.oneof(
    added,
    team.map((each) => ({ team: each })),
  ),
});
const steps = {
  import: [
    4,
    { file, tool: fc.option(fc.constantFrom(...tools), { nil: undefined }), replaces: fc.boolean() },
  ],
  undo: [5, { which }],
  expire: [1, { which }],
  command: [1, { file }],
  correct: [3, { which, set }],
  reset: [1, { which }],
  delete: [1, { which }],
  edit: [4, { some: fc.array(fc.boolean(), { minLength: 1, maxLength: 4 }), edit, isRule: fc.boolean() }],
  "add rule": [1, { rule }],
  "delete rule": [1, { which }],
  "delete tag": [1, { tag }],
} as const;
const step = fc.oneof(
  ...Object.entries(steps).map(([name, [weight, fields]]) => ({
    weight,
    arbitrary: fc.record({ name: fc.constant(name), ...(fields as object) }) as fc.Arbitrary<unknown>,
  })),
) as fc.Arbitrary<Step>;
const histories = fc.record({
  startsWithSample: fc.boolean(),
  steps: fc.array(step, { minLength: 6, maxLength: 18 }),
});

const [first, second, third] = [
  { subject: "A", day: 1, opens: 1, team: null, tags: ["T"] },
  { subject: "B", day: 1, opens: 2, team: null, tags: ["T", "U"] },
  { subject: "C", day: 1, opens: 2, team: null, tags: [] },
];
const brings = (one: Said | undefined, tool?: string): Step => ({
  name: "import",
  file: { 1: one } as File,
  tool,
});
const undoes = (index: number): Step => ({ name: "undo", which: index });
const edits = (edit: Edit): Step => ({ name: "edit", some: [true], edit, isRule: false });
const corrects = (wanted: Wanted | undefined): Step => ({ name: "correct", which: 0, set: wanted ?? {} });
/** Histories that went wrong, or that are rare. */
const examples = [
  { startsWithSample: false, steps: [brings(first), brings(second), undoes(0), undoes(0)] },
  { startsWithSample: false, steps: [brings(first), brings(first), undoes(0), undoes(0)] },
  { startsWithSample: false, steps: [brings(first), { name: "delete tag", tag: "T" }, undoes(0)] },
  { startsWithSample: true, steps: [brings(second), { name: "expire", which: 1 }, undoes(0)] },
  {
    startsWithSample: true,
    steps: [brings(second), corrects(first), undoes(0), { name: "delete", which: 1 }],
  },
  {
    startsWithSample: false,
    steps: [brings(first), corrects(second), brings(third), undoes(0), undoes(0)],
  },
  // Edits of other things are undone in any order.
  {
    startsWithSample: false,
    steps: [
      brings(third),
      edits({ add: "T" }),
      edits({ team: "HR" }),
      edits({ add: "U" }),
      undoes(1),
      undoes(1),
    ],
  },
  // A tool brings a campaign again after it was deleted under a generated id.
  {
    startsWithSample: false,
    steps: [
      brings(first, "Brevo"),
      brings(third, "Klaviyo"),
      edits({ deletes: true }),
      brings(third, "Klaviyo"),
      undoes(2),
    ],
  },
  // A rule keeps the tag of an import that is undone.
  {
    startsWithSample: false,
    steps: [
      brings(first),
      { name: "add rule", rule: { field: "subject", text: "a", edit: { add: "T" } } },
      undoes(0),
      brings(third),
      brings(first),
    ],
  },
].map((history) => [history] as [{ startsWithSample: boolean; steps: Step[] }]);

/** Who said something of a campaign: an import that can be undone, or anything else. */
type Source = number | "others";

interface Author {
  at: number;
  isRule: boolean;
}
/** What was set of a campaign, and when: texts, and which tags were added and removed. */
interface SetValues {
  subject?: Author & { value: string | null };
  team?: Author & { value: string | null };
  tags?: Author & { states: Map<string, "added" | "removed"> };
}
interface ModelCampaign {
  /** What was said of it, the newest last. A tag that was deleted is in none. */
  layers: { source: Source; said: Said; origin: string | null }[];
  set: SetValues;
  /** Each time in which the id has a campaign has its own number. */
  existence: number;
}
interface ModelEdit {
  size: number;
  deleted: [id: number, ModelCampaign][];
  changed: { id: number; existence: number; before: SetValues; after: SetValues }[];
}

const isSameText = (a: unknown, b: unknown) => textOf(a) === textOf(b);
const textOf = (value: unknown) =>
  JSON.stringify(value, (_, each) => (each instanceof Map ? [...each].sort() : each)) ?? "";
const top = ({ layers }: ModelCampaign) => layers.at(-1) as ModelCampaign["layers"][number];
const fieldNames = ["subject", "team"] as const;

class Model {
  readonly campaigns = new Map<number, ModelCampaign>();
  readonly edits = new Map<number, ModelEdit>();
  rules: Rule[] = [];
  /** Which imports that can be undone brought a tag; none for tags that came otherwise. */
  readonly tags = new Map<string, Set<number>>();
  readonly sizes = new Map<number, number>();
  sample: number | undefined;
  #existences = 0;

  /** The id of the campaign that is at a position of the list. */
  pick(which: number): number | undefined {
    const all = [...this.campaigns.keys()].sort((a, b) => a - b);
    return all[which % Math.max(1, all.length)];
  }

  shownOf(campaign: ModelCampaign): Said {
    const { said } = top(campaign);
    const { set } = campaign;
    const has = (name: string) => {
      const state = set.tags?.states.get(name);
      return state ? state === "added" : said.tags.includes(name);
    };
    return {
      ...said,
      subject: set.subject?.value ?? said.subject,
      team: set.team ? set.team.value : said.team,
      tags: tagNames.filter(has),
    };
  }

  state() {
    const shown = [...this.campaigns].map(([id, campaign]) => {
      const { subject, team, tags } = campaign.set;
      const by = Object.entries({ subject, team, tags }).flatMap(([field, author]) =>
        author ? [[field, `${author.at}${author.isRule ? " by rule" : ""}`]] : [],
      );
      return [id, { ...this.shownOf(campaign), origin: top(campaign).origin, by: Object.fromEntries(by) }];
    });
    return {
      campaigns: Object.fromEntries(shown),
      tags: [...this.tags.keys()].sort(),
      hasSample: [...this.campaigns.values()].some((each) => top(each).source === this.sample),
    };
  }

  #holderOf(origin: string): number | undefined {
    return [...this.campaigns].find(([, campaign]) => top(campaign).origin === origin)?.[0];
  }

  /** Ids of different tools never meet, unless subject and day are the same. */
  #idOf(key: string, row: Pick<Said, "subject" | "day">, tool: string | undefined): number {
    const own = Number(key);
    if (tool === undefined) return own;
    const known = this.campaigns.get(own);
    const isFree = !known || isSame(top(known).said, row);
    return this.#holderOf(`${tool} ${key}`) ?? (isFree ? own : generateId([tool, key]));
  }

  /** Whatever is not an import that can be undone replaces all that was said before. */
  say(source: Source, given: File, { now, tool, replaces = true }: SayOptions): void {
    const brought = new Set<string>();
    const named = Object.entries(given).map(([key, row]) => {
      const each = row as NonNullable<typeof row>;
      return { id: this.#idOf(key, each, tool), key, each };
    });
    for (const { id, key, each } of named) {
      const known = this.campaigns.get(id);
      if (known && !replaces && isOther(top(known).said, each)) continue;
      const { opens = 0, tags = [], team = null } = known ? top(known).said : {};
      const said = { opens, tags, team, ...each };
      const origin = (known && top(known).origin) ?? (tool === undefined ? null : `${tool} ${key}`);
      const campaign = known ?? { layers: [], set: {}, existence: ++this.#existences };
      if (source === "others") campaign.layers = [];
      campaign.layers.push({ source, said, origin });
      this.campaigns.set(id, campaign);
      for (const name of said.tags) brought.add(name);
      for (const name of said.tags) if (!this.tags.has(name)) this.tags.set(name, new Set(bringer(source)));
      const matching = this.rules.filter((rule) => matches(rule, said, origin));
      if (!known) for (const rule of matching) this.#apply(campaign, rule.edit, { at: now, isRule: true });
    }
    for (const name of brought) {
      const bringers = this.tags.get(name) as Set<number>;
      if (source !== "others" && bringers.size > 0) bringers.add(source);
    }
    if (source !== "others") this.sizes.set(source, named.length);
  }

  /** @returns whether it changes the campaign */
  #apply(campaign: ModelCampaign, edit: Edit, author: Author): boolean {
    const { tags, team } = this.shownOf(campaign);
    const { set } = campaign;
    const wanted: Wanted = {};
    const isRemoved = (name: string) => set.tags?.states.get(name) === "removed";
    if ("add" in edit && this.tags.has(edit.add) && !(author.isRule && isRemoved(edit.add)))
      wanted.tags = [...new Set([...tags, edit.add])];
    if ("remove" in edit) wanted.tags = tags.filter((name) => name !== edit.remove);
    if ("team" in edit && !(author.isRule && set.team && !set.team.isRule)) wanted.team = edit.team;
    const before = textOf([tags, team]);
    this.set(campaign, wanted, author);
    const after = this.shownOf(campaign);
    return textOf([after.tags, after.team]) !== before;
  }

  set(campaign: ModelCampaign, wanted: Wanted, author: Author): void {
    const { said } = top(campaign);
    const shown = this.shownOf(campaign);
    const set: SetValues = { ...campaign.set };
    campaign.set = set;
    for (const field of fieldNames) {
      const value = wanted[field];
      if (value === undefined || value === shown[field]) continue;
      if (value === said[field] && !set[field]?.isRule) delete set[field];
      else set[field] = { ...author, value };
    }
    const { tags } = wanted;
    for (const name of tags ?? []) if (!this.tags.has(name)) this.tags.set(name, new Set());
    if (!tags || isSameText(tags.toSorted(), shown.tags.toSorted())) return;
    const states: NonNullable<SetValues["tags"]>["states"] = new Map();
    for (const name of tagNames) {
      const state = set.tags?.states.get(name);
      if (tags.includes(name)) {
        if (state === "added" || !said.tags.includes(name)) states.set(name, "added");
      } else if (state === "removed" || shown.tags.includes(name)) states.set(name, "removed");
    }
    if (isSameText(tags.toSorted(), said.tags.toSorted()) && !set.tags?.isRule) delete set.tags;
    else set.tags = { ...author, states };
  }

  edit(id: number, edited: readonly number[], edit: Edit, author: Author): void {
    const done: ModelEdit = { size: edited.length, deleted: [], changed: [] };
    this.edits.set(id, done);
    for (const each of edited) {
      const campaign = this.campaigns.get(each) as ModelCampaign;
      const { set: before, existence } = campaign;
      if ("deletes" in edit) {
        done.deleted.push([each, campaign]);
        this.campaigns.delete(each);
      } else if (this.#apply(campaign, edit, author))
        done.changed.push({ id: each, existence, before, after: campaign.set });
    }
  }

  /** What someone has set since then stays. */
  undoEdit(id: number) {
    const { size, deleted, changed } = this.edits.get(id) as ModelEdit;
    let restored = 0;
    for (const [each, campaign] of deleted) {
      const { said, origin } = top(campaign);
      if (this.campaigns.has(each) || (origin !== null && this.#holderOf(origin))) continue;
      this.campaigns.set(each, { ...campaign, layers: [{ source: "others", said, origin }] });
      restored += 1;
    }
    for (const { id: each, existence, before, after } of changed) {
      const campaign = this.campaigns.get(each);
      if (campaign?.existence !== existence) continue;
      const left = campaign.set;
      const set = { ...left };
      if (isSameText(left.team, after.team)) assign(set, "team", before.team);
      if (isSameText(left.tags, after.tags)) assign(set, "tags", before.tags);
      else {
        const states = new Map(left.tags?.states);
        for (const name of tagNames) {
          if (left.tags?.states.get(name) !== after.tags?.states.get(name)) continue;
          const state = before.tags?.states.get(name);
          if (state) states.set(name, state);
          else states.delete(name);
        }
        const author = left.tags ?? before.tags;
        assign(set, "tags", author && states.size > 0 ? { ...author, states } : undefined);
      }
      campaign.set = set;
      if (!isSameText(set, left)) restored += 1;
    }
    return { removed: 0, restored, kept: size - restored };
  }

  removeTag(name: string): void {
    this.tags.delete(name);
    this.rules = this.rules.filter(({ edit }) => !("add" in edit && edit.add === name));
    const edits = [...this.edits.values()];
    const deleted = edits.flatMap((each) => each.deleted.map(([, campaign]) => campaign));
    const campaigns = [...this.campaigns.values(), ...deleted];
    const sets = edits.flatMap(({ changed }) => changed.flatMap(({ before, after }) => [before, after]));
    for (const { tags } of [...sets, ...campaigns.map(({ set }) => set)]) tags?.states.delete(name);
    for (const layer of campaigns.flatMap(({ layers }) => layers))
      layer.said = { ...layer.said, tags: layer.said.tags.filter((each) => each !== name) };
  }

  undo(source: number) {
    const before = new Map([...this.campaigns].map(([id, campaign]) => [id, top(campaign)]));
    for (const [id, campaign] of this.campaigns) {
      campaign.layers = campaign.layers.filter((layer) => layer.source !== source);
      if (campaign.layers.length === 0) this.campaigns.delete(id);
    }
    const isOtherNow = ([id, campaign]: [number, ModelCampaign]) => {
      const [was, is] = [before.get(id), top(campaign)];
      return !isSameText([sorted(was?.said as Said), was?.origin], [sorted(is.said), is.origin]);
    };
    const removed = before.size - this.campaigns.size;
    const restored = [...this.campaigns].filter(isOtherNow).length;
    for (const [name, bringers] of this.tags) {
      if (!bringers.delete(source) || bringers.size > 0) continue;
      const campaigns = [...this.campaigns.values()];
      const all = campaigns.flatMap((each) => [
        ...each.layers.map((layer) => layer.said),
        this.shownOf(each),
      ]);
      const isRuled = this.rules.some((each) => "add" in each.edit && each.edit.add === name);
      if (!isRuled && !all.some(({ tags }) => tags.includes(name))) this.removeTag(name);
    }
    return { removed, restored, kept: (this.sizes.get(source) ?? 0) - removed - restored };
  }

  /** What an import said is for good. */
  expire(source: number): void {
    for (const campaign of this.campaigns.values()) {
      const at = campaign.layers.findIndex((layer) => layer.source === source);
      const settled = campaign.layers[at];
      if (settled) campaign.layers = [{ ...settled, source: "others" }, ...campaign.layers.slice(at + 1)];
    }
    for (const bringers of this.tags.values()) bringers.delete(source);
  }
}

interface SayOptions {
  now: number;
  tool?: string | undefined;
  replaces?: boolean | undefined;
}

const bringer = (source: Source) => (source === "others" ? [] : [source]);
const isSame = (a: Said, b: Pick<Said, "subject" | "day">) => a.subject === b.subject && a.day === b.day;
const isOther = (a: Said, b: Pick<Said, "subject" | "day">) => a.subject !== b.subject && a.day !== b.day;
const matches = ({ field, text }: Rule, said: Said, origin: string | null) =>
  field === "subject"
    ? said.subject.toLowerCase().includes(text)
    : origin?.split(" ")[0]?.toLowerCase() === text;
function assign<Name extends keyof SetValues>(set: SetValues, name: Name, value: SetValues[Name]): void {
  if (value) set[name] = value;
  else delete set[name];
}

const sorted = (one: Said): Said => ({ ...one, tags: one.tags.toSorted() });

const reportedIn = (given: File, tool?: string) =>
  Object.entries(given).flatMap(([id, each]) => {
    const { opens, tags, subject, day, team } = each ?? {};
    const record = {
      ...{ id: Number(id), subject, sent_at: `2024-01-0${day}` },
      ...(opens !== undefined && { unique_opens: opens }),
      ...(team !== undefined && { organization_team: team }),
      ...(tags && { tags: tags.map((name) => ({ name, color: "#112233" })) }),
    };
    const { reported } = parseReportedCampaign(record, "UTC");
    return reported ? [{ ...reported, origin: tool === undefined ? undefined : { tool, id } }] : [];
  });

/** The organization, through the functions that pages and commands call. */
class Real {
  readonly #world: World;
  readonly #organization: Organization;

  constructor(world: World, organization: Organization) {
    this.#world = world;
    this.#organization = organization;
  }

  write<Result>(work: (queries: Queries, organization: Organization) => Promise<Result>): Promise<Result> {
    return this.#world.database.transaction(async (queries) => {
      const organization = await lockOrganization(new Scope(queries, this.#organization.id));
      return work(queries, organization as Organization);
    });
  }

  /** The first row is a part of its own. */
  async import(
    given: File,
    { now, expiresAt, tool, replaces = true }: SayOptions & { expiresAt: number },
  ): Promise<number> {
    const rows = reportedIn(given, tool).map((reported) => ({ where: "file", reported }));
    let imported = await this.write(async (queries, { id }) => {
      const upload = { createdAt: now, expiresAt, createdBy: "ann", fileName: "f", bytes: 0 };
      const scope = new Scope(queries, id);
      const importId = await addImport(scope, upload);
      await saveImport(scope, importId, { task: { replaces } });
      return (await findImport(scope, importId)) as StoredImport;
    });
    for (const part of [rows.slice(0, 1), rows.slice(1)]) {
      imported = await this.write((queries, organization) =>
        importRows(new Scope(queries, organization.id), organization, imported, part, now),
      );
    }
    await this.write((queries, { id }) => finishImport(new Scope(queries, id), imported, now));
    return imported.id;
  }

  async edit(edited: readonly number[], wanted: Edit, { at: now, isRule }: Author): Promise<number> {
    const id = await this.write(async (queries, { id: organizationId }) => {
      const scope = new Scope(queries, organizationId);
      const edit: CampaignsEdit = "team" in wanted || "deletes" in wanted ? { ...wanted } : {};
      if ("add" in wanted) edit.add = await this.tag(scope, wanted.add);
      if ("remove" in wanted) edit.remove = await this.tag(scope, wanted.remove);
      if (isRule) edit.author = { by: "subject: a", isRule };
      return startEdit(scope, { ids: edited, edit, actor: "ann" }, now);
    });
    const next = () =>
      this.write((queries, organization) =>
        continueImport(new Scope(queries, organization.id), organization, { id, now }),
      );
    for (let part = await next(); part === "more"; part = await next());
    return id;
  }

  /** The tag with a name, which is added if there is none. */
  async tag(scope: Scope, name: string) {
    const known = (await listTags(scope)).find((each) => each.name === name);
    return known ?? addTag(scope, { name, color: "#112233" });
  }

  correct(
    id: number,
    { team: organization_team, ...given }: Wanted,
    { now, reset }: { now: number; reset?: "subject" | "team" | "tags" },
  ): Promise<unknown> {
    return this.write(async (queries, organization) => {
      const [stored] = await findCampaigns(new Scope(queries, organization.id), [id]);
      const details = detailsOf(stored as StoredCampaign);
      const input = { ...given, ...(organization_team !== undefined && { team: organization_team }) };
      return correctCampaign(new Scope(queries, organization.id), organization, {
        ...{ id, details, input, now, reset },
        actor: "ann",
      });
    });
  }

  async state() {
    const { id } = this.#organization;
    return this.#world.database.snapshot(async (queries) => {
      const scope = new Scope(queries, id);
      const stored = await findCampaigns(scope, await findCampaignIds(scope));
      const shown = stored.map(({ campaign, numbers, tags, origin, corrections }) => {
        const { id: key, subject, sentAt, team } = campaign;
        const { unique_opens: opens } = ("reported" in numbers && numbers.reported) || {};
        const day = new Date(sentAt).getUTCDate();
        const said = sorted({ subject, day, opens: opens ?? 0, team, tags: tags.map(({ name }) => name) });
        return [
          key,
          { ...said, origin: origin && `${origin.tool} ${origin.id}`, by: authorsIn(corrections) },
        ];
      });
      return {
        campaigns: Object.fromEntries(shown),
        tags: (await listTags(scope)).map(({ name }) => name).sort(),
        hasSample: (await findSampleImport(scope)) !== undefined,
      };
    });
  }

  /** All that is stored of campaigns, and what readers see. */
  dump(): Promise<string[]> {
    const { id } = this.#organization;
    return this.#world.database.snapshot(async (queries) => {
      const live = new Set((await listTags(new Scope(queries, id))).map((each) => each.id));
      const texts: string[] = [];
      for (const table of ["campaigns", "campaign_tags", "emails", "sums", "tags", "rules"]) {
        const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(table)}
          where organization_id = ${id}`.execute(queries);
        for (const { updated_at: _, corrections, ...row } of rows) {
          const { tags: set, ...others } = JSON.parse(String(corrections ?? "{}")) as Corrections;
          // Saving a campaign drops what a file said of a deleted tag.
          const said = set?.said.filter((each) => live.has(each));
          texts.push(`${table} ${JSON.stringify([row, others, set && { ...set, said }])}`);
        }
      }
      texts.sort();
      return texts;
    });
  }
}

const authorsIn = ({ subject, team, tags }: Corrections) =>
  Object.fromEntries(
    Object.entries({ subject, team, tags }).flatMap(([field, author]) =>
      author ? [[field, `${author.at}${author.isRule ? " by rule" : ""}`]] : [],
    ),
  );

test("undoing imports and edits in any order equals a model that keeps what each said", async (t) => {
  const world = await makeWorld(t);
  const done = new Map<string, number>();
  const sequence = fc.asyncProperty(histories, async ({ startsWithSample, steps }) => {
    const { organization } = await world.addOrganization();
    const [model, real] = [new Model(), new Real(world, organization)];
    /** The ids of imports and edits that can be undone, and when they expire. */
    const live = new Map<number, number>();
    /** What was stored before those after which nothing else was done, the newest last. */
    let before: { id: number; dump: string[] }[] = [];
    let now = world.clock.now;
    const changes = (id: number, dump: string[], expiresAt = now + importLifetimeMs) => {
      live.set(id, expiresAt);
      before.push({ id, dump });
    };
    const importAs = async (given: File, options: Omit<SayOptions, "now">, expiresAt?: number) => {
      const dump = await real.dump();
      const expires = { now, expiresAt: expiresAt ?? now + importLifetimeMs };
      const id = await real.import(given, { ...options, ...expires });
      changes(id, dump, expiresAt);
      model.say(id, given, { ...options, now });
      return id;
    };
    if (startsWithSample) {
      const one = { subject: "Sample", day: 1, opens: 1, tags: ["T"] };
      model.sample = await importAs({ 1: one, 2: one }, {}, neverExpires);
    }
    for (const each of steps) {
      now += 1_000;
      const count = (what: string) => done.set(what, (done.get(what) ?? 0) + 1);
      const [id] = [...live.keys()].slice("which" in each ? each.which % Math.max(1, live.size) : 0);
      const campaignId = "which" in each ? model.pick(each.which) : undefined;
      const campaign = model.campaigns.get(campaignId ?? 0);
      const tag = "tag" in each ? each.tag : "";
      if (each.name === "import") await importAs(each.file, each);
      if (each.name === "undo" && id !== undefined) {
        const undone = await undoImport(world.database, organization.id, { id, actor: "ann", now });
        assert.deepEqual(undone, model.edits.has(id) ? model.undoEdit(id) : model.undo(id));
        live.delete(id);
        const last = before.pop();
        if (last?.id === id) assert.deepEqual(await real.dump(), last.dump, "every byte");
        else before = [];
        // Deleting ended the histories of its imports.
        if (model.edits.get(id)?.deleted.length) before = [];
        count(last?.id === id ? "undone at once" : "undone later");
      }
      if (each.name === "expire" && id !== undefined && live.get(id) !== neverExpires) {
        const until = (live.get(id) as number) + 1;
        while (
          await real.write((queries) => deleteExpiredImport(new Scope(queries, organization.id), until))
        );
        const expired = [...live].filter(([, expiresAt]) => expiresAt < until);
        for (const [one] of expired) {
          model.expire(one);
          live.delete(one);
        }
      }
      if (each.name === "command") {
        await world.save(organization, reportedIn(each.file));
        model.say("others", each.file, { now: world.clock.now });
      }
      if (each.name === "correct" && campaign) {
        await real.correct(campaignId as number, each.set, { now });
        model.set(campaign, each.set, { at: now, isRule: false });
      }
      if (each.name === "reset" && campaign) {
        const { subject, team, tags } = top(campaign).said;
        await real.correct(campaignId as number, { subject }, { now, reset: "subject" });
        await real.correct(campaignId as number, { team }, { now, reset: "team" });
        await real.correct(campaignId as number, { tags }, { now, reset: "tags" });
        campaign.set = {};
      }
      if (each.name === "delete" && campaign) {
        await real.write((queries) =>
          removeCampaign(new Scope(queries, organization.id), campaignId as number, now),
        );
        model.campaigns.delete(campaignId as number);
      }
      if (each.name === "edit" && !("remove" in each.edit && !model.tags.has(each.edit.remove))) {
        const all = [...model.campaigns.keys()].sort((a, b) => a - b);
        const edited = all.filter((_, index) => each.some[index % each.some.length]);
        const author = { at: now, isRule: each.isRule };
        if ("add" in each.edit && !model.tags.has(each.edit.add)) {
          const { add } = each.edit;
          await real.write((queries) => real.tag(new Scope(queries, organization.id), add));
          model.tags.set(add, new Set());
          before = [];
        }
        const dump = await real.dump();
        const editId = await real.edit(edited, each.edit, author);
        changes(editId, dump);
        model.edit(editId, edited, each.edit, author);
        count(`edit ${Object.keys(each.edit)[0]}`);
      }
      if (each.name === "add rule") {
        const { field, text, edit } = each.rule;
        await real.write(async (queries, { id: organizationId }) => {
          const scope = new Scope(queries, organizationId);
          const tagId = "add" in edit ? (await real.tag(scope, edit.add)).id : null;
          const more = { tagId, team: "team" in edit ? edit.team : null };
          await addRule(scope, { id: now, createdAt: now, field, text, ...more });
        });
        model.rules.push(each.rule);
        if ("add" in edit && !model.tags.has(edit.add)) model.tags.set(edit.add, new Set());
      }
      if (each.name === "delete rule") {
        const index = each.which % Math.max(1, model.rules.length);
        await real.write(async (queries, { id: organizationId }) => {
          const scope = new Scope(queries, organizationId);
          const { id: ruleId } = (await listRules(scope))[index] ?? {};
          return deleteRule(scope, ruleId ?? 0);
        });
        model.rules.splice(index, 1);
      }
      if (each.name === "delete tag" && model.tags.has(tag)) {
        await real.write(async (queries, locked) => {
          const stored = (await listTags(new Scope(queries, locked.id))).find(({ name }) => name === tag);
          return removeTag(new Scope(queries, locked.id), { id: stored?.id ?? 0, now, actor: "test" });
        });
        model.removeTag(tag);
      }
      if (!["import", "edit", "undo"].includes(each.name)) before = [];
      count(each.name);
      assert.deepEqual(await real.state(), model.state());
    }
  });
  // PostgreSQL takes longer, and only the storage differs there.
  const [given, full] = process.env.TEST_DATABASE_URL ? [examples.slice(-3), 300] : [examples, 2_000];
  await fc.assert(sequence, { numRuns: given.length + randomCases(12, full), examples: given });
  report(JSON.stringify(Object.fromEntries(done)));
});

sqliteTest("undoes imports of more campaigns than one statement takes", async (t) => {
  const { world, organization } = await makeAcme(t);
  const real = new Real(world, organization);
  const { now } = world.clock;
  const some = Array.from({ length: rowsPerStatement + 1 }, (_, index) => index + 1);
  const importOf = (opens: number) => {
    const each = { subject: "A", day: 1, opens, tags: ["T"] };
    const expiresAt = now + importLifetimeMs;
    return real.import(Object.fromEntries(some.map((id) => [id, each])), { now, expiresAt });
  };
  const imports = [await importOf(1), await importOf(2), await importOf(3)];
  const undo = (index: number) =>
    undoImport(world.database, organization.id, { id: imports[index] as number, actor: "ann", now });
  const all = some.length;
  assert.deepEqual(await undo(0), { removed: 0, restored: 0, kept: all });
  assert.deepEqual(await undo(2), { removed: 0, restored: all, kept: 0 });
  const campaigns: Record<string, Pick<Said, "opens">> = (await real.state()).campaigns;
  const expected = some.map(() => 2);
  assert.deepEqual(pick(Object.values(campaigns), "opens"), expected);
  assert.deepEqual(await undo(1), { removed: all, restored: 0, kept: 0 });
  assert.deepEqual(await real.state(), { campaigns: {}, tags: [], hasSample: false });
});
