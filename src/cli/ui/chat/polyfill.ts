/**
 * `Promise.withResolvers` for Node 20, which ink 8 calls when it waits for a frame. Imported before ink; the one module
 * that works at import, because what it repairs is the language itself.
 */
interface Resolvers {
  promise: Promise<unknown>;
  resolve: (value: unknown) => void;
  reject: (reason?: unknown) => void;
}

const patched = Promise as unknown as { withResolvers?: () => Resolvers };

patched.withResolvers ??= () => {
  let resolve: (value: unknown) => void = () => undefined;
  let reject: (reason?: unknown) => void = () => undefined;
  const promise = new Promise<unknown>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
};

export {};
