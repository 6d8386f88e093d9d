// Builds the image of a Dockerfile in a folder, and runs it isolated, with bubblewrap instead of a container engine. The
// base image is a stand-in: this Node and npm, and the system's /usr. It needs root, and npm's registry.

import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  chownSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Readable } from "node:stream";
import { argumentsOf, environmentOf, type ImageConfig, imageConfigOf, type Stage } from "./dockerfile.ts";

const path = "/usr/local/bin:/usr/bin:/bin";
/** The image's user has no entry, as in the images without a shell. */
const accounts = {
  passwd: "root:x:0:0::/root:/bin/sh\n",
  group: "root:x:0:\n",
};

/** @throws Error if a program is missing or this is not root */
export function checkSandbox(): void {
  if (process.getuid?.() !== 0) throw new Error("the check needs root, for files of two users");
  for (const program of ["bwrap", "setpriv", "npm"]) {
    const { error } = spawnSync(program, ["--version"]);
    if (error)
      throw new Error(`${program} is needed (Debian packages bubblewrap, util-linux, npm); install it`);
  }
}

function makeBase(root: string): void {
  const folders = "usr/local/bin usr/local/lib/node_modules nodejs/bin etc root tmp proc dev home/node".split(
    " ",
  );
  for (const folder of folders) mkdirSync(join(root, folder), { recursive: true });
  for (const name of ["bin", "lib", "lib64", "sbin"]) {
    mkdirSync(join(root, "usr", name), { recursive: true });
    symlinkSync(`usr/${name}`, join(root, name));
  }
  mkdirSync(join(root, "usr/share"));
  for (const [file, text] of Object.entries(accounts)) writeFileSync(join(root, "etc", file), text);
  chmodSync(join(root, "tmp"), 0o1777);
  for (const bin of ["usr/local/bin", "nodejs/bin"]) {
    copyFileSync(realpathSync(process.execPath), join(root, bin, "node"));
  }
  const { stdout } = spawnSync("sh", ["-c", 'readlink -f "$(command -v npm)"'], { encoding: "utf8" });
  const npm = dirname(dirname(stdout.trim()));
  cpSync(npm, join(root, "usr/local/lib/node_modules/npm"), { recursive: true });
  symlinkSync("../lib/node_modules/npm/bin/npm-cli.js", join(root, "usr/local/bin/npm"));
}

const system = ["bin", "lib", "lib64", "sbin", "share"]
  .filter((name) => existsSync(`/usr/${name}`))
  .flatMap((name) => ["--ro-bind", `/usr/${name}`, `/usr/${name}`]);
/** npm needs the names and certificates of the network. */
const network = ["resolv.conf", "hosts", "nsswitch.conf", "ssl", "npmrc"].flatMap((name) => [
  "--ro-bind-try",
  `/etc/${name}`,
  `/etc/${name}`,
]);
const variables = (environment: Record<string, string>) =>
  Object.entries(environment).flatMap(([name, value]) => ["--setenv", name, value]);

export interface Image {
  root: string;
  config: ImageConfig;
}

/** Executes all instructions. @returns the last stage */
export function buildImage(folder: string, project: string, stages: readonly Stage[]): Image {
  const roots = new Map<string, string>();
  for (const stage of stages) {
    const root = join(folder, stage.name);
    makeBase(root);
    roots.set(stage.name, root);
    buildStage(stage, { root, project, roots });
  }
  const last = stages.at(-1);
  if (!last) throw new Error("the Dockerfile has no stage");
  return { root: join(folder, last.name), config: imageConfigOf(last) };
}

function buildStage(
  { instructions }: Stage,
  { root, project, roots }: { root: string; project: string; roots: ReadonlyMap<string, string> },
): void {
  const environment: Record<string, string> = { PATH: path, HOME: "/root" };
  let folder = "/";
  for (const { name, text } of instructions) {
    if (name === "ENV") Object.assign(environment, environmentOf(text));
    else if (name === "WORKDIR") {
      folder = text;
      mkdirSync(join(root, folder), { recursive: true });
    } else if (name === "VOLUME") for (const each of argumentsOf(text)) statSync(join(root, each));
    else if (name === "COPY") copyInto(join(root, folder), root, text, { project, roots });
    else if (name === "RUN") runStep(text, { root, folder, environment });
    else if (!imageInstructions.has(name))
      throw new Error(`${name} is not an instruction that this check knows`);
  }
}

/** They change only the configuration of the image. */
const imageInstructions: ReadonlySet<string> = new Set(
  "ARG LABEL USER EXPOSE HEALTHCHECK STOPSIGNAL ENTRYPOINT CMD".split(" "),
);

/** COPY copies a file into a folder that ends in a slash, and the content of a folder. */
function copyInto(
  folder: string,
  root: string,
  text: string,
  { project, roots }: { project: string; roots: ReadonlyMap<string, string> },
): void {
  const words = argumentsOf(text);
  const stage = words[0]?.startsWith("--from=")
    ? roots.get(words.shift()?.slice("--from=".length) ?? "")
    : project;
  if (stage === undefined) throw new Error(`COPY ${text}: no such stage`);
  const [, owner] = /^--chown=(\d+):\d+$/.exec(words[0] ?? "") ?? [];
  if (owner !== undefined) words.shift();
  const target = words.pop() ?? "";
  const absolute = target.startsWith("/") ? join(root, target) : join(folder, target);
  for (const word of words) {
    const source = join(stage, word);
    const isFile = statSync(source).isFile();
    cpSync(source, isFile && target.endsWith("/") ? join(absolute, basename(source)) : absolute, {
      recursive: true,
      verbatimSymlinks: true,
    });
    if (owner !== undefined) {
      for (const each of readdirSync(source)) chownSync(join(absolute, each), Number(owner), Number(owner));
    }
  }
}

function runStep(
  command: string,
  { root, folder, environment }: { root: string; folder: string; environment: Record<string, string> },
): void {
  const { NODE_EXTRA_CA_CERTS } = process.env;
  const given = { ...environment, ...(NODE_EXTRA_CA_CERTS && { NODE_EXTRA_CA_CERTS }) };
  const argv = [
    ...["--bind", root, "/", ...system, ...network, "--proc", "/proc", "--dev", "/dev", "--clearenv"],
    ...[...variables(given), "--cap-add", "ALL", "--chdir", folder, "--die-with-parent"],
    ...["/bin/sh", "-c", command],
  ];
  const { status, stdout, stderr } = spawnSync("bwrap", argv, { encoding: "utf8", maxBuffer: 1e8 });
  if (status !== 0) throw new Error(`RUN ${command}: ${status}\n${stdout}${stderr}`);
}

/** Makes the folder of a volume, which starts with the owner and mode that the image has at its path. */
export function makeVolume(folder: string, { root, config }: Image): string {
  const [volume = ""] = config.volumes;
  const { uid, gid, mode } = statSync(join(root, volume));
  mkdirSync(folder);
  chmodSync(folder, mode & 0o7777);
  chownSync(folder, uid, gid);
  return folder;
}

export interface Container {
  child: ChildProcess;
  stdout(): string;
  stderr(): string;
  /** Resolves with the exit code once the process has ended. */
  ended: Promise<number | NodeJS.Signals | null>;
  /** Sends the image's signal to process 1, as a container engine does. */
  stop(): Promise<number | NodeJS.Signals | null>;
}

/**
 * Runs a command as the image's user and as process 1 of its own process namespace, without capabilities. Only the volume
 * and an empty /tmp can be written. The network is the host's.
 */
export function runContainer(
  { root, config }: Image,
  {
    volume,
    environment = {},
    command = config.command,
  }: { volume: string; environment?: Record<string, string>; command?: string[] },
): Container {
  const [mount = ""] = config.volumes;
  // Node 24, which the image has, lets every program use the network.
  const permissions = process.allowedNodeEnvironmentFlags.has("--allow-net") ? ["--allow-net"] : [];
  const started = command.flatMap((each) => (each === "--permission" ? [each, ...permissions] : [each]));
  const given = { PATH: path, HOME: "/home/node", ...config.environment, ...environment };
  const id = config.user;
  const argv = [
    ...["--reuid", id, "--regid", id, "--clear-groups", "--no-new-privs", "bwrap"],
    ...["--ro-bind", root, "/", ...system, "--bind", volume, mount],
    ..."--tmpfs /tmp --proc /proc --dev /dev --unshare-user --unshare-pid --unshare-ipc --unshare-uts".split(
      " ",
    ),
    ...["--as-pid-1", "--cap-drop", "ALL", "--new-session"],
    ...["--info-fd", "3", "--die-with-parent", "--clearenv", ...variables(given), "--chdir", config.folder],
    ...started,
  ];
  const child = spawn("setpriv", argv, { stdio: ["ignore", "pipe", "pipe", "pipe"] });
  let [info, stdout, stderr] = ["", "", ""];
  child.stdout?.on("data", (text) => (stdout += text));
  child.stderr?.on("data", (text) => (stderr += text));
  (child.stdio[3] as Readable).on("data", (text) => (info += text));
  const ended = once(child, "close").then(([code, signal]) => (code ?? signal) as number | NodeJS.Signals);
  return {
    child,
    stdout: () => stdout,
    stderr: () => stderr,
    ended,
    stop() {
      process.kill(JSON.parse(info)["child-pid"], config.stopSignal as NodeJS.Signals);
      return ended;
    },
  };
}
