// Sums over a span of time that slides over entries.

/**
 * Every entry is added once and never subtracted: the rest of a large number would hide small ones. The sums of the entries
 * before a middle are known from each of them on, those after it in total. When the span leaves the middle behind, its end
 * becomes the middle.
 */
export class SlidingSums {
  /** Numbers per entry. */
  readonly #width: number;
  /** Of each entry its time and its values. Grows as it fills. */
  #entries = new Float64Array(1_024);
  #size = 0;
  /** Entries: the first of the span, the middle, and the first after the span. */
  #first = 0;
  #middle = 0;
  #end = 0;
  /** From each entry before the middle up to it; the first ones belong to this entry. */
  #before = new Float64Array();
  #beforeFirst = 0;
  readonly #after: Float64Array;

  constructor(width: number) {
    this.#width = width;
    this.#after = new Float64Array(width);
  }

  /** @param time not earlier than that of the last entry */
  add(time: number, values: Float64Array): void {
    const start = this.#size * (this.#width + 1);
    if (start + this.#width >= this.#entries.length) {
      const grown = new Float64Array(2 * this.#entries.length);
      grown.set(this.#entries);
      this.#entries = grown;
    }
    this.#entries[start] = time;
    for (let index = 0; index < this.#width; index++) {
      this.#entries[start + 1 + index] = values[index] as number;
    }
    this.#size += 1;
  }

  #timeOf(entry: number): number {
    return this.#entries[entry * (this.#width + 1)] as number;
  }

  /**
   * Writes the sums of the entries in a span.
   *
   * @param from inclusive, as `until` not earlier than at the last call
   * @param until exclusive
   */
  sum(from: number, until: number, into: Float64Array): void {
    while (this.#end < this.#size && this.#timeOf(this.#end) < until) {
      this.#addTo(this.#after, 0, this.#end);
      this.#end += 1;
    }
    while (this.#first < this.#end && this.#timeOf(this.#first) < from) this.#first += 1;
    if (this.#first > this.#middle) this.#moveMiddle();
    const at = (this.#first - this.#beforeFirst) * this.#width;
    const isBefore = this.#first < this.#middle;
    for (let index = 0; index < this.#width; index++) {
      into[index] = (this.#after[index] as number) + (isBefore ? (this.#before[at + index] as number) : 0);
    }
  }

  #moveMiddle(): void {
    const [first, end, width] = [this.#first, this.#end, this.#width];
    const sums = new Float64Array((end - first) * width);
    for (let entry = end - 1; entry >= first; entry--) {
      const at = (entry - first) * width;
      if (entry < end - 1) sums.copyWithin(at, at + width, at + 2 * width);
      this.#addTo(sums, at, entry);
    }
    this.#before = sums;
    this.#beforeFirst = first;
    this.#middle = end;
    this.#after.fill(0);
  }

  #addTo(sums: Float64Array, at: number, entry: number): void {
    const start = entry * (this.#width + 1) + 1;
    for (let index = 0; index < this.#width; index++) {
      sums[at + index] = (sums[at + index] as number) + (this.#entries[start + index] as number);
    }
  }
}
