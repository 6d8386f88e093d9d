// The script of the web application. It only adds convenience: every page works without it.

import { uiStrings } from "../strings/ui.ts";

export const script = `"use strict";
// Reloading the response of a form requests the page instead of submitting the form again.
history.replaceState(null, "", location.href);
for (const button of document.querySelectorAll("[data-copy]")) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    const target = document.getElementById(button.dataset.copy);
    const text = target.value ?? target.textContent;
    const label = button.textContent;
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = ${JSON.stringify(uiStrings.copied)};
    } catch {
      const range = document.createRange();
      range.selectNodeContents(target);
      getSelection().removeAllRanges();
      getSelection().addRange(range);
      button.textContent = ${JSON.stringify(uiStrings.copyByHand)};
    }
    setTimeout(() => { button.textContent = label; }, 2000);
  });
}
// Ignores a double click: it would create two keys and show only one of them.
for (const form of document.querySelectorAll('form[method="post"]')) {
  let sentAt = -Infinity;
  form.addEventListener("submit", (event) => {
    if (event.timeStamp - sentAt < 5000) event.preventDefault();
    else sentAt = event.timeStamp;
  });
}
// Replaces the content of an element by that of the page that it names, every second, until that page says to stop.
const poll = async (element) => {
  const response = document.hidden ? undefined : await fetch(element.dataset.poll).catch(() => undefined);
  // The session has ended, or the page is gone.
  if (response && (response.redirected || response.status === 404)) return;
  if (response?.ok) {
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    const next = page.getElementById(element.id);
    if (next.textContent !== element.textContent) element.replaceChildren(...next.childNodes);
    if (!next.dataset.poll) return;
  }
  setTimeout(poll, 1000, element);
};
for (const element of document.querySelectorAll("[data-poll]")) poll(element);
`;
