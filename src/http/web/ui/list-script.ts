// The part of the script for campaigns: a button that waits for a selection.

export const listScript = `
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
