// Withholds groups until no parts of two attributes, however many, add up to something that depends on few recipients.

import type { KnownParts, Part } from "./known-parts.ts";
import type { Limits } from "./withhold-sums.ts";

/**
 * Parts of two attributes are the nodes of a graph, and cells its edges. Parts of one attribute without some of the other
 * depend on the cells that have only one of both: on a cut of the graph.
 *
 * @returns whether it withheld any group
 */
export function withholdCuts(parts: KnownParts, limits: Limits): boolean {
  const positions = parts.rests.map(({ position }) => position);
  const pairs = positions.flatMap((a) => positions.slice(a + 1).map((b) => [a, b] as const));
  return pairs.map((pair) => parts.withholdEach(() => findSmallCut(parts, pair, limits))).includes(true);
}

type Positions = readonly [number, number];

/** A part, or several that no small cut separates. */
type Node = Part[];

/** @returns the parts on the side of a small cut that has fewer of them; undefined if there is no small cut */
function findSmallCut(parts: KnownParts, positions: Positions, { min, budget }: Limits): Part[] | undefined {
  let nodes: Node[] = parts.all.filter(({ position }) => positions.includes(position)).map((part) => [part]);
  for (;;) {
    const { cuts, merged, steps } = visitNodes(parts, nodes, { positions, min });
    budget.steps -= steps;
    const [cut] = cuts.sort((a, b) => a.length - b.length);
    if (cut || merged.length === nodes.length || budget.steps < 0) return cut;
    nodes = merged;
  }
}

/**
 * Visits the nodes in maximum adjacency order, which tells for some of them that no small cut separates them (Nagamochi,
 * Ono and Ibaraki, 1994).
 *
 * @returns `cuts`: nodes that a small cut separates from all others; `merged`: all nodes, fewer if there may be other cuts
 */
function visitNodes(
  parts: KnownParts,
  nodes: readonly Node[],
  { positions: [a, b], min }: { positions: Positions; min: number },
) {
  const nodeOf = new Int32Array(parts.all.length);
  for (const [node, members] of nodes.entries()) for (const { index } of members) nodeOf[index] = node;
  const cuts: Node[] = [];
  const mergedInto = nodes.map((_, node) => node);
  const rootOf = (node: number): number =>
    mergedInto[node] === node ? node : rootOf(mergedInto[node] as number);
  /** The weight between a node and those that were visited; -Infinity once it is. */
  const attached = new Float64Array(nodes.length);
  let steps = nodes.length * nodes.length;
  for (const _ of nodes) {
    const next = attached.indexOf(Math.max(...attached));
    attached[next] = Number.NEGATIVE_INFINITY;
    let total = 0;
    for (const { cells } of nodes[next] ?? []) {
      steps += cells.length;
      for (const cell of cells) {
        const one = nodeOf[parts.indexAt(cell, a)] as number;
        const other = nodeOf[parts.indexAt(cell, b)] as number;
        if (one === other) continue;
        const weight = parts.weights[cell] as number;
        total += weight;
        const neighbor = one === next ? other : one;
        const sum = (attached[neighbor] as number) + weight;
        attached[neighbor] = sum;
        if (sum >= min) mergedInto[rootOf(neighbor)] = rootOf(next);
      }
    }
    if (total > 0 && total < min) cuts.push(nodes[next] as Node);
  }
  const merged = Map.groupBy(nodes.keys(), rootOf);
  return {
    cuts,
    merged: [...merged.values()].map((some) => some.flatMap((node) => nodes[node] as Node)),
    steps,
  };
}
