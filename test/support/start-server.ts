// An HTTP server on this computer, for one test.

import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import type { Cleanup } from "./world.ts";

/** Listens on a free port of 127.0.0.1. It is closed with its connections when the test ends. */
export async function startServer(
  test: Cleanup,
  respond: RequestListener = () => undefined,
): Promise<{ url: string; port: number }> {
  const server = createServer(respond).listen(0, "127.0.0.1");
  await once(server, "listening");
  test.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, port };
}
