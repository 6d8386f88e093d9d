// Options of a test that cannot run on a Citus cluster, with the reason.

/** @param reason is shown by `npm run test:citus`, which skips the test */
export function notOnCitus(reason: string): { skip: string | false } {
  return { skip: process.env.TEST_DATABASE === "citus" && reason };
}
