// The part of the script for people who use keys: the rows of a table are one tab stop, and a choice that loads the same page
// again keeps the focus.

import { resultsId } from "./results.ts";

export const keyboardScript = `
// Arrow keys move between the rows of a table. Tab goes on to what follows it.
for (const body of document.querySelectorAll("tbody[data-rows]")) {
  const rows = [...body.rows].filter((row) => row.querySelector("th a"));
  const enter = (current) => {
    for (const row of rows) for (const control of row.querySelectorAll("a, input")) control.tabIndex = row === current ? 0 : -1;
  };
  enter(rows[0]);
  body.addEventListener("focusin", ({ target }) => enter(target.closest("tr")));
  body.addEventListener("keydown", (event) => {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    const row = step && rows[rows.indexOf(event.target.closest("tr")) + step];
    if (!row) return;
    event.preventDefault();
    row.querySelector(event.target.matches("input") ? "input" : "th a").focus();
  });
}
// The state of the history entry tells the next page which control was used. Without the Navigation API, pages start at the top.
const { navigation } = window;
const isThisPage = (text) => {
  const url = new URL(text, location.href);
  return url.origin === location.origin && url.pathname === location.pathname;
};
const leaveBy = (control, url) => {
  const staysHere = control.closest("main") && isThisPage(url);
  const used = control.closest("nav.pages") ? "" : (control.closest("main [id]")?.id ?? "");
  navigation?.updateCurrentEntry({ state: staysHere ? { used } : null });
};
addEventListener("click", ({ target }) => {
  const link = target.closest("a[href]");
  if (link) leaveBy(link, link.href);
});
addEventListener("submit", ({ target: form }) => {
  if (form.getAttribute("method") !== "post") leaveBy(form, form.getAttribute("action") ?? "");
});
const { from, navigationType } = navigation?.activation ?? {};
const isChoice = navigationType === "push" || navigationType === "replace";
const used = isChoice && from?.url && isThisPage(from.url) ? from.getState()?.used : undefined;
// A field that was rejected has the focus.
if (used !== undefined && !document.querySelector("[autofocus]")) {
  const controls = "summary, [aria-current], [aria-sort] a, [type=search]";
  const control = document.getElementById(used)?.querySelector(controls);
  const results = document.getElementById("${resultsId}");
  (control?.checkVisibility() ? control : results)?.focus();
  if (results?.dataset.summary) announce(results.dataset.summary);
}
`;
