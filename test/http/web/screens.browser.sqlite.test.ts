// Every page in a real browser, light and dark, on desktop and phone: accessibility, layout, size and third-party requests.
// With SCREENSHOTS set to a folder, saves screenshots there.

import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import test, { after, type TestContext } from "node:test";
import { type DefaultTreeAdapterTypes, parse } from "parse5";
import type { BrowserContext, Page, Request } from "playwright-core";
import { dayMs } from "../../../src/campaign/calendar/durations.ts";
import { locales } from "../../../src/locale/locale.ts";
import { messagesOf } from "../../../src/locale/translations.ts";
import { addApiKey } from "../../../src/storage/keys/api-keys.ts";
import { saveOrganization } from "../../../src/storage/organizations/organizations.ts";
import { addSession } from "../../../src/storage/users/sessions.ts";
import { addUser } from "../../../src/storage/users/users.ts";
import { findExcessWidth, findPageProblems } from "../../support/axe.ts";
import { closeBrowser, openBrowser } from "../../support/browser.ts";
import { copyDemoWorld } from "../../support/demo-site.ts";
import { givePassword } from "../../support/guest.ts";
import { isFullSize } from "../../support/random-cases.ts";
import { requestPage } from "../../support/web-world.ts";
import { type Cleanup, region, type Service, serve } from "../../support/world.ts";

after(closeBrowser);

const { SCREENSHOTS: pictures } = process.env;

/** Paths by the names of their screenshots. */
const screens = {
  overview: "/",
  "overview-all": "/?period=all",
  "overview-week": "/?period=7d",
  breakdown: "/breakdown?by=tag",
  "breakdown-week": "/breakdown?period=7d",
  "breakdown-hours": "/breakdown?period=12m&by=hour",
  series: "/series?tag=3",
  campaigns: "/campaigns",
  "campaign-counted": "/campaigns/525",
  "campaign-anonymous": "/campaigns/489",
  "campaign-imported": "/campaigns/231",
  "campaign-links": "/campaigns/525?tab=links",
  "campaign-surveys": "/campaigns/525?tab=surveys",
  "campaign-recipients": "/campaigns/525/recipients",
  "campaign-details": "/campaigns/525?tab=details",
  import: "/campaigns/import",
  compare: "/campaigns/compare?ids=525,489,231",
  links: "/links",
  audience: "/audience",
  "audience-week": "/audience?period=7d",
  "campaign-audience": "/campaigns/525?tab=audience",
  "non-readers": "/audience/non-readers",
  search: "/search?q=news",
  surveys: "/surveys",
  comments: "/comments",
  "comments-low": "/comments?rating=low",
  connect: "/connect",
  "connect-tool": "/connect/observable",
  help: "/help",
  "help-api": "/help/api",
  "help-overview": "/help/overview",
  "help-questions": "/help/questions",
  "help-fields": "/help/fields",
  sources: "/sources",
  traffic: "/sources/traffic",
  "analytics-api": "/settings/integrations/analytics-api",
  tags: "/settings/tags",
  people: "/settings/people",
  "audience-settings": "/settings/audience",
  "share-links": "/settings/share-links?view=/",
  chat: "/settings/chat",
  audit: "/settings/audit",
  organization: "/settings/organization",
  account: "/settings/account",
  "second-factor": "/settings/account/second-factor",
  nothing: "/campaigns/999999",
} as const;

const widths = { desk: { width: 1280, height: 900 }, phone: { width: 360, height: 740 } } as const;

interface Served {
  service: Service;
  cookie: string;
  /** The path of a share link. */
  shared: string;
}

const steps: (() => unknown)[] = [];
after(async () => {
  for (const step of steps) await step();
});
let shared: Promise<Served> | undefined;

/** The demo's data, which no test changes. */
function served(): Promise<Served> {
  shared ??= serveDemoData({ after: (step) => steps.push(step) });
  return shared;
}

async function serveDemoData(cleanup: Cleanup): Promise<Served> {
  const { world, organizationId } = await copyDemoWorld(cleanup);
  const { now } = world.clock;
  const { user, secret, key } = await world.database.transactionOf(organizationId, async (scope) => {
    await saveOrganization(scope, { shareLinks: "allow" });
    const link = { region, name: "Board", scope: "share-link", selection: "/", now } as const;
    const { text } = await addApiKey(scope, { ...link, expiresAt: now + dayMs });
    const invited = { email: "björn@lindgren.example", role: "viewer", now } as const;
    await addUser(scope, invited);
    const added = await addUser(scope, { ...invited, email: "astrid@lindgren.example", role: "admin" });
    const session = await addSession(scope, added, { client: "Chrome on Linux", now });
    return { user: added, secret: session, key: text };
  });
  await givePassword({ world }, user, "nine green ships sail");
  const service = await serve(cleanup, world, { publicUrl: () => "http://127.0.0.1" });
  return { service, cookie: secret, shared: `/shared/${key}` };
}

async function opened(
  t: TestContext,
  { service, cookie }: Pick<Served, "service"> & Partial<Served>,
  options: Parameters<typeof openBrowser>[1] = {},
): Promise<BrowserContext> {
  const context = await openBrowser(t, options);
  if (cookie) await context.addCookies([{ name: "ea_session", value: cookie, url: service.url }]);
  return context;
}

const everyLook = [
  ...([
    ["light", "desk"],
    ["dark", "phone"],
  ] as const),
  ...([
    ["light", "phone"],
    ["dark", "desk"],
  ] as const),
];
/** The two variants that differ most; all four for screenshots. */
const looks = pictures === undefined ? everyLook.slice(0, 2) : everyLook;

test("passes axe-core on every page, never scrolls sideways, and keeps the Content-Security-Policy", async (t) => {
  const given = await served();
  const page = await (await opened(t, given, { reducedMotion: "reduce" })).newPage();
  const complaints: string[] = [];
  page.on("console", (message) => complaints.push(message.text()));
  for (const [index, [name, path]] of Object.entries(screens).entries()) {
    await page.goto(given.service.url + path);
    await checkLooks(page, { name, index });
  }
  const unexpected = complaints.filter((each) => !/404/.test(each));
  assert.deepEqual(unexpected, []);
  await page.goto(given.service.url + screens.sources);
  await page.getByRole("button", { name: "Discard all" }).click();
  await page.getByRole("button", { name: "Discard", exact: true }).waitFor();
  await checkLooks(page, { name: "discard", index: 1 });
  const guest = await (await opened(t, { service: given.service })).newPage();
  await guest.goto(`${given.service.url}/sign-in`);
  await checkLooks(guest, { name: "sign-in", index: 0 });
  await guest.goto(given.service.url + given.shared);
  await checkLooks(guest, { name: "shared", index: 1 });
});

/**
 * axe-core takes seconds on a page, and pages share most of their parts: it runs on each sixth one, in turn in each look. The
 * others are seen on the phone only, which is narrow.
 */
async function checkLooks(page: Page, { name, index }: { name: string; index: number }): Promise<void> {
  if (pictures !== undefined) await savePictures(page, pictures, name);
  // Checks collapsed content as well.
  await page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true");
  for (const [look, [colorScheme, device]] of looks.entries()) {
    const isTurn = index % 6 === 0 && (index / 6) % looks.length === look;
    if (!isFullSize && !isTurn && device === "desk") continue;
    await page.setViewportSize(widths[device]);
    await page.emulateMedia({ colorScheme });
    const find = isFullSize || isTurn ? findPageProblems : findExcessWidth;
    assert.deepEqual(await find(page), [], `${name} (${colorScheme}, ${device})`);
  }
  assert.deepEqual(await page.evaluate(tooWide), [], `${name} hides columns on phones`);
  assert.deepEqual(await page.evaluate(wrapped), [], `${name} wraps the number of items`);
}

/** Tables that scroll sideways. The data of charts, documents, and tables with a pinned column may. */
const tooWide = `[...document.querySelectorAll(".table")]
  .filter((each) => !each.matches(".data *, .document *") && !each.querySelector(".pinned"))
  .filter((each) => each.scrollWidth > each.clientWidth)
  .map((each) => each.ariaLabel)`;

/** Numbers of items above lists that are taller than a line. */
const wrapped = `[...document.querySelectorAll(".list-head > h2")]
  .filter((each) => each.offsetHeight > 30)
  .map((each) => each.textContent)`;

/** Long pages repeat themselves. */
const maxPictureHeight = 2_000;

/** The windows of screenshots. The checks have the narrowest phones, and pictures usual ones. */
const pictured = { desk: widths.desk, phone: { width: 390, height: 844 } } as const;

/** The pages with screenshots on phones too, by the names of their screenshots. */
const picturedOnPhones = new Set([
  ...["overview", "campaigns", "campaign-counted", "links", "comments", "connect", "organization"],
]);

async function savePictures(page: Page, folder: string, name: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  for (const [colorScheme, device] of looks) {
    if (device === "phone" && !picturedOnPhones.has(name)) continue;
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize(pictured[device]);
    const height = Math.min(Number(await page.evaluate("document.body.scrollHeight")), maxPictureHeight);
    const clip = { x: 0, y: 0, width: pictured[device].width, height };
    const path = join(folder, `${name}-${colorScheme}-${device}.jpg`);
    await page.screenshot({ path, fullPage: true, clip, type: "jpeg", quality: 60 });
  }
}

test("prints the overview as a report on one page of A4", async (t) => {
  const { service, ...given } = await served();
  const page = await (await opened(t, { service, ...given })).newPage();
  await page.goto(`${service.url}/`);
  const pdf = (await page.pdf({ preferCSSPageSize: true })).toString("latin1");
  assert.equal(pdf.match(/\/Type \/Page\b/g)?.length, 1);
  assert.match(pdf, /\/MediaBox \[0 0 59[45][.\d]* 84[12]/);
  await page.emulateMedia({ media: "print" });
  const printed = await page.locator("h1, h2, .metric .name").filter({ visible: true }).allInnerTexts();
  const rates = ["Open rate", "Click rate", "Read over 9\u00a0s"];
  const numbers = [...rates, "eNPS", "Campaigns"];
  const cards = ["Open rate", "Highest open rates", "Lowest open rates", "Latest comments"];
  assert.deepEqual(printed, ["Overview", ...numbers, ...cards]);
  assert.equal(await page.locator(".comment").filter({ visible: true }).count(), 3);
  await page.goto(`${service.url}${screens["overview-week"]}`);
  const cardsOfWeek = await page.locator("h2").filter({ visible: true }).allInnerTexts();
  assert.deepEqual(cardsOfWeek, ["Open rate", "Still counting"]);
  await page.goto(`${service.url}${screens.audience}?period=12m`);
  const names = page.locator(".periods tbody th").filter({ visible: true });
  assert.deepEqual(await names.allInnerTexts(), ["IT", "Finance", "Logistics", "Sales", "Production"]);
});

test("loads the first page in under 150 KB without third-party requests", async (t) => {
  const given = await served();
  const page = await (await opened(t, given)).newPage();
  const sizes: Promise<number>[] = [];
  const hosts = new Set<string>();
  page.on("response", (response) => hosts.add(new URL(response.url()).host));
  const sizeOf = async (request: Request) => {
    const { responseBodySize, responseHeadersSize } = await request.sizes();
    return responseBodySize + responseHeadersSize;
  };
  page.on("requestfinished", (request) => sizes.push(sizeOf(request)));
  await page.goto(given.service.url, { waitUntil: "networkidle" });
  hosts.delete("");
  assert.deepEqual([...hosts], [new URL(given.service.url).host]);
  const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
  assert.ok(bytes > 5_000 && bytes < 150_000, `${bytes} bytes`);
});

/** The help and the steps of tools say that they are in English. */
function withoutEnglishParts(node: DefaultTreeAdapterTypes.Node): string {
  if ("attrs" in node && node.attrs.some(({ name, value }) => name === "lang" && value === "en")) return "";
  const attributes = "attrs" in node ? node.attrs.map(({ value }) => value) : [];
  const text = "value" in node ? [node.value] : [];
  const children = "childNodes" in node ? node.childNodes.map(withoutEnglishParts) : [];
  return [...attributes, ...text, ...children].join("\n");
}

test("shows no English text on any page in German", async () => {
  const { service, cookie } = await served();
  const german = new Set(Object.values(messagesOf.de));
  // The texts that have no parameters. One is also the comment of a recipient.
  const english = Object.values(messagesOf.en).filter(
    (text) =>
      / /.test(text) &&
      text !== messagesOf.en["reader.thanks.title"] &&
      !/[{<]/.test(text) &&
      !german.has(text),
  );
  for (const path of Object.values(screens)) {
    const headers = { cookie: `ea_session=${cookie}`, "accept-language": "de-DE" };
    const { text } = await requestPage(service.url + path, { headers });
    assert.match(text, /<html lang="de"[\s\S]*<h1[^>]*>(<[^>]*>)*[^<]/, path);
    const shown = withoutEnglishParts(parse(text));
    const found = english.filter((each) => shown.includes(each));
    assert.deepEqual(found, [], path);
  }
});

test("fits the filters of the overview in a row on desks, and its results on phones, in every language", async (t) => {
  const given = await served();
  const groupings = ["team", "group", "tag", "sending_type"];
  for (const [index, locale] of (isFullSize ? Object.keys(locales) : ["de", "fr"]).entries()) {
    const page = await (await opened(t, given, { locale, viewport: widths.desk })).newPage();
    await page.goto(given.service.url);
    assert.equal(await page.locator("html").getAttribute("lang"), locale);
    const toolbar = page.locator(".toolbar");
    assert.ok(((await toolbar.boundingBox())?.height ?? 0) < 40, `${locale}: the filters wrap`);
    await page.setViewportSize(widths.phone);
    for (const by of isFullSize ? groupings : groupings.slice(index % 4, (index % 4) + 1)) {
      await page.goto(`${given.service.url}/?by=${by}`);
      assert.deepEqual(await page.evaluate(tooWide), [], `${locale}, ${by}`);
    }
  }
});

test("fits lists, answers and the heading of a campaign on tablets", async (t) => {
  const { service, ...given } = await served();
  const window = { viewport: { width: 1024, height: 768 } };
  const page = await (await opened(t, { service, ...given }, window)).newPage();
  const { surveys, breakdown, campaigns, sources, people, audit } = screens;
  const wide = [screens["campaign-audience"], screens["campaign-recipients"], screens["help-fields"]];
  const inSettings = [people, audit, screens["analytics-api"]];
  for (const path of [surveys, breakdown, campaigns, sources, ...wide, ...inSettings]) {
    await page.goto(service.url + path);
    assert.deepEqual(await page.evaluate(tooWide), [], path);
    const stubs =
      "[...document.querySelectorAll('td.bar svg.fill')].filter((each) => each.clientWidth > 0 && each.clientWidth < 32)";
    assert.equal(await page.evaluate(`${stubs}.length`), 0, `${path} has bars of a few pixels`);
  }
  await page.setViewportSize({ width: 820, height: 1180 });
  await page.goto(service.url + screens["campaign-counted"]);
  const [title, actions] = await Promise.all(
    [".heading h1", ".heading > .row"].map((part) => page.locator(part).first().boundingBox()),
  );
  assert.ok(title && actions && actions.y < title.y + title.height, "the actions are beside the title");
});

test("shows the open rate in lists, whole subjects and every month on phones", async (t) => {
  const { service, ...given } = await served();
  const page = await (await opened(t, { service, ...given }, { viewport: widths.phone })).newPage();
  await page.goto(service.url + screens.campaigns);
  const cell = page.locator("[data-list] tbody [data-label='Open rate']").first();
  assert.match(await cell.innerText(), /%/);
  const isWhole = "(({ scrollHeight, clientHeight }) => scrollHeight <= clientHeight)";
  const subjects = "[...document.querySelectorAll('[data-list] tbody th .subject')]";
  assert.equal(await page.evaluate(`${subjects}.length > 20 && ${subjects}.every(${isWhole})`), true);
  await page.goto(service.url + screens["campaign-counted"]);
  assert.equal(await page.evaluate(`${isWhole}(document.querySelector("h1 .subject"))`), true);
  await page.goto(`${service.url}/campaigns/compare?ids=525,489`);
  assert.equal(await page.evaluate(linesOfTeam), 2, "no word is cut");
  await page.goto(service.url + screens.audience);
  const periods = page.locator(".periods tbody tr").first();
  const cells = await periods.locator("td:visible").allInnerTexts();
  assert.deepEqual(
    cells.map((cell) => cell.replace(/\s+/g, " ")),
    ["80.7% 4 of 7", "69.4% 10 of 13", "69.7% 10 of 12"],
  );
  assert.equal(await page.evaluate("document.querySelector('.periods > .table').scrollLeft"), 0);
  await page.setViewportSize({ width: 1024, height: 1600 });
  await page.goto(`${service.url}${screens.audience}?period=12m`);
  assert.deepEqual(await page.evaluate(covered), [], "names below rates");
});

/** The lines of "Internal Communications" in a comparison. */
const linesOfTeam = `(() => {
  const range = document.createRange();
  const texts = document.createTreeWalker(document.querySelector(".compared tbody"), NodeFilter.SHOW_TEXT);
  while (!/Communications/.test(texts.nextNode().data));
  range.selectNode(texts.currentNode);
  return new Set([...range.getClientRects()].map(({ bottom }) => Math.round(bottom))).size;
})()`;

/** Names of groups that something else covers. */
const covered = `[...document.querySelectorAll(".periods tbody th")]
  .filter((name) => {
    const { left, top } = name.getBoundingClientRect();
    return !name.contains(document.elementFromPoint(left + 24, top + 16));
  })
  .map((name) => name.innerText)`;

test("skips to the main content with the first Tab", async (t) => {
  const given = await served();
  const page = await (await opened(t, given)).newPage();
  await page.goto(`${given.service.url}/settings/tags`);
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate("document.activeElement.textContent"), "Skip to main content");
  await page.keyboard.press("Enter");
  assert.equal(new URL(page.url()).hash, "#main");
});

/** What Tab stops at, in the order of the page. Of the options of a group of radio buttons it stops at one. */
const tabStops = `[...document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex='0']")]
  .filter((each) => each.tabIndex >= 0 && !each.disabled && each.checkVisibility({ visibilityProperty: true }))
  .filter((each) => each.type !== "radio" || each.checked)`;

test("reaches everything on a page with Tab, in the order of the page and with a visible focus", async (t) => {
  const given = await served();
  const page = await (await opened(t, given, { viewport: widths.desk })).newPage();
  for (const [index, [name, path]] of Object.entries(screens).entries()) {
    if (!isFullSize && index % 12 !== 0) continue;
    await page.goto(given.service.url + path);
    // The script decides after the first frames which tables are stops.
    await page.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(done, 50)))");
    await page.evaluate(
      `document.body.tabIndex = -1; document.body.focus(); window.stops = ${tabStops}; window.reached = []`,
    );
    // A date has stops of its own, day, month, year and its picker, which the browser highlights.
    const count = Number(
      await page.evaluate(
        "window.stops.length + 4 * document.querySelectorAll('[type=date]').length + 7 * document.querySelectorAll('[type=datetime-local]').length",
      ),
    );
    for (let step = 0; step < count; step++) {
      await page.keyboard.press("Tab");
      await page.evaluate(`{
        const { activeElement } = document;
        const { outlineStyle, boxShadow } = getComputedStyle(activeElement);
        window.reached.push([activeElement, outlineStyle !== "none" || boxShadow !== "none"]);
      }`);
    }
    const missed = await page.evaluate(`window.stops
      .filter((each) => !window.reached.some(([element]) => element === each))
      .map((each) => each.outerHTML.slice(0, 120))`);
    assert.deepEqual(missed, [], `${name}: not reached`);
    const order = (await page.evaluate(
      "[...new Set(window.reached.map(([each]) => window.stops.indexOf(each)))].filter((at) => at >= 0)",
    )) as number[];
    const first = order.indexOf(0);
    assert.deepEqual([...order.slice(first), ...order.slice(0, first)], [...order.keys()], `${name}: order`);
    const unseen = await page.evaluate(
      "window.reached.filter(([each, isSeen]) => each !== document.body && !each.type?.startsWith('date') && !isSeen).map(([each]) => each.outerHTML.slice(0, 120))",
    );
    assert.deepEqual(unseen, [], `${name}: without a visible focus`);
  }
});
