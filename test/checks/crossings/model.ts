// A plain model of an organization: what its campaigns are, and what was counted in each. It shares no code with the program
// but the oracle's, which has none.

import {
  expectedMetrics,
  type PutCampaign,
  type ReceivedEvent,
  type SentEvent,
} from "../../support/oracle.ts";
import type { ModelImport } from "./model-imports.ts";

export const minuteMs = 60_000;
export const dayMs = 24 * 60 * minuteMs;

export interface ModelTag {
  name: string;
  /** Undefined if the service chose it. */
  color: string | undefined;
  /** Whether only imports named it. */
  isImported: boolean;
}

/** Of events: the key of the organization, its email provider, or a tracked message. */
export type Sender = "key" | "webhook" | "tracked";

/** A registration whose numbers come from events. */
export interface Counted {
  kind: "counted";
  /** No other registration has it, even one with the same id. */
  serial: number;
  fields: Omit<PutCampaign, "tags" | "sent_at">;
  sentAt: number;
  tags: ModelTag[];
  counted: ReceivedEvent[];
  /** Who may send events if recipients have no names, and who sent some while they had. */
  senders: Set<Sender>;
  listed: Set<string>;
  forgotten: Set<string>;
  /** The numbers at the time when it was closed. */
  final: Record<string, number> | undefined;
  /** What the sender says; the other fields have what people have set. */
  said: Shown;
}

/** The fields that people set. */
export interface Shown {
  subject: string;
  recipient_count: number;
  sentAt: number;
  tags: ModelTag[];
}

/** What people have set of a campaign: it wins over what imports and senders say. */
interface SetValues extends Partial<Omit<Shown, "tags">> {
  tags: Map<ModelTag, "added" | "removed">;
}

const setFields = ["subject", "recipient_count", "sentAt"] as const;

/** What an import says. */
export interface Reported {
  kind: "reported";
  subject: string;
  sentAt: number;
  /** The other fields of its record that are compared. */
  values: Record<string, unknown>;
  tags: ModelTag[];
}

export type Content = Counted | Reported;

/** One thing that was said of a campaign; without content that it is deleted. */
interface Layer {
  /** Undefined if it was said by hand or by a sender: nothing undoes it. */
  by: ModelImport | undefined;
  content: Content | undefined;
}

/** All that was said under one id, the last on top. */
interface Slot {
  layers: Layer[];
  set: SetValues;
  /** Each time in which the id has a campaign has its own number. */
  existence: number;
  isPublished: boolean;
}

interface WaitingEvent extends ReceivedEvent {
  sender: Sender;
}

/** Whether a campaign takes events and changes from a sender. */
export const isSender = ({ fields, senders }: Counted, sender: Sender): boolean =>
  sender === "tracked" || fields.tracking_type === "Individual" || senders.has(sender);

/** Numbers that are never used again, also by a model that is restored. */
let lastNumber = 0;
export const newNumber = () => ++lastNumber;

export class Model {
  timeZone = "UTC";
  traffic: "people" | "all" = "people";
  persons: "allow" | "refuse" = "allow";
  tags: ModelTag[] = [];
  /** By the names that they had before. */
  readonly #renamed = new Map<string, ModelTag>();
  imports: ModelImport[] = [];
  /** The quarantine. */
  waiting: WaitingEvent[] = [];
  minAnswers = 5;
  /** Ids and external ids of deleted campaigns whose recipients had no names. */
  readonly namelessReferences = new Set<number | string>();
  readonly slots = new Map<number, Slot>();
  /** Ids that had a campaign. */
  readonly usedIds = new Set<number>();

  /** The campaign that an event names, by its id or by its external id. */
  #idOf(reference: number | string): number | undefined {
    if (typeof reference === "number") return reference;
    const has = ([, content]: [number, Content]) =>
      content.kind === "counted" && content.fields.external_id === reference;
    return this.campaigns().find(has)?.[0];
  }

  current(id: number): Content | undefined {
    const slot = this.slots.get(id);
    const said = slot?.layers.at(-1)?.content;
    if (!slot || said?.kind !== "reported") return said;
    const { subject, sentAt, tags, recipient_count } = withSet(slot.set, shownOf(said));
    return { ...said, subject, sentAt, tags, values: { ...said.values, recipient_count } };
  }

  /** What the last import says of a campaign, or its sender. */
  said(id: number): Shown | undefined {
    const content = this.slots.get(id)?.layers.at(-1)?.content;
    return content?.kind === "counted" ? content.said : content && shownOf(content);
  }

  /** A person sets values. One that is as the file or the sender says is set no more. */
  correct(id: number, wanted: Partial<Shown>, now: number): void {
    const [slot, content] = [this.slotOf(id), this.current(id) as Content];
    const said = this.said(id) as Shown;
    const shown = shownOf(content);
    for (const name of setFields) {
      const value = wanted[name];
      if (value === undefined || value === shown[name]) continue;
      if (value === said[name]) delete slot.set[name];
      else Object.assign(slot.set, { [name]: value });
    }
    if (wanted.tags) correctTags(slot.set.tags, wanted.tags, { said: said.tags, shown: shown.tags });
    if (content.kind === "counted") this.sayCounted(id, content, said, now);
    else this.#follow(id, content, shown.sentAt, now);
  }

  /** A sender says something else of a counted campaign. */
  sayCounted(id: number, content: Counted, said: Shown, now: number): void {
    this.change(id, now, () => {
      content.said = said;
      const { subject, recipient_count, sentAt, tags } = withSet(this.slotOf(id).set, said);
      Object.assign(content.fields, { subject, recipient_count });
      Object.assign(content, { sentAt, tags });
    });
  }

  slotOf(id: number): Slot {
    const slot = this.slots.get(id) ?? { layers: [], set: nothingSet(), existence: 0, isPublished: false };
    this.slots.set(id, slot);
    return slot;
  }

  /** All campaigns, also scheduled ones. */
  campaigns(): [number, Content][] {
    return [...this.slots.keys()].flatMap((id) => {
      const content = this.current(id);
      return content ? [[id, content] as [number, Content]] : [];
    });
  }

  /** What readers see, newest first. */
  published(): [number, Content][] {
    const shown = this.campaigns().filter(([id]) => this.slots.get(id)?.isPublished);
    return shown.sort(([a, one], [b, other]) => other.sentAt - one.sentAt || b - a);
  }

  /** Puts a layer on top. What was said by hand replaces what was said by hand just before. */
  say(id: number, content: Content | undefined, now: number, by?: ModelImport): void {
    const slot = this.slotOf(id);
    const before = this.current(id);
    const top = slot.layers.at(-1);
    if (!by && top && !top.by) top.content = content;
    else slot.layers.push({ by, content });
    this.#follow(id, before, before?.sentAt, now);
  }
  change(id: number, now: number, work: (content: Content) => void): void {
    const content = this.current(id);
    if (!content) throw new Error(`the model has no campaign ${id}`);
    const { sentAt } = content;
    work(content);
    this.#follow(id, content, sentAt, now);
  }
  unsay(file: ModelImport, now: number): void {
    for (const [id, slot] of this.slots) {
      const before = this.current(id);
      slot.layers = slot.layers.filter(({ by }) => by !== file);
      if (this.current(id) !== before) this.#follow(id, before, before?.sentAt, now);
    }
  }

  #follow(id: number, before: Content | undefined, sentAt: number | undefined, now: number): void {
    const slot = this.slotOf(id);
    const after = this.current(id);
    if (!after) {
      slot.isPublished = false;
      slot.set = nothingSet();
      return;
    }
    this.usedIds.add(id);
    if (!before) slot.existence = newNumber();
    const stays = before !== undefined && sentAt === after.sentAt && slot.isPublished;
    slot.isPublished = stays || after.sentAt <= now;
  }

  /** Scheduled campaigns whose time has come. */
  publishDue(now: number): void {
    for (const [id, slot] of this.slots) {
      const content = this.current(id);
      if (content && content.sentAt <= now) slot.isPublished = true;
    }
  }

  /**
   * @param from.serial of the registration that a tracked message belongs to
   * @returns whether the event is counted, or waits until it can be
   */
  receive(event: SentEvent, now: number, { sender, serial }: { sender: Sender; serial?: number }): boolean {
    const content = this.current(this.#idOf(event.campaign_id) ?? 0);
    if (serial !== undefined && (content?.kind !== "counted" || content.serial !== serial)) return false;
    const received = { event, now, sender };
    return content?.kind === "counted" ? this.#count(content, received) : this.#wait(received);
  }

  #count(content: Counted, received: WaitingEvent): boolean {
    const { event, now, sender } = received;
    if (content.final || content.forgotten.has(event.recipient)) return false;
    if (!isSender(content, sender)) return this.#wait(received);
    const told = Date.parse(event.at);
    const at = told > now + 5 * minuteMs ? now : told;
    if (at < content.sentAt - 10 * minuteMs) return this.#wait(received);
    if (content.counted.some((each) => each.event.id === event.id)) return true;
    content.counted.push({ event, now });
    content.senders.add(sender);
    return true;
  }

  #wait(received: WaitingEvent): true {
    const { id, campaign_id } = received.event;
    const isThere = this.waiting.some(({ event }) => event.id === id && event.campaign_id === campaign_id);
    if (!isThere) this.waiting.push(received);
    return true;
  }

  /** Counts what waits, of one campaign or of all. */
  replay(id?: number): void {
    const due = this.waiting.filter(({ event }) => id === undefined || this.#idOf(event.campaign_id) === id);
    this.waiting = this.waiting.filter((each) => !due.includes(each));
    for (const { event, now, sender } of due) this.receive(event, now, { sender });
  }

  forgetWaiting(id: number): void {
    this.waiting = this.waiting.filter(({ event }) => this.#idOf(event.campaign_id) !== id);
  }

  close(content: Counted): void {
    content.final = this.#countedMetrics(content);
  }
  remove(id: number, now: number): void {
    const content = this.current(id);
    if (content?.kind === "counted") this.#forgetCounted(id, content);
    this.say(id, undefined, now);
  }

  #forgetCounted(id: number, { fields }: Counted): void {
    this.forgetWaiting(id);
    if (fields.tracking_type === "Individual") return;
    this.namelessReferences.add(id);
    if (fields.external_id !== undefined) this.namelessReferences.add(fields.external_id);
  }

  /** The counted numbers of its record. Without names answers wait for others, so the model leaves them out. */
  metricsOf(content: Counted): Record<string, number> {
    const hasNames = content.fields.tracking_type === "Individual" && this.persons === "allow";
    const metrics = Object.entries(content.final ?? this.#countedMetrics(content));
    return Object.fromEntries(metrics.filter(([name]) => hasNames || !/^(enps|survey)_/.test(name)));
  }

  #countedMetrics(content: Counted): Record<string, number> {
    // Test sends were left out when they arrived.
    const campaign = { ...content.fields, tags: [], sent_at: new Date(0).toISOString() };
    const { enps_score_average: _, ...metrics } = expectedMetrics(campaign, content.counted, this.traffic);
    return metrics;
  }

  /** Upkeep removes names once persons are refused. */
  removeNames(): void {
    if (this.persons === "allow") return;
    for (const [, content] of this.campaigns()) {
      const isNamed = content.kind === "counted" && content.fields.tracking_type === "Individual";
      if (isNamed && !content.final) content.fields.tracking_type = "Anonymous";
    }
  }

  /** The tag with a name, which is added if there is none. */
  tag(name: string, isImported = false): ModelTag {
    const known = this.tags.find((tag) => tag.name === name);
    const tag = known ?? { name, color: undefined, isImported };
    if (!known) this.tags.push(tag);
    if (!isImported) tag.isImported = false;
    return tag;
  }

  /** The tag that a file or a sender names, which may not know that it was renamed. */
  saidTag(name: string, isImported = false): ModelTag {
    const renamed = this.#renamed.get(name);
    const isFormer = renamed && this.tags.includes(renamed) && !this.tags.some((tag) => tag.name === name);
    return isFormer ? renamed : this.tag(name, isImported);
  }

  renameTag(tag: ModelTag, name: string): void {
    this.#renamed.set(tag.name, tag);
    tag.name = name;
    tag.isImported = false;
  }

  deleteTag(tag: ModelTag): void {
    this.tags = this.tags.filter((each) => each !== tag);
    const without = (tags: readonly ModelTag[]) => tags.filter((each) => each !== tag);
    for (const { layers, set } of this.slots.values()) {
      set.tags.delete(tag);
      for (const { content } of layers) {
        if (content) content.tags = without(content.tags);
        if (content?.kind === "counted") content.said.tags = without(content.said.tags);
      }
    }
  }
}

const nothingSet = (): SetValues => ({ tags: new Map() });

export function shownOf(content: Content): Shown {
  const { sentAt, tags } = content;
  if (content.kind === "reported")
    return {
      ...{ subject: content.subject, sentAt, tags },
      recipient_count: content.values.recipient_count as number,
    };
  const { subject, recipient_count } = content.fields;
  return { subject, recipient_count, sentAt, tags };
}

function withSet({ tags, ...fields }: SetValues, said: Shown): Shown {
  const added = [...tags].flatMap(([tag, state]) => (state === "added" ? [tag] : []));
  const shown = [...new Set([...said.tags, ...added])].filter((tag) => tags.get(tag) !== "removed");
  return { ...said, ...fields, tags: shown };
}

function correctTags(
  states: SetValues["tags"],
  wanted: readonly ModelTag[],
  { said, shown }: { said: readonly ModelTag[]; shown: readonly ModelTag[] },
): void {
  const isSame = (a: readonly ModelTag[], b: readonly ModelTag[]) =>
    a.length === b.length && a.every((tag) => b.includes(tag));
  if (isSame(wanted, shown)) return;
  for (const tag of wanted) {
    if (!said.includes(tag)) states.set(tag, "added");
    else if (states.get(tag) === "removed") states.delete(tag);
  }
  for (const tag of shown) if (!wanted.includes(tag)) states.set(tag, "removed");
  if (isSame(wanted, said)) states.clear();
}
