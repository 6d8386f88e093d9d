// The little script of the web application: whatever it does is a convenience, and everything works without it.

export const script = `"use strict";
// To load the answer to a form again is to ask for its page, and not to send the form once more.
history.replaceState(null, "", location.href);
for (const button of document.querySelectorAll("[data-copy]")) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    const target = document.getElementById(button.dataset.copy);
    const text = target.value ?? target.textContent;
    const label = button.textContent;
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = "Copied";
    } catch {
      const range = document.createRange();
      range.selectNodeContents(target);
      getSelection().removeAllRanges();
      getSelection().addRange(range);
      button.textContent = "Selected: press Ctrl+C";
    }
    setTimeout(() => { button.textContent = label; }, 2000);
  });
}
// Who presses twice while the answer is on its way means once: else there would be two keys, one of which nobody has seen.
for (const form of document.querySelectorAll('form[method="post"]')) {
  let sentAt = -Infinity;
  form.addEventListener("submit", (event) => {
    if (event.timeStamp - sentAt < 5000) event.preventDefault();
    else sentAt = event.timeStamp;
  });
}
`;
