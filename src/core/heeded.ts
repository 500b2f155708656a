/** The same promise. Whoever got it and does not wait for it ends nothing by that: where it is rejected nobody need hear of it. */
export function heeded<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}
