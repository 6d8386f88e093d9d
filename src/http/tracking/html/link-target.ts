// Where a link leads.

/** Matches only white space and control characters, which URL parsers trim, before the end or an anchor. */
const emptyOrAnchor = /^[^!-\uffff]*(#|$)/;

/** The absolute http(s) URL that an `href` leads to; undefined for anything else, such as anchors and mailto links. */
export function resolveTarget(href: string, base: string | undefined): string | undefined {
  if (emptyOrAnchor.test(href)) return undefined;
  const url = URL.parse(href, base);
  return url && /^https?:$/.test(url.protocol) ? url.href : undefined;
}
