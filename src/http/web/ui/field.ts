// A field of a form: its label, its control and a hint, and below them what is wrong with it.

import { type Html, type HtmlValue, html } from "../../html.ts";

interface FieldShape {
  /** In the form, and the id of the control. */
  name: string;
  /** What a problem of the field begins with, before a colon. */
  label: string;
  hint?: HtmlValue;
  /** Takes no more room than it needs, beside others. */
  isTight?: boolean;
}

/**
 * @param problem why what was sent could not be done, if it was: it stands below the field where it begins with its label
 * @param control made with attributes: its id and name, and what ties it to its hint and its problem
 */
export function field(
  { name, label, hint, isTight }: FieldShape,
  problem: string | undefined,
  control: (attributes: Html) => Html,
): Html {
  const own = problem?.startsWith(`${label}: `) ? problem.slice(label.length + 2) : undefined;
  const ids = [hint !== undefined && `${name}_hint`, own !== undefined && `${name}_problem`].filter(Boolean);
  const described = ids.length > 0 && html` aria-describedby="${ids.join(" ")}"`;
  const wrong = own !== undefined && html` aria-invalid="true" autofocus`;
  return html`<div class="field${isTight && " tight"}"><label for="${name}">${label}</label>
${control(html`id="${name}" name="${name}"${described}${wrong}`)}
${hint !== undefined && html`<p class="hint" id="${name}_hint">${hint}</p>`}
${own !== undefined && html`<p class="problem small" id="${name}_problem">${own}</p>`}</div>`;
}

/** The choices of a field, one of them chosen. */
export function choices(titles: Readonly<Record<string, string>>, chosen: string): Html[] {
  return Object.entries(titles).map(
    ([value, title]) =>
      html`<option value="${value}"${value === chosen && html` selected`}>${title}</option>`,
  );
}
