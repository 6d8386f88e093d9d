// A closed-loop load in its own process: requests URLs over several connections, each of which sends the next request after
// a response. Prints the result as JSON.

import { readFileSync } from "node:fs";
import { connect } from "node:net";

const [file = "", connectionsText = "1", secondsText = "1"] = process.argv.slice(2);
const urls = readFileSync(file, "utf8").trim().split("\n");
const { hostname, port, host } = new URL(urls[0] ?? "");
const endAt = performance.now() + Number(secondsText) * 1000;
const agent =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148";

const latencies: number[] = [];
const statuses = new Map<number, number>();
let next = 0;

function run(): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    socket.setNoDelay(true);
    let sentAt = 0;
    let received: Buffer = Buffer.alloc(0);
    const send = () => {
      sentAt = performance.now();
      if (sentAt >= endAt) {
        socket.end();
        return;
      }
      const url = urls[next++ % urls.length] ?? "";
      const path = url.slice(url.indexOf("/", 8));
      socket.write(`GET ${path} HTTP/1.1\r\nhost: ${host}\r\nuser-agent: ${agent}\r\n\r\n`);
    };
    socket.on("connect", send);
    socket.on("data", (chunk: Buffer) => {
      received = received.length > 0 ? Buffer.concat([received, chunk]) : chunk;
      const headEnd = received.indexOf("\r\n\r\n");
      if (headEnd < 0) return;
      const head = received.toString("latin1", 0, headEnd);
      const length = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0);
      if (received.length < headEnd + 4 + length) return;
      received = received.subarray(headEnd + 4 + length);
      const status = Number(head.slice(9, 12));
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      latencies.push(performance.now() - sentAt);
      send();
    });
    socket.on("error", reject);
    socket.on("close", () => resolve());
  });
}

const startedAt = performance.now();
await Promise.all(Array.from({ length: Number(connectionsText) }, run));
const seconds = (performance.now() - startedAt) / 1000;
latencies.sort((a, b) => a - b);
const percentile = (share: number) => latencies[Math.floor(latencies.length * share)] ?? 0;
console.log(
  JSON.stringify({
    requests: latencies.length,
    seconds,
    p50: percentile(0.5),
    p99: percentile(0.99),
    statuses: Object.fromEntries(statuses),
  }),
);
