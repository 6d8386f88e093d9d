// Evaluates the formulas of the metric contract exactly, with fractions of whole numbers.

/** The denominator is positive. */
export interface Fraction {
  numerator: bigint;
  denominator: bigint;
}

/** The value of a formula; undefined if it divides by 0. @throws Error if a name is unknown or the syntax is wrong */
export function evaluate(formula: string, values: Record<string, number>): Fraction | undefined {
  const tokens = formula.match(/[a-z_]+|\d+|\S/g) ?? [];
  const value = parseSum(tokens, values);
  if (tokens.length > 0) throw new Error(`${formula}: unexpected ${tokens[0]}`);
  return value.denominator === 0n ? undefined : value;
}

/** Consumes the tokens that it parses. */
function parseSum(tokens: string[], values: Record<string, number>): Fraction {
  let sum = parseProduct(tokens, values);
  while (tokens[0] === "+" || tokens[0] === "-") {
    const sign = tokens.shift() === "+" ? 1n : -1n;
    const other = parseProduct(tokens, values);
    sum = {
      numerator: sum.numerator * other.denominator + sign * other.numerator * sum.denominator,
      denominator: sum.denominator * other.denominator,
    };
  }
  return sum;
}

function parseProduct(tokens: string[], values: Record<string, number>): Fraction {
  let product = parseAtom(tokens, values);
  while (tokens[0] === "*" || tokens[0] === "/") {
    const isDivision = tokens.shift() === "/";
    const { numerator, denominator } = parseAtom(tokens, values);
    const [over, under] = isDivision ? [denominator, numerator] : [numerator, denominator];
    product = { numerator: product.numerator * over, denominator: product.denominator * under };
  }
  return product;
}

function parseAtom(tokens: string[], values: Record<string, number>): Fraction {
  const token = tokens.shift() ?? "";
  if (token === "(") return parseList(tokens, values)[0] as Fraction;
  if (token === "min" || token === "max") {
    tokens.shift();
    const sorted = parseList(tokens, values).sort((a, b) =>
      Number(a.numerator * b.denominator - b.numerator * a.denominator),
    );
    return sorted.at(token === "min" ? 0 : -1) as Fraction;
  }
  const value = /^\d+$/.test(token) ? Number(token) : values[token];
  if (value === undefined) throw new Error(`${token} is not a known name`);
  return { numerator: BigInt(value), denominator: 1n };
}

/** Up to and including the closing parenthesis. */
function parseList(tokens: string[], values: Record<string, number>): Fraction[] {
  const list = [parseSum(tokens, values)];
  for (let token = tokens.shift(); token !== ")"; token = tokens.shift()) {
    if (token !== ",") throw new Error(`expected , or ), not ${token}`);
    list.push(parseSum(tokens, values));
  }
  return list;
}
