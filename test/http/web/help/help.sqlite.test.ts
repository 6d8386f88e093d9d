// The help pages: everything of the files in docs/ that they show, and links that lead somewhere.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import test, { after } from "node:test";
import { parseFragment } from "parse5";
import { feedFieldNames } from "../../../../src/campaign/feed/feed-fields.ts";
import { helpGroups } from "../../../../src/http/web/help/help-topics.ts";
import { locales } from "../../../../src/locale/locale.ts";
import { makeWebWorld, requestPage } from "../../../support/web-world.ts";
import { campaign } from "../../../support/world.ts";

const web = await makeWebWorld({ after });
const viewer = await web.signIn("viewer");
const ids = Object.values(helpGroups).flat();
const fileOf = (id: string) => readFileSync(join(import.meta.dirname, `../../../../docs/${id}.md`), "utf8");
const idsIn = (text: string) => [...text.matchAll(/ id="([^"]+)"/g)].map(([, id = ""]) => id);

test("lists all help by task, for signed-in users", async () => {
  const text = await viewer.read("/help");
  assert.match(text, /<a href="\/help" aria-current="page"><svg [^>]*>.*?<\/svg>Help<\/a>/);
  const main = text.slice(text.indexOf("<main"));
  const links = [...main.matchAll(/<a href="([^"]+)"/g)].map(([, link]) => link);
  const readers = ["/help/overview", "/help/questions", "/help/fields"];
  const expected = ["/connect", "/docs", ...readers, ...ids.map((id) => `/help/${id}`)];
  assert.deepEqual(links.sort(), expected.sort());
  assert.match(text, /What to do when a tool does not show what you expect\./);
  assert.match(text, /The terms of the service and what they mean\./);
  assert.doesNotMatch(text, /is a placeholder/);
  assert.equal((await requestPage(`${web.service.url}/help`)).location, "/sign-in?to=%2Fhelp");
});

test("lists topics in the reader's language, and marks their pages as English", async () => {
  const list = await viewer.read("/help", "de");
  const topics = [
    ...list.matchAll(/<dt><a href="\/help\/([^"]+)" hreflang="en">(.*?)<\/dt><dd class="soft">(.*?)<\/dd>/g),
  ];
  assert.deepEqual(topics.map(([, id]) => id).join(), ids.join());
  assert.deepEqual(topics[3]?.slice(2), [
    'Problemlösung</a> <span class="soft small">(auf Englisch)</span>',
    "Was zu tun ist, wenn ein Tool nicht zeigt, was Sie erwarten.",
  ]);
  const page = await viewer.read("/help/troubleshooting", "de");
  assert.match(page, /<title>Problemlösung · /);
  assert.match(page, /<h1 lang="en">Troubleshooting<\/h1>/);
});

test("names each topic in English as its file", () => {
  for (const id of ids) {
    assert.equal(locales.en.t(`help.topics.${id}.title`), /^# (.*)$/m.exec(fileOf(id))?.[1], id);
  }
});

test("shows every heading, paragraph, table row and line of code of a file, and no Markdown", async () => {
  for (const id of ids) {
    const text = await viewer.read(`/help/${id}`);
    const article = /<article.*<\/article>/s.exec(text)?.[0] ?? assert.fail(id);
    const file = fileOf(id);
    assert.ok(text.includes(`<h1>${/^# (.*)$/m.exec(file)?.[1]}</h1>`), id);
    const words = (given: string) => given.match(/[\p{L}\p{N}_]+/gu) ?? [];
    const shown = words(textOf(article));
    const written = words(
      file
        .replace(/^# .*\n/, "")
        .replaceAll(/<!--.*?-->/g, "")
        .replaceAll(/```\w+|^\d+\. /gm, "")
        .replaceAll(/\]\([^)]*\)/g, "]")
        .replaceAll("&lt;", "<"),
    );
    assert.deepEqual(shown, written, id);
    assert.doesNotMatch(article.replaceAll(/<(pre|code)[\s\S]*?<\/\1>/g, ""), /\*\*|^#|\]\(|```|<!--/m, id);
  }
});

test("names every column of a table, also where its rows are cards on phones", async () => {
  for (const id of ids) {
    assert.doesNotMatch(await viewer.read(`/help/${id}`), /<th[^>]*>\s*<\/th>/, id);
  }
  const text = await viewer.read("/help/numbers");
  assert.match(
    text,
    /<table class="stack">\n<thead><tr><th scope="col">Property<\/th>[\s\S]*<th scope="row">Closed after<\/th><td data-label="Individual">400 days<\/td>/,
  );
});

test("leads every link to a page and an anchor that exist", async () => {
  const pages = new Map<string, string>();
  const open = async (path: string) => {
    const known = pages.get(path);
    if (known !== undefined) return known;
    const text = await viewer.read(path);
    pages.set(path, text);
    return text;
  };
  let links = 0;
  for (const id of [...ids, "fields", "overview", "questions"]) {
    const text = await open(`/help/${id}`);
    for (const [, href = ""] of text.slice(text.indexOf("<main")).matchAll(/<a href="([^"]+)"/g)) {
      if (href.startsWith("https://")) continue;
      const [path = "", anchor] = href.split("#");
      const target = await open(path === "" ? `/help/${id}` : path);
      assert.ok(anchor === undefined || idsIn(target).includes(anchor), `${id}: ${href}`);
      links += 1;
    }
  }
  assert.ok(links > 30);
});

test("explains each number and mark of the overview, by the name that it has there, in each language", async () => {
  for (const [language, { t, texts }] of Object.entries(locales)) {
    const text = await viewer.read("/help/overview", language);
    const terms = new Map(
      [...text.matchAll(/<dt id="\w+">(.*?)<\/dt><dd>(.*?)<\/dd>/g)].map(([, name = "", meaning = ""]) => [
        name,
        meaning,
      ]),
    );
    for (const name of [
      ...[t("numbers.openRate"), t("numbers.clickRate"), t("numbers.readShare")],
      ...[t("numbers.enpsIndex"), t("campaigns.isStillCounting")],
      ...[
        `${t("overview.ranked.best")}, ${t("overview.ranked.worst")}`,
        t("overview.topLinks"),
        t("overview.latestComments"),
      ],
    ]) {
      assert.match(terms.get(name) ?? "", /\p{L}{3}.*\.$/u, `${language}: ${name}`);
    }
    for (const [name, meaning] of terms)
      assert.doesNotMatch(name + meaning, /\[\[|[a-z]{3}\.[a-z]/, language);
    const questions = await viewer.read("/help/questions", language);
    for (const [id, question] of Object.entries(texts("help.questions.names"))) {
      const [, name, answer = ""] =
        new RegExp(`<dt id="${id}">(.*?)</dt><dd>(.*?)</dd>`).exec(questions) ?? [];
      assert.equal(name, question);
      assert.equal(answer.match(/<a href="\//g)?.length, 1, `${language}: ${id}`);
      assert.ok((answer.match(/[.?](?: |$)/g)?.length ?? 0) <= 3, `${language}: ${id}: ${answer}`);
    }
  }
});

test("leads from the numbers of the overview and of a campaign to their meaning", async () => {
  await web.world.save(web.organization, [campaign({ id: 1 })]);
  for (const path of ["/?period=all", "/campaigns/1"]) {
    assert.match(await viewer.read(path), /href="\/help\/overview">What these numbers mean</, path);
  }
});

test("explains every field by the metric contract", async () => {
  const text = await viewer.read("/help/fields");
  assert.match(text, /Pages show all rates as percentages with one decimal: 0\.2947 is 29\.5%/);
  const rows = idsIn(text.slice(text.indexOf("<tbody"), text.indexOf("</tbody>")));
  assert.deepEqual(rows, feedFieldNames);
  const [row = ""] = /<tr id="open_rate">.*?<\/tr>/s.exec(text) ?? [];
  const lines = textOf(row)
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  assert.deepEqual(lines, [
    ...["Open rate", "open_rate", "Share of recipients who opened the campaign."],
    ...["a fraction, 0 to 1", "min(unique_opens, recipient_count) / recipient_count"],
    ...["Rounding: 4 decimals, rounded half up.", "No recipients, or the import has no value."],
  ]);
  assert.equal((await viewer.get("/help/nothing")).status, 404);
  assert.equal((await viewer.get("/help/..%2FREADME")).status, 404);
});

/** The text of an HTML fragment. */
function textOf(fragment: string): string {
  const visit = (node: unknown): string => {
    const { value, childNodes } = node as { value?: string; childNodes?: unknown[] };
    return value ?? (childNodes ?? []).map(visit).join("");
  };
  return visit(parseFragment(fragment.replaceAll(/<\/t[dh]>|<br>/g, "\n$&")));
}
