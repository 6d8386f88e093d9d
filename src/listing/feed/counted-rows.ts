// Counts the rows of a download while they pass.

export class CountedRows {
  #count = 0;

  get count(): number {
    return this.#count;
  }

  async *of<Row>(batches: AsyncIterable<readonly Row[]>): AsyncGenerator<readonly Row[]> {
    for await (const rows of batches) {
      this.#count += rows.length;
      yield rows;
    }
  }
}
