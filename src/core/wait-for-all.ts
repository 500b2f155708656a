/** More than one thing is wrong: each is said, and the exit code is that of the first by precedence. */
export class SeveralFailures extends Error {
  override readonly name = "SeveralFailures";
  readonly failures: readonly unknown[];
  constructor(failures: readonly unknown[]) {
    super(failures.map((one) => (one instanceof Error ? one.message : String(one))).join("\n"));
    this.failures = failures;
  }
}

/** Like `Promise.all`, but waits for each one. @throws the failure, or SeveralFailures where there is more than one. */
export async function waitForAll<T extends readonly unknown[]>(
  ...work: { [K in keyof T]: T[K] | Promise<T[K]> }
): Promise<T> {
  const ended = await Promise.allSettled(work);
  const failures = ended.filter((one) => one.status === "rejected").map((one): unknown => one.reason);
  const [only] = failures;
  if (failures.length > 1) throw new SeveralFailures(failures);
  if (failures.length === 1) throw only;
  return ended.map((one) => (one as PromiseFulfilledResult<unknown>).value) as unknown as T;
}
