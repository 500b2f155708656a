/** The texts of `--help` on a command. */
export interface CommandHelp {
  text: string;
  /** Below the options. */
  note?: string;
  /** Command lines, and what they do. */
  examples: readonly (readonly [line: string, does: string])[];
  /** By the long names of its own options. */
  options?: Readonly<Record<string, string | ((about: never) => string)>>;
}
