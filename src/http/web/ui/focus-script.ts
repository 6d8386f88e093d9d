// The part of the script that keeps the focus when a choice loads the same page again, for people who use keys.

import { resultsId } from "./results.ts";

export const focusScript = `
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
