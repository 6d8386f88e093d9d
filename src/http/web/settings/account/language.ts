// The language on the account page: that of the browser, or one that the user chooses.

import { type Html, html } from "../../../../locale/html.ts";
import { locales } from "../../../../locale/locale.ts";
import { languages } from "../../../../locale/preferred-language.ts";
import { saveUser } from "../../../../storage/users/users.ts";
import type { Action, PageRequest, WebSession } from "../../frame/page.ts";
import { selectField, submittedOf } from "../../ui/forms/field.ts";
import { fieldsForm, readField, rejectField } from "../../ui/forms/form.ts";

const action = "language";

export function languageForm(session: WebSession, request: PageRequest): Html {
  // Each language has its own name, so that users find theirs.
  const names = Object.values(locales).map(({ language, t }) => [language, t("languageName")]);
  const titles = { "": session.t("account.browserLanguage"), ...Object.fromEntries(names) };
  const { problem } = submittedOf(request, action);
  const field = selectField(
    { problem },
    { name: "language", label: session.t("account.language"), value: session.user.language ?? "" },
    titles,
  );
  return fieldsForm(
    session,
    action,
    field,
    html`<button class="second">${session.t("account.saveLanguage")}</button>`,
  );
}

export const languageAction: Action = async (actor, form) => {
  const { user, browserLocale } = actor;
  const text = readField(actor, form, "language");
  const chosen = languages.find((language) => language === text) ?? null;
  if (text !== "" && chosen === null) {
    rejectField(
      actor,
      actor.t("account.language"),
      text,
      actor.t("account.languageRule", { languages: languages.join(", ") }),
    );
  }
  await actor.transaction(
    (scope) => saveUser(scope, user, { language: chosen }),
    ["language.change", chosen ?? "browser"],
  );
  // The notice is on the next page, which is in the new language.
  const { t } = chosen === null ? browserLocale : locales[chosen];
  return { notice: t("account.languageSaved") };
};
