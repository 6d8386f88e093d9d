import assert from "node:assert/strict";
import test from "node:test";
import { Html, html } from "../../src/locale/html.ts";

test("escapes values in HTML content and attributes", () => {
  const nasty = `"><script>alert('1')</script>&amp;`;
  const made = html`<p title="${nasty}">${nasty}</p>`;
  assert.equal(
    made.text,
    `<p title="&quot;&gt;&lt;script&gt;alert('1')&lt;/script&gt;&amp;amp;">&quot;&gt;&lt;script&gt;alert('1')&lt;/script&gt;&amp;amp;</p>`,
  );
});

test("inserts HTML, lists and numbers as they are, and nothing for missing values", () => {
  const items = ["<a>", "b"].map((each) => html`<li>${each}</li>`);
  assert.equal(
    html`<ul>${items}</ul>${0}${undefined}${null}${false}`.text,
    "<ul><li>&lt;a&gt;</li><li>b</li></ul>0",
  );
  assert.equal(String(html`${new Html("<br>")}`), "<br>");
});
