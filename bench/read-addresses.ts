// Which pages are asked for: always the same ones, or random ones, thousands of them before any comes again. There are
// always full pages behind them, as long as there are campaigns enough.

import { Random } from "../test/support/histories.ts";
import { firstYear, months, sentAtOf, tagsOf, type World } from "./read-world.ts";

export const perPage = 100;
const addresses = 4_000;
const combinations = 300;
const seed = 7;

export function pageAddress(page: number, size = perPage, filter = ""): string {
  return `/data_api/v1/emails?per_page=${size}&page=${page}${filter}`;
}

export const pagesOf = ({ campaigns }: World) => Math.ceil(campaigns / perPage);

export function allPages(world: World): string[] {
  return Array.from({ length: pagesOf(world) }, (_, index) => pageAddress(index + 1));
}

/** Where there are fewer pages than addresses, all of them in one random order after the other. */
export function randomPages(world: World): string[] {
  const random = new Random(seed);
  const pages: string[] = [];
  while (pages.length < addresses) pages.push(...random.shuffle(allPages(world)));
  return pages.slice(0, addresses);
}

/** Random pages of random months. */
export function monthPages({ campaigns }: World): string[] {
  const sizes = new Array<number>(months).fill(0);
  for (let place = 0; place < campaigns; place++) {
    const sentAt = new Date(sentAtOf(place, campaigns));
    const month = (sentAt.getUTCFullYear() - firstYear) * 12 + sentAt.getUTCMonth();
    sizes[month] = (sizes[month] ?? 0) + 1;
  }
  const random = new Random(seed);
  return Array.from({ length: addresses }, () => {
    const month = random.between(0, months - 1);
    const day = (each: number) => new Date(Date.UTC(firstYear, month, each)).toISOString().slice(0, 10);
    const daysOfMonth = new Date(Date.UTC(firstYear, month + 1, 0)).getUTCDate();
    const filter = `&sent_after=${day(1)}&sent_before=${day(daysOfMonth)}`;
    return pageAddress(random.between(1, fullPages(sizes[month])), perPage, filter);
  });
}

/** Random pages of what has any of three random tags. */
export function tagPages({ campaigns, tagIds }: World): string[] {
  const masks = Uint32Array.from({ length: campaigns }, (_, place) =>
    tagsOf(place).reduce((mask, number) => mask | (1 << number), 0),
  );
  const random = new Random(seed);
  const filters = Array.from({ length: combinations }, () => {
    const chosen = random.shuffle(tagIds.map((_, number) => number)).slice(0, 3);
    const mask = chosen.reduce((before, number) => before | (1 << number), 0);
    let size = 0;
    for (const each of masks) if ((each & mask) !== 0) size += 1;
    return { text: `&tag_ids=${chosen.map((number) => tagIds[number]).join(",")}`, size };
  });
  return Array.from({ length: addresses }, () => {
    const { text, size } = random.pick(filters);
    return pageAddress(random.between(1, fullPages(size)), perPage, text);
  });
}

const fullPages = (size = 0) => Math.max(1, Math.floor(size / perPage));
