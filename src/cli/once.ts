/** Makes it at the first need and keeps it; a failure is not kept. */
export const once = <T>(make: () => Promise<T>): (() => Promise<T>) => {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined; // the next one may try again
      throw error;
    });
    return made;
  };
};
