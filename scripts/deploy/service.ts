// The table from which all files of deploy/ that install the service are made. `npm run docs` writes them.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { settings } from "../../src/config.ts";
import { markFile } from "../../src/http/web/ui/icons/brand.ts";
import { paths } from "../../src/paths.ts";

const root = join(import.meta.dirname, "../..");
const { name, version, description, license } = JSON.parse(
  readFileSync(join(root, "package.json"), "utf8"),
) as Record<"name" | "version" | "description" | "license", string>;

/** The account at GitHub that publishes. Set it before the first release, and run `npm run docs`. */
const publisher = "example";
const repository = `https://github.com/${publisher}/${name}`;

/**
 * The young generation of the first thread may take 12 MB and not 48, and the program may start no other: all else of Node's
 * permissions is allowed, because files have their own limits.
 */
const nodeOptions = [
  "--max-semi-space-size=4",
  ...["--permission", "--allow-fs-read=*", "--allow-fs-write=*", "--allow-worker", "--allow-addons"],
  ...["--disable-warning=PERM0001", "--disable-warning=PERM0006"],
];

export const service = {
  name,
  nodeOptions,
  title: "Email Analytics",
  tagline: "Exact numbers of your email campaigns",
  description,
  license,
  version,
  publisher,
  repository,
  image: `ghcr.io/${publisher}/${name}`,
  logo: markFile,
  port: 8080,
  /** The folder of the database, the only one that is written. */
  volume: "/data",
  user: 1000,
  health: paths.health.live,
  ready: paths.health.ready,
  stopSeconds: 40,
  memoryMb: 256,
  cpus: 1,
  /** Known after a release alone. Zeros until then. */
  released: {
    imageDigest: `sha256:${"0".repeat(64)}`,
    tarballs: { amd64: "0".repeat(64), arm64: "0".repeat(64) },
  },
  meanings: {
    PUBLIC_URL: settings.PUBLIC_URL.meaning,
    TRUSTED_PROXIES: settings.TRUSTED_PROXIES.meaning,
    SETUP_TOKEN: settings.SETUP_TOKEN.meaning,
  },
};

/** The paths that programs call with a key or a token of the service, without the sign-in of a platform. */
export const programPaths = ["/data_api/*", "/odata/*", "/ingest/*", "/t/*", "/mcp", paths.health.live];

/** What is said in the browser after an installation. */
export const firstStep = (url: string) => `Open ${url} to name your organization and choose a password.`;

export const tarballUrl = (architecture: string) =>
  `${repository}/releases/download/v${version}/${name}-${version}-linux-${architecture}.tar.gz`;
