// The files of deploy/ against the published rules of the catalog that each is for. A rule names where it is published.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, globSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { load } from "js-yaml";
import { deployFiles } from "../scripts/deploy/files.ts";
import { programPaths, service, tarballUrl } from "../scripts/deploy/service.ts";
import { settings } from "../src/config.ts";
import { paths } from "../src/paths.ts";
import { imageConfigOf, parseDockerfile } from "./support/dockerfile.ts";

const root = join(import.meta.dirname, "..");
const read = (path: string) => readFileSync(join(root, "deploy", path), "utf8");
// biome-ignore lint/suspicious/noExplicitAny: documents of eight catalogs, each checked below
const parse = (path: string) => load(read(path)) as any;
const { name, version, port, volume } = service;

/** What people wrote. Every other file of the folder must come from the generator. */
const written = [
  ...["Caddyfile", "README.md", "compose.processes.yaml", "grafana/operation.json", "install.sh"],
  ...["nginx.conf.template", "one-machine.sh", "postgres-roles.sql", "prometheus/alerts.yml"],
];

test("every file of deploy/ is generated from the table or written by hand, and none is left over", () => {
  const made = new Set(deployFiles().map(([path]) => path.replace("deploy/", "")));
  const files = globSync("**/*", { cwd: join(root, "deploy"), withFileTypes: true })
    .filter((each) => each.isFile())
    .map((each) => join(each.parentPath, each.name).slice(join(root, "deploy/").length));
  assert.deepEqual(
    files.filter((file) => !made.has(file) && !written.includes(file)),
    [],
  );
});

test("the table fits the image", () => {
  const last = parseDockerfile(readFileSync(join(root, "Dockerfile"), "utf8")).at(-1);
  assert.ok(last);
  const { ports, volumes, user } = imageConfigOf(last);
  assert.deepEqual([ports, volumes, user], [[`${port}`], [volume], `${service.user}`]);
});

test("programs reach each interface of the service without the sign-in of a platform", () => {
  const open = programPaths.map((path) => path.replace("/*", "/"));
  const { api, odata, mcp, ingest, tracking } = paths as unknown as Record<
    string,
    Record<string, string> | string
  >;
  for (const group of [api, odata, mcp, ingest, tracking]) {
    for (const path of typeof group === "string" ? [group] : Object.values(group ?? {})) {
      if (path.startsWith("/"))
        assert.ok(
          open.some((prefix) => path.startsWith(prefix)),
          path,
        );
    }
  }
});

interface Compose {
  name?: string;
  services: Record<string, { environment?: Record<string, string> | string[]; volumes?: string[] }>;
  volumes?: Record<string, unknown>;
}

const composeFiles = {
  ...Object.fromEntries(
    ["", ".https", ".postgres", ".processes"].map((kind) => [`compose${kind}.yaml`, "compose"]),
  ),
  [`coolify/${name}.yaml`]: "coolify",
  "dokploy/docker-compose.yml": "dokploy",
  "umbrel/docker-compose.yml": "umbrel",
};

test("every compose file names settings that exist, with values that they accept, and declares its volumes", () => {
  for (const path of Object.keys(composeFiles)) {
    const { services, volumes = {} } = parse(path) as Compose;
    for (const [each, { environment = {}, volumes: mounts = [] }] of Object.entries(services)) {
      const names = Array.isArray(environment)
        ? environment.map((line) => line.split("=")[0] ?? "")
        : Object.keys(environment);
      const isOurs = /^(app|migrate|api-\d|write)$/.test(each);
      for (const variable of names.filter((each) => isOurs && each !== "<<")) {
        const isKnown =
          Object.hasOwn(settings, variable) || /^(PGPASSWORD|SERVICE_URL_APP_\d+)$/.test(variable);
        assert.ok(isKnown, `${path}: ${variable}`);
      }
      for (const mount of mounts) {
        const [source = "", target] = mount.split(":");
        if (isOurs) assert.equal(target, volume, `${path}: ${mount}`);
        // Coolify declares volumes itself: https://coolify.io/docs/knowledge-base/docker/compose
        const isDeclared =
          /^[./$]/.test(source) || Object.hasOwn(volumes, source) || path.startsWith("coolify");
        assert.ok(isDeclared, `${path}: ${mount}`);
        if (source.startsWith("./")) assert.ok(existsSync(join(root, "deploy", source)), mount);
      }
    }
  }
});

test("the compose files serve read-only, without capabilities, and on the computer's own port", () => {
  for (const path of ["compose.yaml", "compose.https.yaml", "compose.postgres.yaml"]) {
    const { app } = parse(path).services;
    assert.deepEqual([app.read_only, app.tmpfs, app.cap_drop], [true, ["/tmp"], ["ALL"]]);
    assert.ok(Number.parseInt(app.stop_grace_period, 10) > 30);
    const isBehindCaddy = path.includes("https");
    assert.deepEqual(app.ports, isBehindCaddy ? undefined : [`127.0.0.1:${port}:${port}`]);
  }
  const { app, caddy } = parse("compose.https.yaml").services;
  assert.match(read("Caddyfile"), /\{\$SITE:.*\{\$SERVER:/s);
  assert.deepEqual(Object.keys(caddy.environment), ["SITE", "SERVER"]);
  assert.equal(
    app.environment.TRUSTED_PROXIES,
    parse("compose.https.yaml").networks.default.ipam.config[0].subnet,
  );
});

// https://coolify.io/docs/get-started/contribute/service and the templates of github.com/coollabsio/coolify
test("Coolify: the file begins with its metadata, and the URL names the port", () => {
  const text = read(`coolify/${name}.yaml`);
  for (const key of ["documentation", "slogan", "category", "tags", "logo", "port"]) {
    assert.match(text, new RegExp(`^# ${key}: \\S`, "m"));
  }
  assert.match(text, new RegExp(`^# port: ${port}$`, "m"));
  const { environment, ports } = parse(`coolify/${name}.yaml`).services.app;
  assert.ok(environment.includes(`SERVICE_URL_APP_${port}`));
  assert.equal(ports, undefined);
});

// https://github.com/Dokploy/templates#readme
test("Dokploy: no ports of the host, container names or networks, and the domain leads to a service that exists", () => {
  const { services } = parse("dokploy/docker-compose.yml");
  for (const each of Object.values(services) as object[]) {
    for (const key of ["container_name", "networks", "ports"]) assert.ok(!Object.hasOwn(each, key), key);
  }
  const template = read("dokploy/template.toml");
  const [, serviceName = ""] = /^serviceName = "(\w+)"$/m.exec(template) ?? [];
  assert.ok(Object.hasOwn(services, serviceName));
  assert.match(template, new RegExp(`^port = ${port}$`, "m"));
  const variables = [...template.matchAll(/^(\w+) = "\$\{([\w:]+)\}"$/gm)].map(([, variable]) => variable);
  for (const [, used = ""] of template.matchAll(/=.*\$\{(\w+)\}"/g)) {
    assert.ok(variables.includes(used) || used === "domain", used);
  }
  // A variable of the compose file without a value comes from the environment of the template.
  for (const variable of services.app.environment) assert.ok(template.includes(`"${variable}=`), variable);
  const meta = JSON.parse(read("dokploy/meta.json"));
  const keys = ["id", "name", "version", "description", "logo", "links", "tags"];
  assert.deepEqual(Object.keys(meta), keys);
  assert.deepEqual(Object.keys(meta.links), ["github", "website", "docs"]);
});

// https://github.com/caprover/one-click-apps: README.md and scripts/validate_apps.js
test("CapRover: version 4, a short description, instructions, and each variable is declared", () => {
  const { captainVersion, services, caproverOneClickApp: app } = parse(`caprover/${name}.yml`);
  assert.equal(captainVersion, 4);
  assert.ok(app.description.length <= 200 && app.instructions.start && app.instructions.end);
  assert.ok(app.variables.some(({ id }: { id: string }) => id === "$$cap_app_version"));
  const text = read(`caprover/${name}.yml`);
  const builtIn = ["$$cap_appname", "$$cap_root_domain", "$$cap_gen_random_hex"];
  const declared = app.variables.map(({ id }: { id: string }) => id);
  for (const [used] of text.matchAll(/\$\$cap_[a-z_]+/g)) {
    assert.ok([...builtIn, ...declared].includes(used), used);
  }
  for (const { id, label, validRegex, defaultValue } of app.variables) {
    assert.ok(label, id);
    const pattern = new RegExp(validRegex.slice(1, -1));
    if (!defaultValue.startsWith("$$")) assert.match(defaultValue, pattern);
  }
  assert.equal(services.$$cap_appname.caproverExtra.containerHttpPort, `${port}`);
});

// https://github.com/getumbrel/umbrel-apps: README.md and .claude/skills/umbrel-package-app/SKILL.md
test("Umbrel: the manifest in its order, an image with a digest, and data in the folder of the app", () => {
  const manifest = parse("umbrel/umbrel-app.yml");
  assert.deepEqual(Object.keys(manifest), [
    ...["manifestVersion", "id", "category", "name", "version", "tagline", "description", "releaseNotes"],
    ...["developer", "website", "dependencies", "repo", "support", "port", "gallery", "path"],
    ...["defaultUsername", "defaultPassword", "submitter", "submission"],
  ]);
  assert.match(manifest.id, /^[a-z0-9]+(-[a-z0-9]+)*$/);
  assert.deepEqual([manifest.releaseNotes, manifest.gallery, manifest.path], ["", [], ""]);
  const { services, networks } = parse("umbrel/docker-compose.yml");
  assert.equal(networks, undefined);
  assert.deepEqual(Object.keys(services.app_proxy), ["environment"]);
  assert.equal(services.app_proxy.environment.APP_HOST, `${manifest.id}_app_1`);
  assert.equal(services.app_proxy.environment.APP_PORT, port);
  assert.match(services.app.image, new RegExp(`:${version.replaceAll(".", "\\.")}@sha256:[0-9a-f]{64}$`));
  for (const mount of services.app.volumes) assert.match(mount, /^\$\{APP_DATA_DIR\}\/data/);
  assert.ok(existsSync(join(root, "deploy/umbrel/data/.gitkeep")));
  for (const key of ["ports", "build", "container_name", "privileged"]) {
    assert.ok(!Object.hasOwn(services.app, key), key);
  }
});

interface Question {
  variable: string;
  label: string;
  group?: string;
  schema: {
    type: string;
    attrs?: Question[];
    items?: Question[];
    enum?: { value: string }[];
    default?: unknown;
  };
}

// https://github.com/truenas/apps/blob/master/CONTRIBUTIONS.md
test("TrueNAS: metadata, questions of known types, and a template that asks only for values that exist", () => {
  const folder = `truenas/${name}`;
  const app = parse(`${folder}/app.yaml`);
  assert.deepEqual(
    [app.name, app.train, app.app_version, app.lib_version_hash],
    [name, "community", version, ""],
  );
  assert.match(app.version, /^\d+\.\d+\.\d+$/);
  for (const key of [
    "title",
    "description",
    "home",
    "icon",
    "keywords",
    "categories",
    "maintainers",
    "run_as_context",
  ]) {
    assert.ok(app[key], key);
  }
  const { groups, questions } = parse(`${folder}/questions.yaml`) as {
    groups: { name: string }[];
    questions: Question[];
  };
  const types = ["string", "int", "boolean", "dict", "list", "path", "hostpath"];
  const leaves: string[] = [];
  const visit = ({ variable, schema }: Question, parent: string) => {
    const path = parent ? `${parent}.${variable}` : variable;
    assert.ok(types.includes(schema.type), path);
    if (schema.enum)
      assert.ok(
        schema.enum.some(({ value }) => value === schema.default),
        path,
      );
    leaves.push(path);
    for (const each of schema.attrs ?? []) visit(each, path);
  };
  for (const each of questions) {
    assert.ok(
      groups.some((group) => group.name === each.group),
      each.variable,
    );
    visit(each, "");
  }
  const { consts, images } = parse(`${folder}/ix_values.yaml`);
  const known = [...leaves, ...Object.keys(consts).map((key) => `consts.${key}`)];
  const template = read(`${folder}/templates/docker-compose.yaml`);
  for (const [, used = ""] of template.matchAll(/\bvalues\.([\w.]+)/g)) assert.ok(known.includes(used), used);
  assert.ok(images.image.tag === version && template.trimEnd().endsWith("{{ tpl.render() | tojson }}"));
  const [, check = ""] = /"exec", \{"command": \["node", "\/app\/([\w./]+)"\]/.exec(template) ?? [];
  assert.ok(existsSync(join(root, check)));
  const values = parse(`${folder}/templates/test_values/basic-values.yaml`);
  for (const { variable } of questions) assert.ok(Object.hasOwn(values, variable), variable);
});

// https://raw.githubusercontent.com/YunoHost/apps/main/schemas/manifest.v2.schema.json and
// https://github.com/YunoHost/package_linter (tests/test_manifest.py)
test("YunoHost: the manifest has what the schema requires, and the scripts that every package needs", () => {
  const manifest = read("yunohost/manifest.toml");
  const value = (key: string) => new RegExp(`^\\s*${key} = (.+)$`, "m").exec(manifest)?.[1];
  assert.equal(value("packaging_format"), "2");
  assert.match(value("id") ?? "", /^"[a-z0-9]((_|-)?[a-z0-9])+"$/);
  assert.match(value("version") ?? "", /^"[0-9a-z]*([.+-][0-9a-z]*)*~ynh[0-9]*"$/);
  assert.ok((value("name") ?? "").length - 2 <= 22);
  for (const language of ["en", "fr"])
    assert.ok((value(`description\\.${language}`) ?? "").length <= 152, language);
  assert.match(value("yunohost") ?? "", /^">= ?\d{1,2}(\.\d{1,2}){0,2}"$/);
  assert.equal(value("helpers_version"), '"2.1"');
  for (const key of ["license", "architectures", "multi_instance", "ldap", "sso"]) assert.ok(value(key), key);
  for (const key of ["disk", "ram\\.build", "ram\\.runtime"]) {
    assert.match(value(key) ?? "", /^"[0-9]*(\.[0-9]*)?[kKmMgG]"$/);
  }
  for (const kind of ["amd64", "arm64"]) {
    assert.match(value(`${kind}\\.sha256`) ?? "", /^"[0-9a-z]{64}"$/);
    assert.ok(value(`${kind}\\.url`)?.endsWith(`-${version}-linux-${kind}.tar.gz"`));
  }
  for (const script of ["install", "remove", "upgrade", "backup", "restore"]) {
    const text = read(`yunohost/scripts/${script}`);
    assert.ok(text.startsWith("#!/bin/bash\n"), script);
    assert.match(text, /_common\.sh\nsource \/usr\/share\/yunohost\/helpers\n/);
    // Helpers of before version 2.1.
    assert.doesNotMatch(
      text,
      /ynh_(systemd_action|secure_remove|restore_file|add_\w+_config|script_progression --)/,
    );
  }
  // Its data is in /home/yunohost.app: https://doc.yunohost.org/dev/packaging/resources
  assert.match(read("yunohost/conf/systemd.service"), /^ProtectHome=tmpfs\nBindPaths=__DATA_DIR__$/m);
  for (const file of ["conf/nginx.conf", "conf/systemd.service", "doc/DESCRIPTION.md", "tests.toml"]) {
    assert.ok(existsSync(join(root, "deploy/yunohost", file)), file);
  }
});

// https://github.com/awesome-selfhosted/awesome-selfhosted-data/blob/master/.github/ISSUE_TEMPLATE/addition.md and
// PULL_REQUEST_TEMPLATE.md beside it
test("awesome-selfhosted: the entry has each required field, no comment, and a short description", () => {
  const entry = parse(`awesome-selfhosted/${name}.yml`);
  assert.deepEqual(Object.keys(entry), [
    ...["name", "website_url", "source_code_url", "description", "licenses", "platforms", "tags"],
  ]);
  assert.ok(entry.description.length < 250 && entry.description.endsWith("."));
  // Names in its licenses.yml, platforms/ and tags/.
  assert.deepEqual(
    [entry.licenses, entry.platforms, entry.tags],
    [["Apache-2.0"], ["Nodejs", "Docker"], ["Analytics"]],
  );
  assert.doesNotMatch(read(`awesome-selfhosted/${name}.yml`), /#/);
  assert.match(name, /^[a-z]+(-[a-z]+)*$/);
});

test("what the owner fills in is in the table alone: the account that publishes, and digests", () => {
  const { publisher, released } = service;
  const digests = [released.imageDigest, ...Object.values(released.tarballs)].map((each) => each.slice(-64));
  for (const file of ["Dockerfile", ...globSync(["deploy/**", ".github/**"], { cwd: root })]) {
    if (!statSync(join(root, file)).isFile()) continue;
    const text = readFileSync(join(root, file), "utf8");
    for (const [, account] of text.matchAll(/(?:github\.com|ghcr\.io)\/([\w-]+)\/email-analytics/g)) {
      assert.equal(account, publisher, file);
    }
    for (const [zeros] of text.matchAll(/0{40,}/g)) assert.ok(digests.includes(zeros), file);
    assert.doesNotMatch(text, /YOUR[_-]|CHANGE_?ME|TODO|FIXME|PLACEHOLDER|<(?:owner|account|digest)>/i, file);
  }
});

// https://helm.sh/docs/topics/charts/#the-chartyaml-file
test("Helm: the chart names its version, and the templates ask only for values that exist", () => {
  const chart = parse("helm/Chart.yaml");
  assert.deepEqual(
    [chart.apiVersion, chart.name, chart.version, chart.appVersion],
    ["v2", name, version, version],
  );
  const values = parse("helm/values.yaml");
  for (const file of globSync("*.yaml", { cwd: join(root, "deploy/helm/templates") })) {
    for (const [, path = ""] of read(`helm/templates/${file}`).matchAll(/\.Values\.([\w.]+)/g)) {
      let value = values;
      for (const key of path.split(".")) value = value[key];
      assert.notEqual(value, undefined, `${file}: ${path}`);
    }
  }
});

test("install.sh has under 60 lines of POSIX shell, and downloads the release of the table", () => {
  const script = read("install.sh");
  assert.ok(script.split("\n").length < 60);
  assert.equal(spawnSync("sh", ["-n"], { input: script }).status, 0);
  assert.ok(
    script.includes(
      `name=${name} version=${version}\nfrom=${service.repository}/releases/download/v$version\n`,
    ),
  );
  assert.ok(tarballUrl("amd64").endsWith(`/v${version}/${name}-${version}-linux-amd64.tar.gz`));
});

// Rated 1.1 by `systemd-analyze security` of systemd 252, which ran it in systemd-nspawn and found no error with `verify`.
test("the unit writes to its data alone, without capabilities or new privileges", () => {
  const unit = read(`${name}.service`);
  for (const line of [
    "ProtectSystem=strict",
    "CapabilityBoundingSet=",
    "NoNewPrivileges=yes",
    "PrivateUsers=yes",
  ]) {
    assert.ok(unit.includes(`\n${line}\n`), line);
  }
  assert.match(unit, new RegExp(`^ReadWritePaths=/var/lib/${name}$`, "m"));
  assert.match(unit, /^TimeoutStopSec=40$/m);
});
