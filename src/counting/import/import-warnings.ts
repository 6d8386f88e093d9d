// Warnings of an import: what was accepted but may not be what the user meant.

import type { Campaign } from "../../campaign/campaign.ts";
import { pluralize } from "../../campaign/fields/pluralize.ts";
import { quote, truncate } from "../../campaign/fields/quote.ts";
import type { ImportField } from "../../campaign/reported-campaign.ts";
import { largestRate } from "../../campaign/reported-campaign.ts";
import { isGeneratedId } from "./mapping/generated-id.ts";

const maxFieldsWarned = 50;

/** Counts each warning over all records, so that it is printed once. */
export class Warnings {
  readonly #unknownFields = new Map<string, number>();
  readonly #nullFields = new Map<string, number>();
  readonly #emptiedFields = new Map<string, number>();
  readonly #tooLargeRates = new Map<ImportField, number>();
  readonly #contradictedRates = new Map<ImportField, number>();
  /** The campaigns of the first ones. */
  readonly #firstContradicted = new Map<ImportField, string>();
  readonly #notices: string[] = [];
  #replaced = 0;
  #firstReplaced = "";
  /** Records whose campaign an earlier record has, with the same content. */
  repeated = 0;

  add(reading: { unknownFields: string[]; nullFields: string[]; tooLargeRates: ImportField[] }): void {
    count(this.#unknownFields, reading.unknownFields);
    count(this.#nullFields, reading.nullFields);
    count(this.#tooLargeRates, reading.tooLargeRates);
  }

  /** @param rates of a record that differ from those of its counts */
  addContradictedRates(rates: readonly ImportField[], { id, subject }: Campaign): void {
    count(this.#contradictedRates, rates);
    for (const name of rates) {
      // A generated id is not in the file.
      const first = isGeneratedId(id) ? quote(subject) : `campaign ${id}, ${quote(subject)}`;
      if (!this.#firstContradicted.has(name)) this.#firstContradicted.set(name, first);
    }
  }

  /** @param fields that had a value in the stored campaign and have none in its new record */
  addEmptied(fields: string[]): void {
    count(this.#emptiedFields, fields);
  }

  /** @param before seems to be another campaign, with the same id */
  addReplaced(before: Campaign, after: Campaign): void {
    this.#replaced += 1;
    this.#firstReplaced ||= `campaign ${after.id}, ${quote(before.subject)} of ${dayOf(before)}, is ${quote(after.subject)} of ${dayOf(after)}`;
  }

  addNotice(sentence: string): void {
    this.#notices.push(sentence);
  }

  sentences(): string[] {
    const forEach = <Name extends string>(
      fields: Map<Name, number>,
      sentence: (name: Name, records: string) => string,
    ) => [...fields].map(([name, records]) => sentence(name, pluralize(records, "record")));
    return [
      ...this.#notices,
      ...(this.repeated > 0
        ? [`${pluralize(this.repeated, "record")} left out: the same as an earlier one`]
        : []),
      ...(this.#replaced > 0
        ? [
            `${pluralize(this.#replaced, "campaign")} replaced by another subject of another day, first: ${this.#firstReplaced}`,
          ]
        : []),
      ...forEach(
        this.#unknownFields,
        (name, records) => `${truncate(name)}: unknown field, ignored in ${records}`,
      ),
      ...grouped(this.#nullFields, (records) => `no value in ${records}`),
      ...grouped(this.#emptiedFields, (records) => `value removed from ${records}`),
      ...forEach(this.#tooLargeRates, (name, records) =>
        largestRate(name) === 1
          ? `${name}: greater than 1 in ${records}; a rate is a fraction, not a percentage`
          : `${name}: greater than 100 in ${records}; it is a percentage`,
      ),
      ...forEach(this.#contradictedRates, (name, records) => {
        const first = this.#firstContradicted.get(name);
        if (name === "sent") return `sent: not delivered + bounced in ${records}, first in ${first}`;
        return `${name}: not the rate of the counts in ${records}, first in ${first}; the API returns it, pages show that of the counts`;
      }),
    ];
  }
}

const dayOf = ({ sentAt }: Campaign) => new Date(sentAt).toISOString().slice(0, 10);

function count<Name extends string>(fields: Map<Name, number>, names: readonly Name[]): void {
  for (const name of names) {
    if (fields.has(name) || fields.size < maxFieldsWarned) fields.set(name, (fields.get(name) ?? 0) + 1);
  }
}

/** One sentence for all fields that the same number of records concerns. */
function grouped(fields: Map<string, number>, sentence: (records: string) => string): string[] {
  const byCount = Map.groupBy(fields, ([, records]) => records);
  return [...byCount].map(([records, group]) => {
    const names = group.map(([name]) => name).join(", ");
    return `${sentence(pluralize(records, "record"))}: ${names}`;
  });
}
