/** What came of one case, as the table and the list of failures have it. */
export interface Tried {
  row: string;
  column: string;
  name: string;
  complaints: readonly string[];
  told: string;
  /** The fault came to pass: a session may end before it makes a system call once more. */
  struck: boolean;
}

/** How often a line says how far the loop is, in milliseconds. */
const sayEvery = 30_000;

const passes = ({ complaints }: Tried): boolean => complaints.length === 0;

/** Tells of the cases while they are tried, and of all of them at the end. */
export class Report {
  readonly #started = performance.now();
  readonly #cases: Tried[] = [];
  #due = 0;
  readonly #leftOut: string[] = [];
  readonly #ticking: NodeJS.Timeout;
  readonly #what: string;

  /** @param what is tried, for the last line */
  constructor(what: string) {
    this.#what = what;
    this.#ticking = setInterval(() => console.log(this.#progress()), sayEvery);
  }

  /** So many cases more are about to be tried. */
  expect(count: number): void {
    this.#due += count;
  }

  /** One of a row is not tried after all. */
  leaveOut(row: string): void {
    this.#due -= 1;
    this.#leftOut.push(row);
  }

  add(tried: Tried): Tried {
    this.#cases.push(tried);
    if (!passes(tried)) console.log(`FAILED ${tried.name}: ${tried.complaints[0]}`);
    return tried;
  }

  /** @param cannot what this machine cannot provoke, each with its reason. @returns whether all was as promised. */
  end(cannot: readonly string[]): boolean {
    clearInterval(this.#ticking);
    this.#table();
    for (const one of cannot) console.log(`Not provoked on this machine: ${one}`);
    if (this.#leftOut.length > 0)
      console.log(`Left out, because the time given was over: ${this.#leftOut.length} cases`);
    for (const row of this.#neverStruck())
      this.add({
        row,
        column: "kill",
        name: row,
        complaints: ["no fault of it came to pass"],
        told: "",
        struck: false,
      });
    const failures = this.#cases.filter((one) => !passes(one));
    for (const { name, complaints, told } of failures)
      console.log(`\nFAILED ${name}\n  ${complaints.join("\n  ")}\n${told}`);
    console.log(
      `\n${this.#what}: ${this.#cases.length} cases, ` +
        `${this.#cases.filter(({ struck }) => struck).length} struck, ${this.#cases.length - failures.length} passes, ` +
        `${failures.length} failures, ${this.#seconds()} s`,
    );
    return failures.length === 0 && this.#cases.length > 0;
  }

  /** Rows that were tried whole. */
  #neverStruck(): string[] {
    const struck = new Set(this.#cases.filter((one) => one.struck).map(({ row }) => row));
    return [...new Set(this.#cases.map(({ row }) => row))].filter(
      (row) => !struck.has(row) && !this.#leftOut.includes(row),
    );
  }

  /** Since it began. */
  get minutes(): number {
    return (performance.now() - this.#started) / 60_000;
  }

  #seconds(): string {
    return (this.minutes * 60).toFixed(0);
  }

  #progress(): string {
    const failed = this.#cases.filter((one) => !passes(one)).length;
    return `${this.#seconds()} s: ${this.#cases.length} of ${this.#due} cases, ${failed} failures`;
  }

  #table(): void {
    const columns = [...new Set(this.#cases.map(({ column }) => column))];
    for (const row of new Set(this.#cases.map((one) => one.row))) {
      const cells = columns.flatMap((column) => {
        const here = this.#cases.filter((one) => one.row === row && one.column === column);
        return here.length === 0 ? [] : [`${column} ${here.filter(passes).length}/${here.length}`];
      });
      console.log(`${row.padEnd(44)}${cells.map((cell) => cell.padEnd(14)).join("")}`.trimEnd());
    }
  }
}
