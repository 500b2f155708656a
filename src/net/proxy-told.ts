/** The words of a proxy on hosts, once for each, and no more than a page may fill; those left out are counted. */
export class ProxyTold {
  readonly #log: (line: string) => void;
  readonly #most: { logged: number; told: number };
  readonly #said = { reached: new Set<string>(), refused: new Set<string>() };
  readonly #leftOut = { reached: 0, refused: 0 };
  readonly #refusals = new Set<string>();
  #moreRefusals = 0;

  constructor(log: (line: string) => void, most: { logged: number; told: number }) {
    this.#log = log;
    this.#most = most;
  }

  say(kind: "reached" | "refused", line: string): void {
    const said = this.#said[kind];
    if (said.has(line)) return;
    if (said.size < this.#most.logged) {
      said.add(line);
      this.#log(line);
    } else if (this.#leftOut[kind]++ === 0) this.#log(`what else is ${kind} is counted`);
  }

  /** @param what a host with its port and why */
  refused(what: string): void {
    this.say("refused", `refused ${what}`);
    if (this.#refusals.size < this.#most.told) this.#refusals.add(what);
    else if (!this.#refusals.has(what)) this.#moreRefusals += 1;
  }

  /** Returns the refusals since this was last asked. */
  refusals(): string[] {
    const more = this.#moreRefusals === 0 ? [] : [`others, ${this.#moreRefusals} times`];
    const told = [...this.#refusals, ...more];
    this.#refusals.clear();
    this.#moreRefusals = 0;
    return told;
  }

  end(): void {
    for (const kind of ["reached", "refused"] as const)
      if (this.#leftOut[kind] > 0) this.#log(`${kind} others, ${this.#leftOut[kind]} times`);
  }
}
