// The ceiling: a plain Node server that sends the same bytes from a buffer. With an ETag as argument, it answers 304
// without a body.

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

const [contentType = "", etag] = process.argv.slice(2);
const body = await buffer(process.stdin);
const server = createServer((_request, response) => {
  if (etag === undefined) {
    response.writeHead(200, { "content-type": contentType, "content-length": body.length });
    response.end(body);
  } else {
    response.writeHead(304, { etag });
    response.end();
  }
});
server.listen(0, "127.0.0.1", () => {
  console.log(JSON.stringify({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }));
});
