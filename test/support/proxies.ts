// Runs nginx and Caddy with the files of deploy/, in front of a service.

import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Cleanup } from "./world.ts";

const files = join(import.meta.dirname, "../../deploy");
const path = `${process.env.PATH}:/usr/sbin`;

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

/** Resolves once something listens on the port. Rejects if the process ends first, or after a minute. */
export async function waitForPort(port: number, ended: Promise<unknown>): Promise<void> {
  let isOver = false;
  ended.then(() => {
    isOver = true;
  });
  for (const start = Date.now(); !isOver && Date.now() - start < 60_000; await pause(50)) {
    const socket = connect(port, "127.0.0.1");
    const isOpen = await new Promise((resolve) => {
      socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    });
    socket.destroy();
    if (isOpen) return;
  }
  throw new Error(`nothing listens on port ${port}`);
}

export interface Proxy {
  version: string;
  /** What it logged of requests and errors. */
  log(): string;
  /** Whether it also cuts the response to the client if the service cuts one. */
  cutsResponses: boolean;
}

/** @param servers HOST:PORT of the process that serves the API, and of the one that serves everything else */
type StartProxy = (
  test: Cleanup,
  folder: string,
  servers: { port: number; api: string; write: string },
) => Promise<Proxy>;

async function startProgram(
  test: Cleanup,
  argv: [string, ...string[]],
  { port, environment = {} }: { port: number; environment?: Record<string, string> },
): Promise<() => string> {
  const [file, ...rest] = argv;
  const child = spawn(file, rest, {
    env: { PATH: path, ...environment },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let stderr = "";
  child.stderr.on("data", (text) => {
    stderr += text;
  });
  const ended = once(child, "close");
  test.after(async () => {
    child.kill("SIGTERM");
    await ended;
  });
  try {
    await waitForPort(port, ended);
  } catch (error) {
    throw new Error(`${file} does not start: ${stderr}`, { cause: error });
  }
  return () => stderr;
}

/** @throws Error if the program is missing or refuses its configuration */
function runToEnd(file: string, argv: string[], environment: Record<string, string> = {}): string {
  const result = spawnSync(file, argv, { encoding: "utf8", env: { PATH: path, ...environment } });
  if (result.error) throw new Error(`${file} is needed; install it`);
  if (result.status !== 0) throw new Error(`${file} ${argv.join(" ")}: ${result.stdout}${result.stderr}`);
  return `${result.stdout}${result.stderr}`;
}

export const startNginx: StartProxy = (test, folder, servers) =>
  startNginxWith(readFileSync(join(files, "nginx.conf.template"), "utf8"), test, folder, servers);

/** @param template the blocks in `http`, with the variables of the example */
export async function startNginxWith(
  template: string,
  ...[test, folder, { port, api, write }]: Parameters<StartProxy>
): Promise<Proxy> {
  // Workers run as another user if this is root.
  chmodSync(folder, 0o711);
  mkdirSync(join(folder, "nginx"));
  const variables = {
    API_SERVERS: `server ${api};`,
    WRITE_SERVERS: `server ${write};`,
    NGINX_LISTEN: `127.0.0.1:${port}`,
  };
  const server = Object.entries(variables).reduce(
    (text, [name, value]) => text.replaceAll(`\${${name}}`, value),
    template,
  );
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (name) => `${name}_temp_path ${folder}/nginx/${name};`,
  );
  const conf = join(folder, "nginx/nginx.conf");
  const main = `daemon off; worker_processes 1; pid ${folder}/nginx/pid; error_log stderr error; events {}`;
  writeFileSync(
    conf,
    `${main}\nhttp { access_log ${folder}/nginx/access.log; ${temporary.join(" ")}\n${server}}\n`,
  );
  const argv = ["-e", "stderr", "-p", join(folder, "nginx"), "-c", conf];
  runToEnd("nginx", ["-t", "-q", ...argv]);
  const errors = await startProgram(test, ["nginx", ...argv], { port });
  return {
    cutsResponses: true,
    version: runToEnd("nginx", ["-v"]).trim(),
    log: () => readFileSync(join(folder, "nginx/access.log"), "utf8") + errors(),
  };
}

export const startCaddy: StartProxy = async (test, folder, { port, write }) => {
  const environment = {
    HOME: folder,
    SITE: `http://127.0.0.1:${port}`,
    SERVER: write,
    CADDY_ADMIN: `127.0.0.1:${await freePort()}`,
  };
  const argv = ["--adapter", "caddyfile", "--config", join(files, "Caddyfile")];
  runToEnd("caddy", ["validate", ...argv], environment);
  const log = await startProgram(test, ["caddy", "run", ...argv], { port, environment });
  const version = runToEnd("caddy", ["version"], environment).trim();
  const [, major, minor] = /(\d+)\.(\d+)\./.exec(version) ?? [];
  // Since github.com/caddyserver/caddy/pull/5952, which 2.8.0 has.
  const cutsResponses = Number(major) * 100 + Number(minor) >= 208;
  return { version: `Caddy ${version}`, log, cutsResponses };
};
