// Checks the image: its instructions fit the package, and in full, the root file system that they make runs isolated, as
// the image's user, with only the data writable. The documented command leads to a signed-in admin.

import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import test from "node:test";
import { load } from "js-yaml";
import { service as deployed } from "../../scripts/deploy/service.ts";
import { settings } from "../../src/config.ts";
import { paths, webPaths } from "../../src/paths.ts";
import { argumentsOf, imageConfigOf, parseDockerfile } from "../support/dockerfile.ts";
import { makeFormClient } from "../support/form-client.ts";
import { freePort, waitForPort } from "../support/proxies.ts";
import { isFullSize, report } from "../support/random-cases.ts";
import { request } from "../support/request.ts";
import { buildImage, checkSandbox, makeVolume, runContainer } from "../support/sandbox.ts";
import { startService, stopService } from "../support/service-process.ts";
import { countedCampaign, makeFolder, makeWorld, serve } from "../support/world.ts";

const root = join(import.meta.dirname, "../..");
const read = (path: string) => readFileSync(join(root, path), "utf8");
const stages = parseDockerfile(read("Dockerfile"));
const last = stages.at(-1);
assert.ok(last);
const config = imageConfigOf(last);
const packageJson = JSON.parse(read("package.json"));
const lock = JSON.parse(read("package-lock.json"));

/** The files and folders of the project that the image is built from. */
const copied = stages
  .flatMap(({ instructions }) => instructions)
  .filter(({ name, text }) => name === "COPY" && !text.startsWith("--from="))
  .flatMap(({ text }) => argumentsOf(text).slice(0, -1));

test("every stage of the Dockerfile starts from an image with a Node version that the package accepts", () => {
  const [, oldest = ""] = /^>=(\d+)$/.exec(packageJson.engines.node) ?? [];
  const bases = [`node:${oldest}-slim`, `gcr.io/distroless/nodejs${oldest}-debian12`];
  assert.deepEqual(
    stages.map(({ from }) => from),
    bases,
  );
});

test("the Dockerfile copies what npm ci, npm pack and the package need, and .dockerignore lets it through", () => {
  const packed = packageJson.files.map((each: string) => each.split("/")[0]);
  const needed = [
    "package.json",
    "package-lock.json",
    "tsconfig.json",
    "LICENSE",
    "README.md",
    "src",
    "scripts",
  ];
  // prepack writes dist.
  const expected = new Set([...needed, ...packed].filter((each) => each !== "dist"));
  assert.deepEqual(copied.toSorted(), [...expected].toSorted());
  for (const path of copied) assert.ok(existsSync(join(root, path)), path);
  const ignored = read(".dockerignore").trim().split("\n");
  assert.equal(ignored[1], "*");
  assert.deepEqual(ignored.slice(2).toSorted(), copied.map((path) => `!${path}`).toSorted());
  assert.match(packageJson.scripts.prepack, /^node scripts\//);
});

test("package-lock.json has the dependencies of package.json, without which npm ci fails", () => {
  for (const each of ["dependencies", "devDependencies"] as const) {
    assert.deepEqual(lock.packages[""][each], packageJson[each]);
  }
});

test("the image runs serve as an unprivileged user, with its data in a volume of that user", () => {
  assert.match(config.user, /^[1-9]\d*$/);
  assert.deepEqual(config.command, [
    "node",
    ...deployed.nodeOptions,
    packageJson.bin["email-analytics"],
    "serve",
  ]);
  assert.equal(config.stopSignal, "SIGTERM");
  for (const [name, value] of Object.entries(config.environment)) {
    if (["NODE_ENV", "PATH"].includes(name) || name.startsWith("MALLOC_")) continue;
    assert.ok(Object.hasOwn(settings, name), name);
    assert.notEqual(settings[name as keyof typeof settings].parse(value), undefined, name);
  }
  assert.deepEqual(config.ports, [config.environment.PORT]);
  const [volume = ""] = config.volumes;
  assert.equal(dirname(config.environment.DATABASE_URL?.replace("sqlite:", "") ?? ""), volume);
  const steps = last.instructions.map(({ name, text }) => `${name} ${text}`);
  const owner = steps.indexOf(`COPY --from=package --chown=${config.user}:${config.user} /image/volumes /`);
  // Docker discards what later instructions change in a volume.
  assert.ok(owner >= 0 && owner < steps.indexOf(`VOLUME ${volume}`));
  assert.match(read("Dockerfile"), new RegExp(`mkdir -m 700 /image/volumes${volume}\n`));
});

test("with the options of the image, the service runs, and a planted child process cannot be started", async (t) => {
  const planted = (where: string) =>
    `try { process.getBuiltinModule("node:child_process").spawnSync("true"); } catch ({ code }) { console.error("${where}", code); }`;
  const plants = `${planted("main")} new (process.getBuiltinModule("node:worker_threads").Worker)(${JSON.stringify(planted("thread"))}, { eval: true });`;
  // Node 24, which the image has, lets every program use the network.
  const permissions = process.allowedNodeEnvironmentFlags.has("--allow-net") ? ["--allow-net"] : [];
  const plant = `--import=data:text/javascript,${encodeURIComponent(plants)}`;
  const command = [process.execPath, ...deployed.nodeOptions, ...permissions, plant];
  const running = await startService((await makeWorld(t)).databaseUrl, { command });
  t.after(() => running.child.kill("SIGKILL"));
  assert.equal((await fetch(running.url + webPaths.signIn)).status, 200);
  await stopService(running);
  assert.match(running.stderr(), /main ERR_ACCESS_DENIED/);
  assert.match(running.stderr(), /thread ERR_ACCESS_DENIED/);
});

test("the last stage starts from an image without a shell, and runs nothing in it", () => {
  assert.deepEqual(
    last.instructions.filter(({ name }) => name === "RUN"),
    [],
  );
  const labels = last.instructions
    .filter(({ name }) => name === "LABEL")
    .map(({ text }) => text)
    .join(" ");
  // https://github.com/opencontainers/image-spec/blob/main/annotations.md
  for (const label of ["title", "description", "licenses", "revision"]) {
    assert.ok(labels.includes(`org.opencontainers.image.${label}=`), label);
  }
});

test("the health check of the image succeeds while the service runs, and fails when it does not", async (t) => {
  const service = await serve(t, await makeWorld(t));
  const [file = "", ...argv] = config.healthCheck;
  assert.equal(file, "node");
  assert.ok(read(argv[0] ?? "").includes(paths.health.live));
  const check = async () => {
    const options = { cwd: root, env: { PORT: String(service.port) }, stdio: "ignore" } as const;
    const child = spawn(process.execPath, argv, options);
    return (await once(child, "exit"))[0];
  };
  assert.equal(await check(), 0);
  await service.stop();
  assert.equal(await check(), 1);
});

interface ComposeService {
  build?: string;
  environment: Record<string, string>;
  volumes?: string[];
}

/** Adds the first admin, as the documentation says. */
const firstAdmin = /docker compose exec (\w+) (email-analytics init [^\n]+)/.exec(
  read("docs/configuration.md"),
);

test("the variant with several processes names files that exist, and routes only to services that it has", () => {
  const variant = load(read("deploy/compose.processes.yaml")) as {
    services: Record<string, ComposeService>;
  };
  const services = Object.entries(variant.services);
  const mounted = services.flatMap(([, { volumes = [] }]) => volumes.filter((each) => each.startsWith("./")));
  assert.equal(mounted.length, 2);
  for (const each of mounted) assert.ok(existsSync(join(root, "deploy", each.split(":")[0] ?? "")), each);
  const nginx = variant.services.nginx?.environment ?? {};
  const routed = `${nginx.API_SERVERS}${nginx.WRITE_SERVERS}`.matchAll(/server ([\w-]+):8080;/g);
  assert.deepEqual(
    [...routed].map(([, name = ""]) => [name, variant.services[name] !== undefined]),
    ["api-1", "api-2", "write"].map((name) => [name, true]),
  );
  for (const [name, { build }] of services) {
    if (build !== undefined) assert.ok(existsSync(join(root, "deploy", build, "Dockerfile")), name);
  }
});

const megabytes = (path: string) =>
  Math.round(Number(spawnSync("du", ["-sk", path], { encoding: "utf8" }).stdout.split("\t")[0]) / 1024);

if (isFullSize) {
  test("the built image serves a signed-in admin and counts an event, read-only and unprivileged", async (t) => {
    checkSandbox();
    const folder = makeFolder(t);
    // The image's user has to reach the folders below.
    chmodSync(folder, 0o711);
    const project = join(folder, "project");
    mkdirSync(project);
    for (const path of copied) spawnSync("cp", ["-a", join(root, path), project]);
    let startedAt = performance.now();
    const seconds = () => `${((performance.now() - startedAt) / 1000).toFixed(1)} s`;
    const image = buildImage(folder, project, stages);
    report(`image: built in ${seconds()}, /app has ${megabytes(join(image.root, "app"))} MB`);

    const volume = makeVolume(join(folder, "data"), image);
    const port = await freePort();
    const origin = `http://127.0.0.1:${port}`;
    const environment = { PUBLIC_URL: origin, PORT: String(port) };
    const runCommand = async (command: string[]) => {
      const { ended, stdout, stderr } = runContainer(image, { volume, environment, command });
      return { code: await ended, stdout: stdout(), stderr: stderr() };
    };

    const shell = async (script: string) => {
      const { code, stdout, stderr } = await runCommand(["/bin/sh", "-c", `PATH=$PATH:/bin; ${script}`]);
      return `${code} ${stdout}${stderr}`;
    };
    assert.match(await shell("id -u"), new RegExp(`^0 ${config.user}\n`));
    for (const path of ["/app/x", "/x", "/etc/x", "/usr/local/bin/x"]) {
      assert.match(await shell(`touch ${path}`), /Read-only file system/, path);
    }
    assert.equal(await shell("touch /data/x /tmp/x && rm /data/x"), "0 ");
    assert.match(await shell("grep CapEff /proc/self/status"), /CapEff:\t0{16}/);
    report(
      `root file system: read-only but for ${config.volumes} and /tmp; uid ${config.user}; no capabilities`,
    );

    startedAt = performance.now();
    const service = runContainer(image, { volume, environment });
    t.after(() => service.child.kill("SIGKILL"));
    await waitForPort(port, service.ended);
    report(`serve: listens after ${seconds()}`);
    assert.equal((await runCommand(config.healthCheck)).code, 0);

    const added = await runCommand(["/bin/sh", "-c", firstAdmin?.[2] ?? ""]);
    assert.equal(added.code, 0, added.stderr);
    const [, link = ""] = new RegExp(`^${origin}(/sign-in/password/\\S+)$`, "m").exec(added.stdout) ?? [];
    const password = "nine green ships sail";
    const chosen = await makeFormClient(origin).submit(link, { new_password: password, again: password });
    assert.equal(chosen.status, 303, chosen.text);
    const browser = makeFormClient(origin);
    assert.equal((await browser.get("/")).status, 303);
    const signedIn = await browser.submit("/sign-in", { email: "ann@example.com", password });
    assert.equal(signedIn.status, 303, signedIn.text);
    const overview = await browser.get("/");
    assert.equal(overview.status, 200);
    assert.match(overview.text, /Acme/);
    report("sign-in: the documented command printed an invite link, and its admin signed in");

    const addKey = async (scope: string) => {
      const argv = ["--json", "key", "add", "--organization", "1", "--name", scope, "--scope", scope];
      const { stdout, stderr } = await runCommand(["email-analytics", ...argv]);
      assert.equal(stderr, "");
      return JSON.parse(stdout).key as string;
    };
    const [ingestKey, readKey] = [await addKey("ingest"), await addKey("read")];
    const sentAt = new Date(Date.now() - 3_600_000).toISOString();
    const put = JSON.stringify({ ...countedCampaign(1), sent_at: sentAt });
    assert.equal((await request(`${origin}/ingest/v1/campaigns/1`, ingestKey, put, "PUT")).status, 201);
    const event = { id: "e-1", campaign_id: 1, recipient: "bo@example.com", type: "open", at: new Date() };
    const sent = await request(`${origin}/ingest/v1/events`, ingestKey, JSON.stringify({ events: [event] }));
    assert.equal(sent.status, 200, sent.text);
    const uniqueOpens = async () => {
      const { text } = await request(`${origin}${paths.api.emails}`, readKey);
      return JSON.parse(text).emails.map((each: { unique_opens: number }) => each.unique_opens);
    };
    assert.deepEqual(await uniqueOpens(), [1]);

    startedAt = performance.now();
    assert.equal(await service.stop(), 0, service.stderr());
    report(`stop: ${config.stopSignal} to process 1, exit code 0 after ${seconds()}`);
    assert.equal((await runCommand(config.healthCheck)).code, 1);
    for (const name of readdirSync(volume)) {
      const { uid, mode } = statSync(join(volume, name));
      assert.deepEqual([uid, mode & 0o077], [Number(config.user), 0], name);
    }

    const again = runContainer(image, { volume, environment });
    t.after(() => again.child.kill("SIGKILL"));
    await waitForPort(port, again.ended);
    assert.deepEqual(await uniqueOpens(), [1]);
    assert.equal(await again.stop(), 0);
    report("restart: the second container on the volume has the event");
  });
}
