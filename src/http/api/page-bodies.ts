// Writes the bodies of pages into buffers that are used again: new ones would be external memory, of which many
// short-lived pieces make V8 collect garbage all the time, and a string would be copied twice more on its way to the socket.

/** Longer than most pages of 100 records. */
const bufferBytes = 128 * 1024;
/** A shorter body gets a buffer of its own length, which a slow client may keep. */
const minReusedLength = 32 * 1024;
const maxFree = 16;
/** UTF-8 takes at most this much per UTF-16 code unit. */
const maxBytesPerUnit = 3;

export class PageBodies {
  readonly #free: Buffer[] = [];
  /** By their memory. A body that is never released takes its buffer with it. */
  readonly #lent = new WeakMap<ArrayBufferLike, Buffer>();

  /** The texts joined with commas, between two others. Pass it to {@link release} once it was sent. */
  write(before: string, texts: readonly string[], after: string): Buffer {
    const length = texts.reduce((sum, text) => sum + text.length, 0);
    if (length < minReusedLength || length > bufferBytes) return Buffer.from(joinOf(before, texts, after));
    const buffer = this.#free.pop() ?? Buffer.allocUnsafeSlow(bufferBytes);
    const end = writeTexts(buffer, before, texts, after);
    if (end === undefined) {
      this.#free.push(buffer);
      return Buffer.from(joinOf(before, texts, after));
    }
    this.#lent.set(buffer.buffer, buffer);
    return buffer.subarray(0, end);
  }

  /** Lets another page use the memory of a body. Nothing may read the body afterwards. */
  release({ buffer: memory }: Buffer): void {
    const buffer = this.#lent.get(memory);
    if (!buffer) return;
    this.#lent.delete(memory);
    if (this.#free.length < maxFree) this.#free.push(buffer);
  }
}

function joinOf(before: string, texts: readonly string[], after: string): string {
  return `${before}${texts.join(",")}${after}`;
}

/** @returns the number of bytes, or undefined if they are too many */
function writeTexts(
  buffer: Buffer,
  before: string,
  texts: readonly string[],
  after: string,
): number | undefined {
  const comma = 0x2c;
  let end = buffer.write(before);
  for (const text of texts) {
    if (!fits(text, buffer, end + 1)) return undefined;
    end += buffer.write(text, end);
    buffer[end++] = comma;
  }
  if (texts.length > 0) end -= 1;
  return fits(after, buffer, end) ? end + buffer.write(after, end) : undefined;
}

function fits(text: string, { length }: Buffer, at: number): boolean {
  const left = length - at;
  return text.length * maxBytesPerUnit <= left || Buffer.byteLength(text) <= left;
}
