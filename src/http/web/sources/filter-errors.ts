// How often the filter is wrong about recipients whose nature is proven.

import type { Month } from "../../../campaign/calendar/months.ts";
import { shareRange } from "../../../campaign/ranges.ts";
import { type Html, html } from "../../../locale/html.ts";
import type { Locale } from "../../../locale/locale.ts";
import type { ProofSums } from "../../../storage/sums/sum-queries.ts";

/** A rate of fewer recipients would say little. */
const minProven = 30;

/** @param since the month in which the first of the campaigns was sent */
export function filterErrors(locale: Locale, sums: ProofSums, since: Month): Html {
  const { t, format } = locale;
  return html`<section class="card"><h2>${t("sources.filterErrors")}</h2>
<p>${peopleText(locale, sums)}</p>
<p>${machinesText(locale, sums)}</p>
<p class="soft small">${t("sources.filterErrorsScope", { month: format.month(since) })} ${t("sources.personBehindScanner")} ${t("sources.rulesDepend")}</p></section>`;
}

function peopleText(
  { t, format }: Locale,
  { provenPeople: people, peopleCalledMachines: called }: ProofSums,
): string {
  if (people < minProven) return t("sources.fewProvenPeople", { people, min: minProven });
  const { high } = shareRange(called, people);
  return t("sources.provenPeople", {
    people,
    called,
    rate: format.rate(called / people),
    high: format.rate(high),
  });
}

function machinesText(
  { t, format }: Locale,
  { provenMachines: machines, machinesCaught: caught }: ProofSums,
): string {
  if (machines < minProven) return t("sources.fewProvenMachines", { machines, min: minProven });
  const { low } = shareRange(caught, machines);
  return t("sources.provenMachines", {
    machines,
    caught,
    rate: format.rate(caught / machines),
    low: format.rate(low),
  });
}
