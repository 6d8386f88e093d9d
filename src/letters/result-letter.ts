// The letter with the result of a campaign, at an age at which every campaign can be compared.

import { recordedAges } from "../campaign/events/ages.ts";
import { rateAt } from "../campaign/forecast.ts";
import type { Ranged } from "../campaign/ranges.ts";
import { findReleased } from "../listing/find-released.ts";
import { likelyEndOf, ratesAtAge, readSameAge } from "../listing/reports/same-age.ts";
import { ageText } from "../locale/age-text.ts";
import type { Locale } from "../locale/locale.ts";
import { changeAtAge, comparedText, likelyEndText } from "../locale/same-age-text.ts";
import { subjectText } from "../locale/subject-text.ts";
import { campaignPath } from "../paths.ts";
import type { Organization } from "../storage/organizations/organizations.ts";
import type { Database } from "../storage/queries/database.ts";
import type { Letter } from "./letter.ts";
import { changeText, rangedText } from "./report-letter.ts";

/** When a result is mailed. */
export const resultAges = { "24h": recordedAges["24h"], "72h": recordedAges["72h"] } as const;
export type ResultAge = keyof typeof resultAges;

/** @returns undefined if the campaign was deleted, or has no recipients */
export async function readResult(
  database: Database,
  organization: Organization,
  { id, age: name }: { id: number; age: ResultAge },
): Promise<((locale: Locale, publicUrl: string) => Letter) | undefined> {
  const age = resultAges[name];
  const found = await database.snapshotOf(organization.id, async (scope) => {
    const [stored] = await findReleased(scope, organization, [id]);
    if (!stored) return undefined;
    const { campaign } = stored;
    const sameAge = await readSameAge(scope, stored, {
      traffic: organization.countedTraffic,
      now: campaign.sentAt + age,
    });
    return sameAge && { campaign, sameAge };
  });
  if (!found) return undefined;
  const { campaign, sameAge } = found;
  return (locale, publicUrl) => {
    const { t, format, language } = locale;
    const row = (rateName: "openRate" | "clickRate", rate: Ranged) => {
      const change = changeAtAge(locale, rateName, ratesAtAge(sameAge, rateName));
      return {
        name: t(`numbers.${rateName}`),
        value: rangedText(locale, rateName, rate),
        note: change && changeText(change),
      };
    };
    const open = rateAt(sameAge.own, "opensByAge", age);
    const about = { subject: subjectText(locale, campaign), age: ageText(locale, age) };
    return {
      language,
      subject: t("results.subject", { ...about, rate: format.rate(open.value) }),
      lead: t("results.lead", {
        ...about,
        time: format.dateTime(campaign.sentAt, organization.timeZone),
        recipients: campaign.recipientCount ?? 0,
      }),
      sections: [
        {
          title: t("results.title", { age: about.age }),
          rows: [row("openRate", open), row("clickRate", rateAt(sameAge.own, "clicksByAge", age))],
          notes: [
            comparedText(locale, sameAge),
            ...(sameAge.comparable.length > 0 ? [likelyEndText(locale, likelyEndOf([sameAge]))] : []),
          ],
        },
      ],
      link: { label: t("results.open"), url: publicUrl + campaignPath(id) },
      notes: [],
    };
  };
}
