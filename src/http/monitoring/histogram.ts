// Counts values by fixed bounds, since the process began: whoever reads it twice can subtract, and any number of readers
// see the same.

export class Histogram {
  /** Ascending; a value that equals a bound is counted with those below it. */
  readonly bounds: readonly number[];
  /** Of each bound those values that lie above the one before it; at the end those above all bounds. */
  readonly counts: number[];
  sum = 0;

  constructor(bounds: readonly number[]) {
    this.bounds = bounds;
    this.counts = new Array<number>(bounds.length + 1).fill(0);
  }

  add(value: number): void {
    let place = 0;
    while (place < this.bounds.length && value > (this.bounds[place] as number)) place += 1;
    this.counts[place] = (this.counts[place] as number) + 1;
    this.sum += value;
  }
}
