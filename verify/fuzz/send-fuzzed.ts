// Sends fuzzed requests: valid HTTP pipelined on a connection, other bytes on a connection of their own.

import assert from "node:assert/strict";
import { connect } from "node:net";
import { type Answer, AnswerParser } from "../support/http-answers.ts";
import { PipelinedConnection } from "../support/pipelined-connection.ts";
import { describeRequest, type FuzzedRequest } from "./fuzzed-request.ts";

const timeoutSeconds = 10;
/** The server has this long to begin an answer. It does not answer all bytes. */
const answerMs = 20;

/**
 * Sends requests at once and calls `check` with each answer. Those after one with `Connection: close` are sent again
 * on a new connection.
 *
 * @returns the connection for the next requests
 * @throws Error if the server closes a connection without saying so, or does not answer
 */
export async function sendPipelined(
  url: string,
  connection: PipelinedConnection,
  requests: readonly FuzzedRequest[],
  check: (request: FuzzedRequest, answer: Answer) => void,
): Promise<PipelinedConnection> {
  let left = requests;
  let current = connection;
  let isReused = true;
  while (left.length > 0) {
    const bytes = Buffer.concat(left.map((request) => request.bytes));
    const methods = left.map(({ method }) => method);
    const answers: Answer[] = await current.send(bytes, methods).catch((error) => {
      throw new Error(left.map(describeRequest).join("\n"), { cause: error });
    });
    for (const [index, answer] of answers.entries()) check(left[index] as FuzzedRequest, answer);
    const isClosing = answers.at(-1)?.headers.connection === "close";
    left = left.slice(answers.length);
    const next = left.map(describeRequest).join("\n");
    // The server may close an idle connection at the moment at which the client uses it again.
    const isIdle: boolean = isReused && answers.length === 0;
    assert.ok(isClosing || isIdle || left.length === 0, `the server closed the connection before ${next}`);
    if (!isClosing && !isIdle) continue;
    current.destroy();
    current = new PipelinedConnection(url);
    isReused = false;
  }
  return current;
}

/**
 * Sends bytes, and ends its side soon after.
 *
 * @returns the answers: perhaps none, but each complete
 * @throws Error if the server sends something else, or does not close the connection
 */
export function sendAlone(url: string, request: FuzzedRequest): Promise<Answer[]> {
  const { hostname: host, port } = new URL(url);
  const parser = new AnswerParser();
  const answers: Answer[] = [];
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port: Number(port), allowHalfOpen: true, noDelay: true });
    const end = setTimeout(() => socket.end(), answerMs);
    let waitedSeconds = 0;
    const timer = setInterval(() => {
      // Of this process: a stopped one does not wait.
      if (++waitedSeconds <= timeoutSeconds) return;
      reject(new Error(`the connection is open after ${timeoutSeconds} s: ${describeRequest(request)}`));
      socket.destroy();
    }, 1_000);
    socket.on("data", (piece: Buffer) => parser.push(piece));
    socket.on("end", () => socket.destroy());
    // The server may reset a connection that breaks the rules of HTTP.
    socket.on("error", () => undefined);
    socket.on("close", () => {
      clearTimeout(end);
      clearInterval(timer);
      try {
        for (let next = parser.next("GET"); next; next = parser.next("GET")) answers.push(next);
        resolve(answers);
      } catch (error) {
        reject(new Error(describeRequest(request), { cause: error }));
      }
    });
    socket.write(request.bytes);
  });
}
