// What the tables of groups share: their names, their rates, and the menu that switches the attribute.

import { rangeOf, rateOfGroup, type SpreadSums } from "../../../../campaign/rate-ranges.ts";
import { type CoveredRateName, coveredRateOf } from "../../../../campaign/sum-rates.ts";
import type { Sums } from "../../../../campaign/sums.ts";
import { type HtmlValue, html } from "../../../../locale/html.ts";
import { isolatedText } from "../../../../locale/isolated-text.ts";
import type { Locale } from "../../../../locale/locale.ts";
import type { AudienceGroup } from "../../../../storage/audience/store-groups.ts";
import { rateWithRange } from "../numbers/rate-with-range.ts";
import { menu, menuLinks } from "./menu.ts";

/** The group of an attribute itself are the recipients without a value. */
export function groupName({ t }: Locale, { id, attributeId, name }: AudienceGroup): HtmlValue {
  return id === attributeId ? html`<i>${t("audience.notKnown")}</i>` : isolatedText(name);
}

/** @param all the sums of which these are a group */
export function rateText(
  locale: Locale,
  sums: Sums | SpreadSums,
  name: CoveredRateName,
  all?: SpreadSums,
): HtmlValue {
  const { rate } = coveredRateOf(sums, name);
  const some = all && "spreads" in sums ? rateOfGroup(sums, all, name) : null;
  const range = some && Number.isFinite(some.low) ? some : rangeOf(sums, name);
  return rateWithRange(locale, name, rate, range, { isPrinted: true });
}

/** @param urlOf the page with another attribute */
export function attributeMenu(
  { t }: Locale,
  attributes: readonly AudienceGroup[],
  current: AudienceGroup,
  urlOf: (attribute: AudienceGroup) => string,
): HtmlValue {
  const links = attributes.map((attribute) => ({
    url: urlOf(attribute),
    name: isolatedText(attribute.name),
    isCurrent: attribute.id === current.id,
  }));
  return (
    links.length > 1 &&
    menu({ id: "menu-attribute", icon: "people", label: t("audience.change") }, menuLinks(links))
  );
}

/** The attribute that a URL names, by default the first. Undefined without attributes. */
export function chooseAttribute(
  attributes: readonly AudienceGroup[],
  query: URLSearchParams,
): AudienceGroup | undefined {
  const wanted = query.get("attribute");
  return attributes.find(({ id }) => String(id) === wanted) ?? attributes[0];
}
