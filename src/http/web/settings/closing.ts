// When campaigns close, on the page of the organization. Fewer days delete what campaigns were counted from, so they are
// asked for twice.

import { type ClosingDays, countCampaignsToClose } from "../../../storage/campaigns/counted-campaigns.ts";
import { changeOrganization } from "../../../storage/organizations.ts";
import { type Html, html } from "../../html.ts";
import type { Action, PageContent, PageRequest, Visitor } from "../page.ts";
import { field } from "../ui/field.ts";
import { actionForm, asShown, fieldOf, isLeft, refuseField } from "../ui/form.ts";
import { countedWords, formatCount } from "../ui/number-format.ts";
import type { WebContext } from "../web-context.ts";
import { differenceOf } from "./organization-change.ts";

const action = "closing";
const named = "close_after_days";
const nameless = "close_nameless_after_days";

const labels = {
  [named]: "Close Individual campaigns … days after they were sent and registered",
  [nameless]: "Close Anonymous and Overall campaigns … days after they were sent and registered",
} as const;

export function closingForm(visitor: Visitor, { refused }: PageRequest): Html {
  const { closeAfterDays, closeNamelessAfterDays } = visitor.organization;
  const sent = refused?.action === action ? refused : undefined;
  const days = (name: typeof named | typeof nameless, value: number) =>
    field(
      { name, label: labels[name] },
      sent?.problem,
      (its) =>
        html`<input ${its} inputmode="numeric" maxlength="6" autocomplete="off" value="${sent?.form.get(name) ?? value}" required>`,
    );
  return html`<section class="card"><h2>When campaigns close</h2>
<p>The numbers of a campaign that is closed stand for ever, and what they were counted from is deleted: nothing that comes later is counted, and no single answer or comment is shown any more.</p>
${actionForm(
  visitor,
  { action },
  days(named, closeAfterDays),
  days(nameless, closeNamelessAfterDays),
  asShown(named, String(closeAfterDays), sent?.form),
  asShown(nameless, String(closeNamelessAfterDays), sent?.form),
  html`<p class="soft small">With fewer days you are asked once more, before anything is deleted.</p>
<p><button>Save the days</button></p>`,
)}</section>`;
}

export function closingAction({ now }: WebContext): Action {
  return {
    role: "admin",
    async run(visitor, form) {
      const { id } = visitor.organization;
      const given = {
        ...(!isLeft(form, named) && { closeAfterDays: daysIn(form, named) }),
        ...(!isLeft(form, nameless) && { closeNamelessAfterDays: daysIn(form, nameless) }),
      };
      const isAgreed = fieldOf(form, "agreed") === "yes";
      const asking = await visitor.write(async (queries, before) => {
        const { closeAfterDays, closeNamelessAfterDays } = before;
        const days = { closeAfterDays, closeNamelessAfterDays, ...given };
        const isFewer =
          days.closeAfterDays < before.closeAfterDays ||
          days.closeNamelessAfterDays < before.closeNamelessAfterDays;
        if (isFewer && !isAgreed) {
          return {
            before,
            days,
            due: await countCampaignsToClose(queries, { organizationId: id, now: now(), days }),
          };
        }
        await changeOrganization(queries, id, differenceOf(before, days), now());
        return undefined;
      });
      return asking ? askOnceMore(visitor, asking) : { notice: "Saved when campaigns close." };
    },
  };
}

function askOnceMore(
  visitor: Visitor,
  { before, days, due }: { before: ClosingDays; days: ClosingDays; due: number },
): PageContent {
  const { closeAfterDays, closeNamelessAfterDays } = days;
  const loss =
    due === 0
      ? "No campaign would be closed at once. Others are closed sooner than they would be now."
      : `${countedWords(due, "campaign")} would be closed within a minute. What ${due === 1 ? "it was" : "they were"} counted from is deleted.`;
  const row = (words: string, from: number, to: number) =>
    html`<li>${words}: ${from === to ? `${formatCount(to)} days, as before` : `${formatCount(to)} days in place of ${formatCount(from)}`}</li>`;
  const body = html`<section class="card">
<p class="warning"><strong>${loss}</strong> There is no way back: more days later bring nothing back.</p>
<ul>${row("Individual campaigns", before.closeAfterDays, closeAfterDays)}
${row("Anonymous and Overall campaigns", before.closeNamelessAfterDays, closeNamelessAfterDays)}</ul>
${actionForm(
  visitor,
  { action },
  html`<input type="hidden" name="${named}" value="${closeAfterDays}">
<input type="hidden" name="${nameless}" value="${closeNamelessAfterDays}">
<p><label class="inline"><input type="checkbox" name="agreed" value="yes" required> I know that this deletes for ever</label></p>
<div class="row"><button class="danger">Close campaigns sooner</button> <a href="/settings/organization">Leave the days as they are</a></div>`,
)}
</section>`;
  return { title: "Close campaigns sooner?", body };
}

/** @throws Refusal */
function daysIn(form: URLSearchParams, name: typeof named | typeof nameless): number {
  const text = fieldOf(form, name);
  const days = Number(text);
  if (/^\d{1,6}$/.test(text) && days >= 1 && days <= 100_000) return days;
  return refuseField(labels[name], text, "a whole number from 1 to 100000");
}
