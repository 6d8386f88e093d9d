// The ceiling: a plain Node server that streams a file.

import { createReadStream } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

const [file = ""] = process.argv.slice(2);
const server = createServer((_request, response) => {
  createReadStream(file, { highWaterMark: 256 * 1024 }).pipe(response);
});
server.listen(0, "127.0.0.1", () => {
  console.log(JSON.stringify({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }));
});
