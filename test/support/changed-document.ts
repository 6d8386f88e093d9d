// JSON documents in which random values are replaced, at any depth.

import fc from "fast-check";
import { isJsonObject } from "../../src/providers/json-object.ts";

type Path = readonly string[];

/** The document with up to four of its values replaced: by any JSON, by one of its own values, or by one of `oddities`. */
export function changedDocument(document: unknown, oddities: readonly unknown[]): fc.Arbitrary<unknown> {
  const paths = pathsOf(document).slice(1);
  const own = paths.map((path) =>
    path.reduce<unknown>((value, key) => Reflect.get(Object(value), key), document),
  );
  const value = fc.oneof(fc.jsonValue(), fc.constantFrom("", null, undefined, ...own, ...oddities));
  return fc
    .array(fc.tuple(fc.constantFrom(...paths), value), { minLength: 1, maxLength: 4 })
    .map((changes) => changes.reduce((changed, [path, given]) => replaceAt(changed, path, given), document));
}

/** The paths to all values in a document, and to a property `__proto__` of each object. */
function pathsOf(document: unknown, path: Path = []): Path[] {
  if (typeof document !== "object" || document === null) return [path];
  const names = Object.keys(document);
  const all = isJsonObject(document) ? [...names, "__proto__"] : names;
  return [
    path,
    ...all.flatMap((name) =>
      pathsOf(Object.entries(document).find(([key]) => key === name)?.[1], [...path, name]),
    ),
  ];
}

function replaceAt(document: unknown, [name, ...rest]: Path, value: unknown): unknown {
  if (name === undefined) return value;
  if (Array.isArray(document)) {
    return document.map((each, index) => (String(index) === name ? replaceAt(each, rest, value) : each));
  }
  if (!isJsonObject(document)) return document;
  const previous = Object.hasOwn(document, name) ? document[name] : undefined;
  return { ...document, [name]: replaceAt(previous, rest, value) };
}
