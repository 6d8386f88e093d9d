// The files that pages load: style sheet, script, fonts, and the images of the mark. All come from this service.

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { FastifyInstance } from "fastify";
import { webPaths } from "../../../paths.ts";
import { type ContentEncoding, encodeBody, encodingFor } from "../../api/content-encoding.ts";
import { markFile, productName } from "./icons/brand.ts";
import { markImages } from "./icons/mark-images.ts";

interface Asset {
  path: string;
  type: string;
  /** A function reads a file that few browsers ask for, so that memory does not keep it. */
  content: string | Buffer | (() => string);
}

/** The name contains a hash of the content, so browsers may cache the file forever. */
export function makeAsset(content: string | Buffer, extension: string, type: string): Asset {
  const hash = createHash("sha256").update(content).digest("hex").slice(0, 16);
  return { path: `/assets/${hash}.${extension}`, type, content };
}

/** Inter: variable, and split so that most pages load only the first file. */
const [latin, latinExtended] = ["latin", "latin-ext"].map((subset) => {
  const file = import.meta.resolve(`@fontsource-variable/inter/files/inter-${subset}-wght-normal.woff2`);
  return makeAsset(readFileSync(fileURLToPath(file)), "woff2", "font/woff2");
}) as [Asset, Asset];

const fontFace = ({ path }: Asset, range: string) =>
  `@font-face { font-family: "Inter Variable"; font-weight: 100 900; font-display: optional; src: url(${path}) format("woff2"); unicode-range: ${range}; }\n`;

const latinRange =
  "U+0000-00FF,U+0131,U+0152-0153,U+02BB-02BC,U+02C6,U+02DA,U+02DC,U+0304,U+0308,U+0329,U+2000-206F,U+20AC,U+2122,U+2191,U+2193,U+2212,U+2215,U+FEFF,U+FFFD";
const latinExtendedRange =
  "U+0100-02BA,U+02BD-02C5,U+02C7-02CC,U+02CE-02D7,U+02DD-02FF,U+1D00-1DBF,U+1E00-1E9F,U+1EF2-1EFF,U+2020,U+20A0-20AB,U+20AD-20C0,U+2113,U+2C60-2C7F,U+A720-A7FF";

const readAsset = (name: string) => readFileSync(new URL(`./assets/${name}`, import.meta.url), "utf8");

/** Later parts override earlier ones. */
const styleParts = ["tokens", "base", "shell", "controls", "parts", "tables", "charts", "print"];

const styleFile = makeAsset(
  fontFace(latinExtended, latinExtendedRange) +
    fontFace(latin, latinRange) +
    styleParts.map((name) => readAsset(`${name}.css`)).join(""),
  "css",
  "text/css; charset=utf-8",
);
const scriptFile = makeAsset(readAsset("app.js"), "js", "text/javascript; charset=utf-8");
const icon = makeAsset(markFile, "svg", "image/svg+xml");
const manifest = makeAsset(
  JSON.stringify({
    name: productName,
    start_url: "/",
    display: "minimal-ui",
    icons: [{ src: icon.path, type: icon.type, sizes: "any" }],
  }),
  "webmanifest",
  "application/manifest+json",
);
/** Browsers that know speculation rules fetch a page of the application when the pointer rests on its link. */
const prefetchRules = makeAsset(
  JSON.stringify({
    prefetch: [{ where: { selector_matches: ".rail nav a, .subnav a, .tabs a" }, eagerness: "moderate" }],
  }),
  "json",
  "application/speculationrules+json",
);

/** The URLs of the files, for the head of a page. */
export const assetPaths = {
  style: styleFile.path,
  script: scriptFile.path,
  font: latin.path,
  icon: icon.path,
  manifest: manifest.path,
  prefetchRules: prefetchRules.path,
} as const;

const hashed = [styleFile, scriptFile, latin, latinExtended, icon, manifest, prefetchRules];

/** Browsers look for these at fixed paths, so they are cached for a day only. */
const fixed: readonly Asset[] = [
  {
    path: webPaths.favicon,
    type: "image/x-icon",
    content: Buffer.from(markImages.favicon, "base64"),
  },
  { path: webPaths.touchIcon, type: "image/png", content: Buffer.from(markImages.touchIcon, "base64") },
];

export function addAssets(app: FastifyInstance): void {
  for (const asset of hashed) addAsset(app, asset);
  for (const asset of fixed) addAsset(app, asset, "public, max-age=86400");
}

export function addAsset(
  app: FastifyInstance,
  { path, type, content }: Asset,
  caching = "public, max-age=31536000, immutable",
): void {
  const encodings = new Map<ContentEncoding, ReturnType<typeof encodeBody>>();
  const headers = { "content-type": type, "cache-control": caching, vary: "accept-encoding" };
  app.get(path, async ({ headers: { "accept-encoding": accepted } }, reply) => {
    // Fonts and PNG are compressed already.
    const wanted = Buffer.isBuffer(content) ? "identity" : encodingFor(accepted);
    const encoded =
      encodings.get(wanted) ??
      encodeBody(Buffer.from(typeof content === "function" ? content() : content), wanted);
    encodings.set(wanted, encoded);
    const { body, encoding } = await encoded;
    if (encoding !== "identity") reply.header("content-encoding", encoding);
    return reply.headers(headers).send(body);
  });
}
