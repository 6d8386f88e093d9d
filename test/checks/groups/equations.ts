// Solves systems of equations of which each is the sum of some unknowns: exactly, because sums of zeros and ones modulo a
// large prime behave like fractions do.

/** The unknowns whose sum is known. */
export type Equation = readonly string[];

const prime = 2_147_483_647n;

/** Whether the sum of these unknowns follows from the equations. */
export function solves(equations: readonly Equation[], unknowns: readonly string[]): boolean {
  const wanted = reduce(basisOf(equations), toVector(unknowns));
  return wanted.size === 0;
}

type Vector = Map<string, bigint>;

/** Vectors of which each has a leading unknown that no later one has, with the coefficient 1. */
type Basis = { leading: string; vector: Vector }[];

const bases = new WeakMap<readonly Equation[], Basis>();

function basisOf(equations: readonly Equation[]): Basis {
  const known = bases.get(equations);
  if (known) return known;
  const basis: Basis = [];
  const different = new Map(equations.map((equation) => [[...equation].sort().join("\n"), equation]));
  for (const equation of different.values()) {
    const vector = reduce(basis, toVector(equation));
    const [first] = vector;
    if (!first) continue;
    const inverse = power(first[1], prime - 2n);
    basis.push({
      leading: first[0],
      vector: new Map([...vector].map(([name, value]) => [name, (value * inverse) % prime])),
    });
  }
  bases.set(equations, basis);
  return basis;
}

const toVector = (unknowns: Equation): Vector => new Map(unknowns.map((name) => [name, 1n]));

function reduce(basis: Basis, vector: Vector): Vector {
  const left = new Map(vector);
  for (const { leading, vector: other } of basis) {
    const factor = left.get(leading);
    if (factor === undefined) continue;
    for (const [name, value] of other) {
      const changed = ((left.get(name) ?? 0n) - factor * value) % prime;
      if (changed === 0n) left.delete(name);
      else left.set(name, (changed + prime) % prime);
    }
  }
  return left;
}

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n;
  for (let rest = exponent, square = base; rest > 0n; rest >>= 1n, square = (square * square) % prime) {
    if (rest & 1n) result = (result * square) % prime;
  }
  return result;
}
