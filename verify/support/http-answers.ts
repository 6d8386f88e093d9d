// Parses the HTTP responses that arrive on one connection, in order (RFC 9112).

export interface Answer {
  status: number;
  /** By lowercase name. Of a repeated header, the last value. */
  headers: Readonly<Record<string, string>>;
  /** As sent: perhaps compressed, but not chunked. */
  body: Buffer;
}

const headEnd = Buffer.from("\r\n\r\n");

export class AnswerParser {
  #bytes: Buffer<ArrayBufferLike> = Buffer.alloc(0);

  push(bytes: Buffer): void {
    this.#bytes = this.#bytes.length === 0 ? bytes : Buffer.concat([this.#bytes, bytes]);
  }

  /** Whether all bytes belong to responses that were returned. */
  get isEmpty(): boolean {
    return this.#bytes.length === 0;
  }

  /**
   * Returns the next final response; undefined as long as it is incomplete.
   *
   * @param method of its request: a response to HEAD has no body
   * @throws Error if the bytes are no response
   */
  next(method: string): Answer | undefined {
    for (;;) {
      const end = this.#bytes.indexOf(headEnd);
      if (end < 0) return undefined;
      const { status, headers } = parseHead(this.#bytes.toString("latin1", 0, end));
      const rest = this.#bytes.subarray(end + headEnd.length);
      const hasBody = method !== "HEAD" && status >= 200 && status !== 204 && status !== 304;
      const parsed = hasBody ? parseBody(headers, rest) : { body: Buffer.alloc(0), length: 0 };
      if (!parsed) return undefined;
      this.#bytes = rest.subarray(parsed.length);
      // An interim response, such as 100 (Continue), precedes the final one.
      if (status >= 200) return { status, headers, body: parsed.body };
    }
  }
}

function parseHead(head: string): Pick<Answer, "status" | "headers"> {
  const [statusLine = "", ...lines] = head.split("\r\n");
  const status = /^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1];
  if (status === undefined) throw new Error(`not a status line: ${JSON.stringify(statusLine)}`);
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const colon = line.indexOf(":");
    if (colon < 1) throw new Error(`not a header: ${JSON.stringify(line)}`);
    headers[line.slice(0, colon).toLowerCase()] = line.slice(colon + 1).trim();
  }
  return { status: Number(status), headers };
}

/** Returns the body and the number of bytes that it takes; undefined as long as it is incomplete. */
function parseBody(
  headers: Answer["headers"],
  bytes: Buffer,
): { body: Buffer<ArrayBufferLike>; length: number } | undefined {
  if (headers["transfer-encoding"] === "chunked") return parseChunks(bytes);
  const length = Number(headers["content-length"]);
  if (Number.isNaN(length)) throw new Error(`a body without a length: ${JSON.stringify(headers)}`);
  return bytes.length < length ? undefined : { body: bytes.subarray(0, length), length };
}

function parseChunks(bytes: Buffer): { body: Buffer; length: number } | undefined {
  const chunks: Buffer[] = [];
  for (let at = 0; ; ) {
    const end = bytes.indexOf("\r\n", at);
    if (end < 0) return undefined;
    const size = Number.parseInt(bytes.toString("latin1", at, end), 16);
    if (Number.isNaN(size)) throw new Error("not the size of a chunk");
    const next = end + 2 + size + 2;
    if (bytes.length < next) return undefined;
    chunks.push(bytes.subarray(end + 2, end + 2 + size));
    if (size === 0) return { body: Buffer.concat(chunks), length: next };
    at = next;
  }
}
