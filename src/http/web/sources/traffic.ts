// The page `/sources/traffic`: which activity of the campaigns that match the filters is automated and why, and how often the
// filter is wrong about recipients whose nature is proven.

import { describeVerdict } from "../../../campaign/events/activity.ts";
import { shareRange } from "../../../campaign/ranges.ts";
import { TrafficReader } from "../../../listing/reports/traffic-reader.ts";
import { type Html, html } from "../../../locale/html.ts";
import type { Locale } from "../../../locale/locale.ts";
import { textsOfVerdict } from "../../../locale/verdict-texts.ts";
import { webPaths } from "../../../paths.ts";
import { findNewestIds, findProofs, type ProofSums } from "../../../storage/sums/sum-queries.ts";
import { countedOf } from "../../../storage/sums/sums-filter.ts";
import { filteredPage } from "../filters/filtered-campaigns.ts";
import type { Page } from "../frame/page.ts";
import type { WebContext } from "../frame/web-context.ts";
import { emptyState } from "../ui/lists/empty-state.ts";
import { dataTable } from "../ui/lists/table.ts";
import { noValue } from "../ui/numbers/number-or-dash.ts";
import { renderInline } from "../ui/texts/markdown.ts";

/** Reading more would take too long. */
const maxCampaigns = 1_000;

export function trafficPage(context: WebContext): Page {
  const reader = new TrafficReader(context.database);
  return filteredPage({
    path: webPaths.traffic,
    hasTraffic: false,
    async read(scope, { filter }) {
      const counted = countedOf({ ...filter, traffic: "people" });
      return {
        ids: await findNewestIds(scope, counted, maxCampaigns),
        proofs: await findProofs(scope, counted),
      };
    },
    async show({ content: { ids, proofs }, ...session }) {
      const { t } = session;
      const { verdicts, campaigns: read } = await reader.read(session.organization.id, ids);
      const { campaigns: of } = proofs;
      const found =
        verdicts.length === 0
          ? emptyState({ icon: "bot", title: t("traffic.none") })
          : html`<section class="card">${verdictsTable(session, verdicts)}
<p class="soft small">${t("links.scope", { isPartial: read < of, read, of, imported: 0 })}</p></section>`;
      return {
        title: t("traffic.title"),
        breadcrumb: [{ url: webPaths.sources, name: t("pages.sources") }],
        results: [found, of > 0 && errorsCard(session, proofs)],
      };
    },
  });
}

function verdictsTable(locale: Locale, verdicts: [verdict: string, count: number][]): Html {
  const { t, format } = locale;
  const total = verdicts.reduce((sum, [, count]) => sum + count, 0);
  let automated = 0;
  const rows = verdicts.map(([verdict, count]) => {
    const { title, meaning } = textsOfVerdict(locale, verdict);
    const { isHuman } = describeVerdict(verdict);
    if (!isHuman) automated += count;
    const countedAs = isHuman ? t("traffic.human") : t("traffic.automated");
    return [title, countedAs, renderInline(meaning), format.count(count), format.rate(count / total)];
  });
  const caption = t("traffic.caption", { total, share: format.rate(automated / total) });
  return dataTable(
    caption,
    [
      t("filters.trafficLabel"),
      t("traffic.countedAs"),
      t("sources.reason"),
      t("traffic.seen"),
      t("campaign.clickShare"),
    ],
    rows,
    {
      classes: ["", "", "text bare", "number", "number"],
      isStacked: true,
    },
  );
}

/** A rate of fewer recipients would say little. */
const minProven = 30;

function errorsCard(locale: Locale, proofs: ProofSums): Html {
  const { t, format } = locale;
  const { provenPeople, peopleCalledMachines, provenMachines, machinesCaught } = proofs;
  const kinds: [name: string, wrong: number, proven: number][] = [
    [t("traffic.peopleCalledMachines"), peopleCalledMachines, provenPeople],
    [t("traffic.machinesCalledPeople"), provenMachines - machinesCaught, provenMachines],
  ];
  const rows = kinds.map(([name, wrong, proven]) => [
    name,
    format.count(wrong),
    format.count(proven),
    proven < minProven
      ? noValue(locale)
      : t("traffic.errorRate", {
          rate: format.rate(wrong / proven),
          high: format.rate(shareRange(wrong, proven).high),
        }),
  ]);
  const titles = [t("traffic.error"), t("traffic.wrong"), t("traffic.proven"), t("traffic.rate")];
  return html`<section class="card">${dataTable(t("traffic.errors"), titles, rows, {
    classes: ["text", "number", "number", "number"],
    isStacked: true,
  })}
<p class="soft small">${t("traffic.errorsNote", { min: minProven })}</p></section>`;
}
