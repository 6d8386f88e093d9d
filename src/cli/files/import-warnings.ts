// What an import took, but what may not be what was meant.

import { counted } from "../output.ts";

const fieldsWarnedMax = 50;

/** Counted over all records, told once. */
export class Warnings {
  readonly #unknownFields = new Map<string, number>();
  readonly #nullFields = new Map<string, number>();
  readonly #emptiedFields = new Map<string, number>();
  readonly #ratesAboveOne = new Map<string, number>();
  readonly #notices: string[] = [];

  add(reading: { unknownFields: string[]; nullFields: string[]; ratesAboveOne: string[] }): void {
    count(this.#unknownFields, reading.unknownFields);
    count(this.#nullFields, reading.nullFields);
    count(this.#ratesAboveOne, reading.ratesAboveOne);
  }

  /** @param fields that a campaign had, and that its new record leaves empty */
  addEmptied(fields: string[]): void {
    count(this.#emptiedFields, fields);
  }

  addNotice(sentence: string): void {
    this.#notices.push(sentence);
  }

  sentences(): string[] {
    const all = (map: Map<string, number>, sentence: (name: string, records: string) => string) =>
      [...map].map(([name, count]) => sentence(name.slice(0, 100), counted(count, "record")));
    return [
      ...this.#notices,
      ...all(
        this.#unknownFields,
        (name, records) => `${name}: is no field of a record; left out of ${records}`,
      ),
      ...together(this.#nullFields, (records) => `no value in ${records}`),
      ...together(this.#emptiedFields, (records) => `no value any more in ${records} that had one`),
      ...all(
        this.#ratesAboveOne,
        (name, records) => `${name}: is above 1 in ${records}; is it a percentage?`,
      ),
    ];
  }
}

function count(map: Map<string, number>, names: readonly string[]): void {
  for (const name of names) {
    if (map.has(name) || map.size < fieldsWarnedMax) map.set(name, (map.get(name) ?? 0) + 1);
  }
}

/** A sentence for all fields that are told of as many records. */
function together(fields: Map<string, number>, sentence: (records: string) => string): string[] {
  const byCount = Map.groupBy(fields, ([, records]) => records);
  return [...byCount].map(([records, some]) => {
    const names = some.map(([name]) => name).join(", ");
    return `${sentence(counted(records, "record"))}: ${names}`;
  });
}
