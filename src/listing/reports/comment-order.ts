// The orders in which people read comments.

export const commentOrders = ["newest", "lowest", "highest", "longest"] as const;
export type CommentOrder = (typeof commentOrders)[number];

/**
 * Comments with the same score or length keep their order, and those without a score are last.
 *
 * @param newestFirst the comments
 * @param scoreOf undefined without a score
 */
export function sortComments<Comment extends { text: string }>(
  newestFirst: readonly Comment[],
  order: CommentOrder,
  scoreOf: (comment: Comment) => number | undefined,
): readonly Comment[] {
  if (order === "newest") return newestFirst;
  if (order === "longest") return newestFirst.toSorted((a, b) => b.text.length - a.text.length);
  const [sign, last] = order === "lowest" ? [1, Infinity] : [-1, -Infinity];
  const rankOf = (comment: Comment) => sign * (scoreOf(comment) ?? last);
  // Two comments without a score would differ by NaN, so ranks are compared.
  return newestFirst.toSorted((a, b) => {
    const [left, right] = [rankOf(a), rankOf(b)];
    return left < right ? -1 : left > right ? 1 : 0;
  });
}
