/** Lets everything that is already under way in this turn of the event loop be heard. */
export const pause = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
