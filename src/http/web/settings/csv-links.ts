// CSV links on the page of API keys: allowing them, and creating one, which is shown once.

import { dayMs } from "../../../campaign/calendar/durations.ts";
import { acceptedName, normalizeName } from "../../../campaign/names.ts";
import { AppError } from "../../../errors.ts";
import { addApiKey } from "../../../storage/api-keys.ts";
import { changeOrganization } from "../../../storage/organizations.ts";
import type { CsvLinks } from "../../../storage/tables.ts";
import { type Html, html } from "../../html.ts";
import type { Action, PageRequest, WebSession } from "../page.ts";
import { csvLinksStrings } from "../strings/csv-links.ts";
import { uiStrings } from "../strings/ui.ts";
import { copyable } from "../ui/copyable.ts";
import { formField } from "../ui/field.ts";
import { actionForm, readField, rejectField } from "../ui/form.ts";
import type { WebContext } from "../web-context.ts";

const defaultDays = "30";
const maxDays = 3_650;

export function csvLinksCard(session: WebSession, request: PageRequest): Html {
  const { csvLinks } = session.organization;
  const { title, intro, allow, refuse } = csvLinksStrings;
  const other = csvLinks === "allow" ? "refuse" : "allow";
  const label = csvLinks === "allow" ? refuse : allow;
  return html`<section class="card"><h2>${title}</h2>
<p>${intro}</p>
${csvLinks === "allow" && createForm(session, request)}
${actionForm(session, { action: `${other}_links`, className: "row" }, html`<button class="secondary">${label}</button>`)}
</section>`;
}

function createForm(session: WebSession, { rejected }: PageRequest): Html {
  const submitted = rejected?.action === "add_link" ? rejected : undefined;
  const submittedText = (name: string) => submitted?.form.get(name) ?? "";
  const { name, days, sentAfter, create } = csvLinksStrings;
  return actionForm(
    session,
    { action: "add_link", className: "fields" },
    formField(
      { name: "link_name", label: name },
      submitted?.problem,
      (attributes) =>
        html`<input ${attributes} dir="auto" required maxlength="200" autocomplete="off" value="${submittedText("link_name")}">`,
    ),
    formField(
      { name: "days", label: days },
      submitted?.problem,
      (attributes) =>
        html`<input ${attributes} type="number" min="1" max="${maxDays}" required value="${submittedText("days") || defaultDays}">`,
    ),
    formField(
      { name: "sent_after", label: sentAfter },
      submitted?.problem,
      (attributes) => html`<input ${attributes} type="date" value="${submittedText("sent_after")}">`,
    ),
    html`<button>${create}</button>`,
  );
}

/** The actions of the page of API keys. @param listPath the page */
export function csvLinkActions(context: WebContext, listPath: string): Record<string, Action> {
  return {
    add_link: createLinkAction(context, listPath),
    allow_links: switchAction(context, "allow"),
    refuse_links: switchAction(context, "refuse"),
  };
}

function createLinkAction({ region, now, publicUrl, otherComponents }: WebContext, listPath: string): Action {
  return {
    role: "admin",
    async run({ organization: { id: organizationId }, user, transaction }, form) {
      const link = readLink(form);
      const expiresAt = now() + link.days * dayMs;
      const base = { organizationId, region, scope: "csv-link", createdBy: user.email, now: now() } as const;
      const { name, selection } = link;
      const { text } = await transaction(async (queries, { csvLinks }) => {
        if (csvLinks !== "allow") throw new AppError("conflict", csvLinksStrings.notAllowed);
        return addApiKey(queries, { ...base, name, expiresAt, selection });
      });
      const url = `${publicUrl()}${otherComponents.csvLinksPath}${text}.csv`;
      const { newTitle, copyNow, label, done, importData } = csvLinksStrings;
      const body = html`<section class="card"><h2>${name}</h2>
<p class="warning" role="status">${copyNow}</p>
${copyable("link", url, label)}
<h3>${importData}</h3>
${copyable("import-data", `=IMPORTDATA("${url}")`, importData)}
</section>
<p><a href="${listPath}">${done}</a></p>`;
      return { title: newTitle, body };
    },
  };
}

/** @throws AppError `bad_request` */
function readLink(form: URLSearchParams): { name: string; days: number; selection: string } {
  const text = readField(form, "link_name");
  const name =
    normalizeName(text) ?? rejectField(csvLinksStrings.name, text, uiStrings.nameRule(acceptedName));
  const wanted = readField(form, "days");
  const days = /^\d{1,4}$/.test(wanted) ? Number(wanted) : 0;
  if (days < 1 || days > maxDays)
    rejectField(csvLinksStrings.days, wanted, csvLinksStrings.daysRule(maxDays));
  const sentAfter = readField(form, "sent_after");
  if (sentAfter !== "" && !/^\d{4}-\d{2}-\d{2}$/.test(sentAfter)) {
    rejectField(csvLinksStrings.sentAfter, sentAfter, csvLinksStrings.dateRule);
  }
  return { name, days, selection: sentAfter === "" ? "" : `sent_after=${sentAfter}` };
}

function switchAction({ now }: WebContext, csvLinks: CsvLinks): Action {
  return {
    role: "admin",
    async run({ organization: { id }, transaction }) {
      await transaction((queries) => changeOrganization(queries, id, { csvLinks }, now()));
      return { notice: csvLinks === "allow" ? csvLinksStrings.allowed : csvLinksStrings.refused };
    },
  };
}
