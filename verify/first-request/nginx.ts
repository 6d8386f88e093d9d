// Runs nginx with the example configuration in front of two processes.

import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

const template = join(import.meta.dirname, "..", "..", "examples", "nginx.conf.template");

/** Returns why nginx cannot run here; undefined if it can. */
export function whyNoNginx(): string | undefined {
  return spawnSync("nginx", ["-v"]).error === undefined
    ? undefined
    : "nginx is not installed; install the Debian package nginx";
}

export interface Nginx {
  stop(): Promise<void>;
}

/**
 * @param options.folder for its files
 * @param options.api the URL of the process that serves the API
 * @param options.write the URL of the process that serves everything else
 * @throws Error if nginx does not start
 */
export async function startNginx({
  folder,
  port,
  api,
  write,
}: {
  folder: string;
  port: number;
  api: string;
  write: string;
}): Promise<Nginx> {
  const variables: Record<string, string> = {
    API_SERVERS: `server ${new URL(api).host};`,
    WRITE_SERVERS: `server ${new URL(write).host};`,
    NGINX_LISTEN: `127.0.0.1:${port}`,
  };
  const site = readFileSync(template, "utf8").replaceAll(
    /\$\{(\w+)\}/g,
    (_all, name) => variables[name] ?? "",
  );
  writeFileSync(join(folder, "site.conf"), site);
  const paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (name) => `${name}_temp_path ${join(folder, name)};`,
  );
  const main = `daemon off; pid ${join(folder, "pid")}; error_log stderr error; events {}
http { access_log off; ${paths.join(" ")} include ${join(folder, "site.conf")}; }`;
  writeFileSync(join(folder, "nginx.conf"), main);
  const argv = ["-e", "stderr", "-p", folder, "-c", join(folder, "nginx.conf")];
  const child = spawn("nginx", argv, { stdio: ["ignore", "ignore", "inherit"] });
  const ended = once(child, "exit");
  await waitUntilReady(child, `http://127.0.0.1:${port}/readyz`);
  return {
    async stop() {
      child.kill("SIGQUIT");
      await ended;
    },
  };
}

async function waitUntilReady(child: ChildProcess, url: string): Promise<void> {
  while (!(await fetch(url).catch(() => undefined))?.ok) {
    if (child.exitCode !== null) throw new Error(`nginx exited with ${child.exitCode}`);
    await pause(50);
  }
}
