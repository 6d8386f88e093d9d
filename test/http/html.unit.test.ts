import assert from "node:assert/strict";
import test from "node:test";
import { Html, html } from "../../src/http/html.ts";

test("whatever is put into HTML is escaped, in text and in attributes", () => {
  const nasty = `"><script>alert('1')</script>&amp;`;
  const made = html`<p title="${nasty}">${nasty}</p>`;
  assert.equal(
    made.text,
    `<p title="&quot;&gt;&lt;script&gt;alert('1')&lt;/script&gt;&amp;amp;">&quot;&gt;&lt;script&gt;alert('1')&lt;/script&gt;&amp;amp;</p>`,
  );
});

test("HTML, lists of it and numbers are put in as they are, and nothing stands for what is missing", () => {
  const items = ["<a>", "b"].map((each) => html`<li>${each}</li>`);
  assert.equal(
    html`<ul>${items}</ul>${0}${undefined}${null}${false}`.text,
    "<ul><li>&lt;a&gt;</li><li>b</li></ul>0",
  );
  assert.equal(String(html`${new Html("<br>")}`), "<br>");
});
