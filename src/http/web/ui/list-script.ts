// The part of the script for campaigns: keyboard shortcuts, and a button that waits for a selection.

export const listScript = `
const runOnKeys = (actions, areOn) => {
  addEventListener("keydown", (event) => {
    const isTyping = event.target.matches("input:not([type=checkbox]), select, textarea");
    const action = Object.hasOwn(actions, event.key) && actions[event.key];
    if (!action || isTyping || !areOn() || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    action();
  });
};
const shortcuts = document.getElementById("keys");
if (shortcuts) {
  const isOn = shortcuts.querySelector("[data-keys]");
  isOn.checked = localStorage.getItem("keys") !== "off";
  isOn.addEventListener("change", () => localStorage.setItem("keys", isOn.checked ? "on" : "off"));
  const links = [...document.querySelectorAll("[data-list] tbody th a")];
  const rowOfFocus = () => document.activeElement.closest("[data-list] tbody tr");
  const move = (steps) => {
    const at = links.findIndex((link) => link.closest("tr") === rowOfFocus());
    links[at < 0 ? 0 : Math.min(Math.max(at + steps, 0), links.length - 1)]?.focus();
  };
  const actions = {
    "/": () => document.querySelector("[role=search] input[type=search]").focus(),
    j: () => move(1),
    k: () => move(-1),
    x: () => rowOfFocus()?.querySelector("[name=ids]").click(),
    c: () => document.querySelector("#compare button").click(),
    "?": () => shortcuts.togglePopover(),
  };
  runOnKeys(actions, () => isOn.checked);
}
// The page of a campaign: they lead through the list as they do on it.
const neighborOf = (rel) => document.querySelector(".heading a[rel=" + rel + "]");
const followNeighbor = { j: () => neighborOf("next")?.click(), k: () => neighborOf("prev")?.click() };
if (neighborOf("next") ?? neighborOf("prev")) runOnKeys(followNeighbor, () => localStorage.getItem("keys") !== "off");
const comparison = document.getElementById("compare");
if (comparison) {
  const label = comparison.querySelector("[data-selected]");
  const hint = document.getElementById("compare-hint");
  const [plainLabel, plainHint] = [label.textContent, hint.textContent];
  const update = () => {
    const { length } = document.querySelectorAll("[name=ids]:checked");
    comparison.querySelector("button").disabled = length < 2 || length > 5;
    label.textContent = length > 0 ? label.dataset.selected.replace("{selected}", length) : plainLabel;
    const text = length > 5 ? hint.dataset.over.replace("{selected}", length).replace("{excess}", length - 5) : plainHint;
    // A status that is set again would be read again.
    if (hint.textContent !== text) hint.textContent = text;
    hint.classList.toggle("over", length > 5);
    hint.classList.toggle("visually-hidden", length !== 1 && length <= 5);
  };
  addEventListener("change", update);
  // The browser restores checkboxes on the way back.
  addEventListener("pageshow", update);
}
`;
