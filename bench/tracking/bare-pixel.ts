// Bare baseline of tracking: a plain Node server that sends the same pixel.

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { pixel } from "../../src/http/tracking/pixel.ts";

const server = createServer((_request, response) => {
  response.writeHead(200, { "content-type": "image/gif", "content-length": pixel.length });
  response.end(pixel);
});
server.listen(0, "127.0.0.1", () => {
  console.log(JSON.stringify({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }));
});
