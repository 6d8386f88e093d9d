// Four clients that send a large body: Node's fetch, a plain socket, curl and Python's urllib.

import { execFile, spawnSync } from "node:child_process";
import { connect } from "node:net";

export interface RejectedRequest {
  /** The answer of the server. */
  status: number;
  url: string;
  key: string;
  /** Without `Content-Length`, so that the server has to read the body to see that it is too large. */
  isChunked?: boolean;
  /** Makes the server reject it, before it is sent. */
  prepare?(): Promise<void>;
}

export interface Client {
  name: string;
  isInstalled(): boolean;
  /** Returns the status of the answer, or the error of a client that did not read it. */
  send(request: RejectedRequest, body: Buffer<ArrayBuffer>): Promise<string>;
}

const headersOf = ({ key }: RejectedRequest) => ({
  authorization: `Bearer ${key}`,
  "content-type": "application/json",
});

const withFetch: Client = {
  name: "fetch",
  isInstalled: () => true,
  async send(request, body) {
    const sent = request.isChunked ? { body: new Blob([body]).stream(), duplex: "half" as const } : { body };
    try {
      const response = await fetch(request.url, { method: "POST", headers: headersOf(request), ...sent });
      const { error } = (await response.json()) as { error: string };
      return error ? String(response.status) : "an answer without a body";
    } catch (error) {
      const { cause } = error as { cause?: NodeJS.ErrnoException };
      return cause?.code ?? String(error);
    }
  },
};

/** Reads nothing before it has sent everything, like a client with blocking calls. */
const withSocket: Client = {
  name: "socket",
  isInstalled: () => true,
  send(request, body) {
    const { hostname, port, pathname } = new URL(request.url);
    const head = [
      `POST ${pathname} HTTP/1.1`,
      "host: x",
      ...Object.entries(headersOf(request)).map(([name, value]) => `${name}: ${value}`),
      request.isChunked ? "transfer-encoding: chunked" : `content-length: ${body.length}`,
    ];
    return new Promise((resolve) => {
      let received = "";
      const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
      socket.pause();
      socket.on("data", (chunk: Buffer) => {
        received += chunk;
      });
      socket.on("error", ({ code }: NodeJS.ErrnoException) => resolve(String(code)));
      socket.on("end", () => {
        socket.destroy();
        resolve(/^HTTP\/1\.1 (\d+) [\s\S]+"error_message":".+"\}$/.exec(received)?.[1] ?? "cut");
      });
      socket.write(`${head.join("\r\n")}\r\n\r\n`);
      if (request.isChunked) socket.write(`${body.length.toString(16)}\r\n`);
      socket.write(body, () => socket.resume());
    });
  },
};

const isProgram = (name: string) => spawnSync(name, ["--version"]).status === 0;

function run(program: string, argv: string[], stdin: Buffer): Promise<string> {
  return new Promise((resolve) => {
    const child = execFile(program, argv, (error, stdout, stderr) =>
      resolve(error ? `${error.code}: ${stderr.trim().split("\n").at(-1)}` : stdout.trim()),
    );
    // A client that has its answer stops reading.
    child.stdin?.on("error", () => undefined).end(stdin);
  });
}

const withCurl: Client = {
  name: "curl",
  isInstalled: () => isProgram("curl"),
  send(request, body) {
    const headers = { ...headersOf(request), ...(request.isChunked && { "transfer-encoding": "chunked" }) };
    // Without `Expect: 100-continue`, so that it sends its body at once.
    const lines = [...Object.entries(headers).map(([name, value]) => `${name}: ${value}`), "expect:"];
    const options = lines.flatMap((line) => ["--header", line]);
    const output = ["--silent", "--show-error", "--output", "/dev/null", "--write-out", "%{http_code}"];
    return run("curl", [...output, ...options, "--data-binary", "@-", request.url], body);
  },
};

const pythonProgram = `
import json, sys, urllib.error, urllib.request
url, headers, is_chunked = json.loads(sys.argv[1])
body = sys.stdin.buffer.read()
pieces = (body[at:at + 65536] for at in range(0, len(body), 65536))
try:
    urllib.request.urlopen(urllib.request.Request(url, pieces if is_chunked else body, headers))
except urllib.error.HTTPError as answer:
    print(answer.code if json.load(answer)["error"] else "no error body")
`;

const withPython: Client = {
  name: "urllib",
  isInstalled: () => isProgram("python3"),
  send(request, body) {
    const given = JSON.stringify([request.url, headersOf(request), request.isChunked === true]);
    return run("python3", ["-c", pythonProgram, given], body);
  },
};

export const refusalClients: readonly Client[] = [withFetch, withSocket, withCurl, withPython];

/** The clients that need no other program. */
export const nodeClients: readonly Client[] = [withFetch, withSocket];
