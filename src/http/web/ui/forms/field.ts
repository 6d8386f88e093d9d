// A form field: label, control, hint, and the error message if its value was rejected.

import { type Html, type HtmlValue, html } from "../../../../locale/html.ts";

interface FieldOptions {
  /** The name in the form, and the id of the control. */
  name: string;
  /** A problem with this field starts with the label and a colon. */
  label: string;
  hint?: HtmlValue;
  /** Does not grow to fill its row. */
  isTight?: boolean;
}

/** What a form shows again after it was rejected; empty before. */
export interface Submitted {
  form?: URLSearchParams;
  problem?: string | undefined;
}

/** The last submission of an action, if the page is shown again because of it. */
export const submittedOf = (
  { rejected }: { rejected?: Submitted & { action: string } },
  action: string,
): Submitted => (rejected?.action === action ? rejected : {});

/** Attributes of an input for a name. */
export const nameInput = html` dir="auto" required maxlength="200" autocomplete="off"`;
/** Attributes of an input for a whole number. */
export const numberInput = html` inputmode="numeric" maxlength="6" autocomplete="off" required`;

/** @param value before a submission; undefined for secrets and files, which are not shown again */
export function inputField(
  { form, problem }: Submitted,
  { value, ...field }: FieldOptions & { value?: string | number },
  attributes: Html = html``,
): Html {
  const shown = value !== undefined && html` value="${form?.get(field.name) ?? value}"`;
  return formField(field, problem, (own) => html`<input ${own}${attributes}${shown}>`);
}

/** @param titles the label of each value */
export function selectField(
  { form, problem }: Submitted,
  { value, ...field }: FieldOptions & { value: string },
  titles: Readonly<Record<string, string>>,
): Html {
  const options = selectOptions(titles, form?.get(field.name) ?? value);
  return formField(field, problem, (own) => html`<select ${own}>${options}</select>`);
}

export const hiddenField = (name: string, value: string | number): Html =>
  html`<input type="hidden" name="${name}" value="${value}">`;

/**
 * @param problem why the submission was rejected; shown at the field if it starts with the field's label
 * @param control renders the control with the given attributes: id, name, and the ARIA links to hint and problem
 */
export function formField(
  { name, label, hint, isTight }: FieldOptions,
  problem: string | undefined,
  control: (attributes: Html) => Html,
): Html {
  const own = problem === undefined ? undefined : afterLabel(problem, label);
  const ids = [hint !== undefined && `${name}_hint`, own !== undefined && `${name}_problem`].filter(Boolean);
  const described = ids.length > 0 && html` aria-describedby="${ids.join(" ")}"`;
  const invalid = own !== undefined && html` aria-invalid="true" autofocus`;
  return html`<div class="field${isTight && " tight"}"><label for="${name}">${label}</label>
${control(html`id="${name}" name="${name}"${described}${invalid}`)}
${hint !== undefined && html`<p class="hint" id="${name}_hint">${hint}</p>`}
${own !== undefined && html`<p class="problem small" id="${name}_problem">${own}</p>`}</div>`;
}

/** What a problem with a field says after the label; undefined for one with another field. French writes a space first. */
export function afterLabel(problem: string, label: string): string | undefined {
  const rest = problem.startsWith(label) ? problem.slice(label.length) : "";
  return /^\u00a0?: (.*)$/s.exec(rest)?.[1];
}

/** The `<option>` elements of a select. @param titles the label of each value */
export function selectOptions(titles: Readonly<Record<string, string>>, selected: string): Html[] {
  return Object.entries(titles).map(
    ([value, title]) =>
      html`<option value="${value}"${value === selected && html` selected`}>${title}</option>`,
  );
}
