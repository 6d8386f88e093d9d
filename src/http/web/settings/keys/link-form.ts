// What the forms of CSV links and share links have in common: a name, the days that they work, and a switch for all of them.

import type { Html } from "../../../../locale/html.ts";
import { html } from "../../../../locale/html.ts";
import type { Locale } from "../../../../locale/locale.ts";
import { saveOrganization } from "../../../../storage/organizations/organizations.ts";
import { type LinkKind, linkScopes } from "../../../request/links.ts";
import type { Action, WebSession } from "../../frame/page.ts";
import { inputField, nameInput, type Submitted } from "../../ui/forms/field.ts";
import { actionForm, readDays, readName } from "../../ui/forms/form.ts";

const defaultDays = 30;

/** @param name of the field of the name */
export function linkFields({ t }: Locale, submitted: Submitted, name: string, maxDays: number): Html {
  const days = { name: "days", label: t("csvLinks.days"), isTight: true, value: defaultDays };
  return html`${inputField(submitted, { name, label: t("csvLinks.name"), value: "" }, nameInput)}
${inputField(submitted, days, html` type="number" min="1" max="${maxDays}" required`)}`;
}

/** @throws AppError `bad_request` */
export function readLink(
  locale: Locale,
  form: URLSearchParams,
  name: string,
  maxDays: number,
): { name: string; days: number } {
  return {
    name: readName(locale, form, locale.t("csvLinks.name"), name),
    days: readDays(locale, form, { label: locale.t("csvLinks.days"), max: maxDays }),
  };
}

/** The button that allows all links of a kind, or turns them off. */
export function linkSwitch(session: WebSession, kind: LinkKind): Html {
  const isAllowed = session.organization[kind] === "allow";
  const label = session.t(`${kind === "csvLinks" ? "csvLinks" : "share"}.${isAllowed ? "refuse" : "allow"}`);
  return actionForm(
    session,
    { action: isAllowed ? "refuse_links" : "allow_links", className: "row" },
    html`<button class="${isAllowed ? "danger" : "second"}">${label}</button>`,
  );
}

export const linkSwitchActions = (kind: LinkKind): Record<"allow_links" | "refuse_links", Action> => ({
  allow_links: switchAction(kind, "allow"),
  refuse_links: switchAction(kind, "refuse"),
});

const switchAction =
  (kind: LinkKind, choice: "allow" | "refuse"): Action =>
  async (actor) => {
    await actor.transaction(
      (scope) => saveOrganization(scope, { [kind]: choice }),
      // The audit log names a kind of links as their keys do.
      [`${linkScopes[kind]}.${choice}`, actor.organization.name],
    );
    const notice = actor.t(
      `${kind === "csvLinks" ? "csvLinks" : "share"}.${choice === "allow" ? "allowed" : "refused"}`,
    );
    return { notice };
  };
