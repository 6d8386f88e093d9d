// Runs a task for many, of which one that fails must not stop the others.

/** @returns the errors */
export async function collectErrors<Item>(
  items: readonly Item[],
  run: (item: Item) => Promise<unknown>,
): Promise<unknown[]> {
  const errors: unknown[] = [];
  for (const item of items) {
    try {
      await run(item);
    } catch (error) {
      errors.push(error);
    }
  }
  return errors;
}
