/**
 * The headers of requests and answers, in place of the global `Headers`: with that one node loads the whole of its own fetch,
 * a tenth of the start. Names are compared without regard to case; what cannot be sent in a header throws.
 */
export class LeanHeaders {
  readonly #values = new Map<string, string>();

  constructor(init: Iterable<readonly [string, string]> | Readonly<Record<string, string>> = []) {
    const pairs = Symbol.iterator in init ? (init as Iterable<readonly [string, string]>) : Object.entries(init);
    for (const [name, value] of pairs) this.append(name, value);
  }

  append(name: string, value: string): void {
    const before = this.get(name);
    this.set(name, before === null ? value : `${before}, ${sendable(name, value)}`);
  }

  set(name: string, value: string): void {
    this.#values.set(keyOf(name), sendable(name, value));
  }

  get(name: string): string | null {
    return this.#values.get(keyOf(name)) ?? null;
  }

  has(name: string): boolean {
    return this.#values.has(keyOf(name));
  }

  delete(name: string): void {
    this.#values.delete(keyOf(name));
  }

  /** In the order of their names. */
  entries(): IterableIterator<[string, string]> {
    return [...this.#values].sort(([a], [b]) => (a < b ? -1 : 1)).values();
  }

  [Symbol.iterator](): IterableIterator<[string, string]> {
    return this.entries();
  }

  /** By this name libraries know headers. */
  get [Symbol.toStringTag](): string {
    return "Headers";
  }
}

function keyOf(name: string): string {
  if (!/^[!#$%&'*+.^`|~\w-]+$/.test(name)) throw new TypeError(`${JSON.stringify(name)} is no name of a header`);
  return name.toLowerCase();
}

function sendable(name: string, value: string): string {
  const text = String(value).replace(/^[\t\n\r ]+|[\t\n\r ]+$/g, "");
  if (/[\0\n\r]|[^\0-\u00ff]/.test(text)) throw new TypeError(`the header ${name} has a character that cannot be sent`);
  return text;
}
