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
}

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

/** What people have set: it wins over all that is said, before and after. */
interface SetValues {
  subject?: string;
  recipients?: number;
  sentAt?: number;
  tags: Map<ModelTag, "added" | "removed">;
}

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

  /** What was said last. */
  said(id: number): Content | undefined {
    return this.slots.get(id)?.layers.at(-1)?.content;
  }

  /** The same with what people have set. What was counted is shared; all else is changed by {@link change}. */
  current(id: number): Content | undefined {
    const said = this.said(id);
    const { subject, recipients, sentAt, tags } = this.slotOf(id).set;
    if (!said) return undefined;
    const shown = Object.assign(Object.create(said), {
      sentAt: sentAt ?? said.sentAt,
      tags: [...said.tags.filter((tag) => tags.get(tag) !== "removed"), ...tags.keys()].filter(
        (tag, index, all) => tags.get(tag) !== "removed" && all.indexOf(tag) === index,
      ),
    }) as Content;
    if (said.kind === "counted" && shown.kind === "counted") {
      const values = {
        ...(subject !== undefined && { subject }),
        ...(recipients !== undefined && { recipient_count: recipients }),
      };
      shown.fields = { ...said.fields, ...values };
    } else if (said.kind === "reported" && shown.kind === "reported") {
      shown.subject = subject ?? said.subject;
      shown.values = { ...said.values, ...(recipients !== undefined && { recipient_count: recipients }) };
    }
    return shown;
  }

  /** A person sets a value. The same as it was said is none. */
  set(id: number, now: number, change: Partial<Omit<SetValues, "tags">> & { tags?: ModelTag[] }): void {
    const [said, shown] = [this.said(id), this.current(id)];
    const { set } = this.slotOf(id);
    if (!said || !shown) throw new Error(`the model has no campaign ${id}`);
    const valuesOf = (content: Content) => ({
      subject: content.kind === "counted" ? content.fields.subject : content.subject,
      recipients: (content.kind === "counted"
        ? content.fields.recipient_count
        : content.values.recipient_count) as number,
      sentAt: content.sentAt,
    });
    for (const name of ["subject", "recipients", "sentAt"] as const) {
      const value = change[name];
      if (value === undefined || value === valuesOf(shown)[name]) continue;
      if (value === valuesOf(said)[name]) delete set[name];
      else Object.assign(set, { [name]: value });
    }
    if (change.tags) this.#setTags(set, said.tags, { before: shown.tags, after: change.tags });
    this.#follow(id, shown, shown.sentAt, now);
  }

  #setTags(
    set: SetValues,
    said: ModelTag[],
    { before, after }: { before: ModelTag[]; after: ModelTag[] },
  ): void {
    const isSame = (some: ModelTag[]) =>
      some.length === after.length && some.every((tag) => after.includes(tag));
    if (isSame(before)) return;
    for (const tag of this.tags) {
      if (after.includes(tag) && !said.includes(tag)) set.tags.set(tag, "added");
      else if (after.includes(tag) && set.tags.get(tag) === "removed") set.tags.delete(tag);
      else if (!after.includes(tag) && (before.includes(tag) || set.tags.get(tag) === "removed"))
        set.tags.set(tag, "removed");
    }
    if (isSame(said)) set.tags.clear();
  }

  slotOf(id: number): Slot {
    const slot = this.slots.get(id) ?? {
      layers: [],
      set: { tags: new Map() },
      existence: 0,
      isPublished: false,
    };
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
  /** Changes what was said. */
  change(id: number, now: number, work: (said: Content) => void): void {
    const [said, shown] = [this.said(id), this.current(id)];
    if (!said || !shown) throw new Error(`the model has no campaign ${id}`);
    work(said);
    this.#follow(id, shown, shown.sentAt, now);
  }
  unsay(file: ModelImport, now: number): void {
    for (const [id, slot] of this.slots) {
      const [before, said] = [this.current(id), this.said(id)];
      slot.layers = slot.layers.filter(({ by }) => by !== file);
      if (this.said(id) !== said) this.#follow(id, before, before?.sentAt, now);
    }
  }

  #follow(id: number, before: Content | undefined, sentAt: number | undefined, now: number): void {
    const slot = this.slotOf(id);
    const after = this.current(id);
    if (!after) {
      slot.isPublished = false;
      slot.set = { tags: new Map() };
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

  close(id: number, now: number): void {
    const final = this.#countedMetrics(this.current(id) as Counted);
    this.change(id, now, (said) => Object.assign(said, { final }));
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
    for (const [id] of this.campaigns()) {
      const content = this.said(id) as Content;
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

  renameTag(tag: ModelTag, name: string): void {
    tag.name = name;
    tag.isImported = false;
  }

  deleteTag(tag: ModelTag): void {
    this.tags = this.tags.filter((each) => each !== tag);
    for (const { layers, set } of this.slots.values()) {
      set.tags.delete(tag);
      for (const { content } of layers)
        if (content) content.tags = content.tags.filter((each) => each !== tag);
    }
  }
}
