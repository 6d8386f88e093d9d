// The ceiling with several processes: plain Node servers that share a port and send the same bytes from a buffer.

import cluster from "node:cluster";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

const [processes = "", contentType = ""] = process.argv.slice(2);
if (cluster.isPrimary) {
  const body = await buffer(process.stdin);
  const listening = Array.from({ length: Number(processes) }, async () => {
    const worker = cluster.fork();
    await once(worker, "online");
    worker.send(body.toString());
    const [address] = (await once(worker, "listening")) as [AddressInfo];
    return address.port;
  });
  const [port] = await Promise.all(listening);
  console.log(JSON.stringify({ url: `http://127.0.0.1:${port}` }));
} else {
  const [text] = await once(process, "message");
  const body = Buffer.from(text);
  const headers = { "content-type": contentType, "content-length": body.length };
  createServer((_request, response) => response.writeHead(200, headers).end(body)).listen(0, "127.0.0.1");
}
