/** What others wait for until it is opened. */
export function gate<T = void>(): { open: (value: T) => void; opened: Promise<T> } {
  let open: (value: T) => void = () => undefined;
  const opened = new Promise<T>((resolve) => {
    open = resolve;
  });
  return { open, opened };
}
