// The little script of the web application: whatever it does is a convenience, and everything works without it.

export const script = `"use strict";
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
for (const form of document.querySelectorAll("form[data-submit-on-change]")) {
  form.addEventListener("change", () => form.requestSubmit());
}
`;
