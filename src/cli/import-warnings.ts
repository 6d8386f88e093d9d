// What an import took, but what may not be what was meant.

import { counted } from "./output.ts";

const fieldsWarnedMax = 50;

/** Counted over all records, told once. */
export class Warnings {
  readonly #unknownFields = new Map<string, number>();
  readonly #nullFields = new Map<string, number>();
  readonly #ratesAboveOne = new Map<string, number>();
  readonly #notices: string[] = [];

  add(reading: { unknownFields: string[]; nullFields: string[]; ratesAboveOne: string[] }): void {
    const count = (map: Map<string, number>, names: string[]) => {
      for (const name of names) {
        if (map.has(name) || map.size < fieldsWarnedMax) map.set(name, (map.get(name) ?? 0) + 1);
      }
    };
    count(this.#unknownFields, reading.unknownFields);
    count(this.#nullFields, reading.nullFields);
    count(this.#ratesAboveOne, reading.ratesAboveOne);
  }

  addNotice(sentence: string): void {
    this.#notices.push(sentence);
  }

  sentences(): string[] {
    const all = (map: Map<string, number>, sentence: (name: string, records: string) => string) =>
      [...map].map(([name, count]) => sentence(name.slice(0, 100), counted(count, "record")));
    const fieldsByCount = Map.groupBy(this.#nullFields, ([, count]) => count);
    return [
      ...this.#notices,
      ...all(
        this.#unknownFields,
        (name, records) => `${name}: is no field of a record; left out of ${records}`,
      ),
      ...[...fieldsByCount].map(([count, fields]) => {
        const names = fields.map(([name]) => name).join(", ");
        return `no value in ${counted(count, "record")}: ${names}`;
      }),
      ...all(
        this.#ratesAboveOne,
        (name, records) => `${name}: is above 1 in ${records}; is it a percentage?`,
      ),
    ];
  }
}
